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

/* A pass before its kernel is known. */
typedef struct mfft_pass_request {
  const mfft_fft_spec *spec;
  const mfft_device_limits *limits;
  int64_t whole;         /* elements of the axis */
  int64_t n;             /* of a line of the pass */
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

/* Two line transforms in one launch: those of a plane, or what makes a long line (then slow == fast). */
typedef struct mfft_pair_request {
  mfft_pair_kind kind;
  int slow, fast; /* axes */
  mfft_place_id src, dst;
  int last; /* it carries the scale */
} mfft_pair_request;

/* Functions that a family does without are NULL. */
typedef struct mfft_engine {
  const char *name;    /* before the length in the text of a schedule */
  const char *source;  /* a file of kernels/ */
  int on_tensor_cores; /* it merges there */
  int filters;         /* its kernels can multiply by a filter */
  int half_width;      /* they can load and store elements of half the width */
  int half_segments;   /* blocks of strided lines may take half a segment where multiprocessors would else be idle, or what a
                          trial   asks for (mfft_block_trial) */
  int narrow_segments; /* in 16 bits also half of the least segment */
  int least_scattered; /* the shortest line that they can store into shares; 0: none */

  /* Whether it can do a pass and should, if no family before it in the table's order does; and whether it does a pass better
   * whose ends another family has set. */
  int (*suits)(const mfft_pass_request *request);
  int (*takes_over)(const mfft_pass_draft *draft);

  /* The longest line that a block holds, `lines` at a time; the longest strided line of one of several passes; and whether
   * lines fit that no block of another family holds. */
  int64_t (*longest)(mfft_precision precision, const mfft_device_limits *limits, int lines);
  int64_t (*longest_part)(const mfft_builder *b, int64_t whole);
  int (*holds)(const mfft_builder *b, int64_t n, int64_t whole, int strided);

  /* Whether segments of memory wider than a cache line are faster. */
  int (*likes_wide)(const mfft_kernel *kernel, const mfft_device_limits *limits);

  /* Steps of a draft: staging and wide accesses; merges, lines, threads and shared memory; what follows from that, after
   * which the pass is shaped again; and blocks of the launch. */
  void (*ends)(mfft_pass_draft *draft);
  mfft_status (*shape)(mfft_pass_draft *draft);
  void (*settle)(mfft_pass_draft *draft);
  int64_t (*blocks)(const mfft_builder *b, const mfft_pass *pass);

  /* Passes of another kind: a pair, where it can and was measured to be faster (sets *added); the packing of half spectra.
   */
  mfft_status (*try_pair)(mfft_builder *b, const mfft_pair_request *request, int *added);
  mfft_status (*add_packing)(mfft_builder *b, const mfft_pass_geometry *geometry);

  mfft_status (*tables)(mfft_pass *pass, mfft_table table[MFFT_TABLES]);
  void (*options)(const mfft_kernel *kernel, const char *source, mfft_compile_options *options);
  void (*print)(const mfft_kernel *kernel, mfft_line *line); /* what its kernels have beside a chain */
} mfft_engine;

#endif
