/* timing.c: see timing.h. */
#include "cli/timing.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/available.h"
#include "cli/collective.h"
#include "cli/environment.h"
#include "cli/phases.h"
#include "cli/process.h"
#include "io/fields.h"
#include "io/plain.h"
#include "io/save.h"
#include "plot/picture.h"
#include "plot/timeline.h"

#define AT(field) offsetof(mfft_timing_options, field)
const mfft_cli_option mfft_timing_options_table[] = {
    {"timing", 't', MFFT_CLI_TEXT, AT(json), "FILE",
     .help = "write what the job was and the times of its parts, from the start of the process to its end, as JSON, - for "
             "stdout"},
    {"timing-plot", 0, MFFT_CLI_TEXT, AT(plot), "FILE",
     .help = "draw the work of each rank and thread over the time of the job: a PNG, SVG or PDF file by the ending of its "
             "name"},
    {"bound", 0, MFFT_CLI_FLAG, AT(bound), NULL,
     .help =
         "afterwards, time plain reads of the input and plain writes, with fsync, of as many bytes as the output has, to "
         "compare the job with"},
    {0}};
#undef AT

enum { NOTE_BYTES = 1024 };

/* A phase, or all of them, over the ranks. */
typedef struct compared {
  double slowest, mean;
  int rank;         /* the slowest */
  double processor; /* most processor seconds of a rank */
} compared;

static struct {
  const mfft_timing_options *options; /* NULL: no command has begun */
  const char *command;
  int table;
  mfft_json *json; /* an open object; rank 0 */
  char note[NOTE_BYTES];
  double aligned; /* the time at which this rank left a message that all ranks leave at about the same time */
  compared phase[MFFT_PHASES], total;
  mfft_phase_times gathered; /* of this rank at the time of gathering */
  mfft_timeline timeline;
  int64_t plain_bytes[2]; /* [read, written] by --bound */
  double plain_s[2];      /* [read, written] */
  double direct[3];       /* transfers that GPUDirect Storage was asked for, bytes read, bytes written */
  char direct_why[256];   /* why one went through host memory; "": none did */
  const char *input;      /* of the field that is worked on */
  int several;            /* 1: there are more of them */
  int array;              /* 1: the array of them is open */
  mfft_phase_times begun; /* of each phase when the field began */
  mfft_status status;     /* of errors that could not be reported when they occurred */
} job;

void mfft_timing_targets(const mfft_timing_options *options, mfft_target targets[MFFT_TIMING_TARGETS]) {
  targets[0] = (mfft_target){"--timing", options->json, &mfft_json_kind};
  targets[1] = (mfft_target){"--timing-plot", options->plot, options->plot ? mfft_picture_kind(options->plot) : NULL};
}

static void begin_json(void) {
  if (!job.options->json || mfft_app_rank() != 0) return;
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_REPORT);
  job.json = mfft_json_create();
  mfft_json_object(job.json, NULL);
  mfft_json_string(job.json, "command", job.command);
  mfft_environment_json(job.json, "environment");
  mfft_phase_enter(before);
}

void mfft_timing_begin(const mfft_timing_options *options, const char *command, int table) {
  job.options = options;
  job.command = command;
  job.table = (table || options->bound) && !mfft_app_is_stdout(options->json);
  if (mfft_app_is_stdout(options->json)) mfft_app_silence();
  mfft_phase_spans_keep(options->plot != NULL);
  if (!mfft_fields_pattern(options->json)) begin_json();
}

mfft_json *mfft_timing_json(void) { return job.json; }

void mfft_timing_note(const char *format, ...) {
  va_list args;
  const size_t used = strlen(job.note);
  va_start(args, format);
  mfft_app_format(job.note + used, sizeof job.note - used, format, args);
  va_end(args);
}

void mfft_timing_direct(double read_bytes, double written_bytes, const char *why) {
  job.direct[0] += 1;
  job.direct[1] += read_bytes;
  job.direct[2] += written_bytes;
  if (why && !job.direct_why[0]) snprintf(job.direct_why, sizeof job.direct_why, "%s", why);
}

/* ---- Over the ranks -------------------------------------------------------------------------------------------------- */

void mfft_timing_align(void) { job.aligned = mfft_process_now(); }

