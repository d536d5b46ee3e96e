/* bench_truth.h: what a forward transform must give, from FFTW's transform of the whole array or from impulses, whose
 * transform is a sum of as many plane waves. */
#ifndef MFFT_APPS_BENCH_TRUTH_H
#define MFFT_APPS_BENCH_TRUTH_H

#include "bench_rows.h"

/* The relative L2 of `out`, this rank's part of the transform of the random data times scale, against FFTW's on rank 0.
 * Collective. */
mfft_status mfft_bench_truth_fftw(const mfft_bench_case *bench, mfft_plan plan, const mfft_bench_rows *mine, const void *out,
                                  double scale, double *rel_l2);

/* The kind of FFTW that it is for an array of this size. */
const char *mfft_bench_truth_name(double points);

/* Fills the input with impulses; the relative L2 of their transform times scale.  Collective. */
void mfft_bench_fill_impulses(const mfft_desc *desc, const mfft_bench_rows *rows, void *in, size_t bytes);
mfft_status mfft_bench_truth_impulses(const mfft_bench_case *bench, mfft_plan plan, const mfft_bench_rows *mine,
                                      const void *out, double scale, double *rel_l2);

#endif
