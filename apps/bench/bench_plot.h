/* bench_plot.h: the results of `mergefft bench` as curves: time, speed and ratio over size, a column for each group. */
#ifndef MFFT_APPS_BENCH_PLOT_H
#define MFFT_APPS_BENCH_PLOT_H

#include "bench/bench_case.h"

typedef struct mfft_bench_plot mfft_bench_plot;

/* NULL without memory; all calls accept NULL.  A plot that ran out of memory fails when it is saved. */
mfft_bench_plot *mfft_bench_plot_create(void);
void mfft_bench_plot_add(mfft_bench_plot *plot, const mfft_bench_case *bench, const mfft_bench_result *result);
mfft_status mfft_bench_plot_save(mfft_bench_plot *plot, const char *path);
void mfft_bench_plot_destroy(mfft_bench_plot *plot);

#endif