/* Reduces the phases, and after them their sum, in one exchange for each kind of reduction. */
static void compare(const mfft_phase_times *mine, compared all[MFFT_PHASES + 1]) {
  enum { ROWS = MFFT_PHASES + 1 };
  struct {
    double seconds;
    int rank;
  } place[ROWS];
  double sum[ROWS], processor[ROWS];
  sum[MFFT_PHASES] = processor[MFFT_PHASES] = 0;
  for (int i = 0; i < MFFT_PHASES; i++) {
    sum[MFFT_PHASES] += sum[i] = mine->seconds[i];
    processor[MFFT_PHASES] += processor[i] = mine->processor[i];
  }
  for (int i = 0; i < ROWS; i++) {
    place[i].seconds = sum[i];
    place[i].rank = mfft_app_rank();
  }
  mfft_app_reduce(place, ROWS, MPI_DOUBLE_INT, MPI_MAXLOC, "comparing times");
  mfft_app_reduce(sum, ROWS, MPI_DOUBLE, MPI_SUM, "adding up times");
  mfft_app_reduce(processor, ROWS, MPI_DOUBLE, MPI_MAX, "comparing times of processors");
  for (int i = 0; i < ROWS; i++)
    all[i] = (compared){place[i].seconds, sum[i] / mfft_app_ranks(), place[i].rank, processor[i]};
}

/* A row of the table for each phase that any rank has entered. */
static int is_shown(const compared *phase) { return phase->slowest > 0; }

static void write_row(const char *name, const compared *c) {
  mfft_json_object(job.json, NULL);
  mfft_json_string(job.json, "name", name);
  mfft_json_number(job.json, "seconds", c->slowest);
  mfft_json_integer(job.json, "rank", c->rank);
  mfft_json_number(job.json, "mean_s", c->mean);
  mfft_json_number(job.json, "processor_s", c->processor);
  mfft_json_end(job.json);
}

/* The last row, "total", is the sum. */
static void write_phases(const compared *phase /* [MFFT_PHASES] */, const compared *total) {
  mfft_json_array(job.json, "phases");
  for (int i = 0; i < MFFT_PHASES; i++)
    if (is_shown(&phase[i])) write_row(mfft_phase_name((mfft_job_phase)i), &phase[i]);
  write_row("total", total);
  mfft_json_end(job.json);
}

/* ---- One of several fields ------------------------------------------------------------------------------------------- */

/* Subtracts the times of an earlier moment. */
static void subtract(mfft_phase_times *times, const mfft_phase_times *before) {
  for (int i = 0; i < MFFT_PHASES; i++) {
    times->seconds[i] -= before->seconds[i];
    times->processor[i] -= before->processor[i];
  }
}

void mfft_timing_field_begin(const char *input, int several) {
  job.input = input;
  job.several = several;
  mfft_phases_times(&job.begun);
}

mfft_timing_held mfft_timing_field_hold(void) {
  mfft_timing_held held = {.input = job.input};
  mfft_phases_times(&held.times);
  subtract(&held.times, &job.begun);
  return held;
}

void mfft_timing_field_resume(const mfft_timing_held *held) {
  job.input = held->input;
  mfft_phases_times(&job.begun);
  subtract(&job.begun, &held->times);
}

void mfft_timing_field_describe(void) {
  if (mfft_fields_pattern(job.options->json))
    begin_json();
  else if (job.several && job.json) {
    if (!job.array) mfft_json_array(job.json, "fields");
    job.array = 1;
    mfft_json_object(job.json, NULL);
  }
}

/* The file of one field. */
static mfft_status save_field(void) {
  char *name = mfft_fields_name(job.options->json, job.input);
  mfft_json_end(job.json);
  const mfft_status status =
      name ? mfft_json_save(job.json, name) : mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the name of a file");
  free(name);
  mfft_json_destroy(job.json);
  job.json = NULL;
  return status;
}

mfft_status mfft_timing_field_end(void) {
  mfft_phase_times times; /* since the field was begun */
  compared all[MFFT_PHASES + 1];
  const int alone = mfft_fields_pattern(job.options->json);
  if (!alone && !job.several) return MFFT_SUCCESS;
  mfft_phases_times(&times);
  subtract(&times, &job.begun);
  if (job.options->json) compare(&times, all);
  if (!job.json) return MFFT_SUCCESS;
  mfft_json_number(job.json, "total_s", all[MFFT_PHASES].slowest);
  if (alone) write_phases(all, &all[MFFT_PHASES]);
  if (alone) return save_field();
  mfft_json_end(job.json);
  return MFFT_SUCCESS;
}

/* ---- The bound ------------------------------------------------------------------------------------------------------- */

