/* program.h: a plan is two flat programs, one a direction; executing it walks a list.
 *
 * Every stage names its buffers by number; nothing is decided, looked up or allocated while a program runs. */
#ifndef MFFT_PLAN_PROGRAM_H
#define MFFT_PLAN_PROGRAM_H

#include "base/status.h"
#include "dist/transfer.h"
#include "local/backend.h"
#include "local/trace.h"
#include "mfft_inspect.h"

/* The buffers of a program: the two arrays of the caller as the direction sees them, and pieces of the workspace. */
typedef enum mfft_buffer {
  MFFT_BUFFER_SRC = 0,
  MFFT_BUFFER_DST,
  MFFT_BUFFER_WORK,    /* the other half of every move between arrays; of direct exchanges: in the window */
  MFFT_BUFFER_SPARE,   /* stands in for DST where an array on the way does not fit there */
  MFFT_BUFFER_AREA,    /* messages beside the arrays: between devices, and to other nodes beside direct copies */
  MFFT_BUFFER_PRODUCT, /* the filtered spectrum where the caller's must not change */
  MFFT_BUFFER_SCRATCH, /* of one local transform */
  MFFT_BUFFER_COUNT
} mfft_buffer;

/* A place in a buffer. */
typedef struct mfft_place {
  mfft_buffer buffer;
  int64_t offset_bytes;
} mfft_place;

typedef enum mfft_stage_kind {
  MFFT_STAGE_FFT = 0,
  MFFT_STAGE_COPY,
  MFFT_STAGE_CONVERT, /* to or from half-width segments */
  MFFT_STAGE_RESIZE,  /* to or from complexes of half the width */
  MFFT_STAGE_TWIDDLE,
  MFFT_STAGE_OPEN, /* before a transform that stores into windows of peers: they are free */
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
  mfft_place in, out;                /* TWIDDLE works on out */
  mfft_place send, recv;             /* START: the areas */
  mfft_place share[MFFT_MAX_SHARES]; /* FFT: [shares] of one that is scattered within this rank */
  int shares;                        /* 0: of others */
  mfft_fft *fft;                     /* FFT; owned by the plan's list of transforms */
  mfft_block *blocks;                /* COPY, CONVERT and RESIZE: [nblocks], owned */
  int64_t nblocks;
  int64_t element_bytes; /* COPY and CONVERT, of the array */
  int packs;             /* CONVERT: to segments; RESIZE: to half the width */
  mfft_twiddle_args twiddle;
  mfft_filter_shape filter;
  int chunk;               /* OPEN, START and WAIT: which one of their exchange */
  mfft_transfer *transfer; /* OPEN, START and its WAIT; FFT: into whose shares it stores, or NULL; owned by the plan */
  char label[64];          /* for people, in describe and time lines: "fft z,y", "start 0/4" */
} mfft_stage;

typedef struct mfft_program {
  mfft_stage *stage; /* [count] */
  int count, capacity;
  const void *filter_tables; /* of its FILTER stages, in memory of the backend */
  int filter_idle;           /* the tables are all 1 */
} mfft_program;

/* Adds a zeroed stage with its label and returns it, or NULL where memory is out. */
mfft_stage *mfft_program_add(mfft_program *program, mfft_stage_kind kind, const char *label, ...) MFFT_PRINTF(3, 4);

/* Runs the stages in order, adding the time of each to timing, and their spans to a trace that is not NULL. */
mfft_status mfft_program_run(const mfft_program *program, const mfft_backend *backend, mfft_precision precision,
                             void *const buffer[MFFT_BUFFER_COUNT], void *stream, mfft_timing *timing, mfft_trace *trace);

/* The entry of mfft_timing, as an offset, that the seconds of stages go to whose spans are of this kind. */
size_t mfft_program_clock(const char *kind);

/* Whether the first chunk of an exchange starts. */
int mfft_stage_begins_exchange(const mfft_stage *stage);

/* Names the queues of a program's transfers in a trace, or takes the trace off them where it is NULL; counts in `marks` how
 * many marks one run makes at most. */
mfft_status mfft_program_trace(const mfft_program *program, const char *direction, mfft_trace *trace, int *marks);

/* Frees stages and block lists, not transforms and transfers. */
void mfft_program_free(mfft_program *program);

#endif
