/* kernel.h: what a kernel is compiled for.
 *
 * Two passes with equal kernels share one binary.  The fields are grouped by meaning: the chain of merges that a block does,
 * the two ends where lines are loaded and stored, the tile of shared memory, the twiddles between passes, the cluster of
 * blocks, and hints to the cache.  compile options (engines/options.c) are made of nothing else. */
#ifndef MFFT_CUDA_KERNEL_H
#define MFFT_CUDA_KERNEL_H

#include <stdint.h>
#include <string.h>

#include "base/precision.h"
#include "local/fft_spec.h"

enum { MFFT_MAX_MERGES = 8, MFFT_MAX_CLUSTER = 16, MFFT_PORTABLE_CLUSTER = 8 };

/* The kernel families; engines/table.h knows what each can do. */
typedef enum mfft_engine_id {
  MFFT_ENGINE_BUTTERFLY = 0, /* register butterflies */
  MFFT_ENGINE_TENSOR,        /* 16-bit merges on tensor cores */
  MFFT_ENGINE_CLUSTER,       /* two chains of register butterflies, an exchange among blocks between */
  MFFT_ENGINE_REAL,          /* packing of half spectra as a pass of its own */
  MFFT_ENGINE_SPLIT,         /* single and double merges on tensor cores */
  MFFT_ENGINE_RESIDENT,      /* 16-bit merges on tensor cores, in place in a tile of shared memory */
  MFFT_ENGINE_ODD,           /* real lines of odd length, by register butterflies */
  MFFT_ENGINE_CONVOLUTION,   /* Bluestein's algorithm: the convolution of a line, or what is between other passes of it */
  MFFT_ENGINE_RADER,         /* lines of a prime length by Rader's algorithm */
  MFFT_ENGINES
} mfft_engine_id;

/* Map of threads to a tile: neighbouring threads have neighbouring elements of a line, or the same element of neighbouring
 * lines.
 */
typedef enum mfft_map { MFFT_MAP_ELEMENT = 0, MFFT_MAP_LINE = 1 } mfft_map;

/* The form of a line in memory.  HALF is the first half of a spectrum with Hermitian symmetry: EVEN of 2n reals, which the
 * kernel computes with as n complexes, ODD of n reals. */
typedef enum mfft_form {
  MFFT_FORM_COMPLEX = 0,
  MFFT_FORM_REAL_PAIR = 1, /* 2n reals read as n complexes */
  MFFT_FORM_REAL = 2,      /* n reals */
  MFFT_FORM_HALF_EVEN = 3,
  MFFT_FORM_HALF_ODD = 4,
  MFFT_FORM_LINE_PAIR = 5, /* n elements of two real lines of cosines or sines (kernels/butterfly/line_pair.cuh) */
  MFFT_FORM_TWO_HALVES = 6 /* n complexes of an array with Hermitian symmetry: elements 0 to n/2, and as elements n/2 to 0
                              of the mirror row the conjugates of the others (mfft_fft_spec.mirrored_planes) */
} mfft_form;

/* The path of lines between device memory and registers. */
typedef enum mfft_staging {
  MFFT_STAGED_NOT = 0,       /* straight between memory and registers */
  MFFT_STAGED = 1,           /* through shared memory, all threads of a block together */
  MFFT_STAGED_BY_SECTOR = 2, /* through shared memory, each line from the beginning of a sector */
  MFFT_STAGED_AS_ONE = 3     /* through shared memory, adjacent lines as one piece of memory */
} mfft_staging;

/* The arithmetic by which half spectra are packed or unpacked and odd real lines merged, from the fastest to the most
 * accurate; each value includes those before it. */
typedef enum mfft_exact {
  MFFT_EXACT_NOT = 0,
  MFFT_EXACT_ROOTS = 1,  /* all roots are loaded */
  MFFT_EXACT_ONCE = 2,   /* numbers are rounded once when they are unpacked, and the reals of an odd line once */
  MFFT_EXACT_PARTS = 3,  /* roots are sums of two numbers */
  MFFT_EXACT_COPRIME = 4 /* no roots between merges: the two radices have no common factor */
} mfft_exact;

/* The twiddles W^(p q), q = 1 .. R - 1, that a merge of radix R loads; the others are products of two or three of them. */
typedef enum mfft_products {
  MFFT_PRODUCTS_USUAL = 0, /* loaded: q = 1, 2, 3 and the multiples of 4 */
  MFFT_PRODUCTS_MORE = 1,  /* q = 1 and the multiples of 4 */
  MFFT_PRODUCTS_MOST = 2,  /* q = 1, 4 and the multiples of 16 */
  MFFT_PRODUCTS_FAST = 3,  /* none: those of MFFT_PRODUCTS_MOST are fast sines and cosines, whose error is far below that of
                              numbers of 16 bits */
  MFFT_PRODUCTS_COMPUTED = 4 /* none: those are computed in single, to about one rounding */
} mfft_products;

