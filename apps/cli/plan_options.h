/* plan_options.h: the options by which a user steers plans, each written once for all commands that have it.
 *
 * A command takes in a table with a row of its own table and keeps the values in a member of its struct of values:
 *
 *     {"plan", 0, MFFT_CLI_TABLE, offsetof(values, plan), .table = mfft_plan_options_table},
 */
#ifndef MFFT_APPS_PLAN_OPTIONS_H
#define MFFT_APPS_PLAN_OPTIONS_H

#include "cli/cli.h"
#include "io/json.h"
#include "mfft_inspect.h"
#include "mfft_mpi.h"

/* The names of the values of mfft_kind, mfft_precision and so on, in their order. */
#define MFFT_KINDS      "c2c|r2c"
#define MFFT_PRECISIONS "double|single|half|bfloat16"
#define MFFT_ORDERS     "natural|transposed"
#define MFFT_PLACEMENTS "out|in"
#define MFFT_EFFORTS    "measure|estimate|patient"
#define MFFT_COMPUTES   "auto|butterfly|tensor"
#define MFFT_WIRES      "full|half|auto"

/* How and where plans run: the same in every command that transforms. */
typedef struct mfft_plan_options {
  int grid[2]; /* [P, Q] */
  const char *transport, *backend;
  int64_t threads;
} mfft_plan_options;
extern const mfft_cli_option mfft_plan_options_table[];
void mfft_plan_options_apply(const mfft_plan_options *from, mfft_options *options);

/* Makes a distributed plan over all ranks.  Where nobody has named a backend and the best of the machine cannot do it, says
 * so and takes the CPU's. */
mfft_status mfft_plan_options_create(const mfft_desc *desc, const mfft_options *options, mfft_plan *plan);

/* More of a descriptor and of how it is planned, for the commands that show what it does: bench and info. */
typedef struct mfft_desc_options {
  int64_t batch, chunks, overlap_split; /* batch: below 1 where it was not given */
  int placement, compute, wire, tune;
  double tolerance, time_limit;
  const char *radices, *wisdom;
} mfft_desc_options;
extern const mfft_cli_option mfft_desc_options_table[];
void mfft_desc_options_apply(const mfft_desc_options *from, mfft_desc *desc, mfft_options *options);

/* The order that --order names, for a descriptor whose rank is set: transposed is scrambled order for one dimension. */
void mfft_desc_set_order(mfft_desc *desc, mfft_order order);
mfft_order mfft_desc_order(const mfft_desc *desc);

/* The effort that the options --effort and --tune name together.  An option below 0 is that of a command which transforms a
 * few times: estimate, or measure where whole plans are timed. */
mfft_effort mfft_effort_of(int option, int tune);

/* The other way round: the value of --effort, and whether whole plans are chosen among. */
int mfft_effort_option(mfft_effort effort, int *tune);

/* "measured", "from wisdom", "estimated": how a plan was chosen.  And as a JSON object: that, the candidate that won, and
 * all that were tried. */
const char *mfft_chosen_name(mfft_chosen by);
void mfft_plan_json(mfft_json *json, const char *key, mfft_plan plan);

#endif
