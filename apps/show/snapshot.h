/* snapshot.h: `mergefft show` of a snapshot of particles. */
#ifndef MFFT_APPS_SHOW_SNAPSHOT_H
#define MFFT_APPS_SHOW_SNAPSHOT_H

#include "show/settings.h"

/* Draws a slab of a snapshot.  Returns MFFT_EXIT_OK, or MFFT_EXIT_FAILED after reporting the error.  Collective. */
int mfft_show_snapshot(const mfft_show *show);

#endif
