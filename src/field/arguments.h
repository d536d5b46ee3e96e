/* arguments.h: checks of callers' arguments, the same for reading and writing. */
#ifndef MFFT_FIELD_ARGUMENTS_H
#define MFFT_FIELD_ARGUMENTS_H

#include "mfft_field.h"

/* Checks a box of an array of n[], its array and their precision.  On success *checked is the box with its memory order set.
 */
mfft_status mfft_field_check_array(const mfft_box *box, const int64_t n[3], mfft_precision precision, const void *data,
                                   mfft_box *checked);

/* Checks a part of a box, both with their memory order set. */
mfft_status mfft_field_check_part(const mfft_box *part, const mfft_box *box);

mfft_status mfft_field_check_path(const char *path);

/* A caller's info, which may be of an older header and shorter; results are copied as far as they fit. */
mfft_status mfft_field_check_info(const mfft_field_info *info);
void mfft_field_give_info(const mfft_field_info *found, mfft_field_info *info);

#endif
