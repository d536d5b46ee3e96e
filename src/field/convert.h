/* convert.h: values between a packed piece, in the type of the file, and the array of a box. */
#ifndef MFFT_FIELD_CONVERT_H
#define MFFT_FIELD_CONVERT_H

#include "base/box.h"

/* Bytes of a value: 4 or 8, and 0 for precisions that fields do not support. */
int mfft_value_bytes(mfft_precision precision);

/* Whether a piece is contiguous and in C order in the array of `box`; then `offset` is its offset, in elements. */
int mfft_convert_direct(const mfft_box *piece, const mfft_box *box, int64_t *offset);

/* Copies all values of `piece`, packed in C order, to their positions in the array of `box` (in), or back (out).  Returns
 * the number of finite values that became infinite. */
int64_t mfft_convert_in(const mfft_box *piece, const void *packed, mfft_precision stored, const mfft_box *box, void *array,
                        mfft_precision memory);
int64_t mfft_convert_out(const mfft_box *piece, void *packed, mfft_precision stored, const mfft_box *box, const void *array,
                         mfft_precision memory);

/* Reverses the bytes of each value; whether this machine stores the most significant byte first. */
void mfft_swap_bytes(void *values, int element_bytes, int64_t count);
int mfft_big_endian_machine(void);

#endif
