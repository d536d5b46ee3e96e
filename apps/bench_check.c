/* bench_check.c: is the transform right?  Asked before it is timed.
 *
 * Small arrays: rank 0 transforms the whole array with FFTW in double (long double for the
 * smallest) and sends every rank its box of the result.  Large
 * ones: the input is a few impulses, whose transform is a sum of as many plane waves and is known on every rank without an
 * FFT; the random data then add Parseval's law.  In both cases the backward transform must bring the random data back. */
#include <fftw3.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_case.h"
#include "peer.h"
#include "report.h"
#include "rows.h"

enum { IMPULSES = 3 };

/* ---- Arrays by index
 * ------------------------------------------------------------------------------------------------------------ */

/* A side of a plan as rows along its last axis, in C order. */
typedef struct side_rows {
  mfft_box box;
  int64_t n[3];  /* of the global array of this side, halved for the spectrum of an R2C */
  int last;      /* axis of a row */
  int reals;     /* of an element: 1 or 2 */
  int64_t row;   /* elements of a row */
  int64_t pitch; /* reals from row to row */
  int64_t rows;  /* of one array */
} side_rows;

static side_rows rows_of(const mfft_desc *desc, mfft_side side, const mfft_box *box) {
  side_rows rows = {.box = *box, .n = {1, 1, 1}, .last = desc->rank - 1, .reals = 2, .rows = 1};
  for (int a = 0; a < desc->rank; a++) rows.n[a] = desc->n[a];
  if (desc->kind == MFFT_R2C && side == MFFT_OUT) rows.n[rows.last] = rows.n[rows.last] / 2 + 1;
  if (desc->kind == MFFT_R2C && side == MFFT_IN) rows.reals = 1;
  for (int a = 0; a < 3; a++) {
    int64_t extent = box->hi[a] > box->lo[a] ? box->hi[a] - box->lo[a] : 0;
    if (a == rows.last)
      rows.row = extent;
    else
      rows.rows *= extent;
  }
  rows.pitch = rows.row * rows.reals;
  if (rows.reals == 1 && desc->placement == MFFT_IN_PLACE && rows.row) rows.pitch = 2 * (rows.row / 2 + 1);
  if (!rows.row) rows.rows = 0;
  return rows;
}

/* The global index of the first element of row r. */
static void row_start(const side_rows *rows, int64_t r, int64_t index[3]) {
  for (int a = 0; a < 3; a++) index[a] = rows->box.lo[a];
  for (int a = rows->last - 1; a >= 0; a--) {
    int64_t extent = rows->box.hi[a] - rows->box.lo[a];
    index[a] += r % extent;
    r /= extent;
  }
}

static int64_t linear(const side_rows *rows, const int64_t index[3]) {
  return (index[0] * rows->n[1] + index[1]) * rows->n[2] + index[2];
}

double mfft_bench_points(const mfft_desc *desc) {
  double points = 1;
  for (int a = 0; a < desc->rank; a++) points *= (double)desc->n[a];
  return points;
}

/* The input of array b at a row: random, or impulses whose places and sizes come from the same numbers. */
static void random_row(const side_rows *rows, int64_t b, int64_t first, int64_t count, double amplitude, double *row) {
  uint64_t size = (uint64_t)(rows->n[0] * rows->n[1] * rows->n[2]) * (uint64_t)rows->reals;
  uint64_t place = (uint64_t)b * size + (uint64_t)first * (uint64_t)rows->reals;
  for (int64_t i = 0; i < count * rows->reals; i++) row[i] = amplitude * mfft_peer_random(place + (uint64_t)i);
}

void mfft_bench_fill(const mfft_desc *desc, const mfft_box *box, double amplitude, void *array) {
  side_rows rows = rows_of(desc, MFFT_IN, box);
  double *row = malloc((size_t)(rows.row * rows.reals + 1) * sizeof(double));
  for (int64_t b = 0; row && b < desc->batch; b++)
    for (int64_t r = 0; r < rows.rows; r++) {
      int64_t index[3];
      row_start(&rows, r, index);
      random_row(&rows, b, linear(&rows, index), rows.row, amplitude, row);
      mfft_row_store(desc->precision, array, (b * rows.rows + r) * rows.pitch, rows.row * rows.reals, row);
    }
  free(row);
}

/* ---- Sums over ranks
 * -------------------------------------------------------------------------------------------------------------- */

typedef struct difference {
  double error, truth; /* sums of squares */
} difference;

static void differ(difference *sum, const double *got, const double *want, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    double e = got[i] - want[i];
    sum->error += e * e;
    sum->truth += want[i] * want[i];
  }
}

