/* filter_fusion.h: filters by which a pass multiplies the elements that it loads or stores, and the order of a filter's
 * loops. */
#ifndef MFFT_CUDA_FILTER_FUSION_H
#define MFFT_CUDA_FILTER_FUSION_H

#include "local/cuda/planner/pass.h"

/* The loops of the shape from the farthest to the nearest neighbours; axes of one element stay outside, and so does the
 * batch if batch_outside is 1.  order: [4] indices of shape->n. */
void mfft_filter_sort_loops(const mfft_filter_shape *shape, int batch_outside, int order[4]);

/* Offset of the table of a loop; -1 for the batch, which has none. */
int64_t mfft_filter_table_of(const mfft_filter_shape *shape, int loop);

/* Lets the first pass of a schedule multiply what it reads, or the last one what it writes, by the filter of the spec.
 * Returns 0 if the kernel of that pass cannot: only butterfly passes can. */
int mfft_filter_fuse(const mfft_fft_spec *spec, mfft_schedule *schedule);

#endif
