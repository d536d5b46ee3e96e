/* bench_truth.h: the expected result of a forward transform, from FFTW's transform of the whole array or from impulses,
 * whose transform is a sum of as many plane waves. */
#ifndef MFFT_APPS_BENCH_TRUTH_H
#define MFFT_APPS_BENCH_TRUTH_H

#include "bench/bench_rows.h"

/* Describes both sides of a plan as rows. */
mfft_status mfft_bench_sides(const mfft_desc *desc, mfft_plan plan, mfft_bench_rows side[2]);

/* The relative L2 of `out`, this rank's part of the transform of the random data times scale, against FFTW's on rank 0.  Of
 * a batch of more than truth_limit elements, arrays from its two ends are compared.  Collective. */
mfft_status mfft_bench_truth_fftw(const mfft_bench_case *bench, mfft_plan plan, const mfft_bench_rows *mine,
                                  const mfft_bench_array *out, long double scale, double *rel_l2);

/* Whether arrays are small enough for that, and this build has FFTW in a precision that suffices. */
int mfft_bench_has_truth(const mfft_bench_case *bench);

/* The precision of FFTW that was used. */
const char *mfft_bench_truth_name(const mfft_desc *desc);

/* Fills the input with impulses; the relative L2 of their transform times scale.  Collective. */
mfft_status mfft_bench_fill_impulses(const mfft_desc *desc, const mfft_bench_rows *rows, const mfft_bench_array *in);
mfft_status mfft_bench_truth_impulses(const mfft_bench_case *bench, mfft_plan plan, const mfft_bench_rows *mine,
                                      const mfft_bench_array *out, long double scale, double *rel_l2);

/* The relative L2 of the input side, times scale, against the random data.  Collective. */
mfft_status mfft_bench_round_trip(const mfft_bench_case *bench, const mfft_bench_rows *rows, const mfft_bench_array *in,
                                  long double scale, double *relative);

#endif
