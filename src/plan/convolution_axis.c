/* convolution_axis.c: see convolution_axis.h. */
#include "plan/convolution_axis.h"

#include "plan/slow_axis.h"

static mfft_status make_parts(mfft_plan plan, const mfft_fft_spec spec[3], mfft_convolution_axis *x) {
  size_t work = 0;
  for (int i = 0; i < 3; i++) {
    MFFT_TRY(plan->backend->fft_create(&spec[i], &x->part[i]));
    if (x->part[i]->work_bytes > work) work = x->part[i]->work_bytes;
  }
  return work ? plan->backend->alloc(work, &x->work) : MFFT_SUCCESS;
}

mfft_status mfft_convolution_axis_create(mfft_plan plan, int conjugate, mfft_convolution_axis *x) {
  const mfft_convolved factors = conjugate ? MFFT_CONVOLVED_BY_CONJUGATE : MFFT_CONVOLVED_BY_ARRAY;
  mfft_fft_spec spec[3];
  if (plan->dist || !mfft_slow_axis_specs(plan, factors, spec)) return MFFT_SUCCESS;
  const mfft_status status = make_parts(plan, spec, x);
  if (status != MFFT_SUCCESS) mfft_convolution_axis_destroy(plan, x);
  return status == MFFT_ERR_UNSUPPORTED ? MFFT_SUCCESS : status;
}

mfft_status mfft_convolution_axis_run(mfft_plan plan, const mfft_convolution_axis *x, const void *in, void *spectrum,
                                      const void *kernel, void *out) {
  x->part[1]->filter_tables = kernel;
  MFFT_TRY(x->part[0]->backend->fft_execute(x->part[0], in, spectrum, x->work, plan->stream));
  MFFT_TRY(x->part[1]->backend->fft_execute(x->part[1], spectrum, spectrum, x->work, plan->stream));
  return x->part[2]->backend->fft_execute(x->part[2], spectrum, out, x->work, plan->stream);
}

void mfft_convolution_axis_destroy(mfft_plan plan, mfft_convolution_axis *x) {
  for (int i = 0; i < 3; i++)
    if (x->part[i]) x->part[i]->backend->fft_destroy(x->part[i]);
  if (x->work) plan->backend->free(x->work);
  *x = (mfft_convolution_axis){{NULL}, NULL};
}
