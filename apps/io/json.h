/* json.h: writes JSON through jansson, in the order of the calls.
 *
 * Inside an object every value has a key; inside an array, and for the outermost value, the key is NULL.  Numbers have 17
 * significant digits; NaN and infinity, which JSON does not have, become null.  Running out of memory is recorded and
 * returned by save.  A build without jansson has json_absent.c in place of json.c. */
#ifndef MFFT_APPS_JSON_H
#define MFFT_APPS_JSON_H

#include <stdint.h>

#include "mfft.h"

typedef struct mfft_json mfft_json;

/* NULL if this build reads and writes JSON, otherwise the reason why not, and the remedy. */
const char *mfft_json_missing(void);

/* "2.14": the version of jansson, or "" without it. */
const char *mfft_json_version(void);

mfft_json *mfft_json_create(void); /* NULL without memory; all calls below accept NULL */
void mfft_json_destroy(mfft_json *json);

void mfft_json_object(mfft_json *json, const char *key); /* begins an object, mfft_json_end ends it */
void mfft_json_array(mfft_json *json, const char *key);  /* begins an array, mfft_json_end ends it */
void mfft_json_end(mfft_json *json);
void mfft_json_number(mfft_json *json, const char *key, double value);
void mfft_json_integer(mfft_json *json, const char *key, int64_t value);
void mfft_json_string(mfft_json *json, const char *key, const char *value); /* NULL becomes null */
void mfft_json_boolean(mfft_json *json, const char *key, int value);
void mfft_json_numbers(mfft_json *json, const char *key, const double *values /* [count] */, int count);
void mfft_json_integers(mfft_json *json, const char *key, const int64_t *values /* [count] */, int count);

/* Writes the text to a file, whole or not at all (io/save.h), or to stdout for "-".  Not collective: call it on the rank
 * that writes.  A failure stores its error message with mfft_app_fail. */
mfft_status mfft_json_save(const mfft_json *json, const char *path);

#endif
