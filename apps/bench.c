/* bench.c: `mergefft bench`: times transforms that were found right, beside FFTW where asked. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_case.h"
#include "commands.h"
#include "environment.h"
#include "json.h"
#include "peer.h"
#include "plan_options.h"
#include "progress.h"
#include "report.h"

typedef struct values {
  const char *n, *kind, *precision, *order, *transport, *backend, *json, *wisdom;
  int64_t batch, reps, chunks, threads, truth;
  int grid[2];
  int direction, effort, compute, placement, preserve, plan, vs, tune, progress;
  double seconds;
} values;

enum { PLAN_AUTO, PLAN_LOCAL, PLAN_DISTRIBUTED };
#define KINDS      "c2c|r2c"
#define PRECISIONS "double|single|half|bfloat16"
#define ORDERS     "natural|transposed"
#define EFFORTS    "measure|estimate|patient"
#define DIRECTIONS "pair|forward"
#define PLACEMENTS "out|in"
#define PEERS      "none|fftw|fftw-mpi"

static const mfft_cli_option options[] = {
    {"n", 'n', MFFT_CLI_TEXT, offsetof(values, n), "SHAPES",
     "shapes of 1 to 3 lengths, such as 256x256x256,4096x4096,1048576", .fallback = "256x256x256"},
    {"kind", 'k', MFFT_CLI_TEXT, offsetof(values, kind), "KINDS", "c2c, r2c, or both as c2c,r2c", .fallback = "r2c"},
    {"precision", 'p', MFFT_CLI_TEXT, offsetof(values, precision), "PRECISIONS",
     "double, single, half, bfloat16, or several", .fallback = "double"},
    {"batch", 'b', MFFT_CLI_INT, offsetof(values, batch), "N", "arrays transformed together", .fallback = "1", .min = 1,
     .max = 1e9},
    {"direction", 0, MFFT_CLI_CHOICE, offsetof(values, direction), "WHICH",
     "what one run is: forward and backward, or forward", .fallback = "pair", .choices = DIRECTIONS},
    {"order", 0, MFFT_CLI_TEXT, offsetof(values, order), "ORDERS",
     "order of a distributed output: natural, transposed, or both", .fallback = "natural"},
    {"placement", 0, MFFT_CLI_CHOICE, offsetof(values, placement), "WHERE", "out of place or in place", .fallback = "out",
     .choices = PLACEMENTS},
    {"preserve", 0, MFFT_CLI_FLAG, offsetof(values, preserve), NULL,
     .help = "keep the input of out-of-place transforms; otherwise both sides may overwrite it"},
    {"plan", 0, MFFT_CLI_CHOICE, offsetof(values, plan), "WHICH",
     "a local plan on every rank, or one distributed plan; auto: local on one rank", .fallback = "auto",
     .choices = "auto|local|distributed"},
    {"backend", 0, MFFT_CLI_TEXT, offsetof(values, backend), "NAME", .help = "backend; see `mergefft info`"},
    {"threads", 0, MFFT_CLI_INT, offsetof(values, threads), "N", "CPU threads of a local transform", .fallback = "1",
     .min = 1, .max = 4096},
    {"grid", 0, MFFT_CLI_GRID, offsetof(values, grid), "PxQ", "process grid; the plan chooses otherwise", .min = 1,
     .max = 1e6},
    {"transport", 0, MFFT_CLI_TEXT, offsetof(values, transport), "NAME", .help = "transport; see `mergefft info`"},
    {"chunks", 0, MFFT_CLI_INT, offsetof(values, chunks), "N", "pieces of an exchange; 0: the plan chooses", .fallback = "0",
     .min = 0, .max = 1e4},
    {"effort", 0, MFFT_CLI_CHOICE, offsetof(values, effort), "HOW", "planning of both sides", .fallback = "measure",
     .choices = EFFORTS},
    {"compute", 0, MFFT_CLI_CHOICE, offsetof(values, compute), "ENGINE", "what multiplies on a GPU; auto: the faster",
     .fallback = "auto", .choices = MFFT_COMPUTES},
    {"tune", 'T', MFFT_CLI_FLAG, offsetof(values, tune), NULL,
     .help =
         "time whole candidate plans first and keep the fastest (under mpirun write -T: Open MPI takes --tune for itself)"},
    {"wisdom", 0, MFFT_CLI_TEXT, offsetof(values, wisdom), "FILE", .help = "what tuning learns: read before, written after"},
    {"vs", 0, MFFT_CLI_CHOICE, offsetof(values, vs), "PEER",
     "time a peer in the same run, in turn with ours: fftw (one rank) or fftw-mpi (its own slabs)", .fallback = "none",
     .choices = PEERS},
    {"reps", 'r', MFFT_CLI_INT, offsetof(values, reps), "N", "samples of each side; default: for --seconds, at least 7",
     .min = 1, .max = 1e6},
    {"seconds", 0, MFFT_CLI_REAL, offsetof(values, seconds), "S", "time for the samples of one case", .fallback = "2",
     .min = 0, .max = 1e6},
    {"truth", 0, MFFT_CLI_INT, offsetof(values, truth), "N",
     "elements up to which the result is compared with FFTW in double or more; larger arrays with the known transform of "
     "impulses",
     .fallback = "33554432", .min = 0, .max = 1e9},
    {"json", 0, MFFT_CLI_TEXT, offsetof(values, json), "FILE", .help = "write the results as JSON, - for stdout"},
    {"progress", 0, MFFT_CLI_FLAG, offsetof(values, progress), NULL,
     .help = "show progress also where there is no terminal"},
    {0}};

/* ---- Lists of words -------------------------------------------------------------------------------------------------- */

