/* solver_source.c: the source of a Poisson solve: the field without its mean, and its spectrum. */
#include <math.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/phases.h"
#include "cli/report.h"
#include "io/rows.h"
#include "mfft_memory.h"
#include "poisson/solver_pass.h"

/* Computes the power of each output from the spectrum, plane by plane, so that only one plane is copied to the host. */
static mfft_status measure_outputs(mfft_poisson *p) {
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_GREEN);
  mfft_box plane = p->modes;
  size_t bytes = (size_t)(mfft_box_side(&plane, 1) * mfft_box_side(&plane, 2)) * 2 * mfft_real_bytes(p->precision);
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
  mfft_app_reduce(p->power, 4, MPI_DOUBLE, MPI_SUM, "adding up the moments");
  mfft_phase_enter(before);
  return status;
}

/* Creates the vectors that the source and phi are projected on. */
static mfft_status prepare_check(mfft_poisson *p) {
  if (p->residual.sign[0]) return MFFT_SUCCESS; /* they exist since the preceding field */
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_CHECK);
  mfft_status status = mfft_residual_create(&p->options.greens, &p->residual);
  if (status != MFFT_SUCCESS)
    mfft_app_fail(status, "no memory for the residual of a mesh of this size; leave it out (--no-check)");
  mfft_phase_enter(before);
  return mfft_app_agree(status);
}

/* Checks that the sum of squares is a normal number or that all values are 0; otherwise the rms has lost digits. */
static mfft_status check_squares(const mfft_poisson_pass *pass) {
  const double squares = mfft_exact_value(&pass->all.squares, NULL);
  if (isfinite(squares) && (pass->all.largest == 0 || isnormal(squares))) return MFFT_SUCCESS;
  return mfft_app_fail(
      MFFT_ERR_NONFINITE,
      "the values of the field, up to %.3g about their mean, are too %s: double precision cannot hold their squares; write "
      "it in other units",
      pass->all.largest, isfinite(squares) ? "small" : "large");
}

/* Sets a uniform field to 0: without its mean only the rounding of its values remains. */
static mfft_status clear(mfft_poisson_pass *pass, mfft_swept *field) {
  mfft_poisson *p = pass->p;
  p->rms = pass->factor = 0;
  p->uniform = 1;
  pass->project = 0;
  memset(&p->source_share, 0, sizeof p->source_share);
  return mfft_poisson_sweep(field, MFFT_SWEEP_READS | MFFT_SWEEP_WRITES, pass);
}

static mfft_status centre_field(mfft_poisson *p, double mean, const double left[2], mfft_precision stored) {
  enum { READS = MFFT_SWEEP_READS, WRITES = MFFT_SWEEP_WRITES };
  mfft_poisson_pass pass = {
      .p = p, .shift = {left[0], left[1]}, .factor = 1, .source = mfft_poisson_in_part, .target = mfft_poisson_in_part};
  mfft_swept *field = mfft_poisson_field(p, &pass.from);
  pass.to = pass.from;
  pass.project = p->options.check;
  mfft_status status = p->options.check ? prepare_check(p) : MFFT_SUCCESS;
  if (status == MFFT_SUCCESS) status = mfft_poisson_sweep(field, READS | WRITES, &pass);
  if (status != MFFT_SUCCESS) return status;
  p->source_share = pass.all.share;
  p->mean = mean;
  p->rms = mfft_poisson_pass_rms(&pass);
  p->rounding = mfft_row_epsilon(stored) * fabs(p->mean);
  if (pass.all.largest > p->rounding) status = check_squares(&pass);
  if (status != MFFT_SUCCESS) return status;
  if (mfft_row_uniform(stored, p->mean, p->rms)) return clear(&pass, field);
  if (p->rms >= mfft_row_smallest_normal(pass.to)) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_NONFINITE,
                       "the values of the field are too small for single precision, of rms %.3g about their mean; give "
                       "--precision double, or write it in other units",
                       p->rms);
}

mfft_status mfft_poisson_centre(mfft_poisson *p, double mean, const double left[2], mfft_precision stored) {
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_CENTRE);
  const mfft_status status = centre_field(p, mean, left, stored);
  mfft_phase_enter(before);
  return status;
}

mfft_status mfft_poisson_source(mfft_poisson *p) {
  mfft_status status = MFFT_SUCCESS;
  if (p->wide) {
    mfft_poisson_pass pass = {
        .p = p, .from = MFFT_SINGLE, .to = p->precision, .source = mfft_poisson_in_wide, .target = mfft_poisson_in_part};
    pass.factor = p->source_scale = p->rms > 0 ? mfft_poisson_wanted_rms(p) / p->rms : 0;
    const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_CENTRE);
    status = mfft_poisson_sweep(&p->real, MFFT_SWEEP_WRITES, &pass);
    mfft_phase_enter(before);
  }
  if (status == MFFT_SUCCESS) status = mfft_poisson_transform(p, p->plan, MFFT_FORWARD, p->spectrum);
  return status == MFFT_SUCCESS && p->wide ? measure_outputs(p) : status;
}
