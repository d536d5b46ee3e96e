/* filter_shape.h: describes the array to which a function of the wave numbers is applied. */
#ifndef MFFT_LOCAL_FILTER_SHAPE_H
#define MFFT_LOCAL_FILTER_SHAPE_H

#include <stdint.h>

/* An array of complex or real numbers, and the positions of this rank's first indices in the tables of the function. */
typedef struct mfft_filter_shape {
  int64_t n[4], stride[4]; /* [batch, axis 0, 1, 2] lengths, and strides in elements, equal for input and output */
  int64_t table[3];        /* [axis] position of the first index, in entries from the start of all tables */
  int64_t real;            /* 1: the elements are real numbers, of a backend that has cosines and sines */
} mfft_filter_shape;

#endif
