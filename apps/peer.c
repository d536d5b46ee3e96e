/* peer.c: what the peers share. */
#include "peer.h"

#include <fftw3.h>

#include "report.h"

void mfft_peer_destroy(mfft_peer *peer) {
  if (peer) peer->ops->destroy(peer);
}

unsigned mfft_peer_flags(mfft_effort effort, int destroy_input) {
  static const unsigned flags[] = {
      [MFFT_MEASURE] = FFTW_MEASURE, [MFFT_ESTIMATE] = FFTW_ESTIMATE, [MFFT_PATIENT] = FFTW_PATIENT};
  return flags[effort] | (destroy_input ? FFTW_DESTROY_INPUT : 0);
}

const char *mfft_peer_version(void) { return fftw_version; }

/* The mixing steps of splitmix64 on a counter. */
double mfft_peer_random(uint64_t place) {
  uint64_t z = (place + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53 - 0.5;
}

#ifndef MFFT_HAVE_FFTW_MPI
int mfft_peer_has_mpi(void) { return 0; }

mfft_status mfft_peer_create_fftw_mpi(const mfft_peer_spec *spec, mfft_peer **peer) {
  (void)spec;
  (void)peer;
  return mfft_app_fail(MFFT_ERR_UNSUPPORTED,
                       "--vs fftw-mpi: this build has no FFTW-MPI; install libfftw3_mpi and libfftw3f_mpi "
                       "and configure again");
}
#endif
