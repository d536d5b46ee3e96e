/* name_list.h: names of a list between commas, one for all axes or one for each. */
#ifndef MFFT_APPS_NAME_LIST_H
#define MFFT_APPS_NAME_LIST_H

/* Reads one to three names separated by commas; name(i): the name of index i, NULL beyond the last.  Returns how many there
 * are, with their indices in found[3], or 0 if there are more or one is unknown. */
int mfft_cli_read_names(const char *text, const char *(*name)(int), int found[3]);

#endif
