/* snapshot.h: the content of a snapshot of particles, as text and JSON. */
#ifndef MFFT_APPS_INFO_SNAPSHOT_H
#define MFFT_APPS_INFO_SNAPSHOT_H

#include "mfft.h"

/* Prints the header and the columns of a snapshot; with `json`, a name or - for stdout, writes them there too, and prints
 * nothing else to stdout if they go there.  Collective. */
mfft_status mfft_info_snapshot(const char *path, const char *json);

#endif
