/* alarm.c: see alarm.h. */
#include "local/cuda/runtime/alarm.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/env.h"
#include "base/log.h"

enum { HOST_BYTES = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mfft_alarm *the_alarm; /* guarded by lock; pinned memory, never freed */

/* Fills in the name of this host up to its first dot, as other messages write it.  One name is enough, since kernels only
 * wait for ranks of the same host. */
static void find_host(char host[HOST_BYTES]) {
  if (gethostname(host, HOST_BYTES) != 0) strcpy(host, "this host");
  host[HOST_BYTES - 1] = '\0';
  host[strcspn(host, ".")] = '\0';
}

static void *watch(void *unused) {
  char host[HOST_BYTES];
  find_host(host);
  const struct timespec nap = {0, 100000000};
  volatile mfft_alarm *alarm = the_alarm;
  const double limit = mfft_env_number(MFFT_ENV_WATCHDOG_S);
  for (int warned = 0; alarm->level < 2; nanosleep(&nap, NULL)) {
    if (warned || !alarm->level) continue;
    warned = 1;
    mfft_log(MFFT_LOG_WARNING, "waited %d s on the device in %s for rank %d (%s) " MFFT_NOTICE_LIMIT, MFFT_NOTICE_S,
             alarm->what, alarm->peer, host, mfft_env_name(MFFT_ENV_WATCHDOG_S), limit, "job");
  }
  fprintf(stderr,
          "mergefft: error: waited %.1f s on the device in %s for rank %d (%s), which did not arrive; aborting "
          "(MFFT_WATCHDOG_S sets the limit, 0 waits for ever)\n",
          limit, alarm->what, alarm->peer, host);
  fflush(stderr);
  abort();
  return unused;
}

static mfft_status set_up(const mfft_cuda_driver *driver) {
  void *made = NULL;
  pthread_t thread;
  MFFT_CUDA_TRY(driver, "pinned host memory", driver->host_alloc(&made, sizeof *the_alarm, CU_MEMHOSTALLOC_PORTABLE));
  memset(made, 0, sizeof *the_alarm);
  the_alarm = made;
  if (pthread_create(&thread, NULL, watch, NULL) != 0) {
    the_alarm = NULL; /* the next call tries again, so that no kernel waits without a watchdog */
    driver->host_free(made);
    return mfft_fail(MFFT_ERR_MEMORY, "cuda: no thread for the watchdog of exchanges");
  }
  pthread_detach(thread);
  return MFFT_SUCCESS;
}

mfft_status mfft_cuda_alarm(const mfft_cuda_driver *driver, mfft_alarm **alarm, unsigned long long *limit_ns) {
  double limit = mfft_env_number(MFFT_ENV_WATCHDOG_S);
  pthread_mutex_lock(&lock);
  mfft_status status = the_alarm ? MFFT_SUCCESS : set_up(driver);
  *alarm = the_alarm;
  pthread_mutex_unlock(&lock);
  *limit_ns = (unsigned long long)(limit * 1e9);
  return status;
}
