#define _GNU_SOURCE /* sched_getaffinity */
#include "cli/environment.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "bench/peer.h"
#include "cli/report.h"
#ifdef MFFT_HAVE_HDF5
#include "mfft_field.h"
#include "mfft_inspect.h"
#endif

enum { LINE = 256 };

const char *mfft_environment_mpi(void) {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  if (!text[0]) MPI_Get_library_version(text, &length);
  text[strcspn(text, "\n,")] = 0; /* Open MPI appends its build options, MPICH many lines */
  return text;
}

const char *mfft_environment_hdf5(void) {
#ifdef MFFT_HAVE_HDF5
  return mfft_field_hdf5_version();
#else
  return "";
#endif
}

const char *mfft_environment_fftw(void) { return mfft_peer_version(); }

const char *mfft_environment_host(void) {
  static char text[LINE];
  if (gethostname(text, sizeof text - 1)) snprintf(text, sizeof text, "unknown");
  return text;
}

/* The text after "key ... :" in a file of /proc; 0 if there is no such line. */
static int proc_line(const char *path, const char *key, char *words, size_t size) {
  char line[LINE];
  FILE *file = fopen(path, "r");
  int found = 0;
  while (file && !found && fgets(line, sizeof line, file)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, key, strlen(key)) || !colon) continue;
    colon += 1 + strspn(colon + 1, " \t");
    colon[strcspn(colon, "\n")] = 0;
    snprintf(words, size, "%s", colon);
    found = 1;
  }
  if (file) fclose(file);
  return found;
}

const char *mfft_environment_cpu(void) {
  static char text[LINE];
  struct utsname system;
  if (text[0] || proc_line("/proc/cpuinfo", "model name", text, sizeof text)) return text;
  snprintf(text, sizeof text, "%s", uname(&system) ? "unknown" : system.machine);
  return text;
}

int mfft_environment_cores(void) {
  char text[LINE];
  int cores = 0;
  /* The CPUs of the launcher's affinity mask: a list such as 0-3,8. */
  if (proc_line("/proc/self/status", "Cpus_allowed_list", text, sizeof text))
    for (const char *piece = text; piece; piece = strchr(piece, ',') ? strchr(piece, ',') + 1 : NULL) {
      int first, last, fields = sscanf(piece, "%d-%d", &first, &last);
      cores += fields == 2 ? last - first + 1 : fields == 1;
    }
  return cores > 0 ? cores : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* The kernel cuts a mask of all cores down to those of the control group, and reports what is left; then the mask is
 * restored. */
int mfft_environment_free_cores(void) {
  cpu_set_t bound, all;
  memset(&all, 0xff, sizeof all);
  if (sched_getaffinity(0, sizeof bound, &bound) || sched_setaffinity(0, sizeof all, &all)) return mfft_environment_cores();
  const int failed = sched_getaffinity(0, sizeof all, &all);
  sched_setaffinity(0, sizeof bound, &bound);
  return failed ? mfft_environment_cores() : CPU_COUNT(&all);
}

static int64_t memory_line(const char *key) {
  char text[LINE];
  long long kib = 0;
  return proc_line("/proc/meminfo", key, text, sizeof text) && sscanf(text, "%lld", &kib) == 1 ? 1024 * (int64_t)kib : 0;
}

int64_t mfft_environment_memory_bytes(void) { return memory_line("MemTotal"); }
int64_t mfft_environment_available_bytes(void) { return memory_line("MemAvailable"); }

void mfft_environment_json(mfft_json *json, const char *key) {
  char text[LINE];
  time_t now = time(NULL);
  struct tm utc;
  if (!json) return;
  mfft_json_object(json, key);
  snprintf(text, sizeof text, "%d.%d.%d", mfft_version() / 10000, mfft_version() / 100 % 100, mfft_version() % 100);
  mfft_json_string(json, "mergefft", text);
  mfft_json_string(json, "mpi", mfft_environment_mpi());
  mfft_json_string(json, "fftw", mfft_environment_fftw());
  mfft_json_string(json, "hdf5", mfft_environment_hdf5());
  mfft_json_string(json, "host", mfft_environment_host());
  mfft_json_string(json, "cpu", mfft_environment_cpu());
  mfft_json_integer(json, "cores", mfft_environment_cores());
  mfft_json_integer(json, "memory_bytes", mfft_environment_memory_bytes());
  mfft_json_integer(json, "ranks", mfft_app_ranks());
  if (gmtime_r(&now, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)) mfft_json_string(json, "time", text);
  mfft_json_end(json);
}
