#include "bench/bench_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "bench/bench_cases.h"
#include "cli/cli.h"
#include "cli/plan_options.h"
#include "cli/report.h"
#include "mfft_memory.h"

const char *mfft_bench_shape_text(const mfft_desc *desc, char text[64]) {
  int length = 0;
  for (int a = 0; a < desc->rank; a++)
    length += snprintf(text + length, 64 - (size_t)length, "%s%" PRId64, a ? "x" : "", desc->n[a]);
  return text;
}

/* ---- The table ------------------------------------------------------------------------------------------------------- */

enum { TEXT = 64 };
typedef struct cell {
  const mfft_bench_case *bench;
  const mfft_bench_result *result;
  char *text; /* [TEXT] */
} cell;

static void number(const cell *c, const char *format, double value) {
  if (isnan(value))
    snprintf(c->text, TEXT, "-");
  else
    snprintf(c->text, TEXT, format, value);
}
static void word(const cell *c, const char *choices, int place) {
  snprintf(c->text, TEXT, "%s", mfft_cli_choice_name(choices, place));
}

static void put_n(const cell *c) { mfft_bench_shape_text(&c->bench->desc, c->text); }
static void put_batch(const cell *c) { snprintf(c->text, TEXT, "%" PRId64, c->bench->desc.batch); }
static void put_kind(const cell *c) { word(c, MFFT_KINDS, c->bench->desc.kind); }
static void put_precision(const cell *c) { word(c, MFFT_PRECISIONS, c->bench->desc.precision); }
static void put_run(const cell *c) { word(c, MFFT_BENCH_RUNS, c->bench->run); }
static void put_order(const cell *c) { word(c, MFFT_ORDERS, mfft_desc_order(&c->bench->desc)); }
static void put_grid(const cell *c) { snprintf(c->text, TEXT, "%dx%d", c->result->grid[0], c->result->grid[1]); }
static void put_transport(const cell *c) {
  const int used = snprintf(c->text, TEXT, c->result->chunks > 1 ? "%s/%d" : "%s", c->result->transport, c->result->chunks);
  if (c->result->wire == MFFT_WIRE_HALF) snprintf(c->text + used, TEXT - (size_t)used, " half");
}
static void put_time(const cell *c) { number(c, "%.4f", 1e3 * c->result->time_s); }
static void put_peer(const cell *c) { number(c, "%.4f", 1e3 * c->result->peer_time_s); }
static void put_ratio(const cell *c) { number(c, "%.3f", c->result->peer_time_s / c->result->time_s); }
static void put_tflops(const cell *c) { number(c, c->result->tflops < 0.1 ? "%.4f" : "%.3f", c->result->tflops); }
static void put_passes(const cell *c) { number(c, "%.2f", c->result->passes); }
static void put_link(const cell *c) { number(c, "%.3f", c->result->link_share); }
static void put_fft(const cell *c) { number(c, "%.2f", 1e3 * c->result->fft_s); }
static void put_copy(const cell *c) { number(c, "%.2f", 1e3 * c->result->copy_s); }
static void put_exchange(const cell *c) { number(c, "%.2f", 1e3 * c->result->exchange_s); }
static void put_samples(const cell *c) { snprintf(c->text, TEXT, "%" PRId64, c->result->samples); }
static double own_error(const mfft_bench_case *bench, const mfft_bench_result *r) {
  return bench->run == MFFT_BENCH_BACKWARD ? r->error.round_trip : r->error.rel_l2;
}
static void put_error(const cell *c) { number(c, "%.2e", own_error(c->bench, c->result)); }
static void put_peer_error(const cell *c) { number(c, "%.2e", c->result->error.peer); }

