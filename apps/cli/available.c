/* available.c: see available.h. */
#include "cli/available.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/system.h"
#include "cli/environment.h"
#include "cli/report.h"

enum { PATH_BYTES = 4096 };

/* A number in a file of a control group; INT64_MAX if there is none, as in "max". */
static int64_t number_in(const char *folder, const char *name) {
  char path[PATH_BYTES + 64];
  long long value = INT64_MAX;
  snprintf(path, sizeof path, "/sys/fs/cgroup%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  if (!file) return INT64_MAX;
  if (fscanf(file, "%lld", &value) != 1) value = INT64_MAX;
  fclose(file);
  return value;
}

/* The control group of this process, "" if it has none. */
static void find_group(char group[PATH_BYTES]) {
  char line[PATH_BYTES];
  group[0] = '\0';
  FILE *file = fopen("/proc/self/cgroup", "r");
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, "0::/", 4)) {
      line[strcspn(line, "\n")] = '\0';
      memcpy(group, line + 3, strlen(line + 3) + 1);
    }
  if (file) fclose(file);
}

int64_t mfft_available_memory(void) {
  char group[PATH_BYTES];
  int64_t available = mfft_environment_available_bytes();
  find_group(group);
  while (available > 0 && group[0]) { /* the limits of the group and of all that contain it */
    const int64_t limit = number_in(group, "memory.max"), used = number_in(group, "memory.current");
    if (limit != INT64_MAX && used != INT64_MAX && limit - used < available) available = limit > used ? limit - used : 0;
    *strrchr(group, '/') = '\0';
  }
  return available;
}

int mfft_node_ranks(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value && atoi(value) > 0) return atoi(value);
  }
  return mfft_app_ranks();
}

int64_t mfft_available_disk(const char *path) {
  struct statvfs about;
  char *folder = mfft_system_folder(path);
  const int failed = !folder || statvfs(folder, &about);
  free(folder);
  return failed ? -1 : (int64_t)about.f_bavail * (int64_t)about.f_frsize;
}
