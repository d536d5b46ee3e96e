/* plan_only.h: the plan-only backend of the merging engine: plans without a device. */
#ifndef MFFT_CUDA_PLAN_ONLY_H
#define MFFT_CUDA_PLAN_ONLY_H

#include "local/backend.h"
#include "local/cuda/planner/phases.h"

extern const mfft_backend mfft_backend_cuda_plan_only;

/* For the program that compiles kernels beforehand: what it makes plans for, and what is told of each transform.  NULLs: the
 * device that is there, and nothing. */
typedef struct mfft_plan_only_hooks {
  const mfft_device_limits *limits;
  void (*made)(const mfft_phases *phases);
} mfft_plan_only_hooks;
extern mfft_plan_only_hooks mfft_plan_only;

#endif
