/* measure_links.c: see measure_links.h. */
#include "info/measure_links.h"

#include <math.h>

#include "cli/collective.h"
#include "cli/report.h"
#include "info/measure_samples.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"

enum { ELEMENT = 8, UNPACKED = 65536 /* bytes of a row that is sent from where it is */ };

/* ---- One exchange ---- */

typedef struct exchange {
  mfft_exchange x;
  void *in, *out;
  int owns_out;
} exchange;

static mfft_status run_exchange(void *context) {
  const exchange *e = context;
  const mfft_status status = mfft_exchange_execute(e->x, e->in, e->out);
  return status == MFFT_SUCCESS ? mfft_exchange_synchronize(e->x) : status;
}

/* Seconds of an exchange between boxes on a communicator; takes_part 0: this rank only keeps time. */
static mfft_status time_exchange(const mfft_measure_setup *setup, MPI_Comm comm, int takes_part,
                                 const mfft_exchange_desc *desc, int64_t elements, double limit_s, double *seconds) {
  exchange e = {.x = NULL};
  mfft_exchange_options options;
  const size_t bytes = (size_t)(elements * desc->element_bytes);
  mfft_status status = MFFT_SUCCESS;
  mfft_exchange_options_init(&options);
  options.backend = setup->backend;
  if (takes_part) status = mfft_exchange_create(comm, desc, &options, &e.x);
  if (takes_part && status == MFFT_SUCCESS) status = mfft_exchange_window(e.x, &e.out);
  e.owns_out = !e.out;
  if (takes_part && status == MFFT_SUCCESS) status = mfft_memory_alloc(setup->backend, bytes, &e.in);
  if (takes_part && status == MFFT_SUCCESS && e.owns_out) status = mfft_memory_alloc(setup->backend, bytes, &e.out);
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) status = mfft_measure_samples(takes_part ? run_exchange : NULL, &e, limit_s, seconds);
  mfft_exchange_destroy(e.x);
  mfft_memory_free(setup->backend, e.in);
  if (e.owns_out) mfft_memory_free(setup->backend, e.out);
  return status;
}

/* Rows of z that change their order, as packing does. */
static mfft_status measure_packing(const mfft_measure_setup *setup, mfft_machine *m) {
  enum { N = 128, COMPLEX = 16 };
  mfft_exchange_desc desc;
  double seconds = NAN;
  mfft_exchange_desc_init(&desc);
  desc.element_bytes = COMPLEX;
  desc.from = (mfft_box){{0, 0, 0}, {N, N, N}, {0, 1, 2}};
  desc.to = (mfft_box){{0, 0, 0}, {N, N, N}, {1, 0, 2}};
  const mfft_status status = time_exchange(setup, MPI_COMM_SELF, 1, &desc, (int64_t)N * N * N, setup->seconds, &seconds);
  m->copy_bandwidth = 2.0 * N * N * N * COMPLEX / seconds;
  return status;
}

/* ---- Messages between groups ---- */

/* Groups of `ranks` each: every rank sends to all ranks of the next group, and to all others of its own if there is one. */
typedef struct traffic {
  const mfft_measure_setup *setup;
  MPI_Comm comm;
  int takes_part; /* 0: this rank only keeps time */
  int groups, ranks;
  int group, place; /* of this rank: its group, and which one of it */
} traffic;

static int peers(const traffic *t) { return t->ranks - (t->groups == 1); }

/* Seconds in which every rank sends `rows` messages of `run` elements to each of its peers, and to itself if there is one
 * group. The array is [group of the sender][rows of all senders of a group][receiver in its group][run]. */
static mfft_status time_rows(const traffic *t, int64_t rows, int64_t run, double limit_s, double *seconds) {
  const int64_t ranks = t->ranks, from = t->group, to = (t->group + t->groups - 1) % t->groups, place = t->place;
  mfft_exchange_desc desc;
  mfft_exchange_desc_init(&desc);
  desc.element_bytes = ELEMENT;
  desc.from = (mfft_box){{(from * ranks + place) * rows, 0, 0}, {(from * ranks + place + 1) * rows, ranks, run}, {0, 1, 2}};
  desc.to = (mfft_box){{to * ranks * rows, place, 0}, {(to + 1) * ranks * rows, place + 1, run}, {0, 1, 2}};
  return time_exchange(t->setup, t->comm, t->takes_part, &desc, ranks * rows * run, limit_s, seconds);
}

