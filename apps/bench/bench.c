/* bench.c: `mergefft bench`: times transforms after checking their results, and another library if requested. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_cases.h"
#include "bench/bench_exchange.h"
#include "bench/bench_plot.h"
#include "bench/bench_redraw.h"
#include "bench/bench_report.h"
#include "bench/peer_kinds.h"
#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/plan_options.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/targets.h"
#include "io/save.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "plot/picture.h"

typedef struct values {
  mfft_plan_options run;
  mfft_desc_options desc;
  const char *n, *kind, *precision, *order, *direction, *set, *json, *plot, *redraw, *trace, *trace_plot;
  int64_t reps, truth, sample, elements, most, exchange;
  int effort, peer_effort, preserve, which, vs, progress;
  double seconds;
} values;

enum { PLAN_AUTO, PLAN_LOCAL, PLAN_DISTRIBUTED };

static const mfft_cli_option options[] = {
    {"n", 'n', MFFT_CLI_TEXT, offsetof(values, n), "SHAPES",
     .help = "shapes of 1 to 3 lengths, such as 256x256x256,4096x4096,1048576; default, without --set: 256x256x256"},
    {"set", 0, MFFT_CLI_TEXT, offsetof(values, set), "SETS",
     .help = "ready-made shapes with their kinds, precisions and directions, in place of --n: " MFFT_BENCH_SETS},
    {"kind", 'k', MFFT_CLI_TEXT, offsetof(values, kind), "KINDS",
     .help = "c2c, r2c, or both as c2c,r2c; default: what the set has, else r2c"},
    {"precision", 'p', MFFT_CLI_TEXT, offsetof(values, precision), "PRECISIONS",
     .help = "double, single, half, bfloat16, long-double, or several; default: what the set has, else double"},
    {"direction", 0, MFFT_CLI_TEXT, offsetof(values, direction), "RUNS",
     .help = "what one run is: pair (forward and backward), forward, backward, or several; default: what the set has, "
             "else pair"},
    {"order", 0, MFFT_CLI_TEXT, offsetof(values, order), "ORDERS",
     .help = "boxes of a distributed output: natural, those of the input; transposed, slabs of y (or "
             "x-pencils), one exchange less in each direction; or both; default: natural"},
    {"elements", 0, MFFT_CLI_INT, offsetof(values, elements), "N",
     .help = "arrays are transformed together until they have so many elements, at least one; default: 2^27 in a set",
     .min = 1, .max = 1e12},
    {"max-n", 0, MFFT_CLI_INT, offsetof(values, most), "N", "leave out the shapes of a set that have more elements",
     .fallback = "1000000000000", .min = 1, .max = 1e12},
    {"vs", 0, MFFT_CLI_CHOICE, offsetof(values, vs), "PEER",
     "time a peer in the same run, alternating with ours: fftw (one rank), fftw-mpi (its own slabs), cufft or vkfft (one "
     "GPU), cufftxt (as many GPUs as ranks)",
     .fallback = "none", .choices = MFFT_PEERS},
    {"exchange", 0, MFFT_CLI_INT, offsetof(values, exchange), "BYTES",
     .help =
         "time no transforms but bare exchanges of so many bytes a rank, by --transport or by every one that works, each "
         "and plain Isend and Irecv of the same bytes if MPI accepts the memory; share: our speed over theirs",
     .min = 8, .max = 1e12},
    {"preserve", 0, MFFT_CLI_FLAG, offsetof(values, preserve), NULL,
     .help = "preserve the input of out-of-place transforms; otherwise both sides may overwrite it"},
    {"which", 0, MFFT_CLI_CHOICE, offsetof(values, which), "WHICH",
     "a local plan on every rank, or one distributed plan; auto: local on one rank", .fallback = "auto",
     .choices = "auto|local|distributed"},
    {"desc", 0, MFFT_CLI_TABLE, offsetof(values, desc), .table = mfft_desc_options_table},
    {"run", 0, MFFT_CLI_TABLE, offsetof(values, run), .table = mfft_plan_options_table},
    {"effort", 0, MFFT_CLI_CHOICE, offsetof(values, effort), "HOW", "planning of both sides", .fallback = "measure",
     .choices = MFFT_EFFORTS},
    {"peer-effort", 0, MFFT_CLI_CHOICE, offsetof(values, peer_effort), "HOW",
     "planning of the peer; same: as --effort. With measure or patient more of cuFFT's calls are tried", .fallback = "same",
     .choices = "same|" MFFT_EFFORTS},
    {"reps", 'r', MFFT_CLI_INT, offsetof(values, reps), "N", "samples of each side; default: for --seconds, at least 7",
     .min = 1, .max = 1e6},
    {"seconds", 0, MFFT_CLI_REAL, offsetof(values, seconds), "S",
     "time for the samples of one case; 0: as few as possible, and the speed of copies in caches", .fallback = "2", .min = 0,
     .max = 1e6},
    {"truth", 0, MFFT_CLI_INT, offsetof(values, truth), "N",
     "elements up to which arrays are compared with FFTW in double or more, of longer batches some of each end; larger "
     "arrays with the known transform of impulses",
     .fallback = "33554432", .min = 0, .max = 1e9},
    {"sample", 0, MFFT_CLI_INT, offsetof(values, sample), "N",
     "elements of large arrays that the check looks at, spread over them; 0: all", .fallback = "33554432", .min = 0,
     .max = 1e12},
    {"json", 'j', MFFT_CLI_TEXT, offsetof(values, json), "FILE", .help = "write the results as JSON, - for stdout"},
    {"plot", 0, MFFT_CLI_TEXT, offsetof(values, plot), "FILE",
     .help = "draw times, speeds and ratios over size as a picture: " MFFT_PICTURE_FILE},
    {"redraw", 0, MFFT_CLI_TEXT, offsetof(values, redraw), "FILE",
     .help = "measure nothing; draw the results that an earlier run saved by --json, to --plot"},
    {"trace", 0, MFFT_CLI_TEXT, offsetof(values, trace), "FILE",
     .help = "write the time lines of one more run of each case as JSON for trace viewers (Chrome, Perfetto)"},
    {"trace-plot", 0, MFFT_CLI_TEXT, offsetof(values, trace_plot), "FILE",
     .help = "draw the time line of the last case as a picture: " MFFT_PICTURE_FILE},
    {"progress", 0, MFFT_CLI_FLAG, offsetof(values, progress), NULL,
     .help = "show progress also where there is no terminal"},
    {0}};

/* ---- One case -------------------------------------------------------------------------------------------------------- */

