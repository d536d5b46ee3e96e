/* bench_links.h: the least time of a distributed transform, since its bytes must pass the links.
 *
 * The speed of links is measured within the nodes and between them, while all ranks send and receive contiguous data, by
 * each transport and by plain messages, in several streams to each peer; the fastest sample of the fastest of these
 * counts.  The bytes of a plan over each kind of link follow from its boxes and nodes (mfft_predict.h). */
#ifndef MFFT_APPS_BENCH_LINKS_H
#define MFFT_APPS_BENCH_LINKS_H

#include "bench/bench_case.h"

/* Seconds of one run of a case, given its plan's grid, transport and wire in `result`; NAN on one rank, and if the links
 * cannot be measured.  Links are measured once for a backend, in about bench->seconds, half a second at most, and longer
 * only where a single exchange of 1 MiB takes longer.  Collective. */
double mfft_bench_link_bound(const mfft_bench_case *bench, mfft_memory memory, const mfft_bench_result *result);

#endif
