/* system.h: errno in words, the file size limit without its signal, and folders of paths.  It includes nothing of mergefft,
 * since the command is built with this file too. */
#ifndef MFFT_BASE_SYSTEM_H
#define MFFT_BASE_SYSTEM_H

#include <signal.h>

/* "No space left on device; free some space or choose another folder": errno in words, with the remedy where one is known.
 * The text is the thread's own and lasts until its next call. */
const char *mfft_posix_reason(int error);

/* Between these two a write of this thread beyond the file size limit (ulimit -f) fails with EFBIG, where the signal that
 * comes with it would end the process.  Other threads, and what the program does with the signal elsewhere, stay as they
 * are. */
typedef struct mfft_posix_signals {
  sigset_t before; /* what the thread had blocked */
  int pending;     /* a signal of before is the program's own, and is left to it */
} mfft_posix_signals;
void mfft_posix_quiet(mfft_posix_signals *old);
void mfft_posix_restore(const mfft_posix_signals *old);

/* The folder of a path, to be freed: what stands before its last slash, "/" of "/name", "." of "name".  NULL where there is
 * no memory. */
char *mfft_system_folder(const char *path);

/* Syncs the folder that holds the name `path` to disk; returns 0 or errno. */
int mfft_system_sync_folder(const char *path);

#endif
