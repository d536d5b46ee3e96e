/* peer_store.c: see peer_store.h. */
#include "plan/peer_store.h"

#include <string.h>

#include "base/box.h"
#include "plan/stages.h"
#include "plan/step_spec.h"

enum { BATCH = 3 }; /* in addition to axes 0 to 2 */

/* The arrays a transform stores into: those of near ranks, or only that of its own rank. */
typedef enum scope { TO_PEERS, TO_ITSELF } scope;

/* The axis, or BATCH, of each dimension of a spec from mfft_step_spec: first its axes, then its loops. */
static int dimensions(const mfft_emitter *e, const mfft_step *s, const mfft_region *region, int dim[3 + MFFT_MAX_LOOPS]) {
  const int half = s->real_before == s->real_after ? -1 : e->dist->path.half_axis;
  int count = 0;
  for (int axis = 0; axis < 3; axis++)
    if (s->path_step->axes >> axis & 1 && axis != half) dim[count++] = axis;
  if (half >= 0) dim[count++] = half;
  if (region->batch_hi - region->batch_lo > 1) dim[count++] = BATCH;
  for (int axis = 0; axis < 3; axis++)
    if (!(s->path_step->axes >> axis & 1) && mfft_box_extent(&region->box, axis) > 1) dim[count++] = axis;
  return count;
}

/* The box after the transform of a region. */
static mfft_box box_behind(const mfft_step *s, const mfft_region *region) {
  mfft_box box = region->box;
  for (int axis = 0; axis < 3; axis++)
    if (s->path_step->axes >> axis & 1) {
      box.lo[axis] = s->out.box.lo[axis];
      box.hi[axis] = s->out.box.hi[axis];
    }
  return box;
}

/* Lists the ranks whose boxes intersect `box`, sorted by their first index along `axis`.  Returns their number, or -1 if
 * they are too many or not near. */
static int find_peers(const mfft_emitter *e, const mfft_layout *to, const mfft_box *box, int axis, scope to_whom,
                      int peer[MFFT_MAX_SHARES]) {
  int count = 0;
  for (int rank = 0; rank < to->ranks; rank++) {
    const mfft_box meet = mfft_box_intersect(box, &to->box[rank]);
    if (mfft_box_empty(&meet)) continue;
    if (count == MFFT_MAX_SHARES || (to_whom == TO_PEERS && rank != e->dist->rank && !e->dist->topology.near[rank]))
      return -1;
    int at = count++;
    for (; at > 0 && to->box[peer[at - 1]].lo[axis] > to->box[rank].lo[axis]; at--) peer[at] = peer[at - 1];
    peer[at] = rank;
  }
  return count;
}

/* Scatters the transform of step a over a region into the boxes of step b, which divide axis[number]: fills spec->scatter
 * and the offsets of the shares.  Returns 0 if that is impossible. */
static int scatter_along(const mfft_emitter *e, const mfft_step *a, const mfft_step *b, const mfft_region *region,
                         int number, scope to_whom, mfft_fft_spec *spec, mfft_shares *shares) {
  int dim[3 + MFFT_MAX_LOOPS];
  const int dims = dimensions(e, a, region, dim), cut = dim[number];
  const mfft_box box = box_behind(a, region);
  const int64_t n = mfft_box_extent(&box, cut);
  memset(shares, 0, sizeof *shares);
  memset(&spec->scatter, 0, sizeof spec->scatter);
  shares->count = find_peers(e, b->before, &box, cut, to_whom, shares->peer);
  if (shares->count <= 0) return 0;
  for (int s = 0; s < shares->count; s++) {
    const mfft_box *to = &b->before->box[shares->peer[s]];
    const mfft_box *where = to_whom == TO_ITSELF && shares->peer[s] != e->dist->rank ? &a->out.box : to;
    const int64_t array = mfft_box_count(where);
    int64_t stride[4], offset = region->batch_lo * array; /* [axis, BATCH] */
    mfft_box_strides(where, stride);
    stride[BATCH] = array;
    for (int axis = 0; axis < 3; axis++) {
      const int64_t first = axis == cut ? box.lo[axis] + mfft_part(n, s, shares->count) : box.lo[axis];
      const int64_t end = axis == cut ? box.lo[axis] + mfft_part(n, s + 1, shares->count) : box.hi[axis];
      const int whole = first >= to->lo[axis] && end <= to->hi[axis];
      if (!whole || (axis == cut && (first != to->lo[axis] || end != to->hi[axis]))) return 0;
      offset += (first - where->lo[axis]) * stride[axis];
    }
    for (int d = 0; d < dims; d++) spec->scatter.stride[s][d] = stride[dim[d]];
    shares->offset_bytes[s] = offset * mfft_step_sent(a)->element_bytes;
  }
  spec->scatter.count = shares->count;
  spec->scatter.axis = number;
  return 1;
}

