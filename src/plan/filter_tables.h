/* filter_tables.h: the memory of a filter.
 *
 * A direction that may be filtered owns one allocation in memory of the backend.  It holds the scale and two whole tables
 * for each axis of the OUT array, which are small in comparison with the array.  Programs point to it; a new filter is
 * therefore one copy, queued on the stream, and also takes effect in a CUDA graph of the program.  Divisors and factors
 * are scaled to about 1 by powers of two, which go to the scale, so that tables in single precision can hold any unit of
 * length. */
#ifndef MFFT_PLAN_FILTER_TABLES_H
#define MFFT_PLAN_FILTER_TABLES_H

#include "local/backend.h"
#include "mfft_spectrum.h"

typedef struct mfft_filter_tables {
  int64_t length[3];    /* of the OUT array, indexed by axis of the caller */
  int doubles;          /* tables of double (1) or float (0) */
  void *image, *tables; /* on the host, and in memory of the backend; equal if that is host memory */
  size_t bytes;         /* size of either */
} mfft_filter_tables;

/* Allocates tables of ones, given length and doubles.  free must follow in either case. */
mfft_status mfft_filter_tables_make(const mfft_backend *backend, mfft_filter_tables *tables);
void mfft_filter_tables_free(const mfft_backend *backend, mfft_filter_tables *tables); /* accepts zeroed ones */

/* Writes a checked filter to the image; NULL: the filter that changes nothing. */
void mfft_filter_tables_write(mfft_filter_tables *tables, const mfft_filter *filter);

#endif