static double relative(difference sum, int distributed) {
  double both[2] = {sum.error, sum.truth};
  if (distributed) MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return both[1] > 0 ? sqrt(both[0] / both[1]) : sqrt(both[0]);
}

/* ---- The truth from FFTW in double
 * ---------------------------------------------------------------------------------------------------- */

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
  side_rows in = rows_of(&packed, MFFT_IN, &box), out = rows_of(&packed, MFFT_OUT, &box);
  out.row = out.n[out.last];
  int64_t in_count = in.rows * in.pitch, out_count = in.rows * out.row * 2;
  double *source = fftw_malloc((size_t)in_count * sizeof(double)), *truth = fftw_malloc((size_t)out_count * sizeof(double));
  double *rounded = malloc((size_t)in_count * mfft_row_real_bytes(desc->precision));
  int failed = !source || !truth || !rounded;
  if (!failed) {
    random_row(&in, b, 0, in_count / in.reals, 1, source);
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

/* The box of `rows` out of the whole truth, packed. */
static void cut(const side_rows *rows, const double *truth, double *part) {
  for (int64_t r = 0; r < rows->rows; r++) {
    int64_t index[3];
    row_start(rows, r, index);
    memcpy(part + 2 * r * rows->row, truth + 2 * linear(rows, index), (size_t)(2 * rows->row) * sizeof(double));
  }
}

/* What rank r holds of the output. */
static side_rows rows_at(const mfft_desc *desc, mfft_plan plan, int r) {
  mfft_box box = {{0, 0, 0}, {0, 0, 0}, {0, 1, 2}};
  mfft_plan_box_of(plan, MFFT_OUT, r, &box);
  return rows_of(desc, MFFT_OUT, &box);
}

static mfft_status compare_with_fftw(const mfft_bench_case *bench, mfft_plan plan, const side_rows *mine, const void *out,
                                     double scale, double *rel_l2) {
  const mfft_desc *desc = &bench->desc;
  int rank = mfft_app_rank(), ranks = bench->distributed ? mfft_app_ranks() : 1, failed = 0;
  int64_t four_step[2] = {0, 0}, count = 2 * mine->rows * mine->row;
  if (bench->distributed && desc->rank == 1 && desc->order == MFFT_ORDER_TRANSPOSED)
    mfft_plan_four_step(plan, &four_step[0], &four_step[1]);
  int root = !bench->distributed || rank == 0;
  int64_t largest = count; /* part that rank 0 cuts for another rank */
  for (int r = 1; root && r < ranks; r++) {
    side_rows theirs = rows_at(desc, plan, r);
    int64_t size = 2 * theirs.rows * theirs.row;
    if (size > largest) largest = size;
  }
  double *want = malloc((size_t)(largest + 1) * sizeof(double)), *row = malloc((size_t)(2 * mine->row + 1) * sizeof(double));
  double *truth = NULL;
  difference sum = {0, 0};
  for (int64_t b = 0; b < desc->batch && !failed; b++) {
    if (root) truth = whole_truth(desc, b, scale, four_step);
    failed = !want || !row || (root && !truth);
    if (bench->distributed) MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (failed) break;
    for (int r = 1; root && r < ranks; r++) {
      side_rows theirs = rows_at(desc, plan, r);
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
      differ(&sum, row, want + 2 * r * mine->row, 2 * mine->row);
    }
  }
  fftw_free(truth);
  free(want);
  free(row);
  if (failed) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the truth of the check; lower --truth");
  *rel_l2 = relative(sum, bench->distributed);
  return MFFT_SUCCESS;
}

/* ---- The truth of impulses
 * -------------------------------------------------------------------------------------------------------------- */

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

static void fill_impulses(const mfft_desc *desc, const side_rows *rows, void *in, size_t bytes) {
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

static mfft_status compare_with_impulses(const mfft_bench_case *bench, mfft_plan plan, const side_rows *mine,
                                         const void *out, double scale, double *rel_l2) {
  const mfft_desc *desc = &bench->desc;
  int64_t four_step[2] = {0, 0};
  if (bench->distributed && desc->rank == 1 && desc->order == MFFT_ORDER_TRANSPOSED)
    mfft_plan_four_step(plan, &four_step[0], &four_step[1]);
  double *row = malloc((size_t)(4 * mine->row + 1) * sizeof(double));
  double *along = malloc((size_t)(2 * IMPULSES * mine->row + 1) * sizeof(double)); /* waves of the last axis */
  difference sum = {0, 0};
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
      row_start(mine, r, index);
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
      differ(&sum, row, want, 2 * mine->row);
    }
  }
  free(row);
  free(along);
  if (failed) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the truth of the check");
  *rel_l2 = relative(sum, bench->distributed);
  return MFFT_SUCCESS;
}

