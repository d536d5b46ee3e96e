/* scale.c: see scale.h. */
#include "particles/scale.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "particles/device.h"

enum { CHUNKS = 64, SUM_BITS = 21, TOTAL_BITS = 62, WEIGHT_BITS = 50 };

/* One sweep over the weights of a field, in chunks for the threads. */
typedef struct sweep {
  const mfft_particle_field *field;
  int64_t count;
  double unit[2];         /* of the second sweep: 2^(21 - e) as two factors */
  double largest[CHUNKS]; /* [chunk] */
  int64_t total[CHUNKS];  /* [chunk] */
} sweep;

static mfft_status refuse_weight(int64_t i, double weight) {
  return mfft_fail(MFFT_ERR_NONFINITE, "the weight of particle %" PRId64 " is %g; give a finite number", i, weight);
}

static mfft_status find_largest(void *context, int64_t chunk, int worker) {
  sweep *s = context;
  const int64_t end = mfft_part(s->count, chunk + 1, CHUNKS);
  double largest = 0;
  (void)worker;
  for (int64_t i = mfft_part(s->count, chunk, CHUNKS); i < end; i++) {
    const double w = fabs(mfft_pm_value(s->field, i));
    if (!(w <= 0x1.fffffffffffffp1023)) return refuse_weight(i, mfft_pm_value(s->field, i));
    if (w > largest) largest = w;
  }
  s->largest[chunk] = largest;
  return MFFT_SUCCESS;
}

static mfft_status find_total(void *context, int64_t chunk, int worker) {
  sweep *s = context;
  const int64_t end = mfft_part(s->count, chunk + 1, CHUNKS);
  int64_t total = 0;
  (void)worker;
  for (int64_t i = mfft_part(s->count, chunk, CHUNKS); i < end; i++) {
    const double w = fabs(mfft_pm_value(s->field, i)) * s->unit[0] * s->unit[1];
    const int64_t below = (int64_t)w;
    total += below + ((double)below < w);
  }
  s->total[chunk] = total;
  return MFFT_SUCCESS;
}

/* Writes 2^e as two factors, since 2^e itself may overflow. */
static void split_power(int e, double factor[2]) {
  factor[0] = ldexp(1, e / 2);
  factor[1] = ldexp(1, e - e / 2);
}

static mfft_status largest_on_device(mfft_particle_mesh mesh, const sweep *s, double *largest) {
  int64_t bad = -1;
  double weight = 0;
  MFFT_TRY(mfft_pm_device_largest(mesh, s->field, s->count, largest, &bad, &weight));
  return bad < 0 ? MFFT_SUCCESS : refuse_weight(bad, weight);
}

/* Computes the largest magnitude of the weights of each field on this rank. */
static mfft_status largest_of(mfft_particle_mesh mesh, sweep *s, double *largest) {
  *largest = s->field->value ? 0 : (double)(s->count > 0);
  if (!s->field->value || !s->count) return MFFT_SUCCESS;
  if (mesh->calls) return largest_on_device(mesh, s, largest);
  MFFT_TRY(mfft_pm_run(mesh->workers, CHUNKS, find_largest, s));
  for (int c = 0; c < CHUNKS; c++) *largest = fmax(*largest, s->largest[c]);
  return MFFT_SUCCESS;
}

/* The exponent e of scale.h. */
static int exponent_of(double largest) {
  int e = 0;
  (void)frexp(largest, &e);
  return e;
}

/* A weight as an integer, by the rounding of deposits. */
static int64_t integer_of(double weight, const double to[2]) {
  const double rounder = MFFT_SHARE_ROUNDER, sum = weight * to[0] * to[1] + rounder;
  return (int64_t)(sum - rounder);
}

