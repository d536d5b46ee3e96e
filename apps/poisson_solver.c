#include "poisson_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan_options.h"
#include "report.h"
#include "rows.h"

static int sixteen_bit(mfft_precision precision) { return precision == MFFT_HALF || precision == MFFT_BFLOAT16; }

static int64_t extent(const mfft_box *box, int axis) {
  return box->hi[axis] > box->lo[axis] ? box->hi[axis] - box->lo[axis] : 0;
}

/* The rms that 16-bit arrays are brought to: a single wave or cell is then at most 2^14. */
static double wanted_rms(const mfft_poisson *p) { return fmin(1, 16384 / sqrt(p->cells)); }

/* ---- Building -------------------------------------------------------------------------------------------------------- */

static mfft_status allocate(mfft_poisson *p) {
  size_t in, out, workspace;
  int64_t cells = extent(&p->box, 0) * extent(&p->box, 1) * extent(&p->box, 2);
  mfft_plan_bytes(p->plan, MFFT_IN, &in);
  mfft_plan_bytes(p->plan, MFFT_OUT, &out);
  mfft_plan_workspace_bytes(p->plan, &workspace);
  mfft_status status = mfft_twin_create(p->plan, in, "the field", &p->real);
  if (status == MFFT_SUCCESS) status = mfft_plan_array(p->plan, out, "the spectrum", &p->spectrum);
  p->apart = p->real.host != p->real.plan;
  p->bytes = in + out + workspace + (p->apart ? in : 0);
  if (status == MFFT_SUCCESS && sixteen_bit(p->precision)) {
    void *wide = NULL;
    status = mfft_app_alloc(cells, sizeof(float), "the field in single precision", &wide);
    p->wide = wide;
    p->bytes += (size_t)cells * sizeof(float);
  }
  return status;
}

mfft_status mfft_poisson_create(const mfft_poisson_options *options, const mfft_desc *given, mfft_poisson *p) {
  mfft_desc desc = *given;
  memset(p, 0, sizeof *p);
  p->options = *options;
  p->precision = desc.precision;
  p->cells = (double)options->greens.n[0] * (double)options->greens.n[1] * (double)options->greens.n[2];
  p->source_scale = 1;
  desc.rank = 3;
  desc.kind = MFFT_R2C;
  desc.order = MFFT_ORDER_TRANSPOSED;
  desc.filtered = 1 << MFFT_BACKWARD;
  desc.allow_destroy_input = options->greens.gradient == MFFT_GRADIENT_NONE; /* else the spectrum serves four times */
  memcpy(desc.n, options->greens.n, sizeof desc.n);
  if (sixteen_bit(desc.precision)) desc.scale[MFFT_FORWARD] = desc.scale[MFFT_BACKWARD] = MFFT_SCALE_SQRT;
  mfft_status status = mfft_plan_options_create(&desc, &p->plan);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(p->plan, MFFT_IN, &p->box);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(p->plan, MFFT_OUT, &p->modes);
  if (status == MFFT_SUCCESS) status = allocate(p);
  if (status == MFFT_SUCCESS) status = mfft_greens_create(&options->greens, &p->greens);
  if (status == MFFT_SUCCESS && options->check) status = mfft_residual_create(&options->greens, &p->residual);
  if (status == MFFT_ERR_MEMORY) return mfft_app_fail(status, "a mesh of this size does not fit; use more ranks");
  return status;
}

void mfft_poisson_destroy(mfft_poisson *p) {
  if (p->spectrum) mfft_memory_free(p->real.backend, p->spectrum);
  mfft_twin_destroy(&p->real);
  mfft_free(p->wide);
  mfft_plan_destroy(p->plan);
  mfft_greens_destroy(&p->greens);
  mfft_residual_destroy(&p->residual);
  memset(p, 0, sizeof *p);
}

void *mfft_poisson_field(const mfft_poisson *p, mfft_precision *precision) {
  *precision = p->wide ? MFFT_SINGLE : p->precision;
  return p->wide ? (void *)p->wide : p->real.host;
}

/* ---- Rows of the field ----------------------------------------------------------------------------------------------- */

