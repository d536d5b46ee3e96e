#include "bench_truth.h"

#include <fftw3.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "report.h"
#include "rows.h"

enum { IMPULSES = 3 };

/* ---- The truth from FFTW ---------------------------------------------------------------------------------------------- */

/* FFTW's forward transform of packed data in double. */
static int transform_double(const mfft_desc *desc, const int *n, int64_t in_count, double *in /* [in_count] */,
                            int64_t out_count, double *out /* [out_count] */) {
  (void)in_count, (void)out_count;
  fftw_plan plan = desc->kind == MFFT_R2C
                       ? fftw_plan_dft_r2c(desc->rank, n, in, (fftw_complex *)out, FFTW_ESTIMATE)
                       : fftw_plan_dft(desc->rank, n, (fftw_complex *)in, (fftw_complex *)out, FFTW_FORWARD, FFTW_ESTIMATE);
  if (!plan) return -1;
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return 0;
}

#ifdef MFFT_HAVE_FFTW_LONG
/* The same in long double, rounded to double at the end. */
static int transform_long(const mfft_desc *desc, const int *n, int64_t in_count, const double *in, int64_t out_count,
                          double *out) {
  long double *a = fftwl_malloc((size_t)in_count * sizeof *a), *b = fftwl_malloc((size_t)out_count * sizeof *b);
  fftwl_plan plan = NULL;
  if (a && b)
    plan = desc->kind == MFFT_R2C
               ? fftwl_plan_dft_r2c(desc->rank, n, a, (fftwl_complex *)b, FFTW_ESTIMATE)
               : fftwl_plan_dft(desc->rank, n, (fftwl_complex *)a, (fftwl_complex *)b, FFTW_FORWARD, FFTW_ESTIMATE);
  if (plan) {
    for (int64_t i = 0; i < in_count; i++) a[i] = in[i];
    fftwl_execute(plan);
    fftwl_destroy_plan(plan);
    for (int64_t i = 0; i < out_count; i++) out[i] = (double)b[i];
  }
  fftwl_free(a);
  fftwl_free(b);
  return plan ? 0 : -1;
}
enum { LONG_LIMIT = 1 << 21 }; /* elements up to which it takes no more than a second */
#else
#define transform_long transform_double
enum { LONG_LIMIT = 0 };
#endif

/* Rank 0: FFTW's transform of array b as it was stored, times scale, in the order in which the plan leaves it. */
static double *whole_truth(const mfft_desc *desc, int64_t b, double scale, const int64_t four_step[2]) {
  mfft_box box = {{0, 0, 0}, {1, 1, 1}, {0, 1, 2}};
  int n[3];
  for (int a = 0; a < desc->rank; a++) box.hi[a] = n[a] = (int)desc->n[a];
  mfft_desc packed = *desc;
  packed.placement = MFFT_OUT_OF_PLACE;
  mfft_bench_rows in = mfft_bench_rows_of(&packed, MFFT_IN, &box), out = mfft_bench_rows_of(&packed, MFFT_OUT, &box);
  out.row = out.n[out.last];
  int64_t in_count = in.rows * in.pitch, out_count = in.rows * out.row * 2;
  double *source = fftw_malloc((size_t)in_count * sizeof(double)), *truth = fftw_malloc((size_t)out_count * sizeof(double));
  double *rounded = malloc((size_t)in_count * mfft_row_real_bytes(desc->precision));
  int failed = !source || !truth || !rounded;
  if (!failed) {
    mfft_bench_random_row(&in, b, 0, in_count / in.reals, 1, source);
    mfft_row_store(desc->precision, rounded, 0, in_count, source);
    mfft_row_load(desc->precision, rounded, 0, in_count, source);
    failed = in_count / in.reals <= LONG_LIMIT ? transform_long(desc, n, in_count, source, out_count, truth)
                                               : transform_double(desc, n, in_count, source, out_count, truth);
  }
  free(rounded);
  if (!failed) {
    for (int64_t i = 0; i < out_count; i++) truth[i] *= scale;
    if (four_step[0]) { /* element k1 + n1 k2 lies at k1 n2 + k2 */
      memcpy(source, truth, (size_t)out_count * sizeof(double));
      for (int64_t k1 = 0; k1 < four_step[0]; k1++)
        for (int64_t k2 = 0; k2 < four_step[1]; k2++)
          memcpy(truth + 2 * (k1 * four_step[1] + k2), source + 2 * (k1 + four_step[0] * k2), 2 * sizeof(double));
    }
  } else {
    fftw_free(truth);
    truth = NULL;
  }
  fftw_free(source);
  return truth;
}

