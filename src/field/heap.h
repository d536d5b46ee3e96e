/* heap.h: text of variable length, which HDF5 stores in global heaps: collections of objects of all sizes, anywhere in the
 * file.
 *
 * HDF5 itself follows a reference into a heap without checks (1.10.8: H5HG_read), and crashes or never ends if the reference
 * or the heap is damaged.  So HDF5 is only asked for the reference here, by a conversion of types that changes nothing, and
 * the heap is read with bounds checks. */
#ifndef MFFT_FIELD_HEAP_H
#define MFFT_FIELD_HEAP_H

#include "field/hdf5.h"

/* The only text of an attribute of one variable-length string of this type, truncated to fit text[size]: returns 1; 0 if
 * there is none, or one of more than 64 KiB; -1 if it is damaged. */
int mfft_heap_text(hid_t attribute, hid_t type, char *text, size_t size);

#endif
