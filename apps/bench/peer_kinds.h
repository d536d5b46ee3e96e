/* peer_kinds.h: the list of peers (peer.h) that `mergefft bench --vs` offers. */
#ifndef MFFT_APPS_PEER_KINDS_H
#define MFFT_APPS_PEER_KINDS_H

#include "bench/peer.h"

/* The peers by their index in this list of names, whose first entry is no peer. */
#define MFFT_PEERS "none|fftw|fftw-mpi|cufft|cufftxt|vkfft"
extern const mfft_peer_kind mfft_peer_kinds[]; /* [6] */

#endif
