/* emitter.h: the state of writing the program of one direction of a distributed plan, which its steps share.
 *
 * A direction is a list of stops: the nodes of a path, forward from its first, backward from its last.  At each the array
 * lies somewhere before the transform and somewhere behind it; an exchange leads to the next. */
#ifndef MFFT_PLAN_EMITTER_H
#define MFFT_PLAN_EMITTER_H

#include "plan/arrays.h"
#include "plan/buffers.h"
#include "plan/distribution.h"

/* One stop of a direction: a node, its array before and after the transform, and the exchange to the next stop. */
typedef struct mfft_stop {
  const mfft_node *node;
  const mfft_layout *before, *after;
  int real_before, real_after;
  int padded_before, padded_after; /* rows of reals that can hold their own half spectrum */
  mfft_cut cut;                    /* of the exchange that follows */
  int cut_before;                  /* the transform of this stop can run chunk by chunk of the exchange that follows */
  int cut_behind;                  /* the transform of the next stop can run chunk by chunk of it */
  int keeps_cut;                   /* also where its transform stores: on all ranks alike */
  mfft_array in, out;
  int narrows; /* complexes of half their width are sent to the next stop: its transform stores them, that of the next loads
                  them; a stage does where there is no transform */
  mfft_array sent; /* these; out then holds what lies between its passes */
  int transformed; /* its stages are written */
} mfft_stop;

typedef struct mfft_emitter {
  mfft_plan plan;
  const struct mfft_dist *dist;
  mfft_program *program;
  mfft_direction direction;
  const mfft_stop *filtered; /* the stop whose transform multiplies by the filter; NULL: a stage does */
  int areas_beside;          /* areas of messages lie beside the arrays, so that packing, messages and transforms overlap */
  int64_t areas_bytes;       /* that this takes */
  int64_t room;              /* bytes of the largest array of any rank, an even number of cache lines: where arrays lie
                                behind one another in WORK they begin at multiples of it, or where they are of half the
                                width at multiples of half of it, so that peers know where */
  mfft_buffer input;         /* where the first stop finds its array: SRC, or PRODUCT once it is filtered */
  int count;
  mfft_stop stop[MFFT_MAX_NODES];     /* [count] in their order */
  mfft_step step[MFFT_MAX_NODES];     /* [count] */
  mfft_choice choice[MFFT_MAX_NODES]; /* [count] */
} mfft_emitter;

/* Lays out the stops of a direction.  The plan has its path and its sides. */
void mfft_emitter_init(mfft_plan plan, mfft_direction direction, mfft_emitter *e);

/* The stop next to the spectrum, whose transform may multiply by the filter; NULL where the direction has none. */
const mfft_stop *mfft_emitter_filter_stop(const mfft_emitter *e);

/* Lets that transform multiply, or a stage of its own. */
void mfft_emitter_set_filter(mfft_emitter *e, int fused);

/* The array that an exchange carries away from a stop. */
static inline const mfft_array *mfft_stop_sent(const mfft_stop *s) { return s->narrows ? &s->sent : &s->out; }

/* Whether a stop has no transform, and a stage that narrows what is sent or widens what arrived instead. */
static inline int mfft_stop_resizes(const mfft_emitter *e, const mfft_stop *s) {
  return !s->node->axes && (s->narrows || (s > e->stop && s[-1].narrows));
}

#endif
