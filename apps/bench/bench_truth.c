#include "bench/bench_truth.h"

#include <fftw3.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/report.h"
#include "gen/noise.h"
#include "io/rows.h"
#include "mfft_spectrum.h"

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
static int transform_long(const mfft_desc *desc, const int *n, int64_t in_count, double *in, int64_t out_count,
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
enum { LONG_LIMIT = 1 << 21 }; /* elements up to which it takes at most a second */
#else
#define transform_long transform_double
enum { LONG_LIMIT = 0 };
#endif

/* For types narrower than double the accuracy of double suffices. */
static int wants_long(const mfft_desc *desc) {
  return desc->precision == MFFT_DOUBLE && mfft_bench_points(desc) <= (double)LONG_LIMIT;
}

/* Rank 0: FFTW's transform of array b as it was stored, times scale, in the order of the plan's output. */
static double *whole_truth(const mfft_desc *desc, int64_t b, double scale, const int64_t four_step[2]) {
  mfft_box box = {{0, 0, 0}, {1, 1, 1}, {0, 1, 2}};
  int n[3]; /* [axis] */
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
    mfft_bench_random_row(&in, b, 0, in_count / in.reals, source);
    mfft_row_store(desc->precision, rounded, 0, in_count, source);
    mfft_row_load(desc->precision, rounded, 0, in_count, source);
    failed = (wants_long(desc) ? transform_long : transform_double)(desc, n, in_count, source, out_count, truth);
  }
  free(rounded);
  if (!failed) {
    for (int64_t i = 0; i < out_count; i++) truth[i] *= scale;
    if (four_step[0]) { /* element k1 + n1 k2 is at k1 n2 + k2 */
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

/* The box of `rows` from the whole truth, packed; zeros if the box exceeds the array, as that of a wrong plan may. */
static void cut(const mfft_bench_rows *rows, const double *truth, double *part) {
  const int64_t whole = rows->n[0] * rows->n[1] * rows->n[2];
  for (int64_t r = 0; r < rows->rows; r++) {
    int64_t index[3]; /* [axis] */
    mfft_bench_row_start(rows, r, index);
    int64_t place = mfft_bench_place(rows, index);
    size_t bytes = (size_t)(2 * rows->row) * sizeof(double);
    if (place + rows->row <= whole)
      memcpy(part + 2 * r * rows->row, truth + 2 * place, bytes);
    else
      memset(part + 2 * r * rows->row, 0, bytes);
  }
}

/* The part of the output on rank r. */
static mfft_bench_rows rows_at(const mfft_desc *desc, mfft_plan plan, int r) {
  mfft_box box = {{0, 0, 0}, {0, 0, 0}, {0, 1, 2}};
  mfft_plan_box_of(plan, MFFT_OUT, r, &box);
  return mfft_bench_rows_of(desc, MFFT_OUT, &box);
}

/* The number of arrays of a batch that are compared; half of them are its last ones. */
static int64_t compared_arrays(const mfft_bench_case *bench) {
  const int64_t few = (int64_t)((double)bench->truth_limit / mfft_bench_points(&bench->desc)), batch = bench->desc.batch;
  return few < 2 && batch > 1 ? 2 : few < batch ? few : batch;
}

/* Compares array b of the output with this rank's part of the truth. */
static mfft_status compare(mfft_bench_reader *reader, int64_t b, const double *want, mfft_bench_difference *sum) {
  const mfft_bench_rows *rows = reader->rows;
  const mfft_bench_pieces pieces = mfft_bench_cut(rows, b * rows->rows, rows->rows, 0);
  for (int64_t i = 0; i < pieces.taken; i++) {
    const mfft_bench_piece piece = mfft_bench_piece_at(&pieces, i);
    mfft_status status = mfft_bench_read(reader, &piece);
    if (status != MFFT_SUCCESS) return status;
    for (int64_t r = 0; r < piece.rows; r++)
      mfft_bench_differ(sum, reader->values + 2 * r * piece.count,
                        want + 2 * ((piece.row + r - b * rows->rows) * rows->row + piece.first), 2 * piece.count);
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_bench_truth_fftw(const mfft_bench_case *bench, mfft_plan plan, const mfft_bench_rows *mine,
                                  const mfft_bench_array *out, double scale, double *rel_l2) {
  const mfft_desc *desc = &bench->desc;
  int rank = mfft_app_rank(), ranks = bench->distributed ? mfft_app_ranks() : 1, failed = 0;
  int64_t four_step[2] = {0, 0}, count = 2 * mine->rows * mine->row;
  if (desc->scrambled) mfft_plan_four_step(plan, &four_step[0], &four_step[1]);
  int root = !bench->distributed || rank == 0;
  int64_t largest = count; /* part that rank 0 cuts for another rank */
  for (int r = 1; root && r < ranks; r++) {
    mfft_bench_rows theirs = rows_at(desc, plan, r);
    int64_t size = 2 * theirs.rows * theirs.row;
    if (size > largest) largest = size;
  }
  double *want = malloc((size_t)(largest + 1) * sizeof(double)), *truth = NULL;
  mfft_bench_reader reader;
  mfft_status status = mfft_bench_reader_open(mine, out, &reader);
  const int64_t compared = compared_arrays(bench);
  mfft_bench_difference sum = {0, 0};
  for (int64_t i = 0; i < compared && !failed; i++) {
    const int64_t b = i < (compared + 1) / 2 ? i : desc->batch - compared + i;
    if (root) truth = whole_truth(desc, b, scale, four_step);
    failed = !want || status != MFFT_SUCCESS || (root && !truth);
    if (bench->distributed) failed = mfft_app_anywhere(failed);
    if (failed) break;
    for (int r = 1; root && r < ranks; r++) {
      mfft_bench_rows theirs = rows_at(desc, plan, r);
      cut(&theirs, truth, want);
      mfft_app_send(want, (int)(2 * theirs.rows * theirs.row), MPI_DOUBLE, r, "handing out the truth");
    }
    if (root)
      cut(mine, truth, want);
    else
      mfft_app_receive(want, (int)count, MPI_DOUBLE, 0, "handing out the truth");
    if (root) fftw_free(truth);
    truth = NULL;
    status = compare(&reader, b, want, &sum);
  }
  fftw_free(truth);
  free(want);
  mfft_bench_reader_close(&reader);
  *rel_l2 = mfft_bench_relative(sum, bench->distributed);
  if (status == MFFT_SUCCESS && failed)
    return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the truth of the check; lower --truth");
  return status;
}

const char *mfft_bench_truth_name(const mfft_desc *desc) { return wants_long(desc) ? "fftw long double" : "fftw double"; }

/* ---- The truth of impulses ------------------------------------------------------------------------------------------- */

typedef struct impulse {
  int64_t place[3]; /* [axis] */
  double size[2];
} impulse;

/* New numbers for each array of the batch; sizes are exact in every precision. */
static void draw_impulses(const mfft_desc *desc, int64_t b, impulse impulses[IMPULSES]) {
  memset(impulses, 0, IMPULSES * sizeof *impulses);
  for (int j = 0; j < IMPULSES; j++) {
    uint64_t place = (uint64_t)(b * IMPULSES + j) * 5;
    for (int a = 0; a < desc->rank; a++)
      impulses[j].place[a] = (int64_t)((mfft_noise(place + (uint64_t)a) + 0.5) * (double)desc->n[a]);
    impulses[j].size[0] = j + 1;
    impulses[j].size[1] = desc->kind == MFFT_C2C ? 0.5 * j - 1 : 0;
  }
}

mfft_status mfft_bench_fill_impulses(const mfft_desc *desc, const mfft_bench_rows *rows, const mfft_bench_array *in) {
  const size_t element = (size_t)rows->reals * mfft_row_real_bytes(desc->precision);
  mfft_status status = mfft_bench_array_clear(in);
  for (int64_t b = 0; b < desc->batch && status == MFFT_SUCCESS; b++) {
    impulse impulses[IMPULSES];
    draw_impulses(desc, b, impulses);
    for (int j = 0; j < IMPULSES && status == MFFT_SUCCESS; j++) {
      const mfft_box *box = &rows->box;
      const int64_t *p = impulses[j].place;
      int64_t r = 0;
      double sum[2], stored[2];
      const void *view;
      int inside = 1;
      for (int a = 0; a < 3; a++) inside = inside && p[a] >= box->lo[a] && p[a] < box->hi[a];
      if (!inside) continue;
      for (int a = 0; a < rows->last; a++) r = r * (box->hi[a] - box->lo[a]) + p[a] - box->lo[a];
      const int64_t reals = (b * rows->rows + r) * rows->pitch + (p[rows->last] - box->lo[rows->last]) * rows->reals;
      const size_t offset = (size_t)reals * mfft_row_real_bytes(desc->precision);
      status = mfft_bench_array_view(in, offset, element, stored, &view);
      if (status != MFFT_SUCCESS) break;
      mfft_row_load(desc->precision, view, 0, rows->reals, sum);
      for (int c = 0; c < rows->reals; c++) sum[c] += impulses[j].size[c]; /* two may have one position */
      mfft_row_store(desc->precision, stored, 0, rows->reals, sum);
      status = mfft_bench_array_write(in, offset, stored, element);
    }
  }
  return status;
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

/* The transform of the impulses of one array along a range of the last axis, and at a row. */
typedef struct waves {
  const mfft_desc *desc;
  int last;
  int64_t four_step[2]; /* scrambled order of one distributed dimension; zeros: natural */
  impulse impulses[IMPULSES];
  int64_t b, first, count; /* what `along` is of */
  double *along;           /* [IMPULSES][count] complexes */
} waves;

static void set_stretch(waves *w, int64_t b, int64_t first, int64_t count) {
  if (w->b == b && w->first == first && w->count == count) return;
  w->b = b, w->first = first, w->count = count;
  draw_impulses(w->desc, b, w->impulses);
  for (int j = 0; j < IMPULSES; j++)
    for (int64_t i = 0; i < count; i++) {
      int64_t k = first + i;
      if (w->four_step[0]) k = k / w->four_step[1] + w->four_step[0] * (k % w->four_step[1]);
      wave(k, w->impulses[j].place[w->last], w->desc->n[w->last], w->along + 2 * (j * count + i));
    }
}

static void sum_waves(const waves *w, const int64_t index[3], double scale, double *want /* [count] complexes */) {
  memset(want, 0, (size_t)(2 * w->count) * sizeof(double));
  for (int j = 0; j < IMPULSES; j++) {
    double amplitude[2] = {scale * w->impulses[j].size[0], scale * w->impulses[j].size[1]}, phase[2];
    for (int a = 0; a < w->last; a++) {
      wave(index[a], w->impulses[j].place[a], w->desc->n[a], phase);
      multiply(amplitude, phase);
    }
    for (int64_t i = 0; i < w->count; i++) {
      double z[2] = {amplitude[0], amplitude[1]};
      multiply(z, w->along + 2 * (j * w->count + i));
      want[2 * i] += z[0];
      want[2 * i + 1] += z[1];
    }
  }
}

mfft_status mfft_bench_truth_impulses(const mfft_bench_case *bench, mfft_plan plan, const mfft_bench_rows *mine,
                                      const mfft_bench_array *out, double scale, double *rel_l2) {
  const mfft_desc *desc = &bench->desc;
  const mfft_bench_pieces pieces = mfft_bench_cut(mine, 0, desc->batch * mine->rows, bench->sample_limit);
  waves w = {.desc = desc, .last = mine->last, .b = -1};
  mfft_bench_difference sum = {0, 0};
  mfft_bench_reader reader;
  if (desc->scrambled) mfft_plan_four_step(plan, &w.four_step[0], &w.four_step[1]);
  mfft_status status = mfft_bench_reader_open(mine, out, &reader);
  double *want = malloc((size_t)(2 * pieces.wide + 2) * sizeof(double));
  w.along = malloc((size_t)(2 * IMPULSES * pieces.wide + 2) * sizeof(double));
  int failed = status != MFFT_SUCCESS || !want || !w.along;
  if (bench->distributed) failed = mfft_app_anywhere(failed);
  for (int64_t i = 0; i < pieces.taken && !failed && status == MFFT_SUCCESS; i++) {
    const mfft_bench_piece piece = mfft_bench_piece_at(&pieces, i);
    status = mfft_bench_read(&reader, &piece);
    for (int64_t r = 0; r < piece.rows && status == MFFT_SUCCESS; r++) {
      int64_t index[3]; /* [axis] */
      mfft_bench_row_start(mine, piece.row + r, index);
      set_stretch(&w, (piece.row + r) / mine->rows, mine->box.lo[mine->last] + piece.first, piece.count);
      sum_waves(&w, index, scale, want);
      mfft_bench_differ(&sum, reader.values + 2 * r * piece.count, want, 2 * piece.count);
    }
  }
  free(want);
  free(w.along);
  mfft_bench_reader_close(&reader);
  *rel_l2 = mfft_bench_relative(sum, bench->distributed);
  if (status == MFFT_SUCCESS && failed)
    return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the truth of the check; lower --sample");
  return status;
}