enum { MOST_SHAPES = 64, MOST_WORDS = 4, MOST_CASES = MOST_SHAPES * MOST_WORDS * 2 * 2 };

typedef struct bench_shape {
  int rank;
  int64_t n[3];
} bench_shape;

typedef struct bench_lists {
  bench_shape shape[MOST_SHAPES];
  int kind[MOST_WORDS], precision[MOST_WORDS], order[MOST_WORDS];
  int shapes, kinds, precisions, orders;
} bench_lists;

/* The piece of `text` before the next comma; the rest, or NULL. */
static const char *next(const char *text, char *piece, size_t size) {
  size_t length = strcspn(text, ",");
  snprintf(piece, size, "%.*s", (int)(length < size ? length : size - 1), text);
  return text[length] ? text + length + 1 : NULL;
}

/* 0, or -1 for a word that is no choice, which is left in `piece`. */
static int read_words(const char *text, const char *choices, int *list /* [MOST_WORDS] */, int *count, char *piece,
                      size_t size) {
  for (*count = 0; text; (*count)++) {
    if (*count == MOST_WORDS) return snprintf(piece, size, "%s", text), -1;
    text = next(text, piece, size);
    list[*count] = mfft_cli_choice(choices, piece);
    if (list[*count] < 0) return -1;
  }
  return 0;
}

static int read_shapes(const char *text, bench_lists *lists, char *piece, size_t size) {
  for (lists->shapes = 0; text; lists->shapes++) {
    if (lists->shapes == MOST_SHAPES) return snprintf(piece, size, "%s", text), -1;
    text = next(text, piece, size);
    mfft_cli_option option = {.type = MFFT_CLI_SIZES, .min = 1, .max = 1e12};
    mfft_cli_sizes sizes;
    char why[MFFT_CLI_WHY_BYTES];
    if (mfft_cli_read_value(&option, piece, &sizes, why)) return -1;
    lists->shape[lists->shapes].rank = sizes.count;
    memcpy(lists->shape[lists->shapes].n, sizes.v, sizeof sizes.v);
  }
  return 0;
}

static int read_lists(const values *v, bench_lists *lists) {
  char piece[128];
  if (read_shapes(v->n, lists, piece, sizeof piece))
    return mfft_cli_usage(&mfft_command_bench, "--n %s: '%s' is no shape of 1 to 3 lengths such as 64x32x128", v->n, piece);
  if (read_words(v->kind, KINDS, lists->kind, &lists->kinds, piece, sizeof piece))
    return mfft_cli_usage(&mfft_command_bench, "--kind %s: '%s' is none of %s", v->kind, piece, KINDS);
  if (read_words(v->precision, PRECISIONS, lists->precision, &lists->precisions, piece, sizeof piece))
    return mfft_cli_usage(&mfft_command_bench, "--precision %s: '%s' is none of %s", v->precision, piece, PRECISIONS);
  if (read_words(v->order, ORDERS, lists->order, &lists->orders, piece, sizeof piece))
    return mfft_cli_usage(&mfft_command_bench, "--order %s: '%s' is none of %s", v->order, piece, ORDERS);
  return MFFT_EXIT_OK;
}

