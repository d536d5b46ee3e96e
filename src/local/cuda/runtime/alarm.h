/* alarm.h: the watchdog of waits that no host thread takes part in. */
#ifndef MFFT_CUDA_ALARM_H
#define MFFT_CUDA_ALARM_H

#include "local/cuda/runtime/driver.h"

/* Where a kernel that has waited for MFFT_NOTICE_S, or for limit_ns (MFFT_WATCHDOG_S; 0: for ever), tells so.  The first
 * call starts the thread that looks there ten times a second and says which rank is missing; in the second case it ends the
 * process, and with it the job. */
mfft_status mfft_cuda_alarm(const mfft_cuda_driver *driver, mfft_alarm **alarm, unsigned long long *limit_ns);

#endif
