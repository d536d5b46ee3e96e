/* cli_values.h: a command with an option of each kind of values, for tests of their parsing.  CHOICE_FALLBACK: the default
 * of
 * --choice, NULL: none.  Include it after the sources of the parser. */
#ifndef TEST_CLI_VALUES_H
#define TEST_CLI_VALUES_H

typedef struct shared_values {
  int64_t deep;
  const char *name;
} shared_values;

typedef struct values {
  const char *operand[2], *text;
  int flag, choice, grid[2];
  int64_t count;
  double real;
  mfft_cli_sizes n;
  mfft_cli_reals box;
  shared_values shared;
} values;

#define AT(member) offsetof(values, member)
static const mfft_cli_option shared[] = {
    {"deep", 'd', MFFT_CLI_INT, offsetof(shared_values, deep), "N", .help = "", .fallback = "7", .max = 9},
    {"name", 0, MFFT_CLI_TEXT, offsetof(shared_values, name), "NAME", .help = ""},
    {0}};
static const mfft_cli_option options[] = {
    {"text", 't', MFFT_CLI_TEXT, AT(text), "T", .help = ""},
    {"flag", 'f', MFFT_CLI_FLAG, AT(flag), .help = ""},
    {"shared", 0, MFFT_CLI_TABLE, AT(shared), .table = shared},
    {"choice", 0, MFFT_CLI_CHOICE, AT(choice), "C", "", .fallback = CHOICE_FALLBACK, .choices = "one|two|three"},
    {"grid", 0, MFFT_CLI_GRID, AT(grid), "PxQ", "", .max = 64},
    {"count", 'c', MFFT_CLI_INT, AT(count), "N", "", .min = -3, .max = 9e15},
    {"real", 'r', MFFT_CLI_REAL, AT(real), "X", .help = ""},
    {"n", 'n', MFFT_CLI_SIZES, AT(n), "N", "", .min = 1, .max = 1 << 20},
    {"box", 'L', MFFT_CLI_REALS, AT(box), "L", "", .min = 1e-30, .max = 1e30},
    {0}};
static int nothing(void *unused) { return unused != NULL; }
static const mfft_command command = {.name = "test",
                                     .summary = "",
                                     .operands = "IN",
                                     .max_operands = 2,
                                     .operands_offset = AT(operand),
                                     .description = "",
                                     .options = options,
                                     .values_bytes = sizeof(values),
                                     .run = nothing};

#endif
