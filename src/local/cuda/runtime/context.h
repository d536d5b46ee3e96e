/* context.h: the device of the calling thread, its context and its limits. */
#ifndef MFFT_CUDA_CONTEXT_H
#define MFFT_CUDA_CONTEXT_H

#include "local/cuda/runtime/driver.h"

typedef struct mfft_cuda_current {
  const mfft_cuda_driver *driver;
  CUcontext context;
  /* No other context of this process has, or had, it; 0 where the driver gives none.  A new context may lie where a
   * destroyed one lay. */
  unsigned long long context_id;
  const mfft_device_limits *limits; /* as long as the process */
} mfft_cuda_current;

/* The device of the current context, else the one that was preferred, else that of the place on the node which the launcher
 * gave this process, else device 0; the primary context of these is made current.  Limits are asked for once a device. */
mfft_status mfft_cuda_find_current(mfft_cuda_current *current);

/* Whether the device was preferred, or a launcher has told the place. */
int mfft_cuda_placed(void);

/* Prefers device `place` modulo their number. */
void mfft_cuda_prefer(int place);

#endif
