/* json_read.c: see json_read.h.  Texts stay in the bytes of the file, where their escapes only make them shorter. */
#include "io/json_read.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

enum { MOST_NESTED = 64 };

typedef struct parser {
  const char *path;
  char *text, *at;         /* at: the next character, the last one of the text is 0 */
  mfft_json_value *values; /* values[0] is the root */
  size_t used;
  int depth;
} parser;

static const mfft_json_value nothing = {.type = MFFT_JSON_NULL, .text = "", .number = NAN};

static mfft_status fail(const parser *p, const char *wanted) {
  int line = 1;
  for (const char *c = p->text; c < p->at; c++) line += *c == '\n';
  if (!*p->at)
    return mfft_app_fail(MFFT_ERR_CORRUPT, "'%s' is no JSON: it ends in line %d, where %s is missing", p->path, line,
                         wanted);
  const int shown = (int)strcspn(p->at, "\r\n");
  return mfft_app_fail(MFFT_ERR_CORRUPT, "'%s' is no JSON: line %d has '%.*s' where %s should be", p->path, line,
                       shown < 20 ? shown : 20, p->at, wanted);
}

static void skip_space(parser *p) { p->at += strspn(p->at, " \t\r\n"); }

/* ---- Texts ----------------------------------------------------------------------------------------------------------- */

static int read_hex4(const char *from, unsigned *code) {
  *code = 0;
  for (int i = 0; i < 4; i++) {
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *digit = from[i] ? strchr(digits, from[i]) : NULL;
    if (!digit) return -1;
    *code = *code << 4 | (unsigned)((digit - digits) & 15);
  }
  return 0;
}

static char *put_utf8(char *to, unsigned code) {
  static const unsigned first[] = {0, 0, 0xc0, 0xe0, 0xf0}; /* [bytes] */
  int bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (int i = bytes - 1; i > 0; i--, code >>= 6) to[i] = (char)(0x80 | (code & 0x3f));
  to[0] = (char)(first[bytes] | code);
  return to + bytes;
}

/* The code of \uXXXX at `at`, or of two such that make one beyond 16 bits; how far to go on, or 0. */
static int read_unicode(const char *at, unsigned *code) {
  unsigned low;
  if (read_hex4(at + 2, code)) return 0;
  if (*code < 0xd800 || *code > 0xdfff) return *code ? 6 : 0;
  if (*code > 0xdbff || at[6] != '\\' || at[7] != 'u' || read_hex4(at + 8, &low) || low < 0xdc00 || low > 0xdfff) return 0;
  *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
  return 12;
}

static mfft_status read_text(parser *p, const char **text) {
  static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  if (*p->at != '"') return fail(p, "a text in quotes");
  char *to = ++p->at;
  *text = to;
  while (*p->at != '"') {
    const char *escape = *p->at == '\\' && p->at[1] ? strchr(escapes, p->at[1]) : NULL;
    unsigned code;
    int length;
    if ((unsigned char)*p->at < 0x20) return fail(p, "the quote that ends a text");
    if (*p->at != '\\') {
      *to++ = *p->at++;
    } else if (escape) {
      *to++ = meanings[escape - escapes];
      p->at += 2;
    } else if (p->at[1] == 'u' && (length = read_unicode(p->at, &code)) != 0) {
      to = put_utf8(to, code);
      p->at += length;
    } else {
      return fail(p, "an escape of JSON");
    }
  }
  p->at++;
  *to = 0;
  return MFFT_SUCCESS;
}

/* ---- Values ---------------------------------------------------------------------------------------------------------- */

static mfft_status read_value(parser *p, mfft_json_value *value);

/* The members up to the closing bracket; each has a key in an object. */
static mfft_status read_members(parser *p, mfft_json_value *parent) {
  const int object = *p->at++ == '{';
  const char close = object ? '}' : ']';
  const mfft_json_value **link = &parent->first;
  mfft_status status;
  parent->type = object ? MFFT_JSON_OBJECT : MFFT_JSON_ARRAY;
  if (++p->depth > MOST_NESTED) return fail(p, "less nesting");
  skip_space(p);
  while (*p->at != close) {
    mfft_json_value *member = &p->values[p->used++];
    const char *key = NULL;
    if (object) {
      if ((status = read_text(p, &key)) != MFFT_SUCCESS) return status;
      skip_space(p);
      if (*p->at != ':') return fail(p, "':'");
      p->at++;
    }
    if ((status = read_value(p, member)) != MFFT_SUCCESS) return status;
    member->key = key;
    *link = member;
    link = &member->next;
    parent->count++;
    if (*p->at == close) break;
    if (*p->at != ',') return fail(p, object ? "',' or '}'" : "',' or ']'");
    p->at++;
    skip_space(p);
    if (*p->at == close) return fail(p, "a value after ','");
  }
  p->at++;
  p->depth--;
  return MFFT_SUCCESS;
}

