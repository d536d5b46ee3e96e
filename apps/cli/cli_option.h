/* cli_option.h: the description of a subcommand and its options, which cli.h parses, cli_help.h prints and cli_compare.h
 * compares between ranks. */
#ifndef MFFT_APPS_CLI_OPTION_H
#define MFFT_APPS_CLI_OPTION_H

#include <stddef.h>
#include <stdint.h>

/* Exit codes of the command. */
enum { MFFT_EXIT_OK = 0, MFFT_EXIT_FAILED = 1, MFFT_EXIT_USAGE = 2 };

/* One length or three, with `plane` also two, as 256 or 64x32x128 (64,32,128 is read too).  A single one is repeated in v[1]
 * and v[2]. */
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
  MFFT_CLI_SIZES,  /* N or NxNxN, each in [min, max]; mfft_cli_sizes; count 0 */
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
  int plane;                           /* of MFFT_CLI_SIZES: 1: two lengths are valid too */
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

/* Option i of a command, those of tables within its table in their places, or NULL beyond the last; `base` (may be NULL) is
 * where the struct that its offset counts in begins within the struct of values. */
const mfft_cli_option *mfft_cli_option_at(const mfft_command *command, int i, size_t *base);

#endif
