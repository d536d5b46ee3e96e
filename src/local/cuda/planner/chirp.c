/* chirp.c: see chirp.h. */
#include "local/cuda/planner/chirp.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "local/cuda/planner/wide_transform.h"

/* j^2 modulo 2 n, for j = 0, 1, 2 ...: the next one, without a product that might overflow. */
static int64_t next_square(int64_t square, int64_t j, int64_t n) { return (square + 2 * j + 1) % (2 * n); }

static mfft_status no_memory(int64_t bytes, int64_t n) {
  return mfft_fail(MFFT_ERR_MEMORY,
                   "cuda: no memory of the host for the spectrum of a chirp, %lld bytes for a length of %lld",
                   (long long)bytes, (long long)n);
}

static mfft_status table_chirp(const mfft_kernel *kernel, int64_t n, mfft_table *table) {
  mfft_wide_roots roots;
  MFFT_TRY(mfft_table_make(kernel, n, table));
  if (mfft_wide_roots_make(2 * n, kernel->sign, &roots)) return no_memory((int64_t)sizeof(mfft_wide), n);
  for (int64_t j = 0, square = 0; j < n; square = next_square(square, j++, n)) {
    const mfft_wide root = mfft_wide_root(&roots, square);
    mfft_table_put_number(kernel, table, j, root.re, root.im);
  }
  mfft_wide_roots_free(&roots);
  return MFFT_SUCCESS;
}

/* The conjugate chirp at j and -j, and zeros between.  Returns 1 if there is no memory. */
static int fill(const mfft_bluestein_line *line, mfft_wide *x) {
  mfft_wide_roots roots;
  if (mfft_wide_roots_make(2 * line->n, -line->sign, &roots)) return 1;
  for (int64_t j = line->n; j <= line->m - line->n; j++) x[j] = (mfft_wide){0, 0};
  for (int64_t j = 0, square = 0; j < line->n; square = next_square(square, j++, line->n))
    x[j] = x[j ? line->m - j : 0] = mfft_wide_root(&roots, square);
  mfft_wide_roots_free(&roots);
  return 0;
}

static mfft_status compute_spectrum(const mfft_kernel *kernel, const mfft_bluestein_line *line, mfft_table *table) {
  const int64_t m = line->m;
  mfft_status status = MFFT_SUCCESS;
  mfft_wide *x = malloc((size_t)m * sizeof *x), *y = malloc((size_t)m * sizeof *y); /* [m] each */
  if (!x || !y || fill(line, x) || mfft_wide_transform_even(m, line->sign, x, y))
    MFFT_GOTO(done, no_memory(2 * m * (int64_t)sizeof *x, line->n));
  MFFT_GOTO(done, mfft_table_make(kernel, m, table));
  for (int64_t k = 0; k < m; k++)
    mfft_table_put_number(kernel, table, k, y[k].re / (long double)m, y[k].im / (long double)m);
done:
  free(x);
  free(y);
  return status;
}

/* A copy of the last spectrum: the spectrum for the other direction of the same plan is its conjugate. */
enum { SHARED_BYTES = 1 << 26 };
static struct {
  pthread_mutex_t lock;
  mfft_bluestein_line line;
  int is_double;
  mfft_table table; /* data NULL: none */
} last = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void conjugate(mfft_table *table, int in_double) {
  const int64_t count = (int64_t)(table->bytes / (in_double ? sizeof(double) : sizeof(float)));
  for (int64_t i = 1; i < count; i += 2)
    if (in_double)
      ((double *)table->data)[i] = -((double *)table->data)[i];
    else
      ((float *)table->data)[i] = -((float *)table->data)[i];
}

/* Moves the last spectrum to the table if it is the conjugate of that of the line; 1: it was. */
static int take_last(const mfft_kernel *kernel, const mfft_bluestein_line *line, mfft_table *table) {
  const int in_double = is_double(kernel->precision);
  pthread_mutex_lock(&last.lock);
  const int found = last.table.data && last.is_double == in_double && last.line.n == line->n && last.line.m == line->m &&
                    last.line.sign == -line->sign;
  if (found) *table = last.table, last.table = (mfft_table){.data = NULL};
  pthread_mutex_unlock(&last.lock);
  if (found) conjugate(table, in_double);
  return found;
}

/* Keeps a copy of the spectrum; without memory for it, the other direction computes its own. */
static void leave_last(const mfft_kernel *kernel, const mfft_bluestein_line *line, const mfft_table *table) {
  void *copy = table->bytes <= SHARED_BYTES ? malloc(table->bytes) : NULL;
  if (!copy) return;
  memcpy(copy, table->data, table->bytes);
  pthread_mutex_lock(&last.lock);
  free(last.table.data);
  last.line = *line;
  last.is_double = is_double(kernel->precision);
  last.table = (mfft_table){.data = copy, .bytes = table->bytes};
  pthread_mutex_unlock(&last.lock);
}

static mfft_status table_spectrum(const mfft_kernel *kernel, const mfft_bluestein_line *line, mfft_table *table) {
  if (take_last(kernel, line, table)) return MFFT_SUCCESS;
  MFFT_TRY(compute_spectrum(kernel, line, table));
  leave_last(kernel, line, table);
  return MFFT_SUCCESS;
}

mfft_status mfft_table_bluestein(mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  const int steps = pass->kernel.bluestein.steps, ends = MFFT_BLUESTEIN_LOAD | MFFT_BLUESTEIN_STORE;
  mfft_kernel kernel = pass->kernel;
  kernel.sign = pass->bluestein.sign;
  if (steps & ends) MFFT_TRY(table_chirp(&kernel, pass->bluestein.n, &table[MFFT_TABLE_CHIRP]));
  if (steps & MFFT_BLUESTEIN_SPECTRUM) MFFT_TRY(table_spectrum(&kernel, &pass->bluestein, &table[MFFT_TABLE_SPECTRUM]));
  return MFFT_SUCCESS;
}