/* The backend of all cases: the requested one, or the one whose arrays the peer needs; NULL: the best available. */
static const char *backend_name(const values *v) {
  const char *environment = getenv("MFFT_BACKEND");
  if (v->run.backend) return v->run.backend;
  if (environment && *environment) return environment;
  if (!v->vs) return NULL;
  if (mfft_peer_kinds[v->vs].memory == MFFT_MEMORY_DEVICE) return "cuda";
  for (int i = 0; i < mfft_backend_count(); i++)
    if (strcmp(mfft_backend_name(i), "cuda") && mfft_backend_usable(mfft_backend_name(i), NULL, 0))
      return mfft_backend_name(i);
  return "ref";
}

/* Chooses the scales of 16-bit types, which keep results in range: equal in both directions, or none if a peer is timed,
 * which does not scale. */
static void choose_scales(mfft_desc *desc, mfft_bench_run run, const mfft_peer_kind *vs) {
  if (desc->precision != MFFT_HALF && desc->precision != MFFT_BFLOAT16) return;
  const int symmetric = !vs || run != MFFT_BENCH_FORWARD;
  desc->scale[MFFT_FORWARD] = symmetric ? MFFT_SCALE_SQRT : MFFT_SCALE_NONE;
  desc->scale[MFFT_BACKWARD] = symmetric ? MFFT_SCALE_SQRT : MFFT_SCALE_FULL;
}

static mfft_bench_case case_of(const values *v, const mfft_bench_item *item) {
  mfft_bench_case bench = {.group = item->group,
                           .run = item->run,
                           .vs = v->vs ? &mfft_peer_kinds[v->vs] : NULL,
                           .omits_unsupported = item->in_set,
                           .peer_effort = (mfft_effort)(v->peer_effort ? v->peer_effort - 1 : v->effort),
                           .samples = v->reps > 0 ? v->reps : 0,
                           .seconds = v->seconds,
                           .truth_limit = v->truth,
                           .sample_limit = v->sample};
  mfft_desc *desc = &bench.desc;
  mfft_desc_init(desc);
  mfft_options_init(&bench.options);
  mfft_desc_options_apply(&v->desc, desc, &bench.options);
  mfft_plan_options_apply(&v->run, &bench.options);
  desc->rank = item->rank;
  memcpy(desc->n, item->n, sizeof desc->n);
  desc->batch = item->batch;
  desc->kind = item->kind;
  desc->precision = item->precision;
  mfft_desc_set_order(desc, item->order);
  bench.options.effort = mfft_effort_of(v->effort, v->desc.tune);
  bench.options.backend = backend_name(v);
  choose_scales(desc, item->run, bench.vs);
  /* A single transform repeats on the same input, which must not change; but libraries overwrite the input of a C2R of
   * several axes, and its values do not affect the time. */
  const int uses_up = item->run == MFFT_BENCH_BACKWARD && item->kind == MFFT_R2C && item->rank > 1;
  desc->allow_destroy_input = !v->preserve && (item->run == MFFT_BENCH_PAIR || uses_up);
  bench.distributed = v->which == PLAN_DISTRIBUTED || (v->vs && mfft_peer_kinds[v->vs].several_ranks) ||
                      (v->which == PLAN_AUTO && mfft_app_ranks() > 1);
  return bench;
}

