/* visitor.h: the caller's function on the values of a part while they are in cache. */
#ifndef MFFT_FIELD_VISITOR_H
#define MFFT_FIELD_VISITOR_H

#include "mfft_field.h"

typedef struct mfft_visitor {
  mfft_field_visit *visit; /* NULL: nothing */
  void *context;
} mfft_visitor;

#endif
