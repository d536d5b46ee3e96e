/* save.h: the files that the command writes, except fields: tables, JSON and pictures. */
#ifndef MFFT_APPS_SAVE_H
#define MFFT_APPS_SAVE_H

#include "base/whole_file.h"
#include "mfft.h"

/* Writes a file of this kind, whole or not at all (base/whole_file.h); of a text "-" is stdout.  Not collective.  A failure
 * keeps its error message with mfft_app_fail and leaves an older file of this name as it was. */
mfft_status mfft_app_save(const char *path, const mfft_file_kind *kind, const void *bytes, size_t length);

/* Whether a text of this name goes to stdout, to which the command then prints nothing else: "-" or /dev/stdout.  NULL: no.
 */
int mfft_app_is_stdout(const char *path);

#endif
