/* plan_only.h: the plan-only backend of the merging engine: plans without a device. */
#ifndef MFFT_CUDA_PLAN_ONLY_H
#define MFFT_CUDA_PLAN_ONLY_H

#include "local/backend.h"

extern const mfft_backend mfft_backend_cuda_plan_only;

#endif