/* The steps of Bluestein's algorithm (planner/bluestein.h) that a pass does beside its merges, or Rader's algorithm in place
 * of it; bits. */
typedef enum mfft_bluestein_step {
  MFFT_BLUESTEIN_LOAD = 1,      /* multiplies what it loads by the chirp; elements beyond the axis are zeros */
  MFFT_BLUESTEIN_STORE = 2,     /* multiplies what it stores by the chirp; elements beyond the axis are not stored */
  MFFT_BLUESTEIN_SPECTRUM = 4,  /* is of both transforms, and multiplies by the spectrum of the chirp between them */
  MFFT_BLUESTEIN_WIDE_IN = 8,   /* loads from the padded lines, which are as wide as the arithmetic */
  MFFT_BLUESTEIN_WIDE_OUT = 16, /* stores to them */
  MFFT_BLUESTEIN_RADER = 32     /* transforms a prime number of elements by Rader's algorithm (planner/rader.h); the lines of
                                   its chain have one element less */
} mfft_bluestein_step;

/* The elements of a line that exist: all; the first args.given of those that are loaded, before zeros; the first args.given
 * of those that would be stored; or both.  Elements count reals at an end of reals. */
typedef enum mfft_padding {
  MFFT_PADDED_NOT = 0,
  MFFT_PADDED_IN = 1,
  MFFT_CROPPED_OUT = 2,
  MFFT_PADDED_BOTH = 3
} mfft_padding;

/* A chain of merges, and the division of the lines of a block among its threads. */
typedef struct mfft_chain {
  int n;                      /* elements of a line */
  int radix[MFFT_MAX_MERGES]; /* [merges] in the order of the chain; unused ones are 1 */
  int merges;
  int lines, threads; /* lines of a block, threads of a line */
} mfft_chain;

/* A chain whose registers are bounded so that `blocks` blocks fit a multiprocessor; 0: by the rule (engines/occupancy.h). */
typedef struct mfft_bounded_chain {
  mfft_chain chain;
  int blocks;
} mfft_bounded_chain;

/* One end of a pass: how it loads its lines, or how it stores them. */
typedef struct mfft_end {
  mfft_map map;
  mfft_form form;
  mfft_staging staging;
  int unit;       /* elements of a line are contiguous */
  int wide;       /* an access has 16 bytes, or two packed reals; pointers must be aligned for that */
  int last_use;   /* cache hint: the last use of this memory in a cached part, or data that was prefetched */
  int half_width; /* elements have half the width (kernels/common/half_width.cuh) */
  int opposite;   /* a thread has elements i and n - 1 - i together, which are made of neighbours in memory */
} mfft_end;

/* The shared memory of a block, and how blocks use it. */
typedef struct mfft_tile {
  int min_blocks;      /* blocks that must fit a multiprocessor together: bounds the registers */
  int compact;         /* no such bound: the compiler then takes fewer registers, and reorders instructions less */
  int exchange_bytes;  /* bytes of one exchange area */
  int shared_bytes;    /* bytes of all shared memory of a block */
  int two_areas;       /* two exchange areas alternate, which saves one barrier for each exchange */
  int double_buffered; /* the next resident tile is loaded while this one is merged */
  int gap;             /* of butterflies: elements between gaps in a row of the exchange area; MFFT_NO_GAPS (gaps.h) */
  int persistent;      /* persistent blocks: each processes many tiles with its matrices in registers */
  int lines_in_fours;  /* of tensor cores: the count of the innermost loop is a multiple of four */
  int rows_touch;      /* of tensor cores: lines of fewer than four columns, whose rows are adjacent in memory */
} mfft_tile;

/* Loops whose index enters the inter-pass twiddle. */
typedef struct mfft_twiddle_loops {
  int loop;        /* 1 + the loop; 0: no twiddle */
  int second_loop; /* 1 + a second twiddle loop, each index of which counts args.outer_step; 0: none */
  int part;        /* the loop is a part of a longer one and begins at args.outer_first */
} mfft_twiddle_loops;

/* Blocks that exchange with each other through their shared memory. */
typedef struct mfft_block_cluster {
  int blocks;                /* 0: no cluster */
  int columns;               /* interleaved long lines that a cluster holds as matrices; else 1 */
  int contiguous_lines;      /* 1: the output has the elements of a line adjacent, not the lines */
  int twiddled;              /* a matrix is one long line, so there are twiddles between the chains */
  int in_stride, out_stride; /* distances of elements, where they are compiled in; else 0 */
} mfft_block_cluster;