/* Checks the options of transforms in a run that times none: 0 or an exit code. */
static int check_modes(const values *v) {
  const int traces = v->trace || v->trace_plot, transforms = v->set || v->n || v->vs || traces;
  if (v->exchange > 0 && (transforms || v->plot))
    return mfft_cli_usage(&mfft_command_bench,
                          "--exchange times no transforms; leave out --n, --set, --vs, --plot and --trace");
  if (v->exchange > 0 && mfft_app_ranks() < 2)
    return mfft_cli_usage(&mfft_command_bench, "--exchange needs two ranks at least; start them with mpirun -n 2");
  if (v->redraw && (!v->plot || transforms || v->json || v->exchange > 0))
    return mfft_cli_usage(&mfft_command_bench, "--redraw measures nothing: it takes --plot and no other option");
  if (v->set && v->n) return mfft_cli_usage(&mfft_command_bench, "--set and --n exclude each other");
  return 0;
}

/* Whether the peer can be timed with the other options: 0 or an exit code. */
static int check_peer(const values *v) {
  const mfft_peer_kind *vs = &mfft_peer_kinds[v->vs];
  char why[512] = "";
  if (!vs->several_ranks && mfft_app_ranks() > 1)
    return mfft_cli_usage(&mfft_command_bench, "--vs %s is one process and this job has %d; use --vs fftw-mpi", vs->name,
                          mfft_app_ranks());
  if (vs->several_ranks && v->which == PLAN_LOCAL)
    return mfft_cli_usage(&mfft_command_bench, "--vs %s is one distributed transform; leave out --which local", vs->name);
  if (vs->several_ranks && v->run.threads > 1)
    return mfft_cli_usage(&mfft_command_bench, "--vs %s is timed with one thread a rank; leave out --threads", vs->name);
  if ((vs->memory == MFFT_MEMORY_DEVICE) != !strcmp(backend_name(v), "cuda"))
    return mfft_cli_usage(&mfft_command_bench,
                          "--vs %s works in %s memory, and the backend %s does not; name another by --backend", vs->name,
                          vs->memory == MFFT_MEMORY_DEVICE ? "device" : "host", backend_name(v));
  if (vs->missing)
    return mfft_app_failed(mfft_app_fail(MFFT_ERR_UNSUPPORTED, "--vs %s: %s", vs->name, vs->missing)), MFFT_EXIT_FAILED;
  if (!mfft_backend_usable(backend_name(v), why, sizeof why) && vs->memory == MFFT_MEMORY_DEVICE)
    return mfft_app_failed(mfft_app_fail(MFFT_ERR_NO_DEVICE, "--vs %s needs a GPU: %s", vs->name, why)), MFFT_EXIT_FAILED;
  return 0;
}

/* Checks that the table of options cannot make: 0 or an exit code. */
static int check(const values *v) {
  const mfft_target targets[] = {{"--json", v->json, &mfft_json_kind},
                                 {"--plot", v->plot, mfft_picture_kind(v->plot)},
                                 {"--trace", v->trace, &mfft_json_kind},
                                 {"--trace-plot", v->trace_plot, mfft_picture_kind(v->trace_plot)},
                                 {"--wisdom", v->desc.wisdom, &mfft_wisdom_kind}};
  int code = check_modes(v);
  if (!code) code = mfft_targets_check(&mfft_command_bench, &v->redraw, v->redraw != NULL, targets, 5);
  return code || !v->vs ? code : check_peer(v);
}

/* ---- The command ----------------------------------------------------------------------------------------------------- */

/* The outputs of the results; on rank 0, NULL if not requested. */
typedef struct outputs {
  int quiet;
  mfft_json *json, *trace;
  mfft_bench_plot *plot;
  mfft_timeline timeline; /* of the case that ran last */
  int timed;              /* cases whose time lines are in `trace` */
} outputs;

