// TEST labels=apps
// The option parser: values of all kinds, their defaults, and that invalid ones end with status 2.
#include <unistd.h>

#include "../apps/cli/cli.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_option.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/number.c"
#include "check.h"

#define CHOICE_FALLBACK "two"
#include "cli_values.h"

/* Parses words separated by one space. */
static int parse(const char *line, values *v) {
  static char copy[256];
  char *argv[32] = {"mergefft", "test"};
  int argc = 2;
  snprintf(copy, sizeof copy, "%s", line);
  for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) argv[argc++] = word;
  return mfft_cli_parse(&command, argc, argv, 2, v);
}

static void good(void) {
  values v;
  CHECK(parse("", &v) == MFFT_CLI_RUN);
  CHECK(!v.text && !v.flag && v.choice == 1 && v.grid[0] == 0 && v.count == INT64_MIN && isnan(v.real) && v.n.count == 0 &&
        v.box.count == 0);
  CHECK(parse("a -f --text=x -c -3 --choice three --grid 2x3 --real -1.5e3 -n64 -L 1,2.5,4 b", &v) == MFFT_CLI_RUN);
  CHECK(!strcmp(v.operand[0], "a") && !strcmp(v.operand[1], "b") && !strcmp(v.text, "x") && v.flag == 1 && v.choice == 2);
  CHECK(v.grid[0] == 2 && v.grid[1] == 3 && v.count == -3 && v.real == -1500);
  CHECK(v.n.count == 1 && v.n.v[0] == 64 && v.n.v[1] == 64 && v.n.v[2] == 64);
  CHECK(v.box.count == 3 && v.box.v[0] == 1 && v.box.v[1] == 2.5 && v.box.v[2] == 4);
  CHECK(parse("--n 64x32x128 --count 9000000000000000 -- -f", &v) == MFFT_CLI_RUN);
  CHECK(v.n.count == 3 && v.n.v[1] == 32 && v.count == INT64_C(9000000000000000) && !v.flag && !strcmp(v.operand[0], "-f"));
  CHECK(parse("-t - -n 4,5,6", &v) == MFFT_CLI_RUN && !strcmp(v.text, "-") && v.n.count == 3 && v.n.v[1] == 5);
  CHECK(parse("", &v) == MFFT_CLI_RUN && v.shared.deep == 7 && !v.shared.name, "defaults of a shared table");
  CHECK(parse("-d 3 --name x -c 1", &v) == MFFT_CLI_RUN && v.shared.deep == 3 && !strcmp(v.shared.name, "x") &&
        v.count == 1);
  CHECK(parse("-c 1 -c 2", &v) == MFFT_CLI_RUN && v.count == 2, "the last one counts");
}

/* Without bounds the range of int64_t is the limit. */
static void without_bounds(void) {
  char why[MFFT_CLI_WHY_BYTES];
  int64_t value = 0;
  CHECK(mfft_cli_read_int("-9223372036854775808", 0, 0, &value, why) == 0 && value == INT64_MIN);
  CHECK(mfft_cli_read_int("9223372036854775808", 0, 0, &value, why) != 0 && strstr(why, "whole number"));
}

/* Two lengths, where an option takes shapes of planes too. */
static void two_lengths(void) {
  const mfft_cli_option option = {.type = MFFT_CLI_SIZES, .min = 1, .max = 9, .plane = 1};
  char why[MFFT_CLI_WHY_BYTES];
  mfft_cli_sizes n = {0};
  CHECK(mfft_cli_read_value(&option, "4x5", &n, why) == 0 && n.count == 2 && n.v[0] == 4 && n.v[1] == 5);
  CHECK(mfft_cli_read_value(&option, "4x5x6x7", &n, why) != 0 && strstr(why, "one to three lengths"), "%s", why);
}

static void bad(void) {
  static const char *const lines[] = {"-n 0",
                                      "-n -1",
                                      "-n nan",
                                      "-n inf",
                                      "-n 1.5",
                                      "-n 99999999999999999999",
                                      "-n 4x",
                                      "-n x4",
                                      "-n 4xx4",
                                      "-n 4x5",
                                      "-n 1x2x3x4",
                                      "-n 0x10",
                                      "-n 1048577",
                                      "-c 1e3",
                                      "-d 10",
                                      "--deap 1",
                                      "-c -4",
                                      "-c 9e99",
                                      "-r nan",
                                      "-r inf",
                                      "-r 1e999",
                                      "-r 1.0f",
                                      "-r 1,2",
                                      "-L 0",
                                      "-L -1",
                                      "-L 1,",
                                      "-L 1,2",
                                      "-L 1,2,3,4",
                                      "-L 1,nan",
                                      "--grid 2",
                                      "--grid 2x",
                                      "--grid 2x3x4",
                                      "--grid -1x2",
                                      "--grid 65x1",
                                      "-t",
                                      "-t -f",
                                      "--text",
                                      "--text=",
                                      "--choice",
                                      "--choice fou",
                                      "--choice=",
                                      "--choice one|two",
                                      "--flag=1",
                                      "-f1",
                                      "--unknown",
                                      "-x",
                                      "---",
                                      "a b c",
                                      "--real --flag",
                                      "-n 64x32x1111111111111111111111111111111111111"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    values v;
    CHECK(parse(lines[i], &v) == MFFT_EXIT_USAGE, "'%s'", lines[i]);
  }
}

int main(void) {
  good();
  without_bounds();
  two_lengths();
  int saved_stderr = dup(2);
  FILE *quiet = freopen("usage.txt", "w", stderr); /* the usage lines of `bad`, one each */
  bad();
  fflush(stderr);
  dup2(saved_stderr, 2);
  int lines = 0;
  FILE *said = fopen("usage.txt", "r");
  for (int c; said && quiet && (c = getc(said)) != EOF;) lines += c == '\n';
  CHECK(test_failures == 0, "see usage.txt");
  CHECK(lines == 50, "%d lines of usage for 50 errors", lines);
  if (said) fclose(said);
  return test_end();
}