/* ---- Random data there and back
 * ------------------------------------------------------------------------------------------------------------ */

static double power_of(const mfft_desc *desc, const side_rows *rows, const void *array, int halved) {
  double *row = malloc((size_t)(rows->row * rows->reals + 1) * sizeof(double)), sum = 0;
  int64_t last = desc->n[rows->last];
  for (int64_t r = 0; row && r < desc->batch * rows->rows; r++) {
    double part = 0;
    mfft_row_load(desc->precision, array, r * rows->pitch, rows->row * rows->reals, row);
    for (int64_t i = 0; i < rows->row * rows->reals; i++) {
      int64_t k = rows->box.lo[rows->last] + i / rows->reals;
      part += (halved && k != 0 && 2 * k != last ? 2 : 1) * row[i] * row[i];
    }
    sum += part;
  }
  free(row);
  return sum;
}

static double round_trip(const mfft_bench_case *bench, const side_rows *rows, const void *in, double scale) {
  const mfft_desc *desc = &bench->desc;
  double *row = malloc((size_t)(2 * rows->row * rows->reals + 1) * sizeof(double));
  difference sum = {0, 0};
  for (int64_t b = 0; row && b < desc->batch; b++)
    for (int64_t r = 0; r < rows->rows; r++) {
      int64_t index[3], count = rows->row * rows->reals;
      double *want = row + count;
      row_start(rows, r, index);
      random_row(rows, b, linear(rows, index), rows->row, 1, want);
      mfft_row_load(desc->precision, in, (b * rows->rows + r) * rows->pitch, count, row);
      for (int64_t i = 0; i < count; i++) row[i] *= scale;
      differ(&sum, row, want, count);
    }
  free(row);
  return relative(sum, bench->distributed);
}

mfft_status mfft_bench_check(const mfft_bench_case *bench, mfft_plan plan, void *in, void *out, mfft_bench_error *error) {
  static const double bounds[] = {
      [MFFT_DOUBLE] = 4e-16, [MFFT_SINGLE] = 1.7e-7, [MFFT_HALF] = 3e-4, [MFFT_BFLOAT16] = 2.4e-3};
  const mfft_desc *desc = &bench->desc;
  double points = mfft_bench_points(desc), forward = desc->scale[0] == MFFT_SCALE_SQRT ? 1 / sqrt(points) : 1;
  double both = desc->scale[0] == MFFT_SCALE_SQRT ? 1 : 1 / points, power[2];
  int small = points <= (double)bench->truth_limit;
  mfft_box box[2];
  size_t bytes;
  mfft_status status = mfft_plan_box(plan, MFFT_IN, &box[0]);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(plan, MFFT_OUT, &box[1]);
  if (status == MFFT_SUCCESS) status = mfft_plan_bytes(plan, MFFT_IN, &bytes);
  if (status != MFFT_SUCCESS) return status;
  side_rows side[2] = {rows_of(desc, MFFT_IN, &box[0]), rows_of(desc, MFFT_OUT, &box[1])};
  if (!small) {
    fill_impulses(desc, &side[0], in, bytes);
    status = mfft_execute(plan, MFFT_FORWARD, in, out);
    if (status == MFFT_SUCCESS) status = compare_with_impulses(bench, plan, &side[1], out, forward, &error->rel_l2);
    if (status != MFFT_SUCCESS) return status;
  }
  mfft_bench_fill(desc, &box[0], 1, in);
  power[0] = power_of(desc, &side[0], in, 0);
  status = mfft_execute(plan, MFFT_FORWARD, in, out);
  if (status == MFFT_SUCCESS && small) status = compare_with_fftw(bench, plan, &side[1], out, forward, &error->rel_l2);
  if (status != MFFT_SUCCESS) return status;
  power[1] = power_of(desc, &side[1], out, desc->kind == MFFT_R2C);
  status = mfft_execute(plan, MFFT_BACKWARD, out, in);
  if (status != MFFT_SUCCESS) return status;
  if (bench->distributed) MPI_Allreduce(MPI_IN_PLACE, power, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  error->parseval = fabs(power[1] / (power[0] * points * forward * forward) - 1);
  error->round_trip = round_trip(bench, &side[0], in, both);
  error->truth = !small ? "impulses" : points <= (double)LONG_LIMIT ? "fftw long double" : "fftw double";
  /* The test bounds of a transform, doubled for a pair, and doubled again for the error of the truth itself. */
  error->bound = 4 * bounds[desc->precision] * sqrt(fmax(1, log2(points)));
  return MFFT_SUCCESS;
}
