/* buffers.h: the buffer assignment: where the array lies between the steps of one direction.
 *
 * A direction alternates transforms and exchanges: FFT 0, exchange 0, FFT 1, ... Each takes the array from one place to
 * another or works where it is.  Two places are enough: DATA, the caller's output array (or SPARE where the array on its way
 * does not fit there), and WORK, one local array of workspace.  A second one, BESIDE, is taken where it may be and lets a
 * transform follow the chunks of an exchange that it would overwrite else.  The caller's input is a third that may only be
 * read, or, where the caller allows it, transformed in place.  This file chooses places so that no step overwrites what is
 * still needed, the result ends in DATA, and as little memory as possible is used. */
#ifndef MFFT_PLAN_BUFFERS_H
#define MFFT_PLAN_BUFFERS_H

#include "plan/path.h"

/* What an array can be assigned to.  places.h says which buffer of a program that is. */
typedef enum mfft_assignment {
  MFFT_ASSIGN_INPUT = 0, /* the caller's input, preserved unless it may be destroyed */
  MFFT_ASSIGN_DATA,
  MFFT_ASSIGN_WORK,
  MFFT_ASSIGN_BESIDE, /* a second array of workspace behind WORK, where there may be one */
  MFFT_ASSIGN_CHUNK,  /* a transform leaves one chunk at a time behind the send area, and the exchange packs it from there */
  MFFT_ASSIGN_NONE
} mfft_assignment;

/* One way for an exchange to go. */
typedef struct mfft_move {
  mfft_assignment out;        /* where the array is afterwards */
  mfft_assignment send, recv; /* where the areas are; NONE where there is none */
  int pack_all, unpack_all;
} mfft_move;

/* What the choice depends on, as seen by one rank. */
typedef struct mfft_step {
  int transforms;       /* FFT: whether there is anything to do */
  int moves;            /* FFT: real to complex or back, cannot work in place */
  int packs, unpacks;   /* exchange after it: whether it has such blocks by nature */
  int chunked;          /* exchange after it: more than one chunk, and the FFT can be cut alike */
  int direct;           /* exchange after it: ranks copy from array to array, of which one must be in WORK or BESIDE */
  int followed;         /* exchange after it: the FFT behind it can go by its chunks */
  int stores;           /* and the FFT can store into the WORK of peers itself, where its input and output are elsewhere */
  int narrows;          /* and the FFT stores into WORK what is sent, and what stays: from DATA to WORK */
  int keeps;            /* and the FFT can store what stays on this rank straight where the exchange would copy it */
  int64_t before_bytes; /* array as it arrives */
  int64_t after_bytes;  /* array after the FFT */
} mfft_step;

typedef struct mfft_choice {
  mfft_assignment fft_out; /* where the FFT leaves the array */
  mfft_move move;          /* the exchange after it; unused after the last FFT */
  int stored;              /* by the FFT; fft_out then holds what lies between its passes */
  int kept;                /* what stays on this rank is stored where it belongs, and the rest in fft_out */
} mfft_choice;

/* Where the array is at the start. */
typedef enum mfft_origin { MFFT_ORIGIN_PRESERVED = 0, MFFT_ORIGIN_SPARE, MFFT_ORIGIN_IN_PLACE } mfft_origin;

/* steps [count]; data_bytes is what fits in DATA; beside: whether there may be such an array.  Returns 0 where there is no
 * way. */
int mfft_buffers_search(const mfft_step *steps, int count, mfft_origin origin, int64_t data_bytes, int beside,
                        mfft_choice *choices);

#endif
