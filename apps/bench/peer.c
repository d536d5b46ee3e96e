/* peer.c: the list of peers, and what they share. */
#include "bench/peer.h"

#include <fftw3.h>
#include <stdio.h>

#include "cli/plan_options.h"
#include "mfft_memory.h"

#define NO_CUFFT "this build has no cuFFT; configure with -DMFFT_CUDA=ON and a toolkit that has it"

const mfft_peer_kind mfft_peer_kinds[] = {
    {"none", 1, MFFT_MEMORY_HOST, NULL, NULL},
    {"fftw", 0, MFFT_MEMORY_HOST, NULL, mfft_peer_create_fftw},
#ifdef MFFT_HAVE_FFTW_MPI
    {"fftw-mpi", 1, MFFT_MEMORY_HOST, NULL, mfft_peer_create_fftw_mpi},
#else
    {"fftw-mpi", 1, MFFT_MEMORY_HOST,
     "this build has no FFTW-MPI; install libfftw3_mpi and libfftw3f_mpi and configure again", NULL},
#endif
#ifdef MFFT_HAVE_CUFFT
    {"cufft", 0, MFFT_MEMORY_DEVICE, NULL, mfft_peer_create_cufft},
    {"cufftxt", 1, MFFT_MEMORY_DEVICE, NULL, mfft_peer_create_cufftxt},
#else
    {"cufft", 0, MFFT_MEMORY_DEVICE, NO_CUFFT, NULL},
    {"cufftxt", 1, MFFT_MEMORY_DEVICE, NO_CUFFT, NULL},
#endif
#ifdef MFFT_HAVE_VKFFT
    {"vkfft", 0, MFFT_MEMORY_DEVICE, NULL, mfft_peer_create_vkfft},
#else
    {"vkfft", 0, MFFT_MEMORY_DEVICE,
     "this build has no VkFFT; configure with -DMFFT_CUDA=ON -DMFFT_VKFFT_INCLUDE_DIR=FOLDER, where FOLDER has its vkFFT.h",
     NULL},
#endif
};

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
