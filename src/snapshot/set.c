/* set.c: see set.h. */
#include "snapshot/set.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/system.h"

static int is_there(const char *path) {
  struct stat file;
  return stat(path, &file) == 0 && !S_ISDIR(file.st_mode);
}

/* Splits the name at its last number between dots, or between a dot and the end of the name. */
static void split(mfft_snap_set *set) {
  static const char *const backs[] = {".hdf5", ".h5", ".hdf", ""};
  const char *name = set->first;
  const size_t length = strlen(name);
  snprintf(set->prefix, sizeof set->prefix, "%s", name);
  for (size_t i = 0; i < sizeof backs / sizeof *backs && !set->numbered; i++) {
    const size_t back = strlen(backs[i]);
    if (length <= back || strcmp(name + length - back, backs[i]) != 0) continue;
    const size_t end = length - back;
    size_t start = end;
    while (start > 0 && name[start - 1] >= '0' && name[start - 1] <= '9') start--;
    if (start == end || end - start > 7 || start == 0 || name[start - 1] != '.') continue;
    set->numbered = 1;
    set->number = atoi(name + start);
    set->prefix[start] = '\0';
    snprintf(set->suffix, sizeof set->suffix, "%s", backs[i]);
  }
}

mfft_status mfft_snap_set_find(const char *path, mfft_snap_set *set) {
  static const char *const ends[] = {"", ".hdf5", ".0.hdf5", ".h5", ".0.h5", ".0"};
  memset(set, 0, sizeof *set);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    snprintf(set->first, sizeof set->first, "%s%s", path, ends[i]);
    if (!is_there(set->first)) continue;
    split(set);
    return MFFT_SUCCESS;
  }
  struct stat file;
  const int error = stat(path, &file) == 0 ? EISDIR : errno;
  return mfft_fail(MFFT_ERR_IO, "cannot open %s: %s; there is no file of that name followed by .hdf5, .0.hdf5 or .0 either",
                   path, mfft_posix_reason(error));
}

mfft_status mfft_snap_set_name(const mfft_snap_set *set, int files, int i, char name[MFFT_SNAP_PATH_BYTES]) {
  if (files == 1) {
    snprintf(name, MFFT_SNAP_PATH_BYTES, "%s", set->first);
    return MFFT_SUCCESS;
  }
  if (!set->numbered || set->number >= files)
    return mfft_fail(MFFT_ERR_ARG,
                     "%s is one of the %d files of a snapshot, whose names have a number from 0 to %d, such as "
                     "snapshot_007.0.hdf5; rename the files",
                     set->first, files, files - 1);
  const int length = snprintf(name, MFFT_SNAP_PATH_BYTES, "%s%d%s", set->prefix, i, set->suffix);
  return length < MFFT_SNAP_PATH_BYTES ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_ARG, "the name of file %d is too long", i);
}
