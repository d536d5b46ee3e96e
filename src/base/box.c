/* box.c: geometry of boxes. */
#include "base/box.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

mfft_box mfft_box_whole(const int64_t n[3]) {
  mfft_box box = {{0, 0, 0}, {n[0], n[1], n[2]}, {0, 1, 2}};
  return box;
}

int64_t mfft_part(int64_t n, int64_t p, int64_t parts) {
  /* The product is split, since p*n overflows for n near 2^63. */
  return n / parts * p + n % parts * p / parts;
}

int64_t mfft_box_extent(const mfft_box *box, int axis) { return mfft_box_empty(box) ? 0 : box->hi[axis] - box->lo[axis]; }

int mfft_box_empty(const mfft_box *box) {
  return box->hi[0] <= box->lo[0] || box->hi[1] <= box->lo[1] || box->hi[2] <= box->lo[2];
}

int64_t mfft_box_count(const mfft_box *box) {
  return mfft_box_empty(box) ? 0 : (box->hi[0] - box->lo[0]) * (box->hi[1] - box->lo[1]) * (box->hi[2] - box->lo[2]);
}

int mfft_box_equal(const mfft_box *a, const mfft_box *b) {
  if (mfft_box_empty(a) || mfft_box_empty(b)) return mfft_box_empty(a) && mfft_box_empty(b);
  int64_t sa[3], sb[3]; /* [axis] */
  mfft_box_strides(a, sa);
  mfft_box_strides(b, sb);
  for (int axis = 0; axis < 3; axis++) {
    if (a->lo[axis] != b->lo[axis] || a->hi[axis] != b->hi[axis]) return 0;
    /* The stride of an axis of length 1 has no effect. */
    if (sa[axis] != sb[axis] && mfft_box_extent(a, axis) > 1) return 0;
  }
  return 1;
}

mfft_box mfft_box_intersect(const mfft_box *a, const mfft_box *b) {
  mfft_box both = *a;
  for (int axis = 0; axis < 3; axis++) {
    if (b->lo[axis] > both.lo[axis]) both.lo[axis] = b->lo[axis];
    if (b->hi[axis] < both.hi[axis]) both.hi[axis] = b->hi[axis];
  }
  return both;
}

int mfft_boxes_meet(const mfft_box *a, const mfft_box *b) {
  for (int axis = 0; axis < 3; axis++) {
    const int64_t lo = a->lo[axis] > b->lo[axis] ? a->lo[axis] : b->lo[axis];
    if (lo >= a->hi[axis] || lo >= b->hi[axis]) return 0;
  }
  return 1;
}

mfft_box mfft_box_padded(const mfft_box *box, int axis) {
  mfft_box padded = *box;
  padded.hi[axis] = box->lo[axis] + 2 * (mfft_box_extent(box, axis) / 2 + 1);
  return padded;
}

void mfft_box_strides(const mfft_box *box, int64_t stride[3]) {
  int64_t step = 1;
  for (int level = 2; level >= 0; level--) {
    stride[box->order[level]] = step;
    step *= mfft_box_extent(box, box->order[level]);
  }
}

int64_t mfft_box_offset(const mfft_box *box, const int64_t i[3]) {
  int64_t stride[3], offset = 0; /* [axis] */
  mfft_box_strides(box, stride);
  for (int axis = 0; axis < 3; axis++) offset += (i[axis] - box->lo[axis]) * stride[axis];
  return offset;
}

mfft_block mfft_box_copy(const mfft_box *part, const mfft_box *from, const mfft_box *to, int64_t batch) {
  int64_t is[3], os[3]; /* [axis] */
  mfft_box_strides(from, is);
  mfft_box_strides(to, os);

  mfft_block block = {.in_offset = mfft_box_offset(from, part->lo), .out_offset = mfft_box_offset(to, part->lo)};
  block.n[0] = batch;
  block.is[0] = mfft_box_count(from);
  block.os[0] = mfft_box_count(to);
  for (int level = 0; level < 3; level++) {
    int axis = to->order[level];
    block.n[level + 1] = mfft_box_extent(part, axis);
    block.is[level + 1] = is[axis];
    block.os[level + 1] = os[axis];
  }

  /* Merge a loop into the next inner one if a single stride steps through both in the input and in the output. */
  int64_t n[4] = {1, 1, 1, 1}, mis[4] = {0}, mos[4] = {0}; /* [loop] slow to fast */
  int at = 4;
  for (int d = 3; d >= 0; d--) {
    if (block.n[d] == 1) continue;
    if (at < 4 && block.is[d] == mis[at] * n[at] && block.os[d] == mos[at] * n[at]) {
      n[at] *= block.n[d];
    } else {
      at--;
      n[at] = block.n[d];
      mis[at] = block.is[d];
      mos[at] = block.os[d];
    }
  }
  memcpy(block.n, n, sizeof n);
  memcpy(block.is, mis, sizeof mis);
  memcpy(block.os, mos, sizeof mos);
  if (block.n[3] == 1) block.is[3] = block.os[3] = 1;
  return block;
}

