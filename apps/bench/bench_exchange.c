#include "bench/bench_exchange.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_median.h"
#include "cli/cli.h"
#include "cli/collective.h"
#include "cli/report.h"
#include "mfft_memory.h"

enum { ELEMENT = 8, LEAST = 7, MOST = 200, RUNS = 4, PIECE = 1 << 20 /* elements that are filled or checked together */ };

/* The array [P][rows][P][run], divided by the first index before and by the third one after the exchange: every rank sends
 * `rows` runs to each. */
typedef struct exchange {
  const char *backend;
  mfft_exchange x;
  MPI_Comm comm;
  int rank, ranks;          /* of comm */
  int64_t rows, run, count; /* count: elements of one rank */
  void *in, *out;           /* out: the window where there is one */
  int owns_out;
} exchange;

static void close_exchange(exchange *e) {
  mfft_memory_free(e->backend, e->in);
  if (e->owns_out) mfft_memory_free(e->backend, e->out);
  mfft_exchange_destroy(e->x);
}

static mfft_status open_exchange(const mfft_bench_exchange *wanted, exchange *e) {
  *e = (exchange){.backend = wanted->backend ? wanted->backend : "fftw",
                  .comm = wanted->comm ? *wanted->comm : MPI_COMM_WORLD};
  MPI_Comm_rank(e->comm, &e->rank);
  MPI_Comm_size(e->comm, &e->ranks);
  const int64_t ranks = e->ranks, part = wanted->bytes / ELEMENT / ranks;
  e->run = wanted->run_bytes ? wanted->run_bytes / ELEMENT : part;
  if (e->run > part) e->run = part;
  if (e->run < 1)
    return mfft_app_fail(MFFT_ERR_ARG, "an exchange of %" PRId64 " bytes has nothing for each of %" PRId64 " ranks",
                         wanted->bytes, ranks);
  e->rows = part / e->run;
  e->count = ranks * e->rows * e->run;
  mfft_exchange_desc desc;
  mfft_exchange_options options;
  mfft_exchange_desc_init(&desc);
  mfft_exchange_options_init(&options);
  desc.element_bytes = ELEMENT;
  options.backend = wanted->backend;
  options.transport = wanted->transport;
  desc.from = (mfft_box){{e->rank * e->rows, 0, 0}, {(e->rank + 1) * e->rows, ranks, e->run}, {0, 1, 2}};
  desc.to = (mfft_box){{0, e->rank, 0}, {ranks * e->rows, e->rank + 1, e->run}, {0, 1, 2}};
  mfft_status status = mfft_exchange_create(e->comm, &desc, &options, &e->x);
  if (mfft_app_anywhere(status != MFFT_SUCCESS)) return status == MFFT_SUCCESS ? MFFT_ERR_UNSUPPORTED : status;
  status = mfft_exchange_window(e->x, &e->out);
  e->owns_out = !e->out;
  if (status == MFFT_SUCCESS) status = mfft_memory_alloc(e->backend, (size_t)(e->count * ELEMENT), &e->in);
  if (status == MFFT_SUCCESS && e->owns_out) status = mfft_memory_alloc(e->backend, (size_t)(e->count * ELEMENT), &e->out);
  const int failed = mfft_app_anywhere(status != MFFT_SUCCESS);
  return failed && status == MFFT_SUCCESS ? mfft_app_fail(MFFT_ERR_MEMORY, "another rank has no memory") : status;
}

/* ---- The check: every element carries its place in the whole array ---- */

/* The global indices of the elements [first, first + count) of this rank's array of one side. */
static void places(const exchange *e, mfft_side side, int64_t first, int64_t count, uint64_t *place /* [count] */) {
  const int64_t ranks = e->ranks, rank = e->rank;
  for (int64_t i = 0; i < count; i++) {
    const int64_t at = first + i;
    place[i] = (uint64_t)(side == MFFT_IN ? rank * e->count + at : (at / e->run * ranks + rank) * e->run + at % e->run);
  }
}

static mfft_status fill(const exchange *e, uint64_t *buffer) {
  mfft_status status = MFFT_SUCCESS;
  for (int64_t at = 0; at < e->count && status == MFFT_SUCCESS; at += PIECE) {
    const int64_t count = e->count - at < PIECE ? e->count - at : PIECE;
    places(e, MFFT_IN, at, count, buffer);
    status = mfft_memory_upload(e->backend, (char *)e->in + at * ELEMENT, buffer, (size_t)(count * ELEMENT));
  }
  return status;
}

/* Whether the received data are right: all of small arrays, 64 pieces of large ones. */
static mfft_status check(const exchange *e, uint64_t *buffer, int *correct) {
  const int64_t pieces = (e->count + PIECE - 1) / PIECE, looked_at = pieces < 64 ? pieces : 64;
  int wrong = 0;
  mfft_status status = MFFT_SUCCESS;
  for (int64_t i = 0; i < looked_at && status == MFFT_SUCCESS; i++) {
    const int64_t piece = looked_at == pieces ? i : i * (pieces - 1) / (looked_at - 1);
    const int64_t at = piece * PIECE, count = e->count - at < PIECE ? e->count - at : PIECE;
    status = mfft_memory_download(e->backend, buffer, (char *)e->out + at * ELEMENT, (size_t)(count * ELEMENT));
    places(e, MFFT_OUT, at, count, buffer + PIECE);
    wrong |= status != MFFT_SUCCESS || memcmp(buffer, buffer + PIECE, (size_t)(count * ELEMENT)) != 0;
  }
  *correct = !mfft_app_anywhere(wrong);
  return status;
}

