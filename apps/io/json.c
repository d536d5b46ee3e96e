/* json.c: see json.h. */
#include "io/json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "io/save.h"
#include "mfft_inspect.h"

enum { DEPTH = 32 };

struct mfft_json {
  json_t *root;
  json_t *open[DEPTH]; /* [depth] objects and arrays that have not ended, borrowed from the root */
  int depth, failed;
};

const char *mfft_json_missing(void) { return NULL; }

const char *mfft_json_version(void) { return JANSSON_VERSION; }

mfft_json *mfft_json_create(void) { return calloc(1, sizeof(mfft_json)); }

void mfft_json_destroy(mfft_json *json) {
  if (!json) return;
  json_decref(json->root);
  free(json);
}

/* Adds a value, of which the tree becomes the owner.  jansson fails on NULL, so a value that could not be made is noticed.
 */
static void put(mfft_json *json, const char *key, json_t *value) {
  json_t *parent = json->depth ? json->open[json->depth - 1] : NULL;
  int failed = !value;
  if (!parent)
    json->root = value;
  else
    failed = key ? json_object_set_new(parent, key, value) : json_array_append_new(parent, value);
  json->failed |= failed != 0;
}

static void begin(mfft_json *json, const char *key, json_t *container) {
  put(json, key, container);
  if (json->depth == DEPTH) json->failed = 1;
  if (!json->failed) json->open[json->depth++] = container;
}

void mfft_json_object(mfft_json *json, const char *key) {
  if (json) begin(json, key, json_object());
}

void mfft_json_array(mfft_json *json, const char *key) {
  if (json) begin(json, key, json_array());
}

void mfft_json_end(mfft_json *json) {
  if (json && json->depth) json->depth--;
}

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

/* A string as UTF-8 without invalid bytes: control characters remain, since JSON has an escape for them, and bytes that are
 * no UTF-8 become what mfft_escape() makes of them. */
static json_t *string(const char *value) {
  const size_t length = strlen(value);
  char *part = malloc(length + 1), *shown = malloc(8 * length + 1), *to = shown; /* "\u202e" of three bytes is the longest */
  json_t *text = NULL;
  while (part && shown && *value) {
    size_t plain = 0;
    while ((unsigned char)value[plain] >= 0x20) plain++;
    memcpy(part, value, plain);
    part[plain] = '\0';
    to += mfft_escape(part, to, 8 * plain + 1);
    value += plain;
    if (*value) *to++ = *value++;
  }
  if (part && shown) text = json_stringn(shown, (size_t)(to - shown));
  free(part);
  free(shown);
  return text;
}

void mfft_json_number(mfft_json *json, const char *key, double value) {
  if (json) put(json, key, number(value));
}

void mfft_json_integer(mfft_json *json, const char *key, int64_t value) {
  if (json) put(json, key, json_integer(value));
}

void mfft_json_string(mfft_json *json, const char *key, const char *value) {
  if (json) put(json, key, value ? string(value) : json_null());
}

void mfft_json_boolean(mfft_json *json, const char *key, int value) {
  if (json) put(json, key, json_boolean(value));
}

void mfft_json_numbers(mfft_json *json, const char *key, const double *values, int count) {
  mfft_json_array(json, key);
  for (int i = 0; i < count; i++) mfft_json_number(json, NULL, values[i]);
  mfft_json_end(json);
}

void mfft_json_integers(mfft_json *json, const char *key, const int64_t *values, int count) {
  mfft_json_array(json, key);
  for (int i = 0; i < count; i++) mfft_json_integer(json, NULL, values[i]);
  mfft_json_end(json);
}

mfft_status mfft_json_save(const mfft_json *json, const char *path) {
  char *text = json && !json->failed ? json_dumps(json->root, JSON_INDENT(2) | JSON_ENCODE_ANY) : NULL;
  if (!text) return mfft_app_fail(MFFT_ERR_MEMORY, "memory ran out while writing JSON to '%s'", path);
  const size_t length = strlen(text);
  text[length] = '\n'; /* in place of the final zero, which is not written */
  const mfft_status status = mfft_app_save(path, &mfft_json_kind, text, length + 1);
  free(text);
  return status;
}
