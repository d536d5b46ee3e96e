/* main.c: the mergefft command.  Finds the subcommand, parses its options, and runs it between MPI_Init and MPI_Finalize
 * where all ranks were started with the same. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "cli/cli_compare.h"
#include "cli/collective.h"
#include "cli/commands.h"
#include "cli/phases.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/start_mpi.h"
#include "cli/timing.h"
#include "fftw/run_fftw.h"
#include "io/untrusted_child.h"

static const mfft_command *const commands[] = {
#define MFFT_X(name) &mfft_command_##name,
    MFFT_COMMANDS(MFFT_X)
#undef MFFT_X
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int needs_hdf5(const char *name) {
  static const char *const names[] = {
#define MFFT_X(command) #command,
      MFFT_FIELD_COMMANDS(MFFT_X)
#undef MFFT_X
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) return 1;
  return 0;
}

static int wrong_command(const char *name) {
  if (!name) return mfft_cli_usage(NULL, "a command is missing");
  if (!needs_hdf5(name)) return mfft_cli_usage(NULL, "unknown %s '%s'", name[0] == '-' ? "option" : "command", name);
  if (mfft_cli_prints()) /* the command exists in a build with HDF5 */
    fprintf(stderr, "mergefft: '%s' needs HDF5, which this build lacks; install libhdf5-dev and build again\n", name);
  return MFFT_EXIT_FAILED;
}

static const mfft_command *find_command(const char *name) {
  for (int i = 0; i < COMMANDS; i++)
    if (!strcmp(name, commands[i]->name)) return commands[i];
  return NULL;
}

/* The request of the command line. */
typedef struct request {
  int code;                    /* MFFT_CLI_RUN, or the exit code where there is nothing to run */
  const mfft_command *command; /* to run, or NULL */
  void *values;                /* [command->values_bytes] */
} request;

static int parse_command(const mfft_command *command, int argc, char **argv, request *r) {
  r->values = calloc(1, command->values_bytes + 1);
  if (!r->values) {
    fprintf(stderr, "mergefft: out of memory\n");
    return MFFT_EXIT_FAILED;
  }
  const int code = mfft_cli_parse(command, argc, argv, 2, r->values);
  if (code == MFFT_CLI_RUN) r->command = command;
  return code;
}

static int parse(int argc, char **argv, request *r) {
  const char *name = argc > 1 ? argv[1] : NULL;
  if (!name) return wrong_command(NULL);
  const int help = !strcmp(name, "help"), version = !strcmp(name, "--version");
  if (help && argc > 2) { /* `mergefft help gen` is `mergefft gen --help` */
    const mfft_command *command = find_command(argv[2]);
    if (!command) return wrong_command(argv[2]);
    if (mfft_cli_prints()) mfft_cli_help(command);
    return MFFT_EXIT_OK;
  }
  if (help || version || !strcmp(name, "--help") || !strcmp(name, "-h")) {
    if (mfft_cli_prints()) version ? mfft_cli_version() : mfft_cli_overview(commands, COMMANDS);
    return MFFT_EXIT_OK;
  }
  const mfft_command *command = find_command(name);
  return command ? parse_command(command, argc, argv, r) : wrong_command(name);
}

/* Calls what a command begins before anything that takes time, such as MPI_Init. */
static void start(int argc, char **argv) {
  const mfft_command *command = argc > 1 ? find_command(argv[1]) : NULL;
  if (command && command->start) command->start();
}

/* The request in words that ranks can compare. */
static const char *name_request(const request *r) {
  static char words[512];
  if (r->command) return r->command->name;
  if (r->code == MFFT_EXIT_OK) return "help";
  snprintf(words, sizeof words, "wrong (%.480s)", r->code == MFFT_EXIT_USAGE ? mfft_cli_usage_words() : "it cannot run");
  return words;
}

/* Runs the command, if there is one, where all ranks ask for the same. */
static int run(const request *r) {
  mfft_app_begin(r->command ? r->command->name : NULL);
  if (mfft_app_failed(mfft_cli_compare(name_request(r), r->command, r->values))) return MFFT_EXIT_FAILED;
  mfft_timing_align();
  mfft_phase_enter(MFFT_PHASE_OTHER);
  mfft_app_when_waiting = mfft_phase_wait;
  if (!r->command) return r->code;
  const int code = r->command->run(r->values);
  mfft_phase_enter(MFFT_PHASE_CLOSE);
  mfft_progress_end();
  if (code == MFFT_EXIT_OK) mfft_timing_gather();
  return code;
}

/* The work after MPI has ended: the times of the job are reported, of which that end is a part. */
static int finish(const request *r) {
  int code = r->code == MFFT_EXIT_OK && r->command ? mfft_timing_finish() : r->code;
  /* Results that did not reach a full disk or a closed pipe are no results. */
  if (r->command && (fflush(stdout) || ferror(stdout)) && code == MFFT_EXIT_OK) {
    fprintf(stderr, "mergefft %s: cannot write the results to stdout\n", r->command->name);
    code = MFFT_EXIT_FAILED;
  }
  return code;
}

/* Help and errors of usage need no MPI where a process is alone, so that they work where MPI does not.  One of several must
 * not end before MPI_Init: the others, asked for something else, would wait there for it without end. */
int main(int argc, char **argv) {
  mfft_phases_begin();
  start(argc, argv);
#ifdef MFFT_HAVE_HDF5
  mfft_untrusted_child(argc, argv);
#endif
  const int ran = mfft_run_fftw(argc, argv); /* returns only where there is no program to run */
  if (ran >= 0) return ran;
  const int launched = mfft_cli_launched();
  signal(SIGXFSZ, SIG_IGN); /* a result that does not fit under the limit of file sizes is an error with a message */
  request r = {0};
  mfft_phase_enter(MFFT_PHASE_MPI);
  if (launched) mfft_app_start_mpi(argc, argv);
  r.code = parse(argc, argv, &r);
  if (launched || r.command) {
    if (!launched) mfft_app_start_mpi(argc, argv);
    r.code = run(&r);
    MPI_Finalize();
    r.code = finish(&r);
  } else if (r.code != MFFT_EXIT_OK && !mfft_cli_prints()) {
    /* A launcher ends all ranks when the first one fails: give the one that prints the time to do so. */
    nanosleep(&(struct timespec){1, 0}, NULL);
  }
  free(r.values);
  return r.code;
}