/* ---- The times ---- */

static mfft_status run_ours(const exchange *e) { return mfft_exchange_execute(e->x, e->in, e->out); }

/* One message for each run, from and to the same memory. */
static mfft_status run_plain(const exchange *e) {
  const int64_t ranks = e->ranks, rank = e->rank;
  int count = 0;
  MPI_Request *request = malloc((size_t)(2 * ranks * e->rows) * sizeof *request); /* [count] */
  int *partner = malloc((size_t)(2 * ranks * e->rows) * sizeof *partner);         /* [count] the rank of each request */
  if (!request || !partner) {
    free(request);
    free(partner);
    return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for %" PRId64 " requests", 2 * ranks * e->rows);
  }
  for (int64_t peer = 0; peer < ranks; peer++)
    for (int64_t row = 0; row < e->rows && peer != rank; row++) {
      partner[count] = (int)peer;
      MPI_Irecv((char *)e->out + (peer * e->rows + row) * e->run * ELEMENT, (int)(e->run * ELEMENT), MPI_BYTE, (int)peer, 1,
                e->comm, &request[count++]);
    }
  for (int64_t peer = 0; peer < ranks; peer++)
    for (int64_t row = 0; row < e->rows && peer != rank; row++) {
      partner[count] = (int)peer;
      MPI_Isend((char *)e->in + (row * ranks + peer) * e->run * ELEMENT, (int)(e->run * ELEMENT), MPI_BYTE, (int)peer, 1,
                e->comm, &request[count++]);
    }
  /* The number of bytes that stay on this rank. */
  mfft_status status =
      mfft_memory_copy(e->backend, (char *)e->out + rank * e->rows * e->run * ELEMENT,
                       (char *)e->in + rank * e->rows * e->run * ELEMENT, (size_t)(e->rows * e->run * ELEMENT));
  const mfft_status waited = mfft_wait(e->comm, request, partner, count, "plain messages");
  free(request);
  free(partner);
  return status == MFFT_SUCCESS ? waited : status;
}

/* Seconds of one run on the slowest rank. */
static mfft_status sample(const exchange *e, mfft_status (*run)(const exchange *e), double *seconds) {
  mfft_status status = MFFT_SUCCESS;
  mfft_app_barrier("the start of a sample");
  const double start = mfft_app_time();
  for (int i = 0; i < RUNS && status == MFFT_SUCCESS; i++) status = run(e);
  if (status == MFFT_SUCCESS) status = mfft_exchange_synchronize(e->x);
  *seconds = mfft_app_slowest((mfft_app_time() - start) / RUNS);
  return status;
}

static double least(const double *values /* [count] */, int64_t count) {
  double found = values[0];
  for (int64_t i = 1; i < count; i++) found = fmin(found, values[i]);
  return found;
}

/* Times both exchanges alternately, after a warm-up of each; at least `samples` samples, even if these take longer than the
 * limit. */
static mfft_status take_samples(const exchange *e, int both, double limit, int samples, mfft_bench_exchange_result *result) {
  double ours[MOST], plain[MOST], spent = 0;
  if (e->run * ELEMENT > INT32_MAX) both = 0; /* more than a message holds */
  mfft_status status = sample(e, run_ours, &ours[0]);
  if (status == MFFT_SUCCESS && both) status = sample(e, run_plain, &plain[0]);
  for (result->samples = 0; status == MFFT_SUCCESS && result->samples < MOST; result->samples++) {
    if (result->samples >= samples && spent > limit) break;
    status = sample(e, run_ours, &ours[result->samples]);
    spent += RUNS * ours[result->samples];
    if (status != MFFT_SUCCESS || !both) continue;
    status = sample(e, run_plain, &plain[result->samples]);
    spent += RUNS * plain[result->samples];
  }
  if (status != MFFT_SUCCESS) return status;
  result->time_s = mfft_bench_median(ours, result->samples);
  result->least_s = least(ours, result->samples);
  if (!both) return status;
  result->plain_s = mfft_bench_median(plain, result->samples);
  result->least_s = fmin(result->least_s, least(plain, result->samples));
  return status;
}

