/* bench_check.c: checks a transform before it is timed.
 *
 * Small arrays: rank 0 transforms the whole array with FFTW in double (in long double for that precision, and for the
 * smallest in double) and sends every rank its box of the result.  Large ones: the input is a few impulses, whose transform
 * is a sum of as many plane waves and is computed on every rank without an FFT; random data are then checked by Parseval's
 * theorem.  In both cases the backward transform must restore the random data.  Of very large arrays and batches a sample is
 * checked, spread over the whole of them. */
#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#include "bench/bench_truth.h"
#include "cli/collective.h"
#include "io/rows.h"

/* ---- Random data, forward and backward ---------------------------------------------------------------------------- */

/* The sum of squares of all arrays on this rank, with those of the other half of a Hermitian spectrum. */
static mfft_status power_of(const mfft_desc *desc, const mfft_bench_rows *rows, const mfft_bench_array *array, int halved,
                            double *power) {
  const mfft_bench_pieces pieces = mfft_bench_cut(rows, 0, desc->batch * rows->rows, 0);
  const int64_t last = desc->n[rows->last];
  mfft_bench_reader reader;
  double sum = 0;
  mfft_status status = mfft_bench_reader_open(rows, array, &reader);
  for (int64_t i = 0; i < pieces.taken && status == MFFT_SUCCESS; i++) {
    const mfft_bench_piece piece = mfft_bench_piece_at(&pieces, i);
    status = mfft_bench_read(&reader, &piece);
    for (int64_t r = 0; r < piece.rows && status == MFFT_SUCCESS; r++)
      for (int64_t e = 0; e < piece.count * rows->reals; e++) {
        const int64_t k = rows->box.lo[rows->last] + piece.first + e / rows->reals;
        const double x = reader.values[r * piece.count * rows->reals + e];
        sum += (halved && k != 0 && 2 * k != last ? 2 : 1) * x * x;
      }
  }
  mfft_bench_reader_close(&reader);
  *power = sum;
  return status;
}

/* Whether a sample omits elements: then Parseval's sums cannot be computed. */
static int sampled(const mfft_bench_case *bench, const mfft_bench_rows *rows) {
  const mfft_bench_pieces pieces = mfft_bench_cut(rows, 0, bench->desc.batch * rows->rows, bench->sample_limit);
  int some = pieces.taken < pieces.all;
  return bench->distributed ? mfft_app_anywhere(some) : some;
}

long double mfft_bench_factor(const mfft_desc *desc, mfft_direction direction) {
  const long double n = mfft_bench_points(desc);
  const long double factor[] = {[MFFT_SCALE_NONE] = 1, [MFFT_SCALE_SQRT] = 1 / sqrtl(n), [MFFT_SCALE_FULL] = 1 / n};
  return factor[desc->scale[direction]];
}

mfft_status mfft_bench_sides(const mfft_desc *desc, mfft_plan plan, mfft_bench_rows side[2]) {
  mfft_box box[2]; /* [side] */
  mfft_status status = mfft_plan_box(plan, MFFT_IN, &box[MFFT_IN]);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(plan, MFFT_OUT, &box[MFFT_OUT]);
  for (int s = 0; s < 2 && status == MFFT_SUCCESS; s++) side[s] = mfft_bench_rows_of(desc, (mfft_side)s, &box[s]);
  return status;
}

static mfft_status run(mfft_plan plan, mfft_direction direction, const mfft_bench_array array[2]) {
  mfft_side from = direction == MFFT_FORWARD ? MFFT_IN : MFFT_OUT;
  mfft_status status = mfft_execute(plan, direction, array[from].data, array[!from].data);
  return status == MFFT_SUCCESS ? mfft_plan_synchronize(plan) : status;
}

#define TRY(call)                              \
  do {                                         \
    mfft_status status = (call);               \
    if (status != MFFT_SUCCESS) return status; \
  } while (0)

mfft_status mfft_bench_check(const mfft_bench_case *bench, mfft_plan plan, const mfft_bench_array array[2],
                             mfft_bench_error *error) {
  static const struct {
    double all, wire; /* of a transform, and what half the width on the wire adds; docs/accuracy.md */
  } bounds[] = {[MFFT_DOUBLE] = {4e-16, 1.2e-7},
                [MFFT_SINGLE] = {1.7e-7, 1e-3},
                [MFFT_HALF] = {3e-4, 0},
                [MFFT_BFLOAT16] = {2.6e-3, 0},
                [MFFT_LONG_DOUBLE] = {(double)(1.8L * LDBL_EPSILON), 2.4e-16}};
  const mfft_desc *desc = &bench->desc;
  const double points = mfft_bench_points(desc);
  const long double forward = mfft_bench_factor(desc, MFFT_FORWARD);
  const long double both = points * forward * mfft_bench_factor(desc, MFFT_BACKWARD);
  const int small = mfft_bench_has_truth(bench);
  double power[2] = {NAN, NAN}; /* [side] */
  mfft_bench_rows side[2];      /* [side] */
  TRY(mfft_bench_sides(desc, plan, side));
  if (!small) {
    TRY(mfft_bench_fill_impulses(desc, &side[MFFT_IN], &array[MFFT_IN]));
    TRY(run(plan, MFFT_FORWARD, array));
    TRY(mfft_bench_truth_impulses(bench, plan, &side[MFFT_OUT], &array[MFFT_OUT], forward, &error->rel_l2));
  }
  TRY(mfft_bench_fill(desc, &side[MFFT_IN].box, 1, &array[MFFT_IN]));
  const int all = !sampled(bench, &side[MFFT_IN]);
  if (all) TRY(power_of(desc, &side[MFFT_IN], &array[MFFT_IN], 0, &power[0]));
  TRY(run(plan, MFFT_FORWARD, array));
  if (small) TRY(mfft_bench_truth_fftw(bench, plan, &side[MFFT_OUT], &array[MFFT_OUT], forward, &error->rel_l2));
  if (all) TRY(power_of(desc, &side[MFFT_OUT], &array[MFFT_OUT], desc->kind == MFFT_R2C, &power[1]));
  TRY(run(plan, MFFT_BACKWARD, array));
  if (bench->distributed) mfft_app_reduce(power, 2, MPI_DOUBLE, MPI_SUM, "Parseval's sums");
  error->parseval = fabs(power[1] / (power[0] * points * (double)(forward * forward)) - 1);
  TRY(mfft_bench_round_trip(bench, &side[MFFT_IN], &array[MFFT_IN], 1 / both, &error->round_trip));
  error->truth = small ? mfft_bench_truth_name(desc) : "impulses";
  /* The test bounds of a transform, doubled for a pair, and doubled again for the error of the truth itself. */
  error->bound = 4 * bounds[desc->precision].all * sqrt(fmax(1, log2(points)));
  mfft_wire wire = MFFT_WIRE_FULL;
  if (bench->distributed) TRY(mfft_plan_wire(plan, &wire));
  if (wire == MFFT_WIRE_HALF) error->bound += bounds[desc->precision].wire;
  return MFFT_SUCCESS;
}
