/* loop.c: see loop.h. */
#include "particles/loop.h"

#include "base/status.h"

mfft_status mfft_pm_run(mfft_workers workers, int64_t count, mfft_workers_task *task, void *context) {
  const mfft_status status = mfft_workers_run(workers, count, task, context);
  if (status == MFFT_SUCCESS || mfft_workers_error(workers) == mfft_last_error()) return status;
  return mfft_fail(status, "%s", mfft_workers_error(workers));
}