/* ---- One case -------------------------------------------------------------------------------------------------------- */

/* The backend of all cases: what was asked for, or the best of those that work in host memory, where bench has its arrays.
 */
static const char *backend_name(const values *v) {
  const char *environment = getenv("MFFT_BACKEND");
  if (v->backend) return v->backend;
  if (environment && *environment) return environment;
  for (int i = 0; i < mfft_backend_count(); i++)
    if (strcmp(mfft_backend_name(i), "cuda") && mfft_backend_usable(mfft_backend_name(i), NULL, 0))
      return mfft_backend_name(i);
  return "ref";
}

static mfft_bench_case case_of(const values *v, const bench_shape *shape, int kind, int precision, int order) {
  mfft_bench_case bench = {.run = v->direction, .vs = v->vs, .seconds = v->seconds, .truth_limit = v->truth};
  mfft_desc *desc = &bench.desc;
  mfft_desc_init(desc);
  desc->rank = shape->rank;
  memcpy(desc->n, shape->n, sizeof desc->n);
  desc->batch = v->batch;
  desc->kind = kind;
  desc->precision = precision;
  if (precision == MFFT_HALF || precision == MFFT_BFLOAT16) desc->scale[0] = desc->scale[1] = MFFT_SCALE_SQRT;
  desc->placement = v->placement;
  /* A lone forward transform repeats on the same input, which must not change. */
  desc->allow_destroy_input = !v->preserve && v->direction == MFFT_BENCH_PAIR;
  desc->effort = v->effort;
  desc->compute = v->compute;
  desc->backend = backend_name(v);
  desc->threads = (int)v->threads;
  bench.distributed =
      v->plan == PLAN_DISTRIBUTED || v->vs == MFFT_BENCH_VS_FFTW_MPI || (v->plan == PLAN_AUTO && mfft_app_ranks() > 1);
  bench.samples = v->reps > 0 ? v->reps : 0;
  if (bench.distributed) {
    memcpy(desc->grid, v->grid, sizeof desc->grid);
    desc->transport = v->transport;
    desc->chunks = (int)v->chunks;
    desc->order = order;
    desc->tune = v->tune;
  }
  return bench;
}

static const char *shape_text(const mfft_desc *desc, char text[64]) {
  int length = 0;
  for (int a = 0; a < desc->rank; a++)
    length += snprintf(text + length, 64 - (size_t)length, "%s%" PRId64, a ? "x" : "", desc->n[a]);
  return text;
}

static void print_head(int with_peer) {
  mfft_app_print("%-16s %-4s %-8s %-10s %5s %-16s %11s", "n", "kind", "prec.", "order", "grid", "transport", "time [ms]");
  if (with_peer) mfft_app_print(" %11s %6s", "peer [ms]", "ratio");
  mfft_app_print(" %8s %8s %8s %4s %9s\n", "fft", "copy", "exchange", "reps", "rel. l2");
}

static void print_case(const mfft_bench_case *bench, const mfft_bench_result *r) {
  const mfft_desc *desc = &bench->desc;
  char text[64], grid[32], transport[48];
  snprintf(grid, sizeof grid, "%dx%d", r->grid[0], r->grid[1]);
  snprintf(transport, sizeof transport, r->chunks > 1 ? "%s/%d" : "%s", bench->distributed ? r->transport : "-", r->chunks);
  mfft_app_print("%-16s ", shape_text(desc, text));
  mfft_app_print("%-4s ", mfft_cli_choice_name(KINDS, desc->kind));
  mfft_app_print("%-8s ", mfft_cli_choice_name(PRECISIONS, desc->precision));
  mfft_app_print("%-10s %5s %-16s ", mfft_cli_choice_name(ORDERS, desc->order), grid, transport);
  if (!r->correct) {
    mfft_app_print("WRONG: rel. l2 %.2e, round trip %.2e, Parseval %.2e; allowed %.2e\n", r->error.rel_l2,
                   r->error.round_trip, r->error.parseval, r->error.bound);
    return;
  }
  mfft_app_print("%11.4f", 1e3 * r->time_s);
  if (bench->vs != MFFT_BENCH_VS_NONE) mfft_app_print(" %11.4f %6.3f", 1e3 * r->peer_time_s, r->peer_time_s / r->time_s);
  mfft_app_print(" %8.2f %8.2f %8.2f %4" PRId64 " %9.2e\n", 1e3 * r->fft_s, 1e3 * r->copy_s, 1e3 * r->exchange_s, r->samples,
                 r->error.rel_l2);
  fflush(stdout);
}

