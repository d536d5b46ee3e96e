/* program.h: the two programs of a plan, one for each direction, and maybe some of both (convolve.h); an execute runs the
 * stages of one in sequence.
 *
 * Every stage names its buffers by number; nothing is decided, looked up or allocated while a program runs. */
#ifndef MFFT_PLAN_PROGRAM_H
#define MFFT_PLAN_PROGRAM_H

#include "base/extent.h"
#include "base/status.h"
#include "dist/transfer.h"
#include "local/backend.h"
#include "local/trace.h"
#include "mfft_inspect.h"

/* The buffers of a program: the caller's two arrays as the direction sees them, and parts of the workspace. */
typedef enum mfft_buffer {
  MFFT_BUFFER_SRC = 0,
  MFFT_BUFFER_DST,
  MFFT_BUFFER_WORK,      /* the second array of all transforms and exchanges; direct transports: in the window */
  MFFT_BUFFER_SPARE,     /* replaces DST for an intermediate array that does not fit there */
  MFFT_BUFFER_AREA,      /* areas for messages: between devices, and to other nodes with direct transports */
  MFFT_BUFFER_PRODUCT,   /* the filtered spectrum, if the caller's must be preserved */
  MFFT_BUFFER_SCRATCH,   /* scratch memory of one local transform */
  MFFT_BUFFER_DEVICE_IN, /* with arrays on the host: SRC and DST, by the side of the plan; both sides in place are one */
  MFFT_BUFFER_DEVICE_OUT,
  MFFT_BUFFER_HOST_SRC, /* with arrays on the host: the caller's arrays, which only START stages of copies name */
  MFFT_BUFFER_HOST_DST,
  MFFT_BUFFER_SPECTRUM, /* of a program of both directions (plan/convolve.h), whose SRC and DST are of side MFFT_IN */
  MFFT_BUFFER_FACTORS,  /* of such a program: the array by which the spectrum is multiplied; NULL: the filter of the plan is
                         */
  MFFT_BUFFER_COUNT
} mfft_buffer;

/* An offset in a buffer. */
typedef struct mfft_place {
  mfft_buffer buffer;
  int64_t offset_bytes;
} mfft_place;

/* Whether two places are one. */
static inline int mfft_place_equal(mfft_place a, mfft_place b) {
  return a.buffer == b.buffer && a.offset_bytes == b.offset_bytes;
}

typedef enum mfft_stage_kind {
  MFFT_STAGE_FFT = 0,
  MFFT_STAGE_COPY,
  MFFT_STAGE_CONVERT, /* to or from half-width segments of messages */
  MFFT_STAGE_RESIZE,  /* to or from complex numbers of half the width */
  MFFT_STAGE_TWIDDLE,
  MFFT_STAGE_OPEN, /* waits until the windows of peers are free, before a transform that stores into them */
  MFFT_STAGE_START,
  MFFT_STAGE_WAIT,
  MFFT_STAGE_FILTER,
  MFFT_STAGE_KINDS
} mfft_stage_kind;

typedef struct mfft_twiddle_args {
  mfft_direction direction;
  int64_t n[3], row0, col0, length; /* see backend.h */
} mfft_twiddle_args;

typedef struct mfft_stage {
  mfft_stage_kind kind;
  mfft_place in, out;                /* TWIDDLE works in place on out */
  mfft_place send, recv;             /* START: send and receive areas */
  mfft_place share[MFFT_MAX_SHARES]; /* FFT: [shares] outputs of a transform scattered within this rank */
  int shares;                        /* 0: not scattered within this rank */
  mfft_fft *fft;                     /* FFT; owned by the plan's list of transforms */
  mfft_place factors; /* FFT convolved by an array: the factor of its first element, in FACTORS; else in SRC */
  mfft_block *blocks; /* COPY, CONVERT and RESIZE: [nblocks], owned */
  int64_t nblocks;
  int64_t element_bytes; /* COPY and CONVERT: bytes of an array element */
  int packs;             /* CONVERT: array to segments; RESIZE: to half the width */
  mfft_twiddle_args twiddle;
  mfft_filter_shape filter;
  mfft_extent touch[2];    /* bytes of `in` that it reads, of `out` that it writes; rows 0: not known, any of them */
  int chunk;               /* OPEN, START and WAIT: index of the chunk in its exchange; -1: a copy of a host array */
  mfft_transfer *transfer; /* OPEN, START, WAIT; FFT: transfer with the addresses it stores to, or NULL; owned by the plan */
  char label[64];          /* for describe and time lines: "fft z,y", "start 0/4" */
} mfft_stage;

typedef struct mfft_program {
  mfft_stage *stage; /* [count] */
  int count, capacity;
  const void *filter_tables; /* tables of its FILTER stages, in memory of the backend */
  int filter_idle;           /* all tables are 1 */
} mfft_program;

/* Appends a zeroed stage with its label and returns it; NULL: out of memory. */
mfft_stage *mfft_program_add(mfft_program *program, mfft_stage_kind kind, const char *label, ...) MFFT_PRINTF(3, 4);

/* Runs the stages in sequence, adds the time of each to `timing`, and their spans to the trace if it is not NULL. */
mfft_status mfft_program_run(const mfft_program *program, const mfft_backend *backend, mfft_precision precision,
                             void *const buffer[MFFT_BUFFER_COUNT], void *stream, mfft_timing *timing, mfft_trace *trace);

/* The field of a timing that has the seconds of spans of this kind, one of those on queue 0. */
double *mfft_timing_of(mfft_timing *timing, mfft_span_kind kind);

/* Whether the stage starts the first chunk of an exchange. */
int mfft_stage_begins_exchange(const mfft_stage *stage);

/* Names the queues of the program's transfers in a trace, or detaches them if it is NULL; adds to *marks the most marks
 * of one run. */
mfft_status mfft_program_trace(const mfft_program *program, const char *direction, mfft_trace *trace, int *marks);

/* Frees stages and block lists, not transforms and transfers. */
void mfft_program_free(mfft_program *program);

#endif
