/* pass.h: the description of one kernel launch, shared by everything in this folder.
 *
 * A schedule is a list of passes.  A pass reads lines of `n` elements, merges them by its radices and writes them, possibly
 * in another order.  What the kernel is compiled for is an mfft_kernel; two passes with equal kernels share one binary. What
 * differs from launch to launch (pointers, distances, counts) is an mfft_pass_args of kernels/common/args.h. */
#ifndef MFFT_CUDA_PASS_H
#define MFFT_CUDA_PASS_H

#include "base/status.h"
#include "local/backend.h"
#include "local/cuda/kernels/common/args.h"

enum { MFFT_MAX_MERGES = 8, MFFT_MAX_PASSES = 24, MFFT_MAX_CLUSTER = 16, MFFT_PORTABLE_CLUSTER = 8 };

/* Which source a kernel is made of. */
typedef enum mfft_engine {
  MFFT_ENGINE_BUTTERFLY = 0, /* pass.cu: register butterflies */
  MFFT_ENGINE_TENSOR,        /* tensor.cu: 16-bit merges on tensor cores */
  MFFT_ENGINE_CLUSTER,       /* cluster.cu: two chains of register butterflies, an exchange among blocks between */
  MFFT_ENGINE_REAL,          /* real.cu: half spectra that no pass can pack: of long odd lengths, and a few more */
  MFFT_ENGINE_COPY,          /* copy.cu: lists of blocks */
  MFFT_ENGINE_TWIDDLE,       /* twiddle.cu: four-step twiddle of a distributed transform */
  MFFT_ENGINE_SIGNAL,        /* signal.cu: flags between processes */
  MFFT_ENGINE_FILTER,        /* filter.cu: an array times a filter */
  MFFT_ENGINE_SPLIT,         /* split.cu: single and double merges on tensor cores */
  MFFT_ENGINE_WIRE,          /* wire.cu: half-width messages */
  MFFT_ENGINE_SHELLS,        /* shells.cu: sums over shells */
  MFFT_ENGINE_RESIZE,        /* resize.cu: copies to and from half the width */
  MFFT_ENGINE_RESIDENT,      /* resident.cu: 16-bit merges on tensor cores, in tiles that stay in their place */
  MFFT_ENGINE_ODD,           /* odd.cu: real lines of odd length, by register butterflies */
  MFFT_ENGINES
} mfft_engine;

/* Of mfft_kernel.vector: lines too short for neighbours of their own, whose rows touch. */
enum { MFFT_VECTOR_ROWS = 8 };

/* Segments of memory that are wider than a cache line, where the tile is then no larger: of slow axes, and of lines that
 * begin within cache lines. */
enum { MFFT_WIDE_BYTES = 256, MFFT_WIDE_TILE_BYTES = 65536 };

/* Bytes of a complex number as it is stored, and as butterflies compute with it. */
static inline int complex_bytes(mfft_precision p) { return 2 * (int)mfft_real_bytes(p); }
static inline int value_bytes(mfft_precision p) { return p == MFFT_DOUBLE ? 16 : 8; }

/* How neighbouring threads walk a tile: along the elements of a line, or across lines. */
typedef enum mfft_map { MFFT_MAP_ELEMENT = 0, MFFT_MAP_LINE = 1 } mfft_map;

/* What a line is in memory.  HALF holds the first half of a line with Hermitian symmetry: EVEN when the line stands for 2n
 * reals packed as n complexes, ODD when it stands for n reals. */
typedef enum mfft_form {
  MFFT_FORM_COMPLEX = 0,
  MFFT_FORM_REAL_PAIR = 1, /* 2n reals read as n complexes */
  MFFT_FORM_REAL = 2,      /* n reals */
  MFFT_FORM_HALF_EVEN = 3,
  MFFT_FORM_HALF_ODD = 4
} mfft_form;