typedef struct mfft_kernel {
  mfft_engine_id engine;
  mfft_precision precision;
  int sign;          /* of the exponent */
  mfft_chain chain;  /* the merges */
  mfft_chain second; /* the chain of the other axis of a plane, or after the exchange of a cluster */
  int named;         /* radices and merges were given by the user: they are not chosen */
  mfft_end in, out;
  mfft_map map_mid; /* between the merges */
  mfft_tile tile;
  mfft_twiddle_loops twiddle;
  mfft_block_cluster cluster;
  struct {
    int prefetch;   /* number of blocks ahead whose lines are prefetched into the L2 cache; 0: none */
    int few_blocks; /* there are no more blocks than multiprocessors, and the lines are no part that stays in the cache */
    int early;      /* twiddles of a merge are loaded before the exchange that precedes it */
    int shared_twiddles; /* twiddles of all merges but the first are copied to shared memory */
    int sole_line;       /* a block has one line: its index and its existence are not computed */
    mfft_products products;
  } hints;
  struct {
    mfft_filtered side; /* the end that is multiplied */
    int unit;           /* neighbours of a line are neighbours of the filtered axis */
  } filter;
  struct {
    int steps; /* mfft_bluestein_step; 0: the pass is none of Bluestein's algorithm */
    int loop;  /* 1 + the loop whose index is that of a line's first element on the axis; 0: lines are whole axes */
  } bluestein;
  struct {
    int shares;  /* of a scattered output; 0: one array */
    int uniform; /* distances are those of `args` in all of them */
  } scatter;
  mfft_axis_kind trigonometric; /* the lines in memory are of cosines or sines, which the DFT computes; MFFT_DFT: none */
  mfft_convolved convolved;
  mfft_padding padded;
  int ends;         /* mfft_fft_spec.ends, of half spectra that are loaded: elements 0 and n are in args.ends */
  mfft_exact exact; /* of butterflies at a half spectrum, and of odd lines */
  int coprime;      /* no two radices of a chain of Rader's algorithm have a common factor, so it has no twiddles */
  int loops;        /* around the lines */
  int real_pairs;   /* 1 + the loop over pairs of real lines, which are computed as one line of complexes each
                       (kernels/butterfly/real_pair.cuh); 0: none */
  int mirror;       /* 1 + the loop whose lines are held together with their mirrors (packing.cuh); 0: none */
  int scaled;
  int wide_counts; /* lines are counted in 64 bits */
} mfft_kernel;

/* Bytes of a complex number as it is stored, and as butterflies compute with it. */
static inline int complex_bytes(mfft_precision p) { return 2 * (int)mfft_real_bytes(p); }
static inline int value_bytes(mfft_precision p) { return p == MFFT_DOUBLE ? 16 : 8; }

/* Whether n is a power of two. */
static inline int is_power(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

static inline int is_double(mfft_precision p) { return p == MFFT_DOUBLE; }
static inline int is_sixteen_bit(mfft_precision p) { return p == MFFT_HALF || p == MFFT_BFLOAT16; }

static inline int mfft_same_radices(const mfft_chain *a, const mfft_chain *b) {
  return a->merges == b->merges && !memcmp(a->radix, b->radix, (size_t)a->merges * sizeof *a->radix);
}

/* Whether two kernels merge lines by the same radices and twiddles, so that results have the same bits. */
static inline int mfft_same_merges(const mfft_kernel *a, const mfft_kernel *b) {
  return mfft_same_radices(&a->chain, &b->chain) && mfft_same_radices(&a->second, &b->second) && a->exact == b->exact &&
         a->hints.products == b->hints.products;
}

/* Whether lines are pairs of real ones, or have real numbers or a half spectrum at an end. */
static inline int mfft_is_of_reals(int pairs, mfft_form load, mfft_form store) {
  return pairs || load != MFFT_FORM_COMPLEX || store != MFFT_FORM_COMPLEX;
}

/* Whether an end of a pass has real lines, or half spectra of an odd number of reals. */
static inline int mfft_is_odd_end(mfft_form form) { return form == MFFT_FORM_REAL || form == MFFT_FORM_HALF_ODD; }

/* Whether the lines of a pass are n reals on one side, n odd, and half their spectrum on the other. */
static inline int mfft_is_odd_line(mfft_form load, mfft_form store) {
  return (load == MFFT_FORM_REAL && store == MFFT_FORM_HALF_ODD) || (load == MFFT_FORM_HALF_ODD && store == MFFT_FORM_REAL);
}

#endif
