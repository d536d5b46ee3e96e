/* instances.c: compiles the kernels of a list by NVRTC, as the library compiles them, without a GPU:
 *
 *     mergefft_instances LIST FOLDER [all|few]     such as: mergefft_instances runtime/instances.txt build/instances
 *
 * An error in the device code then shows when the library is built.  A line of the list has a name, a source file, an
 * architecture, and words KEY=VALUE.  The line "defaults" comes first and has no source: its words are defined for every
 * kernel as PASS_KEY, with the values of the kernel's own line where that has them; other words are defined as they stand.
 * Lines after the line "more" are compiled with the argument "all" alone, and with "few" the first line of each source.
 * FOLDER gets NAME.cubin of each kernel, and instances.log with its registers and spills.  Spills of a few words cost
 * nothing measurable, so those of more than 64 bytes are reported.  A process for each core compiles a share. */
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "local/cuda/runtime/sources.h"

enum { MOST_WORDS = 128, MOST_KERNELS = 1024, LINE_BYTES = 4096, OPTION_BYTES = 64, NAME_BYTES = 64, WORTH_REPORTING = 64 };

typedef struct kernel {
  char name[NAME_BYTES], source[NAME_BYTES];
  int arch, words;
  char word[MOST_WORDS][OPTION_BYTES]; /* [words] KEY=VALUE */
} kernel;

static int fail(const char *what, const char *why) {
  fprintf(stderr, "mergefft_instances: %s: %s\n", what, why);
  return 1;
}

/* Whether two words have the same key. */
static int same_key(const char *a, const char *b) {
  const size_t length = strcspn(a, "=");
  return strcspn(b, "=") == length && !strncmp(a, b, length);
}

/* Reads a line of the list; returns 0 for a line that names no kernel. */
static int parse(char *line, kernel *k) {
  char *save = NULL, *word = strtok_r(line, " \n", &save);
  memset(k, 0, sizeof *k);
  if (!word || *word == '#') return 0;
  snprintf(k->name, sizeof k->name, "%s", word);
  while ((word = strtok_r(NULL, " \n", &save)) && k->words < MOST_WORDS) {
    if (strchr(word, '='))
      snprintf(k->word[k->words++], OPTION_BYTES, "%s", word);
    else if (!*k->source)
      snprintf(k->source, sizeof k->source, "%s", word);
    else
      k->arch = atoi(word);
  }
  return 1;
}

/* The words of a kernel as options of the compiler; returns their number. */
static int make_options(const kernel *k, const kernel *defaults, char option[2 * MOST_WORDS][OPTION_BYTES + 8]) {
  int count = 0;
  for (int d = 0; d < defaults->words; d++) {
    const char *value = defaults->word[d];
    for (int w = 0; w < k->words; w++)
      if (same_key(k->word[w], defaults->word[d])) value = k->word[w];
    snprintf(option[count++], OPTION_BYTES + 8, "-DPASS_%s", value);
  }
  for (int w = 0; w < k->words; w++) {
    int known = 0;
    for (int d = 0; d < defaults->words; d++) known |= same_key(k->word[w], defaults->word[d]);
    if (!known) snprintf(option[count++], OPTION_BYTES + 8, "-D%s", k->word[w]);
  }
  return count;
}

/* The number before (number_before) or after (number_after) some words in the text of the assembler; 0: no such words. */
static int number_after(const char *text, const char *words) {
  const char *at = strstr(text, words);
  return at ? atoi(at + strlen(words)) : 0;
}
static int number_before(const char *text, const char *words) {
  const char *at = strstr(text, words);
  if (!at) return 0;
  while (at > text && strchr("0123456789 ", at[-1])) at--;
  return atoi(at);
}

/* Files are in the working directory, which is FOLDER. */
static int write_file(const char *name, const char *ending, const void *data, size_t bytes) {
  char path[NAME_BYTES + 16];
  snprintf(path, sizeof path, "%.*s.%s", NAME_BYTES - 1, name, ending);
  FILE *file = fopen(path, "wb");
  const int good = file && fwrite(data, 1, bytes, file) == bytes;
  if (!file || fclose(file) || !good) return fail(path, "cannot be written");
  return 0;
}

/* Writes the machine code of a program and the line of the log. */
static int keep(nvrtcProgram program, const kernel *k, const char *log) {
  char line[2 * NAME_BYTES];
  size_t bytes = 0;
  if (nvrtcGetCUBINSize(program, &bytes) != NVRTC_SUCCESS) return fail(k->name, "there is no machine code");
  char *code = malloc(bytes); /* [bytes] */
  if (!code || nvrtcGetCUBIN(program, code) != NVRTC_SUCCESS) {
    free(code);
    return fail(k->name, "no memory for machine code");
  }
  const int spilled = number_before(log, " bytes spill stores");
  if (spilled > WORTH_REPORTING) printf("mergefft_instances: kernel %s spills %d bytes\n", k->name, spilled);
  snprintf(line, sizeof line, "%s: %d registers, %d bytes spilled\n", k->name, number_after(log, "Used "), spilled);
  const int failed = write_file(k->name, "cubin", code, bytes) || write_file(k->name, "log", line, strlen(line));
  free(code);
  return failed;
}

