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

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Exit codes of the command. */
enum { MFFT_EXIT_OK = 0, MFFT_EXIT_FAILED = 1, MFFT_EXIT_USAGE = 2 };

/* One to three lengths, as 256 or 64x32x128 (64,32,128 is read too).  A single one is repeated in v[1] and v[2]. */
typedef struct mfft_cli_sizes {
  int count; /* number of lengths given; 0: the option is absent and has no default */
  int64_t v[3];
} mfft_cli_sizes;

/* One number or three; a single one is repeated in v[1] and v[2]. */
typedef struct mfft_cli_reals {
  int count;   /* 0, 1 or 3 */
  double v[3]; /* [count] */
} mfft_cli_reals;

/* The kind of an option's value, its C type, and the value if the option is absent without a default. */
typedef enum mfft_cli_type {
  MFFT_CLI_FLAG,   /* nothing; int; 0, and 1 if given */
  MFFT_CLI_INT,    /* integer in [min, max]; int64_t; INT64_MIN */
  MFFT_CLI_REAL,   /* finite number in [min, max]; double; NAN */
  MFFT_CLI_TEXT,   /* text that is not empty; const char *, points into argv; NULL */
  MFFT_CLI_CHOICE, /* one word of `choices`; int, its place from 0; -1 */
  MFFT_CLI_SIZES,  /* N, NxN or NxNxN, each in [min, max]; mfft_cli_sizes; count 0 */
  MFFT_CLI_REALS,  /* X or X,Y,Z, each finite in [min, max]; mfft_cli_reals; count 0 */
  MFFT_CLI_GRID,   /* PxQ, each in [min, max]; int[2]; {0,0} */
  MFFT_CLI_TABLE   /* no option: inserts those of `table`, their values in the struct at `offset`; any name */
} mfft_cli_type;

typedef struct mfft_cli_option {
  const char *name; /* long name without dashes */
  char letter;      /* short name, or 0 */
  mfft_cli_type type;
  size_t offset;                       /* of the value in the struct of values */
  const char *argument;                /* what --help calls the value: "FILE" */
  const char *help;                    /* one sentence or a few, wrapped by --help */
  const char *fallback;                /* the default as a user would type it, or NULL */
  const char *choices;                 /* "one|two|three" */
  double min, max;                     /* both 0: any */
  int required;                        /* 1: absence is a usage error */
  const struct mfft_cli_option *table; /* of MFFT_CLI_TABLE: options that several commands share */
} mfft_cli_option;

/* A subcommand.  The parser stores operands (arguments that are no options) at operands_offset, a const char *[max_operands]
 * in the struct of values. */
typedef struct mfft_command {
  const char *name;
  const char *summary;  /* a few words for `mergefft --help` */
  const char *operands; /* for the usage line, such as "IN.h5", or "" */
  int min_operands, max_operands;
  size_t operands_offset;
  const char *description; /* the body of --help: paragraphs separated by an empty line; lines that begin with a space are
                              printed as they are */
  const mfft_cli_option *options; /* ended by a NULL name */
  size_t values_bytes;
  int (*run)(void *values); /* SPMD, between MPI_Init and MPI_Finalize; returns the exit code, the same on every rank */
  void (*start)(void);      /* called as soon as the process starts, before MPI_Init and all checks; NULL: nothing */
} mfft_command;

enum { MFFT_CLI_RUN = -1 }; /* parsed: run it */

/* Parses argv[first..argc) into `values` (values_bytes, zeroed by the parser).  MFFT_CLI_RUN, or an exit code after --help,
 * --version or a usage error, whose text has been printed already (by one rank only). */
int mfft_cli_parse(const mfft_command *command, int argc, char **argv, int first, void *values);

/* Option i of a command, those of tables within its table in their places, or NULL beyond the last; `base` (may be NULL) is
 * where the struct that its offset counts in begins within the struct of values. */
const mfft_cli_option *mfft_cli_option_at(const mfft_command *command, int i, size_t *base);

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

/* One value as the parser reads it: 0, or -1 with the reason in `why` ("must be a whole number from 1 to 9"). */
enum { MFFT_CLI_WHY_BYTES = 256 };
int mfft_cli_read_int(const char *text, double min, double max, int64_t *value, char *why);
int mfft_cli_read_real(const char *text, double min, double max, double *value, char *why);
int mfft_cli_read_value(const mfft_cli_option *option, const char *text, void *value, char *why);

/* A parsed value as a user would type it; "not given" if it is absent without a default. */
void mfft_cli_write_value(const mfft_cli_option *option, const void *value, FILE *out);

/* The index of `text` among "one|two|three", or -1; the word at an index ("" if there is none), in a static buffer. */
int mfft_cli_choice(const char *choices, const char *text);
const char *mfft_cli_choice_name(const char *choices, int place);

/* Prints the page of a command, or the list of commands, to stdout. */
void mfft_cli_help(const mfft_command *command);
void mfft_cli_overview(const mfft_command *const *commands, int count);
void mfft_cli_version(void);

#endif
