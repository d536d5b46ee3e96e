/* plan_only.c: the plan-only form of the cuda backend: its transforms can be created and printed, but not run.  They are
 * planned for the device of this machine, or for an H200 if there is none. */
#include "local/cuda/plan_only.h"

#include <stdlib.h>

#include "local/cuda/choose.h"
#include "local/cuda/planner/phases.h"
#include "local/cuda/planner/print.h"
#include "local/cuda/planner/trigonometric_phases.h"
#include "local/cuda/runtime/context.h"
#include "local/cuda/trigonometric.h"
#include "mfft_inspect.h"

typedef struct planned_fft {
  mfft_fft base;
  mfft_phases phases;
} planned_fft;

mfft_plan_only_hooks mfft_plan_only;

static mfft_status probe(void) { return MFFT_SUCCESS; }

static mfft_status alloc(size_t bytes, void **pointer) {
  (void)pointer;
  return mfft_fail(MFFT_ERR_NO_DEVICE, "cuda: %zu bytes for a plan that is only an outline", bytes);
}

static void release(void *pointer) { (void)pointer; }

/* The limits for which plans are made; *device: 1: they are those of the device of this machine. */
static const mfft_device_limits *find_limits(int *device) {
  mfft_cuda_current current;
  *device = !mfft_plan_only.limits && mfft_cuda_find_current(&current) == MFFT_SUCCESS;
  if (*device) return current.limits;
  return mfft_plan_only.limits ? mfft_plan_only.limits : &mfft_limits_sm90;
}

static int fuses(const mfft_fft_spec *spec) {
  int device;
  mfft_phases phases;
  return !mfft_fft_has_kinds(spec) && mfft_phases_make(spec, find_limits(&device), &phases) == MFFT_SUCCESS;
}

static mfft_status create(const mfft_fft_spec *spec, mfft_fft **fft) {
  int there;
  const mfft_device_limits *limits = find_limits(&there);
  const int kinds = mfft_fft_has_kinds(spec);
  if (kinds && !mfft_trigonometric_in_phases(spec, limits))
    return mfft_cuda_trigonometric_create(spec, limits, &mfft_backend_cuda_plan_only, 0, fft);
  planned_fft *made = calloc(1, sizeof *made);
  if (!made) return mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory for a plan of %zu bytes", sizeof *made);
  mfft_fft_spec chosen = *spec;
  if (!kinds && there && mfft_cuda_fft_known(&chosen, limits->arch)) made->base.chosen = MFFT_CHOSEN_FROM_WISDOM;
  mfft_status status = mfft_phases_make(&chosen, limits, &made->phases);
  if (status != MFFT_SUCCESS) {
    free(made);
    return status;
  }
  if (mfft_plan_only.made) mfft_plan_only.made(&made->phases);
  made->base.backend = &mfft_backend_cuda_plan_only;
  made->base.work_bytes = made->phases.work_bytes;
  *fft = &made->base;
  return MFFT_SUCCESS;
}

static mfft_status execute(const mfft_fft *fft, const void *in, void *out, void *work, void *stream) {
  (void)fft, (void)in, (void)out, (void)work, (void)stream;
  return mfft_fail(MFFT_ERR_STATE, "cuda: the plan is only an outline");
}

static void print(const mfft_fft *fft, char *text, size_t size) {
  mfft_phases_print(&((const planned_fft *)fft)->phases, text, size);
}

static void destroy(mfft_fft *fft) { free(fft); }

const mfft_backend mfft_backend_cuda_plan_only = {
    .name = "cuda",
    .summary = "the plans of one NVIDIA GPU, without it",
    .host_memory = 0,
    .trigonometric = 1,
    .scrambles = 1,
    .no_long_double = MFFT_NO_LONG_DOUBLE_ON_GPUS,
    .probe = probe,
    .alloc = alloc,
    .free = release,
    .fft_create = create,
    .fft_execute = execute,
    .fft_print = print,
    .fft_destroy = destroy,
    .fuses = fuses,
};