/* The same without the copy of what stays on a rank, which a processor makes before or after its messages, and a GPU beside
 * them. */
static mfft_status time_messages(const traffic *t, int64_t rows, int64_t run, double limit_s, double *seconds) {
  const traffic alone = {t->setup, MPI_COMM_SELF, 1, 1, 1, 0, 0};
  double self_s = 0;
  mfft_status status = time_rows(t, rows, run, limit_s, seconds);
  if (status == MFFT_SUCCESS && t->groups == 1 && t->setup->host_memory)
    status = time_rows(&alone, rows, run, limit_s, &self_s);
  *seconds = fmax(*seconds - self_s, *seconds / 8);
  return status;
}

/* Bytes a second out of a rank that sends one long message to each peer, and the bytes of one, a multiple of UNPACKED. */
static mfft_status measure_bandwidth(const traffic *t, double *bandwidth, int64_t *bytes) {
  static const double converged =
      0.03; /* relative difference of bandwidths by which the longer messages gain nothing more */
  const int64_t first = t->setup->host_memory ? 512 << 10 : 32 << 20,
                most = t->setup->host_memory ? 64 << 20 : 1 << 30; /* of all peers */
  double left = t->setup->seconds, before;
  mfft_status status;
  *bandwidth = 0;
  *bytes = (first / peers(t) + UNPACKED - 1) / UNPACKED * UNPACKED;
  for (;;) {
    const double begin = mfft_app_time();
    double seconds = NAN;
    before = *bandwidth;
    status = time_messages(t, 1, *bytes / ELEMENT, left, &seconds);
    if (status != MFFT_SUCCESS) return status;
    *bandwidth = peers(t) * (double)*bytes / seconds;
    left = mfft_app_slowest(left - (mfft_app_time() - begin)); /* the same on all ranks */
    /* A longer exchange is made twice at least, one of which is not counted. */
    if (fabs(*bandwidth - before) <= converged * *bandwidth || 2 * *bytes * peers(t) > most || left < 2 * 2 * seconds)
      return status;
    *bytes *= 2;
  }
}

/* Bandwidth out of a rank, time of a message besides its bytes, and latency; NULL: not wanted. */
static mfft_status measure_traffic(const traffic *t, double *bandwidth, double *message_s, double *latency_s) {
  double whole = NAN, rows = NAN;
  int64_t bytes;
  mfft_status status = measure_bandwidth(t, bandwidth, &bytes);
  if (!message_s || status != MFFT_SUCCESS) return status;
  whole = peers(t) * (double)bytes / *bandwidth;
  const int64_t count = bytes / UNPACKED;
  status = time_messages(t, count, UNPACKED / ELEMENT, t->setup->seconds, &rows);
  if (status == MFFT_SUCCESS) status = time_messages(t, 1, 1, t->setup->seconds, latency_s);
  const double each = count > 1 ? fmax(0, (rows - whole) / (double)(peers(t) * (count - 1))) : INFINITY;
  *message_s = fmin(each, *latency_s / peers(t)); /* an exchange of one short message a peer has this time too */
  return status;
}

mfft_status mfft_measure_links(const mfft_measure_setup *setup, mfft_machine *m) {
  const mfft_app_nodes *n = setup->nodes;
  const traffic near = {setup, n->near, 1, 1, n->node_ranks, 0, n->place};
  const traffic alone = {setup, n->far, n->place == 0, n->nodes, 1, n->node, 0};
  const traffic all = {setup, MPI_COMM_WORLD, 1, n->nodes, n->node_ranks, n->node, n->place};
  double each = 0;
  mfft_status status = measure_packing(setup, m);
  if (n->node_ranks > 1 && status == MFFT_SUCCESS)
    status = measure_traffic(&near, &m->near_bandwidth, &m->near_message_s, &m->near_latency_s);
  if (n->nodes == 1 || status != MFFT_SUCCESS) return status;
  status = measure_traffic(&alone, &m->far_bandwidth, NULL, NULL);
  if (status == MFFT_SUCCESS) status = measure_traffic(&all, &each, &m->far_message_s, &m->far_latency_s);
  m->node_bandwidth = n->node_ranks * each;
  return status;
}
