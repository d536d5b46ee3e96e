// TEST
/* Memory that ranks of a host share: both processes see each other's stores; it is zeroed, and exists as long as any process
 * has it open; a handle of freed memory is refused, even if its identifiers now name other memory; an allocation larger than
 * the memory of the machine is refused before the kernel kills a process for it. */
#define _GNU_SOURCE /* sysinfo */
#include <signal.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

#include "check.h"
#include "local/device.h"

enum { BYTES = 100000 };

/* If the library did not refuse such an allocation, the limit on file sizes would, not the kernel's out-of-memory killer. */
static void more_than_there_is(const mfft_device *d) {
  struct sysinfo machine;
  struct rlimit old, limit = {1 << 30, RLIM_INFINITY};
  mfft_handle handle;
  void *pointer = NULL;
  CHECK(sysinfo(&machine) == 0 && getrlimit(RLIMIT_FSIZE, &old) == 0);
  limit.rlim_max = old.rlim_max;
  if (old.rlim_cur < limit.rlim_cur) limit.rlim_cur = old.rlim_cur;
  signal(SIGXFSZ, SIG_IGN);
  CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  CHECK_FAILS(d->shared_alloc((size_t)machine.totalram * machine.mem_unit, &pointer, &handle), MFFT_ERR_MEMORY, "left; use");
  CHECK_FAILS(d->shared_alloc((size_t)1 << 58, &pointer, &handle), MFFT_ERR_MEMORY, "left; use");
  CHECK(!pointer, "a failed call set its output");
  CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
}

int main(void) {
  const mfft_device *d = &mfft_device_host;
  mfft_handle handle, later;
  void *here = NULL, *there = NULL, *other = NULL;
  CHECK_OK(d->shared_alloc(BYTES, &here, &handle));
  CHECK_OK(d->shared_open(&handle, &there));
  if (!here || !there) return test_end();
  unsigned char *a = here, *b = there;
  int zeros = 0;
  for (int i = 0; i < BYTES; i++) zeros += a[i] == 0 && b[i] == 0;
  CHECK(zeros == BYTES && a != b, "%d zeros", zeros);
  a[5] = 1, b[BYTES - 1] = 2;
  CHECK(b[5] == 1 && a[BYTES - 1] == 2, "%d %d", b[5], a[BYTES - 1]);
  d->shared_free(here);
  CHECK(b[5] == 1 && b[BYTES - 1] == 2, "what is open went with its maker");

  CHECK_OK(d->shared_alloc(BYTES, &other, &later)); /* a new file takes the lowest file descriptor that is free */
  void *wrong = NULL;
  CHECK_FAILS(d->shared_open(&handle, &wrong), MFFT_ERR_UNSUPPORTED, "use another transport than p2p");
  CHECK(!wrong, "a failed call set its output");
  d->shared_close(there);
  d->shared_close(NULL);
  d->shared_free(NULL);
  d->shared_free(other);
  more_than_there_is(d);
  return test_end();
}
