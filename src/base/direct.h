/* direct.h: the object of mfft_direct.h, which src/local makes and src/field uses. */
#ifndef MFFT_BASE_DIRECT_H
#define MFFT_BASE_DIRECT_H

#include "mfft_direct.h"

/* `bytes` bytes of a file from `offset` on, and of the array from `place` on. */
typedef struct mfft_direct_range {
  int64_t place, offset, bytes;
  int writes; /* 1: from the array to the file */
} mfft_direct_range;

/* Any thread may call these functions, several at the same time.  `path` is for messages. */
typedef struct mfft_direct_calls {
  /* Registers an open file (O_DIRECT), which stays open until close; MFFT_ERR_UNSUPPORTED if its file system has no direct
   * transfers. */
  mfft_status (*open)(mfft_direct_array direct, int fd, const char *path, void **file);
  void (*close)(mfft_direct_array direct, void *file);
  /* Moves a whole range or fails with MFFT_ERR_IO; a file that ends early is MFFT_ERR_CORRUPT. */
  mfft_status (*move)(mfft_direct_array direct, void *file, const mfft_direct_range *range, const char *path);
  /* Copies between the array and host memory: for the ends of a range that do not fill a block of the file. */
  mfft_status (*copy)(mfft_direct_array direct, int64_t place, void *host, int64_t bytes, int to_host);
} mfft_direct_calls;

/* The first member of the object of src/local. */
struct mfft_direct_s {
  const mfft_direct_calls *calls;
  char *array; /* [bytes] memory of a device */
  int64_t bytes;
};

#endif
