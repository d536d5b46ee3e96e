/* bench_redraw.h: a picture of results that an earlier run of `mergefft bench --json` saved, such as one on a cluster whose
 * build has no cairo. */
#ifndef MFFT_APPS_BENCH_REDRAW_H
#define MFFT_APPS_BENCH_REDRAW_H

#include "mfft.h"

/* Draws the results in the JSON file `from` to the picture `to`, as `--plot` of that run would have.  Not collective.  A
 * file that is no such JSON, or has no right result, fails with a message of mfft_app_fail. */
mfft_status mfft_bench_redraw(const char *from, const char *to);

#endif
