// TEST
/* Transforms larger than the pieces into which the fftw backend divides them: a scale, 16-bit types, and C2R of several axes
 * that preserves its input; loops whose length no piece divides, contiguous and strided axes, single precision at odd
 * distances. */
#include "transform.h"

typedef struct shape {
  int rank;
  int64_t n[3];
  unsigned axes;
  int64_t batch;
} shape;

static const shape shapes[] = {
    {1, {1000}, 0, 201},                                                      /* one loop, contiguous axis */
    {1, {255}, 0, 701},                                                       /* odd distances */
    {2, {129, 131}, 1, 17},                                                   /* strided axis */
    {3, {41, 43, 47}, 6, 2},                                                  /* planes */
    {3, {41, 43, 47}, 3, 2},                                                  /* the two slow axes */
    {3, {41, 43, 47}, 2, 2},                                                  /* the middle axis */
    {3, {3, 291, 293}, 6, 1},                                                 /* one transform is larger than a piece */
    {3, {150, 7, 36}, 7, 1},                                                  /* a long slow axis */
    {3, {5, 140, 36}, 7, 1},                                                  /* a long middle axis */
    {1, {150000}, 0, 2},      {3, {45, 44, 46}, 7, 1}, {2, {30000, 7}, 2, 1}, /* many short ones */
    {2, {7, 30000}, 1, 1},
};

int main(void) {
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    for (int kind = MFFT_C2C; kind <= MFFT_R2C; kind++)
      for (int precision = 0; precision < MFFT_PRECISION_COUNT; precision++)
        for (int placement = MFFT_OUT_OF_PLACE; placement <= MFFT_IN_PLACE; placement++) {
          if (precision == MFFT_BFLOAT16) continue; /* as half */
          if (!test_all() && ((int)s + kind + precision + placement) % (test_small() ? 3 : 2)) continue;
          if (!test_sampled()) continue;
          mfft_desc d;
          mfft_options options;
          mfft_desc_init(&d);
          mfft_options_init(&options);
          d.rank = shapes[s].rank;
          memcpy(d.n, shapes[s].n, sizeof d.n);
          d.axes = shapes[s].axes;
          d.batch = shapes[s].batch;
          d.kind = (mfft_kind)kind;
          d.precision = (mfft_precision)precision;
          d.placement = (mfft_placement)placement;
          d.scale[MFFT_FORWARD] = MFFT_SCALE_SQRT;
          d.scale[MFFT_BACKWARD] = precision == MFFT_HALF ? MFFT_SCALE_SQRT : MFFT_SCALE_NONE;
          options.effort = MFFT_ESTIMATE;
          options.backend = "fftw";
          test_both(&d, &options, s, 0);
        }
  return test_end();
}
