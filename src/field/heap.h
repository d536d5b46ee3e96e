/* heap.h: text of variable length, which HDF5 keeps in global heaps: collections of objects of all sizes, anywhere in the
 * file.
 *
 * HDF5 itself follows a reference into a heap wherever it leads (1.10.8: H5HG_read), and crashes or never ends where the
 * reference or the heap is damaged.  So it only hands out the reference here, by a conversion of types that changes nothing,
 * and the heap is read with bounds. */
#ifndef MFFT_FIELD_HEAP_H
#define MFFT_FIELD_HEAP_H

#include "field/hdf5.h"

/* The only text of an attribute of one variable-length string of this type, cut to fit text[size]: 1; 0 where there is none,
 * or one of more than 64 KiB; -1 where it is damaged. */
int mfft_heap_text(hid_t attribute, hid_t type, char *text, size_t size);

#endif
