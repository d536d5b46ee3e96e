<<<<<<< Updated upstream
/* save.h: the files that the command writes beside fields: tables, JSON and pictures. */
#ifndef MFFT_APPS_SAVE_H
#define MFFT_APPS_SAVE_H

#include "base/whole_file.h"
#include "mfft.h"

/* Writes a file of this kind, whole or not at all (base/whole_file.h); of a text "-" is stdout.  Not collective.  A failure
 * keeps its error message with mfft_app_fail and leaves an older file of this name as it was. */
mfft_status mfft_app_save(const char *path, const mfft_file_kind *kind, const void *bytes, size_t length);

/* Whether a text of this name goes to stdout, which a command then leaves to it: "-" or /dev/stdout.  NULL: no. */
int mfft_app_is_stdout(const char *path);
=======
/* textfile.h: a text as a file that is whole or absent. */
#ifndef MFFT_APPS_TEXTFILE_H
#define MFFT_APPS_TEXTFILE_H

#include <stddef.h>

#include "mfft.h"

/* Writes `length` bytes to PATH.tmp.PID, flushes them to the disk and renames (what is no regular file, such as /dev/null,
 * is written directly); "-" writes to stdout.  Not collective.  A failure keeps its story with mfft_app_fail and leaves an
 * older file of this name as it was. */
mfft_status mfft_text_save(const char *path, const char *text, size_t length);

/* The same for bytes that `write` puts into the stream (returning 0, or -1 with errno set). */
mfft_status mfft_file_save(const char *path, int (*write)(void *context, void *stream /* FILE * */), void *context);
>>>>>>> Stashed changes

#endif
