#include "poisson/poisson_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/plan_options.h"
#include "cli/report.h"
#include "io/rows.h"
#include "mesh/exact_sum.h"
#include "mfft_memory.h"
#include "mfft_spectrum.h"

static int sixteen_bit(mfft_precision precision) { return precision == MFFT_HALF || precision == MFFT_BFLOAT16; }

/* The rms that 16-bit arrays are brought to: a single wave or cell is then at most 2^14. */
static double wanted_rms(const mfft_poisson *p) { return fmin(1, 16384 / sqrt(p->cells)); }

/* ---- Building -------------------------------------------------------------------------------------------------------- */

static mfft_status allocate(mfft_poisson *p) {
  const double part = p->options.sweep.part_mib;
  size_t out, workspace;
  mfft_memory memory;
  mfft_plan_bytes(p->plan, MFFT_OUT, &out);
  mfft_plan_workspace_bytes(p->plan, &workspace);
  mfft_plan_memory(p->plan, &memory);
  p->device = memory == MFFT_MEMORY_DEVICE;
  mfft_status status = mfft_swept_create(p->plan, MFFT_IN, part, p->options.buffered, "the field", &p->real);
  if (status == MFFT_SUCCESS) status = mfft_plan_array(p->plan, out, "the spectrum", &p->spectrum);
  p->bytes = p->real.bytes + out + workspace + (p->real.copies ? 2 * p->real.part_bytes : 0);
  if (status == MFFT_SUCCESS && sixteen_bit(p->precision)) {
    const int64_t cells = mfft_box_cells(&p->box);
    void *wide = NULL;
    status = mfft_app_alloc(cells, sizeof(float), "the field in single precision", &wide);
    p->wide = wide;
    p->wide_field = mfft_swept_over(wide, &p->box, sizeof(float), part);
    p->bytes += (size_t)cells * sizeof(float);
  }
  return status;
}

/* Leaves the residual out where it would take hours. */
static void limit_check(mfft_poisson *p) {
  const mfft_greens_spec *greens = &p->options.greens;
  for (int a = 0; a < 3 && p->options.check; a++)
    if (greens->n[a] > mfft_residual_longest(greens)) {
      mfft_app_note(
          "the residual is left out, since it would take hours for an axis of %lld cells; --greens fd2 or fd4 without "
          "filters can be checked",
          (long long)greens->n[a]);
      p->options.check = 0;
    }
}

mfft_status mfft_poisson_create(const mfft_poisson_options *options, const mfft_desc *given, const mfft_options *how,
                                mfft_poisson *p) {
  mfft_desc desc = *given;
  memset(p, 0, sizeof *p);
  p->options = *options;
  limit_check(p);
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
  mfft_status status = mfft_plan_options_create(&desc, how, &p->plan);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(p->plan, MFFT_IN, &p->box);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(p->plan, MFFT_OUT, &p->modes);
  if (status == MFFT_SUCCESS) status = allocate(p);
  if (status == MFFT_SUCCESS) status = mfft_greens_create(&options->greens, &p->greens);
  if (status == MFFT_ERR_MEMORY) return mfft_app_fail(status, "a mesh of this size does not fit; use more ranks");
  return status;
}

void mfft_poisson_destroy(mfft_poisson *p) {
  if (p->spectrum) mfft_memory_free(p->real.backend, p->spectrum);
  mfft_swept_destroy(&p->real);
  mfft_free(p->wide);
  mfft_plan_destroy(p->plan);
  mfft_greens_destroy(&p->greens);
  mfft_residual_destroy(&p->residual);
  memset(p, 0, sizeof *p);
}

mfft_swept *mfft_poisson_field(mfft_poisson *p, mfft_precision *precision) {
  *precision = p->wide ? MFFT_SINGLE : p->precision;
  return p->wide ? &p->wide_field : &p->real;
}

/* ---- Steps of sweeps ------------------------------------------------------------------------------------------------- */

