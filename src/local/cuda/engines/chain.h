/* chain.h: chains of register butterflies: the choice of radices, of their order, and of the threads of a line.
 *
 * The search enumerates all factorisations of a line and estimates the instructions that each costs an element, without a
 * device (as FFTW's estimator does with flops).  A line is in registers as complexes; together with its mirror line if one
 * of several passes loads or stores a half spectrum (kernels/butterfly/packing.cuh). */
#ifndef MFFT_CUDA_CHAIN_H
#define MFFT_CUDA_CHAIN_H

#include "base/status.h"
#include "local/cuda/planner/kernel.h"
#include "local/cuda/planner/limits.h"

/* Chooses radices and threads for `lines` lines of a kernel whose other fields are set.  Returns their cost in instructions
 * an element, or INFINITY. */
double mfft_chain_search(mfft_kernel *k, const mfft_device_limits *limits, int lines);

/* Does the same for the chain that is the `rank`-th cheapest, from 1, among those of different cost; composite radices are
 * allowed. */
double mfft_chain_ranked(mfft_kernel *k, const mfft_device_limits *limits, int lines, int rank);

/* Whether the search compares only the first radix of a kernel's chains, so that all orders of the others are compared
 * afterwards (chain_order.h): contiguous lines of complex numbers whose length has other factors than 2. */
int mfft_chain_has_order(const mfft_kernel *k);

/* Does the same as mfft_chain_search, but fails with a message if there is no chain. */
mfft_status mfft_chain_choose(mfft_kernel *k, const mfft_device_limits *limits, int lines);

/* The cheapest chain of merges for a line of chain->n elements by exactly chain->threads threads, with at most `values`
 * elements in a thread's registers, for a kernel whose other fields are set.  mirrored: the threads have the mirror line
 * too, and the kernel converts cosines at one end of the chain.  Returns its cost in instructions an element, or INFINITY.
 */
double mfft_chain_find(const mfft_kernel *k, int mirrored, int values, mfft_chain *chain);

/* Index of the merge that packs or unpacks the half spectrum, whose butterflies a thread takes in pairs
 * (kernels/butterfly/packing.cuh); -1: none. */
int mfft_paired_merge(const mfft_kernel *k, int merges);

/* Whether a pair of lines of cosines or sines is converted to or from the elements k and n - k of a spectrum before the
 * first merge, as in type III; in the other types this is done after the last one (kernels/butterfly/line_pair.cuh). */
int mfft_converts_first(const mfft_kernel *k);

/* Whether merge i of `merges` takes its butterflies in pairs, for a half spectrum or for opposite elements. */
int mfft_is_paired_merge(const mfft_kernel *k, int merges, int i);

/* Index of the merge of a chain of `merges` that has real inputs or outputs (kernels/butterfly/odd.cu); -1: none. */
int mfft_merge_of_reals(const mfft_kernel *k, int merges);

/* held: complexes of a line in registers, about half of the elements for odd real lines.  sides: 2 if the threads of a line
 * have its mirror line too, else 1.  values: complexes that a thread has at once. */
int mfft_chain_held(const mfft_kernel *k);
int mfft_chain_sides(const mfft_kernel *k);
int mfft_chain_values(const mfft_kernel *k);

/* Sets the shared memory of a kernel whose chain is set (chain_memory.c).  memory: an upper bound, for a search.
 * memory_by_banks: the bytes with the gaps that suit its radices (gaps.h). */
void mfft_chain_memory(mfft_kernel *k);
void mfft_chain_memory_by_banks(mfft_kernel *k);

/* Whether the twiddles of all merges but the first lie in shared memory, where there is room for them. */
void mfft_chain_share_twiddles(mfft_kernel *k, const mfft_device_limits *limits, int wanted);

/* Whether no two radices of a chain have a common factor. */
int mfft_chain_is_coprime(const mfft_chain *chain);

/* The chain with its radices in the opposite order. */
mfft_chain mfft_chain_reversed(const mfft_chain *chain);

/* take: gives a kernel a chain.  fits: whether the device has space for it. */
void mfft_chain_take(mfft_kernel *k, const mfft_chain *chain);
int mfft_chain_fits(const mfft_kernel *k, const mfft_device_limits *limits, const mfft_chain *chain);

#endif
