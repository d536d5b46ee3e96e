/* bench_case.h: one transform of `mergefft bench`: what it is, what was measured, and the check that comes first. */
#ifndef MFFT_APPS_BENCH_CASE_H
#define MFFT_APPS_BENCH_CASE_H

#include "mfft_mpi.h"

typedef enum mfft_bench_run { MFFT_BENCH_PAIR = 0, MFFT_BENCH_FORWARD } mfft_bench_run;
typedef enum mfft_bench_vs { MFFT_BENCH_VS_NONE = 0, MFFT_BENCH_VS_FFTW, MFFT_BENCH_VS_FFTW_MPI } mfft_bench_vs;

typedef struct mfft_bench_case {
  mfft_desc desc; /* scale 1/sqrt(N) both ways for 16-bit types, none otherwise */
  int distributed;
  mfft_bench_run run;
  mfft_bench_vs vs;
  int64_t samples;     /* 0: as many as fit into `seconds`, at least 7 */
  double seconds;      /* for the samples of one case, ours and the peer's together */
  int64_t truth_limit; /* elements up to which the truth is FFTW's transform of random data */
} mfft_bench_case;

/* How wrong the plan is.  Measured before it is timed, on the data that it is timed on. */
typedef struct mfft_bench_error {
  const char *truth; /* "fftw double" or "fftw long double": random data; "impulses": the sum of a few plane waves, known
                        without an FFT */
  double rel_l2;     /* of the forward transform against the truth */
  double round_trip; /* relative L2 of backward(forward(x)) against x */
  double parseval;   /* | |X|^2 / (N |x|^2) - 1 | for random data */
  double bound;      /* what rel_l2 and round_trip may be */
} mfft_bench_error;

typedef struct mfft_bench_result {
  mfft_bench_error error;
  int correct;
  int grid[2];
  const char *transport;
  int chunks;
  int64_t samples, warmups, runs_per_sample;
  double plan_s, peer_plan_s;                 /* making the plans */
  double time_s, time_min_s, time_max_s;      /* of one run: median, least and largest over samples, slowest rank each */
  double peer_time_s, peer_min_s, peer_max_s; /* NAN without a peer */
  double cpu_s, peer_cpu_s;         /* processor time of one run, all threads: median over samples of the busiest rank */
  double fft_s, copy_s, exchange_s; /* of one run: medians, slowest rank each */
  size_t workspace_bytes;           /* largest over ranks */
} mfft_bench_result;

/* The number of elements of the transformed axes, and the unit roundoff of a precision. */
double mfft_bench_points(const mfft_desc *desc);

/* Fills this rank's input array with the benchmark's random data of the place in the global array times amplitude. */
void mfft_bench_fill(const mfft_desc *desc, const mfft_box *box, double amplitude, void *array);

/* Checks a plan on arrays of its sizes, and leaves them with undefined contents.  Collective. */
mfft_status mfft_bench_check(const mfft_bench_case *bench, mfft_plan plan, void *in, void *out, mfft_bench_error *error);

/* Plans, checks and times one case on MPI_COMM_WORLD.  Collective; a wrong result sets correct = 0 and is not timed. */
mfft_status mfft_bench_measure(const mfft_bench_case *bench, mfft_bench_result *result);

#endif