/* JSON's numbers are C's, but for signs, points and zeros at the ends, hexadecimals, nan and inf. */
static mfft_status read_number(parser *p, mfft_json_value *value) {
  const char *digits = p->at + (*p->at == '-');
  size_t whole = strspn(digits, "0123456789");
  char *end;
  if (!whole || (whole > 1 && *digits == '0') || (digits[whole] == '.' && !strspn(digits + whole + 1, "0123456789")))
    return fail(p, "a value");
  value->type = MFFT_JSON_NUMBER;
  value->number = strtod(p->at, &end);
  p->at = end;
  return MFFT_SUCCESS;
}

static mfft_status read_value(parser *p, mfft_json_value *value) {
  static const struct {
    const char *name;
    mfft_json_value value;
  } words[] = {{"null", {.type = MFFT_JSON_NULL, .text = "", .number = NAN}},
               {"true", {.type = MFFT_JSON_BOOLEAN, .text = "", .number = 1}},
               {"false", {.type = MFFT_JSON_BOOLEAN, .text = "", .number = 0}}};
  mfft_status status = MFFT_SUCCESS;
  size_t word = 0;
  *value = nothing;
  skip_space(p);
  while (word < 3 && strncmp(p->at, words[word].name, strlen(words[word].name))) word++;
  if (word < 3) {
    *value = words[word].value;
    p->at += strlen(words[word].name);
  } else if (*p->at == '{' || *p->at == '[') {
    status = read_members(p, value);
  } else if (*p->at == '"') {
    value->type = MFFT_JSON_TEXT;
    status = read_text(p, &value->text);
  } else {
    status = read_number(p, value);
  }
  if (status == MFFT_SUCCESS) skip_space(p);
  return status;
}

/* ---- Files ----------------------------------------------------------------------------------------------------------- */

/* All bytes of a file and a 0 behind them. */
static mfft_status slurp(const char *path, char **text, size_t *length) {
  FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
  size_t room = 0, used = 0, got = 1;
  char *bytes = NULL;
  if (!file) return mfft_app_fail(MFFT_ERR_IO, "cannot open '%s': %s", path, strerror(errno));
  while (got) {
    if (room - used < 2) {
      room = room ? 2 * room : 1 << 16;
      char *more = realloc(bytes, room);
      if (!more) break;
      bytes = more;
    }
    got = fread(bytes + used, 1, room - used - 1, file);
    used += got;
  }
  int failed = ferror(file), reason = errno;
  if (file != stdin) fclose(file);
  if (!got && !failed) {
    bytes[used] = 0;
    *text = bytes, *length = used;
    return MFFT_SUCCESS;
  }
  free(bytes);
  if (failed) return mfft_app_fail(MFFT_ERR_IO, "cannot read '%s': %s", path, strerror(reason));
  return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for '%s'", path);
}

mfft_status mfft_json_load(const char *path, const mfft_json_value **root) {
  parser p = {.path = path, .used = 1};
  size_t length = 0;
  mfft_status status = slurp(path, &p.text, &length);
  if (status != MFFT_SUCCESS) return status;
  p.at = p.text;
  p.values = malloc((length + 2) * sizeof *p.values); /* each value takes a byte or more */
  if (!p.values) {
    free(p.text);
    return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for '%s'", path);
  }
  status = read_value(&p, &p.values[0]);
  p.values[0].key = p.text; /* which the root does not need for itself; freed with it */
  if (status == MFFT_SUCCESS && *p.at)
    status = fail(&p, "the end");
  else if (status == MFFT_SUCCESS && p.at != p.text + length)
    status = mfft_app_fail(MFFT_ERR_CORRUPT, "'%s' is no JSON: it holds a byte 0", path);
  if (status == MFFT_SUCCESS)
    *root = p.values;
  else
    mfft_json_free(p.values);
  return status;
}

void mfft_json_free(const mfft_json_value *root) {
  if (root) free((void *)(uintptr_t)root->key);
  free((void *)(uintptr_t)root);
}

const mfft_json_value *mfft_json_get(const mfft_json_value *object, const char *key) {
  if (object->type == MFFT_JSON_OBJECT)
    for (const mfft_json_value *member = object->first; member; member = member->next)
      if (!strcmp(member->key, key)) return member;
  return &nothing;
}
