/* json_read.h: reading JSON (RFC 8259) through jansson. */
#ifndef MFFT_APPS_JSON_READ_H
#define MFFT_APPS_JSON_READ_H

#include "mfft.h"

typedef struct json_t mfft_json_value; /* jansson's; the functions below accept NULL for a missing value */

/* A file, "-" for stdin, as a tree, to be freed with mfft_json_free.  Not collective.  A failure stores its error message,
 * with the line of the file, by mfft_app_fail. */
mfft_status mfft_json_load(const char *path, mfft_json_value **root);
void mfft_json_free(mfft_json_value *root);

/* The member of an object by its key, or NULL; `object` may be of any type. */
const mfft_json_value *mfft_json_get(const mfft_json_value *object, const char *key);

/* The members of an array: their number, -1 if the value is no array, and one of them. */
int mfft_json_count(const mfft_json_value *array);
const mfft_json_value *mfft_json_at(const mfft_json_value *array, int i);

/* A text, "" of anything else; a number, 0 or 1 of a boolean, NAN of anything else. */
const char *mfft_json_text_of(const mfft_json_value *value);
double mfft_json_number_of(const mfft_json_value *value);

#endif
