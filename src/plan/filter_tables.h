/* filter_tables.h: the memory of a filter.
 *
 * A direction that may be filtered owns one piece of memory of the backend that holds the scale and two tables for each axis
 * of the OUT array, whole: they are small beside the array.  Programs point to it, so a new filter is one copy behind what
 * is queued on the stream, and a CUDA graph of the program sees it too.  Divisors and factors are brought to sizes around 1
 * by powers of two, which go to the scale, so that tables in single precision hold any unit of length. */
#ifndef MFFT_PLAN_FILTER_TABLES_H
#define MFFT_PLAN_FILTER_TABLES_H

#include "local/backend.h"
#include "mfft_spectrum.h"

typedef struct mfft_filter_tables {
  int64_t length[3];    /* of the OUT array along each axis of the caller */
  int doubles;          /* tables are of doubles, else of floats */
  void *image, *tables; /* on the host, and in memory of the backend: the same where that is host memory */
  size_t bytes;         /* of either */
} mfft_filter_tables;

/* Makes tables of ones, from length and doubles.  free must follow either way. */
mfft_status mfft_filter_tables_make(const mfft_backend *backend, mfft_filter_tables *tables);
void mfft_filter_tables_free(const mfft_backend *backend, mfft_filter_tables *tables); /* accepts zeroed ones */

/* Writes a filter that has been checked to the image; NULL: one that changes nothing. */
void mfft_filter_tables_write(mfft_filter_tables *tables, const mfft_filter *filter);

#endif
