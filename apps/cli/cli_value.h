/* cli_value.h: the value of one option, read from text and written as text. */
#ifndef MFFT_APPS_CLI_VALUE_H
#define MFFT_APPS_CLI_VALUE_H

#include <stdint.h>
#include <stdio.h>

#include "cli/cli_option.h"

/* One value as the parser reads it: 0, or -1 with the reason in `why` ("must be a whole number from 1 to 9"). */
enum { MFFT_CLI_WHY_BYTES = 256 };
int mfft_cli_read_int(const char *text, double min, double max, int64_t *value, char *why);
int mfft_cli_read_real(const char *text, double min, double max, double *value, char *why);
int mfft_cli_read_value(const mfft_cli_option *option, const char *text, void *value, char *why);

/* A parsed value as a user would type it; "not given" if it is absent without a default. */
void mfft_cli_write_value(const mfft_cli_option *option, const void *value, FILE *out);

/* The index of `text` among "one|two|three", or -1; the word at an index ("" if there is none), in a static buffer. */
int mfft_cli_choice(const char *choices, const char *text);
const char *mfft_cli_choice_name(const char *choices, int place);

#endif
