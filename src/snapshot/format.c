/* format.c: see format.h. */
#include "snapshot/format.h"

#include <inttypes.h>
#include <math.h>

static mfft_status check_number(const char *path, const char *what, double value, double least) {
  if (isfinite(value) && value >= least) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_CORRUPT, "%s: %s in the header is %g; copy the file again from its source", path, what, value);
}

mfft_status mfft_snap_check_header(const char *path, const mfft_snap_header *header) {
  enum { MOST_FILES = 1 << 20 };
  const mfft_snapshot_info *info = &header->info;
  int64_t all = 0;
  if (info->files < 1 || info->files > MOST_FILES)
    return mfft_fail(MFFT_ERR_CORRUPT, "%s: the header claims a set of %d files; correct it", path, info->files);
  for (int type = 0; type < info->types; type++) {
    if (header->here[type] < 0 || header->here[type] > info->count[type])
      return mfft_fail(MFFT_ERR_CORRUPT,
                       "%s: the header claims %" PRId64 " particles of type %d in this file and %" PRId64
                       " in all; copy it again from its source",
                       path, header->here[type], type, info->count[type]);
    if (info->count[type] > INT64_MAX / 65536 - all)
      return mfft_fail(MFFT_ERR_CORRUPT, "%s: the header claims %" PRId64 " particles of type %d, more than files can hold",
                       path, info->count[type], type);
    all += info->count[type];
    MFFT_TRY(check_number(path, "the mass of a type", info->mass[type], 0));
  }
  for (int axis = 0; axis < 3; axis++) MFFT_TRY(check_number(path, "BoxSize", info->box_size[axis], 0));
  MFFT_TRY(check_number(path, "Time", info->time, -HUGE_VAL));
  return check_number(path, "Redshift", info->redshift, -1);
}

mfft_snapshot_number mfft_snap_number(mfft_number_kind kind, int element_bytes) {
  static const mfft_snapshot_number number[3][2] = {
      {MFFT_SNAPSHOT_FLOAT32, MFFT_SNAPSHOT_FLOAT64},
      {MFFT_SNAPSHOT_INT32, MFFT_SNAPSHOT_INT64},
      {MFFT_SNAPSHOT_UINT32, MFFT_SNAPSHOT_UINT64}}; /* [mfft_number_kind][4 or 8 bytes] */
  return number[kind][element_bytes == 8];
}
