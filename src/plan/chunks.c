/* chunks.c: see chunks.h. */
#include "plan/chunks.h"

/* Of device memory: along two axes the first chunk and the last are all that is not hidden, so that more of them pay
 * (measured on H200: docs/lab/several-gpus.md). */
enum { MOST_CHUNKS_OF_TWO_AXES = 12 };

/* Whether every box that trades with those of `rank` spans the same range of an axis: then the chunks of both ends are the
 * same slices of the array. */
static int same_slices(const mfft_layout *from, const mfft_layout *to, int rank, int axis) {
  if (axis == MFFT_CUT_BATCH) return 1;
  for (int peer = 0; peer < from->ranks; peer++) {
    const mfft_box *pair[2][2] = {{&from->box[rank], &to->box[peer]}, {&from->box[peer], &to->box[rank]}};
    for (int way = 0; way < 2; way++) {
      mfft_box part = mfft_box_intersect(pair[way][0], pair[way][1]);
      if (!mfft_box_empty(&part) &&
          (pair[way][0]->lo[axis] != pair[way][1]->lo[axis] || pair[way][0]->hi[axis] != pair[way][1]->hi[axis]))
        return 0;
    }
  }
  return 1;
}

/* Whether the transform of a stop can run chunk by chunk of an exchange that is cut along `axis`. */
static int follows(const mfft_stop *s, int axis) {
  int touched = axis != MFFT_CUT_BATCH && s->node->axes >> axis & 1;
  return s->node->axes && !touched && !s->node->twiddle;
}

static int follows_before(const mfft_stop *a, const mfft_stop *b, int rank, const mfft_cut *cut) {
  const int narrows = a->narrows && !a->node->axes; /* any part */
  return (narrows || follows(a, cut->axis)) && (!cut->target || same_slices(a->after, b->before, rank, cut->axis));
}

static int follows_behind(const mfft_stop *a, const mfft_stop *b, int rank, const mfft_cut *cut) {
  const int widens = a->narrows && !b->node->axes;
  if (cut->early) return widens || follows(b, cut->late_axis);
  return (widens || follows(b, cut->axis)) && (cut->target || same_slices(a->after, b->before, rank, cut->axis));
}

void mfft_follow_cut(mfft_stop *a, const mfft_stop *b, int rank) {
  a->cut_before = follows_before(a, b, rank, &a->cut);
  a->cut_behind = follows_behind(a, b, rank, &a->cut);
}

int mfft_cut_is_followed(const mfft_stop *a, const mfft_stop *b, int rank) { return follows_behind(a, b, rank, &a->cut); }

int mfft_stores_by_chunks(const mfft_emitter *e, const mfft_stop *a, const mfft_stop *b) {
  if (a->cut.target || a->cut.early) return 0;
  for (int rank = 0; rank < e->dist->ranks; rank++) {
    const int behind = e->plan->options.chunks || follows_behind(a, b, rank, &a->cut);
    if (!behind || !follows_before(a, b, rank, &a->cut)) return 0;
  }
  return 1;
}

mfft_route_spec mfft_stop_route(const mfft_emitter *e, const mfft_stop *a, const mfft_stop *b, int rank, mfft_cut cut) {
  return (mfft_route_spec){.from = a->after,
                           .to = b->before,
                           .rank = rank,
                           .batch = e->plan->desc.batch,
                           .element_bytes = mfft_stop_sent(a)->element_bytes,
                           .cut = cut,
                           .run_bytes = mfft_topology_run_bytes(&e->dist->topology),
                           .messages = e->dist->transport->messages,
                           .half_wire = e->plan->options.wire == MFFT_WIRE_HALF && !a->narrows,
                           .near = e->dist->transport->direct ? e->dist->topology.near : NULL};
}

/* Bytes that a rank has to pack and unpack with a cut. */
static mfft_status copied_bytes(const mfft_emitter *e, const mfft_stop *a, const mfft_stop *b, int rank, mfft_cut cut,
                                int64_t *bytes) {
  mfft_route_spec spec = mfft_stop_route(e, a, b, rank, cut);
  mfft_route route;
  MFFT_TRY(mfft_route_build(&spec, &route));
  *bytes = route.send_bytes + route.recv_bytes;
  mfft_route_free(&route);
  return MFFT_SUCCESS;
}

static int most_chunks(const mfft_emitter *e, const mfft_stop *a, int most_on_device) {
  if (e->plan->options.chunks) return e->plan->options.chunks;
  if (e->dist->transport->messages && !e->dist->transport->direct && !e->areas_beside) return 1;
  double bytes = (double)mfft_layout_largest(a->after) * (double)e->plan->desc.batch *
                 (double)mfft_element_bytes(e->plan->desc.precision, a->real_after);
  return mfft_topology_chunks(&e->dist->topology, bytes, most_on_device);
}

/* The most slices that any rank's box can be cut into. */
static int most_slices(const mfft_layout *layout, int axis, int chunks) {
  const int64_t longest = mfft_layout_longest(layout, axis);
  return longest < 1 ? 1 : longest < chunks ? (int)longest : chunks;
}

static int axes_of(const mfft_stop *s) {
  int count = 0;
  for (int axis = 0; axis < 3; axis++) count += s->node->axes >> axis & 1;
  return count;
}

/* The same, where what only narrows or widens is as long as one. */
static int work_of(const mfft_stop *s, int narrows) { return s->node->axes ? axes_of(s) : narrows; }

/* Whether there are a transform before and one behind that goes on with another exchange, which brings all back to where
 * this one takes it from: else the two are not joined (exchange_step.c). */
static int goes_on(const mfft_emitter *e, const mfft_stop *a, const mfft_stop *b) {
  return a->node->axes && b < &e->stop[e->count - 1] && mfft_layout_equal(a->after, b[1].before);
}

