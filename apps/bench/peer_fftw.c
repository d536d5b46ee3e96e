/* peer_fftw.c: FFTW in one process as a peer. */
#include <fftw3.h>
#include <limits.h>
#include <stdlib.h>

#include "bench/peer.h"
#include "cli/report.h"

#define BODY "bench/peer_fftw_body.h"
#ifdef MFFT_HAVE_FFTW_LONG
#define HAS_LONG_DOUBLE 1
#else
#define HAS_LONG_DOUBLE 0
#endif
#include "bench/peer_fftw_precisions.h"

mfft_status mfft_peer_create_fftw(const mfft_peer_spec *spec, mfft_peer **peer) {
  int64_t count = 2;
  for (int a = 0; a < spec->rank; a++) count *= spec->n[a];
  if (count > INT_MAX || spec->batch > INT_MAX)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "--vs fftw: %lld elements are more than FFTW's basic interface counts",
                         (long long)(count / 2));
  return create_in_precision("FFTW", spec, peer);
}
