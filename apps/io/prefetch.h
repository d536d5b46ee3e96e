/* prefetch.h: a file is read into the page cache of the system while the command does something else, such as planning or
 * solving for the preceding field, so that reading it waits less for the disk.
 *
 * Each rank requests its share of the bytes. It is advice to the system (posix_fadvise): data in the cache costs nothing
 * more, a file system without such advice ignores it, and no memory of the program is used. */
#ifndef MFFT_APPS_PREFETCH_H
#define MFFT_APPS_PREFETCH_H

/* Begins to read a file ahead, and ends reading the preceding one.  Errors, such as a missing file, are ignored: reading it
 * will report them.  Not collective. */
void mfft_prefetch_start(const char *path);

/* Ends it; also if none has begun. */
void mfft_prefetch_stop(void);

#endif
