// TEST labels=cuda timeout=300
// TEST labels=emulated timeout=600
/* Errors of results in addition to the rounding of what is stored.  bfloat16 and half: none, so that of k
 * passes the error is sqrt(k) times that of its storage.  Double: half spectra whose lines are merged by error-free
 * transformations where that pays have no more than before. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "batch_truth.h"

typedef struct errors {
  double ours, storage; /* relative L2: of our result; of the truth, rounded to the stored type */
} errors;

static int passes_of(const mfft_fft_spec *spec) {
  static mfft_phases phases;
  int count = 0;
  CHECK_OK(mfft_phases_make(spec, &mfft_limits_sm90, &phases));
  for (int p = 0; p < phases.count; p++) count += phases.phase[p].schedule.count;
  return count;
}

/* Of one array, or a packed batch. */
static errors errors_of(const mfft_fft_spec *spec) {
  const mfft_precision p = spec->precision;
  transform_case c;
  errors e = {NAN, NAN};
  if (compile_only(spec)) return e;
  CHECK(case_make(&c, spec, 5), "no memory or no FFTW plan");
  void *result = malloc((size_t)c.out_reals * mfft_real_bytes(p));
  long double *want = malloc((size_t)c.out_reals * sizeof *want), size = 0, ours = 0, storage = 0;
  CHECK(result && want && gpu_transform(&c, result), "%s: %s", spec_words(spec), mfft_last_error());
  CHECK(fftwl_batch_transform(spec, c.in, c.in_reals, want, c.out_reals), "no memory or no FFTW plan");
  for (int64_t i = 0; i < c.out_reals; i++) {
    double rounded = 0;
    store_value(p, &rounded, 0, (double)want[i]);
    const long double off = stored_value(p, result, i) - want[i], least = stored_value(p, &rounded, 0) - want[i];
    ours += off * off, storage += least * least, size += want[i] * want[i];
  }
  free(want);
  free(result);
  case_free(&c);
  return (errors){(double)sqrtl(ours / size), (double)sqrtl(storage / size)};
}

static const int64_t elements = 1 << 17; /* of a batch: the error is then determined to 0.2 % */

static mfft_fft_spec batch_of(mfft_fft_type type, mfft_precision precision, int rank, const int64_t *n) {
  int64_t size = 1;
  for (int a = 0; a < rank; a++) size *= n[a];
  return packed_spec(type, type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD, precision, rank, n, elements / size, 0);
}

static void sixteen_bits(mfft_fft_type type, mfft_precision precision, int rank, const int64_t *n) {
  if (!test_sampled()) return;
  const mfft_fft_spec spec = batch_of(type, precision, rank, n);
  const errors e = errors_of(&spec);
  const double room = precision == MFFT_HALF ? 1.01 : 1.005, most = room * sqrt(passes_of(&spec)) * e.storage;
  CHECK(!(e.ours > most), "%s: error %.4e, %.4e allowed", spec_words(&spec), e.ours, most);
}

/* C2R of doubles by sums that are rounded once, measured as 2 % less than `most` times the rounding of storage. */
static void real(int64_t n, double most) {
  const mfft_fft_spec spec = batch_of(MFFT_FFT_C2R, MFFT_DOUBLE, 1, &n);
  const errors e = errors_of(&spec);
  CHECK(!(e.ours > most * e.storage), "%s: error %.4e, %.4e allowed", spec_words(&spec), e.ours, most * e.storage);
}

int main(void) {
  setenv("MFFT_EMULATED_SMS", "132", 0); /* small batches have other passes on devices with many multiprocessors */
  if (!gpu_or_compiler_here()) return TEST_SKIPPED;
  static const int64_t arrays[][3] = {{256, 256}, {9, 1024}, {2048, 8}, {32, 32, 32}, {64, 16, 128}, {1 << 16}}; /* [6] */
  for (int64_t n = 4; n <= 8192; n *= test_small() ? 4 : 2)
    for (int type = MFFT_FFT_C2C; type <= MFFT_FFT_C2R; type++) sixteen_bits((mfft_fft_type)type, MFFT_BFLOAT16, 1, &n);
  for (int i = 0; i < (test_small() ? 4 : 6); i++)
    sixteen_bits(MFFT_FFT_C2C, MFFT_BFLOAT16, arrays[i][2] ? 3 : arrays[i][1] ? 2 : 1, arrays[i]);
  static const int64_t half[][3] = {{256}, {1024}, {256, 256}, {2048, 64}, {64, 4, 512}, {1 << 16}}; /* [6] */
  for (int i = 0; i < 6; i++) sixteen_bits(MFFT_FFT_C2C, MFFT_HALF, half[i][2] ? 3 : half[i][1] ? 2 : 1, half[i]);
  real(250, 3.38);
  real(175, 3.46);
  return test_end();
}
#endif