mfft_status mfft_timing_bound(const char *input, int64_t read_bytes, const char *output, int64_t write_bytes) {
  if (!job.options->bound) return MFFT_SUCCESS;
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_BOUND);
  double seconds[2] = {0, 0}; /* [read, written] */
  mfft_status status = input ? mfft_plain_read(input, &read_bytes, &seconds[0]) : MFFT_SUCCESS;
  if (status == MFFT_SUCCESS && output) status = mfft_plain_write(output, write_bytes, &seconds[1]);
  job.plain_bytes[0] += input ? read_bytes : 0;
  job.plain_bytes[1] += output ? write_bytes : 0;
  for (int i = 0; i < 2; i++) job.plain_s[i] += seconds[i];
  mfft_phase_enter(before);
  return status;
}

/* The bound of a job that reads and writes at the same time, and takes a second to start, and the time that it took without
 * the bound's own measurement. */
static void note_bound(void) {
  const double slower = fmax(job.plain_s[0], job.plain_s[1]), own = job.total.slowest - job.phase[MFFT_PHASE_BOUND].slowest;
  if (!job.options->bound) return;
  mfft_timing_note(
      "plain reads of %.3g GiB took %.3g s, plain writes of %.3g GiB with fsync %.3g s; the job took %.3g s, which "
      "is %.2f times the slower of both and 1 s for starting\n",
      (double)job.plain_bytes[0] / 0x1p30, job.plain_s[0], (double)job.plain_bytes[1] / 0x1p30, job.plain_s[1], own,
      own / (slower + 1));
  mfft_json_object(job.json, "bound");
  mfft_json_integer(job.json, "read_bytes", job.plain_bytes[0]);
  mfft_json_number(job.json, "read_s", job.plain_s[0]);
  mfft_json_integer(job.json, "write_bytes", job.plain_bytes[1]);
  mfft_json_number(job.json, "write_s", job.plain_s[1]);
  mfft_json_number(job.json, "ratio", own / (slower + 1));
  mfft_json_end(job.json);
}

/* Notes how the fields of a GPU were read and written: by direct transfers, or through host memory. */
static void note_direct(void) {
  if (!(job.direct[0] > 0)) return;
  if (job.direct[1] > 0 || job.direct[2] > 0)
    mfft_timing_note("GPUDirect Storage read %.3g GiB and wrote %.3g GiB\n", job.direct[1] / 0x1p30, job.direct[2] / 0x1p30);
  if (job.direct_why[0]) mfft_timing_note("fields went through host memory: %s\n", job.direct_why);
  mfft_json_object(job.json, "gpudirect_storage");
  mfft_json_number(job.json, "read_bytes", job.direct[1]);
  mfft_json_number(job.json, "written_bytes", job.direct[2]);
  mfft_json_string(job.json, "why_not", job.direct_why[0] ? job.direct_why : NULL);
  mfft_json_end(job.json);
}

/* Notes ranks that are bound to few cores: Open MPI binds each rank of one or two to one core, which makes files slow, and
 * nothing else would show why. */
static void note_binding(void) {
  enum { MANY = 4 }; /* cores a rank, from which on more threads are faster for certain */
  if (mfft_environment_cores() > 1) return;
  const int cores = mfft_environment_free_cores();
  if (cores / mfft_node_ranks() >= MANY)
    mfft_timing_note(
        "rank 0 is bound to one of %d cores, so its files are read and written on that one; mpirun --bind-to none "
        "lets it use its share of all\n",
        cores);
}

/* ---- All of the job -------------------------------------------------------------------------------------------------- */

/* This rank's spans in the form of the picture, with times that count from the moment of mfft_timing_align. */
static mfft_timeline_span *convert_spans(int64_t *count) {
  int64_t dropped;
  const mfft_phase_span *span = mfft_phase_spans(count, &dropped);
  mfft_timeline_span *to = calloc((size_t)*count + 1, sizeof *to);
  if (dropped) mfft_app_note("the picture of the job leaves out %lld short spans of time", (long long)dropped);
  for (int64_t i = 0; i < *count && to; i++) {
    to[i] = (mfft_timeline_span){.rank = mfft_app_rank(),
                                 .queue = span[i].thread,
                                 .kind = span[i].phase,
                                 .start_s = span[i].start_s - job.aligned,
                                 .end_s = span[i].end_s - job.aligned};
    snprintf(to[i].queue_name, sizeof to[i].queue_name, span[i].thread ? "thread %d" : "main thread", span[i].thread);
    snprintf(to[i].label, sizeof to[i].label, "%s", mfft_phase_name(span[i].phase));
  }
  return to;
}

