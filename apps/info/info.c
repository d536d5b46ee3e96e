/* info.c: `mergefft info`: the parts that are built in, the machine, and the plan of a descriptor. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peer_kinds.h"
#include "cli/collective.h"
#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/plan_options.h"
#include "cli/report.h"
#include "cli/targets.h"
#include "info/axis_kinds.h"
#include "info/measure.h"
#include "info/predict.h"
#include "info/snapshot.h"
#include "io/json.h"
#include "io/save.h"
#include "mfft_direct.h"
#include "mfft_inspect.h"
#include "mfft_mpi.h"
#include "plot/picture.h"

typedef struct values {
  int plan;
  mfft_cli_sizes n, given;
  int kind, precision, order, effort, which, destroy;
  mfft_plan_options run;
  mfft_desc_options desc;
  int nodes[2], direction, map; /* nodes, ranks of a node */
  double seconds;
  const char *axis_kinds, *machine, *measure;
  const char *json;
  const char *snapshot[1];
} values;

enum { PLAN_AUTO, PLAN_LOCAL, PLAN_DISTRIBUTED };

static const mfft_cli_option options[] = {
    {"plan", 0, MFFT_CLI_FLAG, offsetof(values, plan), NULL,
     .help = "make the plan that the options below describe and print it, instead of the machine"},
    {"n", 'n', MFFT_CLI_SIZES, offsetof(values, n), "SHAPE", "1 to 3 lengths of the plan, such as 256x256x256",
     .fallback = "256x256x256", .min = 1, .max = 1e12, .plane = 1},
    {"given", 0, MFFT_CLI_SIZES, offsetof(values, given), "SHAPE",
     "points of the input along each axis, which zeros follow up to the lengths of --n; default: all", .min = 1, .max = 1e12,
     .plane = 1},
    {"kind", 'k', MFFT_CLI_CHOICE, offsetof(values, kind), "KIND", "complex to complex, or real to complex and back",
     .fallback = "r2c", .choices = MFFT_KINDS},
    {"axis-kinds", 0, MFFT_CLI_TEXT, offsetof(values, axis_kinds), "KINDS",
     .help =
         "cosines and sines along axes of the plan: one word for all of them, or as many as --n has lengths, with commas "
         "between: dft, dct1 to dct4, dst1 to dst4; without a dft the plan is real to real"},
    {"precision", 'p', MFFT_CLI_CHOICE, offsetof(values, precision), "PRECISION", "of a stored real", .fallback = "double",
     .choices = MFFT_PRECISIONS},
    {"which", 0, MFFT_CLI_CHOICE, offsetof(values, which), "WHICH",
     "a local plan, or a distributed one over the ranks of this job; auto: local on one rank", .fallback = "auto",
     .choices = "auto|local|distributed"},
    {"order", 0, MFFT_CLI_CHOICE, offsetof(values, order), "ORDER", "of a distributed output", .fallback = "natural",
     .choices = MFFT_ORDERS},
    {"effort", 0, MFFT_CLI_CHOICE, offsetof(values, effort), "HOW",
     "planning; measure and patient time candidates and show them; default: estimate, with --tune measure",
     .choices = MFFT_EFFORTS},
    {"destroy-input", 0, MFFT_CLI_FLAG, offsetof(values, destroy), NULL,
     .help = "let out-of-place transforms overwrite their input"},
    {"desc", 0, MFFT_CLI_TABLE, offsetof(values, desc), .table = mfft_desc_options_table},
    {"run", 0, MFFT_CLI_TABLE, offsetof(values, run), .table = mfft_plan_options_table},
    {"nodes", 0, MFFT_CLI_GRID, offsetof(values, nodes), "NxR",
     "with --plan: predict it for N nodes of R ranks each of a --machine, instead of planning for this job", .max = 1 << 20},
    {"machine", 0, MFFT_CLI_TEXT, offsetof(values, machine), "NAME",
     .help = "the machine of --nodes: dgx-h100, dgx-h200, cpu-node, or a file of --measure-machine (docs/scaling.md)"},
    {"map-by", 0, MFFT_CLI_CHOICE, offsetof(values, map), "WHAT",
     "of a prediction with --grid: ranks are numbered slot by slot, which is node by node, or dealt to the nodes in turn",
     .fallback = "slot", .choices = MFFT_PREDICT_MAPS},
    {"direction", 0, MFFT_CLI_CHOICE, offsetof(values, direction), "WHAT",
     "of a prediction: a forward and a backward transform, or one of them; grids are compared by it", .fallback = "pair",
     .choices = MFFT_PREDICT_RUNS},
    {"measure-machine", 0, MFFT_CLI_TEXT, offsetof(values, measure), "FILE",
     .help = "measure the numbers of the machine that this job runs on and write them, - for stdout"},
    {"seconds", 0, MFFT_CLI_REAL, offsetof(values, seconds), "S",
     "with --measure-machine: time for the samples of one number; over a slow link more make it more exact", .fallback = "2",
     .min = 0, .max = 1e6},
    {"json", 'j', MFFT_CLI_TEXT, offsetof(values, json), "FILE",
     .help = "write the versions and the machine as JSON, - for stdout; with --plan how the plan was chosen; with SNAPSHOT "
             "what it holds"},
    {0}};

