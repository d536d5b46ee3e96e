/* wisdom.h: what planning has learnt about plans, by key; see mfft_wisdom_export for the text form.
 *
 * A key is one word without spaces that says everything the choice depends on; a value is the rest of the line. */
#ifndef MFFT_PLAN_WISDOM_H
#define MFFT_PLAN_WISDOM_H

#include "base/status.h"

/* Remembers `value` for `key`, in place of an older one.  Thread-safe. */
mfft_status mfft_wisdom_put(const char *key, const char *value);

/* Copies the value of `key` into value [size]; 0 where there is none. */
int mfft_wisdom_get(const char *key, char *value, size_t size);

/* Makes one word of a text that may hold blanks, such as the name of a card. */
void mfft_wisdom_word(char *text);

/* As mfft_wisdom_import, but values that this process has stay. */
mfft_status mfft_wisdom_complete(const char *text);

#endif
