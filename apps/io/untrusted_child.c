/* untrusted_child.c: see untrusted_child.h.  Runs before MPI_Init, and never calls it. */
#include "io/untrusted_child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "mfft_field.h"

static void limit(int resource, double most) {
  struct rlimit old;
  if (getrlimit(resource, &old) || (old.rlim_max != RLIM_INFINITY && (double)old.rlim_max < most)) return;
  setrlimit(resource, &(struct rlimit){(rlim_t)most, (rlim_t)most});
}

/* Memory that is mapped now: most of it is libraries. */
static double mapped_bytes(void) {
  double pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file && fscanf(file, "%lf", &pages) != 1) pages = 0;
  if (file) fclose(file);
  return pages * (double)sysconf(_SC_PAGESIZE);
}

static void tell(const char *words, size_t bytes) {
  while (bytes) {
    const ssize_t put = write(STDOUT_FILENO, words, bytes);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) _exit(1); /* nobody listens */
    words += put;
    bytes -= (size_t)put;
  }
}

static void tick(void *context, int64_t done, int64_t all) {
  (void)context, (void)done, (void)all;
  tell(".", 1);
}

void mfft_untrusted_child(int argc, char **argv) {
  if (argc != 6 || strcmp(argv[1], MFFT_UNTRUSTED_CHILD)) return;
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* the child ends with its parent */
#endif
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_AS, mapped_bytes() + strtod(argv[5], NULL));
  mfft_field_info info;
  mfft_field_info_init(&info);
  const mfft_status status = mfft_field_copy(argv[2], argv[3], argv[4], tick, NULL, &info);
  char result[1152];
  const int length = snprintf(result, sizeof result, "!%d %d %s", (int)status, info.checksummed,
                              status == MFFT_SUCCESS ? "done" : mfft_last_error());
  tell(result, (size_t)length);
  _exit(0); /* without HDF5's own end, which may not survive what it has read */
}