static int compile(const kernel *k, const kernel *defaults) {
  char option[2 * MOST_WORDS][OPTION_BYTES + 8], arch[OPTION_BYTES];
  const char *list[2 * MOST_WORDS + 4] = {arch, "--std=c++17", "--device-int128", "--ptxas-options=-v"}, *text = NULL;
  const int count = make_options(k, defaults, option);
  for (int i = 0; i < count; i++) list[4 + i] = option[i];
  for (int i = 0; i < mfft_kernel_file_count; i++)
    if (!strcmp(mfft_kernel_file_names[i], k->source)) text = mfft_kernel_file_texts[i];
  if (!text) return fail(k->source, "the library has no such source");
  snprintf(arch, sizeof arch, "--gpu-architecture=sm_%d", k->arch);
  nvrtcProgram program = NULL;
  if (nvrtcCreateProgram(&program, text, k->source, mfft_kernel_file_count, mfft_kernel_file_texts,
                         mfft_kernel_file_names) != NVRTC_SUCCESS)
    return fail(k->name, "NVRTC refuses the source");
  const nvrtcResult result = nvrtcCompileProgram(program, 4 + count, list);
  size_t bytes = 0;
  nvrtcGetProgramLogSize(program, &bytes);
  char *log = calloc(bytes + 1, 1); /* [bytes + 1] */
  if (log) nvrtcGetProgramLog(program, log);
  const int failed = result != NVRTC_SUCCESS || !log
                         ? fail(k->name, log ? log : "no memory for the compiler's text, which tells an error")
                         : keep(program, k, log);
  free(log);
  nvrtcDestroyProgram(&program);
  return failed;
}

/* Writes instances.log from the logs of all kernels. */
static int join_logs(const kernel *k, int count) {
  char path[NAME_BYTES + 16], line[2 * NAME_BYTES];
  char *all = calloc((size_t)count, sizeof line); /* [count][sizeof line] */
  if (!all) return fail("instances.log", "no memory for it");
  for (int i = 0; i < count; i++) {
    snprintf(path, sizeof path, "%.*s.log", NAME_BYTES - 1, k[i].name);
    FILE *file = fopen(path, "r");
    if (file && fgets(line, sizeof line, file)) strcat(all, line);
    if (file) fclose(file);
    remove(path);
  }
  const int failed = write_file("instances", "log", all, strlen(all));
  free(all);
  return failed;
}

/* The lines of the list that are compiled. */
typedef enum selection { FIRST_OF_SOURCE, BEFORE_MORE, ALL } selection;

static int has_source(const kernel *list /* [count] */, int count, const char *source) {
  for (int i = 0; i < count; i++)
    if (!strcmp(list[i].source, source)) return 1;
  return 0;
}

/* Reads the list of kernels; returns their number, or -1. */
static int read_list(const char *path, selection which, kernel *defaults, kernel *list) {
  char line[LINE_BYTES];
  int count = 0;
  kernel k;
  FILE *file = fopen(path, "r");
  if (!file) return -1;
  while (count < MOST_KERNELS && fgets(line, sizeof line, file)) {
    if (!parse(line, &k)) continue;
    if (!strcmp(k.name, "defaults"))
      *defaults = k;
    else if (!strcmp(k.name, "more")) {
      if (which != ALL) break;
    } else if (which != FIRST_OF_SOURCE || !has_source(list, count, k.source))
      list[count++] = k;
  }
  fclose(file);
  return count;
}

int main(int argc, char **argv) {
  static kernel list[MOST_KERNELS], defaults;
  const char *words = argc == 4 ? argv[3] : "";
  const selection which = !strcmp(words, "all") ? ALL : !strcmp(words, "few") ? FIRST_OF_SOURCE : BEFORE_MORE;
  if (argc != 3 + (which != BEFORE_MORE)) return fail("usage", "mergefft_instances LIST FOLDER [all|few]");
  const int count = read_list(argv[1], which, &defaults, list);
  if (count <= 0 || !defaults.words) return fail(argv[1], "no list of kernels");
  if (chdir(argv[2])) return fail(argv[2], "no such folder");
  const int parts = (int)sysconf(_SC_NPROCESSORS_ONLN);
  int failed = 0;
  for (int part = 0; part < parts; part++) {
    const pid_t child = fork();
    if (child < 0) failed = fail("fork", "no more processes");
    if (child != 0) continue;
    for (int i = part; i < count && !failed; i += parts) failed = compile(&list[i], &defaults);
    fflush(stdout);
    return failed;
  }
  for (int status; wait(&status) > 0;) failed |= status != 0;
  return failed || join_logs(list, count);
}
