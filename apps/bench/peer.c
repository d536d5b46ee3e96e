/* peer.c: what the peers share. */
#include "bench/peer.h"

#include <fftw3.h>
#include <stdio.h>

#include "cli/plan_options.h"

void mfft_peer_destroy(mfft_peer *peer) {
  if (peer) peer->ops->destroy(peer);
}

void mfft_peer_describe_fftw(mfft_peer *peer, const char *planner, const mfft_peer_spec *spec) {
  snprintf(peer->call, sizeof peer->call, "%s, effort %s, %d thread%s, %s order, %s", planner,
           mfft_cli_choice_name(MFFT_EFFORTS, (int)spec->effort), spec->threads, spec->threads == 1 ? "" : "s",
           spec->order == MFFT_ORDER_NATURAL ? "natural"
           : spec->rank == 1                 ? "scrambled"
                                             : "transposed",
           spec->placement == MFFT_IN_PLACE ? "in place" : "out of place");
}

unsigned mfft_peer_flags(mfft_effort effort, int destroy_input) {
  static const unsigned flags[] = {
      [MFFT_MEASURE] = FFTW_MEASURE, [MFFT_ESTIMATE] = FFTW_ESTIMATE, [MFFT_PATIENT] = FFTW_PATIENT};
  return flags[effort] | (destroy_input ? FFTW_DESTROY_INPUT : 0);
}

const char *mfft_peer_version(void) { return fftw_version; }
