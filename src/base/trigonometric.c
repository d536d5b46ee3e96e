/* trigonometric.c: see trigonometric.h. */
#include "base/trigonometric.h"

#include "mfft_inspect.h"

const mfft_trigonometric mfft_trigonometric_of[MFFT_AXIS_KINDS] = {
    [MFFT_DFT] = {.name = "dft", .inverse = MFFT_DFT, .least = 1},
    [MFFT_DCT1] = {"dct1", MFFT_DCT1, 0, .longer = -1, .single_first = 1, .single_last = 1, .least = 2},
    [MFFT_DCT2] = {"dct2", MFFT_DCT3, 0, .in_shift = 1, .least = 1},
    [MFFT_DCT3] = {"dct3", MFFT_DCT2, 0, .out_shift = 1, .single_first = 1, .least = 1},
    [MFFT_DCT4] = {"dct4", MFFT_DCT4, 0, .in_shift = 1, .out_shift = 1, .least = 1},
    [MFFT_DST1] = {"dst1", MFFT_DST1, 1, .in_shift = 2, .out_shift = 2, .longer = 1, .least = 1},
    [MFFT_DST2] = {"dst2", MFFT_DST3, 1, .in_shift = 1, .out_shift = 2, .least = 1},
    [MFFT_DST3] = {"dst3", MFFT_DST2, 1, .in_shift = 2, .out_shift = 1, .single_last = 1, .least = 1},
    [MFFT_DST4] = {"dst4", MFFT_DST4, 1, .in_shift = 1, .out_shift = 1, .least = 1},
};

int64_t mfft_axis_points(mfft_axis_kind kind, int64_t n) {
  return kind == MFFT_DFT ? n : 2 * (n + mfft_trigonometric_of[kind].longer);
}

const char *mfft_axis_kind_name(mfft_axis_kind kind) {
  return (unsigned)kind < MFFT_AXIS_KINDS ? mfft_trigonometric_of[kind].name : NULL;
}
