/* particle_rules.h: when a deposit sorts its particles, as measured on an H200 (docs/lab/particles-gpu.md). */
#ifndef MFFT_CUDA_PARTICLE_RULES_H
#define MFFT_CUDA_PARTICLE_RULES_H

/* The most tiles of which a block that takes particles in the sequence of the caller makes the sums in shared memory
 * (kernels/particles/runs.cu); -1: the particles are sorted.  order: points of the window on an axis; disorder: the share of
 * neighbours in memory that are in different tiles, or 1 where it is not known. */
int mfft_tuned_run_tiles(int order, double disorder);

#endif
