// TEST args=double labels=accuracy
// TEST args=single labels=accuracy+nightly
/* 200 random lengths from 513 to 100000, primes among them, complex and real, both directions, within the error bound. */
#include "transform.h"

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  uint64_t state = 201;
  for (int i = 0; i < 200; i++) {
    mfft_desc d;
    mfft_options options;
    mfft_desc_init(&d);
    mfft_options_init(&options);
    d.rank = 1;
    d.n[0] = (int64_t)(513 * pow(100000. / 513, test_random(&state) + 0.5));
    if (!test_sampled()) continue;
    d.kind = i % 2 ? MFFT_R2C : MFFT_C2C;
    d.precision = strcmp(argv[1], "single") == 0 ? MFFT_SINGLE : MFFT_DOUBLE;
    d.placement = i / 2 % 2 ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
    options.effort = MFFT_ESTIMATE;
    options.backend = "fftw";
    test_both(&d, &options, (uint64_t)i, 0);
  }
  return test_end();
}
