/* cli.c: parses argv by the table of a command. */
#include "cli/cli.h"

#include <ctype.h>
#include <math.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mfft.h"
#include "mfft_inspect.h"

int mfft_cli_prints(void) {
  /* One of these is the rank of a process that a launcher started; srun and recent mpirun set that of PMIx. */
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK",
                                      "SLURM_PROCID"};
  int initialized = 0, finalized = 0, rank = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (initialized && !finalized) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value) return atoi(value) == 0;
  }
  return 1;
}

int mfft_cli_launched(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value) return atoi(value) > 1;
  }
  return 0;
}

static char usage_words[1024];

const char *mfft_cli_usage_words(void) { return usage_words; }

int mfft_cli_usage(const mfft_command *command, const char *format, ...) {
  const char *blank = command ? " " : "", *name = command ? command->name : "";
  char words[sizeof usage_words];
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  mfft_escape(words, usage_words, sizeof usage_words);
  if (!mfft_cli_prints()) return MFFT_EXIT_USAGE;
  fflush(stdout);
  fprintf(stderr, "mergefft%s%s: %s; see `mergefft%s%s --help`\n", blank, name, usage_words, blank, name);
  return MFFT_EXIT_USAGE;
}

/* The number of letters that differ, the difference of lengths included: enough to detect a typing error. */
static int distance(const char *a, const char *b) {
  enum { MOST = 40 };
  int row[MOST + 1]; /* [letters of b, and none] */
  int n = (int)strlen(a), m = (int)strlen(b);
  if (n > MOST || m > MOST) return MOST;
  for (int j = 0; j <= m; j++) row[j] = j;
  for (int i = 1; i <= n; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      int above = row[j];
      int best = diagonal + (a[i - 1] != b[j - 1]);
      if (above + 1 < best) best = above + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
      diagonal = above;
    }
  }
  return row[m];
}

static int unknown_option(const mfft_command *command, const char *given, const char *name) {
  const mfft_cli_option *nearest = NULL, *option;
  for (int i = 0; (option = mfft_cli_option_at(command, i, NULL)); i++)
    if (!nearest || distance(name, option->name) < distance(name, nearest->name)) nearest = option;
  if (nearest && strlen(name) > 2 && distance(name, nearest->name) <= 2)
    return mfft_cli_usage(command, "unknown option %s, did you mean --%s?", given, nearest->name);
  return mfft_cli_usage(command, "unknown option %s", given);
}

static void set_defaults(const mfft_command *command, char *values) {
  const mfft_cli_option *option;
  size_t base;
  memset(values, 0, command->values_bytes);
  for (int i = 0; (option = mfft_cli_option_at(command, i, &base)); i++) {
    char why[MFFT_CLI_WHY_BYTES];
    void *value = values + base + option->offset;
    if (option->type == MFFT_CLI_INT) *(int64_t *)value = INT64_MIN;
    if (option->type == MFFT_CLI_REAL) *(double *)value = NAN;
    if (option->type == MFFT_CLI_CHOICE) *(int *)value = -1;
    if (option->fallback) mfft_cli_read_value(option, option->fallback, value, why);
  }
}

/* An argument after an option is its value unless it looks like an option: -1.5 is a value, -x and --x are not. */
static int looks_like_option(const char *text) {
  return text[0] == '-' && (text[1] == '-' || isalpha((unsigned char)text[1]));
}

/* The index of the option that argv[i] names or -1, its name in `shown` for messages and its attached value (--name=value,
 * -xvalue) in `attached` or NULL there. */
static int find_option(const mfft_command *command, const char *text, char *shown, size_t size, const char **attached) {
  const mfft_cli_option *option;
  int is_long = text[1] == '-';
  size_t length = is_long ? strcspn(text, "=") : 2;
  snprintf(shown, size, "%.*s", (int)length, text);
  *attached = is_long ? (text[length] ? text + length + 1 : NULL) : (text[2] ? text + 2 : NULL);
  for (int i = 0; (option = mfft_cli_option_at(command, i, NULL)); i++)
    if (is_long ? !strcmp(shown + 2, option->name) : option->letter == text[1]) return i;
  return -1;
}

