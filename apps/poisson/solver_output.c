/* solver_output.c: the outputs of a Poisson solve: phi and the components of the force, left in the field. */
#include <math.h>

#include "cli/collective.h"
#include "cli/phases.h"
#include "cli/report.h"
#include "poisson/solver_pass.h"

/* Transforms the spectrum of an output to the field.  factor: the coefficient times any scale. */
static mfft_status compute(mfft_poisson *p, int axis, double factor) {
  const mfft_wall *wall = axis >= 0 && p->walls.axis[axis].plan ? &p->walls.axis[axis] : NULL;
  const mfft_plan plan = wall ? wall->plan : p->plan;
  void *spectrum = p->product ? p->product : p->spectrum;
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_GREEN);
  const mfft_filter filter =
      p->open.plan ? mfft_open_filter(&p->open, axis, p->greens.force) : mfft_greens_filter(&p->greens, axis, factor);
  mfft_status status = MFFT_SUCCESS;
  if (!p->open.plan || p->product) status = mfft_app_agree(mfft_plan_set_filter(plan, MFFT_BACKWARD, &filter));
  mfft_phase_enter(before);
  if (status == MFFT_SUCCESS && p->open.plan) status = mfft_app_agree(mfft_open_multiply(&p->open, axis, factor));
  if (status == MFFT_SUCCESS && wall) status = mfft_wall_shift(wall, p->spectrum, &spectrum);
  return status == MFFT_SUCCESS ? mfft_poisson_transform(p, plan, MFFT_BACKWARD, spectrum) : status;
}

mfft_status mfft_poisson_output(mfft_poisson *p, int axis) {
  double factor = p->options.coefficient / p->points, unscale = 1;
  if (p->wide) {
    double power = p->power[axis + 1];
    factor = power > 0 ? mfft_poisson_wanted_rms(p) / sqrt(power / p->cells) : 0;
    unscale = power > 0 ? p->options.coefficient / (factor * p->source_scale) : 0;
  }
  mfft_status status = compute(p, axis, factor);
  if (status == MFFT_SUCCESS && p->wide) {
    mfft_poisson_pass pass = {.p = p,
                              .from = p->precision,
                              .to = MFFT_SINGLE,
                              .factor = unscale,
                              .source = mfft_poisson_in_part,
                              .target = mfft_poisson_in_wide};
    const mfft_job_phase wide = mfft_phase_enter(MFFT_PHASE_WRITE);
    status = mfft_poisson_sweep(&p->real, MFFT_SWEEP_READS, &pass);
    mfft_phase_enter(wide);
  }
  return status;
}

void mfft_poisson_swap_arrays(mfft_poisson *p) {
  void *other = p->spare;
  p->spare = p->real.plan;
  p->real.plan = other;
}
