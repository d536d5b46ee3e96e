/* cli_compare.c: see cli_compare.h. */
#include "cli/cli_compare.h"

#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "mfft_inspect.h"
#include "mfft_mpi.h"

/* Named texts to compare.  A name and its text stand in `words` one behind the other, each ended by a zero. */
typedef struct list {
  FILE *words;
  char *bytes; /* [length] the content of `words`, once that is closed */
  size_t length;
  int count;
} list;

static void add(list *l, const char *name, const char *text) {
  fwrite(name, 1, strlen(name) + 1, l->words);
  fwrite(text, 1, strlen(text) + 1, l->words);
  l->count++;
}

/* One text for each option, or for a command with many operands one text of all. */
static void add_operands(list *l, const mfft_command *command, const char *const *operands) {
  enum { FEW = 8 };
  const int most = command->max_operands;
  for (int i = 0; i < most && most <= FEW; i++, l->count++) {
    fprintf(l->words, "operand %d (%s)%c", i + 1, command->operands, 0);
    fprintf(l->words, "%s%c", operands[i] ? operands[i] : "not given", 0);
  }
  if (most <= FEW) return;
  fprintf(l->words, "the list of operands (%s)%c", command->operands, 0);
  for (int i = 0; i < most && operands[i]; i++) fprintf(l->words, "%s%s", i ? " " : "", operands[i]);
  fputc(0, l->words);
  l->count++;
}

static void add_values(list *l, const mfft_command *command, const void *values) {
  const mfft_cli_option *option;
  size_t base;
  add_operands(l, command, (const void *)((const char *)values + command->operands_offset));
  for (int i = 0; (option = mfft_cli_option_at(command, i, &base)); i++, l->count++) {
    fprintf(l->words, "--%s%c", option->name, 0);
    mfft_cli_write_value(option, (const char *)values + base + option->offset, l->words);
    fputc(0, l->words);
  }
}

/* Settings that may differ between ranks: messages, the folder of compiled kernels, limits of waiting. */
static int is_own(const char *variable) {
  static const char *const own[] = {"MFFT_LOG", "MFFT_CACHE_DIR", "MFFT_CACHE_BYTES", "MFFT_WATCHDOG_S"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (!strcmp(variable, own[i])) return 1;
  return 0;
}

static void add_environment(list *l) {
  const char *name, *fallback, *help;
  for (int i = 0; mfft_environment_variable(i, &name, &fallback, &help); i++) {
    const char *value = getenv(name);
    if (!is_own(name)) add(l, name, value && *value ? value : "not set");
  }
}

/* The names and the texts in the form of the library's call, [2][count]; NULL without memory. */
static const char **close_list(list *l) {
  const int failed = ferror(l->words) | fclose(l->words);
  const char **texts = failed ? NULL : malloc(2 * (size_t)l->count * sizeof *texts), *at = l->bytes;
  for (int i = 0; texts && i < 2 * l->count; i++, at += strlen(at) + 1) texts[i / 2 + i % 2 * l->count] = at;
  return texts;
}

mfft_status mfft_cli_compare(const char *asked, const mfft_command *command, const void *values) {
  /* Ranks with the same version and command have lists of the same names. */
  char version[16];
  snprintf(version, sizeof version, "%d", mfft_version());
  const char *const names[] = {"the version of mergefft", "the command"}, *const words[] = {version, asked};
  mfft_status status = mfft_compare_texts(MPI_COMM_WORLD, names, words, 2);
  if (status != MFFT_SUCCESS) return status;

  list l = {.words = NULL};
  const char **texts = NULL;
  l.words = open_memstream(&l.bytes, &l.length);
  if (l.words) {
    if (command) add_values(&l, command, values);
    add_environment(&l);
    texts = close_list(&l);
  }
  status = mfft_app_agree(texts ? MFFT_SUCCESS : mfft_app_fail(MFFT_ERR_MEMORY, "no memory to compare options"));
  if (status == MFFT_SUCCESS) status = mfft_compare_texts(MPI_COMM_WORLD, texts, texts + l.count, l.count);
  free(texts);
  free(l.bytes);
  return status;
}
