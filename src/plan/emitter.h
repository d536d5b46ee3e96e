/* emitter.h: what the files that write a program share: emit.c (the order of steps), cut.c (how exchanges are cut), stages.c
 * (the stages of transforms and copies), hop.c (one exchange with the transforms around it).
 *
 * A direction is a list of stops: the nodes of a path in the order of travel.  At each the array lies somewhere before the
 * transform and somewhere behind it; an exchange leads to the next. */
#ifndef MFFT_PLAN_EMITTER_H
#define MFFT_PLAN_EMITTER_H

#include "plan/buffers.h"
#include "plan/emit.h"

/* An mfft_array in memory: the elements of a box, with batches behind one another. */
typedef struct mfft_array {
  mfft_place place;
  mfft_box box;
  int64_t batch;
  int64_t stride[3], dist;
  int64_t element_bytes;
  int real;
} mfft_array;

/* One stop of a direction: a node, its mfft_array before and after the transform, and the exchange to the next stop. */
typedef struct mfft_stop {
  const mfft_node *node;
  const mfft_layout *before, *after;
  int real_before, real_after;
  mfft_cut cut;   /* of the exchange that follows */
  int cut_before; /* the transform of this stop can run chunk by chunk of the exchange that follows */
  int cut_behind; /* the transform of the next stop can run chunk by chunk of it */
  int keeps_cut;  /* also where its transform stores: on all ranks alike */
  mfft_array in, out;
  int narrows; /* complexes of half their width travel to the next stop: its transform stores them, that of the next loads
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
  int apart;                 /* areas of messages lie beside the arrays, so that packing, messages and transforms overlap */
  int64_t areas_bytes;       /* that this takes */
  int64_t room;              /* bytes of the largest array of any rank, an even number of cache lines */
  mfft_buffer input;         /* where the first stop finds its array: SRC, or PRODUCT once it is filtered */
  int count;
  mfft_stop stop[MFFT_MAX_NODES];     /* [count] in the order of travel */
  mfft_step step[MFFT_MAX_NODES];     /* [count] */
  mfft_choice choice[MFFT_MAX_NODES]; /* [count] */
} mfft_emitter;

/* ---- cut.c */

/* Chooses how to cut the exchange from a to b: sets a->cut.  Every rank chooses alike. */
mfft_status mfft_choose_cut(const mfft_emitter *e, mfft_stop *a, const mfft_stop *b);

/* Sets cut_before and cut_behind of a for this rank. */
void mfft_follow_cut(mfft_stop *a, const mfft_stop *b, int rank);

/* Bytes of the largest chunk of the array behind the transform of a stop. */
int64_t mfft_largest_chunk(const mfft_emitter *e, const mfft_stop *s);

/* The route from a to b by nature: nothing is packed that need not be. */
mfft_route_spec mfft_stop_route(const mfft_emitter *e, const mfft_stop *a, const mfft_stop *b, int rank, mfft_cut cut);

/* ---- stages.c */

int64_t mfft_element_bytes(const mfft_emitter *e, int real);
mfft_array mfft_array_of(const mfft_emitter *e, const mfft_box *box, int64_t batch, int real, int padded);
int64_t mfft_array_bytes(const mfft_array *a);

/* The transform of a stop over one region of its array (before the transform): its spec, and its stage; and the stages over
 * all of the array, with its twiddle. */
mfft_fft_spec mfft_stop_spec(const mfft_emitter *e, const mfft_stop *s, const mfft_region *region, const mfft_array *in,
                             const mfft_array *out, mfft_place *from, mfft_place *to);
mfft_status mfft_emit_fft(mfft_emitter *e, mfft_stop *s, const mfft_region *region, const mfft_array *in,
                          const mfft_array *out);
mfft_status mfft_emit_whole(mfft_emitter *e, mfft_stop *s);

/* The stage of a spec that is complete; transfer: of a scattered one, else NULL. */
mfft_status mfft_add_fft(mfft_emitter *e, const mfft_stop *s, const mfft_fft_spec *spec, mfft_place from, mfft_place to,
                         mfft_transfer *transfer);

/* A list of blocks, which the stage takes over; nothing where it is empty. */
mfft_status mfft_emit_convert(mfft_emitter *e, int packs, int chunk, mfft_block_list *blocks, int64_t element_bytes,
                              mfft_place from, mfft_place to);
mfft_status mfft_emit_copy(mfft_emitter *e, const char *label, int chunk, mfft_block_list *blocks, int64_t element_bytes,
                           mfft_place from, mfft_place to);

#define MFFT_ADD_STAGE(stage, ...)                               \
  mfft_stage *stage = mfft_program_add(e->program, __VA_ARGS__); \
  if (!stage) return mfft_fail(MFFT_ERR_MEMORY, "no memory for stage %d", e->program->count)

/* ---- narrow.c */

/* Finds the exchanges that carry half the width without a sweep.  Collective. */
mfft_status mfft_find_narrow(mfft_emitter *e);

/* Makes all of them exchanges with stages that narrow and widen; 0 where there are none. */
int mfft_forget_narrow(mfft_emitter *e);

/* The array that an exchange carries away from a stop. */
static inline const mfft_array *mfft_stop_sent(const mfft_stop *s) { return s->narrows ? &s->sent : &s->out; }

/* The stage that does what the transform of a stop would, where it has none: narrows what is sent, or widens what arrived.
 */
mfft_status mfft_emit_resize(mfft_emitter *e, const mfft_stop *s, const mfft_region *region);

/* Whether a stop has no transform and such a stage instead. */
int mfft_stop_resizes(const mfft_emitter *e, const mfft_stop *s);

/* ---- store.c */

/* Finds the exchanges whose stores the transform before them can make, and which of those keep their cut.  Collective. */
mfft_status mfft_find_stores(mfft_emitter *e);

/* Where the transform of stop a over a region of its array stores for stop b, and its stage, with the transfer that knows.
 */
mfft_shares mfft_shares_of(const mfft_emitter *e, const mfft_stop *a, const mfft_stop *b, const mfft_region *region);
mfft_status mfft_emit_scatter(mfft_emitter *e, const mfft_stop *a, const mfft_stop *b, const mfft_region *region,
                              mfft_transfer *transfer);

/* The same within this rank: what stays here goes where stop b finds it, all else to the array behind stop a. */
mfft_status mfft_emit_kept(mfft_emitter *e, const mfft_stop *a, const mfft_stop *b, const mfft_region *region);

/* Fills the scatter of a spec for it; 0 where it cannot be. */
int mfft_scatter_kept(const mfft_emitter *e, const mfft_stop *a, const mfft_stop *b, const mfft_region *region,
                      mfft_fft_spec *spec);

/* ---- hop.c */

/* Room for the areas of a route, one behind the other. */
int64_t mfft_areas_bytes(const mfft_route *route);

/* What fits in DATA, and the place of an array or area of a role: raises the sizes of the workspace and of the caller's
 * array. */
int64_t mfft_data_room(const mfft_emitter *e);
mfft_place mfft_place_of(mfft_emitter *e, mfft_role role, int64_t offset, int64_t bytes);

/* The exchanges, with what is to be transformed before each and what can follow its chunks behind it. */
mfft_status mfft_emit_hops(mfft_emitter *e);

#endif
