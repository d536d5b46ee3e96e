/* plan_only.h: the plan-only form of the cuda backend, which needs no device. */
#ifndef MFFT_CUDA_PLAN_ONLY_H
#define MFFT_CUDA_PLAN_ONLY_H

#include "local/backend.h"
#include "local/cuda/planner/phases.h"

extern const mfft_backend mfft_backend_cuda_plan_only;

/* Settings for the program that compiles kernels when the library is built: the limits for which plans are made (NULL: those
 * of the device of this machine, or of an H200), and a function that is called with each transform (NULL: none). */
typedef struct mfft_plan_only_hooks {
  const mfft_device_limits *limits;
  void (*made)(const mfft_phases *phases);
} mfft_plan_only_hooks;
extern mfft_plan_only_hooks mfft_plan_only;

#endif
