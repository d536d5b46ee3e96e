// TEST timeout=120 args=1,3000
// TEST labels=nightly timeout=900 args=2,200000
/* Plans of random shapes, batches, layouts and kinds exist for devices from A100 to Blackwell: no length, and no number of
 * lines, is without passes.  Nothing is compiled or run.
 *
 *   t840-cuda-random-plans SEED COUNT */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "devices.h"
#include "gpu_case.h"
#include "local/cuda/planner/phases.h"
#include "local/cuda/planner/trigonometric_steps.h"

static uint64_t seed;

static double uniform(void) { return test_random(&seed) + 0.5; }
static int chance(double share) { return uniform() < share; }
static int below(int n) { return (int)(uniform() * n) % n; }

/* A length from 1 to `most`, uniform in its logarithm. */
static int64_t length(double most) { return (int64_t)exp(uniform() * log(most)); }

/* One array, a few, or as many as fill a GPU. */
static int64_t batch_of(int64_t elements) {
  const double most = ldexp(1, 27) / (double)elements;
  return chance(0.4) ? 1 : chance(0.5) || most < 1 ? 1 + length(200) : (int64_t)(1 + uniform() * most);
}

static mfft_fft_spec random_spec(void) {
  static const double most[] = {3e6, 6000, 900}; /* [rank - 1] */
  const int rank = 1 + below(3), type = below(4);
  const mfft_precision precision = (mfft_precision)below(4);
  int64_t n[3] = {1, 1, 1}, elements = 1;
  for (int a = 0; a < rank; a++) n[a] = 1 + length(most[rank - 1]), elements *= n[a];
  const int64_t batch = batch_of(elements);
  const mfft_direction direction = (mfft_direction)(type == MFFT_FFT_C2R || (type == MFFT_FFT_C2C && chance(0.5)));
  if (type == MFFT_FFT_R2R) {
    mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, precision, rank, n, batch, chance(0.3));
    s.type = MFFT_FFT_R2R;
    for (int a = 0; a < rank; a++) s.kind[a] = (mfft_axis_kind)(MFFT_DCT1 + below(8));
    return s;
  }
  const int columns = rank == 1 && chance(0.3);
  mfft_fft_spec s = packed_spec((mfft_fft_type)type, direction, precision, rank, n, batch, !columns && chance(0.4));
  s.destroy_input = type == MFFT_FFT_C2R && chance(0.5);
  if (columns) s.axis[0].is = s.axis[0].os = batch, s.loop[0] = (mfft_dim){batch, 1, 1};
  return s;
}

int main(int argc, char **argv) {
  static mfft_phases phases;
  static mfft_trigonometric_steps steps;
  seed = argc > 1 ? (uint64_t)atoll(argv[1]) : 1;
  const long count = argc > 2 ? atol(argv[2]) : 1000;
  for (long i = 0; i < count; i++) {
    const mfft_fft_spec s = random_spec();
    const mfft_device_limits *limits = chance(0.5) ? &mfft_limits_sm90 : &devices[below(DEVICES)].limits;
    const mfft_status status =
        s.type == MFFT_FFT_R2R ? mfft_trigonometric_plan(&s, limits, &steps) : mfft_phases_make(&s, limits, &phases);
    CHECK(status == MFFT_SUCCESS, "plan %ld, %s: %s", i, spec_words(&s), mfft_last_error());
  }
  return test_end();
}
#endif
