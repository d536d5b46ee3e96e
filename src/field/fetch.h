/* fetch.h: one rank reads boxes of a source that rank 0 has looked at. */
#ifndef MFFT_FIELD_FETCH_H
#define MFFT_FIELD_FETCH_H

#include "field/source.h"

typedef struct mfft_fetch {
  const mfft_source *source;
  const char *path;
  int fd;             /* contiguous data; -1 otherwise */
  hid_t file, object; /* chunked data; -1 otherwise */
  void *buffer;       /* [buffer_bytes] one piece */
  int64_t buffer_bytes;
} mfft_fetch;

/* open zeroes the object; close accepts one that is half open. */
mfft_status mfft_fetch_open(const mfft_source *source, const char *path, mfft_fetch *fetch);
void mfft_fetch_close(mfft_fetch *fetch);

/* Reads a box inside the dataset, adds its values to `sums` [source->slabs.count] unless that is NULL, and stores them in
 * the array `data` of the box unless that is NULL.  Adds to *lost how many values became infinite. */
mfft_status mfft_fetch_box(mfft_fetch *fetch, const mfft_box *box, mfft_precision memory, void *data, uint64_t *sums,
                           int64_t *lost);

#endif
