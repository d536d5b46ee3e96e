/* partial_share.c: see partial_share.h. */
#include "field/partial_share.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "comm/agree.h"
#include "comm/collective.h"
#include "field/posix.h"

mfft_status mfft_partial_share(MPI_Comm comm, const mfft_partial *partial, char **name, int64_t *bytes,
                               mfft_file_extent *extent, int count) {
  static const char what[] = "sharing a partial file";
  int64_t facts[2] = {partial->name ? (int64_t)strlen(partial->name) : 0, *bytes};
  MFFT_TRY(mfft_collective_broadcast(comm, facts, sizeof facts, 0, what));
  *bytes = facts[1];
  *name = calloc(1, (size_t)facts[0] + 1);
  MFFT_TRY(mfft_agree(comm, *name ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for a path")));
  if (partial->name) memcpy(*name, partial->name, (size_t)facts[0]);
  MFFT_TRY(mfft_collective_broadcast(comm, *name, (size_t)facts[0], 0, what));
  return mfft_collective_broadcast(comm, extent, (size_t)count * sizeof *extent, 0, what);
}

mfft_status mfft_partial_open(const char *name, int64_t bytes, int *fd) {
  int64_t here;
  MFFT_TRY(mfft_posix_size(name, &here));
  if (here != bytes)
    return mfft_fail(MFFT_ERR_IO,
                     "%s has %" PRId64 " bytes here and %" PRId64 " on rank 0; use a folder that all nodes share", name,
                     here, bytes);
  *fd = open(name, O_RDWR | O_CLOEXEC);
  return *fd >= 0 ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_IO, "cannot open %s: %s", name, mfft_posix_reason(errno));
}