/* What a step takes along. */
typedef struct pass_state {
  mfft_poisson *p;
  mfft_precision precision; /* of the array that is swept */
  double shift[2], factor;  /* the sum of both shifts is subtracted, the factor multiplies what is left */
  mfft_exact_sum squares;   /* of the results, one term a row */
  double largest;           /* magnitude of the results */
  mfft_projection *share;
} pass_state;

static void add_over_ranks(double *values, int count) {
  mfft_app_reduce(values, count, MPI_DOUBLE, MPI_SUM, "adding up the moments");
}

/* to = (from - shift) * factor over a part, unless `to` is NULL. */
static mfft_status convert(pass_state *pass, const mfft_box *part, mfft_precision from_precision, const void *from,
                           mfft_precision to_precision, void *to) {
  const int64_t count = mfft_box_side(part, 2), rows = mfft_box_side(part, 0) * mfft_box_side(part, 1);
  double *row = malloc((size_t)(count + 1) * sizeof(double));
  if (!row) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a row of the field");
  for (int64_t r = 0; r < rows; r++) {
    mfft_row_load(from_precision, from, r * count, count, row);
    for (int64_t i = 0; i < count; i++) row[i] = ((row[i] - pass->shift[0]) - pass->shift[1]) * pass->factor;
    const double square = mfft_row_dot(row, row, count);
    mfft_exact_add(&pass->squares, &square, 1);
    pass->largest = fmax(pass->largest, mfft_row_magnitude(row, count));
    if (to) mfft_row_store(to_precision, to, r * count, count, row);
  }
  free(row);
  return MFFT_SUCCESS;
}

static mfft_status measure(void *context, const mfft_box *part, void *data) {
  pass_state *pass = context;
  return convert(pass, part, pass->precision, data, pass->precision, NULL);
}

static mfft_status change(void *context, const mfft_box *part, void *data) {
  pass_state *pass = context;
  return convert(pass, part, pass->precision, data, pass->precision, data);
}

/* The place of a part in the array of singles. */
static float *wide_part(const mfft_poisson *p, const mfft_box *part) {
  const int64_t row = (part->lo[0] - p->box.lo[0]) * mfft_box_side(&p->box, 1) + part->lo[1] - p->box.lo[1];
  return p->wide + row * mfft_box_side(&p->box, 2);
}

static mfft_status narrow(void *context, const mfft_box *part, void *data) {
  pass_state *pass = context;
  return convert(pass, part, MFFT_SINGLE, wide_part(pass->p, part), pass->p->precision, data);
}

static mfft_status widen(void *context, const mfft_box *part, void *data) {
  pass_state *pass = context;
  return convert(pass, part, pass->p->precision, data, MFFT_SINGLE, wide_part(pass->p, part));
}

/* Removes the mean, and projects what is left. */
static mfft_status centre(void *context, const mfft_box *part, void *data) {
  pass_state *pass = context;
  mfft_poisson *p = pass->p;
  mfft_status status = change(context, part, data);
  const double start = mfft_app_time();
  if (status == MFFT_SUCCESS && p->options.check)
    status = mfft_residual_filter(&p->residual, part, pass->precision, data, pass->share);
  p->check_s += mfft_app_time() - start;
  return status;
}

static mfft_status project_phi(void *context, const mfft_box *part, void *data) {
  pass_state *pass = context;
  mfft_status status = mfft_residual_laplacian(&pass->p->residual, part, pass->precision, data, pass->share);
  return status == MFFT_SUCCESS ? measure(context, part, data) : status;
}

/* A sweep on all ranks; the sums over all of them. */
static mfft_status sweep(mfft_swept *swept, int does, mfft_sweep_step *step, pass_state *pass) {
  memset(&pass->squares, 0, sizeof pass->squares);
  pass->largest = 0;
  mfft_status status = mfft_app_agree(mfft_sweep(swept, does, step, pass));
  if (status != MFFT_SUCCESS) return status;
  mfft_exact_gather(&pass->squares);
  mfft_app_reduce(&pass->largest, 1, MPI_DOUBLE, MPI_MAX, "finding the largest value");
  return MFFT_SUCCESS;
}