/* The overlap split where the options leave it to the plan; 0: one axis is cut.  The early part is to the rest as the
 * transform before the exchange is to the one behind it, in axes: then the links carry the early part while the first runs,
 * and the rest while the second does.  The rule is for devices whose copies are direct and at full width, where it was
 * measured.  In 16 bits one axis is faster.
 *
 * Where the transform behind feeds another exchange, the links are busy with that one while it runs: the rest has to overlap
 * its first slice alone. */
static int choose_split(const mfft_emitter *e, const mfft_stop *a, const mfft_stop *b) {
  const struct mfft_dist *dist = e->dist;
  const int before = work_of(a, a->narrows), both = before + work_of(b, a->narrows);
  const int asked = e->plan->options.overlap_split;
  if (asked) return asked > 0 ? asked : 0;
  if (dist->topology.host_memory || !dist->transport->direct || dist->transport->stores) return 0;
  if ((e->plan->options.wire == MFFT_WIRE_HALF && !a->narrows) || mfft_real_bytes(e->plan->desc.precision) == 2) return 0;
  if (dist->topology.node_ranks < dist->ranks || !both) return 0;
  return goes_on(e, a, b) ? MFFT_SPLIT_PARTS - 1 : (MFFT_SPLIT_PARTS * before + both / 2) / both;
}

/* Of so many chunks, those that are early.  Two in three where the transform before is the longer one, half of them where it
 * is not: the first slice and the last are what nothing hides.  If the transform behind feeds another exchange, all chunks
 * but one are early; all but two when there are three or fewer, since one slice would be all of the transform before. */
static int early_of(const mfft_emitter *e, const mfft_stop *a, const mfft_stop *b, int chunks) {
  if (goes_on(e, a, b)) return chunks > 3 ? chunks - 1 : 2;
  return axes_of(a) > axes_of(b) ? (2 * chunks + 2) / 3 : chunks / 2;
}

/* Cuts along two axes, the slowest ones that serve, where the transforms before and behind can follow one each.  Axes of
 * fewer slices have fewer chunks; of an axis that is shorter than one part all would be late. */
static void cut_along_two(const mfft_emitter *e, int split, int chunks, mfft_stop *a, const mfft_stop *b) {
  const int early = early_of(e, a, b, chunks), late = chunks > early ? chunks - early : 1;
  for (int axis = 0; axis < 3; axis++)
    for (int late_axis = 0; late_axis < 3; late_axis++) {
      mfft_cut cut = {.axis = axis, .late_axis = late_axis, .split = split};
      cut.early = most_slices(a->after, axis, early);
      cut.chunks = cut.early + most_slices(b->before, late_axis, late);
      if (axis == late_axis || !follows_before(a, b, 0, &cut) || !follows_behind(a, b, 0, &cut)) continue;
      if (mfft_layout_longest(b->before, late_axis) * split < MFFT_SPLIT_PARTS) continue;
      a->cut = cut;
      return;
    }
}

/* What padding and segments may add. */
static int64_t slack(int64_t bytes) { return bytes / 16 + 4096; }

/* How to cut an exchange: so that the transforms before and behind it can follow its chunks, without shortening runs that
 * are sent unpacked, or where packing goes on beside the messages by as little of it as there is; along the slowest such
 * axis. All ranks look at the routes of rank 0, so that all answer alike. */
mfft_status mfft_choose_cut(const mfft_emitter *e, mfft_stop *a, const mfft_stop *b) {
  const mfft_cut whole = {.chunks = 1};
  const int hidden = e->areas_beside || (e->dist->transport->direct && !e->dist->topology.host_memory);
  int64_t least, copied;
  int best = 0, chunks = most_chunks(e, a, MFFT_DEVICE_CHUNKS);
  a->cut = whole;
  if (chunks <= 1) return MFFT_SUCCESS;
  MFFT_TRY(copied_bytes(e, a, b, 0, whole, &least));
  least += slack(least);
  for (int axis = MFFT_CUT_BATCH; axis >= 0; axis--)
    for (int target = 0; target < 2; target++) {
      mfft_cut cut = {.chunks = chunks, .axis = axis, .target = target};
      if (axis != MFFT_CUT_BATCH) cut.chunks = most_slices(target ? b->before : a->after, axis, chunks);
      /* What only narrows or widens can follow any cut, but the transform beside it may go on with another exchange. */
      int worth = (a->node->axes && follows_before(a, b, 0, &cut)) + (b->node->axes && follows_behind(a, b, 0, &cut));
      if (worth < best || worth == 0 || (axis == MFFT_CUT_BATCH && e->plan->desc.batch < chunks)) continue;
      MFFT_TRY(copied_bytes(e, a, b, 0, cut, &copied));
      if (hidden ? worth == best && copied > least : copied > least && !e->plan->options.chunks) continue;
      if (hidden) least = copied + slack(copied);
      best = worth;
      a->cut = cut;
    }
  const int split = best < 2 ? choose_split(e, a, b) : 0;
  if (split > 0) cut_along_two(e, split, most_chunks(e, a, MOST_CHUNKS_OF_TWO_AXES), a, b);
  return MFFT_SUCCESS;
}

int64_t mfft_largest_chunk(const mfft_emitter *e, const mfft_stop *s) {
  int64_t largest = 0;
  for (int c = 0; c < s->cut.chunks; c++) {
    const mfft_region slice = mfft_cut_before(&s->out.box, s->out.batch, &s->cut, c);
    const mfft_array chunk =
        mfft_array_of(e->plan->desc.precision, &slice.box, slice.batch_hi - slice.batch_lo, s->real_after, 0);
    if (mfft_array_bytes(&chunk) > largest) largest = mfft_array_bytes(&chunk);
  }
  return largest;
}
