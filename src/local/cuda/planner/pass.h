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
#include "local/cuda/planner/kernel.h"
#include "local/cuda/planner/limits.h"

enum { MFFT_MAX_PASSES = 24 };

/* Segments of memory that are wider than a cache line, where the tile is then no larger: of slow axes, and of lines that
 * begin within cache lines. */
enum { MFFT_WIDE_BYTES = 256, MFFT_WIDE_TILE_BYTES = 65536 };

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

/* Length -> passes.  MFFT_ERR_UNSUPPORTED for lengths with prime factors beyond 13, named in the story. */
mfft_status mfft_schedule_make(const mfft_fft_spec *spec, const mfft_device_limits *limits, mfft_schedule *schedule);

/* For a schedule that runs on a part of the data at a time, so that the part stays in cache between its passes: what a pass
 * loads or stores for the last time leaves the cache first. */
void mfft_schedule_in_parts(const mfft_fft_spec *spec, mfft_schedule *schedule);

/* One line: "256 (16,16; 16 lines x 16 threads) + ...". */
void mfft_schedule_print(const mfft_schedule *schedule, char *text, size_t size);

/* Of an odd line, which of its merges is one of reals (kernels/butterfly/odd.cu); of other engines -1. */
static inline int mfft_merge_of_reals(const mfft_kernel *k, int merges) {
  return k->engine != MFFT_ENGINE_ODD ? -1 : k->in.form == MFFT_FORM_REAL ? 0 : merges - 1;
}

/* Chooses merges, threads and lines of a kernel for `lines` lines of kernel->chain.n; the other fields must be set.
 * wanted_lines: how many neighbouring lines make a memory segment; 1 where lines are contiguous themselves. */
mfft_status mfft_kernel_shape(mfft_kernel *kernel, const mfft_device_limits *limits, int wanted_lines, int64_t lines);

/* The cheapest chain of merges for a line of chain->n elements by exactly chain->threads threads, with at most `values`
 * elements in a thread's registers.  Returns its cost in instructions an element, or INFINITY. */
double mfft_chain_find(mfft_precision precision, int values, mfft_chain *chain);

/* The longest line that one block transforms, `lines` at a time. */
int64_t mfft_kernel_longest(mfft_precision precision, int tensor, const mfft_device_limits *limits, int lines);

#endif
