/* bench_case.h: one transform of `mergefft bench`: its description, its results, and the check before the timing. */
#ifndef MFFT_APPS_BENCH_CASE_H
#define MFFT_APPS_BENCH_CASE_H

#include "bench/bench_array.h"
#include "bench/peer.h"
#include "mfft_inspect.h"
#include "mfft_mpi.h"
#include "plot/timeline.h"

/* The transforms of one run.  A single transform repeats on the same input. */
typedef enum mfft_bench_run { MFFT_BENCH_PAIR = 0, MFFT_BENCH_FORWARD, MFFT_BENCH_BACKWARD } mfft_bench_run;

typedef struct mfft_bench_case {
  const char *group; /* cases that share the axis of a chart */
  mfft_desc desc;
  mfft_options options;
  int distributed;
  mfft_bench_run run;
  const mfft_peer_kind *vs; /* NULL: alone */
  mfft_effort peer_effort;
  int omits_unsupported;   /* a case that a side cannot compute is omitted, and is no failure */
  int64_t samples;         /* 0: as many as fit into `seconds`, at least 7 */
  double seconds;          /* for the samples of one case, ours and the peer's together */
  int64_t truth_limit;     /* elements up to which the truth is FFTW's transform of random data */
  mfft_timeline *timeline; /* output of one more run's time line; NULL: none */
  int64_t sample_limit;    /* elements that are checked, spread over the arrays; 0: all */
} mfft_bench_case;

/* Errors of the plan, measured before it is timed, on the data of the timing. */
typedef struct mfft_bench_error {
  const char *truth; /* "fftw double" or "fftw long double": random data; "impulses": the sum of a few plane waves, known
                        without an FFT */
  double rel_l2;     /* of the forward transform against the truth */
  double round_trip; /* relative L2 of backward(forward(x)) against x */
  double parseval;   /* | |X|^2 / (N |x|^2) - 1 | for random data; NAN if only a sample was checked */
  double bound;      /* largest rel_l2 and round_trip of a right result */
  double peer;       /* of the peer, in its one direction (forward of a pair), as rel_l2 or round_trip is for ours; NAN */
} mfft_bench_error;

typedef struct mfft_bench_result {
  mfft_bench_error error;
  int correct;
  const char *backend;
  char plan[2048]; /* our plan as text, truncated to the size */
  int grid[2];     /* [P, Q] */
  const char *transport;
  int chunks;
  mfft_wire wire;
  mfft_chosen chosen;
  char candidate[256]; /* the details of the plan, "" if there are none */
  int64_t samples, warmups, runs_per_sample;
  double plan_s, peer_plan_s;                 /* making the plans */
  double time_s, time_min_s, time_max_s;      /* of one run: median, least and largest over samples, slowest rank each */
  double peer_time_s, peer_min_s, peer_max_s; /* NAN without a peer */
  char peer_call[256];                        /* how it was called, "" without a peer */
  double cpu_s, peer_cpu_s; /* processor time of one run, all threads: median over samples of the busiest rank */
  /* of one run: medians, slowest rank each; NAN if calls return before they are complete */
  double fft_s, copy_s, exchange_s;
  double copy_speed;   /* bytes a second that a copy in this memory reads and writes; NAN: not measured */
  double passes;       /* time x copy speed / (bytes of input and output), of local transforms */
  double sent_bytes;   /* bytes sent by a rank in one run, the largest over ranks; of distributed transforms */
  double link_bound_s; /* time of the links alone for the bytes of a run (bench_links.h), time_min_s at most; NAN: unknown */
  double link_speed;   /* sent_bytes / link_bound_s */
  double link_share;   /* link_bound_s / time_s: at most 1 */
  double tflops;       /* 5 N log2 N operations a transform, half of them for reals */
  size_t workspace_bytes; /* largest over ranks */
} mfft_bench_result;

/* The number of elements of the transformed axes. */
double mfft_bench_points(const mfft_desc *desc);

/* The factor of a direction. */
long double mfft_bench_factor(const mfft_desc *desc, mfft_direction direction);

/* Fills this rank's input array with the benchmark's random data, a function of the index in the global array, times
 * amplitude. */
mfft_status mfft_bench_fill(const mfft_desc *desc, const mfft_box *box, double amplitude, const mfft_bench_array *array);

/* Checks a plan on arrays of its sizes, and leaves them with undefined contents.  Collective. */
mfft_status mfft_bench_check(const mfft_bench_case *bench, mfft_plan plan, const mfft_bench_array array[2] /* [side] */,
                             mfft_bench_error *error);

/* Plans, checks and times one case on MPI_COMM_WORLD.  Collective; a wrong result sets correct = 0 and is not timed. */
mfft_status mfft_bench_measure(const mfft_bench_case *bench, mfft_bench_result *result);

#endif
