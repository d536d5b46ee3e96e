/* chunks.c: see chunks.h. */
#include "plan/chunks.h"

#include <stdlib.h>

#include "dist/box_index.h"

/* Whether two boxes that trade span the same range of an axis, or do not trade. */
static int same_range(const mfft_box *from, const mfft_box *to, int axis) {
  return (from->lo[axis] == to->lo[axis] && from->hi[axis] == to->hi[axis]) || !mfft_boxes_meet(from, to);
}

/* Whether every box that trades with those of `rank` spans the same range of an axis: then the chunks of both ends are the
 * same slices of the array. */
static int same_slices(const mfft_layout *from, const mfft_layout *to, int rank, int axis) {
  for (int peer = 0; axis != MFFT_CUT_BATCH && peer < from->ranks; peer++)
    if (!same_range(&from->box[rank], &to->box[peer], axis) || !same_range(&from->box[peer], &to->box[rank], axis)) return 0;
  return 1;
}

/* Whether the transform of a step can follow the chunks of an exchange that is divided along `axis`. */
static int follows(const mfft_step *s, int axis) {
  int touched = axis != MFFT_CUT_BATCH && s->path_step->axes >> axis & 1;
  return s->path_step->axes && !touched && !s->path_step->twiddle;
}

static int follows_before(const mfft_step *a, const mfft_step *b, int rank, const mfft_cut *cut) {
  const int narrows = a->narrows && !a->path_step->axes; /* a conversion follows every division */
  return (narrows || follows(a, cut->axis)) && (!cut->target || same_slices(a->after, b->before, rank, cut->axis));
}

static int follows_behind(const mfft_step *a, const mfft_step *b, int rank, const mfft_cut *cut) {
  const int widens = a->narrows && !b->path_step->axes;
  if (cut->early) return widens || follows(b, cut->late_axis);
  return (widens || follows(b, cut->axis)) && (cut->target || same_slices(a->after, b->before, rank, cut->axis));
}

void mfft_follow_cut(mfft_step *a, const mfft_step *b, int rank) {
  a->cut_before = follows_before(a, b, rank, &a->cut);
  a->cut_behind = follows_behind(a, b, rank, &a->cut);
}

int mfft_cut_is_followed(const mfft_step *a, const mfft_step *b, int rank) { return follows_behind(a, b, rank, &a->cut); }

int mfft_cut_is_slices(const mfft_step *a, const mfft_step *b, int rank) {
  return a->cut.chunks <= 1 || (!a->cut.early && same_slices(a->after, b->before, rank, a->cut.axis));
}

/* same_slices of all ranks. */
static int all_same_slices(const mfft_layout *from, const mfft_layout *to, int axis) {
  mfft_box_index index = {0};
  int same = 1, *peer = malloc((size_t)to->ranks * sizeof *peer); /* [peers] */
  const int indexed = peer && mfft_box_index_make(to, &index) == MFFT_SUCCESS;
  for (int rank = 0; axis != MFFT_CUT_BATCH && rank < from->ranks && same; rank++) {
    const int peers = indexed ? mfft_box_index_find(&index, &from->box[rank], peer) : 0;
    for (int i = 0; i < peers && same; i++) same = same_range(&from->box[rank], &to->box[peer[i]], axis);
    if (!indexed) same = same_slices(from, to, rank, axis); /* no memory: slower, and the same answer as on other ranks */
  }
  mfft_box_index_free(&index);
  free(peer);
  return same;
}

int mfft_stores_by_chunks(const mfft_emitter *e, const mfft_step *a, const mfft_step *b) {
  if (a->cut.target || a->cut.early) return 0;
  const int widens = a->narrows && !b->path_step->axes;
  if (!follows_before(a, b, e->dist->rank, &a->cut)) return 0; /* alike on all ranks where the source is cut */
  if (e->plan->options.chunks) return 1;
  return (widens || follows(b, a->cut.axis)) && all_same_slices(a->after, b->before, a->cut.axis);
}

/* On the host messages to other nodes are those that their transport would send alone: a message of one packed part takes a
 * fifth longer over TCP than the runs of the same part (docs/exchanges.md).  On devices packing overlaps the messages. */
static mfft_messages messages_of(const struct mfft_dist *dist) {
  const mfft_transport *transport = dist->transport;
  return transport->far && dist->topology.host_memory ? transport->far->messages : transport->messages;
}

mfft_route_spec mfft_step_route(const mfft_emitter *e, const mfft_step *a, const mfft_step *b, int rank, mfft_cut cut) {
  return (mfft_route_spec){.from = a->after,
                           .to = b->before,
                           .rank = rank,
                           .batch = e->plan->desc.batch,
                           .element_bytes = mfft_step_sent(a)->element_bytes,
                           .cut = cut,
                           .run_bytes = mfft_topology_run_bytes(&e->dist->topology),
                           .messages = messages_of(e->dist),
                           .half_wire = e->plan->options.wire == MFFT_WIRE_HALF && !a->narrows,
                           .near = e->dist->transport->direct ? e->dist->topology.near : NULL};
}

