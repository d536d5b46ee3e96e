/* particles.h: the table of calls of local/particles.h on the device. */
#ifndef MFFT_CUDA_PARTICLES_H
#define MFFT_CUDA_PARTICLES_H

#include "local/particles.h"

extern const mfft_particle_calls mfft_cuda_particle_calls;

#endif
