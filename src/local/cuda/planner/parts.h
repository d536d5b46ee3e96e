/* parts.h: the division of a transform into parts that stay in the L2 cache from pass to pass (compare D. H. Bailey, FFTs in
 * external or hierarchical memory, 1990). */
#ifndef MFFT_CUDA_PARTS_H
#define MFFT_CUDA_PARTS_H

#include "local/cuda/planner/phase.h"
#include "local/cuda/planner/spec_bytes.h"

/* Bytes of a part. */
double mfft_part_target(const mfft_fft_spec *spec, const mfft_device_limits *limits);

/* Most bytes of an array that is one part: of three axes few, since the passes of planes can be in parts instead. */
double mfft_part_most(const mfft_fft_spec *spec, const mfft_device_limits *limits);

/* The limits of blocks whose data stays in the L2 cache from pass to pass, where short segments are enough. */
static inline mfft_device_limits mfft_limits_in_cache(const mfft_device_limits *limits) {
  mfft_device_limits cached = *limits;
  cached.segment_bytes = mfft_tuned_for(limits)->segments.in_cache_bytes;
  return cached;
}

/* The limits of the blocks of a slow axis, whose segments may be wider. */
mfft_device_limits mfft_limits_of_slow_axis(const mfft_device_limits *limits, const mfft_fft_spec *slow);

/* Makes the phase of a spec.  It runs in parts of about `target` bytes if it has several passes, so that a later one finds
 * its data in the cache.  target 0: all at once. */
mfft_status mfft_phase_make(const mfft_device_limits *limits, const mfft_fft_spec *spec, double target, mfft_phase *phase);

/* Elements along an axis of the complex side. */
static inline int64_t mfft_complex_extent(const mfft_fft_spec *s, int axis) {
  return axis == s->naxes - 1 && s->type != MFFT_FFT_C2C ? s->axis[axis].n / 2 + 1 : s->axis[axis].n;
}

/* The share of the scale that belongs to `n` of all the elements: in 16 bits every axis carries its own, in the others one
 * phase carries it all, and the others have 1. */
double mfft_scale_share(const mfft_fft_spec *spec, int64_t n);

#endif