/* The box of `rows` out of the whole truth, packed; zeros where the box leaves the array, as that of a wrong plan may. */
static void cut(const mfft_bench_rows *rows, const double *truth, double *part) {
  const int64_t whole = rows->n[0] * rows->n[1] * rows->n[2];
  for (int64_t r = 0; r < rows->rows; r++) {
    int64_t index[3];
    mfft_bench_row_start(rows, r, index);
    int64_t place = mfft_bench_place(rows, index);
    size_t bytes = (size_t)(2 * rows->row) * sizeof(double);
    if (place + rows->row <= whole)
      memcpy(part + 2 * r * rows->row, truth + 2 * place, bytes);
    else
      memset(part + 2 * r * rows->row, 0, bytes);
  }
}

/* What rank r holds of the output. */
static mfft_bench_rows rows_at(const mfft_desc *desc, mfft_plan plan, int r) {
  mfft_box box = {{0, 0, 0}, {0, 0, 0}, {0, 1, 2}};
  mfft_plan_box_of(plan, MFFT_OUT, r, &box);
  return mfft_bench_rows_of(desc, MFFT_OUT, &box);
}

mfft_status mfft_bench_truth_fftw(const mfft_bench_case *bench, mfft_plan plan, const mfft_bench_rows *mine, const void *out,
                                  double scale, double *rel_l2) {
  const mfft_desc *desc = &bench->desc;
  int rank = mfft_app_rank(), ranks = bench->distributed ? mfft_app_ranks() : 1, failed = 0;
  int64_t four_step[2] = {0, 0}, count = 2 * mine->rows * mine->row;
  if (bench->distributed && desc->rank == 1 && desc->order == MFFT_ORDER_TRANSPOSED)
    mfft_plan_four_step(plan, &four_step[0], &four_step[1]);
  int root = !bench->distributed || rank == 0;
  int64_t largest = count; /* part that rank 0 cuts for another rank */
  for (int r = 1; root && r < ranks; r++) {
    mfft_bench_rows theirs = rows_at(desc, plan, r);
    int64_t size = 2 * theirs.rows * theirs.row;
    if (size > largest) largest = size;
  }
  double *want = malloc((size_t)(largest + 1) * sizeof(double)), *row = malloc((size_t)(2 * mine->row + 1) * sizeof(double));
  double *truth = NULL;
  mfft_bench_difference sum = {0, 0};
  for (int64_t b = 0; b < desc->batch && !failed; b++) {
    if (root) truth = whole_truth(desc, b, scale, four_step);
    failed = !want || !row || (root && !truth);
    if (bench->distributed) MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (failed) break;
    for (int r = 1; root && r < ranks; r++) {
      mfft_bench_rows theirs = rows_at(desc, plan, r);
      cut(&theirs, truth, want);
      MPI_Send(want, (int)(2 * theirs.rows * theirs.row), MPI_DOUBLE, r, 0, MPI_COMM_WORLD);
    }
    if (root)
      cut(mine, truth, want);
    else
      MPI_Recv(want, (int)count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (root) fftw_free(truth);
    truth = NULL;
    for (int64_t r = 0; r < mine->rows; r++) {
      mfft_row_load(desc->precision, out, (b * mine->rows + r) * mine->pitch, 2 * mine->row, row);
      mfft_bench_differ(&sum, row, want + 2 * r * mine->row, 2 * mine->row);
    }
  }
  fftw_free(truth);
  free(want);
  free(row);
  if (failed) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the truth of the check; lower --truth");
  *rel_l2 = mfft_bench_relative(sum, bench->distributed);
  return MFFT_SUCCESS;
}

const char *mfft_bench_truth_name(double points) {
  return points <= (double)LONG_LIMIT ? "fftw long double" : "fftw double";
}

/* ---- The truth of impulses ------------------------------------------------------------------------------------------- */

typedef struct impulse {
  int64_t place[3];
  double size[2];
} impulse;

/* Drawn anew for each array of the batch; sizes are exact in every precision. */
static void draw_impulses(const mfft_desc *desc, int64_t b, impulse impulses[IMPULSES]) {
  memset(impulses, 0, IMPULSES * sizeof *impulses);
  for (int j = 0; j < IMPULSES; j++) {
    uint64_t place = (uint64_t)(b * IMPULSES + j) * 5;
    for (int a = 0; a < desc->rank; a++)
      impulses[j].place[a] = (int64_t)((mfft_peer_random(place + (uint64_t)a) + 0.5) * (double)desc->n[a]);
    impulses[j].size[0] = j + 1;
    impulses[j].size[1] = desc->kind == MFFT_C2C ? 0.5 * j - 1 : 0;
  }
}

void mfft_bench_fill_impulses(const mfft_desc *desc, const mfft_bench_rows *rows, void *in, size_t bytes) {
  memset(in, 0, bytes);
  for (int64_t b = 0; b < desc->batch; b++) {
    impulse impulses[IMPULSES];
    draw_impulses(desc, b, impulses);
    for (int j = 0; j < IMPULSES; j++) {
      const mfft_box *box = &rows->box;
      const int64_t *p = impulses[j].place;
      int64_t r = 0, element;
      double sum[2];
      int inside = 1;
      for (int a = 0; a < 3; a++) inside = inside && p[a] >= box->lo[a] && p[a] < box->hi[a];
      if (!inside) continue;
      for (int a = 0; a < rows->last; a++) r = r * (box->hi[a] - box->lo[a]) + p[a] - box->lo[a];
      element = (b * rows->rows + r) * rows->pitch + (p[rows->last] - box->lo[rows->last]) * rows->reals;
      mfft_row_load(desc->precision, in, element, rows->reals, sum);
      for (int c = 0; c < rows->reals; c++) sum[c] += impulses[j].size[c]; /* two may share a place */
      mfft_row_store(desc->precision, in, element, rows->reals, sum);
    }
  }
}

/* exp(-2 pi i k p / n) with the product reduced in integers. */
static void wave(int64_t k, int64_t p, int64_t n, double w[2]) {
  double angle = -2 * 3.14159265358979323846 * (double)(int64_t)((__int128)k * p % n) / (double)n;
  w[0] = cos(angle);
  w[1] = sin(angle);
}

static void multiply(double z[2], const double w[2]) {
  double re = z[0] * w[0] - z[1] * w[1];
  z[1] = z[0] * w[1] + z[1] * w[0];
  z[0] = re;
}

mfft_status mfft_bench_truth_impulses(const mfft_bench_case *bench, mfft_plan plan, const mfft_bench_rows *mine,
                                      const void *out, double scale, double *rel_l2) {
  const mfft_desc *desc = &bench->desc;
  int64_t four_step[2] = {0, 0};
  if (bench->distributed && desc->rank == 1 && desc->order == MFFT_ORDER_TRANSPOSED)
    mfft_plan_four_step(plan, &four_step[0], &four_step[1]);
  double *row = malloc((size_t)(4 * mine->row + 1) * sizeof(double));
  double *along = malloc((size_t)(2 * IMPULSES * mine->row + 1) * sizeof(double)); /* waves of the last axis */
  mfft_bench_difference sum = {0, 0};
  int failed = !row || !along;
  if (bench->distributed) MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  for (int64_t b = 0; b < desc->batch && !failed; b++) {
    impulse impulses[IMPULSES];
    draw_impulses(desc, b, impulses);
    for (int j = 0; j < IMPULSES; j++)
      for (int64_t i = 0; i < mine->row; i++) {
        int64_t k = mine->box.lo[mine->last] + i;
        if (four_step[0]) k = k / four_step[1] + four_step[0] * (k % four_step[1]);
        wave(k, impulses[j].place[mine->last], desc->n[mine->last], along + 2 * (j * mine->row + i));
      }
    for (int64_t r = 0; r < mine->rows; r++) {
      int64_t index[3];
      double *want = row + 2 * mine->row;
      mfft_bench_row_start(mine, r, index);
      memset(want, 0, (size_t)(2 * mine->row) * sizeof(double));
      for (int j = 0; j < IMPULSES; j++) {
        double front[2] = {scale * impulses[j].size[0], scale * impulses[j].size[1]}, w[2];
        for (int a = 0; a < mine->last; a++) {
          wave(index[a], impulses[j].place[a], desc->n[a], w);
          multiply(front, w);
        }
        for (int64_t i = 0; i < mine->row; i++) {
          double z[2] = {front[0], front[1]};
          multiply(z, along + 2 * (j * mine->row + i));
          want[2 * i] += z[0];
          want[2 * i + 1] += z[1];
        }
      }
      mfft_row_load(desc->precision, out, (b * mine->rows + r) * mine->pitch, 2 * mine->row, row);
      mfft_bench_differ(&sum, row, want, 2 * mine->row);
    }
  }
  free(row);
  free(along);
  if (failed) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the truth of the check");
  *rel_l2 = mfft_bench_relative(sum, bench->distributed);
  return MFFT_SUCCESS;
}
