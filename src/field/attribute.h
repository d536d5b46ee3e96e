/* attribute.h: small attributes of objects, read with checks of type and size, and written in one call. */
#ifndef MFFT_FIELD_ATTRIBUTE_H
#define MFFT_FIELD_ATTRIBUTE_H

#include "field/hdf5.h"

/* Numbers: 1 to 3 integers or floating-point values of at most 16 bytes, in a list 1 to `most`, at most 64.  Returns their
 * count.  Text: of fixed or variable length; returns 1 and a text of less than `size` bytes.  Both return 0 if the attribute
 * is missing or of another type, and -1 if it exists and is damaged. */
int mfft_attribute_numbers(hid_t object, const char *name, double value[3]);
int mfft_attribute_list(hid_t object, const char *name, double *value /* [most] */, int most);
int mfft_attribute_text(hid_t object, const char *name, char *text, size_t size);

/* Writes one value if all `count` are equal, else all of them.  Integer attributes are 64-bit; a text has a fixed length. */
mfft_status mfft_attribute_put_doubles(hid_t object, const char *name, const double *value, int count);
mfft_status mfft_attribute_put_integers(hid_t object, const char *name, const int64_t *value, int count);
mfft_status mfft_attribute_put_text(hid_t object, const char *name, const char *text);

#endif
