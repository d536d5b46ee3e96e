/* available.h: the memory and disk space available to a job. */
#ifndef MFFT_APPS_AVAILABLE_H
#define MFFT_APPS_AVAILABLE_H

#include <stdint.h>

/* Bytes of memory that this node can still give to the ranks of the job on it: what the kernel reports as available, or what
 * the limits of the control groups of this process allow (version 2 of control groups, as batch systems set them).  0 if the
 * system does not report it.  Not collective. */
int64_t mfft_available_memory(void);

/* Ranks of the job on this node, according to the launcher; otherwise all of them. */
int mfft_node_ranks(void);

/* Bytes that the file system of the folder of `path` has available for this user; -1 if the system does not report it. */
int64_t mfft_available_disk(const char *path);

#endif