static int scatter(const mfft_emitter *e, const mfft_step *a, const mfft_step *b, const mfft_region *region, scope to_whom,
                   mfft_fft_spec *spec, mfft_shares *shares) {
  for (int number = 0; number < spec->naxes; number++)
    if (scatter_along(e, a, b, region, number, to_whom, spec, shares)) return 1;
  memset(&spec->scatter, 0, sizeof spec->scatter);
  return 0;
}

int mfft_scatter_own(const mfft_emitter *e, const mfft_step *a, const mfft_step *b, const mfft_region *region,
                     mfft_fft_spec *spec) {
  mfft_shares shares;
  return scatter(e, a, b, region, TO_ITSELF, spec, &shares);
}

/* Whether the transform of this rank can store into these arrays. */
static int can_store(const mfft_emitter *e, const mfft_step *a, const mfft_step *b, scope to_whom) {
  const struct mfft_dist *dist = e->dist;
  const mfft_backend *backend = e->plan->backend;
  const int wanted = to_whom == TO_PEERS ? dist->transport->stores : !dist->topology.host_memory; /* where it saves a copy */
  if (!wanted || !backend->fft_scatter || (e->plan->options.wire == MFFT_WIRE_HALF && !a->narrows)) return 0;
  if (!a->path_step->axes || a->path_step->twiddle || a->real_after) return 0;
  const mfft_region all = {a->in.box, 0, a->in.batch};
  if (mfft_box_empty(&all.box)) return 1;
  mfft_place from, to;
  mfft_shares shares;
  mfft_fft_spec spec = mfft_step_spec(e, a, &all, &a->in, &a->out, &from, &to);
  spec.in_place = 0;
  return scatter(e, a, b, &all, to_whom, &spec, &shares) && backend->fuses(&spec);
}

int mfft_can_store(const mfft_emitter *e, int i) { return can_store(e, &e->step[i], &e->step[i + 1], TO_PEERS); }

int mfft_can_store_own(const mfft_emitter *e, int i) { return can_store(e, &e->step[i], &e->step[i + 1], TO_ITSELF); }

mfft_shares mfft_shares_of(const mfft_emitter *e, const mfft_step *a, const mfft_step *b, const mfft_region *region) {
  mfft_shares shares = {0};
  mfft_place from, to;
  if (mfft_box_empty(&region->box) || region->batch_hi <= region->batch_lo) return shares;
  mfft_fft_spec spec = mfft_step_spec(e, a, region, &a->in, &a->out, &from, &to);
  scatter(e, a, b, region, TO_PEERS, &spec, &shares);
  return shares;
}

/* Adds the scattered transform of a region and fills `shares`; for an empty region it adds nothing and shares->count is
 * 0. */
static mfft_status add_scattered(mfft_emitter *e, const mfft_step *a, const mfft_step *b, const mfft_region *region,
                                 scope to_whom, mfft_transfer *transfer, mfft_shares *shares) {
  mfft_place from, to;
  memset(shares, 0, sizeof *shares);
  if (mfft_box_empty(&region->box) || region->batch_hi <= region->batch_lo) return MFFT_SUCCESS;
  mfft_fft_spec spec = mfft_step_spec(e, a, region, &a->in, &a->out, &from, &to);
  if (!scatter(e, a, b, region, to_whom, &spec, shares))
    return mfft_fail(MFFT_ERR_INTERNAL, "a chunk of a transform cannot store where the whole can");
  MFFT_TRY(mfft_add_fft(e, a, &spec, from, to, transfer));
  mfft_note_fft(e, a, region, &a->in, &a->out);
  return MFFT_SUCCESS;
}

mfft_status mfft_emit_scatter(mfft_emitter *e, const mfft_step *a, const mfft_step *b, const mfft_region *region,
                              mfft_transfer *transfer) {
  mfft_shares shares;
  return add_scattered(e, a, b, region, TO_PEERS, transfer, &shares);
}

mfft_status mfft_emit_scatter_own(mfft_emitter *e, const mfft_step *a, const mfft_step *b, const mfft_region *region) {
  mfft_shares shares;
  MFFT_TRY(add_scattered(e, a, b, region, TO_ITSELF, NULL, &shares));
  if (!shares.count) return MFFT_SUCCESS;
  mfft_stage *stage = &e->program->stage[e->program->count - 1];
  stage->shares = shares.count;
  for (int s = 0; s < shares.count; s++) {
    stage->share[s] = shares.peer[s] == e->dist->rank ? b->in.place : mfft_step_sent(a)->place;
    stage->share[s].offset_bytes += shares.offset_bytes[s];
  }
  return MFFT_SUCCESS;
}
