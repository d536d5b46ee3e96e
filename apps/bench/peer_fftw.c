/* peer_fftw.c: FFTW in one process as a peer. */
#include <fftw3.h>
#include <limits.h>
#include <stdlib.h>

#include "bench/peer.h"
#include "cli/report.h"

#define REAL       double
#define FFTW(name) fftw_##name
#define NAME(name) double_##name
#include "bench/peer_fftw_body.h"
#undef REAL
#undef FFTW
#undef NAME
#define REAL       float
#define FFTW(name) fftwf_##name
#define NAME(name) single_##name
#include "bench/peer_fftw_body.h"
#ifdef MFFT_HAVE_FFTW_LONG
#undef REAL
#undef FFTW
#undef NAME
#define REAL       long double
#define FFTW(name) fftwl_##name
#define NAME(name) long_##name
#include "bench/peer_fftw_body.h"
#define LONG_DOUBLE long_create
#else
#define LONG_DOUBLE NULL
#endif

static mfft_status (*const create_in[])(const mfft_peer_spec *, mfft_peer **) = {
    [MFFT_DOUBLE] = double_create, [MFFT_SINGLE] = single_create, [MFFT_LONG_DOUBLE] = LONG_DOUBLE};

mfft_status mfft_peer_create_fftw(const mfft_peer_spec *spec, mfft_peer **peer) {
  int64_t count = 2;
  for (int a = 0; a < spec->rank; a++) count *= spec->n[a];
  if (count > INT_MAX || spec->batch > INT_MAX)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "--vs fftw: %lld elements are more than FFTW's basic interface counts",
                         (long long)(count / 2));
  if (!create_in[spec->precision])
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "this build's FFTW does not transform this precision; leave out --vs");
  return create_in[spec->precision](spec, peer);
}
