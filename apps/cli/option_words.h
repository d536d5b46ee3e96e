/* option_words.h: messages of the library in the words of a command line. */
#ifndef MFFT_APPS_OPTION_WORDS_H
#define MFFT_APPS_OPTION_WORDS_H

#include <stddef.h>

/* Copies a message to out[size], with the options of the command in place of the fields of mfft_desc and mfft_options, and
 * their values in place of the constants of mfft.h: "options.grid is 3 x 3" becomes "--grid is 3 x 3". */
void mfft_option_words(const char *message, char *out, size_t size);

#endif
