/* reals.c: see reals.h. */
#include "local/reals.h"

#include "base/precision.h"
#include "local/host/stored.h"

/* Sorts the loops of the array in descending order of strides; loops of length 1, whose stride has no effect, come first. */
static void sort_loops(const mfft_reals *r, int order[4]) {
  for (int a = 0; a < 4; a++) {
    const int64_t distance = r->n[a] == 1 ? INT64_MAX : r->stride[a];
    int i = a;
    for (; i > 0; i--) {
      const int other = order[i - 1];
      if ((r->n[other] == 1 ? INT64_MAX : r->stride[other]) >= distance) break;
      order[i] = other;
    }
    order[i] = a;
  }
}

mfft_real_loops mfft_reals_loops(const mfft_reals *r) {
  mfft_real_loops loops;
  int order[4], last = MFFT_REAL_LOOPS - 1; /* [loop] */
  sort_loops(r, order);
  for (int i = 0; i < MFFT_REAL_LOOPS; i++) {
    loops.n[i] = 1;
    loops.stride[i] = 0;
  }
  loops.n[last] = r->components;
  loops.stride[last] = 1;
  for (int i = 3; i >= 0; i--) {
    const int64_t n = r->n[order[i]], stride = r->stride[order[i]] * r->components;
    if (n == 1) continue;
    if (loops.n[last] == 1)
      loops.stride[last] = stride;
    else if (stride != loops.n[last] * loops.stride[last])
      loops.stride[--last] = stride;
    loops.n[last] *= n;
  }
  return loops;
}

int64_t mfft_reals_count(const mfft_reals *r) { return r->n[0] * r->n[1] * r->n[2] * r->n[3] * r->components; }

int64_t mfft_real_loops_offset(const mfft_real_loops *loops, int64_t index) {
  int64_t offset = 0;
  for (int i = MFFT_REAL_LOOPS - 1; i >= 0; i--) {
    offset += index % loops->n[i] * loops->stride[i];
    index /= loops->n[i];
  }
  return offset;
}

void mfft_reals_indices(const mfft_reals *r, int64_t offset, int64_t indices[4]) {
  int order[4]; /* [loop] */
  sort_loops(r, order);
  offset /= r->components;
  for (int i = 0; i < 4; i++) {
    const int a = order[i];
    const int64_t index = r->n[a] == 1 ? 0 : offset / r->stride[a];
    offset -= index * (r->n[a] == 1 ? 0 : r->stride[a]);
    indices[a] = index + (a ? r->lo[a - 1] : 0);
  }
}

int64_t mfft_reals_row_count(const mfft_reals *r) {
  int64_t rows = 1;
  for (int i = 0; i < 4; i++) rows *= i == r->last + 1 ? 1 : r->n[i];
  return r->n[r->last + 1] ? rows : 0;
}

int64_t mfft_reals_row_offset(const mfft_reals *r, int64_t row) {
  int64_t offset = 0;
  for (int i = r->last; i >= 0; row /= r->n[i--]) offset += row % r->n[i] * r->stride[i];
  return offset;
}

int64_t mfft_reals_row_index(const mfft_reals_rows *w, int64_t row) {
  const mfft_reals *r = &w->reals;
  int64_t index = r->lo[r->last], weight = w->whole[r->last];
  for (int i = r->last; i >= 0; row /= r->n[i--]) {
    index += (row % r->n[i] + (i ? r->lo[i - 1] : 0)) * weight;
    if (i) weight *= w->whole[i - 1];
  }
  return index;
}

#define LOAD(precision, name, type, real)                                                                 \
  static void load_##name(const void *from, int64_t stride, int64_t count, double *value /* [count] */) { \
    const type *at = from;                                                                                \
    if (stride == 1)                                                                                      \
      for (int64_t i = 0; i < count; i++) value[i] = (double)mfft_##name##_load(at[i]);                   \
    else                                                                                                  \
      for (int64_t i = 0; i < count; i++) value[i] = (double)mfft_##name##_load(at[i * stride]);          \
  }
MFFT_STORED_TYPES(LOAD)

void mfft_reals_load(mfft_precision precision, const void *array, int64_t first, int64_t stride, int64_t count,
                     double *value) {
#define LOAD_ENTRY(precision, name, type, real) [precision] = load_##name,
  static void (*const load[])(const void *, int64_t, int64_t, double *) = {MFFT_STORED_TYPES(LOAD_ENTRY)};
  load[precision]((const char *)array + first * (int64_t)mfft_real_bytes(precision), stride, count, value);
}

#define STORE(precision, name, type, real)                                                                         \
  static void store_##name(void *array, int64_t first, int64_t count, const double *value, long double factor) {   \
    for (int64_t i = 0; i < count; i++) ((type *)array)[first + i] = mfft_##name##_store((real)factor * value[i]); \
  }
MFFT_STORED_TYPES(STORE)

void mfft_reals_store(mfft_precision precision, void *array, int64_t first, int64_t count, const double *value,
                      long double factor) {
#define ENTRY(precision, name, type, real) [precision] = store_##name,
  static void (*const store[])(void *, int64_t, int64_t, const double *, long double) = {MFFT_STORED_TYPES(ENTRY)};
  store[precision](array, first, count, value, factor);
}