static mfft_status find_integers(void *context, int64_t chunk, int worker) {
  sweep *s = context;
  uint64_t total = 0;
  (void)worker;
  for (int64_t i = mfft_part(s->count, chunk, CHUNKS); i < mfft_part(s->count, chunk + 1, CHUNKS); i++)
    total += (uint64_t)integer_of(mfft_pm_value(s->field, i), s->unit);
  s->total[chunk] = (int64_t)total;
  return MFFT_SUCCESS;
}

static mfft_status integers_of(mfft_particle_mesh mesh, sweep *s, int64_t *total) {
  if (!s->field->value) {
    *total = (int64_t)((uint64_t)s->count * (uint64_t)integer_of(1, s->unit));
    return MFFT_SUCCESS;
  }
  *total = 0;
  if (!s->count) return MFFT_SUCCESS;
  if (mesh->calls) return mfft_pm_device_integers(mesh, s->field, s->count, s->unit, total);
  MFFT_TRY(mfft_pm_run(mesh->workers, CHUNKS, find_integers, s));
  for (int c = 0; c < CHUNKS; c++) *total = (int64_t)((uint64_t)*total + (uint64_t)s->total[c]);
  return MFFT_SUCCESS;
}

mfft_status mfft_pm_scale_total(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_particle_field *field,
                                const mfft_pm_scale *scale, int64_t *total) {
  sweep s = {.field = field, .count = particles->count, .unit = {scale->to[0], scale->to[1]}};
  return mfft_pm_total(mesh, integers_of(mesh, &s, total), total, 1);
}

/* This rank's part of the sum q of scale.h. */
static mfft_status total_of(mfft_particle_mesh mesh, sweep *s, double largest, int64_t *total) {
  *total = s->field->value ? 0 : s->count << (SUM_BITS - 1); /* without an array all weights are 1, and e = 1 */
  if (!s->field->value || !s->count) return MFFT_SUCCESS;
  split_power(SUM_BITS - exponent_of(largest), s->unit);
  if (mesh->calls) return mfft_pm_device_magnitudes(mesh, s->field, s->count, s->unit, total);
  MFFT_TRY(mfft_pm_run(mesh->workers, CHUNKS, find_total, s));
  for (int c = 0; c < CHUNKS; c++) *total += s->total[c];
  return MFFT_SUCCESS;
}

static mfft_pm_scale scale_of(double largest, int64_t total) {
  mfft_pm_scale scale = {{1, 1}, {1, 1}};
  if (!(largest > 0)) return scale;
  const int e = exponent_of(largest), bits = exponent_of((double)total);
  const int by_total = TOTAL_BITS - bits + SUM_BITS - e, by_weight = WEIGHT_BITS - e;
  const int s = by_total < by_weight ? by_total : by_weight;
  split_power(s, scale.to);
  split_power(-s, scale.from);
  return scale;
}

mfft_status mfft_pm_scale_find(mfft_particle_mesh mesh, mfft_status mine, const mfft_particles *particles,
                               const mfft_particle_field *field, int fields, mfft_pm_scale *scale) {
  double largest[MFFT_PM_MOST_FIELDS];
  int64_t total[MFFT_PM_MOST_FIELDS];
  mfft_status status = mine;
  sweep *s = malloc(sizeof *s);
  if (!s) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for a sweep over the weights");
  for (int f = 0; f < fields && status == MFFT_SUCCESS; f++) {
    *s = (sweep){.field = &field[f], .count = particles->count};
    status = largest_of(mesh, s, &largest[f]);
  }
  status = mfft_pm_largest(mesh, status, largest, fields);
  if (status != MFFT_SUCCESS) {
    free(s);
    return status;
  }
  for (int f = 0; f < fields && status == MFFT_SUCCESS; f++) {
    *s = (sweep){.field = &field[f], .count = particles->count};
    status = total_of(mesh, s, largest[f], &total[f]);
  }
  free(s);
  status = mfft_pm_total(mesh, status, total, fields);
  for (int f = 0; f < fields && status == MFFT_SUCCESS; f++) scale[f] = scale_of(largest[f], total[f]);
  return status;
}
