/* emitter.h: the state of writing the program of one direction of a distributed plan.
 *
 * A direction is a list of steps: those of the path, from the first one forward, from the last one backward.  At each step
 * a transform computes an output array from an input array, and an exchange moves it to the boxes of the next step. */
#ifndef MFFT_PLAN_EMITTER_H
#define MFFT_PLAN_EMITTER_H

#include "plan/arrays.h"
#include "plan/buffers.h"
#include "plan/distribution.h"

/* One step of a direction: the step of the path, its arrays before and after the transform, and the exchange to the next
 * step. */
typedef struct mfft_step {
  const mfft_path_step *path_step;
  const mfft_layout *before, *after;
  int real_before, real_after;
  int padded_before, padded_after; /* rows of real numbers have space for their half spectrum */
  mfft_cut cut;                    /* division of the exchange to the next step */
  int cut_before;                  /* the transform of this step can follow the chunks of that exchange */
  int cut_behind;                  /* the transform of the next step can follow its chunks */
  int stores_by_chunks;            /* a transform that stores into peers follows the chunks too; the same on all ranks */
  mfft_array in, out;
  int narrows;     /* complex numbers of half the width are sent to the next step: its transform stores them and the next one
                      loads them; without a transform a RESIZE stage does so */
  mfft_array sent; /* the narrow array; `out` then holds intermediate results of the transform */
  int continues;   /* the transform being written is of some axes of the step, and those of others follow */
  int transformed; /* its stages have been written */
} mfft_step;

typedef struct mfft_emitter {
  mfft_plan plan;
  const struct mfft_dist *dist;
  mfft_program *program;
  mfft_direction direction;
  const mfft_step *filtered; /* the step whose transform applies the filter; NULL: a FILTER stage does */
  int areas_beside;    /* areas of messages have memory of their own, which lets packing, messages and transforms overlap */
  int64_t areas_bytes; /* size of that memory */
  int64_t unit_bytes;  /* bytes of the largest array of any rank, rounded up to an even number of cache lines: unit of the
                    offsets of arrays in WORK (half of it for narrow arrays), which peers thus know */
  mfft_buffer input;   /* buffer of the first step's input: SRC, or PRODUCT if a stage has filtered or copied it */
  int count;
  mfft_step step[MFFT_MAX_STEPS];        /* [count] in the sequence of the direction */
  mfft_step_needs needs[MFFT_MAX_STEPS]; /* [count] */
  mfft_choice choice[MFFT_MAX_STEPS];    /* [count] */
} mfft_emitter;

/* Fills in the steps of a direction of a plan whose path and sides are known. */
void mfft_emitter_init(mfft_plan plan, mfft_direction direction, mfft_emitter *e);

/* The step next to the spectrum, whose transform may apply the filter; NULL: the direction has no filter. */
const mfft_step *mfft_emitter_filter_step(const mfft_emitter *e);

/* Sets whether that transform applies the filter, or a stage of its own. */
void mfft_emitter_set_filter(mfft_emitter *e, int fused);

/* Whether the program works in the caller's one array.  An array that zeros follow cannot become longer there: it is copied
 * to PRODUCT first, and the program is one out of place. */
static inline int mfft_emitter_in_place(const mfft_emitter *e) {
  return e->plan->desc.placement == MFFT_IN_PLACE && !mfft_desc_pads(&e->plan->desc);
}
static inline int mfft_emitter_copies_input(const mfft_emitter *e) {
  return e->plan->desc.placement == MFFT_IN_PLACE && mfft_desc_pads(&e->plan->desc);
}

/* The array that the exchange after a step sends. */
static inline const mfft_array *mfft_step_sent(const mfft_step *s) { return s->narrows ? &s->sent : &s->out; }

/* How many axes a step transforms. */
static inline int mfft_step_axes(const mfft_step *s) {
  return (int)((s->path_step->axes & 1) + (s->path_step->axes >> 1 & 1) + (s->path_step->axes >> 2 & 1));
}

/* Whether a step has a RESIZE stage instead of a transform, which narrows the array to send or widens the received one. */
static inline int mfft_step_resizes(const mfft_emitter *e, const mfft_step *s) {
  return !s->path_step->axes && (s->narrows || (s > e->step && s[-1].narrows));
}

#endif