enum { ALWAYS = 0, LOCAL = 1, DISTRIBUTED = 2, PEER = 4, RESULT = 8 };
static const struct column {
  const char *head;
  int width; /* negative: left-aligned */
  int where; /* the property that a case must have; RESULT: only a right one has it */
  void (*put)(const cell *c);
} columns[] = {
    {"n", -16, ALWAYS, put_n},
    {"batch", 8, LOCAL, put_batch},
    {"kind", -4, ALWAYS, put_kind},
    {"prec.", -11, ALWAYS, put_precision},
    {"run", -8, LOCAL, put_run},
    {"order", -10, DISTRIBUTED, put_order},
    {"grid", 5, DISTRIBUTED, put_grid},
    {"transport", -16, DISTRIBUTED, put_transport},
    {"time [ms]", 11, RESULT, put_time},
    {"peer [ms]", 11, RESULT | PEER, put_peer},
    {"ratio", 6, RESULT | PEER, put_ratio},
    {"TFLOPS", 8, RESULT, put_tflops},
    {"passes", 7, RESULT | LOCAL, put_passes},
    {"link", 5, RESULT | DISTRIBUTED, put_link},
    {"fft", 8, RESULT | DISTRIBUTED, put_fft},
    {"copy", 8, RESULT | DISTRIBUTED, put_copy},
    {"exchange", 8, RESULT | DISTRIBUTED, put_exchange},
    {"reps", 4, RESULT, put_samples},
    {"rel. l2", 9, RESULT, put_error},
    {"peer's", 9, RESULT | PEER, put_peer_error},
};

/* Whether our error is larger than the peer's by more than the difference of two results of one accuracy.  FFTW is the truth
 * itself. */
static int is_less_accurate(const mfft_bench_case *bench, const mfft_bench_result *r) {
  return bench->vs && bench->vs->memory == MFFT_MEMORY_DEVICE && own_error(bench, r) > 1.01 * r->error.peer;
}

static int shown(const struct column *column, const mfft_bench_case *bench) {
  int has = (bench->distributed ? DISTRIBUTED : LOCAL) | (bench->vs ? PEER : 0) | RESULT;
  return (column->where & has) == column->where;
}

void mfft_bench_print_head(const mfft_bench_case *bench) {
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    if (shown(&columns[i], bench)) mfft_app_print("%s%*s", i ? " " : "", columns[i].width, columns[i].head);
  mfft_app_print("\n");
}

/* The columns that describe a case, or those of its result. */
static void print_columns(const mfft_bench_case *bench, const mfft_bench_result *result, int results) {
  char text[TEXT];
  const cell c = {bench, result, text};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    if (!shown(&columns[i], bench) || ((columns[i].where & RESULT) != 0) != results) continue;
    columns[i].put(&c);
    mfft_app_print("%s%*s", i ? " " : "", columns[i].width, text);
  }
}

void mfft_bench_print(const mfft_bench_case *bench, const mfft_bench_result *r) {
  print_columns(bench, r, 0);
  if (r->correct)
    print_columns(bench, r, 1);
  else
    mfft_app_print(" WRONG: rel. l2 %.2e, round trip %.2e, Parseval %.2e; allowed %.2e", r->error.rel_l2,
                   r->error.round_trip, r->error.parseval, r->error.bound);
  if (r->correct && is_less_accurate(bench, r)) mfft_app_print(" less accurate");
  mfft_app_print("\n");
  fflush(stdout);
}

void mfft_bench_print_left_out(const mfft_bench_case *bench, const char *why) {
  const mfft_bench_result none = {.transport = "none", .grid = {1, 1}};
  print_columns(bench, &none, 0);
  mfft_app_print(" left out: %s\n", why);
  fflush(stdout);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------ */

static void write_numbers(mfft_json *json, const mfft_bench_case *bench, const mfft_bench_result *r) {
  const double error = r->error.peer;
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"time_s", r->time_s},
                 {"time_min_s", r->time_min_s},
                 {"time_max_s", r->time_max_s},
                 {"cpu_s", r->cpu_s},
                 {"fft_s", r->fft_s},
                 {"copy_s", r->copy_s},
                 {"exchange_s", r->exchange_s},
                 {"plan_s", r->plan_s},
                 {"passes", r->passes},
                 {"copy_bytes_per_s", r->copy_speed},
                 {"sent_bytes", r->sent_bytes},
                 {"link_bytes_per_s", r->link_speed},
                 {"link_share", r->link_share},
                 {"tflops", r->tflops},
                 {"tflops_tcfft", 12.0 / 5 * r->tflops}, /* as those papers count: 12 N log2 N */
                 {"peer_time_s", r->peer_time_s},
                 {"peer_time_min_s", r->peer_min_s},
                 {"peer_time_max_s", r->peer_max_s},
                 {"peer_cpu_s", r->peer_cpu_s},
                 {"peer_plan_s", r->peer_plan_s},
                 {"ratio", r->peer_time_s / r->time_s},
                 {"rel_l2", r->error.rel_l2},
                 {"round_trip", r->error.round_trip},
                 {"parseval", r->error.parseval},
                 {"bound", r->error.bound},
                 {"peer_rel_l2", bench->run == MFFT_BENCH_BACKWARD ? NAN : error},
                 {"peer_round_trip", bench->run == MFFT_BENCH_BACKWARD ? error : NAN}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) mfft_json_number(json, numbers[i].name, numbers[i].value);
}