void mfft_timing_gather(void) {
  compared all[MFFT_PHASES + 1];
  if (!job.options) return;
  mfft_phases_times(&job.gathered);
  compare(&job.gathered, all);
  memcpy(job.phase, all, sizeof job.phase);
  job.total = all[MFFT_PHASES];
  mfft_app_reduce(job.direct, 3, MPI_DOUBLE, MPI_SUM, "adding up transfers of GPUs");
  if (!job.options->plot) return;
  int64_t count;
  char title[sizeof job.timeline.title];
  mfft_timeline_span *mine = convert_spans(&count);
  snprintf(title, sizeof title, "mergefft %s on %d rank%s", job.command, mfft_app_ranks(), mfft_app_ranks() > 1 ? "s" : "");
  job.status = mfft_timeline_gather(mine, mine ? count : 0, title, &job.timeline);
  job.timeline.job = 1;
  free(mine);
}

/* ---- The end of the job ---------------------------------------------------------------------------------------------- */

/* The time on this rank since the gathering belongs to the final phase of all. */
static void add_close(void) {
  mfft_phase_times times;
  double since = 0, processor = 0;
  mfft_phases_times(&times);
  subtract(&times, &job.gathered);
  for (int i = 0; i < MFFT_PHASES; i++) since += times.seconds[i], processor += times.processor[i];
  compared *const rows[] = {&job.phase[MFFT_PHASE_CLOSE], &job.total};
  for (int i = 0; i < 2; i++) {
    rows[i]->slowest += since;
    rows[i]->mean += since;
    rows[i]->processor += processor;
  }
}

static void print_row(const char *name, const compared *c) {
  mfft_app_print("%-10s %12.4f", name, c->slowest);
  if (mfft_app_ranks() > 1) mfft_app_print(" %8d %12.4f", c->rank, c->mean);
  mfft_app_print("\n");
}

static void print_table(double launcher_s) {
  mfft_app_print("\n%-10s %12s%s\n", "phase", "seconds", mfft_app_ranks() > 1 ? "  of rank         mean" : "");
  for (int i = 0; i < MFFT_PHASES; i++)
    if (is_shown(&job.phase[i])) print_row(mfft_phase_name((mfft_job_phase)i), &job.phase[i]);
  print_row("total", &job.total);
  if (!isnan(launcher_s)) mfft_app_print("\nthe launcher took %.2f s before this\n", launcher_s);
  if (job.note[0] && isnan(launcher_s)) mfft_app_print("\n");
  fputs(job.note, stdout); /* the note has line breaks of its own, and is escaped */
}

static mfft_status write_json(double launcher_s) {
  mfft_json_number(job.json, "total_s", job.total.slowest);
  mfft_json_number(job.json, "launcher_s", launcher_s);
  write_phases(job.phase, &job.total);
  mfft_json_end(job.json);
  return mfft_json_save(job.json, job.options->json);
}

/* Rank 0's process starts at 0 in the picture. */
static mfft_status draw(void) {
  double first = 0;
  for (int64_t i = 0; i < job.timeline.count; i++) first = fmin(first, job.timeline.span[i].start_s);
  for (int64_t i = 0; i < job.timeline.count; i++) {
    job.timeline.span[i].start_s -= first;
    job.timeline.span[i].end_s -= first;
  }
  return mfft_timeline_save(&job.timeline, job.options->plot);
}

int mfft_timing_finish(void) {
  if (!job.options || mfft_app_rank() != 0) return MFFT_EXIT_OK;
  const double launcher_s = mfft_process_launcher_s();
  add_close();
  if (job.array) mfft_json_end(job.json);
  note_bound();
  note_direct();
  note_binding();
  if (job.table) print_table(launcher_s);
  mfft_status status = job.json ? write_json(launcher_s) : MFFT_SUCCESS;
  if (status == MFFT_SUCCESS) status = job.status;
  if (status == MFFT_SUCCESS && job.options->plot) status = draw();
  if (status != MFFT_SUCCESS) mfft_app_note("%s", mfft_app_message());
  mfft_json_destroy(job.json);
  mfft_timeline_destroy(&job.timeline);
  return status == MFFT_SUCCESS ? MFFT_EXIT_OK : MFFT_EXIT_FAILED;
}