static outputs open_outputs(const values *v) {
  const int prints = mfft_app_rank() == 0;
  outputs to = {.quiet = mfft_app_is_stdout(v->json),
                .json = prints && v->json ? mfft_json_create() : NULL,
                .trace = prints && v->trace ? mfft_json_create() : NULL,
                .plot = prints && v->plot ? mfft_bench_plot_create() : NULL};
  mfft_json_object(to.json, NULL);
  mfft_environment_json(to.json, "environment");
  mfft_json_array(to.json, "results");
  mfft_json_object(to.trace, NULL);
  mfft_json_string(to.trace, "displayTimeUnit", "ms");
  mfft_json_array(to.trace, "traceEvents");
  return to;
}

/* Writes and frees the outputs; MFFT_EXIT_FAILED if a file could not be written.  Collective. */
static int close_outputs(const values *v, outputs *to) {
  enum { FILES = 4 };
  mfft_status status[FILES] = {MFFT_SUCCESS, MFFT_SUCCESS, MFFT_SUCCESS, MFFT_SUCCESS};
  int code = MFFT_EXIT_OK;
  for (int ends = 0; ends < 2; ends++) mfft_json_end(to->json), mfft_json_end(to->trace);
  for (int file = 0; file < FILES; file++) {
    if (mfft_app_rank() == 0 && file == 0 && v->json) status[file] = mfft_json_save(to->json, v->json);
    if (mfft_app_rank() == 0 && file == 1 && v->plot) status[file] = mfft_bench_plot_save(to->plot, v->plot);
    if (mfft_app_rank() == 0 && file == 2 && v->trace) status[file] = mfft_json_save(to->trace, v->trace);
    if (mfft_app_rank() == 0 && file == 3 && v->trace_plot && to->timeline.span)
      status[file] = mfft_timeline_save(&to->timeline, v->trace_plot);
    if (mfft_app_failed(status[file])) code = MFFT_EXIT_FAILED;
  }
  mfft_json_destroy(to->json);
  mfft_json_destroy(to->trace);
  mfft_bench_plot_destroy(to->plot);
  mfft_timeline_destroy(&to->timeline);
  return code;
}

/* Runs and reports one case; MFFT_EXIT_FAILED if it was wrong or could not be run. */
static int run_case(const mfft_bench_case *bench, outputs *to) {
  mfft_bench_result result;
  mfft_status status = mfft_bench_measure(bench, &result);
  if (status == MFFT_ERR_UNSUPPORTED && bench->omits_unsupported) {
    if (!to->quiet) mfft_bench_print_left_out(bench, mfft_app_message());
    return MFFT_EXIT_OK;
  }
  if (mfft_app_failed(status)) return MFFT_EXIT_FAILED;
  if (!to->quiet) mfft_bench_print(bench, &result);
  mfft_bench_json(to->json, bench, &result);
  mfft_bench_plot_add(to->plot, bench, &result);
  if (bench->timeline && result.correct) mfft_timeline_json(bench->timeline, mfft_app_ranks() * to->timed++, to->trace);
  return result.correct ? MFFT_EXIT_OK : MFFT_EXIT_FAILED;
}

static int run_exchanges(const values *v) {
  const char *backend = backend_name(v);
  for (int i = 0; !backend && i < mfft_backend_count(); i++)
    if (mfft_backend_usable(mfft_backend_name(i), NULL, 0)) backend = mfft_backend_name(i);
  const mfft_bench_exchange x = {
      .backend = backend, .transport = v->run.transport, .bytes = v->exchange, .seconds = v->seconds};
  mfft_json *json = mfft_app_rank() == 0 && v->json ? mfft_json_create() : NULL;
  mfft_json_object(json, NULL);
  mfft_environment_json(json, "environment");
  mfft_json_string(json, "backend", backend);
  mfft_json_array(json, "exchanges");
  int code = mfft_bench_exchange_all(&x, mfft_app_is_stdout(v->json), json);
  mfft_json_end(json);
  mfft_json_end(json);
  if (v->json && mfft_app_failed(mfft_app_rank() == 0 ? mfft_json_save(json, v->json) : MFFT_SUCCESS))
    code = MFFT_EXIT_FAILED;
  mfft_json_destroy(json);
  return code;
}

