/* cli_help.c: --help and --version, printed from the tables. */
#include "cli/cli_help.h"

#include <stdio.h>
#include <string.h>

#include "mfft.h"
#include "mfft_inspect.h"

enum { WIDTH = 96, COLUMN = 30 };

/* Wraps words at WIDTH; the first line starts at column `at`, the others at `indent`. */
static void wrap(const char *text, int at, int indent) {
  for (int first = 1; *text; first = 0) {
    int length = (int)strcspn(text, " ");
    if (!first && at + 1 + length > WIDTH)
      at = printf("\n%*s", indent, "") - 1;
    else if (!first)
      at += printf(" ");
    at += printf("%.*s", length, text);
    text += length + strspn(text + length, " ");
  }
  putchar('\n');
}

static void print_option(const mfft_cli_option *option) {
  char help[2048];
  int at = option->letter ? printf("  -%c, --%s", option->letter, option->name) : printf("      --%s", option->name);
  if (option->type != MFFT_CLI_FLAG) at += printf(" %s", option->argument);
  if (at >= COLUMN - 1) {
    putchar('\n');
    at = 0;
  }
  printf("%*s", COLUMN - at, "");
  int length = snprintf(help, sizeof help, "%s", option->help);
  if (option->type == MFFT_CLI_CHOICE && length < (int)sizeof help) {
    char words[256];
    size_t used = 0;
    for (const char *c = option->choices; *c && used + 3 < sizeof words; c++) {
      words[used++] = *c == '|' ? ',' : *c;
      if (*c == '|') words[used++] = ' ';
    }
    words[used] = 0;
    length += snprintf(help + length, sizeof help - (size_t)length, ": %s", words);
  }
  if (option->fallback && length < (int)sizeof help)
    length += snprintf(help + length, sizeof help - (size_t)length, " [%s]", option->fallback);
  if (option->required && length < (int)sizeof help) snprintf(help + length, sizeof help - (size_t)length, " (required)");
  wrap(help, COLUMN, COLUMN);
}

/* Paragraphs are wrapped; a line that begins with a space is printed as it is. */
static void print_description(const char *text) {
  while (*text) {
    int length = (int)strcspn(text, "\n");
    if (length == 0 || text[0] == ' ') {
      printf("%.*s\n", length, text);
    } else {
      char line[4096];
      snprintf(line, sizeof line, "%.*s", length, text);
      wrap(line, 0, 0);
    }
    text += length;
    if (*text) text++;
  }
}

static const mfft_cli_option common[] = {
    {"help", 'h', MFFT_CLI_FLAG, 0, NULL, .help = "this page"},
    {"version", 0, MFFT_CLI_FLAG, 0, NULL, .help = "the version of the command and its library"},
};

void mfft_cli_help(const mfft_command *command) {
  printf("Usage: mergefft %s%s%s%s\n\n", command->name, *command->operands ? " " : "", command->operands,
         command->options->name ? " [options]" : "");
  print_description(command->description);
  printf("\nOptions (defaults in brackets):\n");
  const mfft_cli_option *option;
  for (int i = 0; (option = mfft_cli_option_at(command, i, NULL)); i++) print_option(option);
  for (size_t i = 0; i < sizeof common / sizeof *common; i++) print_option(&common[i]);
  printf("\nExit status: 0 done, 1 failed, 2 wrong usage.\n");
}

void mfft_cli_overview(const mfft_command *const *commands, int count) {
  printf(
      "Usage: mergefft COMMAND [arguments]\n       mpirun -n RANKS mergefft COMMAND [arguments]\n\n"
      "Large FFTs, periodic Poisson solves and power spectra of fields on disk, on any number of MPI ranks.\n\nCommands:\n");
  for (int i = 0; i < count; i++) printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
  printf("\n`mergefft COMMAND --help` has more.  Exit status: 0 done, 1 failed, 2 wrong usage.\n");
}

void mfft_cli_version(void) {
  int v = mfft_version();
  printf("mergefft %d.%d.%d", MFFT_VERSION_MAJOR, MFFT_VERSION_MINOR, MFFT_VERSION_PATCH);
  if (v != MFFT_VERSION) printf(" (library %d.%d.%d)", v / 10000, v / 100 % 100, v % 100);
  putchar('\n');
}
