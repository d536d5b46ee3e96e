/* trigonometric_phases.c: see trigonometric_phases.h. */
#include "local/cuda/planner/trigonometric_phases.h"
#include "local/cuda/planner/schedule.h"

#include <string.h>

#include "local/cuda/planner/parts.h"
#include "local/cuda/planner/trigonometric_steps.h"

/* Whether the steps are passes alone: all axes are of cosines or sines, and each is one pass. */
static int are_passes(const mfft_trigonometric_steps *steps) {
  int passes = !steps->has_dfts && steps->axes > 0;
  for (int i = 0; i < steps->axes; i++) passes &= steps->axis[i].fused;
  return passes;
}

/* The passes of some axes as a phase, the first from where it reads to the output, the others in place there. */
static mfft_status add_phase(const mfft_trigonometric_steps *steps, const mfft_fft_spec *spec,
                             const mfft_device_limits *limits, int first, int end, mfft_phases *phases) {
  mfft_phase *p = &phases->phase[phases->count++];
  const double numbers = (double)steps->axis[end - 1].dim.n * (double)steps->axis[end - 1].lines;
  const int64_t parts = first < steps->grouped ? steps->parts : 1;
  const mfft_device_limits cached = mfft_limits_in_cache(limits);
  mfft_schedule one;
  *p = (mfft_phase){.src = first ? MFFT_AT_OUT : MFFT_AT_IN, .dst = MFFT_AT_OUT, .parts = {parts, 1}, .share = 1};
  p->bytes = 2 * (double)mfft_real_bytes(spec->precision) * numbers * (double)parts;
  if (parts > 1) p->in_step_bytes[0] = steps->in_step_bytes, p->out_step_bytes[0] = steps->out_step_bytes;
  for (int i = first; i < end; i++) {
    MFFT_TRY(mfft_schedule_make(&steps->axis[i].spec[0], parts > 1 ? &cached : limits, &one));
    mfft_pass *pass = &p->schedule.pass[p->schedule.count++];
    *pass = one.pass[0];
    if (i > first || first) pass->src = MFFT_AT_OUT;
  }
  if (parts > 1) mfft_schedule_in_parts(&mfft_tuned_for(limits)->parts, spec, &p->schedule);
  phases->streams |= parts > 1;
  phases->launches += parts * p->schedule.count;
  return MFFT_SUCCESS;
}

mfft_status mfft_trigonometric_phases(const mfft_fft_spec *spec, const mfft_device_limits *limits, mfft_phases *phases) {
  mfft_trigonometric_steps steps;
  phases->count = 0;
  MFFT_TRY(mfft_trigonometric_plan(spec, limits, &steps));
  if (!are_passes(&steps))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: axes of cosines or sines that are not one pass each");
  if (steps.grouped) MFFT_TRY(add_phase(&steps, spec, limits, 0, steps.grouped, phases));
  if (steps.grouped < steps.axes) MFFT_TRY(add_phase(&steps, spec, limits, steps.grouped, steps.axes, phases));
  phases->bytes = mfft_spec_bytes(spec);
  return MFFT_SUCCESS;
}

int mfft_trigonometric_in_phases(const mfft_fft_spec *spec, const mfft_device_limits *limits) {
  mfft_trigonometric_steps steps;
  return mfft_trigonometric_plan(spec, limits, &steps) == MFFT_SUCCESS && are_passes(&steps);
}