/* Bytes that rank 0 packs and unpacks with a given division; the same on all ranks. */
static mfft_status copied_bytes(const mfft_emitter *e, const mfft_step *a, const mfft_step *b, mfft_cut cut,
                                int64_t *bytes) {
  mfft_route_spec spec = mfft_step_route(e, a, b, 0, cut);
  if (spec.near) spec.near = e->dist->topology.near_first;
  spec.sizes_only = 1;
  mfft_route route;
  MFFT_TRY(mfft_route_build(&spec, &route));
  *bytes = route.send_bytes + route.recv_bytes;
  mfft_route_free(&route);
  return MFFT_SUCCESS;
}

static int most_chunks(const mfft_emitter *e, const mfft_step *a, int most_on_device) {
  if (e->plan->options.chunks) return e->plan->options.chunks;
  if (e->dist->transport->messages && !e->dist->transport->direct && !e->areas_beside) return 1;
  double bytes = (double)mfft_layout_largest(a->after) * (double)e->plan->desc.batch *
                 (double)mfft_element_bytes(e->plan->desc.precision, a->real_after);
  return mfft_topology_chunks(&e->dist->topology, bytes, most_on_device);
}

/* The most slices into which any rank's box can be divided, at most `chunks`. */
static int most_slices(const mfft_layout *layout, int axis, int chunks) {
  const int64_t longest = mfft_layout_longest(layout, axis);
  return longest < 1 ? 1 : longest < chunks ? (int)longest : chunks;
}

/* The axes of a step; a stage that only narrows or widens counts as one axis. */
static int work_of(const mfft_step *s, int narrows) { return s->path_step->axes ? mfft_step_axes(s) : narrows; }

/* Whether there is a transform before the exchange, and the one after it feeds another exchange that returns to the layout
 * this one starts from.  Only then are the two exchanges joined (exchange_step.c). */
static int feeds_return(const mfft_emitter *e, const mfft_step *a, const mfft_step *b) {
  return a->path_step->axes && b < &e->step[e->count - 1] && mfft_layout_equal(a->after, b[1].before);
}

/* The overlap split if the options leave it to the plan; 0: divide along one axis only.  The early part relates to the
 * rest as the transform before the exchange to the one after it, in numbers of axes: the links then carry the early part
 * during the first transform and the rest during the second.  The rule holds for direct copies between devices at full
 * width, where it was measured; 16-bit precisions are faster with one axis.
 *
 * If the transform after the exchange feeds another exchange, that one uses the links while the transform runs.  The rest
 * then has to overlap only its first slice. */
static int choose_split(const mfft_emitter *e, const mfft_step *a, const mfft_step *b) {
  const struct mfft_dist *dist = e->dist;
  const int before = work_of(a, a->narrows), both = before + work_of(b, a->narrows);
  const int asked = e->plan->options.overlap_split;
  if (asked) return asked > 0 ? asked : 0;
  if (dist->topology.host_memory || !dist->transport->direct || dist->transport->stores) return 0;
  if ((e->plan->options.wire == MFFT_WIRE_HALF && !a->narrows) || mfft_sixteen_bit(e->plan->desc.precision)) return 0;
  if (dist->topology.node_ranks < dist->ranks || !both) return 0;
  return feeds_return(e, a, b) ? MFFT_SPLIT_PARTS - 1 : (MFFT_SPLIT_PARTS * before + both / 2) / both;
}

/* How many of `chunks` chunks are early: two thirds if the transform before the exchange is the longer one, otherwise
 * half, since the first and the last slice are not overlapped.  If the transform after it feeds another exchange, all but
 * one are early; all but two if there are three or fewer, since a single slice would be all of the transform before. */
static int count_early(const mfft_emitter *e, const mfft_step *a, const mfft_step *b, int chunks) {
  if (feeds_return(e, a, b)) return chunks > 3 ? chunks - 1 : 2;
  return mfft_step_axes(a) > mfft_step_axes(b) ? (2 * chunks + 2) / 3 : chunks / 2;
}

/* Divides the exchange along the two slowest axes that the transforms before and after it can follow.  An axis of fewer
 * slices has fewer chunks; an axis shorter than one sixteenth would have late chunks only. */
