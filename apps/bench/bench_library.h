/* bench_library.h: the two sides of a case of `mergefft bench`, our plan and a peer's, and the arrays of both. */
#ifndef MFFT_APPS_BENCH_LIBRARY_H
#define MFFT_APPS_BENCH_LIBRARY_H

#include "bench/bench_case.h"

/* The times of a sample: the total, the processor time (which other jobs on the machine do not increase), and, for our plan,
 * the time in each kind of stage. */
enum { MFFT_BENCH_ALL, MFFT_BENCH_PROCESSOR, MFFT_BENCH_FFT, MFFT_BENCH_COPY, MFFT_BENCH_EXCHANGE, MFFT_BENCH_PARTS };

/* The arrays of our plan, which most peers use too, and the number of further runs for which their data remain in range. */
typedef struct mfft_bench_arena {
  const mfft_bench_case *bench;
  mfft_plan plan;
  mfft_box box;              /* of our input */
  mfft_bench_array array[2]; /* [side]; in place the same memory */
  double amplitude;
  int64_t runs, runs_left; /* from fresh data on */
  int fresh;               /* the input is random data of amplitude 1 that nothing has changed */
} mfft_bench_arena;

/* One side of the comparison. */
typedef struct mfft_bench_library {
  mfft_bench_arena *arena;
  mfft_peer *peer;                  /* NULL: our plan */
  double *sample[MFFT_BENCH_PARTS]; /* [MFFT_BENCH_PARTS][samples] seconds of one run, slowest rank */
} mfft_bench_library;

/* Our plan and its arrays, and its description in the result.  Collective; close accepts a half open one. */
mfft_status mfft_bench_arena_open(mfft_bench_arena *arena, mfft_bench_result *result);
void mfft_bench_arena_close(mfft_bench_arena *arena);

/* New data for both: the random input, and its transform if that is the input of a run. */
mfft_status mfft_bench_arena_fill(mfft_bench_arena *arena, double amplitude);

/* One direction of a library, and one run of the case's kind; waits until they are complete; data in range for so many
 * runs. */
mfft_status mfft_bench_run_once(const mfft_bench_library *library, mfft_direction direction);
mfft_status mfft_bench_run_whole(const mfft_bench_library *library);
mfft_status mfft_bench_synchronize(const mfft_bench_library *library);
mfft_status mfft_bench_prepare(const mfft_bench_library *library, int64_t runs);

/* The plan of the peer that the case names, and its error: on the same data, against the same truth, in our arrays. */
mfft_status mfft_bench_peer_make(const mfft_bench_arena *arena, mfft_peer **peer);
mfft_status mfft_bench_peer_check(mfft_bench_arena *arena, const mfft_bench_library *peer, mfft_bench_error *error);

/* Samples of all libraries, alternating, and their statistics.  The number of samples is the same on every rank. */
mfft_status mfft_bench_take_samples(mfft_bench_arena *arena, mfft_bench_library *library /* [libraries] */, int libraries,
                                    mfft_bench_result *result);
void mfft_bench_summarise(const mfft_bench_arena *arena, mfft_bench_library *library /* [libraries] */, int libraries,
                          mfft_bench_result *result);

#endif
