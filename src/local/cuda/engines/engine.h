/* engine.h: a kernel family, as the planner and the runtime see it.
 *
 * A family is one row of one table (table.h): what it can do, how it shapes a block, which tables its kernels read and what
 * they are compiled with.  The planner makes a pass on a draft (planner/draft.h) and asks the row at each step. */
#ifndef MFFT_CUDA_ENGINE_H
#define MFFT_CUDA_ENGINE_H

#include "local/cuda/engines/options.h"
#include "local/cuda/planner/draft.h"
#include "local/cuda/planner/line.h"
#include "local/cuda/planner/roots.h"
#include "local/cuda/tuned/tuned.h"

/* The properties of a pass by which its kernel family is chosen, before its kernel is known. */
typedef struct mfft_pass_request {
  const mfft_fft_spec *spec;
  const mfft_device_limits *limits;
  int64_t whole;         /* elements of the axis */
  int64_t n;             /* elements of a line of the pass */
  int64_t twiddle_order; /* of the inter-pass twiddle; 0: none */
  int strided;           /* lines are not contiguous where they are read */
  int bluestein;         /* mfft_bluestein_step of a pass of Bluestein's algorithm; 0: none */
  int given;             /* 1: only the first elements of a line exist (mfft_fft_spec.given) */
  mfft_form load, store;
} mfft_pass_request;

/* Whether a pass has nothing beside a DFT: no step of Bluestein's algorithm, no convolution, no cosines or sines. */
static inline int mfft_is_plain_request(const mfft_pass_request *r) {
  return !r->bluestein && !r->spec->convolved && !r->spec->trigonometric;
}

/* Two line transforms in one launch: those of the two axes of a plane, or the two steps of a long line (then slow == fast).
 */
typedef struct mfft_pair_request {
  mfft_pair_kind kind;
  int slow, fast; /* axes */
  mfft_place_id src, dst;
  int last; /* the pass applies the scale */
} mfft_pair_request;

/* One row of the table.  A function is NULL if the family has no use for it. */
typedef struct mfft_engine {
  const char *name;    /* before the length in the text of a schedule */
  const char *source;  /* a file of kernels/ */
  int on_tensor_cores; /* its merges are products of matrices on tensor cores */
  int filters;         /* its kernels can multiply by a filter */
  int half_width;      /* its kernels can load and store elements of half the width */
  int half_segments;   /* blocks of strided lines may take half a segment where multiprocessors would else be idle, or what a
                          trial asks for (mfft_block_trial) */
  int narrow_segments; /* in 16 bits also half of the least segment */
  int least_scattered; /* the shortest line that its kernels can store into shares; 0: none */

  /* suits: whether the family can do a pass and should, if no family before it in the table's order does.  takes_over:
   * whether it does a pass faster that another family has begun and whose loads and stores are set. */
  int (*suits)(const mfft_pass_request *request);
  int (*takes_over)(const mfft_pass_draft *draft);

  /* longest: the longest line of which a block can hold `lines` at a time.  longest_part: the longest strided line of one of
   * several passes over an axis of `whole` elements.  holds: whether the family can hold lines that are too long for a block
   * of another family. */
  int64_t (*longest)(mfft_precision precision, const mfft_device_limits *limits, int lines);
  int64_t (*longest_part)(const mfft_builder *b, int64_t whole);
  int (*holds)(const mfft_builder *b, int64_t n, int64_t whole, int strided);

  /* Whether segments of memory wider than a cache line are faster. */
  int (*prefers_wide)(const mfft_kernel *kernel, const mfft_device_limits *limits);

  /* Steps of a draft.  ends: staging and wide accesses of loads and stores.  shape: merges, lines, threads and shared
   * memory. adjust: changes that follow from the shape, after which the pass is shaped again.  blocks: blocks of the launch.
   */
  void (*ends)(mfft_pass_draft *draft);
  mfft_status (*shape)(mfft_pass_draft *draft);
  void (*adjust)(mfft_pass_draft *draft);
  int64_t (*blocks)(const mfft_builder *b, const mfft_pass *pass);

  /* Passes of another kind.  try_pair: two line transforms in one launch, if the family can and was measured to be faster;
   * sets *added.  add_packing: a pass that only packs or unpacks half spectra. */
  mfft_status (*try_pair)(mfft_builder *b, const mfft_pair_request *request, int *added);
  mfft_status (*add_packing)(mfft_builder *b, const mfft_pass_geometry *geometry);

  mfft_status (*tables)(mfft_pass *pass, mfft_table table[MFFT_TABLES]);
  void (*options)(const mfft_kernel *kernel, const char *source, mfft_compile_options *options);
  void (*print)(const mfft_kernel *kernel, mfft_line *line); /* adds the parameters that its kernels have beside a chain */
} mfft_engine;

#endif
