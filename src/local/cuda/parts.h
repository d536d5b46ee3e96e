/* parts.h: what a transform moves, and how it is cut into parts that stay in the L2 cache from pass to pass. */
#ifndef MFFT_CUDA_PARTS_H
#define MFFT_CUDA_PARTS_H

#include "local/cuda/phases.h"

/* Bytes of an element of the input, or the output; and of its shares. */
int64_t mfft_side_bytes(const mfft_fft_spec *spec, int output);
int64_t mfft_share_bytes(const mfft_fft_spec *spec);

/* Bytes of the complex side, about; and of both sides: what a pass reads and writes. */
double mfft_spec_bytes(const mfft_fft_spec *spec);
double mfft_moved_bytes(const mfft_fft_spec *spec);

/* Cuts the loops of `spec`, outermost first, so that a part has about `target` bytes and fits the cache (smaller parts lose
 * more to launches and tails than they gain), and of neighbouring lines whole segments of memory; the spec becomes that of
 * one part.  Where nothing fits, it stays as it is, and the phase has one part. */
void mfft_parts_cut(mfft_fft_spec *spec, double target, mfft_phase *phase);

#endif
