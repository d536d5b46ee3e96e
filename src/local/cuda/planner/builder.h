/* builder.h: a schedule under construction: the dimensions of a transform, the loops around a pass, the places of data.
 *
 * schedule.c and axis.c decide which passes a transform has, add_pass.c makes one of them, and engines shape its blocks. */
#ifndef MFFT_CUDA_BUILDER_H
#define MFFT_CUDA_BUILDER_H

#include "local/cuda/planner/pass.h"

enum { MAX_DIMS = 3 + MFFT_MAX_LOOPS + 1 }; /* axes, loops, and a part of an axis that is split (bluestein.c) */

/* A dimension of the problem: an axis or a loop, and its stride in each place. */
typedef struct mfft_builder_dim {
  int64_t n;
  int64_t stride[MFFT_PLACES];
  int64_t twiddled; /* extent of the loop, or of the longer loop that it is a part of, whose index enters the inter-pass
                       twiddle of this axis; 0: it does not */
} mfft_builder_dim;

typedef struct mfft_builder {
  const mfft_fft_spec *spec;
  const mfft_device_limits *limits;
  mfft_schedule *schedule;
  mfft_builder_dim dims[MAX_DIMS]; /* [count] axes first */
  int count;
  int pairs;          /* 1 + the dimension that counts pairs of real lines, with the strides of pairs; 0: none */
  int64_t real_lines; /* of that dimension */
  int64_t work_elements;
  int work_areas;          /* parts of the workspace in use, 0 to 2 */
  int64_t padded_elements; /* of the largest axis that is padded */
  int padded_areas;        /* parts of the workspace in use for such axes, 0 to 2 */
  double log_total;        /* log of the product of all lengths, by which passes in 16 bits divide the scale */
  const int *named;        /* [named_merges] radices of the pass that is added next; NULL: to be chosen */
  int named_merges;
} mfft_builder;

typedef struct mfft_builder_loop {
  int64_t n, is, os;
  int64_t outer; /* steps in which the loop's index enters the inter-pass twiddle, so that it cannot be joined with another
                    loop; 0: it does not enter */
  int mirror; /* 1: a block has its lines together with their mirror lines, so that it cannot be joined with another loop */
  int along;  /* 1: its index is that of a line's first element on the axis of Bluestein's algorithm, so that it cannot be
                 joined with another loop */
  int64_t real_lines; /* of a loop over pairs of real lines, which cannot be joined with another loop; 0: it is none */
  int dim; /* dimension of the problem whose distances differ from share to share, so that the loop cannot be joined with
              another; -1: none */
} mfft_builder_loop;

/* A pass of length n over `axis`, part of a split axis with `before` elements before and `after` after (1 and 1 for a whole
 * axis).  last: it carries the scale. */
typedef struct mfft_pass_geometry {
  int axis;
  int64_t n, before, after;
  mfft_place_id src, dst;
  mfft_form load, store;
  int last;
  int bluestein;       /* mfft_bluestein_step, of a pass of Bluestein's algorithm; n before after is then the length of the
                          convolution; 0: none */
  int64_t bluestein_n; /* elements of the axis */
  int mirrored;        /* 1: a pass of the inverse transform, which reads where the same pass of the forward one writes and
                          writes where that reads; its inter-pass twiddle prepares the pass after it, of those before it */
} mfft_pass_geometry;

/* Neighbouring lines whose elements fill the least segment of memory, if they are adjacent. */
static inline int segment_lines(const mfft_builder *b) {
  return b->limits->segment_bytes / complex_bytes(b->spec->precision);
}

/* Elements of an axis that the input of a forward transform has, or the output of a backward one (mfft_fft_spec.given); 0:
 * all. */
static inline int64_t mfft_builder_given(const mfft_builder *b, int axis) {
  return axis < b->spec->naxes ? b->spec->given[axis] : 0;
}

/* Appends a pass, with no loops yet, to the schedule.  MFFT_ERR_INTERNAL if it has MFFT_MAX_PASSES already. */
mfft_status mfft_builder_new_pass(mfft_builder *b, mfft_place_id src, mfft_place_id dst, mfft_pass **pass);

/* Sets the blocks of the launch of a pass; MFFT_ERR_UNSUPPORTED for more than INT_MAX. */
mfft_status mfft_builder_set_blocks(mfft_pass *pass, int64_t blocks);

/* Product of the lengths of all dimensions but `slow` and `fast`, which may be the same, or none (-1). */
int64_t mfft_builder_others(const mfft_builder *b, int slow, int fast);

/* Whether two places are one array. */
int mfft_builder_same_memory(const mfft_builder *b, mfft_place_id x, mfft_place_id y);

/* Sets dense strides for the places `first` and `second`, with the order of dimensions of place `side`; `axis` has `whole`
 * elements there.  Returns the number of elements of such a place. */
int64_t mfft_builder_lay_out(mfft_builder *b, mfft_place_id side, int axis, int64_t whole, mfft_place_id first,
                             mfft_place_id second);

/* Notes that a place is used, so that the workspace gets space for it. */
void mfft_builder_use_work(mfft_builder *b, mfft_place_id place);

/* The factor that a pass over n elements multiplies by: the whole scale in the `last` pass; in 16 bits each pass has its
 * share, so that no intermediate result overflows. */
double mfft_builder_scale(const mfft_builder *b, int64_t n, int last);

/* Sets the loops of a pass: every dimension but `axis` and `other`, and the extra loops of a split axis.  They are sorted by
 * their strides in the input, or in the output if `input` is 0, and joined if one continues another. */
mfft_status mfft_builder_loops(mfft_builder *b, mfft_pass *pass, int axis, int other, const mfft_builder_loop *extra,
                               int extras, int input);

/* The least distance of two lines along `axis` in one place.  input: whether the strides of the extra loops are those of the
 * input. */
int64_t mfft_builder_least_stride(const mfft_builder *b, int axis, mfft_place_id place, const mfft_builder_loop *extra,
                                  int extras, int input);

/* Dimension whose index enters the inter-pass twiddle of an axis, beside the loops of the axis itself; -1: none. */
int mfft_builder_twiddled(const mfft_builder *b, int axis);

/* The order of the inter-pass twiddle of a pass of n elements, with `after` elements after; 0: it has none. */
int64_t mfft_builder_twiddle_order(const mfft_builder *b, int axis, int64_t n, int64_t after);

#endif
