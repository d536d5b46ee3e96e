// TEST args=fftw,250
// TEST args=ref,120
/* Random descriptors: rank, axes, batch, strides with gaps and in any order, kind, precision, placement, scale, destroyed or
 * preserved input, unaligned arrays.  Elements outside the layout must not change. */
#include "transform.h"

static int64_t pick(uint64_t *state, int64_t count) { return (int64_t)((test_random(state) + 0.5) * (double)count); }

/* Strides in a random order of the axes and the batch, with random gaps. */
static void spread(uint64_t *state, int rank, const int64_t n[3], int64_t batch, int64_t stride[3], int64_t *dist) {
  int order[4] = {0}, count = rank + 1;
  for (int i = 0; i < count; i++) {
    int at = (int)pick(state, i + 1);
    order[i] = order[at];
    order[at] = i;
  }
  int64_t next = 1 + (pick(state, 3) == 0);
  for (int i = 0; i < count; i++) {
    int a = order[i];
    *(a < rank ? &stride[a] : dist) = next;
    next *= a < rank ? n[a] : batch;
    next += pick(state, 3) == 0 ? pick(state, 5) : 0;
  }
}

static void one(uint64_t *state, const char *backend) {
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = 1 + (int)pick(state, 3);
  for (int a = 0; a < d.rank; a++) d.n[a] = 1 + pick(state, d.rank == 1 ? 70 : 14);
  d.axes = (unsigned)pick(state, 1 << d.rank);
  d.batch = pick(state, 2) ? 1 : 1 + pick(state, 6);
  d.kind = (mfft_kind)pick(state, 2);
  d.precision = (mfft_precision)pick(state, MFFT_PRECISION_COUNT);
  if (mfft_sixteen_bit(d.precision)) d.batch = 16; /* the bound is an average over many roundings */
  d.scale[0] = (mfft_scale)pick(state, 3);
  d.scale[1] = (mfft_scale)pick(state, 3);
  d.placement = (mfft_placement)pick(state, 2);
  d.allow_destroy_input = (int)pick(state, 2);
  options.effort = pick(state, 8) ? MFFT_ESTIMATE : MFFT_MEASURE;
  options.backend = backend;
  const int halved = test_halved_axis(&d);
  int64_t n_out[3] = {d.n[0], d.n[1], d.n[2]};
  if (d.kind == MFFT_R2C) n_out[halved] = d.n[halved] / 2 + 1;
  if (pick(state, 3)) spread(state, d.rank, d.n, d.batch, d.in_stride, &d.in_dist);
  if (pick(state, 3)) spread(state, d.rank, n_out, d.batch, d.out_stride, &d.out_dist);
  test_both(&d, &options, (uint64_t)pick(state, 1 << 30), pick(state, 2) ? 0 : mfft_real_bytes(d.precision));
}

/* Lines that are interleaved on one side, and contiguous at any distance on the other. */
static void transposed(const char *backend) {
  for (int64_t n = 2; n <= 20; n++)
    for (int64_t lines = 4; lines <= 12; lines += 4)
      for (int variant = 0; variant < 8; variant++) {
        mfft_desc d;
        mfft_options options;
        mfft_desc_init(&d);
        mfft_options_init(&options);
        d.rank = 2;
        d.n[0] = lines, d.n[1] = n;
        d.axes = variant & 1 ? 3 : 2;
        d.precision = variant & 2 ? MFFT_SINGLE : MFFT_DOUBLE;
        options.effort = MFFT_ESTIMATE;
        options.backend = backend;
        int64_t *contiguous = variant & 4 ? d.in_stride : d.out_stride,
                *interleaved = variant & 4 ? d.out_stride : d.in_stride;
        contiguous[0] = n + 1 + n % 2, contiguous[1] = 1; /* n + 1 or n + 2: odd */
        interleaved[0] = 1, interleaved[1] = lines;
        test_both(&d, &options, (uint64_t)n, 0);
      }
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  transposed(argv[1]);
  uint64_t state = argc > 3 ? strtoull(argv[3], NULL, 10) : 203;
  for (int i = 0, count = atoi(argv[2]); i < count && test_failures < 20; i++) one(&state, argv[1]);
  return test_end();
}
