/* wisdom_store.h: what planning has learnt in this process: a value for each key.
 *
 * A key is one word without spaces that says everything the choice depends on; a value is the rest of the line.
 * plan/wisdom.h has the text form, with the wisdom of the backends. */
#ifndef MFFT_BASE_WISDOM_STORE_H
#define MFFT_BASE_WISDOM_STORE_H

#include "base/text.h"

/* Remembers `value` for `key`, in place of an older one.  Thread-safe. */
mfft_status mfft_wisdom_put(const char *key, const char *value);

/* Copies the value of `key` into value [size]; 0 where there is none. */
int mfft_wisdom_get(const char *key, char *value, size_t size);

/* Makes one word of a text that may hold blanks, such as the name of a card. */
void mfft_wisdom_word(char *text);

/* Adds a line "plan KEY VALUE" for each entry. */
void mfft_wisdom_print(mfft_text *text);

#endif
