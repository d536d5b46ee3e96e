// TEST labels=apps
// Reading JSON: a written file is read back, values of every kind, and messages with lines for invalid JSON.
#include <unistd.h>

#include "../apps/cli/cli.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_option.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/number.c"
#include "../apps/cli/progress.c"
#include "../apps/io/json.c"
#include "../apps/io/json_read.c"
#include "../apps/io/save.c"
#include "check.h"

/* Replaces apps/cli/report.c. */
static char message[512];
mfft_status mfft_app_fail(mfft_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return status;
}
int mfft_app_rank(void) { return 0; }

static mfft_status parse_bytes(const char *text, size_t length, mfft_json_value **root) {
  FILE *file = fopen("read.json", "wb");
  fwrite(text, 1, length, file);
  fclose(file);
  return mfft_json_load("read.json", root);
}
static mfft_status parse(const char *text, mfft_json_value **root) { return parse_bytes(text, strlen(text), root); }

static void round_trip(void) {
  const double numbers[] = {0.1, -1e300, 5e-324, NAN};
  const int64_t integers[] = {3, INT32_MIN};
  mfft_json_value *root;
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
  CHECK(mfft_json_load("written.json", &root) == MFFT_SUCCESS, "%s", message);
  CHECK(!strcmp(mfft_json_text_of(mfft_json_get(root, "text")), "a \"b\" \\ \n\t\x01 \xc3\xa9"));
  CHECK(mfft_json_get(root, "none") && isnan(mfft_json_number_of(mfft_json_get(root, "none"))));
  CHECK(mfft_json_number_of(mfft_json_get(root, "yes")) == 1 && mfft_json_count(mfft_json_get(root, "yes")) == -1);
  CHECK(mfft_json_count(mfft_json_get(root, "empty")) == 0 && mfft_json_count(root) == -1);
  const mfft_json_value *n = mfft_json_get(root, "numbers");
  CHECK(mfft_json_count(n) == 4 && !mfft_json_at(n, 4), "%d numbers", mfft_json_count(n));
  for (int i = 0; i < 4; i++) {
    const double back = mfft_json_number_of(mfft_json_at(n, i));
    CHECK(back == numbers[i] || (isnan(back) && isnan(numbers[i])), "%g", back);
  }
  CHECK(mfft_json_number_of(mfft_json_at(mfft_json_get(root, "integers"), 1)) == INT32_MIN);
  CHECK(!mfft_json_get(root, "absent") && !mfft_json_get(mfft_json_get(root, "yes"), "x"));
  CHECK(isnan(mfft_json_number_of(NULL)) && !*mfft_json_text_of(NULL) && mfft_json_count(NULL) == -1);
  mfft_json_free(root);
}

static void texts(void) {
  mfft_json_value *root;
  CHECK(parse(" [\"\\u00e9\\u20AC\\ud83d\\ude00\\/\\b\", {\"\": []}] ", &root) == MFFT_SUCCESS, "%s", message);
  CHECK(!strcmp(mfft_json_text_of(mfft_json_at(root, 0)), "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80/\b"), "%s",
        mfft_json_text_of(mfft_json_at(root, 0)));
  CHECK(mfft_json_count(mfft_json_get(mfft_json_at(root, 1), "")) == 0);
  mfft_json_free(root);
  CHECK(parse("123456789012345678901", &root) == MFFT_SUCCESS && mfft_json_number_of(root) == 123456789012345678901.0);
  mfft_json_free(root);
  CHECK(parse("-0.5e1", &root) == MFFT_SUCCESS && mfft_json_number_of(root) == -5);
  mfft_json_free(root);
}

static void refused(void) {
  static const struct {
    const char *text, *words;
  } cases[] = {{"", "line 1"},
               {"[1,\n2,\n]", "line 3"},
               {"{\"a\" 1}", "':' expected near '1'"},
               {"[1 2]", "']' expected near '2'"},
               {"{\"a\":1", "'}' expected"},
               {"{a:1}", "string or '}' expected"},
               {"\"a", "line 1"},
               {"\"\\x\"", "invalid escape"},
               {"\"\\ud800\"", "invalid Unicode"},
               {"\"\\u00g0\"", "invalid escape"},
               {"\"\\u0000\"", "line 1"},
               {"01", "invalid token"},
               {"1.", "invalid token"},
               {"nul", "invalid token"},
               {"nan", "invalid token"},
               {"+1", "invalid token"},
               {".5", "invalid token"},
               {"1 1", "end of file expected"},
               {"{} x", "end of file expected"},
               {"[[[[", "line 1"},
               {"\"\xff\"", "decode"},
               {"1e999", "overflow"}};
  mfft_json_value *root = NULL;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    message[0] = 0;
    CHECK(parse(cases[i].text, &root) == MFFT_ERR_CORRUPT && strstr(message, cases[i].words) &&
              strstr(message, "'read.json' is no JSON"),
          "%s: %s", cases[i].text, message);
  }
  char deep[20000];
  memset(deep, '[', sizeof deep - 1);
  deep[sizeof deep - 1] = 0;
  CHECK(parse(deep, &root) == MFFT_ERR_CORRUPT && strstr(message, "depth"), "%s", message);
  CHECK(parse_bytes("[1]\0[2]", 7, &root) == MFFT_ERR_CORRUPT && strstr(message, "line 1"), "%s", message);
  CHECK(mfft_json_load("absent.json", &root) == MFFT_ERR_IO && strstr(message, "absent.json"), "%s", message);
  CHECK(mfft_json_load(".", &root) == MFFT_ERR_IO, "%s", message);
  CHECK(!root);
}

int main(void) {
  round_trip();
  texts();
  refused();
  return test_end();
}
