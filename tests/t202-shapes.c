// TEST args=double labels=accuracy
// TEST args=single labels=accuracy
// TEST args=half labels=accuracy
// TEST args=long-double labels=accuracy
/* Three-dimensional shapes, known difficult ones and 60 random ones, within the error bound. */
#include "base/words.h"
#include "transform.h"

static const int64_t known[][3] = {{7, 6, 9},    {17, 1, 16},  {20, 21, 22}, {29, 27, 31}, {100, 1, 3}, {1, 1, 1},
                                   {1, 1, 2},    {2, 1, 1},    {1, 64, 1},   {32, 32, 32}, {5, 4, 64},  {3, 128, 2},
                                   {13, 11, 17}, {64, 1, 127}, {2, 3, 1},    {48, 40, 50}};
enum { KNOWN = sizeof known / sizeof known[0], RANDOM = 60 };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  uint64_t state = 202;
  for (int i = 0; i < KNOWN + RANDOM; i++)
    for (int kind = MFFT_C2C; kind <= MFFT_R2C; kind++) {
      mfft_desc d;
      mfft_options options;
      mfft_desc_init(&d);
      mfft_options_init(&options);
      for (int a = 0; a < 3; a++) d.n[a] = i < KNOWN ? known[i][a] : (int64_t)pow(60, test_random(&state) + 0.5);
      d.kind = (mfft_kind)kind;
      for (int p = 0; p < MFFT_PRECISION_COUNT; p++)
        if (strcmp(argv[1], mfft_precision_words[p]) == 0) d.precision = (mfft_precision)p;
      d.placement = i % 2 ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
      options.effort = MFFT_ESTIMATE;
      options.backend = "fftw";
      if (d.precision == MFFT_HALF) d.scale[MFFT_FORWARD] = d.scale[MFFT_BACKWARD] = MFFT_SCALE_SQRT, d.batch = 8;
      test_both(&d, &options, (uint64_t)i, 0);
    }
  return test_end();
}