static void json_case(mfft_json *json, const mfft_bench_case *bench, const mfft_bench_result *r) {
  const mfft_desc *desc = &bench->desc;
  int64_t grid[2] = {r->grid[0], r->grid[1]};
  int with_peer = bench->vs != MFFT_BENCH_VS_NONE;
  mfft_json_object(json, NULL);
  mfft_json_integers(json, "n", desc->n, desc->rank);
  mfft_json_integer(json, "batch", desc->batch);
  mfft_json_string(json, "kind", mfft_cli_choice_name(KINDS, desc->kind));
  mfft_json_string(json, "precision", mfft_cli_choice_name(PRECISIONS, desc->precision));
  mfft_json_string(json, "backend", desc->backend);
  mfft_json_integer(json, "ranks", mfft_app_ranks());
  mfft_json_boolean(json, "distributed", bench->distributed);
  mfft_json_integers(json, "grid", grid, 2);
  mfft_json_string(json, "transport", bench->distributed ? r->transport : NULL);
  mfft_json_integer(json, "chunks", r->chunks);
  mfft_json_string(json, "order", mfft_cli_choice_name(ORDERS, desc->order));
  mfft_json_string(json, "direction", mfft_cli_choice_name(DIRECTIONS, (int)bench->run));
  mfft_json_string(json, "placement", mfft_cli_choice_name(PLACEMENTS, desc->placement));
  mfft_json_boolean(json, "destroy_input", desc->allow_destroy_input);
  mfft_json_string(json, "effort", mfft_cli_choice_name(EFFORTS, desc->effort));
  mfft_json_string(json, "compute", mfft_cli_choice_name(MFFT_COMPUTES, desc->compute));
  mfft_json_integer(json, "threads", desc->threads);
  mfft_json_boolean(json, "tuned", desc->tune);
  mfft_json_number(json, "time_s", r->time_s);
  mfft_json_number(json, "time_min_s", r->time_min_s);
  mfft_json_number(json, "time_max_s", r->time_max_s);
  mfft_json_number(json, "cpu_s", r->cpu_s);
  mfft_json_number(json, "fft_s", r->fft_s);
  mfft_json_number(json, "copy_s", r->copy_s);
  mfft_json_number(json, "exchange_s", r->exchange_s);
  mfft_json_number(json, "plan_s", r->plan_s);
  mfft_json_integer(json, "workspace_bytes", (int64_t)r->workspace_bytes);
  mfft_json_string(json, "peer", with_peer ? mfft_cli_choice_name(PEERS, (int)bench->vs) : NULL);
  mfft_json_number(json, "peer_time_s", r->peer_time_s);
  mfft_json_number(json, "peer_time_min_s", r->peer_min_s);
  mfft_json_number(json, "peer_time_max_s", r->peer_max_s);
  mfft_json_number(json, "peer_cpu_s", r->peer_cpu_s);
  mfft_json_number(json, "peer_plan_s", r->peer_plan_s);
  mfft_json_number(json, "ratio", r->peer_time_s / r->time_s);
  mfft_json_boolean(json, "correct", r->correct);
  mfft_json_string(json, "truth", r->error.truth);
  mfft_json_number(json, "rel_l2", r->error.rel_l2);
  mfft_json_number(json, "round_trip", r->error.round_trip);
  mfft_json_number(json, "parseval", r->error.parseval);
  mfft_json_number(json, "bound", r->error.bound);
  mfft_json_integer(json, "warmups", r->warmups);
  mfft_json_integer(json, "samples", r->samples);
  mfft_json_integer(json, "runs_per_sample", r->runs_per_sample);
  mfft_json_end(json);
}

/* ---- The command ----------------------------------------------------------------------------------------------------- */

