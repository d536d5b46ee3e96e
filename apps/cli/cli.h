/* cli.h: the command line of a subcommand, driven by one table of options.
 *
 * A subcommand describes itself with one mfft_command: its options point into a struct of values by offsetof, so that the
 * same table parses, checks, fills in defaults and prints --help.  The parser needs no MPI and looks only at argv, so that
 * --help, --version and usage errors work without mpirun, and every rank comes to the same answer from the same arguments.
 *
 *     struct values { const char *output; int64_t seed; mfft_cli_sizes n; };
 *     static const mfft_cli_option options[] = {
 *         {"output", 'o', MFFT_CLI_TEXT, offsetof(struct values, output), "FILE", "the file to write", .required = 1},
 *         {"seed", 0, MFFT_CLI_INT, offsetof(struct values, seed), "N", "number of the realisation", .fallback = "1",
 *          .min = 0, .max = 1e15},
 *         {0}};
 */
#ifndef MFFT_APPS_CLI_H
#define MFFT_APPS_CLI_H

#include "cli/cli_help.h"
#include "cli/cli_option.h"
#include "cli/cli_value.h"

enum { MFFT_CLI_RUN = -1 }; /* parsed: run it */

/* Parses argv[first..argc) into `values` (values_bytes, zeroed by the parser).  MFFT_CLI_RUN, or an exit code after --help,
 * --version or a usage error, whose text has been printed already (by one rank only). */
int mfft_cli_parse(const mfft_command *command, int argc, char **argv, int first, void *values);

/* An option that acts only beside others: its name, whether they are there, and what it is for. */
typedef struct mfft_cli_need {
  const char *name;
  int met;
  const char *purpose;
} mfft_cli_need;

/* Refuses the first of these options that the command line parsed last has, though its need is not met: it would have no
 * effect without a word.  MFFT_EXIT_OK, or a usage error "--NAME is for PURPOSE; omit it". */
int mfft_cli_check_needs(const mfft_command *command, const mfft_cli_need *need /* [count] */, int count);

/* 1 if the command line parsed last has this option, which may have a default. */
int mfft_cli_given(const mfft_command *command, const char *name);

/* Prints one line, "mergefft NAME: words; see `mergefft NAME --help`", on rank 0's stderr and returns MFFT_EXIT_USAGE: for
 * checks that a table cannot make, such as options that exclude each other.  Works before and after MPI_Init; command NULL:
 * of mergefft itself. */
int mfft_cli_usage(const mfft_command *command, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* The text of the last mfft_cli_usage of this process, printed by it or not; "" if there was none. */
const char *mfft_cli_usage_words(void);

/* 1 if a launcher has started this process as one of several, according to the environment (Open MPI, MPICH, MVAPICH2). */
int mfft_cli_launched(void);

/* 1 if this process is the one that prints: rank 0 by MPI if it is initialised, otherwise by the launcher's environment
 * (Open MPI, MPICH, PMIx, Slurm), and any process started without a launcher. */
int mfft_cli_prints(void);

#endif
