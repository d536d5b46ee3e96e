#include "cli/plan_options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/collective.h"
#include "cli/option_words.h"
#include "cli/phases.h"
#include "cli/report.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

#define AT(field) offsetof(mfft_plan_options, field)
const mfft_cli_option mfft_plan_options_table[] = {
    {"grid", 0, MFFT_CLI_GRID, AT(grid), "PxQ", "process grid; Px1 is slabs; 0 lets the plan choose a side",
     .fallback = "0x0", .max = 1 << 20},
    {"transport", 0, MFFT_CLI_TEXT, AT(transport), "NAME",
     .help = "transport of data between ranks, and in p2p+nccl between nodes; see `mergefft info`; default: MFFT_TRANSPORT, "
             "or the fastest"},
    {"backend", 0, MFFT_CLI_TEXT, AT(backend), "NAME",
     .help =
         "backend of the transforms; see `mergefft info`; default: MFFT_BACKEND, or the fastest; with the particles of a "
         "snapshot: fftw"},
    {"threads", 0, MFFT_CLI_INT, AT(threads), "N", "CPU threads of the transforms of each rank", .fallback = "1", .min = 1,
     .max = 4096},
    {0}};
#undef AT

void mfft_plan_options_apply(const mfft_plan_options *from, mfft_options *options) {
  memcpy(options->grid, from->grid, sizeof options->grid);
  options->transport = from->transport;
  options->backend = from->backend;
  options->threads = (int)from->threads;
}

mfft_status mfft_plan_begin_wisdom(const char *path) {
  if (!path) return MFFT_SUCCESS;
  const int exists = mfft_app_rank() == 0 && !(access(path, F_OK) && errno == ENOENT);
  return mfft_app_anywhere(exists) ? mfft_wisdom_load(MPI_COMM_WORLD, path) : MFFT_SUCCESS;
}

void mfft_plan_book_phases(mfft_plan plan) {
  mfft_timing timing;
  mfft_memory memory;
  if (!plan || mfft_plan_memory(plan, &memory) != MFFT_SUCCESS || memory != MFFT_MEMORY_HOST) return;
  if (mfft_plan_timing(plan, &timing) != MFFT_SUCCESS) return;
  mfft_phase_move(MFFT_PHASE_TRANSFORM, MFFT_PHASE_PACK, timing.copy);
  mfft_phase_move(MFFT_PHASE_TRANSFORM, MFFT_PHASE_EXCHANGE, timing.exchange);
  mfft_phase_move(MFFT_PHASE_TRANSFORM, MFFT_PHASE_FFT, timing.fft);
}

static mfft_status create(const mfft_desc *desc, const mfft_options *options, mfft_plan *plan) {
  const char *named = options->backend ? options->backend : getenv("MFFT_BACKEND");
  int device = !(named && *named) && mfft_backend_usable("cuda", NULL, 0); /* else the CPUs are requested */
  mfft_phase_enter(MFFT_PHASE_PLAN);
  if (!device) mfft_phase_move(MFFT_PHASE_CUDA, MFFT_PHASE_PLAN, INFINITY); /* the whole time belongs to planning */
  device = mfft_app_anywhere(device);
  const mfft_status status = mfft_plan_create_mpi(MPI_COMM_WORLD, desc, options, plan);
  if (status != MFFT_ERR_UNSUPPORTED || !device) return status;
  mfft_options host = *options;
  host.backend = "fftw";
  char why[1024];
  mfft_option_words(mfft_last_error(), why, sizeof why);
  mfft_app_note("the CPU backend is used, since: %s", why);
  return mfft_plan_create_mpi(MPI_COMM_WORLD, desc, &host, plan);
}

mfft_status mfft_plan_options_create(const mfft_desc *desc, const mfft_options *options, mfft_plan *plan) {
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_CUDA);
  const mfft_status status = create(desc, options, plan);
  mfft_phase_enter(before);
  return status;
}

mfft_status mfft_plan_own_bytes(mfft_plan plan, size_t *bytes) {
  size_t window = 0;
  mfft_status status = mfft_plan_workspace_bytes(plan, bytes);
  if (status == MFFT_SUCCESS) status = mfft_plan_window_bytes(plan, &window);
  if (status == MFFT_SUCCESS) *bytes += window;
  return status;
}

