/* peer_fftw_mpi.c: FFTW-MPI as a peer.  Compiled only if libfftw3_mpi was found; peer.c reports its absence otherwise. */
#include <fftw3-mpi.h>
#include <stdlib.h>

#include "bench/peer.h"
#include "cli/collective.h"
#include "cli/report.h"
#include "gen/noise.h"

#define REAL       double
#define FFTW(name) fftw_##name
#define NAME(name) double_##name
#include "bench/peer_fftw_mpi_body.h"
#undef REAL
#undef FFTW
#undef NAME
#define REAL       float
#define FFTW(name) fftwf_##name
#define NAME(name) single_##name
#include "bench/peer_fftw_mpi_body.h"

mfft_status mfft_peer_create_fftw_mpi(const mfft_peer_spec *spec, mfft_peer **peer) {
  if (spec->precision != MFFT_DOUBLE && spec->precision != MFFT_SINGLE)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "FFTW-MPI transforms double and single precision only; leave out --vs");
  if (spec->rank == 1 && spec->kind == MFFT_R2C)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "FFTW-MPI has no R2C transform of one dimension; use --kind c2c");
  return spec->precision == MFFT_DOUBLE ? double_create(spec, peer) : single_create(spec, peer);
}
