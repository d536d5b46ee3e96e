/* json.c: see json.h. */
#include "io/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "io/save.h"
#include "mfft_inspect.h"

enum { DEPTH = 32 };

struct mfft_json {
  char *text; /* [capacity] */
  size_t length, capacity;
  int depth, failed;
  char close[DEPTH];  /* [depth] the bracket that ends each open value */
  int members[DEPTH]; /* [depth] values written so far in it */
};

mfft_json *mfft_json_create(void) { return calloc(1, sizeof(mfft_json)); }

void mfft_json_destroy(mfft_json *json) {
  if (!json) return;
  free(json->text);
  free(json);
}

static void append(mfft_json *json, const char *text, size_t length) {
  if (json->failed) return;
  if (json->length + length + 1 > json->capacity) {
    size_t capacity = 2 * (json->length + length + 1);
    char *larger = realloc(json->text, capacity);
    if (!larger) {
      json->failed = 1;
      return;
    }
    json->text = larger;
    json->capacity = capacity;
  }
  memcpy(json->text + json->length, text, length);
  json->length += length;
  json->text[json->length] = 0;
}

static void append_text(mfft_json *json, const char *text) { append(json, text, strlen(text)); }

/* Text without control characters, so that what is no UTF-8, and no JSON, can be shown in its place. */
static void append_shown(mfft_json *json, const char *text, size_t length) {
  const size_t most = 4 * length + 1; /* "\xff" for each byte */
  char *part = malloc(length + 1), *shown = malloc(2 * most);
  if (part && shown) {
    memcpy(part, text, length);
    part[length] = '\0';
    mfft_escape(part, shown, 2 * most);
    for (char *c = shown; *c; c++) {
      if (*c == '"' || *c == '\\') append(json, "\\", 1);
      append(json, c, 1);
    }
  } else {
    json->failed = 1;
  }
  free(part);
  free(shown);
}

/* A control character comes back from JSON as it is; bytes that are no UTF-8 come back as mfft_escape() shows them. */
static void append_quoted(mfft_json *json, const char *text) {
  append_text(json, "\"");
  while (*text) {
    size_t length = 0;
    while ((unsigned char)text[length] >= 0x20) length++;
    append_shown(json, text, length);
    text += length;
    if (!*text) break;
    char escaped[8];
    snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)(unsigned char)*text++);
    append_text(json, escaped);
  }
  append_text(json, "\"");
}

static void append_number(mfft_json *json, double value) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", value);
  double shorter;
  char brief[40];
  snprintf(brief, sizeof brief, "%.15g", value); /* 0.1 rather than 0.10000000000000001, where nothing is lost */
  shorter = strtod(brief, NULL);
  append_text(json, !isfinite(value) ? "null" : shorter == value ? brief : text);
}

/* The comma, line break, indentation and key before a value. */
static void begin_value(mfft_json *json, const char *key) {
  if (json->depth > 0) {
    if (json->members[json->depth - 1]++) append_text(json, ",");
    append_text(json, "\n");
    for (int i = 0; i < json->depth; i++) append_text(json, "  ");
  }
  if (key) {
    append_quoted(json, key);
    append_text(json, ": ");
  }
}

static void open_value(mfft_json *json, const char *key, const char *open, char close) {
  if (!json) return;
  begin_value(json, key);
  append_text(json, open);
  if (json->depth == DEPTH) {
    json->failed = 1;
    return;
  }
  json->close[json->depth] = close;
  json->members[json->depth] = 0;
  json->depth++;
}

void mfft_json_object(mfft_json *json, const char *key) { open_value(json, key, "{", '}'); }
void mfft_json_array(mfft_json *json, const char *key) { open_value(json, key, "[", ']'); }

void mfft_json_end(mfft_json *json) {
  if (!json || json->depth == 0) return;
  json->depth--;
  if (json->members[json->depth]) {
    append_text(json, "\n");
    for (int i = 0; i < json->depth; i++) append_text(json, "  ");
  }
  append(json, &json->close[json->depth], 1);
  if (json->depth == 0) append_text(json, "\n");
}

void mfft_json_number(mfft_json *json, const char *key, double value) {
  if (!json) return;
  begin_value(json, key);
  append_number(json, value);
}

void mfft_json_integer(mfft_json *json, const char *key, int64_t value) {
  char text[32];
  if (!json) return;
  snprintf(text, sizeof text, "%" PRId64, value);
  begin_value(json, key);
  append_text(json, text);
}

void mfft_json_string(mfft_json *json, const char *key, const char *value) {
  if (!json) return;
  begin_value(json, key);
  if (value)
    append_quoted(json, value);
  else
    append_text(json, "null");
}

void mfft_json_boolean(mfft_json *json, const char *key, int value) {
  if (!json) return;
  begin_value(json, key);
  append_text(json, value ? "true" : "false");
}

void mfft_json_numbers(mfft_json *json, const char *key, const double *values, int count) {
  if (!json) return;
  begin_value(json, key);
  append_text(json, "[");
  for (int i = 0; i < count; i++) {
    if (i) append_text(json, ", ");
    append_number(json, values[i]);
  }
  append_text(json, "]");
}

void mfft_json_integers(mfft_json *json, const char *key, const int64_t *values, int count) {
  if (!json) return;
  begin_value(json, key);
  append_text(json, "[");
  for (int i = 0; i < count; i++) {
    char text[32];
    snprintf(text, sizeof text, "%s%" PRId64, i ? ", " : "", values[i]);
    append_text(json, text);
  }
  append_text(json, "]");
}

const char *mfft_json_text(const mfft_json *json) { return json && json->text ? json->text : ""; }

mfft_status mfft_json_save(const mfft_json *json, const char *path) {
  if (!json || json->failed) return mfft_app_fail(MFFT_ERR_MEMORY, "memory ran out while writing JSON to '%s'", path);
  return mfft_app_save(path, &mfft_json_kind, json->text, json->length);
}
