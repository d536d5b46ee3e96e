// TEST
/* Boxes: parts, intersections, memory orders, the copy between two arrays, and sets of boxes that do not tile. */
#include "base/box.h"
#include "base/status.h"
#include "check.h"

static void parts(void) {
  for (int64_t n = 0; n < 30; n++)
    for (int64_t p = 1; p < 40; p++) {
      CHECK(mfft_part(n, 0, p) == 0 && mfft_part(n, p, p) == n, "n %d in %d parts", (int)n, (int)p);
      for (int64_t i = 0; i < p; i++)
        CHECK(mfft_part(n, i + 1, p) - mfft_part(n, i, p) <= n / p + 1, "part %d is too large", (int)i);
    }
  const int64_t huge = INT64_C(1) << 60;
  CHECK(mfft_part(huge, 1000, 2000) == huge / 2, "a product passed 2^63");
}

/* Of small boxes, empty ones and ones that touch among them, those meet whose intersection is not empty. */
static void meetings(void) {
  enum { BOXES = 27 * 2 };
  mfft_box box[BOXES];
  int count = 0, met = 0;
  for (int at = 0; at < 27; at++)
    for (int n = 0; n < 2; n++) {
      const int64_t lo[3] = {at / 9, at / 3 % 3, at % 3};
      box[count] = (mfft_box){{lo[0], lo[1], lo[2]}, {lo[0] + 1 + n, lo[1] + 1, lo[2] + 2 * n}, {0, 1, 2}};
      count++;
    }
  for (int a = 0; a < BOXES; a++)
    for (int b = 0; b < BOXES; b++) {
      const mfft_box both = mfft_box_intersect(&box[a], &box[b]);
      const int meet = mfft_boxes_meet(&box[a], &box[b]);
      CHECK(meet == !mfft_box_empty(&both), "boxes %d and %d", a, b);
      met += meet;
    }
  CHECK(met > 0 && met < BOXES * BOXES / 2, "%d of %d meet", met, BOXES * BOXES);
}

static void offsets(void) {
  mfft_box box = {{2, 3, 4}, {5, 7, 9}, {2, 0, 1}};
  int64_t expected = 0, i[3];
  for (i[2] = 4; i[2] < 9; i[2]++)
    for (i[0] = 2; i[0] < 5; i[0]++)
      for (i[1] = 3; i[1] < 7; i[1]++) CHECK(mfft_box_offset(&box, i) == expected++, "offset of %d", (int)expected);
  CHECK(expected == mfft_box_count(&box));
  mfft_box empty = {{2, 3, 4}, {2, 7, 9}, {0, 1, 2}};
  CHECK(mfft_box_empty(&empty) && mfft_box_count(&empty) == 0);
}

/* The block list entry against a loop over the part. */
static void copies(void) {
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int a = 0; a < 6; a++)
    for (int b = 0; b < 6; b++)
      for (int whole = 0; whole < 2; whole++) {
        mfft_box from = {{0, 1, 2}, {3, 5, 7}, {0}}, to = {{1, 0, 3}, {4, 4, 9}, {0}};
        if (whole) to = from;
        memcpy(from.order, orders[a], sizeof from.order);
        memcpy(to.order, orders[b], sizeof to.order);
        mfft_box part = mfft_box_intersect(&from, &to);
        enum { BATCH = 2 };
        int64_t in = mfft_box_count(&from), out = mfft_box_count(&to), copied = 0;
        int *source = malloc((size_t)(BATCH * in) * sizeof(int)), *target = malloc((size_t)(BATCH * out) * sizeof(int));
        for (int64_t i = 0; i < BATCH * in; i++) source[i] = (int)i;
        for (int64_t i = 0; i < BATCH * out; i++) target[i] = -1;
        mfft_block k = mfft_box_copy(&part, &from, &to, BATCH);
        for (int64_t p = 0; p < k.n[0]; p++)
          for (int64_t q = 0; q < k.n[1]; q++)
            for (int64_t r = 0; r < k.n[2]; r++)
              for (int64_t s = 0; s < k.n[3]; s++, copied++)
                target[k.out_offset + p * k.os[0] + q * k.os[1] + r * k.os[2] + s * k.os[3]] =
                    source[k.in_offset + p * k.is[0] + q * k.is[1] + r * k.is[2] + s * k.is[3]];
        CHECK(copied == BATCH * mfft_box_count(&part), "orders %d %d copy %d", a, b, (int)copied);
        if (whole && a == b) CHECK(k.n[3] == BATCH * in, "equal arrays must be one run, not %d", (int)k.n[3]);
        int64_t i[3];
        for (int64_t batch = 0; batch < BATCH; batch++)
          for (i[0] = part.lo[0]; i[0] < part.hi[0]; i[0]++)
            for (i[1] = part.lo[1]; i[1] < part.hi[1]; i[1]++)
              for (i[2] = part.lo[2]; i[2] < part.hi[2]; i[2]++)
                CHECK(target[batch * out + mfft_box_offset(&to, i)] == (int)(batch * in + mfft_box_offset(&from, i)),
                      "orders %d and %d", a, b);
        free(source);
        free(target);
      }
}

static void tilings(void) {
  const int64_t n[3] = {4, 4, 4};
  mfft_box boxes[3] = {
      {{0, 0, 0}, {2, 4, 4}, {0, 1, 2}}, {{2, 0, 0}, {4, 4, 4}, {0, 1, 2}}, {{9, 9, 9}, {9, 9, 9}, {0, 1, 2}}};
  CHECK_OK(mfft_boxes_tile(boxes, 3, n, "boxes"));
  boxes[1].lo[0] = 1;
  CHECK_FAILS(mfft_boxes_tile(boxes, 3, n, "boxes"), MFFT_ERR_ARG, "ranks 0 and 1 overlap at (1,0,0)");
  boxes[1].lo[0] = 3;
  CHECK_FAILS(mfft_boxes_tile(boxes, 3, n, "boxes"), MFFT_ERR_ARG, "leaves 16 of 64 elements");
  boxes[1].hi[0] = 5;
  CHECK_FAILS(mfft_boxes_tile(boxes, 3, n, "boxes"), MFFT_ERR_ARG, "covers [3,5) of axis 0");
  mfft_box twice = {{0, 0, 0}, {1, 1, 1}, {0, 0, 1}};
  CHECK_FAILS(mfft_box_check(&twice, "box"), MFFT_ERR_ARG, "once each");
  mfft_box zero = {{0, 0, 0}, {1, 1, 1}, {0, 0, 0}};
  CHECK_OK(mfft_box_check(&zero, "box"));
  CHECK(zero.order[0] == 0 && zero.order[1] == 1 && zero.order[2] == 2);
  mfft_box wild = {{INT64_MIN, 7, 0}, {INT64_MAX, 7, 4}, {2, 1, 0}}; /* empty, with differences that overflow */
  CHECK_OK(mfft_box_check(&wild, "box"));
  CHECK(mfft_box_empty(&wild) && wild.lo[0] == 0 && wild.hi[0] == 0 && wild.hi[2] == 0 && wild.order[0] == 2);
}

int main(void) {
  parts();
  meetings();
  offsets();
  copies();
  tilings();
  return test_end();
}