/* The root mean square of what was swept. */
static double rms_of(const pass_state *pass) { return sqrt(mfft_exact_value(&pass->squares, NULL) / pass->p->cells); }

/* A device answers before it is done; what it takes is measured until then. */
static mfft_status transform(mfft_poisson *p, mfft_direction direction) {
  double start = mfft_app_time();
  int forward = direction == MFFT_FORWARD;
  mfft_status status =
      mfft_execute(p->plan, direction, forward ? p->real.plan : p->spectrum, forward ? p->spectrum : p->real.plan);
  if (status == MFFT_SUCCESS) status = mfft_plan_synchronize(p->plan);
  p->transform_s += mfft_app_time() - start;
  return status;
}

/* ---- The source ------------------------------------------------------------------------------------------------------ */

/* The power that each output will have, of planes of the spectrum that are looked at one after another. */
static mfft_status measure_outputs(mfft_poisson *p) {
  double start = mfft_app_time();
  mfft_box plane = p->modes;
  size_t bytes = (size_t)(mfft_box_side(&plane, 1) * mfft_box_side(&plane, 2)) * 2 * mfft_row_real_bytes(p->precision);
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

/* The vectors that the source and phi are projected on. */
static mfft_status prepare_check(mfft_poisson *p) {
  const double start = mfft_app_time();
  mfft_status status = mfft_residual_create(&p->options.greens, &p->residual);
  if (status != MFFT_SUCCESS)
    mfft_app_fail(status, "no memory for the residual of a mesh of this size; leave it out (--no-check)");
  p->check_s += mfft_app_time() - start;
  return mfft_app_agree(status);
}

/* The squares of what was swept fit a double with all their digits, or all of it is 0. */
static mfft_status check_squares(const pass_state *pass) {
  const double squares = mfft_exact_value(&pass->squares, NULL);
  if (isfinite(squares) && (pass->largest == 0 || isnormal(squares))) return MFFT_SUCCESS;
  return mfft_app_fail(
      MFFT_ERR_NONFINITE,
      "the values of the field, up to %.3g about their mean, are too %s: double precision cannot hold their squares; write "
      "it in other units",
      pass->largest, isfinite(squares) ? "small" : "large");
}

/* What is left of a uniform field is the rounding of its values: it is made 0. */
static mfft_status clear(pass_state *pass, mfft_swept *field) {
  mfft_poisson *p = pass->p;
  p->rms = pass->factor = 0;
  p->uniform = 1;
  memset(&p->source_share, 0, sizeof p->source_share);
  return sweep(field, MFFT_SWEEP_READS | MFFT_SWEEP_WRITES, change, pass);
}

mfft_status mfft_poisson_centre(mfft_poisson *p, double mean, const double left[2], mfft_precision stored) {
  enum { READS = MFFT_SWEEP_READS, WRITES = MFFT_SWEEP_WRITES };
  pass_state pass = {.p = p, .shift = {left[0], left[1]}, .factor = 1, .share = &p->source_share};
  mfft_swept *field = mfft_poisson_field(p, &pass.precision);
  mfft_status status = p->options.check ? prepare_check(p) : MFFT_SUCCESS;
  if (status == MFFT_SUCCESS) status = sweep(field, READS | WRITES, centre, &pass);
  if (status != MFFT_SUCCESS) return status;
  p->mean = mean;
  p->rms = rms_of(&pass);
  p->rounding = mfft_row_epsilon(stored) * fabs(p->mean);
  if (pass.largest > p->rounding) status = check_squares(&pass);
  if (status != MFFT_SUCCESS) return status;
  if (mfft_row_uniform(stored, p->mean, p->rms)) return clear(&pass, field);
  if (p->rms >= mfft_row_smallest_normal(pass.precision)) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_NONFINITE,
                       "the values of the field are too small for single precision, of rms %.3g about their mean; give "
                       "--precision double, or write it in other units",
                       p->rms);
}