/* ---- What a descriptor would plan ------------------------------------------------------------------------------------ */

typedef struct question {
  mfft_desc desc;
  mfft_options options;
  mfft_plan plan; /* NULL: an outline of a local plan is enough */
} question;

static mfft_status write_text(const question *q, char *text, size_t size, size_t *needed) {
  return q->plan ? mfft_plan_describe(q->plan, text, size, needed)
                 : mfft_plan_outline(&q->desc, &q->options, text, size, needed);
}

/* The plan as JSON: how it was chosen, and the text.  For an outline there is only the text. */
static mfft_status write_plan_json(const char *path, mfft_plan plan, const char *text) {
  if (mfft_app_rank() != 0) return MFFT_SUCCESS;
  mfft_json *json = mfft_json_create();
  mfft_json_object(json, NULL);
  mfft_environment_json(json, "environment");
  if (plan) mfft_plan_json(json, "choice", plan);
  mfft_json_string(json, "plan", text);
  mfft_json_end(json);
  mfft_status status = mfft_json_save(json, path);
  mfft_json_destroy(json);
  return status;
}

/* A local plan is made if candidates are to be timed, on a device that exists. */
static mfft_status make_plan(const values *v, question *q) {
  const int local = v->which == PLAN_LOCAL || (v->which == PLAN_AUTO && mfft_app_ranks() == 1);
  if (!local) return mfft_plan_create_mpi(MPI_COMM_WORLD, &q->desc, &q->options, &q->plan);
  if (q->options.effort == MFFT_ESTIMATE || q->options.effort == MFFT_TUNE_ESTIMATE) return MFFT_SUCCESS;
  q->options.user_workspace = 1;
  mfft_status status = mfft_plan_create(&q->desc, &q->options, &q->plan);
  return status == MFFT_ERR_NO_DEVICE ? MFFT_SUCCESS : status;
}

static void take_question(const values *v, question *q) {
  mfft_desc *desc = &q->desc;
  mfft_options *how = &q->options;
  mfft_desc_init(desc);
  mfft_options_init(how);
  mfft_desc_options_apply(&v->desc, desc, how);
  mfft_plan_options_apply(&v->run, how);
  desc->rank = v->n.count;
  memcpy(desc->n, v->n.v, sizeof desc->n);
  if (v->given.count) memcpy(desc->given, v->given.v, (size_t)v->given.count * sizeof *desc->given);
  desc->kind = v->kind;
  if (v->axis_kinds) mfft_axis_kinds_parse(v->axis_kinds, desc);
  desc->precision = v->precision;
  desc->allow_destroy_input = v->destroy;
  how->effort = mfft_effort_of(v->effort, v->desc.tune);
  mfft_desc_set_order(desc, v->order);
}

