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

static const char *const backs[] = {".hdf5", ".h5", ".hdf", ""};
enum { BACKS = sizeof backs / sizeof *backs };

/* The length of a name before its ending, and which that is. */
static size_t prefix_length(const char *name, int *back) {
  const size_t length = strlen(name);
  for (*back = 0; *back < BACKS - 1; ++*back) {
    const size_t end = strlen(backs[*back]);
    if (length > end && strcmp(name + length - end, backs[*back]) == 0) return length - end;
  }
  return length;
}

/* Splits the name at its last number between dots, or between a dot and the end of the name. */
static void split(mfft_snap_set *set) {
  const char *name = set->first;
  const size_t length = strlen(name);
  snprintf(set->prefix, sizeof set->prefix, "%s", name);
  for (size_t i = 0; i < BACKS && !set->numbered; i++) {
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
  int back; /* BASE.hdf5 may stand for BASE.0.hdf5 */
  const size_t prefix = prefix_length(path, &back);
  snprintf(set->first, sizeof set->first, "%.*s.0%s", (int)prefix, path, backs[back]);
  if (is_there(set->first)) {
    split(set);
    return MFFT_SUCCESS;
  }
  struct stat file;
  const int error = stat(path, &file) == 0 ? EISDIR : errno;
  return mfft_fail(MFFT_ERR_IO, "cannot open %s: %s; there is no file of that name followed by .hdf5, .0.hdf5 or .0 either",
                   path, mfft_posix_reason(error));
}

static int same_file(const char *one, const char *other) {
  struct stat a, b;
  return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int mfft_snap_set_index(const mfft_snap_set *set, const char *file) {
  char name[MFFT_SNAP_PATH_BYTES + 32];
  mfft_snap_set other = {.numbered = 0};
  if (!is_there(file)) return -1;
  if (same_file(set->first, file)) return set->number;
  snprintf(other.first, sizeof other.first, "%s", file);
  split(&other);
  if (!set->numbered || !other.numbered) return -1;
  snprintf(name, sizeof name, "%s%d%s", set->prefix, other.number, set->suffix);
  return same_file(name, file) ? other.number : -1;
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

mfft_status mfft_snap_set_part(const char *path, int files, int i, char name[MFFT_SNAP_PATH_BYTES]) {
  int back;
  const size_t prefix = prefix_length(path, &back);
  const char *end = back < BACKS - 1 ? backs[back] : backs[0];
  const int length = files == 1 ? snprintf(name, MFFT_SNAP_PATH_BYTES, "%s", path)
                                : snprintf(name, MFFT_SNAP_PATH_BYTES, "%.*s.%d%s", (int)prefix, path, i, end);
  return length < MFFT_SNAP_PATH_BYTES ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_ARG, "the name of file %d is too long", i);
}

mfft_status mfft_snap_set_free(const char *path, int files) {
  int back;
  char name[MFFT_SNAP_PATH_BYTES];
  const size_t prefix = prefix_length(path, &back);
  for (int i = 0; i < BACKS && files > 1; i++) {
    snprintf(name, sizeof name, "%.*s%s", (int)prefix, path, backs[i]);
    if (is_there(name))
      return mfft_fail(MFFT_ERR_ARG,
                       "%s is there, and would be read in place of a set of files of that name; remove it, or choose "
                       "another name",
                       name);
  }
  return MFFT_SUCCESS;
}