/* Whether the lines of a pass are n reals on one side, n odd, and half their spectrum on the other. */
static inline int mfft_is_odd_line(mfft_form load, mfft_form store) {
  return (load == MFFT_FORM_REAL && store == MFFT_FORM_HALF_ODD) || (load == MFFT_FORM_HALF_ODD && store == MFFT_FORM_REAL);
}

/* How half spectra are unpacked, and odd real lines merged, each with what those before it do. */
typedef enum mfft_exact {
  MFFT_EXACT_NOT = 0,
  MFFT_EXACT_ROOTS = 1,  /* all roots are loaded */
  MFFT_EXACT_ONCE = 2,   /* numbers are rounded once: as they are unpacked; the reals of an odd line */
  MFFT_EXACT_PARTS = 3,  /* roots have two parts */
  MFFT_EXACT_COPRIME = 4 /* or are not needed, as the two radices have no common factor */
} mfft_exact;

/* A chain of merges, and how the block shares out its lines. */
typedef struct mfft_chain {
  int n;                      /* elements of a line */
  int radix[MFFT_MAX_MERGES]; /* [merges], unused ones are 1 */
  int merges;
  int lines, threads; /* lines of a block, threads of a line */
} mfft_chain;

typedef struct mfft_kernel {
  mfft_engine engine;
  mfft_precision precision;
  int n;                      /* elements of a line */
  int radix[MFFT_MAX_MERGES]; /* [merges] in the order of the chain; unused ones are 1 */
  int merges;
  int lines, threads; /* lines of a block, threads of a line */
  int sign;           /* of the exponent */
  mfft_map map_in, map_mid, map_out;
  int staged_in, staged_out; /* go through shared memory first, or last; 2: each line from a whole sector on; 3: as one */
  mfft_form load, store;
  int outer;      /* 1 + the loop that turns between passes; 0 for none */
  int outer_also; /* and another, whose steps are args.outer_step of its */
  int outer_part; /* and it is a part, which begins at args.outer_first */
  int mirror; /* 1 + the loop whose lines are held together with their mirrors (kernels/butterfly/packing.cuh); 0 for none */
  int scaled;
  int loops;
  int wide;              /* lines are counted in 64 bits */
  int unit_in, unit_out; /* elements of a line touch each other */
  int vector; /* wide accesses, of packed reals or for tensor cores: loading (1), storing (2); lines in fours (4); rows (8)
               */
  int once;   /* memory that no later pass of a cached part wants, or that was fetched: what it loads (1), what it stores (2)
               */
  int split;  /* exchange real and imaginary parts in turn: half the shared memory */
  int min_blocks; /* blocks that must fit a multiprocessor together: bounds the registers */
  int exchange_bytes, shared_bytes;
  int cluster;               /* of a cluster pass: blocks that exchange with each other */
  int in_stride, out_stride; /* and distances of elements, where they are compiled in; else 0 */
  mfft_chain second;         /* and the merges after the exchange */
  int columns;               /* matrices side by side that it holds: long lines that are neighbours in memory; else 1 */
  int apart;                 /* and in the output they are not, but the elements of a line are */
  int between;               /* a matrix is one long line, so there are twiddles between the chains */
  int filter;                /* mfft_filtered: multiplies what it reads, or writes */
  int filter_unit;           /* and neighbours of a line are neighbours of the axis */
  int kept;                  /* blocks take many tiles in turn, and keep their matrices */
  int gap;                   /* of butterflies: elements between gaps in a row of the exchange area */
  int fetch;                 /* of butterflies: brings the lines of so many blocks further into the L2 cache; 0: does not */
  mfft_exact exact;          /* of butterflies at a half spectrum, and of odd lines */
  int two_areas;             /* of exchange_bytes each, used in turn: one barrier less for each exchange */
  int gathers;               /* of shells: the second launch, which adds up the sums of blocks */
  int named;                 /* radix and merges were given by the user: they are not chosen */
  int shares, alike;         /* of a scattered output, 0: none; distances are those of `args` in all of them */
  int wire; /* mfft_wired: elements of half the width (kernels/common/half_width.cuh) are what it loads, or stores */
} mfft_kernel;

