/* json_read.c: see json_read.h. */
#include "io/json_read.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/system.h"
#include "cli/report.h"

mfft_status mfft_json_load(const char *path, mfft_json_value **root) {
  json_error_t error;
  FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
  if (!file) return mfft_app_fail(MFFT_ERR_IO, "cannot open '%s': %s", path, mfft_posix_reason(errno));
  errno = 0;
  json_t *found = json_loadf(file, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, &error);
  const int failed = ferror(file), reason = errno;
  if (file != stdin) fclose(file);
  if (found && !failed) {
    *root = found;
    return MFFT_SUCCESS;
  }
  json_decref(found);
  if (failed) return mfft_app_fail(MFFT_ERR_IO, "cannot read '%s': %s", path, mfft_posix_reason(reason));
  if (json_error_code(&error) == json_error_out_of_memory) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for '%s'", path);
  return mfft_app_fail(MFFT_ERR_CORRUPT, "'%s' is no JSON: line %d: %s; name a file that a command of mergefft wrote", path,
                       error.line, error.text);
}

void mfft_json_free(mfft_json_value *root) { json_decref(root); }

const mfft_json_value *mfft_json_get(const mfft_json_value *object, const char *key) { return json_object_get(object, key); }

int mfft_json_count(const mfft_json_value *array) {
  const size_t count = json_array_size(array);
  return !json_is_array(array) ? -1 : count < INT_MAX ? (int)count : INT_MAX;
}

const mfft_json_value *mfft_json_at(const mfft_json_value *array, int i) { return json_array_get(array, (size_t)i); }

const char *mfft_json_text_of(const mfft_json_value *value) { return json_is_string(value) ? json_string_value(value) : ""; }

double mfft_json_number_of(const mfft_json_value *value) {
  return json_is_number(value) ? json_number_value(value) : json_is_boolean(value) ? json_is_true(value) : NAN;
}
