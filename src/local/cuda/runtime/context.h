/* context.h: the device of the calling thread, its context and its limits. */
#ifndef MFFT_CUDA_CONTEXT_H
#define MFFT_CUDA_CONTEXT_H

#include "local/cuda/planner/limits.h"
#include "local/cuda/runtime/driver.h"

typedef struct mfft_cuda_current {
  const mfft_cuda_driver *driver;
  CUcontext context;
  /* A number that no other context of this process has or had, since a new context may have the address of a destroyed one;
   * 0 if the driver cannot give such numbers. */
  unsigned long long context_id;
  const mfft_device_limits *limits; /* never freed */
} mfft_cuda_current;

/* Finds the device of the current context.  If no context is current, the primary context of a device is made current: the
 * device that was preferred, otherwise that of the index on the node which the launcher gave this process, otherwise device
 * 0.  Limits are read from the driver once for each device. */
mfft_status mfft_cuda_find_current(mfft_cuda_current *current);

/* Whether a device was preferred, or the launcher has given this process an index on its node. */
int mfft_cuda_placed(void);

/* Prefers device `place` modulo the number of devices. */
void mfft_cuda_prefer(int place);

#endif
