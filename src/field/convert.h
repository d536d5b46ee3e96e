/* convert.h: values between a packed piece, in the type of the file, and the array of a box. */
#ifndef MFFT_FIELD_CONVERT_H
#define MFFT_FIELD_CONVERT_H

#include "base/box.h"

/* Bytes of a value: 4 or 8, and 0 for what fields do not take. */
int mfft_value_bytes(mfft_precision precision);

/* Whether a piece lies in the array of `box` just as it does packed; then `offset` is where, in elements. */
int mfft_convert_direct(const mfft_box *piece, const mfft_box *box, int64_t *offset);

/* Copies all values of `piece`, packed in C order, to their places in the array of `box` (in), or back (out).  Returns how
 * many finite values became infinite. */
int64_t mfft_convert_in(const mfft_box *piece, const void *packed, mfft_precision stored, const mfft_box *box, void *array,
                        mfft_precision memory);
int64_t mfft_convert_out(const mfft_box *piece, void *packed, mfft_precision stored, const mfft_box *box, const void *array,
                         mfft_precision memory);

/* Turns the bytes of each value round; whether this machine puts the most significant byte first. */
void mfft_swap_bytes(void *values, int element_bytes, int64_t count);
int mfft_big_endian_machine(void);

#endif
