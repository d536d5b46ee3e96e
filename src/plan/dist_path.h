/* dist_path.h: the path of a distributed plan and the arrays of the caller, from the descriptor.
 *
 * All of it is geometry, except that boxes of the caller are collected from all ranks. */
#ifndef MFFT_PLAN_DIST_PATH_H
#define MFFT_PLAN_DIST_PATH_H

#include "plan/distribution.h"

/* The request for a path: fills *spec, dist->axis_shift and dist->four_step.  The caller's boxes become the layouts
 * user[side], which must live as long as the spec.  Collective if the descriptor has boxes, else local. */
mfft_status mfft_dist_path_spec(struct mfft_dist *dist, const mfft_desc *desc, const mfft_options *options,
                                mfft_layout user[2], mfft_path_spec *spec);

/* Sets dist->padded.  Where the caller asks for padded rows, every rank's rows must be whole and contiguous. */
mfft_status mfft_dist_find_padding(struct mfft_dist *dist, const mfft_desc *desc);

/* Fills the boxes of all ranks in the caller's axes, and the box, count and bytes of this rank, for both sides. */
mfft_status mfft_dist_fill_sides(mfft_plan plan);

/* Distributed plans describe arrays by boxes and choose radices themselves: strides, distances and radices are refused. */
mfft_status mfft_dist_refuse_local_fields(const mfft_desc *desc, const char *radices);

#endif
