/* arrays.h: arrays of a distributed transform as they lie in a buffer. */
#ifndef MFFT_PLAN_ARRAYS_H
#define MFFT_PLAN_ARRAYS_H

#include "base/box.h"
#include "plan/program.h"

/* The elements of a box, with batches behind one another. */
typedef struct mfft_array {
  mfft_place place;
  mfft_box box;
  int64_t batch;
  int64_t stride[3], dist;
  int64_t element_bytes;
  int real;
} mfft_array;

int64_t mfft_element_bytes(mfft_precision precision, int real);

/* An array of a box at the beginning of SRC; padded: rows of reals that can hold their own half spectrum. */
mfft_array mfft_array_of(mfft_precision precision, const mfft_box *box, int64_t batch, int real, int padded);

int64_t mfft_array_bytes(const mfft_array *a);

/* Whether two arrays share memory, and whether every element of one lies where it lies in the other. */
int mfft_arrays_overlap(const mfft_array *a, const mfft_array *b);
int mfft_arrays_coincide(const mfft_array *a, const mfft_array *b);

#endif
