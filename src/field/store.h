/* store.h: one rank writes boxes of a dataset whose space is there. */
#ifndef MFFT_FIELD_STORE_H
#define MFFT_FIELD_STORE_H

#include "base/box.h"
#include "field/sums.h"

typedef struct mfft_store {
  int fd;
  const char *path;
  const int64_t *n; /* [3] */
  mfft_precision stored;
  mfft_slabs slabs;
  int64_t offset; /* of the values in the file */
} mfft_store;

/* Writes a box inside the dataset from its array and adds its values to `sums` [slabs.count].  Adds to *lost how many values
 * became infinite. */
mfft_status mfft_store_box(const mfft_store *store, const mfft_box *box, mfft_precision memory, const void *data,
                           uint64_t *sums, int64_t *lost);

/* Writes a list of checksums, in the byte order of the file. */
mfft_status mfft_store_sums(int fd, const char *path, int64_t offset, const uint64_t *sums, int64_t count);

#endif
