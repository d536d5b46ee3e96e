/* buffers.h: the buffer assignment: which buffer holds the array after each step of one direction.
 *
 * A direction alternates transforms and exchanges: FFT 0, exchange 0, FFT 1, ...  Each moves the array from one buffer to
 * another or works in place.  Two buffers suffice: DATA, the caller's output array (or SPARE, if an intermediate array
 * does not fit there), and WORK, one local array of workspace.  A second array of workspace, BESIDE, is used if memory
 * allows: a transform can then follow the chunks of an exchange whose source it would otherwise overwrite.  The caller's
 * input is a third buffer, which is read only or, if the caller allows, transformed in place.  The search of this file
 * finds the assignment of least cost in which no step overwrites data that is still needed and the result is in DATA. */
#ifndef MFFT_PLAN_BUFFERS_H
#define MFFT_PLAN_BUFFERS_H

#include "plan/path.h"

/* The memory that an array can be assigned to.  places.h maps it to a buffer of the program. */
typedef enum mfft_buffer_assignment {
  MFFT_ASSIGN_INPUT = 0, /* the caller's input; preserved unless the caller allows its destruction */
  MFFT_ASSIGN_DATA,
  MFFT_ASSIGN_WORK,
  MFFT_ASSIGN_BESIDE, /* a second array of workspace after WORK, if there is one */
  MFFT_ASSIGN_CHUNK,  /* one chunk at a time after the send area: written by the transform, packed by the exchange */
  MFFT_ASSIGN_NONE
} mfft_buffer_assignment;

/* One possible assignment of an exchange. */
typedef struct mfft_move {
  mfft_buffer_assignment out;        /* the array after the exchange */
  mfft_buffer_assignment send, recv; /* the areas; NONE: there is none */
  int pack_all, unpack_all;
} mfft_move;

/* The properties of one step (emitter.h) that its buffers depend on, on one rank. */
typedef struct mfft_step_needs {
  int transforms;       /* FFT: it is not empty */
  int moves;            /* FFT: out of place only, as from real to complex */
  int packs, unpacks;   /* exchange after it: whether its route has such blocks */
  int chunked;          /* exchange after it: more than one chunk, and the FFT can be divided likewise */
  int direct;           /* exchange after it: copies between arrays of ranks, one of which must be in WORK or BESIDE */
  int followed;         /* exchange after it: the next FFT can follow its chunks */
  int stores;           /* the FFT can store into WORK of peers, if its input and output are not in WORK */
  int axes;             /* FFT: how many, if the exchange after it or before it overlaps it where buffers allow; else 0 */
  int narrows;          /* the FFT stores into WORK what is sent and what stays: from DATA to WORK */
  int stores_own;       /* the FFT can store the part of its own rank where the exchange would copy it */
  int64_t before_bytes; /* array before the FFT */
  int64_t after_bytes;  /* array after the FFT */
} mfft_step_needs;

typedef struct mfft_choice {
  mfft_buffer_assignment fft_out; /* output of the FFT */
  mfft_move move;                 /* exchange after it; unused after the last FFT */
  int stored;                     /* the FFT stores into peers; fft_out then holds its intermediate results */
  int stored_own;                 /* the FFT stores the part of its own rank in the target, and the rest in fft_out */
} mfft_choice;

/* The buffer of the array at the start. */
typedef enum mfft_origin { MFFT_ORIGIN_PRESERVED = 0, MFFT_ORIGIN_SPARE, MFFT_ORIGIN_IN_PLACE } mfft_origin;

/* Searches for the best assignment.  steps [count]; data_bytes: capacity of DATA; beside: BESIDE may be used.  Returns 0
 * if there is no legal assignment. */
int mfft_buffers_search(const mfft_step_needs *steps, int count, mfft_origin origin, int64_t data_bytes, int beside,
                        mfft_choice *choices);

#endif
