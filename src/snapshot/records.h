/* records.h: the records of a Fortran file: blocks of bytes, each between two 32-bit numbers with its length.
 *
 * GADGET writes its formats 1 and 2 in this form, also from C.  The length of a block beyond 4 GiB does not fit its markers,
 * which then hold it modulo 2^32; so the caller gives the lengths that a record may have, and the one whose markers match is
 * taken. */
#ifndef MFFT_SNAPSHOT_RECORDS_H
#define MFFT_SNAPSHOT_RECORDS_H

#include <stdint.h>

#include "base/status.h"

typedef struct mfft_records {
  int fd; /* -1: closed */
  const char *path;
  int64_t bytes; /* of the file */
  int swapped;   /* 1: the other byte order than this machine's */
  int64_t at;    /* where the next record begins */
} mfft_records;

/* Opens a file whose numbers are in the other byte order if `swapped`; close accepts a file that is not open. */
mfft_status mfft_records_open(const char *path, int swapped, mfft_records *records);
void mfft_records_close(mfft_records *records);

/* The marker of the next record; *left: the number of bytes of the file after it, -1 at the end of the file. */
mfft_status mfft_records_mark(const mfft_records *records, uint32_t *mark, int64_t *left);

/* Reads the next record, called `name` in messages, if it has one of the lengths [count]; *offset: the offset of its bytes,
 * *which: its length; -1 if none fits, and then the position is unchanged.  Otherwise the position is after the record. */
mfft_status mfft_records_next(mfft_records *records, const char *name, const int64_t *length /* [count] */, int count,
                              int64_t *offset, int *which);

/* Bytes at an offset, and a number of the file's byte order in them. */
mfft_status mfft_records_read(const mfft_records *records, void *data, int64_t bytes, int64_t offset);
uint32_t mfft_records_u32(const mfft_records *records, const unsigned char *bytes);
double mfft_records_f64(const mfft_records *records, const unsigned char *bytes);

#endif
