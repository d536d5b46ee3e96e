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

/* Defines NAME, FFTW's forward transform of packed data, with FFTW(name) a name of FFTW's in the arithmetic REAL; -1: there
 * is no plan. */
#define DEFINE_TRANSFORM(NAME, REAL, FFTW)                                                                              \
  static int NAME(const mfft_desc *desc, const int *n, REAL *in, REAL *out) {                                           \
    FFTW(plan)                                                                                                          \
    plan = desc->kind == MFFT_R2C                                                                                       \
               ? FFTW(plan_dft_r2c)(desc->rank, n, in, (FFTW(complex) *)out, FFTW_ESTIMATE)                             \
               : FFTW(plan_dft)(desc->rank, n, (FFTW(complex) *)in, (FFTW(complex) *)out, FFTW_FORWARD, FFTW_ESTIMATE); \
    if (!plan) return -1;                                                                                               \
    FFTW(execute)(plan);                                                                                                \
    FFTW(destroy_plan)(plan);                                                                                           \
    return 0;                                                                                                           \
  }
#define IN_DOUBLE(name)      fftw_##name
#define IN_LONG_DOUBLE(name) fftwl_##name

DEFINE_TRANSFORM(transform_double, double, IN_DOUBLE)
#ifdef MFFT_HAVE_FFTW_LONG
enum { LONG_LIMIT = 1 << 21 }; /* elements up to which it takes at most a second */
DEFINE_TRANSFORM(transform_long, long double, IN_LONG_DOUBLE)
#else
enum { LONG_LIMIT = 0 };
static int transform_long(const mfft_desc *desc, const int *n, const long double *in, const long double *out) {
  (void)desc, (void)n, (void)in, (void)out;
  return -1;
}
#endif

static int long_transform(const mfft_desc *desc, const int *n, int64_t in_count, long double *in, int64_t out_count,
                          long double *out) {
  (void)in_count, (void)out_count;
  return transform_long(desc, n, in, out);
}

int mfft_bench_has_truth(const mfft_bench_case *bench) {
  return mfft_bench_points(&bench->desc) <= (double)bench->truth_limit &&
         (LONG_LIMIT > 0 || bench->desc.precision != MFFT_LONG_DOUBLE);
}

/* For types narrower than double the accuracy of double suffices. */
static int wants_long(const mfft_desc *desc) {
  return desc->precision == MFFT_DOUBLE && mfft_bench_points(desc) <= (double)LONG_LIMIT;
}

/* FFTW's transform in double, or in long double and rounded at the end. */
static int double_transform(const mfft_desc *desc, const int *n, int64_t in_count, double *in, int64_t out_count,
                            double *out) {
  if (!wants_long(desc)) return transform_double(desc, n, in, out);
  long double *a = fftw_malloc((size_t)in_count * sizeof *a), *b = fftw_malloc((size_t)out_count * sizeof *b);
  int failed = !a || !b;
  for (int64_t i = 0; i < in_count && !failed; i++) a[i] = in[i];
  if (!failed) failed = transform_long(desc, n, a, b);
  for (int64_t i = 0; i < out_count && !failed; i++) out[i] = (double)b[i];
  fftw_free(a);
  fftw_free(b);
  return failed;
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

const char *mfft_bench_truth_name(const mfft_desc *desc) {
  return wants_long(desc) || desc->precision == MFFT_LONG_DOUBLE ? "fftw long double" : "fftw double";
}

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
  const size_t element = (size_t)rows->reals * mfft_real_bytes(desc->precision);
  mfft_status status = mfft_bench_array_clear(in);
  for (int64_t b = 0; b < desc->batch && status == MFFT_SUCCESS; b++) {
    impulse impulses[IMPULSES];
    draw_impulses(desc, b, impulses);
    for (int j = 0; j < IMPULSES && status == MFFT_SUCCESS; j++) {
      const mfft_box *box = &rows->box;
      const int64_t *p = impulses[j].place;
      int64_t r = 0;
      double sum[2];
      long double stored[2]; /* of any precision */
      const void *view;
      int inside = 1;
      for (int a = 0; a < 3; a++) inside = inside && p[a] >= box->lo[a] && p[a] < box->hi[a];
      if (!inside) continue;
      for (int a = 0; a < rows->last; a++) r = r * (box->hi[a] - box->lo[a]) + p[a] - box->lo[a];
      const int64_t reals = (b * rows->rows + r) * rows->pitch + (p[rows->last] - box->lo[rows->last]) * rows->reals;
      const size_t offset = (size_t)reals * mfft_real_bytes(desc->precision);
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

/* ---- Comparisons -------------------------------------------------------------------------------------------------- */

#define REAL           double
#define NAME(name)     double_##name
#define FUNCTION(f)    f
#define VALUES(reader) ((reader)->values)
#define MPI_REAL_TYPE  MPI_DOUBLE
#include "bench/bench_truth_body.h"
#undef REAL
#undef NAME
#undef FUNCTION
#undef VALUES
#undef MPI_REAL_TYPE

#define REAL           long double
#define NAME(name)     long_##name
#define FUNCTION(f)    f##l
#define VALUES(reader) ((reader)->wide)
#define MPI_REAL_TYPE  MPI_LONG_DOUBLE
#include "bench/bench_truth_body.h"

mfft_status mfft_bench_truth_fftw(const mfft_bench_case *bench, mfft_plan plan, const mfft_bench_rows *mine,
                                  const mfft_bench_array *out, long double scale, double *rel_l2) {
  const int is_long = bench->desc.precision == MFFT_LONG_DOUBLE;
  return (is_long ? long_truth_fftw : double_truth_fftw)(bench, plan, mine, out, scale, rel_l2);
}

mfft_status mfft_bench_truth_impulses(const mfft_bench_case *bench, mfft_plan plan, const mfft_bench_rows *mine,
                                      const mfft_bench_array *out, long double scale, double *rel_l2) {
  const int is_long = bench->desc.precision == MFFT_LONG_DOUBLE;
  return (is_long ? long_truth_impulses : double_truth_impulses)(bench, plan, mine, out, scale, rel_l2);
}

mfft_status mfft_bench_round_trip(const mfft_bench_case *bench, const mfft_bench_rows *rows, const mfft_bench_array *in,
                                  long double scale, double *relative) {
  const int is_long = bench->desc.precision == MFFT_LONG_DOUBLE;
  return (is_long ? long_round_trip : double_round_trip)(bench, rows, in, scale, relative);
}
