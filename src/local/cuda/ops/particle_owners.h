/* particle_owners.h: the calls of local/particles.h that list particles by the ranks that own them, and reorder columns. */
#ifndef MFFT_CUDA_PARTICLE_OWNERS_H
#define MFFT_CUDA_PARTICLE_OWNERS_H

#include "local/particles.h"

size_t mfft_cuda_particles_owner_bytes(int ranks);
mfft_status mfft_cuda_particles_order(const mfft_particle_space *space, const mfft_particle_list *list,
                                      const mfft_particle_owners *owners, void *memory, uint32_t *order, int64_t *owned,
                                      int64_t *bad, void *stream);
mfft_status mfft_cuda_particles_reorder(const uint32_t *order, int64_t count, int64_t element_bytes, int direction,
                                        const void *in, void *out, void *stream);

#endif
