/* main.c: the mergefft command.  Finds the subcommand, parses its options before MPI starts, and runs it between MPI_Init
 * and MPI_Finalize. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "commands.h"
#include "progress.h"
#include "report.h"

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
  if (name && needs_hdf5(name)) { /* it would have been found in a build with HDF5 */
    if (mfft_cli_speaks())
      fprintf(stderr, "mergefft: '%s' needs HDF5, which this build lacks; install libhdf5-dev and build again\n", name);
    return MFFT_EXIT_FAILED;
  }
  if (!mfft_cli_speaks()) return MFFT_EXIT_USAGE;
  char shown[256];
  mfft_escape(name, shown, sizeof shown);
  if (!name)
    fprintf(stderr, "mergefft: a command is missing; see `mergefft --help`\n");
  else
    fprintf(stderr, "mergefft: unknown %s '%s'; see `mergefft --help` for the commands\n",
            name[0] == '-' ? "option" : "command", shown);
  return MFFT_EXIT_USAGE;
}

static int run(const mfft_command *command, int argc, char **argv) {
  void *values = calloc(1, command->values_bytes + 1);
  if (!values) {
    fprintf(stderr, "mergefft: out of memory\n");
    return MFFT_EXIT_FAILED;
  }
  int code = mfft_cli_parse(command, argc, argv, 2, values);
  if (code == MFFT_CLI_RUN) {
    MPI_Init(NULL, NULL);
    mfft_app_begin(command->name);
    code = command->run(values);
    mfft_progress_end();
    /* Results that did not reach a full disk or a closed pipe are no results. */
    if ((fflush(stdout) || ferror(stdout)) && code == MFFT_EXIT_OK) {
      fprintf(stderr, "mergefft %s: cannot write the results to stdout\n", command->name);
      code = MFFT_EXIT_FAILED;
    }
    MPI_Finalize();
  }
  free(values);
  return code;
}

static int choose(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : NULL;
  if (!name) return wrong_command(NULL);
  if (!strcmp(name, "help") && argc > 2) { /* `mergefft help gen` is `mergefft gen --help` */
    for (int i = 0; i < COMMANDS; i++)
      if (!strcmp(argv[2], commands[i]->name) && mfft_cli_speaks()) mfft_cli_help(commands[i]);
    for (int i = 0; i < COMMANDS; i++)
      if (!strcmp(argv[2], commands[i]->name)) return MFFT_EXIT_OK;
    return wrong_command(argv[2]);
  }
  if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help") || !strcmp(name, "--version")) {
    if (mfft_cli_speaks()) strcmp(name, "--version") ? mfft_cli_overview(commands, COMMANDS) : mfft_cli_version();
    return MFFT_EXIT_OK;
  }
  for (int i = 0; i < COMMANDS; i++)
    if (!strcmp(name, commands[i]->name)) return run(commands[i], argc, argv);
  return wrong_command(name);
}

int main(int argc, char **argv) {
  int code = choose(argc, argv), begun = 0;
  MPI_Initialized(&begun);
  /* A launcher ends all ranks when the first one fails: give the one that speaks the time to do so. */
  if (code != MFFT_EXIT_OK && !begun && !mfft_cli_speaks()) nanosleep(&(struct timespec){1, 0}, NULL);
  return code;
}
