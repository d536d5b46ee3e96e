/* wisdom.c: the text that holds tuned plans by key, and the wisdom of the backends.
 *
 *     mergefft-wisdom 1
 *     plan KEY VALUE...
 *     backend NAME           followed by the backend's own lines
 *     end NAME
 *     checksum HEX           FNV-1a of everything before this line */
#include "plan/wisdom.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/wisdom_store.h"
#include "local/backend.h"
#include "mfft_inspect.h"

#define HEADER "mergefft-wisdom 1\n"

mfft_status mfft_wisdom_export(char *out, size_t size, size_t *needed) {
  mfft_text text = {0};
  mfft_text_add(&text, HEADER);
  mfft_wisdom_print(&text);
  for (int b = 0; mfft_backends[b]; b++) {
    char *own = mfft_backends[b]->wisdom_get ? mfft_backends[b]->wisdom_get() : NULL;
    if (!own) continue;
    size_t length = strlen(own);
    mfft_text_add(&text, "backend %s\n%s%send %s\n", mfft_backends[b]->name, own,
                  length && own[length - 1] != '\n' ? "\n" : "", mfft_backends[b]->name);
    free(own);
  }
  if (!text.failed) mfft_text_add(&text, "checksum %016" PRIx64 "\n", mfft_text_hash(text.data, text.length));
  return mfft_text_give(&text, out, size, needed);
}

/* ---- Import ---- */

/* Splits the next line off *cursor; NULL at the end. */
static char *next_line(char **cursor) {
  char *line = *cursor, *end = line ? strchr(line, '\n') : NULL;
  if (!end) return NULL;
  *end = '\0';
  *cursor = end + 1;
  return line;
}

static int starts(const char *line, const char *word) { return strncmp(line, word, strlen(word)) == 0; }

/* The passes over a text: check all lines; give the backends theirs, which they may refuse; store the plans. */
enum { CHECK, BACKENDS, PLANS, PASSES };

static mfft_status read_plan(char *words, int pass, int replaces) {
  char known[1], *space = strchr(words, ' ');
  if (!space) return mfft_fail(MFFT_ERR_CORRUPT, "wisdom: \"plan %s\" has no value", words);
  if (pass != PLANS) return MFFT_SUCCESS;
  *space = '\0';
  return !replaces && mfft_wisdom_get(words, known, sizeof known) ? MFFT_SUCCESS : mfft_wisdom_put(words, space + 1);
}

/* Passes the lines up to "end NAME" to the backend; lines of a backend that this build lacks are skipped. */
static mfft_status read_backend(const char *name, char **cursor, int pass) {
  char end[64];
  snprintf(end, sizeof end, "end %s\n", name);
  char *stop = strstr(*cursor, end);
  if (!stop) return mfft_fail(MFFT_ERR_CORRUPT, "wisdom: the lines of backend %s have no end", name);
  *stop = '\0';
  mfft_status status = MFFT_SUCCESS;
  for (int b = 0; mfft_backends[b] && pass == BACKENDS; b++)
    if (strcmp(mfft_backends[b]->name, name) == 0 && mfft_backends[b]->wisdom_set)
      status = mfft_backends[b]->wisdom_set(*cursor);
  *cursor = stop + strlen(end);
  return status;
}

static mfft_status read_lines(char *cursor, int pass, int replaces) {
  for (char *line; (line = next_line(&cursor));) {
    if (starts(line, "plan "))
      MFFT_TRY(read_plan(line + 5, pass, replaces));
    else if (starts(line, "backend "))
      MFFT_TRY(read_backend(line + 8, &cursor, pass));
    else
      return mfft_fail(MFFT_ERR_CORRUPT, "wisdom: a line begins \"%.20s\"; it is from another version or damaged", line);
  }
  return MFFT_SUCCESS;
}

static mfft_status read_text(const char *text, int replaces) {
  if (!text) return mfft_fail(MFFT_ERR_ARG, "the wisdom text is NULL");
  if (!starts(text, HEADER))
    return mfft_fail(MFFT_ERR_CORRUPT, "not wisdom of this version of mergefft: it begins \"%.24s\"", text);
  const char *last = NULL;
  for (const char *at = text; (at = strstr(at, "\nchecksum ")); at++) last = at + 1;
  uint64_t stored;
  if (!last || sscanf(last, "checksum %" SCNx64, &stored) != 1 || stored != mfft_text_hash(text, (size_t)(last - text)))
    return mfft_fail(MFFT_ERR_CORRUPT, "the checksum of the wisdom does not match: it was cut or changed");

  size_t length = (size_t)(last - text);
  mfft_status status = MFFT_SUCCESS;
  for (int pass = 0; pass < PASSES && status == MFFT_SUCCESS; pass++) {
    char *copy = malloc(length + 1);
    if (!copy) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %zu bytes of wisdom", length);
    memcpy(copy, text, length);
    copy[length] = '\0';
    status = read_lines(copy + sizeof HEADER - 1, pass, replaces);
    if (pass == BACKENDS && !replaces)
      status = MFFT_SUCCESS; /* plans are stored even if the wisdom of another FFTW is refused */
    free(copy);
  }
  return status;
}

mfft_status mfft_wisdom_import(const char *text) { return read_text(text, 1); }

mfft_status mfft_wisdom_complete(const char *text) { return read_text(text, 0); }