static mfft_status describe(const values *v) {
  question q = {.plan = NULL};
  mfft_status status = MFFT_SUCCESS;
  char *text = NULL;
  size_t needed = 0;
  take_question(v, &q);
  status = make_plan(v, &q);
  if (status == MFFT_SUCCESS) status = write_text(&q, NULL, 0, &needed);
  if (status == MFFT_SUCCESS) {
    text = malloc(needed + 1);
    status = text ? write_text(&q, text, needed, NULL) : mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the text");
  }
  if (status == MFFT_SUCCESS && v->json) status = write_plan_json(v->json, q.plan, text);
  const int alone = mfft_app_is_stdout(v->json); /* JSON has stdout for itself */
  if (status == MFFT_SUCCESS && mfft_app_rank() == 0 && !alone) {
    fputs(text, stdout);
    if (needed > 1 && text[needed - 2] != '\n') putchar('\n');
  }
  free(text);
  mfft_plan_destroy(q.plan);
  return status;
}

/* Predicts the plan on a machine that is not at hand.  One rank predicts. */
static mfft_status predict(const values *v) {
  question q = {.plan = NULL};
  take_question(v, &q);
  const mfft_predict_request request = {.machine = v->machine,
                                        .nodes = {v->nodes[0], v->nodes[1]},
                                        .map = v->map,
                                        .run = v->direction,
                                        .desc = &q.desc,
                                        .options = &q.options,
                                        .json = v->json,
                                        .quiet = mfft_app_is_stdout(v->json)};
  return mfft_app_rank() == 0 ? mfft_predict_run(&request) : MFFT_SUCCESS;
}

/* ---- The machine ----------------------------------------------------------------------------------------------------- */

static const char *or_absent(const char *version) { return version[0] ? version : "not built in"; }

static void print_hosts(void) {
  enum { NAME = 64 };
  char mine[NAME], *all = NULL;
  int rank = mfft_app_rank(), ranks = mfft_app_ranks();
  snprintf(mine, sizeof mine, "%s", mfft_environment_host());
  int *counts = rank == 0 ? malloc(2 * (size_t)ranks * sizeof *counts) : NULL, *at = counts ? counts + ranks : NULL;
  if (rank == 0) all = calloc((size_t)ranks, NAME);
  for (int r = 0; counts && r < ranks; r++) {
    counts[r] = NAME;
    at[r] = r * NAME;
  }
  const int failed = mfft_app_anywhere(rank == 0 && (!all || !counts));
  if (!failed) mfft_app_gather(mine, NAME, all, counts, at, "collecting the names of hosts");
  for (int first = 0; rank == 0 && !failed && first < ranks;) { /* runs of ranks on one host */
    int last = first;
    while (last + 1 < ranks && !strcmp(all + first * NAME, all + (last + 1) * NAME)) last++;
    char range[32];
    snprintf(range, sizeof range, first == last ? "rank %d" : "ranks %d-%d", first, last);
    mfft_app_print("  %-22s %s\n", range, all + first * NAME);
    first = last + 1;
  }
  free(counts);
  free(all);
}

/* How the GPU of rank 0 reads and writes files; NULL without a GPU. */
static const char *describe_direct(char *text, size_t size) {
  char why[256];
  if (!mfft_backend_usable("cuda", why, sizeof why)) return NULL;
  return mfft_direct_describe("cuda", text, size) == MFFT_SUCCESS ? text : NULL;
}

