/* bench_report.h: the output of `mergefft bench` for a case: a line of a table, an object of JSON. */
#ifndef MFFT_APPS_BENCH_REPORT_H
#define MFFT_APPS_BENCH_REPORT_H

#include "bench/bench_case.h"
#include "io/json.h"

/* Writes the lengths as 64x32x128. */
const char *mfft_bench_shape_text(const mfft_desc *desc, char text[64]);

/* The line of a case has the columns of its kind, local or distributed, with a peer or without. */
void mfft_bench_print_head(const mfft_bench_case *bench);
void mfft_bench_print(const mfft_bench_case *bench, const mfft_bench_result *result);
void mfft_bench_print_left_out(const mfft_bench_case *bench, const char *why);

void mfft_bench_json(mfft_json *json, const mfft_bench_case *bench, const mfft_bench_result *result);

#endif
