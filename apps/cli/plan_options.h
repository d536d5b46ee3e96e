/* plan_options.h: the options of plans, which several commands share.
 *
 * A command includes a table by a row of its own table, and has the values in a member of its struct of values:
 *
 *     {"plan", 0, MFFT_CLI_TABLE, offsetof(values, plan), .table = mfft_plan_options_table},
 */
#ifndef MFFT_APPS_PLAN_OPTIONS_H
#define MFFT_APPS_PLAN_OPTIONS_H

#include "cli/cli.h"
#include "io/json.h"
#include "mfft_inspect.h"
#include "mfft_mpi.h"

/* Words for the values of mfft_kind, mfft_precision and so on, in the order of the enumerations. */
#define MFFT_KINDS      "c2c|r2c"
#define MFFT_PRECISIONS "double|single|half|bfloat16|long-double"
#define MFFT_ORDERS     "natural|transposed"
#define MFFT_PLACEMENTS "out|in"
#define MFFT_EFFORTS    "measure|estimate|patient"
#define MFFT_COMPUTES   "auto|butterfly|tensor"
#define MFFT_WIRES      "full|half|auto"

/* Options of every command that transforms. */
typedef struct mfft_plan_options {
  int grid[2]; /* [P, Q] */
  const char *transport, *backend;
  int64_t threads;
} mfft_plan_options;
extern const mfft_cli_option mfft_plan_options_table[];
void mfft_plan_options_apply(const mfft_plan_options *from, mfft_options *options);

/* Makes a distributed plan over all ranks.  If neither options nor environment name a backend, and the best backend of the
 * machine does not support the plan, prints a note and uses the CPU backend. */
mfft_status mfft_plan_options_create(const mfft_desc *desc, const mfft_options *options, mfft_plan *plan);

/* The memory that a plan itself takes on this rank: its workspace, and the array that other ranks have mapped. */
mfft_status mfft_plan_own_bytes(mfft_plan plan, size_t *bytes);

/* More options of descriptors and plans, for the commands bench and info. */
typedef struct mfft_desc_options {
  int64_t batch, chunks, overlap_split; /* batch: below 1 if it is not given */
  int placement, compute, wire, tune;
  double tolerance, time_limit;
  const char *radices, *wisdom;
} mfft_desc_options;
extern const mfft_cli_option mfft_desc_options_table[];
void mfft_desc_options_apply(const mfft_desc_options *from, mfft_desc *desc, mfft_options *options);

/* Sets or returns the order of --order in a descriptor whose rank is set; in one dimension transposed order is scrambled
 * order. */
void mfft_desc_set_order(mfft_desc *desc, mfft_order order);
mfft_order mfft_desc_order(const mfft_desc *desc);

/* Loads the wisdom of a command that writes it to the same file in the end, so the file need not exist yet.  path NULL: no
 * wisdom.  Collective. */
mfft_status mfft_plan_begin_wisdom(const char *path);

/* The effort from the options --effort and --tune together.  An option below 0 means the default of a command with few
 * transforms: estimate, or measure with --tune. */
mfft_effort mfft_effort_of(int option, int tune);

/* The inverse: the value of --effort, and in *tune that of --tune. */
int mfft_effort_option(mfft_effort effort, int *tune);

/* Divides the time of MFFT_PHASE_TRANSFORM by the kinds of stages that a plan on the host has run; on a device stages
 * overlap and have no times.  Plans without a timing, such as one that is NULL, book nothing. */
void mfft_plan_book_phases(mfft_plan plan);

/* How a plan was chosen: "measured", "from wisdom", "estimated".  mfft_plan_json writes a JSON object with it, the candidate
 * that won, and all trials. */
const char *mfft_chosen_name(mfft_chosen by);
void mfft_plan_json(mfft_json *json, const char *key, mfft_plan plan);

#endif
