/* particle_rules.h: when a deposit sorts its particles, as measured on an H200 (docs/lab/particles-gpu.md). */
#ifndef MFFT_CUDA_PARTICLE_RULES_H
#define MFFT_CUDA_PARTICLE_RULES_H

/* Whether a deposit with a window of `order` points on an axis is faster if it sorts its particles first, in whatever
 * sequence they are, than if it adds each share to the mesh by an atomic (kernels/particles/direct.cu). */
int mfft_tuned_sorts(int order);

#endif
