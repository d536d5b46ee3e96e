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

mfft_status mfft_peer_create_fftw(const mfft_peer_spec *spec, mfft_peer **peer) {
  int64_t count = 2;
  for (int a = 0; a < spec->rank; a++) count *= spec->n[a];
  if (count > INT_MAX || spec->batch > INT_MAX)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "--vs fftw: %lld elements are more than FFTW's basic interface counts",
                         (long long)(count / 2));
  if (spec->precision != MFFT_DOUBLE && spec->precision != MFFT_SINGLE)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "FFTW transforms double and single precision only; leave out --vs");
  return spec->precision == MFFT_DOUBLE ? double_create(spec, peer) : single_create(spec, peer);
}
