// TEST ranks=1,2,3 labels=apps
/* If ranks were started with different options, operands, subcommands or environments, all ranks report it, with the name
 * and the values as a user typed them and the ranks that have each; equal ones in different memory are equal. */
#include <mpi.h>
#include <time.h>

#include "../apps/cli/cli.c"
#include "../apps/cli/cli_compare.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_option.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/collective.c"
#include "../apps/cli/number.c"
#include "../apps/cli/option_words.c"
#include "../apps/cli/progress.c"
#include "../apps/cli/report.c"
#include "check.h"

#define CHOICE_FALLBACK NULL
#include "cli_values.h"

static int rank, ranks;

/* The message if the last rank has the second line and all others have the first. */
static const char *compare(const char *line, const char *last) {
  static char copy[256], words[MESSAGE_BYTES];
  char *argv[32] = {"mergefft", "test"};
  int argc = 2;
  values v;
  snprintf(copy, sizeof copy, "%s", ranks > 1 && rank == ranks - 1 ? last : line);
  for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) argv[argc++] = word;
  CHECK(mfft_cli_parse(&command, argc, argv, 2, &v) == MFFT_CLI_RUN, "%s, %s", line, last);
  mfft_status status = mfft_cli_compare("test", &command, &v);
  CHECK(status == MFFT_SUCCESS || status == MFFT_ERR_MISMATCH, "%s", mfft_strerror(status));
  snprintf(words, sizeof words, "%s", status == MFFT_SUCCESS ? "" : mfft_app_message());
  return words;
}

static void check_difference(const char *line, const char *last, const char *name, const char *value,
                             const char *last_value) {
  char want[256];
  const char *words = compare(line, last);
  if (ranks == 1)
    want[0] = 0;
  else if (ranks == 2)
    snprintf(want, sizeof want, "%s differs between ranks: %s on rank 0, %s on rank 1; give", name, value, last_value);
  else
    snprintf(want, sizeof want, "%s differs between ranks: %s on rank 2, %s on ranks 0, 1; give", name, last_value, value);
  CHECK(!strncmp(words, want, strlen(want)) && (words[0] != 0) == (ranks > 1), "\"%s\", want \"%s\"", words, want);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  rank = mfft_app_rank();
  ranks = mfft_app_ranks();
  if (argc > 1 && !strcmp(argv[1], "late") && rank == 1) nanosleep(&(struct timespec){50, 0}, NULL); /* for t623 */
  const char *all = "a b -f -t word --deep 3 --choice two --grid 2x3 -c 5 -r 1.5 -n 4x5x6 -L 1,2,3";
  CHECK(!*compare("", ""), "empty command lines differ");
  CHECK(!*compare(all, all), "equal values differ");
  CHECK(!*compare("-r 1 -n 4 a", "a -n 4x4x4 -r 1.0e0 -n 4"), "what is the same when it is read differs");
  check_difference("-t word", "-t wore", "--text", "word", "wore");
  check_difference("-t word", "", "--text", "word", "not given");
  check_difference("", "-f", "--flag", "not given", "given");
  check_difference("", "--deep 8", "--deep", "7", "8");
  check_difference("--choice two", "--choice three", "--choice", "two", "three");
  check_difference("--choice two", "", "--choice", "two", "not given");
  check_difference("--grid 2x3", "--grid 3x2", "--grid", "2x3", "3x2");
  check_difference("-c -3", "-c 9000000000000000", "--count", "-3", "9000000000000000");
  check_difference("-c 0", "", "--count", "0", "not given");
  check_difference("-r 1", "-r 2", "--real", "1", "2");
  check_difference("-r 0.1", "-r 0.10000000000000002", "--real", "0.1", "0.10000000000000002");
  check_difference("-r 0", "", "--real", "0", "not given");
  check_difference("-n 64", "-n 64x64x64", "--n", "64", "64x64x64");
  check_difference("-n 64", "-n 65", "--n", "64", "65");
  check_difference("-L 1e30", "-L 1,1,1e30", "--box", "1e+30", "1,1,1e+30");
  check_difference("a b", "a c", "operand 2 (IN)", "b", "c");
  check_difference("a", "a c", "operand 2 (IN)", "not given", "c");
  check_difference("-f -c 1 -n 3", "-f -c 1 -n 4", "--n", "3", "4"); /* one of several */

  /* Another subcommand, and the environment. */
  const int last = ranks > 1 && rank == ranks - 1;
  const mfft_command other = {.name = "other",
                              .summary = "",
                              .operands = "",
                              .description = "",
                              .options = options + 9,
                              .values_bytes = sizeof(values),
                              .run = nothing};
  values v = {.flag = 0};
  mfft_status status = mfft_cli_compare(last ? "other" : "test", last ? &other : NULL, &v);
  CHECK((status == MFFT_ERR_MISMATCH) == (ranks > 1), "another subcommand: %s", mfft_strerror(status));
  CHECK(ranks == 1 || strstr(mfft_app_message(), "the command differs between ranks: "), "another subcommand");
  if (last) setenv("MFFT_CHUNK_BYTES", "4096", 1);
  setenv("MFFT_LOG", last ? "0" : "1", 1); /* this one is a rank's own business */
  check_difference("", "", "MFFT_CHUNK_BYTES", "not set", "4096");
  unsetenv("MFFT_CHUNK_BYTES");
  CHECK(!*compare(all, all), "MFFT_LOG need not agree");
  MPI_Finalize();
  return test_end();
}
