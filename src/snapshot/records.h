/* records.h: the records of a Fortran file: blocks of bytes between two 32-bit markers with the length of the block.
 *
 * GADGET writes its formats 1 and 2 in this form, also from C.  Markers have the length modulo 2^32, since blocks may be
 * longer than 4 GiB.  Therefore the caller gives the possible lengths of a record, and the one that matches the markers is
 * used. */
#ifndef MFFT_SNAPSHOT_RECORDS_H
#define MFFT_SNAPSHOT_RECORDS_H

#include <stdint.h>

#include "base/status.h"

typedef struct mfft_records {
  int fd; /* -1: closed */
  const char *path;
  int64_t bytes; /* size of the file */
  int swapped;   /* 1: the byte order is not that of this machine */
  int64_t at;    /* offset of the next record */
} mfft_records;

/* Opens a file.  swapped: 1: its byte order is not that of this machine.  close accepts a file that is not open. */
mfft_status mfft_records_open(const char *path, int swapped, mfft_records *records);
void mfft_records_close(mfft_records *records);

/* Reads the marker of the next record; *left: number of bytes of the file after it, -1 at the end of the file. */
mfft_status mfft_records_mark(const mfft_records *records, uint32_t *mark, int64_t *left);

/* Moves past the next record, called `name` in messages, if its length is one of length[count].  *offset: offset of its
 * bytes; *match: index of its length, or -1 if none matches, and then the position is unchanged. */
mfft_status mfft_records_next(mfft_records *records, const char *name, const int64_t *length /* [count] */, int count,
                              int64_t *offset, int *match);

/* Reads bytes at an offset; converts a number from the byte order of the file. */
mfft_status mfft_records_read(const mfft_records *records, void *data, int64_t bytes, int64_t offset);
uint32_t mfft_records_u32(const mfft_records *records, const unsigned char *bytes);
double mfft_records_f64(const mfft_records *records, const unsigned char *bytes);

#endif
