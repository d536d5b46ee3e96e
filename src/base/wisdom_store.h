/* wisdom_store.h: the wisdom of this process in memory: for each key the value that timing selected.
 *
 * A key is one word without spaces that names everything that the choice depends on; the value is the rest of its line.
 * plan/wisdom.h reads and writes wisdom as text, together with the wisdom of the backends. */
#ifndef MFFT_BASE_WISDOM_STORE_H
#define MFFT_BASE_WISDOM_STORE_H

#include "base/text.h"

/* Stores `value` for `key`, in place of an older one.  Thread-safe. */
mfft_status mfft_wisdom_put(const char *key, const char *value);

/* Copies the value of `key` into value [size]; returns 0 if there is none. */
int mfft_wisdom_get(const char *key, char *value, size_t size);

/* Replaces blanks by underscores: a text such as the name of a GPU becomes one word. */
void mfft_wisdom_word(char *text);

/* Adds a line "plan KEY VALUE" for each entry. */
void mfft_wisdom_print(mfft_text *text);

#endif
