/* records.c: see records.h. */
#include "snapshot/records.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "field/convert.h"
#include "field/posix.h"

enum { MARK = 4 }; /* bytes of a marker */

mfft_status mfft_records_open(const char *path, int swapped, mfft_records *records) {
  *records = (mfft_records){.fd = -1, .path = path, .swapped = swapped};
  MFFT_TRY(mfft_posix_size(path, &records->bytes));
  records->fd = open(path, O_RDONLY | O_CLOEXEC);
  return records->fd >= 0 ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_IO, "cannot open %s: %s", path, mfft_posix_reason(errno));
}

void mfft_records_close(mfft_records *records) {
  if (records->fd >= 0) close(records->fd);
  records->fd = -1;
}

mfft_status mfft_records_read(const mfft_records *records, void *data, int64_t bytes, int64_t offset) {
  return mfft_posix_read(records->fd, data, bytes, offset, records->path);
}

uint32_t mfft_records_u32(const mfft_records *records, const unsigned char *bytes) {
  uint32_t value;
  memcpy(&value, bytes, sizeof value);
  if (records->swapped) mfft_swap_bytes(&value, sizeof value, 1);
  return value;
}

double mfft_records_f64(const mfft_records *records, const unsigned char *bytes) {
  double value;
  memcpy(&value, bytes, sizeof value);
  if (records->swapped) mfft_swap_bytes(&value, sizeof value, 1);
  return value;
}

static mfft_status mark_at(const mfft_records *records, int64_t offset, uint32_t *mark) {
  unsigned char bytes[MARK];
  MFFT_TRY(mfft_records_read(records, bytes, sizeof bytes, offset));
  *mark = mfft_records_u32(records, bytes);
  return MFFT_SUCCESS;
}

mfft_status mfft_records_mark(const mfft_records *records, uint32_t *mark, int64_t *left) {
  *mark = 0;
  *left = records->bytes - records->at - MARK;
  if (records->bytes == records->at) {
    *left = -1;
    return MFFT_SUCCESS;
  }
  if (*left < 0)
    return mfft_fail(MFFT_ERR_CORRUPT, "%s ends inside a record marker at byte %" PRId64 "; copy it again from its source",
                     records->path, records->at);
  return mark_at(records, records->at, mark);
}

mfft_status mfft_records_next(mfft_records *records, const char *name, const int64_t *length, int count, int64_t *offset,
                              int *match) {
  uint32_t mark, end = 0;
  int64_t left;
  int cut = 0, unequal = 0;
  const int letters = (int)strcspn(name, " "); /* names of blocks are filled up with blanks */
  *match = -1;
  MFFT_TRY(mfft_records_mark(records, &mark, &left));
  for (int i = 0; i < count && left >= 0; i++) {
    if (mark != (uint32_t)length[i]) continue;
    if (length[i] > left - MARK) {
      cut = 1;
      continue;
    }
    MFFT_TRY(mark_at(records, records->at + MARK + length[i], &end));
    if (end != mark) {
      unequal = 1;
      continue;
    }
    *offset = records->at + MARK;
    *match = i;
    records->at += length[i] + 2 * MARK;
    return MFFT_SUCCESS;
  }
  if (unequal)
    return mfft_fail(MFFT_ERR_CORRUPT,
                     "%s: the markers before and after block %.*s have different lengths, %" PRIu32 " and %" PRIu32
                     " bytes; copy the file again from its source",
                     records->path, letters, name, mark, end);
  if (cut)
    return mfft_fail(MFFT_ERR_CORRUPT, "%s ends inside block %.*s; copy it again from its source", records->path, letters,
                     name);
  return MFFT_SUCCESS;
}
