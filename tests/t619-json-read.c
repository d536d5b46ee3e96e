// TEST labels=apps
// The JSON reader: what the writer wrote comes back, values of every kind, and words and lines for what is no JSON.
#include <unistd.h>

#include "../apps/cli/cli.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/number.c"
#include "../apps/cli/progress.c"
#include "../apps/io/json.c"
#include "../apps/io/json_read.c"
#include "../apps/io/save.c"
#include "check.h"

/* Stands in for apps/cli/report.c. */
static char story[512];
mfft_status mfft_app_fail(mfft_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(story, sizeof story, format, arguments);
  va_end(arguments);
  return status;
}
int mfft_app_rank(void) { return 0; }

static mfft_status parse_bytes(const char *text, size_t length, const mfft_json_value **root) {
  FILE *file = fopen("read.json", "wb");
  fwrite(text, 1, length, file);
  fclose(file);
  return mfft_json_load("read.json", root);
}
static mfft_status parse(const char *text, const mfft_json_value **root) { return parse_bytes(text, strlen(text), root); }

static void round_trip(void) {
  const double numbers[] = {0.1, -1e300, 5e-324, NAN};
  const int64_t integers[] = {3, INT32_MIN};
  const mfft_json_value *root;
  mfft_json *json = mfft_json_create();
  mfft_json_object(json, NULL);
  mfft_json_string(json, "text", "a \"b\" \\ \n\t\x01 \xc3\xa9");
  mfft_json_string(json, "none", NULL);
  mfft_json_boolean(json, "yes", 1);
  mfft_json_array(json, "empty");
  mfft_json_end(json);
  mfft_json_numbers(json, "numbers", numbers, 4);
  mfft_json_integers(json, "integers", integers, 2);
  mfft_json_end(json);
  CHECK(mfft_json_save(json, "written.json") == MFFT_SUCCESS);
  mfft_json_destroy(json);
  CHECK(mfft_json_load("written.json", &root) == MFFT_SUCCESS, "%s", story);
  CHECK(root->type == MFFT_JSON_OBJECT && root->count == 6);
  CHECK(!strcmp(mfft_json_get(root, "text")->text, "a \"b\" \\ \n\t\x01 \xc3\xa9"));
  CHECK(mfft_json_get(root, "none")->type == MFFT_JSON_NULL && isnan(mfft_json_get(root, "none")->number));
  CHECK(mfft_json_get(root, "yes")->type == MFFT_JSON_BOOLEAN && mfft_json_get(root, "yes")->number == 1);
  CHECK(mfft_json_get(root, "empty")->type == MFFT_JSON_ARRAY && !mfft_json_get(root, "empty")->count);
  const mfft_json_value *n = mfft_json_get(root, "numbers")->first;
  for (int i = 0; i < 4; i++, n = n->next)
    CHECK(n->number == numbers[i] || (isnan(n->number) && isnan(numbers[i])), "%g", n->number);
  CHECK(!n && mfft_json_get(root, "integers")->first->next->number == INT32_MIN);
  CHECK(mfft_json_get(root, "absent")->type == MFFT_JSON_NULL && !mfft_json_get(mfft_json_get(root, "yes"), "x")->count);
  mfft_json_free(root);
}

static void texts(void) {
  const mfft_json_value *root;
  CHECK(parse(" [\"\\u00e9\\u20AC\\ud83d\\ude00\\/\\b\", {\"\": []}] ", &root) == MFFT_SUCCESS, "%s", story);
  CHECK(!strcmp(root->first->text, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80/\b"), "%s", root->first->text);
  CHECK(root->first->next->first->type == MFFT_JSON_ARRAY && !strcmp(root->first->next->first->key, ""));
  mfft_json_free(root);
  CHECK(parse("-0.5e1", &root) == MFFT_SUCCESS && root->number == -5);
  mfft_json_free(root);
}

static void refused(void) {
  static const struct {
    const char *text, *words;
  } cases[] = {{"", "ends in line 1"},
               {"[1,\n2,\n]", "line 3 has ']' where a value after ','"},
               {"{\"a\" 1}", "'1}' where ':'"},
               {"[1 2]", "where ',' or ']'"},
               {"{\"a\":1", "',' or '}' is missing"},
               {"{a:1}", "a text in quotes"},
               {"\"a", "the quote that ends a text"},
               {"\"\\x\"", "an escape"},
               {"\"\\ud800\"", "an escape"},
               {"\"\\u00g0\"", "an escape"},
               {"\"\\u12", "an escape"},
               {"\"\\", "an escape"},
               {"01", "a value"},
               {"1.", "a value"},
               {"nul", "a value"},
               {"nan", "a value"},
               {"+1", "a value"},
               {".5", "a value"},
               {"1 1", "where the end"},
               {"{} x", "where the end"},
               {"[[[[", "a value is missing"}};
  const mfft_json_value *root = NULL;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    story[0] = 0;
    CHECK(parse(cases[i].text, &root) == MFFT_ERR_CORRUPT && strstr(story, cases[i].words), "%s: %s", cases[i].text, story);
  }
  char deep[200];
  memset(deep, '[', sizeof deep - 1);
  deep[sizeof deep - 1] = 0;
  CHECK(parse(deep, &root) == MFFT_ERR_CORRUPT && strstr(story, "less nesting"), "%s", story);
  CHECK(parse_bytes("[1]\0[2]", 7, &root) == MFFT_ERR_CORRUPT && strstr(story, "a byte 0"), "%s", story);
  CHECK(mfft_json_load("absent.json", &root) == MFFT_ERR_IO && strstr(story, "absent.json"), "%s", story);
  CHECK(mfft_json_load(".", &root) == MFFT_ERR_IO, "%s", story);
  CHECK(!root);
}

int main(void) {
  round_trip();
  texts();
  refused();
  return test_end();
}
