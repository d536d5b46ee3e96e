/* predict_report.c: a prediction as a table and as JSON. */
#include "info/predict_report.h"

#include <inttypes.h>
#include <math.h>

#include "cli/cli.h"
#include "cli/environment.h"
#include "cli/plan_options.h"
#include "cli/report.h"
#include "io/json.h"

double mfft_predict_time(const mfft_prediction *p, int run) {
  const double time[2] = {p->direction[MFFT_FORWARD].time_s, p->direction[MFFT_BACKWARD].time_s}; /* [direction] */
  return run == 0 ? time[0] + time[1] : time[run - 1];
}

enum { MOST_GRIDS_SHOWN = 10 };

/* A line of the table: a time in milliseconds, bytes in MB, or a number. */
typedef struct line {
  const char *name;
  double scale;
  double (*of)(const mfft_predicted *direction);
} line;

static double time_of(const mfft_predicted *d) { return d->time_s; }
static double transforms(const mfft_predicted *d) { return d->transforms_s; }
static double copies(const mfft_predicted *d) { return d->copies_s; }
static double near(const mfft_predicted *d) { return d->near_s; }
static double far(const mfft_predicted *d) { return d->far_s; }
static double hidden(const mfft_predicted *d) { return d->hidden_s; }
static double self_bytes(const mfft_predicted *d) { return (double)d->self_bytes; }
static double near_bytes(const mfft_predicted *d) { return (double)d->near_bytes; }
static double far_bytes(const mfft_predicted *d) { return (double)d->far_bytes; }
static double near_messages(const mfft_predicted *d) { return (double)d->near_messages; }
static double far_messages(const mfft_predicted *d) { return (double)d->far_messages; }

static const line lines[] = {{"time [ms]", 1e3, time_of},
                             {"  local transforms", 1e3, transforms},
                             {"  packing, copies", 1e3, copies},
                             {"  exchange, near", 1e3, near},
                             {"  exchange, far", 1e3, far},
                             {"  of these overlapped", 1e3, hidden},
                             {"stays on the rank [MB]", 1e-6, self_bytes},
                             {"to ranks of its node [MB]", 1e-6, near_bytes},
                             {"to other nodes [MB]", 1e-6, far_bytes},
                             {"copies, messages near", 1, near_messages},
                             {"messages far", 1, far_messages}};

static int64_t memory_of(const mfft_predict_request *request, const mfft_prediction *p) {
  const int64_t in = p->array_bytes[MFFT_IN], out = p->array_bytes[MFFT_OUT];
  if (request->desc->placement == MFFT_IN_PLACE) return (in > out ? in : out) + p->workspace_bytes;
  return in + out + p->workspace_bytes;
}

static void print_direction(const mfft_predict_result *r, mfft_direction direction) {
  mfft_app_print("\n%-26s", direction == MFFT_FORWARD ? "forward" : "backward");
  for (int i = 0; i < r->ranks; i++) mfft_app_print("   rank %7d", r->rank[i]);
  mfft_app_print("\n");
  for (size_t l = 0; l < sizeof lines / sizeof *lines; l++) {
    mfft_app_print("%-26s", lines[l].name);
    for (int i = 0; i < r->ranks; i++)
      mfft_app_print(" %14.*f", lines[l].scale == 1 ? 0 : 3, lines[l].scale * lines[l].of(&r->of[i].direction[direction]));
    mfft_app_print("\n");
  }
}

static void print_memory(const mfft_predict_request *request, const mfft_predict_result *r) {
  const double available = r->machine.machine.memory_bytes;
  mfft_app_print("\n%-26s", "memory [MB]");
  for (int i = 0; i < r->ranks; i++) mfft_app_print(" %14.3f", 1e-6 * (double)memory_of(request, &r->of[i]));
  mfft_app_print("\n");
  if (available > 0 && (double)memory_of(request, &r->of[r->slowest]) > available)
    mfft_app_print("does not fit: a rank of this machine has %.0f MB; take more nodes\n", 1e-6 * available);
}