/* --help or --version anywhere before "--": prints it and returns the exit code, else MFFT_CLI_RUN. */
static int answer_help(const mfft_command *command, int argc, char **argv, int first) {
  for (int i = first; i < argc && strcmp(argv[i], "--"); i++) {
    const int help = !strcmp(argv[i], "--help") || !strcmp(argv[i], "-h");
    if (!help && strcmp(argv[i], "--version")) continue;
    if (mfft_cli_prints()) help ? mfft_cli_help(command) : mfft_cli_version();
    return MFFT_EXIT_OK;
  }
  return MFFT_CLI_RUN;
}

enum { MOST_OPTIONS = 64 };

static unsigned char last_given[MOST_OPTIONS]; /* of the command line parsed last */

int mfft_cli_given(const mfft_command *command, const char *name) {
  const mfft_cli_option *option;
  for (int i = 0; i < MOST_OPTIONS && (option = mfft_cli_option_at(command, i, NULL)); i++)
    if (!strcmp(option->name, name)) return last_given[i];
  return 0;
}

int mfft_cli_check_needs(const mfft_command *command, const mfft_cli_need *need, int count) {
  for (int i = 0; i < count; i++)
    if (!need[i].met && mfft_cli_given(command, need[i].name))
      return mfft_cli_usage(command, "--%s is for %s; omit it", need[i].name, need[i].purpose);
  return MFFT_EXIT_OK;
}

/* Reads the option at argv[*i], with its value if that is an argument of its own; an exit code, or MFFT_CLI_RUN. */
static int read_option(const mfft_command *command, int argc, char **argv, int *i, void *values,
                       unsigned char given[MOST_OPTIONS]) {
  char shown[64], why[MFFT_CLI_WHY_BYTES];
  const char *text = argv[*i], *value;
  size_t base;
  const int place = find_option(command, text, shown, sizeof shown, &value);
  if (place < 0) return unknown_option(command, shown, text[1] == '-' ? shown + 2 : shown + 1);
  const mfft_cli_option *option = mfft_cli_option_at(command, place, &base);
  if (place < MOST_OPTIONS) given[place] = 1;
  if (option->type == MFFT_CLI_FLAG) {
    if (value) return mfft_cli_usage(command, "%s takes no value, got '%s'", shown, value);
  } else if (!value) {
    if (*i + 1 == argc || looks_like_option(argv[*i + 1]))
      return mfft_cli_usage(command, "%s needs a value: %s %s", shown, shown, option->argument);
    value = argv[++*i];
  }
  if (mfft_cli_read_value(option, value, (char *)values + base + option->offset, why))
    return mfft_cli_usage(command, "%s %s: %s", shown, value, why);
  return MFFT_CLI_RUN;
}

static int check_required(const mfft_command *command, const unsigned char given[MOST_OPTIONS], int operand_count) {
  const mfft_cli_option *option;
  for (int i = 0; (option = mfft_cli_option_at(command, i, NULL)); i++)
    if (option->required && !given[i])
      return mfft_cli_usage(command, "--%s is missing: --%s %s", option->name, option->name, option->argument);
  if (operand_count < command->min_operands) return mfft_cli_usage(command, "%s is missing", command->operands);
  return MFFT_CLI_RUN;
}

int mfft_cli_parse(const mfft_command *command, int argc, char **argv, int first, void *values) {
  const char **operands = (const char **)((char *)values + command->operands_offset);
  int operand_count = 0, options_end = 0;
  unsigned char *given = memset(last_given, 0, sizeof last_given);
  int code = answer_help(command, argc, argv, first);
  set_defaults(command, values);
  for (int i = first; i < argc && code == MFFT_CLI_RUN; i++) {
    const char *text = argv[i];
    if (!options_end && !strcmp(text, "--"))
      options_end = 1;
    else if (!options_end && text[0] == '-' && text[1])
      code = read_option(command, argc, argv, &i, values, given);
    else if (operand_count == command->max_operands)
      code = mfft_cli_usage(command, "unexpected argument '%s', the command takes %s", text,
                            command->max_operands ? command->operands : "options only");
    else
      operands[operand_count++] = text;
  }
  return code == MFFT_CLI_RUN ? check_required(command, given, operand_count) : code;
}
