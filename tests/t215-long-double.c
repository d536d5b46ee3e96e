// TEST args=fftw labels=accuracy needs=long-double
// TEST args=ref labels=accuracy needs=long-double
/* Plans in long double against sums in quadruple precision: every length to 128 complex, real and of each kind of cosines
 * and sines, and random shapes of these beside each other, in place and out, scaled, with batches. */
#include "quad.h"

static const char *backend;

static void check(mfft_desc *d, uint64_t seed) {
  mfft_options options;
  mfft_options_init(&options);
  options.backend = backend;
  options.effort = MFFT_ESTIMATE;
  d->precision = MFFT_LONG_DOUBLE;
  test_both(d, &options, seed, 0);
}

/* kind: of the axis; MFFT_DFT: both transforms that have it. */
static void check_line(int64_t n, mfft_axis_kind axis, mfft_kind kind) {
  mfft_desc d;
  mfft_desc_init(&d);
  d.rank = 1, d.n[0] = n, d.kind = kind, d.axis_kind[0] = axis;
  d.scale[MFFT_FORWARD] = (mfft_scale)(n % 3), d.scale[MFFT_BACKWARD] = (mfft_scale)(n % 2);
  d.placement = n % 5 < 2 ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  if (n < 8) d.batch = 16; /* the bound is an average over many roundings */
  check(&d, (uint64_t)n);
}

/* Axes of any kind; at least one DFT beside them where the kind of the plan needs it. */
static void check_shape(uint64_t *state, int i) {
  mfft_desc d;
  mfft_desc_init(&d);
#define PICK(count) ((int64_t)((test_random(state) + 0.5) * (count)))
  d.rank = 2 + i % 2, d.kind = (mfft_kind)(i % 3), d.batch = 1 + PICK(3);
  for (int a = 0; a < d.rank; a++) {
    d.n[a] = 2 + PICK(d.rank == 2 ? 40 : 12);
    const int sums = d.kind == MFFT_R2R || (a != i % d.rank && PICK(2));
    d.axis_kind[a] = sums ? (mfft_axis_kind)(MFFT_DCT1 + PICK(8)) : MFFT_DFT;
  }
  for (int direction = 0; direction < 2; direction++) d.scale[direction] = (mfft_scale)PICK(3);
  d.placement = PICK(2) ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  check(&d, (uint64_t)i);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  backend = argv[1];
  test_truth_by = quad_truth;
  for (int64_t n = 1; n <= 128; n++) {
    if (!test_sampled()) continue;
    check_line(n, MFFT_DFT, MFFT_C2C);
    check_line(n, MFFT_DFT, MFFT_R2C);
    for (int kind = MFFT_DCT1 + (n == 1); kind <= MFFT_DST4; kind++) check_line(n, (mfft_axis_kind)kind, MFFT_R2R);
  }
  uint64_t state = 215;
  for (int i = 0; i < 60; i++) check_shape(&state, i);
  return test_end();
}