#define AT(field) offsetof(mfft_desc_options, field)
const mfft_cli_option mfft_desc_options_table[] = {
    {"batch", 'b', MFFT_CLI_INT, AT(batch), "N", .help = "arrays transformed together; default: 1", .min = 1, .max = 1e9},
    {"placement", 0, MFFT_CLI_CHOICE, AT(placement), "WHERE", "out of place or in place", .fallback = "out",
     .choices = MFFT_PLACEMENTS},
    {"compute", 0, MFFT_CLI_CHOICE, AT(compute), "ENGINE",
     "compute engine on a GPU; auto: a rule, or timings with --effort patient", .fallback = "auto",
     .choices = MFFT_COMPUTES},
    {"radices", 0, MFFT_CLI_TEXT, AT(radices), "LISTS",
     .help = "radices of the merges of local plans on a GPU: 16,16,2 in one pass, + begins another (16,16+16,16), x another "
             "axis (16,16,2x16,16); default: the backend chooses"},
    {"wire", 0, MFFT_CLI_CHOICE, AT(wire), "WIDTH",
     "width of the numbers sent between ranks; half: double as single, single as half; auto: half if --tolerance allows its "
     "error and --tune finds it faster",
     .fallback = "full", .choices = MFFT_WIRES},
    {"tolerance", 0, MFFT_CLI_REAL, AT(tolerance), "E",
     "relative L2 error that --wire auto may cost; half the width costs up to 6e-8 in double and 5e-4 in single",
     .fallback = "0", .min = 0, .max = 1},
    {"chunks", 0, MFFT_CLI_INT, AT(chunks), "N", "pieces of an exchange; 0: the plan chooses", .fallback = "0", .max = 1e4},
    {"overlap-split", 0, MFFT_CLI_INT, AT(overlap_split), "N",
     "sixteenths of an exchange that are sent during the transform before it; the transform after it begins with them; "
     "-1: none; 0: the plan chooses",
     .fallback = "0", .min = -1, .max = 15},
    {"tune", 'T', MFFT_CLI_FLAG, AT(tune), NULL,
     .help = "time whole candidate plans first, as many as --effort requires, and use the fastest (under mpirun write -T: "
             "Open MPI takes --tune for itself)"},
    {"time-limit", 0, MFFT_CLI_REAL, AT(time_limit), "S",
     "seconds that timing candidates for one plan may take; 0: MFFT_TUNE_S, or 5 with --effort measure and 60 with patient",
     .fallback = "0", .min = 0, .max = 1e6},
    {"wisdom", 0, MFFT_CLI_TEXT, AT(wisdom), "FILE",
     .help = "file of tuning results: read at the start; bench writes it at the end"},
    {0}};

void mfft_desc_options_apply(const mfft_desc_options *from, mfft_desc *desc, mfft_options *options) {
  desc->batch = from->batch > 0 ? from->batch : 1;
  desc->placement = from->placement;
  options->compute = from->compute;
  options->radices = from->radices;
  options->wire = from->wire;
  options->chunks = (int)from->chunks;
  options->overlap_split = (int)from->overlap_split;
  options->tolerance = from->tolerance;
  options->time_limit = from->time_limit;
}

void mfft_desc_set_order(mfft_desc *desc, mfft_order order) {
  desc->scrambled = desc->rank == 1 && order == MFFT_ORDER_TRANSPOSED;
  desc->order = desc->rank == 1 ? MFFT_ORDER_NATURAL : order;
}

mfft_order mfft_desc_order(const mfft_desc *desc) { return desc->scrambled ? MFFT_ORDER_TRANSPOSED : desc->order; }

static const mfft_effort efforts[][2] = {/* [value of --effort][--tune] */
                                         [MFFT_MEASURE] = {MFFT_MEASURE, MFFT_TUNE_MEASURE},
                                         [MFFT_ESTIMATE] = {MFFT_ESTIMATE, MFFT_TUNE_ESTIMATE},
                                         [MFFT_PATIENT] = {MFFT_PATIENT, MFFT_TUNE_PATIENT}};

mfft_effort mfft_effort_of(int option, int tune) {
  return efforts[option >= 0 ? option : tune ? MFFT_MEASURE : MFFT_ESTIMATE][tune];
}

int mfft_effort_option(mfft_effort effort, int *tune) {
  int option = 0;
  while (efforts[option][0] != effort && efforts[option][1] != effort) option++;
  *tune = efforts[option][1] == effort;
  return option;
}

const char *mfft_chosen_name(mfft_chosen by) {
  static const char *const name[] = {
      [MFFT_CHOSEN_BY_RULE] = "estimated", [MFFT_CHOSEN_BY_TIMING] = "measured", [MFFT_CHOSEN_FROM_WISDOM] = "from wisdom"};
  return name[by];
}

void mfft_plan_json(mfft_json *json, const char *key, mfft_plan plan) {
  mfft_chosen by = MFFT_CHOSEN_BY_RULE;
  const char *candidate = "";
  int64_t count = 0;
  mfft_trial trial;
  mfft_plan_chosen(plan, &by, &candidate);
  mfft_plan_trial_count(plan, &count);
  mfft_json_object(json, key);
  mfft_json_string(json, "chosen", mfft_chosen_name(by));
  mfft_json_string(json, "candidate", *candidate ? candidate : NULL);
  mfft_json_array(json, "trials");
  for (int64_t i = 0; i < count && mfft_plan_trial(plan, i, &trial) == MFFT_SUCCESS; i++) {
    mfft_json_object(json, NULL);
    mfft_json_string(json, "parameter", trial.parameter);
    mfft_json_string(json, "candidate", trial.candidate);
    mfft_json_number(json, "seconds", trial.why_not ? NAN : trial.seconds);
    mfft_json_string(json, "why_not", trial.why_not);
    mfft_json_boolean(json, "won", trial.won);
    mfft_json_end(json);
  }
  mfft_json_end(json);
  mfft_json_end(json);
}