/* The transform, and the plan that was chosen for it. */
static void write_plan(mfft_json *json, const mfft_bench_case *bench, const mfft_bench_result *r) {
  const mfft_desc *desc = &bench->desc;
  const int64_t grid[2] = {r->grid[0], r->grid[1]}; /* {P, Q} */
  int tuned;
  const int effort = mfft_effort_option(bench->options.effort, &tuned);
  mfft_json_string(json, "group", bench->group);
  mfft_json_integers(json, "n", desc->n, desc->rank);
  mfft_json_integer(json, "batch", desc->batch);
  mfft_json_string(json, "kind", mfft_cli_choice_name(MFFT_KINDS, desc->kind));
  mfft_json_string(json, "precision", mfft_cli_choice_name(MFFT_PRECISIONS, desc->precision));
  mfft_json_string(json, "compute", mfft_cli_choice_name(MFFT_COMPUTES, bench->options.compute));
  mfft_json_string(json, "radices", bench->options.radices);
  mfft_json_string(json, "wire", mfft_cli_choice_name(MFFT_WIRES, r->wire));
  mfft_json_string(json, "chosen", mfft_chosen_name(r->chosen));
  mfft_json_string(json, "candidate", r->candidate[0] ? r->candidate : NULL);
  mfft_json_string(json, "backend", r->backend);
  mfft_json_string(json, "plan", r->plan);
  mfft_json_integer(json, "ranks", mfft_app_ranks());
  mfft_json_boolean(json, "distributed", bench->distributed);
  mfft_json_integers(json, "grid", grid, 2);
  mfft_json_string(json, "transport", bench->distributed ? r->transport : NULL);
  mfft_json_integer(json, "chunks", r->chunks);
  mfft_json_string(json, "order", mfft_cli_choice_name(MFFT_ORDERS, mfft_desc_order(desc)));
  mfft_json_string(json, "direction", mfft_cli_choice_name(MFFT_BENCH_RUNS, (int)bench->run));
  mfft_json_string(json, "placement", mfft_cli_choice_name(MFFT_PLACEMENTS, desc->placement));
  mfft_json_boolean(json, "destroy_input", desc->allow_destroy_input);
  mfft_json_string(json, "effort", mfft_cli_choice_name(MFFT_EFFORTS, effort));
  mfft_json_integer(json, "threads", bench->options.threads);
  mfft_json_boolean(json, "tuned", tuned);
}

void mfft_bench_json(mfft_json *json, const mfft_bench_case *bench, const mfft_bench_result *r) {
  mfft_json_object(json, NULL);
  write_plan(json, bench, r);
  mfft_json_integer(json, "workspace_bytes", (int64_t)r->workspace_bytes);
  mfft_json_boolean(json, "less_accurate", is_less_accurate(bench, r));
  mfft_json_string(json, "peer", bench->vs ? bench->vs->name : NULL);
  mfft_json_string(json, "peer_effort", bench->vs ? mfft_cli_choice_name(MFFT_EFFORTS, (int)bench->peer_effort) : NULL);
  mfft_json_string(json, "peer_call", r->peer_call[0] ? r->peer_call : NULL);
  mfft_json_boolean(json, "correct", r->correct);
  mfft_json_string(json, "truth", r->error.truth);
  mfft_json_integer(json, "warmups", r->warmups);
  mfft_json_integer(json, "samples", r->samples);
  mfft_json_integer(json, "runs_per_sample", r->runs_per_sample);
  write_numbers(json, bench, r);
  mfft_json_end(json);
}
