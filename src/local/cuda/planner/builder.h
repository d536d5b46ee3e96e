/* builder.h: how a schedule grows: the dimensions of a transform, the loops around a pass, where data lies.
 *
 * schedule.c and axis.c decide which passes, add_pass.c makes one, and engines say how. */
#ifndef MFFT_CUDA_BUILDER_H
#define MFFT_CUDA_BUILDER_H

#include "local/cuda/planner/pass.h"

enum { MAX_DIMS = 3 + MFFT_MAX_LOOPS };

/* A dimension of the problem: an axis or a loop, and its stride in each place. */
typedef struct mfft_builder_dim {
  int64_t n;
  int64_t stride[MFFT_PLACES];
  int64_t twiddled; /* lines of the loop, or of that of which it is a part, whose index enters the twiddle of the axis in
                     * hand; else 0 */
} mfft_builder_dim;

typedef struct mfft_builder {
  const mfft_fft_spec *spec;
  const mfft_device_limits *limits;
  mfft_schedule *schedule;
  mfft_builder_dim dims[MAX_DIMS]; /* [count] axes first */
  int count;
  int64_t work_elements;
  int work_areas;   /* parts of the workspace in use, 0 to 2 */
  double log_total; /* of all lengths, to share out the scale */
  const int *named; /* [named_merges] radices of the pass that is added next; NULL: to be chosen */
  int named_merges;
} mfft_builder;

typedef struct mfft_builder_loop {
  int64_t n, is, os;
  int64_t outer; /* its index enters the inter-pass twiddle, in so many steps: must stay on its own; else 0 */
  int mirror;    /* its lines are held together with their mirrors; so must this */
  int dim;       /* of the problem, where its distances differ from share to share: so must this; else -1 */
} mfft_builder_loop;

/* A pass of length n over `axis`, part of a split axis with `before` elements before and `after` after (1 and 1 for a whole
 * axis).  last: it carries the scale. */
typedef struct mfft_pass_geometry {
  int axis;
  int64_t n, before, after;
  mfft_place_id src, dst;
  mfft_form load, store;
  int last;
} mfft_pass_geometry;

/* Lines that fill the least memory segment when neighbouring lines touch. */
static inline int segment_lines(const mfft_builder *b) {
  return b->limits->segment_bytes / complex_bytes(b->spec->precision);
}

/* A new pass at the end of the schedule. */
mfft_status mfft_builder_new_pass(mfft_builder *b, mfft_place_id src, mfft_place_id dst, mfft_pass **pass);

/* The blocks of its launch, which takes as many as an int counts. */
mfft_status mfft_builder_set_blocks(mfft_pass *pass, int64_t blocks);

/* Elements of all dimensions but two, which may be one and the same, or none (-1). */
int64_t mfft_builder_others(const mfft_builder *b, int slow, int fast);

/* Whether two places are one array. */
int mfft_builder_same_memory(const mfft_builder *b, mfft_place_id x, mfft_place_id y);

/* Notes that a place is used, so that the workspace gets room for it. */
void mfft_builder_use_work(mfft_builder *b, mfft_place_id place);

/* The scale of a pass of n elements in all, if it is the `last`; of 16 bits, a share for each, so that nothing overflows on
 * the way. */
double mfft_builder_scale(const mfft_builder *b, int64_t n, int last);

/* The loops of a pass: every dimension but `axis` and `other`, and the extra loops of a split axis. */
mfft_status mfft_builder_loops(mfft_builder *b, mfft_pass *pass, int axis, int other, const mfft_builder_loop *extra,
                               int extras, int input);

/* The least distance of two lines along `axis` in one place. */
int64_t mfft_builder_least_stride(const mfft_builder *b, int axis, mfft_place_id place, const mfft_builder_loop *extra,
                                  int extras, int input);

/* Dimension whose index enters the twiddle of an axis too; -1: none. */
int mfft_builder_twiddled(const mfft_builder *b, int axis);

/* The order of the inter-pass twiddle of a pass of n elements, with `after` elements after; 0: it has none. */
int64_t mfft_builder_twiddle_order(const mfft_builder *b, int axis, int64_t n, int64_t after);

#endif
