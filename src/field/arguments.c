/* arguments.c: checks of callers' arguments. */
#include "field/arguments.h"

#include <inttypes.h>
#include <string.h>

#include "base/box.h"
#include "base/precision.h"
#include "base/status.h"
#include "base/versioned.h"
#include "base/words.h"
#include "field/convert.h"

mfft_status mfft_field_check_path(const char *path) {
  if (!path || !path[0]) return mfft_fail(MFFT_ERR_ARG, "path is %s; name a file", path ? "empty" : "NULL");
  size_t length = strlen(path);
  if (length > 4000) return mfft_fail(MFFT_ERR_ARG, "path has %zu bytes; at most 4000 can be used", length);
  return MFFT_SUCCESS;
}

mfft_status mfft_field_check_array(const mfft_box *box, const int64_t n[3], mfft_precision precision, const void *data,
                                   mfft_box *checked) {
  if (!box) return mfft_fail(MFFT_ERR_ARG, "box is NULL; an empty part is a box with hi <= lo");
  if (!mfft_value_bytes(precision))
    return mfft_fail(
        (unsigned)precision < MFFT_PRECISION_COUNT ? MFFT_ERR_UNSUPPORTED : MFFT_ERR_ARG,
        "precision is %d (%s); arrays of fields are MFFT_SINGLE or MFFT_DOUBLE, which yours may be converted to",
        (int)precision, mfft_precision_word(precision));
  mfft_box mine = *box;
  MFFT_TRY(mfft_box_check(&mine, "box"));
  if (!mfft_box_empty(&mine)) {
    for (int axis = 0; axis < 3; axis++)
      if (mine.lo[axis] < 0 || mine.hi[axis] > n[axis])
        return mfft_fail(MFFT_ERR_ARG, "box covers [%" PRId64 ",%" PRId64 ") of axis %d, which has only [0,%" PRId64 ")",
                         mine.lo[axis], mine.hi[axis], axis, n[axis]);
    if (!data) return mfft_fail(MFFT_ERR_ARG, "data is NULL for a box of %" PRId64 " values", mfft_box_count(&mine));
  }
  *checked = mine;
  return MFFT_SUCCESS;
}

mfft_status mfft_field_check_part(const mfft_box *part, const mfft_box *box) {
  mfft_box inside = mfft_box_intersect(part, box);
  if (mfft_box_count(&inside) == mfft_box_count(part)) return MFFT_SUCCESS;
  for (int axis = 0; axis < 3; axis++)
    if (part->lo[axis] < box->lo[axis] || part->hi[axis] > box->hi[axis])
      return mfft_fail(MFFT_ERR_ARG, "part covers [%" PRId64 ",%" PRId64 ") of axis %d, its box [%" PRId64 ",%" PRId64 ")",
                       part->lo[axis], part->hi[axis], axis, box->lo[axis], box->hi[axis]);
  return MFFT_SUCCESS;
}

static const mfft_versioned versions = {
    .name = "info", .init = "mfft_field_info_init", .size = sizeof(mfft_field_info), .first = sizeof(mfft_field_info)};

void mfft_field_info_init_sized(mfft_field_info *info, size_t struct_size) {
  const mfft_field_info none = {.rank = 0};
  mfft_versioned_init(info, struct_size, &none, sizeof none);
}

mfft_status mfft_field_check_info(const mfft_field_info *info) { return mfft_versioned_check(&versions, info); }

/* In a newer caller's struct the fields beyond this library's remain as they were cleared. */
void mfft_field_give_info(const mfft_field_info *found, mfft_field_info *info) {
  const size_t size = info->struct_size;
  memcpy(info, found, sizeof *info);
  info->struct_size = size;
}