/* Where the data of a pass lies: the arrays of the caller, a part of the workspace, or the shares of a scattered output. */
typedef enum mfft_place_id {
  MFFT_AT_IN = 0,
  MFFT_AT_OUT,
  MFFT_AT_WORK,
  MFFT_AT_WORK2,
  MFFT_AT_SHARES, /* of a scattered output; distances are those of share 0 */
  MFFT_PLACES
} mfft_place_id;

typedef struct mfft_pass {
  mfft_kernel kernel;
  mfft_pass_args args; /* pointers are filled in when the pass is launched */
  mfft_place_id src, dst;
  int64_t outer_length;      /* circle of the twiddles between passes; 0 for none */
  int64_t real_length;       /* circle of the real packing; 0 for none */
  int64_t blocks;            /* of the launch */
  int vector_in, vector_out; /* wide accesses want this alignment of a pointer, in bytes; 0: never wide */
} mfft_pass;

typedef struct mfft_schedule {
  mfft_pass pass[MFFT_MAX_PASSES]; /* [count] */
  int count;
  size_t work_bytes;         /* both parts of the workspace */
  size_t work2_offset_bytes; /* where the second part begins */
} mfft_schedule;

/* What bounds a block. */
typedef struct mfft_device_limits {
  int shared_bytes; /* a block may take */
  int sm_shared_bytes;
  int threads; /* of a block */
  int sm_threads, sm_registers;
  int arch;          /* 80, 90, ... */
  int segment_bytes; /* of neighbouring lines to touch together: 128 in memory, or more; less where the data is in cache */
  int cluster;       /* blocks of a cluster at most; 0 where the device has none */
  int sms;           /* multiprocessors */
  int part_bytes;    /* of a part that stays in the L2 cache from pass to pass */
} mfft_device_limits;

extern const mfft_device_limits mfft_limits_sm90; /* used where there is no device */

/* Length -> passes.  MFFT_ERR_UNSUPPORTED for lengths with prime factors beyond 13, named in the story. */
mfft_status mfft_schedule_make(const mfft_fft_spec *spec, const mfft_device_limits *limits, mfft_schedule *schedule);

/* For a schedule that runs on a part of the data at a time, so that the part stays in cache between its passes: what a pass
 * loads or stores for the last time leaves the cache first. */
void mfft_schedule_in_parts(const mfft_fft_spec *spec, mfft_schedule *schedule);

/* One line: "256 (16,16; 16 lines x 16 threads) + ...". */
void mfft_schedule_print(const mfft_schedule *schedule, char *text, size_t size);

/* Of an odd line, which of its merges is one of reals (kernels/butterfly/odd.cu); of other engines -1. */
static inline int mfft_merge_of_reals(const mfft_kernel *k, int merges) {
  return k->engine != MFFT_ENGINE_ODD ? -1 : k->load == MFFT_FORM_REAL ? 0 : merges - 1;
}

/* Chooses merges, threads and lines of a kernel for `lines` lines of kernel->n; the other fields must be set.  wanted_lines:
 * how many neighbouring lines make a memory segment; 1 where lines are contiguous themselves. */
mfft_status mfft_kernel_shape(mfft_kernel *kernel, const mfft_device_limits *limits, int wanted_lines, int64_t lines);

/* The cheapest chain of merges for a line of chain->n elements by exactly chain->threads threads, with at most `values`
 * elements in a thread's registers.  Returns its cost in instructions an element, or INFINITY. */
double mfft_chain_find(mfft_precision precision, int values, mfft_chain *chain);

/* The longest line that one block transforms, `lines` at a time. */
int64_t mfft_kernel_longest(mfft_precision precision, int tensor, const mfft_device_limits *limits, int lines);

#endif
