/* hierarchical_arrange.h: decides which rank of a node is the leader of which message, when transfers are created. */
#ifndef MFFT_DIST_HIERARCHICAL_ARRANGE_H
#define MFFT_DIST_HIERARCHICAL_ARRANGE_H

#include "dist/transport.h"

/* The entry `arrange` of the transport's table. */
mfft_status mfft_hierarchical_arrange(const mfft_topology *topology, mfft_transfer **transfers, int count,
                                      int64_t offset_bytes, int64_t *bytes);

#endif
