/* particle_rules.h: choices of the kernels for particles, as measured on an H200 (docs/lab/particles-gpu.md). */
#ifndef MFFT_CUDA_PARTICLE_RULES_H
#define MFFT_CUDA_PARTICLE_RULES_H

/* Whether a deposit with a window of `order` points on an axis is faster if it sorts its particles first, in whatever
 * sequence they are, than if it adds each share to the mesh by an atomic (kernels/particles/direct.cu). */
int mfft_tuned_sorts(int order);

/* Whether particles of this disorder (mfft_particle_sort) are sorted as those in no order (kernels/particles/sort.cu).  The
 * times are those of 0 and 1: nothing between them was measured. */
int mfft_tuned_in_no_order(double disorder);

/* Most warps among which particles are divided when they are listed by the ranks that own them; `least`: those of a thread
 * block.  Each warp has one count for each rank, and the host adds up all counts, so there are fewer warps for many ranks.
 */
unsigned mfft_tuned_owner_warps(int ranks, unsigned least);

#endif
