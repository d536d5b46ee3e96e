/* butterfly_rules.h: how blocks of register butterflies are shaped and how exactly they compute, as measured on an H200
 * (docs/lab/shapes.md, docs/lab/real-lines.md).  Chains of merges that were measured one by one are in h200.c. */
#ifndef MFFT_CUDA_BUTTERFLY_RULES_H
#define MFFT_CUDA_BUTTERFLY_RULES_H

#include "local/cuda/tuned/tuned.h"

/* The longest line of a half spectrum that a thread holds whole, and whether it holds a line of complexes whole. */
int mfft_butterfly_whole_half(void);
int mfft_butterfly_is_whole_complex(const mfft_kernel *k);

/* Whether n is a prime above 16 and below 32, whose butterflies have so many terms that inputs and results do not share
 * registers. */
int mfft_is_long_prime(int n);

/* The prime from 17 on of a contiguous line of complexes that has another factor below 8, else 0.  As many threads as the
 * latter have a butterfly of the prime each, which are too few for accesses straight from registers. */
int mfft_butterfly_multiple_of(const mfft_kernel *k);

/* Lines up to this length are staged in shared memory, as they are too short for accesses straight from registers.  Lines
 * that a thread holds whole are staged at any length. */
int mfft_butterfly_staged_most(const mfft_kernel *k);

/* The longest contiguous line of complex doubles with a factor other than 2 that one block does, 160 KB of its shared
 * memory, where lines of other kinds end with 8192. */
int mfft_butterfly_longest_doubles(void);

/* Threads that a block should have; `whole`: each holds a whole line; values: elements that a thread holds. */
int mfft_butterfly_threads(const mfft_kernel *k, int whole, int values);

/* Whether the blocks of a multiprocessor should leave a seventh of its shared memory, 32 KB of an H200, to the L1 cache: the
 * lines are doubles of a prime from 17 on, or real ones of twice as many (docs/lab/mixed-radices.md). */
int mfft_butterfly_leaves_cache(const mfft_kernel *k);

/* Registers of a thread that holds so many values, once lines and threads of the block are set. */
int mfft_butterfly_registers(const mfft_kernel *k, int values);

/* Whether the kernel is faster without a bound of registers, by which the compiler takes those that the bound leaves and
 * reorders more (docs/lab/mixed-radices.md). */
int mfft_butterfly_compact(const mfft_kernel *k);

/* Registers of a thread, of so many values, that suffice for `blocks` blocks of a multiprocessor in the place of the one
 * that is expected to fit: of blocks of strided lines, in the cache or not.  INT_MAX: none do. */
int mfft_butterfly_enough_registers(const mfft_kernel *k, int values, int blocks, int cached);

/* Blocks of a multiprocessor for which the registers of a kernel whose chain has been chosen are bounded, where that was
 * measured to be faster than the rule; else 0. */
int mfft_butterfly_bound(const mfft_kernel *k);

/* Whether the twiddles of all merges but the first of a kernel can lie in shared memory: its blocks wait for all of their
 * threads before they read them. */
int mfft_butterfly_may_share_twiddles(const mfft_kernel *k);

/* Whether it is faster by that (docs/lab/mixed-radices.md). */
int mfft_butterfly_shares_twiddles(const mfft_kernel *k);

/* Whether a kernel can load the twiddles of a merge before the exchange that precedes it. */
int mfft_butterfly_may_be_early(const mfft_kernel *k);

/* Whether it is faster by that (docs/lab/mixed-radices.md). */
int mfft_butterfly_is_early(const mfft_kernel *k);

/* Whether so many twiddles of a kernel can be products of others, and how many are (docs/lab/mixed-radices.md). */
int mfft_butterfly_may_take_products(const mfft_kernel *k, mfft_products products);
mfft_products mfft_butterfly_products(const mfft_kernel *k);

/* Whether a kernel whose blocks have one line is faster if it is compiled without the index of the line in the block and the
 * comparison of that line with the number of lines (docs/lab/mixed-radices.md). */
int mfft_butterfly_has_sole_line(const mfft_kernel *k);

/* Registers of a thread of a cluster that holds so many bytes of values. */
int mfft_cluster_registers(int value_bytes);

/* Whether composite radices above 16 may replace several merges of a line that takes so many without them
 * (docs/lab/mixed-radices.md). */
int mfft_butterfly_composites(const mfft_kernel *k, int merges);

/* Whether the cheapest chain with composite radices, of `composite` merges, replaces the cheapest without, of `plain`
 * merges. */
int mfft_butterfly_prefers_composites(const mfft_kernel *k, int plain, int composite);

/* Whether the lines of a pass are contiguous, complex, and of a length with other factors than 2, and the caller has not
 * named their radices. */
int mfft_butterfly_is_mixed(const mfft_kernel *k);

/* Whether the merges of such a line are put in an order that suits its threads and the banks of shared memory
 * (engines/chain_order.h): lines of more than 200 elements. */
int mfft_butterfly_is_ordered(const mfft_kernel *k);

/* The cost of a chain. */
extern const mfft_counted_cost mfft_butterfly_counted;

/* Whether merges of radix 32 may be used, which save a merge of long lines of short numbers. */
int mfft_butterfly_has_long_radix(const mfft_kernel *k);

/* Whether a thread of this line may hold many values at little cost; composites: with composite radices above 16. */
int mfft_butterfly_is_roomy(const mfft_kernel *k, int long_radix, int composites);

/* Whether chains of such a line are compared by the cost that was fitted to measured ones (engines/chain.c): lines of 200 to
 * 4100 elements. */
int mfft_butterfly_is_fitted(const mfft_kernel *k);

/* The numbers of that cost; a factor's number is added to 1. */
typedef struct mfft_fitted_cost {
  double exchange;     /* instructions of an exchange through shared memory, for one element */
  double uneven_first; /* factor of a first merge whose butterflies are no multiple of the threads */
  double uneven;       /* factor of every later merge of that kind */
  double gaps;         /* factor of a first radix that is a multiple of `banks` */
  double of_value;     /* factor, for each value of a thread beyond free_values */
  double large;        /* factor of blocks of more than large_threads */
  int banks, free_values, large_threads, most_radix;
} mfft_fitted_cost;
extern const mfft_fitted_cost mfft_butterfly_fitted;

/* Most threads of a block whose number of lines is chosen so that its last warp has the fewest idle lanes: for contiguous
 * complex lines with other factors than 2, in single; 0: the lines of a block are a power of two. */
int mfft_butterfly_small_block(const mfft_kernel *k);

/* Whether such a line of two merges is stored through shared memory: where the rows of results that its threads would store
 * begin inside sectors. */
int mfft_butterfly_stages_results(const mfft_kernel *k);

/* The arithmetic of a line in double or single with a half spectrum at one end, whose error would exceed cuFFT's with the
 * fast arithmetic: numbers are rounded once, or all roots are loaded.  The rows of mfft_tuned.exact come before this rule.
 * several_axes: the line is of an array of several axes, of which only lines of 32 doubles need it. */
mfft_exact mfft_butterfly_exact(const mfft_kernel *k, int several_axes);

#endif
