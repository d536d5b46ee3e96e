/* peer_kinds.c: see peer_kinds.h. */
#include "bench/peer_kinds.h"

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
