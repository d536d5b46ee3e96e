/* partial.h: the file PATH.mfft-partial that grows until it takes the name PATH.  Rank 0 only.
 *
 * The partial file is locked by the process that makes it, until it ends, on every file system that has locks. A
 * second job finds the lock and gets MFFT_ERR_BUSY; the partial file of a job that was killed is not locked, and is removed
 * and made anew (not used again, since a rank of that job may still be writing to it).  Where there are no locks a partial
 * file counts as in use until somebody removes it. */
#ifndef MFFT_FIELD_PARTIAL_H
#define MFFT_FIELD_PARTIAL_H

#include "base/status.h"

#define MFFT_PARTIAL_SUFFIX ".mfft-partial"

typedef struct mfft_partial {
  char *path; /* the final name, links followed */
  char *name; /* the path of the partial file; NULL if there is none to remove */
  int fd;     /* holds the lock; -1 when closed */
} mfft_partial;

/* Makes an empty, locked partial file. */
mfft_status mfft_partial_begin(const char *path, mfft_partial *partial);

/* Renames it to the final name and flushes the folder to disk. */
mfft_status mfft_partial_rename(mfft_partial *partial);

/* Removes the partial file unless it was renamed, and frees.  Accepts a zeroed object. */
void mfft_partial_end(mfft_partial *partial);

#endif
