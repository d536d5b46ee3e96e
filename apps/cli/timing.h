/* timing.h: the times of a whole job, which every command that works on fields reports in the same form: a table, JSON and a
 * picture, from the phases of all ranks (phases.h).
 *
 * The time of a job is that from the start of the process to its end, of which the end of MPI is a part; so the command
 * hands over its results, and main.c finishes table and JSON when MPI has been finalized on rank 0.
 *
 *     mfft_timing_begin(&values->timing, "poisson", 1);
 *     ...
 *     mfft_json_string(mfft_timing_json(), "input", path);
 *     mfft_timing_note("copies took %g s\n", seconds);
 */
#ifndef MFFT_APPS_TIMING_H
#define MFFT_APPS_TIMING_H

#include "cli/cli.h"
#include "cli/phases.h"
#include "cli/report.h"
#include "cli/targets.h"
#include "io/json.h"

typedef struct mfft_timing_options {
  const char *json, *plot;
  int bound;
} mfft_timing_options;
extern const mfft_cli_option mfft_timing_options_table[];

/* The files of these options, for mfft_targets_check. */
enum { MFFT_TIMING_TARGETS = 2 };
void mfft_timing_targets(const mfft_timing_options *options, mfft_target targets[MFFT_TIMING_TARGETS]);

/* table: 1 prints the table at the end of the job, unless the JSON goes to stdout; --bound prints it in any case, since its
 * line follows the table. */
void mfft_timing_begin(const mfft_timing_options *options, const char *command, int table);

/* The JSON object of --timing on rank 0, for what the command reports in addition to the times, with the command's name and
 * its environment in it already; NULL, which all calls of json.h accept, elsewhere and without --timing. */
mfft_json *mfft_timing_json(void);

/* One of several fields: begin when work on it begins, end when it has succeeded; in between the command tells of it by
 * mfft_timing_json.  Where the name of --timing is a pattern (io/fields.h) each field gets a file of its own, with the time
 * since its beginning and the phases of that; else, of several, a member of the array "fields".  Where there is one field,
 * and no pattern, nothing happens.  end is collective. */
void mfft_timing_field_begin(const char *input, int several);
void mfft_timing_field_describe(void); /* before the first call of json.h */
mfft_status mfft_timing_field_end(void);

/* A field whose time stands still while another one is worked on: hold keeps the field and its times so far, resume goes on
 * with it from there. */
typedef struct mfft_timing_held {
  const char *input;
  mfft_phase_times times; /* since its beginning */
} mfft_timing_held;
mfft_timing_held mfft_timing_field_hold(void);
void mfft_timing_field_resume(const mfft_timing_held *held);

/* With --bound: the time of plain reads of the first bytes of a file (NULL: none) and of plain writes of as many bytes to a
 * temporary file next to another one (NULL: none); added up over the calls, and printed at the end.  Collective. */
mfft_status mfft_timing_bound(const char *input, int64_t read_bytes, const char *output, int64_t write_bytes);

/* Notes what GPUDirect Storage has moved on this rank: bytes read and written are added up over the calls, and over the
 * ranks in the reports.  why: NULL, or the reason why a field went through host memory, of which the first is reported. */
void mfft_timing_direct(double read_bytes, double written_bytes, const char *why);

/* Text that follows the table. */
void mfft_timing_note(const char *format, ...) MFFT_APP_PRINTF(1, 2);

/* Times that all ranks share; see phases.h for the names.  A rank with another clock: its times count from a moment that all
 * ranks have left together, which mfft_timing_align marks. */
void mfft_timing_align(void);

/* Collective: compares the phases of all ranks, and collects the spans for the picture.  Nothing to do where no command has
 * begun. */
void mfft_timing_gather(void);

/* Rank 0, with or without MPI: prints the table, writes JSON and picture; the exit code. */
int mfft_timing_finish(void);

#endif