static void cut_along_two(const mfft_emitter *e, int split, int chunks, mfft_step *a, const mfft_step *b) {
  const int early = count_early(e, a, b, chunks), late = chunks > early ? chunks - early : 1;
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

/* Bytes by which padding and segments may differ between divisions. */
static int64_t margin(int64_t bytes) { return bytes / 16 + 4096; }

/* With arrays on the host, an exchange that begins or ends the program is divided into slices of the caller's array, along
 * its slowest axis, so that it overlaps their copies: these take longer than any transform.  Returns whether it is one. */
static int cut_for_copies(const mfft_emitter *e, int chunks, mfft_step *a, const mfft_step *b) {
  const int begins = a == e->step && !a->path_step->axes, ends = b == &e->step[e->count - 1] && !b->path_step->axes;
  if (!e->plan->options.host_arrays || e->plan->desc.batch > 1 || (!begins && !ends)) return 0;
  const mfft_layout *callers = begins ? a->after : b->before;
  const int axis = callers->box[0].order[0]; /* the same on all ranks, of which others may have another order */
  a->cut = (mfft_cut){.chunks = most_slices(callers, axis, chunks), .axis = axis, .target = !begins};
  return 1;
}

/* A division along one axis, and how many of the transforms before and after the exchange can follow its chunks. */
typedef struct division {
  mfft_cut cut;
  int worth; /* 1 or 2 */
} division;

enum { MOST_DIVISIONS = 2 * (MFFT_CUT_BATCH + 1) };

/* The divisions that a transform can follow, those along the slowest axis last.  A conversion can follow any division, but
 * the transform next to it may feed another exchange. */
static int list_divisions(const mfft_emitter *e, const mfft_step *a, const mfft_step *b, int chunks,
                          division *list /* [MOST_DIVISIONS] */) {
  int count = 0;
  for (int axis = MFFT_CUT_BATCH; axis >= 0; axis--)
    for (int target = 0; target < 2; target++) {
      mfft_cut cut = {.chunks = chunks, .axis = axis, .target = target};
      if (axis == MFFT_CUT_BATCH && e->plan->desc.batch < chunks) continue;
      if (axis != MFFT_CUT_BATCH) cut.chunks = most_slices(target ? b->before : a->after, axis, chunks);
      const int worth =
          (a->path_step->axes && follows_before(a, b, 0, &cut)) + (b->path_step->axes && follows_behind(a, b, 0, &cut));
      if (worth) list[count++] = (division){cut, worth};
    }
  return count;
}

/* Where packing overlaps the messages, runs may be shortened: of equally good divisions the one with the least packing. */
static mfft_status choose_least_packed(const mfft_emitter *e, mfft_step *a, const mfft_step *b, const division *list,
                                       int count, int *best) {
  int64_t least = 0, copied;
  for (int i = 0; i < count; i++) {
    if (list[i].worth < *best) continue;
    MFFT_TRY(copied_bytes(e, a, b, list[i].cut, &copied));
    if (list[i].worth == *best && copied > least) continue;
    least = copied + margin(copied);
    *best = list[i].worth;
    a->cut = list[i].cut;
  }
  return MFFT_SUCCESS;
}

/* Where nothing overlaps packing, no division may shorten runs that are sent unpacked, unless the caller has named the
 * number of chunks: the best of the others, along the slowest axis.  A route of many ranks takes long, so the first that
 * will do is the last that is looked at. */
static mfft_status choose_unpacked(const mfft_emitter *e, mfft_step *a, const mfft_step *b, const division *list, int count,
                                   int *best) {
  const mfft_cut whole = {.chunks = 1};
  const int any = e->plan->options.chunks > 0;
  int64_t most = 0, copied = 0;
  if (count && !any) MFFT_TRY(copied_bytes(e, a, b, whole, &most));
  most += margin(most);
  for (int worth = 2; worth > 0 && !*best; worth--)
    for (int i = count - 1; i >= 0 && !*best; i--) {
      if (list[i].worth != worth) continue;
      if (!any) MFFT_TRY(copied_bytes(e, a, b, list[i].cut, &copied));
      if (copied > most) continue;
      *best = worth;
      a->cut = list[i].cut;
    }
  return MFFT_SUCCESS;
}

/* Chooses a division whose chunks the transforms before and after the exchange can follow, along the slowest such axis.  All
 * ranks evaluate the routes of rank 0 and thus choose alike. */
mfft_status mfft_choose_cut(const mfft_emitter *e, mfft_step *a, const mfft_step *b) {
  const int hidden = e->areas_beside || (e->dist->transport->direct && !e->dist->topology.host_memory);
  const int chunks = most_chunks(e, a, MFFT_DEVICE_CHUNKS);
  division list[MOST_DIVISIONS];
  int best = 0;
  a->cut = (mfft_cut){.chunks = 1};
  if (chunks <= 1 || cut_for_copies(e, chunks, a, b)) return MFFT_SUCCESS;
  const int count = list_divisions(e, a, b, chunks, list);
  MFFT_TRY((hidden ? choose_least_packed : choose_unpacked)(e, a, b, list, count, &best));
  const int split = best < 2 ? choose_split(e, a, b) : 0;
  if (split > 0) cut_along_two(e, split, most_chunks(e, a, MFFT_DEVICE_CHUNKS_OF_TWO_AXES), a, b);
  return MFFT_SUCCESS;
}

int64_t mfft_largest_chunk(const mfft_emitter *e, const mfft_step *s) {
  int64_t largest = 0;
  for (int c = 0; c < s->cut.chunks; c++) {
    const mfft_region slice = mfft_cut_before(&s->out.box, s->out.batch, &s->cut, c);
    const mfft_array chunk =
        mfft_array_of(e->plan->desc.precision, &slice.box, slice.batch_hi - slice.batch_lo, s->real_after, 0);
    if (mfft_array_bytes(&chunk) > largest) largest = mfft_array_bytes(&chunk);
  }
  return largest;
}
