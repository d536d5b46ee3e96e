/* peer_fftw_mpi.c: FFTW-MPI as a peer.  Compiled only if libfftw3_mpi was found; peer.c reports its absence otherwise. */
#include <fftw3-mpi.h>
#include <stdlib.h>

#include "bench/peer.h"
#include "cli/collective.h"
#include "cli/report.h"
#include "gen/noise.h"

#define BODY "bench/peer_fftw_mpi_body.h"
#ifdef MFFT_HAVE_FFTW_MPI_LONG
#define HAS_LONG_DOUBLE 1
#else
#define HAS_LONG_DOUBLE 0
#endif
#include "bench/peer_fftw_precisions.h"

mfft_status mfft_peer_create_fftw_mpi(const mfft_peer_spec *spec, mfft_peer **peer) {
  if (spec->rank == 1 && spec->kind == MFFT_R2C)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "FFTW-MPI has no R2C transform of one dimension; use --kind c2c");
  return create_in_precision("FFTW-MPI", spec, peer);
}
