/* host_cut.h: divides transforms of arrays on the host, so that their copies overlap them (host_arrays.h).  Pure geometry.
 */
#ifndef MFFT_PLAN_HOST_CUT_H
#define MFFT_PLAN_HOST_CUT_H

#include "plan/emitter.h"

/* The axis of the largest stride among those of `axes`; -1: none is longer than 1. */
int mfft_slowest_axis(const mfft_array *a, unsigned axes);

/* The division of a transform from one array to another along `axis`, or of the batch (MFFT_CUT_BATCH): options.chunks
 * parts, or so few that each is worth a copy; one part for -1. */
mfft_cut mfft_cut_along(const mfft_emitter *e, int axis, const mfft_array *in, const mfft_array *out);

/* The same for the transform of a step at an end of its direction, along the slowest axis that it does not transform; of
 * other steps one part. */
mfft_cut mfft_host_cut(const mfft_emitter *e, const mfft_step *s);

/* The slowest axis of a step that transforms all axes, if a stage of its own can transform it: slices along it are then
 * transformed along the other axes while later slices are uploaded, and slices along the next axis are transformed along it
 * while earlier ones are downloaded.  -1: it cannot, or there is no need. */
int mfft_host_separate_axis(const mfft_emitter *e, const mfft_step *s);

#endif
