/* peer.h: another FFT beside ours, for `mergefft bench`: planned with the same effort, in the same process, with the same
 * placement, order and leave to destroy its input.
 *
 *   fftw      FFTW's own plan of the whole array, one process
 *   fftw-mpi  FFTW-MPI's own plan on its own slabs, if the build found libfftw3_mpi */
#ifndef MFFT_APPS_PEER_H
#define MFFT_APPS_PEER_H

#include <mpi.h>

#include "mfft.h"

typedef struct mfft_peer_spec {
  MPI_Comm comm;
  int rank;
  int64_t n[3]; /* [rank] */
  int64_t batch;
  mfft_kind kind;
  mfft_precision precision; /* double or single */
  mfft_placement placement;
  mfft_order order; /* transposed (one dimension: scrambled) out forward and in backward; fftw-mpi only */
  mfft_effort effort;
  int destroy_input; /* an out-of-place transform may overwrite its input */
  int threads;       /* fftw only */
} mfft_peer_spec;

typedef struct mfft_peer mfft_peer;

/* What a peer can do; each implementation puts the table first in a struct of its own. */
typedef struct mfft_peer_ops {
  const char *name;
  void (*fill)(mfft_peer *peer, double amplitude); /* random data in the input array */
  void (*execute)(mfft_peer *peer, mfft_direction direction);
  void (*destroy)(mfft_peer *peer);
} mfft_peer_ops;

struct mfft_peer {
  const mfft_peer_ops *ops;
};

/* The peers of this build: "fftw", and "fftw-mpi" where it is there.  Collective.  MFFT_ERR_UNSUPPORTED with the reason for
 * what the peer cannot do. */
int mfft_peer_has_mpi(void);
mfft_status mfft_peer_create_fftw(const mfft_peer_spec *spec, mfft_peer **peer);
mfft_status mfft_peer_create_fftw_mpi(const mfft_peer_spec *spec, mfft_peer **peer);
void mfft_peer_destroy(mfft_peer *peer); /* accepts NULL */

/* FFTW's flags for an effort and a leave to destroy the input, the version of FFTW, and the numbers both sides are fed:
 * uniform in [-0.5, 0.5) by the place in the array. */
unsigned mfft_peer_flags(mfft_effort effort, int destroy_input);
const char *mfft_peer_version(void);
double mfft_peer_random(uint64_t place);

#endif
