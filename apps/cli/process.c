/* process.c: see process.h. */
#include "cli/process.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double seconds_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double mfft_process_now(void) { return seconds_of(CLOCK_MONOTONIC); }

double mfft_process_thread_s(void) { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

/* The name of a process and its start in seconds since the machine was booted; NAN if the kernel does not report it.  The
 * name is in parentheses and may contain any character, so that fields are counted from its end. */
static double start_of(const char *pid, char name[64]) {
  enum { START = 22, AFTER_NAME = 3 }; /* numbers of fields, from 1 on (proc(5)) */
  char path[64], text[1024];
  name[0] = '\0';
  snprintf(path, sizeof path, "/proc/%s/stat", pid);
  FILE *file = fopen(path, "r");
  if (!file) return NAN;
  const size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[length] = '\0';
  const char *open = strchr(text, '('), *close = strrchr(text, ')'), *field = close ? close + 1 : NULL;
  if (!open || !field) return NAN;
  snprintf(name, 64, "%.*s", (int)(close - open - 1), open + 1);
  for (int i = AFTER_NAME; i <= START && field; i++) {
    field = strchr(field, ' ');
    if (field) field++;
  }
  double ticks;
  if (!field || sscanf(field, "%lf", &ticks) != 1) return NAN;
  return ticks / (double)sysconf(_SC_CLK_TCK);
}

double mfft_process_started(void) {
  static double started;
  char name[64];
  if (started != 0) return started;
  const double now = mfft_process_now(), booted = start_of("self", name);
#ifdef CLOCK_BOOTTIME
  const double age = seconds_of(CLOCK_BOOTTIME) - booted;
#else
  const double age = NAN;
#endif
  return started = age > 0 ? now - age : now; /* NaN: now */
}

double mfft_process_launcher_s(void) {
  static const char *const launchers[] = {"mpirun",        "mpiexec",         "orterun", "prterun",
                                          "mpiexec.hydra", "hydra_pmi_proxy", "srun"};
  char name[64], parent[32], own[64];
  snprintf(parent, sizeof parent, "%ld", (long)getppid());
  const double before = start_of(parent, name), started = start_of("self", own);
  for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
    if (!strcmp(name, launchers[i])) return started - before;
  return NAN;
}
