/* chain.h: chains of register butterflies: which radices in which order, by how many threads.
 *
 * A chain is searched among all factorisations of a line by the instructions that an element costs.  A line is held as
 * complexes, with its mirror where a pass of several meets a half spectrum. */
#ifndef MFFT_CUDA_CHAIN_H
#define MFFT_CUDA_CHAIN_H

#include "base/status.h"
#include "local/cuda/planner/kernel.h"
#include "local/cuda/planner/limits.h"

/* Chooses radices and threads for `lines` lines of a kernel whose other fields are set.  Returns their cost in instructions
 * an element, or INFINITY. */
double mfft_chain_search(mfft_kernel *k, const mfft_device_limits *limits, int lines);

/* The same for the chain that is number `rank` among those of different cost, from 1; composite radices are among them. */
double mfft_chain_ranked(mfft_kernel *k, const mfft_device_limits *limits, int lines, int rank);

/* As mfft_chain_search; fails where there are none. */
mfft_status mfft_chain_choose(mfft_kernel *k, const mfft_device_limits *limits, int lines);

/* The cheapest chain of merges for a line of chain->n elements by exactly chain->threads threads, with at most `values`
 * elements in a thread's registers.  Returns its cost in instructions an element, or INFINITY. */
double mfft_chain_find(mfft_precision precision, int values, mfft_chain *chain);

/* Which merge meets the half spectrum, and so takes its butterflies in pairs (kernels/butterfly/packing.cuh); -1: none. */
int mfft_paired_merge(const mfft_kernel *k, int merges);

/* Whether a pair of lines of cosines or sines is converted to or from the elements k and n - k of a spectrum before the
 * first merge, as in types III; in the others this is done after the last one (kernels/butterfly/line_pair.cuh). */
int mfft_converts_first(const mfft_kernel *k);

/* Whether merge i of `merges` takes its butterflies in pairs, for a half spectrum or for opposite elements. */
int mfft_is_paired_merge(const mfft_kernel *k, int merges, int i);

/* Which merge of a chain of `merges` has real inputs or outputs (kernels/butterfly/odd.cu); -1: none. */
int mfft_merge_of_reals(const mfft_kernel *k, int merges);

/* Complexes that a line is held as; lines that a line of threads holds: with its mirror, two; values of a thread. */
int mfft_chain_held(const mfft_kernel *k);
int mfft_chain_sides(const mfft_kernel *k);
int mfft_chain_values(const mfft_kernel *k);

/* The shared memory of a kernel whose chain is set (chain_memory.c): at most, for a search; and with the gaps that suit its
 * radices (gaps.h). */
void mfft_chain_memory(mfft_kernel *k);
void mfft_chain_memory_by_banks(mfft_kernel *k);

/* Gives a kernel a chain; whether the device has room for it. */
void mfft_chain_take(mfft_kernel *k, const mfft_chain *chain);
int mfft_chain_fits(const mfft_kernel *k, const mfft_device_limits *limits, const mfft_chain *chain);

#endif