static void print_machine(void) {
  char why[256];
  int version = mfft_version();
  mfft_app_print("mergefft %d.%d.%d\n", version / 10000, version / 100 % 100, version % 100);
  mfft_app_print("\nbuilt in\n");
  mfft_app_print("  %-22s %s\n", "MPI", mfft_environment_mpi());
  mfft_app_print("  %-22s %s\n", "HDF5", or_absent(mfft_environment_hdf5()));
  mfft_app_print("  %-22s %s\n", "FFTW", mfft_environment_fftw());
  mfft_app_print("  %-22s %s%s\n", "pictures", mfft_picture_missing() ? "" : "cairo ", or_absent(mfft_picture_version()));
  mfft_app_print("  %-22s %s%s\n", "JSON", mfft_json_missing() ? "" : "jansson ", or_absent(mfft_json_version()));
  mfft_app_print("  %-22s", "peers of bench");
  for (int i = 1; *mfft_cli_choice_name(MFFT_PEERS, i); i++)
    if (!mfft_peer_kinds[i].missing) mfft_app_print("%s%s", i > 1 ? ", " : " ", mfft_peer_kinds[i].name);
  mfft_app_print("\n");
  mfft_app_print("  %-22s", "transports");
  for (int i = 0; i < mfft_transport_count(); i++) mfft_app_print("%s%s", i ? ", " : " ", mfft_transport_name(i));
  mfft_app_print("\n\nbackends, best first\n");
  for (int i = 0; i < mfft_backend_count(); i++) {
    int usable = mfft_backend_usable(mfft_backend_name(i), why, sizeof why);
    mfft_app_print("  %-22s %s%s\n", mfft_backend_name(i), usable ? "usable" : "not usable: ", usable ? "" : why);
  }
  mfft_app_print("\nmachine of rank 0\n");
  mfft_app_print("  %-22s %s\n", "processor", mfft_environment_cpu());
  const int cores = mfft_environment_cores(), free_cores = mfft_environment_free_cores();
  if (cores < free_cores)
    mfft_app_print("  %-22s %d of %d: this process is bound to them\n", "cores", cores, free_cores);
  else
    mfft_app_print("  %-22s %d\n", "cores", cores);
  mfft_app_print("  %-22s %.1f GiB, %.1f GiB available\n", "memory", (double)mfft_environment_memory_bytes() / 0x1p30,
                 (double)mfft_environment_available_bytes() / 0x1p30);
  const char *direct = describe_direct(why, sizeof why);
  if (direct) mfft_app_print("  %-22s %s\n", "GPUDirect Storage", direct);
  mfft_app_print("\nranks of this job: %d\n", mfft_app_ranks());
  print_hosts();
  mfft_app_print("\nenvironment variables\n");
  const char *name, *fallback, *help;
  for (int i = 0; mfft_environment_variable(i, &name, &fallback, &help); i++) {
    const char *value = getenv(name);
    mfft_app_print("  %-22s %s", name, help);
    if (fallback[0]) mfft_app_print(" [%s]", fallback);
    if (value && *value) mfft_app_print("; now %s", value);
    mfft_app_print("\n");
  }
}

static mfft_status write_json(const char *path) {
  if (mfft_app_rank() != 0) return MFFT_SUCCESS;
  char why[256];
  mfft_json *json = mfft_json_create();
  mfft_json_object(json, NULL);
  mfft_environment_json(json, "environment");
  mfft_json_array(json, "backends");
  for (int i = 0; i < mfft_backend_count(); i++) {
    int usable = mfft_backend_usable(mfft_backend_name(i), why, sizeof why);
    mfft_json_object(json, NULL);
    mfft_json_string(json, "name", mfft_backend_name(i));
    mfft_json_boolean(json, "usable", usable);
    mfft_json_string(json, "why", usable ? NULL : why);
    mfft_json_end(json);
  }
  mfft_json_end(json);
  mfft_json_string(json, "gpudirect_storage", describe_direct(why, sizeof why));
  mfft_json_array(json, "transports");
  for (int i = 0; i < mfft_transport_count(); i++) mfft_json_string(json, NULL, mfft_transport_name(i));
  mfft_json_end(json);
  mfft_json_end(json);
  mfft_status status = mfft_json_save(json, path);
  mfft_json_destroy(json);
  return status;
}

/* The content of a file of particles. */
static mfft_status describe_snapshot(const values *v) {
#ifdef MFFT_HAVE_HDF5
  return mfft_info_snapshot(v->snapshot[0], v->json);
#else
  return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "%s: this mergefft was built without HDF5 and reads no snapshots",
                       v->snapshot[0]);
#endif
}

/* Options that exclude each other, or miss another; NULL: none. */
static const char *usage(const values *v) {
  mfft_desc desc = {.rank = v->n.count};
  if (v->axis_kinds && mfft_axis_kinds_parse(v->axis_kinds, &desc))
    return "--axis-kinds must be dft, dct1, dct2, dct3, dct4, dst1, dst2, dst3 or dst4, one word or one for each length of "
           "--n";
  const int nodes = v->nodes[0] || v->nodes[1];
  if (v->given.count && v->given.count != v->n.count) return "--given must have as many lengths as --n";
  if (v->plan && v->snapshot[0])
    return "--plan and the name of a snapshot: ask for one of them; the lengths of a plan are given by --n";
  if (v->measure && (v->plan || v->snapshot[0])) return "--measure-machine goes without --plan and without a snapshot";
  if (nodes != !!v->machine || (v->machine && !v->plan))
    return "--plan, --nodes and --machine predict together; give all of them";
  if (nodes && (!v->nodes[0] || !v->nodes[1])) return "--nodes must be two numbers above 0, such as 512x8";
  return NULL;
}