static int run(void *given) {
  const values *v = given;
  static bench_lists lists;
  int code = read_lists(v, &lists), cases = 0, total;
  if (code != MFFT_EXIT_OK) return code;
  if (v->vs == MFFT_BENCH_VS_FFTW && mfft_app_ranks() > 1)
    return mfft_cli_usage(&mfft_command_bench, "--vs fftw is one process and this job has %d; use --vs fftw-mpi",
                          mfft_app_ranks());
  if (v->vs == MFFT_BENCH_VS_FFTW_MPI && v->plan == PLAN_LOCAL)
    return mfft_cli_usage(&mfft_command_bench, "--vs fftw-mpi is one distributed transform; leave out --plan local");
  if (v->vs == MFFT_BENCH_VS_FFTW_MPI && v->threads > 1)
    return mfft_cli_usage(&mfft_command_bench, "--vs fftw-mpi is timed with one thread a rank; leave out --threads");
  if (!strcmp(backend_name(v), "cuda"))
    return mfft_cli_usage(
        &mfft_command_bench,
        "the arrays of bench are in host memory, which the backend cuda does not use; name another by --backend");
  total = lists.shapes * lists.kinds * lists.precisions * lists.orders;
  mfft_progress_force(v->progress);
  if (v->wisdom && mfft_app_failed(mfft_wisdom_load(MPI_COMM_WORLD, v->wisdom))) return MFFT_EXIT_FAILED;
  mfft_json *json = mfft_app_rank() == 0 && v->json ? mfft_json_create() : NULL;
  mfft_json_object(json, NULL);
  mfft_environment_json(json, "environment");
  mfft_json_array(json, "results");
  int quiet = v->json && !strcmp(v->json, "-");
  if (!quiet) print_head(v->vs != MFFT_BENCH_VS_NONE);
  for (int s = 0; s < lists.shapes; s++)
    for (int k = 0; k < lists.kinds; k++)
      for (int p = 0; p < lists.precisions; p++)
        for (int o = 0; o < lists.orders; o++) {
          mfft_bench_case bench = case_of(v, &lists.shape[s], lists.kind[k], lists.precision[p], lists.order[o]);
          mfft_bench_result result;
          char what[96], text[64];
          snprintf(what, sizeof what, "case %d of %d, %s", ++cases, total, shape_text(&bench.desc, text));
          mfft_progress_start(what, 0);
          if (mfft_app_failed(mfft_bench_measure(&bench, &result))) {
            code = MFFT_EXIT_FAILED;
            continue;
          }
          if (!result.correct) code = MFFT_EXIT_FAILED;
          if (!quiet) print_case(&bench, &result);
          json_case(json, &bench, &result);
        }
  mfft_progress_end();
  mfft_json_end(json);
  mfft_json_end(json);
  if (v->json && mfft_app_failed(mfft_app_rank() == 0 ? mfft_json_save(json, v->json) : MFFT_SUCCESS))
    code = MFFT_EXIT_FAILED;
  mfft_json_destroy(json);
  if (v->wisdom && mfft_app_failed(mfft_wisdom_save(MPI_COMM_WORLD, v->wisdom))) code = MFFT_EXIT_FAILED;
  return code;
}

const mfft_command mfft_command_bench = {
    .name = "bench",
    .summary = "time transforms, beside FFTW where asked",
    .operands = "",
    .description =
        "Checks each transform and then times it: the median over samples of the slowest rank, after two warm-up runs, on "
        "random "
        "data. A run is a forward and a backward transform unless --direction forward is given. Lists, separated by commas, "
        "make "
        "a case of every combination.\n"
        "\n"
        "With --vs the peer's own plan, made with the same effort, placement, order and leave to overwrite its input, runs "
        "in "
        "turn with ours in the same processes. It is made after ours and shares what FFTW has learnt (wisdom). ratio is the "
        "peer's time over ours: above 1, ours is faster.\n"
        "\n"
        "  mergefft bench --vs fftw --n 256x256x256,1048576 --kind c2c\n"
        "  mpirun -n 2 mergefft bench --vs fftw-mpi --order natural,transposed --json bench.json\n"
        "\n"
        "The columns fft, copy and exchange are milliseconds of one run on the slowest rank. Exit code 1 where a result was "
        "wrong: such a case is not timed.",
    .options = options,
    .values_bytes = sizeof(values),
    .run = run,
};