mfft_status mfft_box_check(mfft_box *box, const char *what) {
  int *order = box->order;
  if (order[0] == 0 && order[1] == 0 && order[2] == 0) {
    order[1] = 1;
    order[2] = 2;
  }
  int seen = 0;
  for (int level = 0; level < 3; level++)
    if (order[level] >= 0 && order[level] < 3) seen |= 1 << order[level];
  if (seen != 7)
    return mfft_fail(MFFT_ERR_ARG, "%s.order is {%d,%d,%d}; it must name the axes 0, 1 and 2 once each", what, order[0],
                     order[1], order[2]);
  if (mfft_box_empty(box)) memset(box->lo, 0, sizeof box->lo), memset(box->hi, 0, sizeof box->hi);
  return MFFT_SUCCESS;
}

mfft_status mfft_box_check_count(const mfft_box *box, int64_t most, const char *what) {
  int64_t count = 1, n = 0;
  for (int axis = 0; axis < 3 && !mfft_box_empty(box); axis++)
    if (__builtin_sub_overflow(box->hi[axis], box->lo[axis], &n) || __builtin_mul_overflow(count, n, &count) || count > most)
      return mfft_fail(MFFT_ERR_ARG,
                       "%s holds more than %" PRId64 " elements: axis %d goes from %" PRId64 " to %" PRId64
                       "; use smaller boxes",
                       what, most, axis, box->lo[axis], box->hi[axis]);
  return MFFT_SUCCESS;
}

typedef struct span {
  const mfft_box *box;
  int rank;
} span;

static int by_first_plane(const void *left, const void *right) {
  int64_t l = ((const span *)left)->box->lo[0], r = ((const span *)right)->box->lo[0];
  return (l > r) - (l < r);
}

mfft_status mfft_boxes_tile(const mfft_box *boxes, int count, const int64_t n[3], const char *what) {
  mfft_status status = MFFT_SUCCESS;
  int64_t held = 0, total = n[0] * n[1] * n[2];
  span *spans = malloc((size_t)count * sizeof *spans); /* [count] non-empty boxes, by first plane */
  if (!spans) return mfft_fail(MFFT_ERR_MEMORY, "no memory to check %d boxes", count);

  int used = 0;
  for (int rank = 0; rank < count; rank++) {
    const mfft_box *b = &boxes[rank];
    if (mfft_box_empty(b)) continue;
    for (int axis = 0; axis < 3; axis++)
      if (b->lo[axis] < 0 || b->hi[axis] > n[axis]) {
        status = mfft_fail(MFFT_ERR_ARG,
                           "%s of rank %d covers [%" PRId64 ",%" PRId64 ") of axis %d, which has only [0,%" PRId64 ")", what,
                           rank, b->lo[axis], b->hi[axis], axis, n[axis]);
        goto done;
      }
    held += mfft_box_count(b);
    spans[used++] = (span){b, rank};
  }

  /* Sweep along axis 0: a box can overlap only boxes that begin before it ends. */
  qsort(spans, (size_t)used, sizeof *spans, by_first_plane);
  for (int i = 0; i < used; i++)
    for (int j = i + 1; j < used && spans[j].box->lo[0] < spans[i].box->hi[0]; j++) {
      mfft_box meet = mfft_box_intersect(spans[i].box, spans[j].box);
      if (mfft_box_empty(&meet)) continue;
      status = mfft_fail(MFFT_ERR_ARG,
                         "%s of ranks %d and %d overlap at (%" PRId64 ",%" PRId64 ",%" PRId64 "); boxes must tile the array",
                         what, spans[i].rank, spans[j].rank, meet.lo[0], meet.lo[1], meet.lo[2]);
      goto done;
    }
  if (held != total)
    status = mfft_fail(MFFT_ERR_ARG, "%s leaves %" PRId64 " of %" PRId64 " elements to no rank; boxes must tile the array",
                       what, total - held, total);
done:
  free(spans);
  return status;
}
