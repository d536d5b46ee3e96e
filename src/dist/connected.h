/* connected.h: which ranks an exchange connects.  Pure geometry. */
#ifndef MFFT_DIST_CONNECTED_H
#define MFFT_DIST_CONNECTED_H

#include "dist/decomp.h"

/* Groups the ranks that an exchange between the layouts connects, directly or through others: color[rank] is the lowest rank
 * of its group. */
mfft_status mfft_layout_groups(const mfft_layout *from, const mfft_layout *to, int *color);

#endif
