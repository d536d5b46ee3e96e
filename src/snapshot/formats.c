/* formats.c: see formats.h. */
#include "snapshot/formats.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "field/posix.h"

const mfft_snap_format *const mfft_snap_formats[MFFT_SNAPSHOT_FORMAT_COUNT] = {
    [MFFT_SNAPSHOT_HDF5] = &mfft_snap_hdf5,
    [MFFT_SNAPSHOT_GADGET1] = &mfft_snap_gadget1,
    [MFFT_SNAPSHOT_GADGET2] = &mfft_snap_gadget2,
};

mfft_status mfft_snap_format_of(const char *path, mfft_snapshot_format *format) {
  mfft_snap_start start = {.path = path};
  int64_t bytes;
  MFFT_TRY(mfft_posix_size(path, &bytes));
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return mfft_fail(MFFT_ERR_IO, "cannot open %s: %s", path, mfft_posix_reason(errno));
  start.count = bytes < (int64_t)sizeof start.byte ? (size_t)bytes : sizeof start.byte;
  const mfft_status status = mfft_posix_read(fd, start.byte, (int64_t)start.count, 0, path);
  close(fd);
  MFFT_TRY(status);
  for (int i = 0; i < MFFT_SNAPSHOT_FORMAT_COUNT; i++)
    if (mfft_snap_formats[i]->is(&start)) {
      *format = (mfft_snapshot_format)i;
      return MFFT_SUCCESS;
    }
  return mfft_fail(MFFT_ERR_CORRUPT,
                   "%s is neither an HDF5 file nor a GADGET binary file; give a snapshot, or copy it again from its "
                   "source",
                   path);
}
