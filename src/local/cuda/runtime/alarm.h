/* alarm.h: the watchdog for kernels that wait on the device for a signal of another rank. */
#ifndef MFFT_CUDA_ALARM_H
#define MFFT_CUDA_ALARM_H

#include "local/cuda/kernels/args/signal_args.h"
#include "local/cuda/runtime/driver.h"

/* Returns the memory in which a kernel reports that it has waited for MFFT_NOTICE_S seconds, or for limit_ns (the value of
 * MFFT_WATCHDOG_S; 0: no limit).  The first call starts a thread that reads this memory ten times a second.  The thread
 * prints which rank is missing, and if limit_ns is exceeded it ends the process, and with it the job. */
mfft_status mfft_cuda_alarm(const mfft_cuda_driver *driver, mfft_alarm **alarm, unsigned long long *limit_ns);

#endif