static int run(void *given) {
  const values *v = given;
  const char *const unclear = usage(v);
  if (unclear) return mfft_cli_usage(&mfft_command_info, "%s", unclear);
  const char *const inputs[] = {v->desc.wisdom, v->snapshot[0], v->machine};
  const mfft_target targets[] = {{"--json", v->json, &mfft_json_kind},
                                 {"--measure-machine", v->measure, &mfft_machine_kind}};
  int code = mfft_targets_check(&mfft_command_info, inputs, 3, targets, 2);
  if (code) return code;
  if (v->measure)
    return mfft_app_failed(mfft_measure_machine(v->measure, v->run.backend, v->seconds)) ? MFFT_EXIT_FAILED : MFFT_EXIT_OK;
  if (v->machine) return mfft_app_failed(predict(v)) ? MFFT_EXIT_FAILED : MFFT_EXIT_OK;
  if (v->desc.wisdom && mfft_app_failed(mfft_wisdom_load(MPI_COMM_WORLD, v->desc.wisdom))) return MFFT_EXIT_FAILED;
  if (v->snapshot[0]) return mfft_app_failed(describe_snapshot(v)) ? MFFT_EXIT_FAILED : MFFT_EXIT_OK;
  if (v->plan) return mfft_app_failed(describe(v)) ? MFFT_EXIT_FAILED : MFFT_EXIT_OK;
  if (!mfft_app_is_stdout(v->json)) print_machine();
  if (v->json && mfft_app_failed(write_json(v->json))) return MFFT_EXIT_FAILED;
  return MFFT_EXIT_OK;
}

const mfft_command mfft_command_info = {
    .name = "info",
    .summary = "what is built in, what this machine offers, what would be planned, what a snapshot holds",
    .operands = "[SNAPSHOT]",
    .min_operands = 0,
    .max_operands = 1,
    .operands_offset = offsetof(values, snapshot),
    .description =
        "Without --plan: versions, backends and why one is not usable, transports, processor, memory, GPUDirect Storage, "
        "ranks and hosts, and "
        "the environment variables that mergefft reads, with their defaults.\n"
        "\n"
        "With --plan: the plan that the other options describe, stage by stage, for the ranks of this job. Of a local plan "
        "on a GPU: its passes, the bytes that they move and the time that they should take; no GPU is needed for that. How "
        "it was chosen: estimated by rules, measured, or from wisdom; and where candidates were timed each of them with its "
        "time, the best marked with an asterisk.\n"
        "\n"
        "With --plan, --nodes and --machine: a prediction of what a distributed plan would take on a machine that is not at "
        "hand, by a model (docs/scaling.md): bytes and messages over the links within and between nodes, times by part, "
        "memory, and a comparison of all process grids. mergefft scaling draws the JSON of several.\n"
        "\n"
        "With SNAPSHOT, a file of particles or a set of files in GADGET's HDF5 or binary layouts: its header, units, "
        "types and columns, after the headers of all files have been compared.\n"
        "\n"
        "  mergefft info\n"
        "  mergefft info snapdir_007/snapshot_007\n"
        "  mergefft info --plan --backend cuda --n 512x512x512 --kind c2c --precision half\n"
        "  mpirun -n 4 mergefft info --plan --n 240x256x270 --grid 2x2 --order transposed\n"
        "  mergefft info --plan --nodes 512x8 --machine dgx-h100 --n 4096x4096x4096 --precision single\n"
        "  mpirun -n 64 mergefft info --measure-machine here.txt\n"
        "  mpirun -n 4 mergefft info --plan --n 240x256x270 -T --effort patient --wire auto --tolerance 1e-6",
    .options = options,
    .values_bytes = sizeof(values),
    .run = run,
};
