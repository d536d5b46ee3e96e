/* partial_share.h: the partial file that rank 0 has made, opened by all ranks. */
#ifndef MFFT_FIELD_PARTIAL_SHARE_H
#define MFFT_FIELD_PARTIAL_SHARE_H

#include <mpi.h>

#include "field/structure.h"

/* Broadcasts name, size and layout of the partial file from rank 0.  partial: used on rank 0; *name: the name, which the
 * caller frees by free(); *bytes, extent [count]: input on rank 0, output on the others.  Collective. */
mfft_status mfft_partial_share(MPI_Comm comm, const mfft_partial *partial, char **name, int64_t *bytes,
                               mfft_file_extent *extent, int count);

/* Opens the shared partial file on this rank.  MFFT_ERR_IO if its size is not `bytes`, as when the nodes do not share the
 * folder.  Not collective. */
mfft_status mfft_partial_open(const char *name, int64_t bytes, int *fd);

#endif