static void print_grids(const mfft_predict_request *request, const mfft_predict_result *r) {
  mfft_app_print("\n%-14s %12s %14s %14s %14s\n", "grid", "time [ms]", "near [MB]", "far [MB]", "messages far");
  int left_out = 0;
  for (int i = 0; i < r->grids; i++) {
    const mfft_predict_grid *g = &r->grid[i];
    const mfft_predicted *d = g->prediction.direction;
    left_out += isnan(g->time_s) != 0;
    if (isnan(g->time_s) || i >= MOST_GRIDS_SHOWN) continue;
    mfft_app_print("%6d x %-5d %12.3f %14.3f %14.3f %14.0f\n", g->grid[0], g->grid[1],
                   1e3 * mfft_predict_time(&g->prediction, request->run), 1e-6 * (double)d[request->run == 2].near_bytes,
                   1e-6 * (double)d[request->run == 2].far_bytes, (double)d[request->run == 2].far_messages);
  }
  if (left_out)
    mfft_app_print("%d grids are left out: their local transforms alone take longer than the best of these\n", left_out);
}

void mfft_predict_print(const mfft_predict_request *request, const mfft_predict_result *r) {
  const mfft_prediction *best = &r->of[r->slowest];
  const mfft_desc *desc = request->desc;
  mfft_app_print("a prediction by a model, not a measurement: %d x %d ranks of %s\n", request->nodes[0], request->nodes[1],
                 request->machine);
  mfft_app_print("%s\n", r->machine.title);
  mfft_app_print("%s ", mfft_cli_choice_name(MFFT_KINDS, desc->kind == MFFT_R2C));
  mfft_app_print("%s", mfft_cli_choice_name(MFFT_PRECISIONS, (int)desc->precision));
  for (int a = 0; a < desc->rank; a++) mfft_app_print("%s%" PRId64, a ? " x " : " ", desc->n[a]);
  mfft_app_print(", %s order, ", mfft_cli_choice_name(MFFT_ORDERS, (int)mfft_desc_order(desc)));
  mfft_app_print("%s\n", desc->placement == MFFT_IN_PLACE ? "in place" : "out of place");
  mfft_app_print("grid %d x %d, transport %s, %d chunk%s\n", best->grid[0], best->grid[1], best->transport,
                 best->chunks > 1 ? best->chunks : 1, best->chunks > 1 ? "s" : "");
  for (int d = 0; d < 2; d++)
    if (request->run == 0 || request->run == d + 1) print_direction(r, (mfft_direction)d);
  print_memory(request, r);
  if (r->grids > 1) print_grids(request, r);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------ */

static void write_direction(mfft_json *json, const char *key, const mfft_predicted *d) {
  mfft_json_object(json, key);
  mfft_json_number(json, "time_s", d->time_s);
  mfft_json_number(json, "transforms_s", d->transforms_s);
  mfft_json_number(json, "copies_s", d->copies_s);
  mfft_json_number(json, "near_s", d->near_s);
  mfft_json_number(json, "far_s", d->far_s);
  mfft_json_number(json, "hidden_s", d->hidden_s);
  mfft_json_integer(json, "self_bytes", d->self_bytes);
  mfft_json_integer(json, "near_bytes", d->near_bytes);
  mfft_json_integer(json, "far_bytes", d->far_bytes);
  mfft_json_integer(json, "near_messages", d->near_messages);
  mfft_json_integer(json, "far_messages", d->far_messages);
  mfft_json_end(json);
}

static void write_rank(mfft_json *json, const mfft_predict_request *request, const mfft_predict_result *r, int i) {
  const mfft_prediction *p = &r->of[i];
  mfft_json_object(json, NULL);
  mfft_json_integer(json, "rank", r->rank[i]);
  mfft_json_integer(json, "memory_bytes", memory_of(request, p));
  mfft_json_integer(json, "workspace_bytes", p->workspace_bytes);
  write_direction(json, "forward", &p->direction[MFFT_FORWARD]);
  write_direction(json, "backward", &p->direction[MFFT_BACKWARD]);
  mfft_json_end(json);
}

static void write_grids(mfft_json *json, const mfft_predict_result *r) {
  mfft_json_array(json, "grids");
  for (int i = 0; i < r->grids; i++) {
    const int64_t grid[2] = {r->grid[i].grid[0], r->grid[i].grid[1]}; /* {P, Q} */
    mfft_json_object(json, NULL);
    mfft_json_integers(json, "grid", grid, 2);
    mfft_json_number(json, "time_s", r->grid[i].time_s); /* null: left out */
    mfft_json_number(json, "bound_s", r->grid[i].bound_s);
    mfft_json_end(json);
  }
  mfft_json_end(json);
}

/* A result in the form of `mergefft bench --json`, which `mergefft scaling` reads; the name of its backend says that it is a
 * model. */
static void write_result(mfft_json *json, const mfft_predict_request *request, const mfft_predict_result *r) {
  const mfft_prediction *p = &r->of[r->slowest];
  const mfft_desc *desc = request->desc;
  const int64_t grid[2] = {p->grid[0], p->grid[1]}; /* {P, Q} */
  double exchange_s = 0;
  char backend[96];
  for (int d = 0; d < 2; d++)
    if (request->run == 0 || request->run == d + 1)
      exchange_s += p->direction[d].time_s - p->direction[d].transforms_s - p->direction[d].copies_s;
  snprintf(backend, sizeof backend, "model %s", request->machine);
  mfft_json_object(json, NULL);
  mfft_json_integers(json, "n", desc->n, desc->rank);
  mfft_json_string(json, "kind", mfft_cli_choice_name(MFFT_KINDS, desc->kind == MFFT_R2C));
  mfft_json_string(json, "precision", mfft_cli_choice_name(MFFT_PRECISIONS, (int)desc->precision));
  mfft_json_string(json, "order", mfft_cli_choice_name(MFFT_ORDERS, (int)mfft_desc_order(desc)));
  mfft_json_string(json, "placement", mfft_cli_choice_name(MFFT_PLACEMENTS, (int)desc->placement));
  mfft_json_string(json, "map_by", mfft_cli_choice_name(MFFT_PREDICT_MAPS, request->map));
  mfft_json_string(json, "direction", mfft_cli_choice_name(MFFT_PREDICT_RUNS, request->run));
  mfft_json_integer(json, "batch", desc->batch);
  mfft_json_string(json, "backend", backend);
  mfft_json_string(json, "transport", p->transport);
  mfft_json_integer(json, "ranks", (int64_t)request->nodes[0] * request->nodes[1]);
  mfft_json_integer(json, "nodes", request->nodes[0]);
  mfft_json_integers(json, "grid", grid, 2);
  mfft_json_integer(json, "chunks", p->chunks);
  mfft_json_number(json, "time_s", mfft_predict_time(p, request->run));
  mfft_json_number(json, "exchange_s", fmax(0, exchange_s));
  mfft_json_end(json);
}

mfft_status mfft_predict_write(const mfft_predict_request *request, const mfft_predict_result *r) {
  mfft_json *json = mfft_json_create();
  mfft_json_object(json, NULL);
  mfft_environment_json(json, "environment");
  mfft_json_boolean(json, "model", 1);
  mfft_json_string(json, "machine", request->machine);
  mfft_json_string(json, "title", r->machine.title);
  mfft_json_array(json, "results");
  write_result(json, request, r);
  mfft_json_end(json);
  mfft_json_array(json, "ranks");
  for (int i = 0; i < r->ranks; i++) write_rank(json, request, r, i);
  mfft_json_end(json);
  write_grids(json, r);
  mfft_json_end(json);
  const mfft_status status = mfft_json_save(json, request->json);
  mfft_json_destroy(json);
  return status;
}