mfft_status mfft_poisson_source(mfft_poisson *p) {
  mfft_status status = MFFT_SUCCESS;
  if (p->wide) {
    pass_state pass = {.p = p, .precision = p->precision};
    pass.factor = p->source_scale = p->rms > 0 ? wanted_rms(p) / p->rms : 0;
    status = sweep(&p->real, MFFT_SWEEP_WRITES, narrow, &pass);
  }
  if (status == MFFT_SUCCESS) status = transform(p, MFFT_FORWARD);
  return status == MFFT_SUCCESS && p->wide ? measure_outputs(p) : status;
}

/* ---- Outputs --------------------------------------------------------------------------------------------------------- */

/* Projects phi and measures it, once it is in the field. */
static mfft_status check_phi(mfft_poisson *p) {
  double start = mfft_app_time() - p->real.wait_s;
  const double c = p->options.coefficient;
  pass_state pass = {.p = p, .factor = c != 0 ? 1 / fabs(c) : 1, .share = &p->phi_share};
  mfft_swept *field = mfft_poisson_field(p, &pass.precision);
  mfft_status status = sweep(field, MFFT_SWEEP_READS, project_phi, &pass);
  p->phi_rms = rms_of(&pass);
  p->check_s += mfft_app_time() - p->real.wait_s - start;
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
  if (status == MFFT_SUCCESS && p->wide) {
    pass_state pass = {.p = p, .factor = unscale};
    status = sweep(&p->real, MFFT_SWEEP_READS, widen, &pass);
  }
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

double mfft_poisson_expected_rms(const mfft_poisson *p, int derivatives) {
  const double eigenvalue = typical_eigenvalue(&p->greens);
  return fabs(p->options.coefficient) * p->rms / (derivatives ? sqrt(eigenvalue) : eigenvalue);
}

mfft_poisson_check mfft_poisson_verify(const mfft_poisson *p) {
  /* Relative error of one transform over sqrt(log2 N), as the tests of the library bound it. */
  static const double bounds[] = {
      [MFFT_DOUBLE] = 4e-16, [MFFT_SINGLE] = 1.7e-7, [MFFT_HALF] = 3e-4, [MFFT_BFLOAT16] = 2.6e-3};
  double share[2 * MFFT_PROJECTIONS], error = 0, projected = 0;
  for (int i = 0; i < MFFT_PROJECTIONS; i++) {
    share[i] = mfft_projection_share(&p->source_share, i);
    share[MFFT_PROJECTIONS + i] = mfft_projection_share(&p->phi_share, i);
  }
  add_over_ranks(share, 2 * MFFT_PROJECTIONS);
  /* Both sides over c, so that its size does not matter; with c = 0 phi is 0. */
  const double c = p->options.coefficient, unit = c != 0 ? 1 / c : 1, whole = c != 0 ? p->rms * sqrt(p->cells) : 0;
  for (int i = 0; i < MFFT_PROJECTIONS; i++) {
    double source = c != 0 ? share[i] : 0, difference = unit * share[MFFT_PROJECTIONS + i] - source;
    error += difference * difference / MFFT_PROJECTIONS;
    projected += source * source / MFFT_PROJECTIONS;
  }
  double rhs = mfft_greens_unfiltered(&p->options.greens) ? whole : sqrt(projected);
  double one = bounds[p->precision] * sqrt(fmax(1, log2(p->cells)));
  mfft_poisson_check check = {0, 0, 1};
  if (rhs > 0) {
    check.residual = sqrt(error) / rhs;
    /* A filter leaves of the source's rounding more than of the source. */
    check.explained = one * (1 + (whole + typical_eigenvalue(&p->greens) * p->phi_rms * sqrt(p->cells)) / rhs);
  } else
    check.residual = sqrt(error);
  check.passed = isfinite(check.residual) && check.residual <= 4 * check.explained;
  return check;
}
