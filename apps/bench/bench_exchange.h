/* bench_exchange.h: an exchange alone for `mergefft bench`: every rank sends an equal part of its array to every other.
 *
 * It is a benchmark of transports, and the measure of the links to which transforms are compared (bench_links.h). */
#ifndef MFFT_APPS_BENCH_EXCHANGE_H
#define MFFT_APPS_BENCH_EXCHANGE_H

#include "io/json.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"

typedef struct mfft_bench_exchange {
  const char *backend;   /* whose memory; NULL: the host's */
  const char *transport; /* NULL: the library's choice */
  int64_t bytes;         /* of the array of one rank, rounded to whole runs */
  int64_t run_bytes;     /* of the contiguous pieces into which it is divided; 0: one for each peer */
  double seconds;        /* for all samples */
  int samples;           /* at least so many, even if these take longer; 0: 7 */
  const MPI_Comm *comm;  /* the ranks that exchange, each rank of the job in one such group; NULL: all ranks */
  int plain;             /* 1: also time plain messages, which need memory that MPI accepts */
} mfft_bench_exchange;

typedef struct mfft_bench_exchange_result {
  const char *transport;
  int64_t bytes, sent_bytes, run_bytes; /* sent: bytes sent by a rank, the largest over ranks */
  int64_t samples;
  int correct;
  double time_s;  /* median of the slowest rank */
  double least_s; /* fastest sample of either */
  double plain_s; /* the same bytes between the same arrays by plain Isend and Irecv; NAN if MPI does not accept them */
} mfft_bench_exchange_result;

/* Checks and times one.  Collective. */
mfft_status mfft_bench_exchange_measure(const mfft_bench_exchange *x, mfft_bench_exchange_result *result);

/* Every transport that works for this memory, or the named one, with one piece for each peer and with pieces of 1 MiB, and
 * for each the plain messages that `mpi` is compared with: as lines of text unless quiet, and in JSON.  Returns an exit
 * code. Collective. */
int mfft_bench_exchange_all(const mfft_bench_exchange *x, int quiet, mfft_json *json);

/* Whether messages can be sent from the memory of a backend: if the library can send them, a caller can.  Collective. */
int mfft_bench_mpi_reaches(const char *backend);

#endif