mfft_status mfft_bench_exchange_measure(const mfft_bench_exchange *wanted, mfft_bench_exchange_result *result) {
  exchange e;
  uint64_t *buffer = NULL; /* [2][PIECE] */
  *result = (mfft_bench_exchange_result){.transport = "", .time_s = NAN, .plain_s = NAN, .least_s = NAN};
  mfft_status status = open_exchange(wanted, &e);
  if (status != MFFT_SUCCESS) goto done;
  status = mfft_app_alloc(2 * PIECE, sizeof *buffer, "the check of an exchange", (void **)&buffer);
  if (status == MFFT_SUCCESS) status = mfft_exchange_transport(e.x, &result->transport, &result->sent_bytes);
  mfft_app_reduce(&result->sent_bytes, 1, MPI_INT64_T, MPI_MAX, "the bytes of an exchange");
  result->bytes = e.count * ELEMENT;
  result->run_bytes = e.run * ELEMENT;
  if (status == MFFT_SUCCESS) status = fill(&e, buffer);
  if (status == MFFT_SUCCESS) status = run_ours(&e);
  if (status == MFFT_SUCCESS) status = mfft_exchange_synchronize(e.x);
  if (status == MFFT_SUCCESS) status = check(&e, buffer, &result->correct);
  if (status == MFFT_SUCCESS && result->correct)
    status = take_samples(&e, wanted->plain, wanted->seconds, wanted->samples ? wanted->samples : LEAST, result);
done:
  mfft_free(buffer);
  close_exchange(&e);
  return status;
}

/* ---- As a benchmark ---- */

int mfft_bench_mpi_reaches(const char *backend) {
  exchange e;
  const mfft_bench_exchange x = {.backend = backend, .transport = "pairwise", .bytes = 64 * mfft_app_ranks()};
  const mfft_status status = open_exchange(&x, &e);
  close_exchange(&e);
  if (status != MFFT_SUCCESS) mfft_app_message(); /* is no failure */
  return status == MFFT_SUCCESS;
}

static void print(const mfft_bench_exchange_result *r) {
  mfft_app_print("%-10s %10.1f %12.1f ", r->transport, (double)r->bytes / 1048576, (double)r->run_bytes / 1024);
  if (!r->correct) {
    mfft_app_print("WRONG\n");
    return;
  }
  mfft_app_print("%10.4f %9.2f", 1e3 * r->time_s, 1e-9 * (double)r->sent_bytes / r->time_s);
  if (isnan(r->plain_s))
    mfft_app_print(" %10s %9s %6s\n", "-", "-", "-");
  else
    mfft_app_print(" %10.4f %9.2f %6.3f\n", 1e3 * r->plain_s, 1e-9 * (double)r->sent_bytes / r->plain_s,
                   r->plain_s / r->time_s);
}

static void write_json(mfft_json *json, const mfft_bench_exchange_result *r) {
  mfft_json_object(json, NULL);
  mfft_json_string(json, "transport", r->transport);
  mfft_json_integer(json, "ranks", mfft_app_ranks());
  mfft_json_integer(json, "bytes", r->bytes);
  mfft_json_integer(json, "run_bytes", r->run_bytes);
  mfft_json_integer(json, "sent_bytes", r->sent_bytes);
  mfft_json_boolean(json, "correct", r->correct);
  mfft_json_integer(json, "samples", r->samples);
  mfft_json_number(json, "time_s", r->time_s);
  mfft_json_number(json, "bytes_per_s", (double)r->sent_bytes / r->time_s);
  mfft_json_number(json, "plain_time_s", r->plain_s);
  mfft_json_number(json, "plain_share", r->plain_s / r->time_s);
  mfft_json_end(json);
}

int mfft_bench_exchange_all(const mfft_bench_exchange *x, int quiet, mfft_json *json) {
  const int plain = mfft_bench_mpi_reaches(x->backend);
  int code = MFFT_EXIT_OK;
  if (!quiet)
    mfft_app_print("%-10s %10s %12s %10s %9s %10s %9s %6s\n", "transport", "MiB/rank", "run [KiB]", "time [ms]", "GB/s out",
                   "plain [ms]", "GB/s out", "share");
  for (int t = 0; t < (x->transport ? 1 : mfft_transport_count()); t++)
    for (int cut = 0; cut < 2; cut++) {
      mfft_bench_exchange one = *x;
      one.plain = plain;
      mfft_bench_exchange_result result;
      if (!one.transport) one.transport = mfft_transport_name(t);
      one.run_bytes = cut ? 1 << 20 : 0;
      if (cut && x->bytes / mfft_app_ranks() <= one.run_bytes) break;
      const mfft_status status = mfft_bench_exchange_measure(&one, &result);
      if (status != MFFT_SUCCESS && !x->transport) { /* the others may work all the same */
        const char *why = mfft_app_message();
        if (!quiet) mfft_app_print("%-10s left out: %s\n", one.transport, why);
        if (status != MFFT_ERR_UNSUPPORTED) code = MFFT_EXIT_FAILED;
        break;
      }
      if (mfft_app_failed(status)) return MFFT_EXIT_FAILED;
      /* "hierarchical" is p2p on one node, and has a row already. */
      if (!x->transport && strncmp(result.transport, one.transport, strlen(one.transport)) != 0) break;
      if (!quiet) print(&result);
      write_json(json, &result);
      if (!result.correct) code = MFFT_EXIT_FAILED;
    }
  return code;
}
