/* system.h: texts and remedies for errno, the file size limit without its signal, and folders of paths.  This file
 * includes nothing of mergefft, since the command is built with it too. */
#ifndef MFFT_BASE_SYSTEM_H
#define MFFT_BASE_SYSTEM_H

#include <signal.h>

/* A text for `error` as in errno, with the remedy if one is known: "No space left on device; free some space or choose
 * another folder".  The text is thread-local and valid until the next call. */
const char *mfft_posix_reason(int error);

/* Between mfft_posix_quiet and mfft_posix_restore, a write of this thread beyond the file size limit (ulimit -f) fails
 * with EFBIG, where SIGXFSZ would otherwise end the process.  Other threads, and the program's own handling of the
 * signal, are not affected. */
typedef struct mfft_posix_signals {
  sigset_t before; /* signal mask of the thread before */
  int pending;     /* SIGXFSZ was pending before: it belongs to the program and is not consumed */
} mfft_posix_signals;
void mfft_posix_quiet(mfft_posix_signals *old);
void mfft_posix_restore(const mfft_posix_signals *old);

/* The folder of a path, to be freed: the text before the last slash, "/" for "/name", "." for "name".  NULL if out of
 * memory. */
char *mfft_system_folder(const char *path);

/* Syncs the folder that contains `path` to disk, which makes a rename in it durable; returns 0 or errno. */
int mfft_system_sync_folder(const char *path);

#endif
