/* filter_tables.c: see filter_tables.h. */
#include "plan/filter_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "mfft_spectrum.h"

/* The exponent of the smallest power of two above all absolute values of a table, and at least `so_far`. */
static int exponent_of(const double *table, int64_t n, int so_far) {
  double largest = 0;
  int exponent = so_far;
  for (int64_t i = 0; table && i < n; i++) largest = fmax(largest, fabs(table[i]));
  if (largest > 0) frexp(largest, &exponent);
  return exponent > so_far ? exponent : so_far;
}

/* Writes the table of one axis, scaled by 2^-exponent.  half: 0 for factors, 1 for divisors; instead: the value if there is
 * no table. */
static void write_table(mfft_filter_tables *t, int axis, int half, const double *table, double instead, int exponent) {
  double *pairs = (double *)t->image + MFFT_FILTER_HEAD;
  int64_t at = half;
  for (int a = 0; a < axis; a++) at += 2 * t->length[a];
  for (int64_t i = 0; i < t->length[axis]; i++, at += 2) {
    double value = table ? ldexp(table[i], -exponent) : instead;
    if (t->doubles)
      pairs[at] = value;
    else
      ((float *)pairs)[at] = (float)value;
  }
}

void mfft_filter_tables_write(mfft_filter_tables *t, const mfft_filter *given) {
  static const mfft_filter unity = {.struct_size = sizeof unity, .scale = 1};
  const mfft_filter *filter = given ? given : &unity;
  int divides = filter->divisor[0] || filter->divisor[1] || filter->divisor[2], below = -4096, above[3], power = 0;
  for (int a = 0; a < 3; a++) {
    above[a] = exponent_of(filter->factor[a], t->length[a], -4096);
    if (above[a] == -4096) above[a] = 0;
    power += above[a];
    below = exponent_of(filter->divisor[a], t->length[a], below);
  }
  if (below == -4096) below = 0;
  for (int a = 0; a < 3; a++) {
    write_table(t, a, 0, filter->factor[a], 1, above[a]);
    write_table(t, a, 1, filter->divisor[a], divides || a ? 0 : 1, below);
  }
  double *head = t->image;
  memset(head, 0, MFFT_FILTER_HEAD * sizeof *head);
  head[MFFT_FILTER_SCALE] = ldexp(filter->quarter_turns & 2 ? -filter->scale : filter->scale, power - below);
  head[MFFT_FILTER_SINGULAR] = ldexp(filter->singular, below - power);
  head[MFFT_FILTER_ODD] = filter->quarter_turns & 1;
}

mfft_status mfft_filter_tables_make(const mfft_backend *backend, mfft_filter_tables *t) {
  const size_t pairs = (size_t)(t->length[0] + t->length[1] + t->length[2]);
  t->bytes = MFFT_FILTER_HEAD * sizeof(double) + 2 * pairs * (t->doubles ? sizeof(double) : sizeof(float));
  t->image = malloc(t->bytes);
  if (!t->image) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the tables of a filter, %zu bytes", t->bytes);
  mfft_filter_tables_write(t, NULL);
  t->tables = t->image;
  if (backend->host_memory) return MFFT_SUCCESS;
  t->tables = NULL;
  if (!backend->upload) return MFFT_SUCCESS; /* a plan-only backend, whose plans do not run */
  MFFT_TRY(backend->alloc(t->bytes, &t->tables));
  return backend->upload(t->tables, t->image, t->bytes);
}

void mfft_filter_tables_free(const mfft_backend *backend, mfft_filter_tables *t) {
  if (t->tables && t->tables != t->image) backend->free(t->tables);
  free(t->image);
}
