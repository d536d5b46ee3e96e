/* bench_check.c: is the transform right?  Asked before it is timed.
 *
 * Small arrays: rank 0 transforms the whole array with FFTW in double (long double for the
 * smallest) and sends every rank its box of the result.  Large
 * ones: the input is a few impulses, whose transform is a sum of as many plane waves and is known on every rank without an
 * FFT; the random data then add Parseval's law.  In both cases the backward transform must bring the random data back. */
#include <math.h>
#include <stdlib.h>

#include "bench_truth.h"
#include "rows.h"

/* ---- Random data there and back -------------------------------------------------------------------------------------- */

static double power_of(const mfft_desc *desc, const mfft_bench_rows *rows, const void *array, int halved) {
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

static double round_trip(const mfft_bench_case *bench, const mfft_bench_rows *rows, const void *in, double scale) {
  const mfft_desc *desc = &bench->desc;
  double *row = malloc((size_t)(2 * rows->row * rows->reals + 1) * sizeof(double));
  mfft_bench_difference sum = {0, 0};
  for (int64_t b = 0; row && b < desc->batch; b++)
    for (int64_t r = 0; r < rows->rows; r++) {
      int64_t index[3], count = rows->row * rows->reals;
      double *want = row + count;
      mfft_bench_row_start(rows, r, index);
      mfft_bench_random_row(rows, b, mfft_bench_place(rows, index), rows->row, 1, want);
      mfft_row_load(desc->precision, in, (b * rows->rows + r) * rows->pitch, count, row);
      for (int64_t i = 0; i < count; i++) row[i] *= scale;
      mfft_bench_differ(&sum, row, want, count);
    }
  free(row);
  return mfft_bench_relative(sum, bench->distributed);
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
  mfft_bench_rows side[2] = {mfft_bench_rows_of(desc, MFFT_IN, &box[0]), mfft_bench_rows_of(desc, MFFT_OUT, &box[1])};
  if (!small) {
    mfft_bench_fill_impulses(desc, &side[0], in, bytes);
    status = mfft_execute(plan, MFFT_FORWARD, in, out);
    if (status == MFFT_SUCCESS) status = mfft_bench_truth_impulses(bench, plan, &side[1], out, forward, &error->rel_l2);
    if (status != MFFT_SUCCESS) return status;
  }
  mfft_bench_fill(desc, &box[0], 1, in);
  power[0] = power_of(desc, &side[0], in, 0);
  status = mfft_execute(plan, MFFT_FORWARD, in, out);
  if (status == MFFT_SUCCESS && small) status = mfft_bench_truth_fftw(bench, plan, &side[1], out, forward, &error->rel_l2);
  if (status != MFFT_SUCCESS) return status;
  power[1] = power_of(desc, &side[1], out, desc->kind == MFFT_R2C);
  status = mfft_execute(plan, MFFT_BACKWARD, out, in);
  if (status != MFFT_SUCCESS) return status;
  if (bench->distributed) MPI_Allreduce(MPI_IN_PLACE, power, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  error->parseval = fabs(power[1] / (power[0] * points * forward * forward) - 1);
  error->round_trip = round_trip(bench, &side[0], in, both);
  error->truth = small ? mfft_bench_truth_name(points) : "impulses";
  /* The test bounds of a transform, doubled for a pair, and doubled again for the error of the truth itself. */
  error->bound = 4 * bounds[desc->precision] * sqrt(fmax(1, log2(points)));
  return MFFT_SUCCESS;
}
