// TEST args=fftw,double labels=accuracy
// TEST args=fftw,single labels=accuracy
// TEST args=fftw,half labels=accuracy
// TEST args=fftw,bfloat16 labels=accuracy
// TEST args=fftw,long-double labels=accuracy
// TEST args=ref,double labels=accuracy
// TEST args=ref,single labels=accuracy
// TEST args=ref,half labels=accuracy
// TEST args=ref,bfloat16 labels=accuracy
// TEST args=ref,long-double labels=accuracy
/* Every length from 1 to 512, complex and real, both directions, within the error bound. */
#include "transform.h"

int main(int argc, char **argv) {
  static const char *const name[] = {"double", "single", "half", "bfloat16", "long-double"};
  if (argc < 3) return 2;
  for (int64_t n = 1; n <= 512; n++)
    for (int kind = MFFT_C2C; kind <= MFFT_R2C; kind++) {
      if (!test_sampled()) continue;
      mfft_desc d;
      mfft_options options;
      mfft_desc_init(&d);
      mfft_options_init(&options);
      d.rank = 1;
      d.n[0] = n;
      d.kind = (mfft_kind)kind;
      options.backend = argv[1];
      options.effort = MFFT_ESTIMATE;
      d.scale[MFFT_BACKWARD] = n % 3 ? MFFT_SCALE_NONE : MFFT_SCALE_SQRT;
      for (int p = 0; p < 5; p++)
        if (strcmp(argv[2], name[p]) == 0) d.precision = (mfft_precision)p;
      if (n < 16 && mfft_sixteen_bit(d.precision)) d.batch = 16; /* the bound is an average over many roundings */
      test_both(&d, &options, (uint64_t)n, 0);
    }
  return test_end();
}
