/* spec_bytes.h: the bytes that a transform reads and writes. */
#ifndef MFFT_CUDA_SPEC_BYTES_H
#define MFFT_CUDA_SPEC_BYTES_H

#include "local/fft_spec.h"

/* Bytes of an element of the input, or of the output; and of the shares of a scattered output. */
int64_t mfft_side_bytes(const mfft_fft_spec *spec, int output);
int64_t mfft_share_bytes(const mfft_fft_spec *spec);

/* spec_bytes: bytes of the complex array, approximately.  moved_bytes: bytes of input and output, which a pass reads and
 * writes. */
double mfft_spec_bytes(const mfft_fft_spec *spec);
double mfft_moved_bytes(const mfft_fft_spec *spec);

#endif
