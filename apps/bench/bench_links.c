/* bench_links.c: see bench_links.h. */
#include "bench/bench_links.h"

#include <math.h>
#include <string.h>

#include "bench/bench_exchange.h"
#include "cli/collective.h"
#include "cli/nodes.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "mfft_predict.h"

enum { STREAMS = 4 };

/* Bytes a second out of each rank; NAN: not measured. */
typedef struct links {
  const char *backend; /* of which they were measured; NULL: none yet */
  mfft_app_nodes nodes;
  double near, far;
  double all; /* among all ranks, where nodes are uneven or ranks do not follow each other */
} links;

/* One exchange on a communicator: bytes a second of its fastest sample, 0 if it does not work, and its seconds. */
static double try_exchange(const mfft_bench_exchange *x, double *seconds) {
  mfft_bench_exchange_result result;
  const mfft_status status = mfft_bench_exchange_measure(x, &result);
  const int works = status == MFFT_SUCCESS && result.correct && result.least_s > 0;
  if (!works) mfft_app_message(); /* the case has not failed */
  *seconds = works ? result.time_s : 0;
  return works ? (double)result.sent_bytes / result.least_s : 0;
}

/* The fastest of all means.  A short exchange first says how many bytes fit into the time; slow links get no more. */
static double fastest(const links *l, const MPI_Comm *comm, mfft_memory memory, double seconds) {
  static const char *const means[] = {"p2p", "pairwise", "nccl"};
  enum { MEANS = sizeof means / sizeof *means, CALLS = 10 }; /* exchanges that one measurement makes at least */
  const int host = memory == MFFT_MEMORY_HOST, plain = mfft_bench_mpi_reaches(l->backend);
  const int64_t first = host ? (int64_t)1 << 20 : (int64_t)32 << 20, most = host ? (int64_t)32 << 20 : (int64_t)1 << 30;
  double best = 0;
  for (int i = 0; i < MEANS; i++) {
    double spent = 0;
    mfft_bench_exchange x = {.backend = l->backend, .transport = means[i], .comm = comm, .bytes = first, .samples = 1};
    x.plain = plain && i == 1;
    x.run_bytes = x.plain ? x.bytes / STREAMS / mfft_app_ranks() : 0;
    if (host && i == 2) break;
    best = fmax(best, try_exchange(&x, &spent));
    if (!(spent > 0)) continue;
    const double more = (double)first * seconds / (MEANS * CALLS * spent);
    x.bytes = more > (double)most ? most : (int64_t)more / 4096 * 4096;
    x.seconds = seconds / (2 * MEANS);
    x.samples = 2;
    x.run_bytes = x.plain ? x.bytes / STREAMS / mfft_app_ranks() : 0;
    if (x.bytes > first) best = fmax(best, try_exchange(&x, &spent));
  }
  return best > 0 ? best : NAN;
}

static void measure(links *l, const char *backend, mfft_memory memory, double seconds) {
  if (!l->backend) mfft_app_nodes_find(&l->nodes);
  l->backend = backend;
  l->near = l->far = l->all = NAN;
  const double each = fmin(seconds, 0.5) / 2;
  mfft_progress_start("measuring what the links between ranks carry", 0);
  if (!l->nodes.successive) {
    l->all = fastest(l, NULL, memory, 2 * each);
    return;
  }
  if (l->nodes.node_ranks > 1) l->near = fastest(l, &l->nodes.near, memory, each);
  if (l->nodes.nodes > 1) l->far = fastest(l, &l->nodes.far, memory, each);
}

/* The prediction of this rank's bytes; only its geometry is used. */
static mfft_status predict(const links *l, const mfft_bench_case *bench, mfft_memory memory, const mfft_bench_result *result,
                           mfft_prediction *prediction) {
  mfft_machine machine;
  mfft_machine_init(&machine);
  machine.host_memory = memory == MFFT_MEMORY_HOST;
  machine.memory_bandwidth = machine.near_bandwidth = machine.far_bandwidth = 1e9;
  const mfft_cluster cluster = {&machine, l->nodes.successive ? l->nodes.nodes : 1,
                                l->nodes.successive ? l->nodes.node_ranks : mfft_app_ranks(), 0};
  mfft_options options = bench->options;
  memcpy(options.grid, result->grid, sizeof options.grid);
  options.transport = result->transport;
  options.wire = result->wire;
  options.tolerance = 0;
  return mfft_predict(&bench->desc, &options, &cluster, mfft_app_rank(), prediction);
}

static double passing_s(int64_t bytes, double speed) { return bytes ? (double)bytes / speed : 0; }

double mfft_bench_link_bound(const mfft_bench_case *bench, mfft_memory memory, const mfft_bench_result *result) {
  static links l; /* for the whole process */
  mfft_prediction p;
  double bound = 0;
  if (mfft_app_ranks() == 1) return NAN;
  if (!l.backend || strcmp(l.backend, result->backend) != 0) measure(&l, result->backend, memory, bench->seconds);
  if (mfft_app_anywhere(predict(&l, bench, memory, result, &p) != MFFT_SUCCESS)) {
    mfft_app_message();
    return NAN;
  }
  for (int d = 0; d < 2; d++) {
    const mfft_predicted *one = &p.direction[d];
    if (bench->run == (d == 0 ? MFFT_BENCH_BACKWARD : MFFT_BENCH_FORWARD)) continue;
    bound += l.nodes.successive ? fmax(passing_s(one->near_bytes, l.near), passing_s(one->far_bytes, l.far))
                                : passing_s(one->near_bytes + one->far_bytes, l.all);
  }
  bound = mfft_app_slowest(bound);
  return bound > 0 ? bound : NAN;
}
