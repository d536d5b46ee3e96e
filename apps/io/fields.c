/* fields.c: see fields.h. */
#include "io/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/system.h"
#include "cli/collective.h"
#include "cli/report.h"
#include "mfft_inspect.h"

int mfft_fields_count(const char *const *input) {
  int count = 0;
  while (count < MFFT_FIELDS_MOST && input[count]) count++;
  return count;
}

/* A word that a pattern may contain, and the text that replaces it. */
typedef struct word {
  const char *mark;
  const char *text;
  int length;
} word;

int mfft_fields_pattern(const char *name) { return name && (strstr(name, "{}") || strstr(name, "{dir}")); }

/* The word that begins at `text`, or NULL. */
static const word *word_at(const word *words, int count, const char *text) {
  for (int i = 0; i < count; i++)
    if (!strncmp(text, words[i].mark, strlen(words[i].mark))) return &words[i];
  return NULL;
}

char *mfft_fields_name(const char *pattern, const char *input) {
  const char *slash = strrchr(input, '/'), *name = slash ? slash + 1 : input, *dot = strrchr(name, '.');
  char *folder = mfft_system_folder(input), *made = NULL;
  size_t size;
  FILE *out = folder ? open_memstream(&made, &size) : NULL;
  if (out) {
    const word words[] = {{"{}", name, dot && dot != name ? (int)(dot - name) : (int)strlen(name)},
                          {"{dir}", folder, (int)strlen(folder)}};
    for (const char *at = pattern; *at;) {
      const word *found = word_at(words, 2, at);
      if (found)
        fprintf(out, "%.*s", found->length, found->text);
      else
        fputc(*at, out);
      at += found ? strlen(found->mark) : 1;
    }
    const int failed = ferror(out) | fclose(out);
    if (failed) {
      free(made);
      made = NULL;
    }
  }
  free(folder);
  return made;
}

/* ---- Checks ---------------------------------------------------------------------------------------------------------- */

/* Two of the fields whose results have the same name; a usage error, or MFFT_EXIT_OK. */
static int check_distinct(const mfft_command *command, const char *const *input, const mfft_target *target) {
  const int count = mfft_fields_count(input);
  char **name = calloc((size_t)count, sizeof *name);
  int code = MFFT_EXIT_OK;
  for (int i = 0; i < count && name; i++) name[i] = mfft_fields_name(target->path, input[i]);
  for (int i = 1; i < count && name && code == MFFT_EXIT_OK; i++)
    for (int k = 0; k < i && code == MFFT_EXIT_OK; k++)
      if (name[i] && name[k] && !strcmp(name[i], name[k]))
        code = mfft_cli_usage(command, "%s %s: the results of %s and %s would both be %s; rename one, or use {dir}",
                              target->option, target->path, input[k], input[i], name[i]);
  for (int i = 0; i < count && name; i++) free(name[i]);
  free(name);
  return code;
}

static int check_patterns(const mfft_command *command, const char *const *input, const mfft_fields_target *targets,
                          int count) {
  for (int t = 0; t < count && input[1]; t++) {
    const mfft_target *target = &targets[t].target;
    if (!target->path || (targets[t].shared && !mfft_fields_pattern(target->path))) continue;
    if (!mfft_fields_pattern(target->path))
      return mfft_cli_usage(command, "%s %s is one name for the results of %d fields; put {} in place of each one's name",
                            target->option, target->path, mfft_fields_count(input));
    const int code = check_distinct(command, input, target);
    if (code != MFFT_EXIT_OK) return code;
  }
  return MFFT_EXIT_OK;
}

int mfft_fields_check(const mfft_command *command, const char *const *input, const char *other,
                      const mfft_fields_target *targets, int count) {
  enum { MOST_TARGETS = 8 };
  const int fields = mfft_fields_count(input);
  const char *read[MFFT_FIELDS_MOST + 1] = {other}; /* [fields + 1] */
  memcpy(read + 1, input, (size_t)fields * sizeof *read);
  int code = check_patterns(command, input, targets, count);
  for (int i = 0; i < fields && code == MFFT_EXIT_OK; i++) {
    mfft_target named[MOST_TARGETS];
    char *name[MOST_TARGETS];
    for (int t = 0; t < count; t++) {
      named[t] = targets[t].target;
      name[t] = named[t].path ? mfft_fields_name(named[t].path, input[i]) : NULL;
      if (name[t]) named[t].path = name[t];
    }
    code = mfft_targets_check(command, read, fields + 1, named, count);
    for (int t = 0; t < count; t++) free(name[t]);
  }
  return code;
}

/* ---- One field after another ----------------------------------------------------------------------------------------- */

int mfft_fields_exists(const char *path) {
  struct stat about;
  return mfft_app_anywhere(mfft_app_rank() == 0 && !stat(path, &about));
}

void mfft_fields_count_result(mfft_fields_counts *counts, const char *input, int failed) {
  if (failed)
    counts->failures[counts->failed++] = input;
  else
    counts->done++;
}

int mfft_fields_stop(mfft_fields_counts *counts, const char *stop_file, int i) {
  if (!stop_file || i == 0 || !mfft_fields_exists(stop_file)) return 0;
  counts->left = counts->fields - i;
  return 1;
}

void mfft_fields_name_messages(const char *command, const char *input, int several) {
  static char words[512], name[480]; /* the beginning of messages; the input in printable letters */
  mfft_escape(input, name, sizeof name);
  snprintf(words, sizeof words, "%s %s", command, name);
  mfft_app_begin(several ? words : command);
}

void mfft_fields_report(const mfft_fields_counts *counts, const char *done) {
  char list[512] = "", left[64] = "";
  size_t used = 0;
  if ((counts->fields < 2 || (!counts->failed && !counts->skipped)) && !counts->left) return;
  if (counts->left) snprintf(left, sizeof left, ", %d left since a stop was requested", counts->left);
  for (int i = 0; i < counts->failed && used < sizeof list; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : ": ", counts->failures[i]);
  if (used >= sizeof list) memcpy(list + sizeof list - 4, "...", 4);
  mfft_app_note("%d of %d fields %s, %d skipped since their results exist%s, %d failed%s", counts->done, counts->fields,
                done, counts->skipped, left, counts->failed, list);
}
