/* json_absent.c: json.h and json_read.h of a build without jansson, whose calls only report that. */
#include <math.h>
#include <stddef.h>

#include "cli/report.h"
#include "io/json.h"
#include "io/json_read.h"

static const char missing[] = "this build has no jansson, which JSON needs; install libjansson-dev and build again";

const char *mfft_json_missing(void) { return missing; }
const char *mfft_json_version(void) { return ""; }

/* ---- Writing: there is never an object to write to. ------------------------------------------------------------------ */

mfft_json *mfft_json_create(void) { return NULL; }
void mfft_json_destroy(mfft_json *json) { (void)json; }
void mfft_json_object(mfft_json *json, const char *key) { (void)json, (void)key; }
void mfft_json_array(mfft_json *json, const char *key) { (void)json, (void)key; }
void mfft_json_end(mfft_json *json) { (void)json; }
void mfft_json_number(mfft_json *json, const char *key, double value) { (void)json, (void)key, (void)value; }
void mfft_json_integer(mfft_json *json, const char *key, int64_t value) { (void)json, (void)key, (void)value; }
void mfft_json_string(mfft_json *json, const char *key, const char *value) { (void)json, (void)key, (void)value; }
void mfft_json_boolean(mfft_json *json, const char *key, int value) { (void)json, (void)key, (void)value; }
void mfft_json_numbers(mfft_json *json, const char *key, const double *values, int count) {
  (void)json, (void)key, (void)values, (void)count;
}
void mfft_json_integers(mfft_json *json, const char *key, const int64_t *values, int count) {
  (void)json, (void)key, (void)values, (void)count;
}
mfft_status mfft_json_save(const mfft_json *json, const char *path) {
  (void)json;
  return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "cannot write '%s': %s", path, missing);
}

/* ---- Reading --------------------------------------------------------------------------------------------------------- */

mfft_status mfft_json_load(const char *path, mfft_json_value **root) {
  (void)root;
  return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "cannot read '%s': %s", path, missing);
}
void mfft_json_free(mfft_json_value *root) { (void)root; }
const mfft_json_value *mfft_json_get(const mfft_json_value *object, const char *key) {
  return (void)object, (void)key, NULL;
}
int mfft_json_count(const mfft_json_value *array) { return (void)array, -1; }
const mfft_json_value *mfft_json_at(const mfft_json_value *array, int i) { return (void)array, (void)i, NULL; }
const char *mfft_json_text_of(const mfft_json_value *value) { return (void)value, ""; }
double mfft_json_number_of(const mfft_json_value *value) { return (void)value, NAN; }
