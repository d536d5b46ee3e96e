/* direct_file.h: one rank moves boxes of a dataset between a file and the memory of a device (mfft_field_direct.h), by the
 * threads of a pool.
 *
 * Blocks of 4096 bytes of the file are moved by the device, from a second descriptor that bypasses the page cache.  The ends
 * of a run that do not fill a block go through host memory and the page cache: ranks may share such a block, and a device
 * that writes a part of one would read and write it whole. */
#ifndef MFFT_FIELD_DIRECT_FILE_H
#define MFFT_FIELD_DIRECT_FILE_H

#include "base/direct.h"
#include "field/pool.h"

typedef struct mfft_direct_file {
  mfft_direct_array direct; /* NULL: not open */
  int fd;                   /* O_DIRECT */
  int plain;                /* the descriptor of the owner, through the page cache */
  void *handle;             /* of the device */
  const char *path;         /* of the owner */
} mfft_direct_file;

/* Opens `path` for an array, unless it is open for that array.  MFFT_ERR_UNSUPPORTED if the file system has no direct
 * transfers.  close accepts a zeroed object. */
mfft_status mfft_direct_file_open(mfft_direct_array direct, const char *path, int plain, int writes, mfft_direct_file *file);
void mfft_direct_file_close(mfft_direct_file *file);

/* A part of a dataset whose values are at `data` in the array, dense in C order. */
typedef struct mfft_direct_part {
  const int64_t *n; /* [3] lengths of the dataset */
  int element_bytes;
  int64_t offset; /* of the dataset in the file */
  mfft_box box;
  const void *data;
  int writes;
} mfft_direct_part;

/* MFFT_ERR_UNSUPPORTED if the part is not in C order or its rows in the file are short; MFFT_ERR_ARG if it is not within the
 * array. */
mfft_status mfft_direct_part_check(mfft_direct_array direct, const mfft_direct_part *part);

/* Moves a part that has passed the check. */
mfft_status mfft_direct_part_move(const mfft_direct_file *file, const mfft_direct_part *part, mfft_pool *pool);

#endif
