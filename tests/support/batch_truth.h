/* batch_truth.h: the transforms of the first and last arrays of a batch on the GPU by FFTW, in long double if the numbers
 * are double; and the relative L2 error of a result.
 *
 * So many arrays are compared that two results of the same accuracy, rounded independently, differ by less than
 * batch_margin: of M numbers, the relative L2 of random roundings is determined to 0.6 / sqrt(M), and there are 2^17 and
 * more unless the whole batch is smaller. */
#ifndef MFFT_TESTS_BATCH_TRUTH_H
#define MFFT_TESTS_BATCH_TRUTH_H

#include "gpu_case.h"

static const double batch_margin = 1.01;
enum { BATCH_ELEMENTS = 1 << 15 }; /* least elements that are compared at each end of the batch */
enum {
  MOST_REALS_IN_LONG = 1 << 22,
  MOST_REALS_IN_DOUBLE = 1 << 25
}; /* elements of one array: its transform takes a second or two */

#define FFTW(name) fftw_##name
#define NUMBER     double
#include "batch_truth_body.h"
#undef FFTW
#undef NUMBER
#define FFTW(name) fftwl_##name
#define NUMBER     long double
#include "batch_truth_body.h"
#undef FFTW
#undef NUMBER

typedef struct batch_truth {
  mfft_fft_spec spec; /* the transform of the arrays at one end of the batch */
  int sides;
  int64_t in_reals, out_reals;      /* real numbers of these arrays */
  size_t in_first[2], out_first[2]; /* [sides] offset in bytes of the first and of the last arrays */
  long double *want[2];             /* [sides][out_reals] results by FFTW */
} batch_truth;

static inline void batch_truth_free(batch_truth *t) {
  for (int side = 0; side < 2; side++) free(t->want[side]);
  memset(t, 0, sizeof *t);
}

/* The truth of a packed batch whose input is at `in`.  Returns 0 if one array is too large, or memory is short. */
static inline int batch_truth_make(batch_truth *t, const mfft_fft_spec *spec, const char *in) {
  const size_t b = mfft_real_bytes(spec->precision);
  const int64_t batch = spec->loop[0].n;
  const size_t in_bytes = (spec->type == MFFT_FFT_R2C ? 1 : 2) * b * (size_t)spec->loop[0].is,
               out_bytes = (spec->type == MFFT_FFT_C2R ? 1 : 2) * b * (size_t)spec->loop[0].os;
  int64_t elements = 1, arrays;
  memset(t, 0, sizeof *t);
  t->spec = *spec;
  for (int a = 0; a < spec->naxes; a++) elements *= spec->axis[a].n;
  arrays = (BATCH_ELEMENTS + elements - 1) / elements;
  t->sides = 2 * arrays <= batch ? 2 : 1;
  t->spec.loop[0].n = t->sides == 2 || arrays < batch ? arrays : batch;
  t->in_reals = case_reals(&t->spec, 0);
  t->out_reals = case_reals(&t->spec, 1);
  if (arrays == 1 && t->in_reals > (spec->precision == MFFT_DOUBLE ? MOST_REALS_IN_LONG : MOST_REALS_IN_DOUBLE)) return 0;
  if (t->in_reals > MOST_REALS_IN_LONG) t->sides = 1;
  void *copy = malloc((size_t)t->in_reals * b);
  int good = copy != NULL;
  for (int side = 0; side < t->sides && good; side++) {
    const size_t first = side ? (size_t)(batch - t->spec.loop[0].n) : 0;
    t->in_first[side] = first * in_bytes;
    t->out_first[side] = first * out_bytes;
    t->want[side] = malloc((size_t)t->out_reals * sizeof **t->want);
    good = t->want[side] && !gpu->copy_to_host(copy, (CUdeviceptr)(in + t->in_first[side]), (size_t)t->in_reals * b) &&
           (spec->precision == MFFT_DOUBLE ? fftwl_batch_transform : fftw_batch_transform)(&t->spec, copy, t->in_reals,
                                                                                           t->want[side], t->out_reals);
  }
  free(copy);
  if (!good) batch_truth_free(t);
  return good;
}

/* The relative L2 error over the arrays at both ends; NAN if the result cannot be read. */
static inline double batch_error(const batch_truth *t, const char *out) {
  const size_t b = mfft_real_bytes(t->spec.precision);
  void *got = malloc((size_t)t->out_reals * b);
  long double error = 0, size = 0;
  for (int side = 0; side < t->sides; side++) {
    if (!got || gpu->copy_to_host(got, (CUdeviceptr)(out + t->out_first[side]), (size_t)t->out_reals * b)) {
      free(got);
      return NAN;
    }
    for (int64_t i = 0; i < t->out_reals; i++) {
      const long double want = t->want[side][i], off = stored_value(t->spec.precision, got, i) - want;
      error += off * off;
      size += want * want;
    }
  }
  free(got);
  return (double)sqrtl(error / size);
}

#endif
