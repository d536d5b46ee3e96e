/* bench_exchange.h: a bare exchange for `mergefft bench`: every rank sends an equal part of its array to every other.
 *
 * Alone it is a benchmark of transports; and the speed at which contiguous parts are copied straight between ranks is the
 * measure of the links, against which a distributed transform is held ("link share"). */
#ifndef MFFT_APPS_BENCH_EXCHANGE_H
#define MFFT_APPS_BENCH_EXCHANGE_H

#include "io/json.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"

typedef struct mfft_bench_exchange {
  const char *backend;   /* whose memory; NULL: the host's */
  const char *transport; /* NULL: the library's choice */
  int64_t bytes;         /* of the array of one rank, rounded to whole runs */
  int64_t run_bytes;     /* of the contiguous pieces that it is cut into; 0: one for each peer */
  double seconds;        /* for all samples */
  int plain;             /* 1: time plain messages, too, which want memory that MPI reaches */
} mfft_bench_exchange;

typedef struct mfft_bench_exchange_result {
  const char *transport;
  int64_t bytes, sent_bytes, run_bytes; /* sent: what leaves a rank, the most over ranks */
  int64_t samples;
  int correct;
  double time_s;  /* median of the slowest rank */
  double plain_s; /* the same bytes between the same arrays by plain Isend and Irecv; NAN where MPI cannot reach them */
} mfft_bench_exchange_result;

/* Checks and times one.  Collective. */
mfft_status mfft_bench_exchange_measure(const mfft_bench_exchange *x, mfft_bench_exchange_result *result);

/* Every transport that works for this memory, or the one that is named, with one piece a peer and with pieces of 1 MiB, and
 * beside each the plain messages that `mpi` is held against: as lines of text unless quiet, and in JSON.  An exit code.
 * Collective. */
int mfft_bench_exchange_all(const mfft_bench_exchange *x, int quiet, mfft_json *json);

/* Bytes a second out of each rank at which "p2p" copies contiguous parts between all ranks at once in the memory of a
 * backend; NAN where it does not work, and on one rank.  Measured once, for so many seconds, at most 0.1.
 * Collective. */
double mfft_bench_link_speed(const char *backend, mfft_memory memory, double seconds);

#endif