/* to = (from - shift) * factor over this rank's cells; adds up the first two moments of `from` - shift. */
static mfft_status convert(const mfft_poisson *p, mfft_precision from_precision, const void *from, double shift,
                           double factor, mfft_precision to_precision, void *to, double moments[2]) {
  int64_t count = extent(&p->box, 2), rows = count ? extent(&p->box, 0) * extent(&p->box, 1) : 0;
  double *row = malloc((size_t)(count + 1) * sizeof(double)), sums[2] = {0, 0};
  if (!row) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a row of the field");
  for (int64_t r = 0; r < rows; r++) {
    double sum = 0, square = 0;
    mfft_row_load(from_precision, from, r * count, count, row);
    for (int64_t i = 0; i < count; i++) {
      double x = row[i] - shift;
      sum += x;
      square += x * x;
      row[i] = x * factor;
    }
    sums[0] += sum;
    sums[1] += square;
    if (to) mfft_row_store(to_precision, to, r * count, count, row);
  }
  free(row);
  if (moments) memcpy(moments, sums, sizeof sums);
  return MFFT_SUCCESS;
}

static void add_over_ranks(double *values, int count) {
  MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* ---- The device ------------------------------------------------------------------------------------------------------ */

static mfft_status upload(mfft_poisson *p) {
  double start = mfft_app_time();
  mfft_status status = mfft_twin_upload(&p->real);
  p->move_s += mfft_app_time() - start;
  return status;
}

/* A device answers before it is done; what it takes is measured until then. */
static mfft_status transform(mfft_poisson *p, mfft_direction direction) {
  double start = mfft_app_time();
  int forward = direction == MFFT_FORWARD;
  mfft_status status =
      mfft_execute(p->plan, direction, forward ? p->real.plan : p->spectrum, forward ? p->spectrum : p->real.plan);
  if (status == MFFT_SUCCESS) status = mfft_plan_synchronize(p->plan);
  p->transform_s += mfft_app_time() - start;
  start = mfft_app_time();
  if (status == MFFT_SUCCESS && !forward) status = mfft_twin_download(&p->real, p->plan);
  p->move_s += mfft_app_time() - start;
  return status;
}

/* ---- The source ------------------------------------------------------------------------------------------------------ */

/* The power that each output will have, of planes of the spectrum that are looked at one after another. */
static mfft_status measure_outputs(mfft_poisson *p) {
  double start = mfft_app_time();
  mfft_box plane = p->modes;
  size_t bytes = (size_t)(extent(&plane, 1) * extent(&plane, 2)) * 2 * mfft_row_real_bytes(p->precision);
  void *copy = NULL;
  mfft_status status = mfft_app_alloc((int64_t)bytes, 1, "a plane of the spectrum", &copy);
  for (int64_t x = p->modes.lo[0]; x < p->modes.hi[0] && bytes && status == MFFT_SUCCESS; x++) {
    plane.lo[0] = x;
    plane.hi[0] = x + 1;
    status = mfft_memory_download(p->real.backend, copy, (char *)p->spectrum + (size_t)(x - p->modes.lo[0]) * bytes, bytes);
    if (status == MFFT_SUCCESS) status = mfft_greens_power(&p->greens, &plane, p->precision, copy, p->power);
  }
  mfft_free(copy);
  status = mfft_app_agree(status);
  add_over_ranks(p->power, 4);
  p->green_s += mfft_app_time() - start;
  return status;
}

mfft_status mfft_poisson_source(mfft_poisson *p) {
  mfft_precision precision;
  double moments[2];
  void *field = mfft_poisson_field(p, &precision);
  mfft_status status = mfft_app_agree(convert(p, precision, field, 0, 1, precision, NULL, moments));
  if (status != MFFT_SUCCESS) return status;
  add_over_ranks(moments, 2);
  p->mean = moments[0] / p->cells;
  double about_zero = sqrt(moments[1] / p->cells);
  status = mfft_app_agree(convert(p, precision, field, p->mean, 1, precision, field, moments));
  if (status != MFFT_SUCCESS) return status;
  add_over_ranks(moments, 2);
  p->rms = sqrt(moments[1] / p->cells);
  if (p->rms <= 4 * mfft_row_epsilon(precision) * about_zero) { /* a uniform field: what is left is rounding, no source */
    p->rms = 0;
    status = convert(p, precision, field, 0, 0, precision, field, NULL);
  }
  double start = mfft_app_time();
  if (status == MFFT_SUCCESS && p->options.check)
    status = mfft_residual_filter(&p->residual, &p->box, precision, field, p->source_share);
  p->check_s += mfft_app_time() - start;
  if (p->wide) {
    p->source_scale = p->rms > 0 ? wanted_rms(p) / p->rms : 0;
    if (status == MFFT_SUCCESS) status = convert(p, precision, field, 0, p->source_scale, p->precision, p->real.host, NULL);
  }
  if (status == MFFT_SUCCESS) status = upload(p);
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) status = transform(p, MFFT_FORWARD);
  return status == MFFT_SUCCESS && p->wide ? measure_outputs(p) : status;
}

