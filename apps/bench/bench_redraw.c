/* bench_redraw.c: see bench_redraw.h. */
#include "bench/bench_redraw.h"

#include <math.h>
#include <string.h>

#include "bench/bench_cases.h"
#include "bench/bench_plot.h"
#include "bench/peer_kinds.h"
#include "cli/plan_options.h"
#include "cli/report.h"
#include "io/json_read.h"

static const char *text_of(const mfft_json_value *result, const char *key) {
  return mfft_json_text_of(mfft_json_get(result, key));
}
static double number_of(const mfft_json_value *result, const char *key) {
  return mfft_json_number_of(mfft_json_get(result, key));
}

/* The index of a result's word in a list of choices; *good becomes 0 if it is not among them. */
static int choice_of(const mfft_json_value *result, const char *key, const char *choices, int *good) {
  const int place = mfft_cli_choice(choices, text_of(result, key));
  if (place < 0) *good = 0;
  return place < 0 ? 0 : place;
}

/* A whole number of at least 1; *good becomes 0 for any other. */
static int64_t count_of(const mfft_json_value *value, int *good) {
  const double number = mfft_json_number_of(value);
  if (!(number >= 1 && number <= 0x1p53 && number == floor(number))) return *good = 0, 1;
  return (int64_t)number;
}

/* The peer that was timed; NULL: none.  *good becomes 0 if its name is unknown. */
static const mfft_peer_kind *peer_of(const mfft_json_value *result, int *good) {
  const char *name = text_of(result, "peer");
  const int place = *name ? mfft_cli_choice(MFFT_PEERS, name) : 0;
  if (place < 0) *good = 0;
  return place > 0 ? &mfft_peer_kinds[place] : NULL;
}

/* Adds a result to a plot; returns 0 if one of its members is missing or invalid. */
static int add(mfft_bench_plot *plot, const mfft_json_value *result) {
  int good = *text_of(result, "group") != '\0';
  const mfft_json_value *n = mfft_json_get(result, "n");
  mfft_bench_case bench = {.group = text_of(result, "group"), .vs = peer_of(result, &good)};
  mfft_desc_init(&bench.desc);
  bench.desc.rank = mfft_json_count(n);
  if (bench.desc.rank < 1 || bench.desc.rank > 3) return 0;
  for (int a = 0; a < bench.desc.rank; a++) bench.desc.n[a] = count_of(mfft_json_at(n, a), &good);
  bench.desc.batch = count_of(mfft_json_get(result, "batch"), &good);
  bench.desc.kind = (mfft_kind)choice_of(result, "kind", MFFT_KINDS, &good);
  bench.desc.precision = (mfft_precision)choice_of(result, "precision", MFFT_PRECISIONS, &good);
  bench.run = (mfft_bench_run)choice_of(result, "direction", MFFT_BENCH_RUNS, &good);
  mfft_desc_set_order(&bench.desc, (mfft_order)choice_of(result, "order", MFFT_ORDERS, &good));
  const mfft_bench_result measured = {.correct = number_of(result, "correct") == 1,
                                      .time_s = number_of(result, "time_s"),
                                      .tflops = number_of(result, "tflops"),
                                      .peer_time_s = number_of(result, "peer_time_s")};
  if (measured.correct && !(measured.time_s > 0 && measured.tflops > 0)) good = 0;
  if (good) mfft_bench_plot_add(plot, &bench, &measured);
  return good;
}

mfft_status mfft_bench_redraw(const char *from, const char *to) {
  mfft_json_value *root;
  mfft_status status = mfft_json_load(from, &root);
  if (status != MFFT_SUCCESS) return status;
  const mfft_json_value *results = mfft_json_get(root, "results");
  mfft_bench_plot *plot = mfft_bench_plot_create(); /* refers to names of the tree */
  if (mfft_json_count(results) < 1)
    status = mfft_app_fail(MFFT_ERR_ARG, "'%s' has no \"results\"; give a file of mergefft bench --json", from);
  for (int i = 0; i < mfft_json_count(results) && status == MFFT_SUCCESS; i++)
    if (!add(plot, mfft_json_at(results, i)))
      status = mfft_app_fail(MFFT_ERR_ARG, "\"results\" %d of '%s' is no result of mergefft bench --json; measure it again",
                             i, from);
  if (status == MFFT_SUCCESS) status = mfft_bench_plot_save(plot, to);
  mfft_bench_plot_destroy(plot);
  mfft_json_free(root);
  return status;
}
