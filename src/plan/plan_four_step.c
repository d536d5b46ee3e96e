/* plan_four_step.c: one dimension in scrambled order within one process: n = n1*n2 as an n1 x n2 matrix.
 *
 *     forward    FFT of the columns, twiddle, FFT of the rows; element k1 + n1*k2 of the result is at k1*n2 + k2
 *     backward   the same steps in reverse
 *
 * Distributed plans of rank 1 have the same order (mfft_mpi.h).  A backend that can do it in one transform does so; for
 * others the steps are stages. */
#include <inttypes.h>
#include <string.h>

#include "mfft_spectrum.h"
#include "plan/plan.h"

int64_t mfft_four_step_rows(int64_t n) {
  int64_t divisor = 1;
  for (int64_t d = 1; d <= n / d; d++)
    if (n % d == 0) divisor = d;
  return divisor;
}

mfft_status mfft_plan_four_step(mfft_plan plan, int64_t *n1, int64_t *n2) {
  if (!plan || !n1 || !n2) return mfft_fail(MFFT_ERR_ARG, "%s is NULL", !plan ? "plan" : !n1 ? "n1" : "n2");
  if (!plan->four_step[0])
    return mfft_fail(MFFT_ERR_ARG,
                     "the plan has rank %d and is in natural order on one process; plans of rank 1 are split over several "
                     "ranks or with scrambled = 1",
                     plan->desc.rank);
  *n1 = plan->four_step[0];
  *n2 = plan->four_step[1];
  return MFFT_SUCCESS;
}

/* A spec of contiguous complex transforms of length n; the caller sets the axis and its loops. */
static mfft_fft_spec make_spec(mfft_plan plan, mfft_direction direction) {
  const mfft_desc *d = &plan->desc;
  mfft_fft_spec spec;
  memset(&spec, 0, sizeof spec); /* specs are compared by bytes */
  spec.type = MFFT_FFT_C2C;
  spec.direction = direction;
  spec.precision = d->precision;
  mfft_desc_set_scale(d, direction, &spec);
  spec.in_place = d->placement == MFFT_IN_PLACE;
  spec.destroy_input = !spec.in_place && d->allow_destroy_input;
  mfft_plan_steer(plan, &spec);
  spec.naxes = 1;
  spec.axis[0] = (mfft_dim){d->n[0], 1, 1};
  if (d->batch > 1) spec.loop[spec.nloops++] = (mfft_dim){d->batch, d->n[0], d->n[0]};
  return spec;
}

static mfft_status add_fft(mfft_plan plan, const mfft_fft_spec *spec, const char *label, mfft_buffer from) {
  mfft_fft *fft = NULL;
  MFFT_TRY(mfft_plan_fft(plan, spec, &fft));
  mfft_stage *stage = mfft_program_add(&plan->program[spec->direction], MFFT_STAGE_FFT, "%s", label);
  if (!stage) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a stage");
  stage->fft = fft;
  stage->in.buffer = from;
  stage->out.buffer = MFFT_BUFFER_DST;
  return MFFT_SUCCESS;
}

static mfft_status add_twiddle(mfft_plan plan, mfft_direction direction) {
  mfft_stage *stage = mfft_program_add(&plan->program[direction], MFFT_STAGE_TWIDDLE, "twiddle");
  if (!stage) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a stage");
  stage->out.buffer = MFFT_BUFFER_DST;
  stage->twiddle = (mfft_twiddle_args){
      .direction = direction, .n = {plan->desc.batch, plan->four_step[0], plan->four_step[1]}, .length = plan->desc.n[0]};
  return MFFT_SUCCESS;
}

/* Adds the FFTs of the columns or of the rows.  first: reads the caller's input; else in place on the output. */
static mfft_status add_lines(mfft_plan plan, mfft_direction direction, int columns, int first) {
  const int64_t n1 = plan->four_step[0], n2 = plan->four_step[1];
  mfft_fft_spec spec = make_spec(plan, direction);
  spec.axis[0] = columns ? (mfft_dim){n1, n2, n2} : (mfft_dim){n2, 1, 1};
  spec.loop[spec.nloops++] = columns ? (mfft_dim){n2, 1, 1} : (mfft_dim){n1, n2, n2};
  if (first) mfft_fft_set_scale(&spec, 1, 0);
  if (!first) spec.in_place = 1, spec.destroy_input = 0;
  return add_fft(plan, &spec, columns ? "fft columns" : "fft rows", first ? MFFT_BUFFER_SRC : MFFT_BUFFER_DST);
}

static mfft_status build(mfft_plan plan, mfft_direction direction) {
  mfft_fft_spec spec = make_spec(plan, direction);
  if (plan->four_step[0] == 1) return add_fft(plan, &spec, "fft x", MFFT_BUFFER_SRC); /* one row: both orders are the same */
  if (plan->backend->scrambles) {
    spec.scrambled = plan->four_step[0];
    mfft_status status = add_fft(plan, &spec, "fft x scrambled", MFFT_BUFFER_SRC);
    if (status != MFFT_ERR_UNSUPPORTED) return status;
  }
  MFFT_TRY(add_lines(plan, direction, direction == MFFT_FORWARD, 1));
  MFFT_TRY(add_twiddle(plan, direction));
  return add_lines(plan, direction, direction == MFFT_BACKWARD, 0);
}

mfft_status mfft_plan_build_four_step(mfft_plan plan) {
  const mfft_desc *d = &plan->desc;
  const int packed =
      d->in_stride[0] == 1 && d->out_stride[0] == 1 && (d->batch == 1 || (d->in_dist == d->n[0] && d->out_dist == d->n[0]));
  if (d->kind != MFFT_C2C)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "scrambled order (scrambled = 1) is for complex transforms; use C2C, or natural order");
  if (!packed)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "scrambled order (scrambled = 1) is for packed arrays, and the strides are %" PRId64 " and %" PRId64
                     "; leave strides and distances 0, or use natural order",
                     d->in_stride[0], d->out_stride[0]);
  plan->four_step[0] = mfft_four_step_rows(d->n[0]);
  plan->four_step[1] = d->n[0] / plan->four_step[0];
  MFFT_TRY(build(plan, MFFT_FORWARD));
  return build(plan, MFFT_BACKWARD);
}