/* ---- Outputs --------------------------------------------------------------------------------------------------------- */

/* Projects phi and measures it, once it is in the field. */
static mfft_status check_phi(mfft_poisson *p) {
  double start = mfft_app_time(), moments[2] = {0, 0};
  mfft_precision precision;
  void *field = mfft_poisson_field(p, &precision);
  mfft_status status = mfft_residual_laplacian(&p->residual, &p->box, precision, field, p->phi_share);
  if (status == MFFT_SUCCESS) status = convert(p, precision, field, 0, 1, precision, NULL, moments);
  status = mfft_app_agree(status);
  add_over_ranks(moments, 2);
  p->phi_rms = sqrt(moments[1] / p->cells);
  p->check_s += mfft_app_time() - start;
  return status;
}

mfft_status mfft_poisson_output(mfft_poisson *p, int axis) {
  double start = mfft_app_time(), factor = p->options.coefficient / p->cells, unscale = 1;
  if (p->wide) {
    double power = p->power[axis + 1];
    factor = power > 0 ? wanted_rms(p) / sqrt(power / p->cells) : 0;
    unscale = power > 0 ? p->options.coefficient / (factor * p->source_scale) : 0;
  }
  const mfft_filter filter = mfft_greens_filter(&p->greens, axis, factor);
  mfft_status status = mfft_app_agree(mfft_plan_set_filter(p->plan, MFFT_BACKWARD, &filter));
  p->green_s += mfft_app_time() - start;
  if (status == MFFT_SUCCESS) status = transform(p, MFFT_BACKWARD);
  if (status == MFFT_SUCCESS && p->wide)
    status = mfft_app_agree(convert(p, p->precision, p->real.host, 0, unscale, MFFT_SINGLE, p->wide, NULL));
  return status == MFFT_SUCCESS && axis < 0 && p->options.check ? check_phi(p) : status;
}

/* The rms of the Laplacian's symbol over all modes: what it multiplies noise by. */
static double typical_eigenvalue(const mfft_greens *greens) {
  double mean[3] = {0, 0, 0}, square = 0;
  for (int a = 0; a < 3; a++)
    for (int64_t m = 0; m < greens->n[a]; m++) {
      double x = greens->laplacian[a][m], n = (double)greens->n[a];
      mean[a] += x / n;
      square += x * x / n;
    }
  return sqrt(square + 2 * (mean[0] * mean[1] + mean[1] * mean[2] + mean[2] * mean[0]));
}

mfft_poisson_check mfft_poisson_verify(const mfft_poisson *p) {
  /* Relative error of one transform over sqrt(log2 N), as the tests of the library bound it. */
  static const double bounds[] = {
      [MFFT_DOUBLE] = 4e-16, [MFFT_SINGLE] = 1.7e-7, [MFFT_HALF] = 3e-4, [MFFT_BFLOAT16] = 2.4e-3};
  double share[2 * MFFT_PROJECTIONS], error = 0, projected = 0;
  memcpy(share, p->source_share, sizeof p->source_share);
  memcpy(share + MFFT_PROJECTIONS, p->phi_share, sizeof p->phi_share);
  add_over_ranks(share, 2 * MFFT_PROJECTIONS);
  for (int i = 0; i < MFFT_PROJECTIONS; i++) {
    double source = p->options.coefficient * share[i], difference = share[MFFT_PROJECTIONS + i] - source;
    error += difference * difference / MFFT_PROJECTIONS;
    projected += source * source / MFFT_PROJECTIONS;
  }
  double rhs =
      mfft_greens_unfiltered(&p->options.greens) ? fabs(p->options.coefficient) * p->rms * sqrt(p->cells) : sqrt(projected);
  double one = bounds[p->precision] * sqrt(fmax(1, log2(p->cells)));
  mfft_poisson_check check = {0, 0, 1};
  if (rhs > 0) {
    check.residual = sqrt(error) / rhs;
    /* A filter leaves of the source's rounding more than of the source. */
    double source = fabs(p->options.coefficient) * p->rms * sqrt(p->cells);
    check.explained = one * (1 + (source + typical_eigenvalue(&p->greens) * p->phi_rms * sqrt(p->cells)) / rhs);
  } else
    check.residual = sqrt(error);
  check.passed = check.residual <= 4 * check.explained; /* NaN does not pass */
  return check;
}