static int run(void *given) {
  const values *v = given;
  const mfft_bench_lists lists = {.n = v->n,
                                  .kinds = v->kind,
                                  .precisions = v->precision,
                                  .runs = v->direction,
                                  .orders = v->order,
                                  .sets = v->set,
                                  .batch = v->desc.batch,
                                  .elements = v->elements,
                                  .most = v->most};
  char why[512];
  int count = 0, code = check(v);
  if (code != MFFT_EXIT_OK) return code;
  if (v->exchange > 0) return run_exchanges(v);
  if (v->redraw) {
    const mfft_status status = mfft_app_rank() == 0 ? mfft_bench_redraw(v->redraw, v->plot) : MFFT_SUCCESS;
    return mfft_app_failed(status) ? MFFT_EXIT_FAILED : MFFT_EXIT_OK;
  }
  mfft_bench_item *items = mfft_bench_items(&lists, &count, why, sizeof why);
  if (!items) return mfft_cli_usage(&mfft_command_bench, "%s", why);
  mfft_progress_force(v->progress);
  if (mfft_app_failed(mfft_plan_begin_wisdom(v->desc.wisdom))) {
    free(items);
    return MFFT_EXIT_FAILED;
  }
  outputs to = open_outputs(v);
  for (int i = 0; i < count; i++) {
    mfft_bench_case bench = case_of(v, &items[i]);
    char what[96], text[64];
    if (v->trace || v->trace_plot) bench.timeline = &to.timeline;
    if (i == 0 && !to.quiet) mfft_bench_print_head(&bench);
    snprintf(what, sizeof what, "case %d of %d, %s", i + 1, count, mfft_bench_shape_text(&bench.desc, text));
    mfft_progress_start(what, 0);
    if (run_case(&bench, &to) != MFFT_EXIT_OK) code = MFFT_EXIT_FAILED;
  }
  mfft_progress_end();
  if (close_outputs(v, &to) != MFFT_EXIT_OK) code = MFFT_EXIT_FAILED;
  free(items);
  if (v->desc.wisdom && mfft_app_failed(mfft_wisdom_save(MPI_COMM_WORLD, v->desc.wisdom))) code = MFFT_EXIT_FAILED;
  return code;
}

const mfft_command mfft_command_bench = {
    .name = "bench",
    .summary = "time transforms, and FFTW's or cuFFT's if requested",
    .operands = "",
    .description =
        "Checks each transform and then times it: the median over samples of the slowest rank, after two warm-up runs, on "
        "random data. A run is a forward and a backward transform unless --direction says otherwise. Lists, separated by "
        "commas, make a case of every combination; --set takes the cases of a ready-made set, such as those of the tcFFT "
        "papers, and leaves out what a library cannot do.\n"
        "\n"
        "With --vs the peer's own plan, made with the same effort, placement, order and permission to overwrite its input, "
        "runs alternating with ours in the same processes. FFTW's is made after ours and shares FFTW's wisdom. ratio "
        "is the peer's time over ours: above 1, ours is faster.\n"
        "\n"
        "  mergefft bench --vs fftw --n 256x256x256,1048576 --kind c2c\n"
        "  mergefft bench --vs cufft --set tcfft\n"
        "  mergefft bench --vs cufft --set 3d --plot cubes.png\n"
        "  mergefft bench --redraw cluster.json --plot cluster.pdf\n"
        "  mpirun -n 2 mergefft bench --vs fftw-mpi --order natural,transposed --json bench.json\n"
        "  mpirun -n 8 mergefft bench --exchange 1073741824\n"
        "  mpirun -n 8 mergefft bench --n 1024x1024x1024 --trace line.json --trace-plot line.pdf\n"
        "\n"
        "TFLOPS counts 5 N log2 N operations for a transform of N complexes and half of it for N reals, whatever the radix; "
        "tflops_tcfft in the JSON counts 12 N log2 N, as the tcFFT papers do. "
        "passes, of local plans, is the time in units of one read of the input and one write of the output at the speed of "
        "a copy. link, of distributed ones, is the share of the link bound: the time in which the links alone carry the "
        "bytes that must leave a rank, within nodes and between them, over the time. What links carry is measured in the "
        "same "
        "job, by every transport and by plain messages in several streams, in half a second at most. "
        "The columns fft, copy and exchange are milliseconds of one run on the slowest rank. rel. l2 is the error against "
        "double precision, of a backward transform that of the whole round trip; a line ends with \"less accurate\" where "
        "it exceeds a peer's on the GPU by more than 1 %. Exit code 1 where a result was wrong: such a case is not timed.",
    .options = options,
    .values_bytes = sizeof(values),
    .run = run,
};
