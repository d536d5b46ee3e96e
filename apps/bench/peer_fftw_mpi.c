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
#ifdef MFFT_HAVE_FFTW_MPI_LONG
#undef REAL
#undef FFTW
#undef NAME
#define REAL       long double
#define FFTW(name) fftwl_##name
#define NAME(name) long_##name
#include "bench/peer_fftw_mpi_body.h"
#define LONG_DOUBLE long_create
#else
#define LONG_DOUBLE NULL
#endif

static mfft_status (*const create_in[])(const mfft_peer_spec *, mfft_peer **) = {
    [MFFT_DOUBLE] = double_create, [MFFT_SINGLE] = single_create, [MFFT_LONG_DOUBLE] = LONG_DOUBLE};

mfft_status mfft_peer_create_fftw_mpi(const mfft_peer_spec *spec, mfft_peer **peer) {
  if (!create_in[spec->precision])
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "this build's FFTW-MPI does not transform this precision; leave out --vs");
  if (spec->rank == 1 && spec->kind == MFFT_R2C)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "FFTW-MPI has no R2C transform of one dimension; use --kind c2c");
  return create_in[spec->precision](spec, peer);
}
