// TEST labels=cuda args=1,30 timeout=300
// TEST labels=emulated args=1,12 timeout=300
/* Transforms at random: rank, lengths, type, precision, scale, the order of the dimensions in memory on either side, gaps
 * between them, loops, in place and not, in parts.
 *
 *   t824-cuda-random [seed [count]] */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gpu_case.h"

enum { MOST_DIMS = 5, MOST_ELEMENTS = 400000 };
static const int64_t short_ones[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  11, 13, 14, 15, 16, 20, 21,
                                     22, 24, 26, 30, 32, 33, 35, 39, 40, 48, 49, 60, 64, 17, 37}; /* [31] */
static const int64_t long_ones[] = {100, 105,  128,  143,  169,  240,  256,  343,  360, 512,
                                    539, 1000, 1001, 1024, 2048, 2197, 4095, 4096, 101, 1009}; /* [20] */
static uint64_t seed = 1;

static double uniform(void) { return test_random(&seed) + 0.5; }
/* 0 .. n - 1 */
static int draw(int n) { return (int)(uniform() * n); }

/* Lengths that have kernels of their own kind half of the time, any others else, of which many have large primes. */
static int64_t draw_short(void) { return draw(2) ? short_ones[draw(31)] : 1 + draw(70); }
static int64_t draw_long(void) { return draw(2) ? long_ones[draw(20)] : (int64_t)(70 * pow(300, uniform())); }

static void shuffle(int *order, int count) {
  for (int i = count - 1; i > 0; i--) {
    const int j = draw(i + 1), at = order[i];
    order[i] = order[j], order[j] = at;
  }
}

/* Strides of the dimensions, which are in memory in this order, fast to slow, with gaps at random. */
static void lay_out(const int64_t *n, int halved, const int *order, int dims, int64_t *stride) {
  int64_t step = 1;
  for (int i = 0; i < dims; i++) {
    const int d = order[i];
    stride[d] = step;
    step *= d == halved ? n[d] / 2 + 1 : n[d];
    if (!draw(4)) step += draw(5);
  }
}

/* A random spec, or 0 if it would take too long. */
static int draw_spec(mfft_fft_spec *s) {
  *s = (mfft_fft_spec){.effort = MFFT_ESTIMATE, .naxes = 1 + draw(3), .nloops = draw(3)};
  s->type = (mfft_fft_type)draw(3);
  s->precision = (mfft_precision)draw(4);
  s->direction = s->type == MFFT_FFT_C2C ? (mfft_direction)draw(2) : s->type == MFFT_FFT_R2C ? MFFT_FORWARD : MFFT_BACKWARD;
  s->scale = s->precision >= MFFT_HALF ? 1.0 / 64 : draw(2) ? 1 : 0.25;
  s->in_place = s->type == MFFT_FFT_C2C && !draw(3);
  s->destroy_input = !s->in_place && !draw(3);
  s->part_bytes = draw(3) ? 0 : 20000 + draw(100000);
  const int dims = s->naxes + s->nloops, last = s->naxes - 1, large = draw(s->naxes + 1);
  int order[MOST_DIMS];
  int64_t n[MOST_DIMS], in[MOST_DIMS], out[MOST_DIMS], all = 1;
  for (int d = 0; d < dims; d++) {
    order[d] = d;
    n[d] = d >= s->naxes ? 1 + draw(5) : d == large ? draw_long() : draw_short();
    all *= n[d];
  }
  shuffle(order, dims);
  lay_out(n, s->type == MFFT_FFT_C2R ? last : -1, order, dims, in);
  if (draw(2)) shuffle(order, dims);
  lay_out(n, s->type == MFFT_FFT_R2C ? last : -1, order, dims, out);
  for (int d = 0; d < dims; d++)
    *(d < s->naxes ? &s->axis[d] : &s->loop[d - s->naxes]) = (mfft_dim){n[d], in[d], s->in_place ? in[d] : out[d]};
  return all <= MOST_ELEMENTS;
}

int main(int argc, char **argv) {
  int count = argc > 2 ? atoi(argv[2]) : 40;
  if (argc > 1) seed = (uint64_t)atoll(argv[1]);
  if (test_small()) setenv("MFFT_EMULATED_CACHE", "2400000", 1); /* so that small arrays are done in parts too */
  if (!gpu_or_compiler_here()) return TEST_SKIPPED;
  for (mfft_fft_spec s; count > 0;)
    if (draw_spec(&s)) gpu_check(&s, (uint64_t)count--);
  return test_end();
}
#endif
