// TEST labels=apps
// Writing JSON: nesting, escapes, numbers that are read back exactly, and files that are whole or absent.
#include <sys/stat.h>
#include <unistd.h>

#include "../apps/cli/cli.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_option.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/collective.c"
#include "../apps/cli/number.c"
#include "../apps/cli/option_words.c"
#include "../apps/cli/progress.c"
#include "../apps/cli/report.c"
#include "../apps/io/json.c"
#include "../apps/io/save.c"
#include "check.h"
#include "mfft_inspect.h"

/* The text of an object, as it would be in a file; to be freed. */
static char *text_of(const mfft_json *json) {
  size_t length;
  char *text = NULL, why[MFFT_WHY_BYTES];
  CHECK(mfft_json_save(json, "t603.json") == MFFT_SUCCESS, "%s", app_message);
  CHECK(mfft_file_read("t603.json", 1 << 20, &text, &length, why) == 0, "%s", why);
  unlink("t603.json");
  return text;
}

static void structure(void) {
  static const char want[] =
      "{\n  \"a\": 1,\n  \"b\": [\n    \"x\\\"\\\\\\n\",\n    null,\n    {},\n    []\n  ],\n  \"c\": [\n    0.5,\n    "
      "null\n  ],\n"
      "  \"d\": [\n    3,\n    -9223372036854775808\n  ],\n  \"e\": true\n}\n";
  const double numbers[] = {0.5, NAN};
  const int64_t integers[] = {3, INT64_MIN};
  mfft_json *json = mfft_json_create();
  mfft_json_object(json, NULL);
  mfft_json_integer(json, "a", 1);
  mfft_json_array(json, "b");
  mfft_json_string(json, NULL, "x\"\\\n");
  mfft_json_string(json, NULL, NULL);
  mfft_json_object(json, NULL);
  mfft_json_end(json);
  mfft_json_array(json, NULL);
  mfft_json_end(json);
  mfft_json_end(json);
  mfft_json_numbers(json, "c", numbers, 2);
  mfft_json_integers(json, "d", integers, 2);
  mfft_json_boolean(json, "e", 7);
  mfft_json_end(json);
  char *text = text_of(json);
  CHECK(text && !strcmp(text, want), "got %s", text);
  free(text);
  mfft_json_destroy(json);
}

/* Numbers are read back exactly, to the last bit. */
static void round_trip(void) {
  enum { COUNT = 2000 };
  double values[COUNT];
  uint64_t state = 1;
  mfft_json *json = mfft_json_create();
  for (int i = 0; i < COUNT; i++) values[i] = ldexp(test_random(&state), (int)(2000 * test_random(&state)));
  mfft_json_numbers(json, NULL, values, COUNT);
  char *text = text_of(json), *at = text;
  for (int i = 0; i < COUNT && at; i++) {
    at += strspn(at, "[, \n");
    const double back = strtod(at, &at);
    CHECK(back == values[i], "%.17g became %.17g", values[i], back);
  }
  free(text);
  mfft_json_destroy(json);
}

/* Every byte in a string: the result is ASCII or UTF-8 without control characters, and valid characters are unchanged. */
static void strings(void) {
  char text[256];
  for (int i = 1; i < 256; i++) text[i - 1] = (char)i;
  text[255] = '\0';
  mfft_json *json = mfft_json_create();
  mfft_json_string(json, NULL, text);
  char *shown = text_of(json);
  CHECK(shown && mfft_escape(shown, NULL, 0) == strlen(shown) + 1, "%s", shown); /* except the line break at the end */
  CHECK(shown && strstr(shown, "\\u001B\\u001C") && strstr(shown, "\\\\xfe\\\\xff\""), "%s", shown);
  free(shown);
  mfft_json_destroy(json);
  json = mfft_json_create();
  mfft_json_string(json, NULL, "\xc3\xbc \xce\xb4\x7f");
  shown = text_of(json);
  CHECK(shown && !strcmp(shown, "\"\xc3\xbc \xce\xb4\\\\x7f\"\n"), "%s", shown);
  free(shown);
  mfft_json_destroy(json);
}

/* More levels than there is space for are an error when the file is written; no memory is overwritten. */
static void too_deep(void) {
  mfft_json *json = mfft_json_create();
  for (int i = 0; i < 100; i++) mfft_json_array(json, NULL);
  for (int i = 0; i < 100; i++) mfft_json_end(json);
  CHECK(mfft_json_save(json, "t603.json") == MFFT_ERR_MEMORY && access("t603.json", F_OK),
        "saved an object that is nested too deep");
  mfft_json_destroy(json);
}

static void saving(void) {
  char back[64] = "";
  mfft_json *json = mfft_json_create();
  mfft_json_object(json, NULL);
  mfft_json_end(json);
  CHECK(mfft_json_save(json, "t603.json") == MFFT_SUCCESS, "%s", app_message);
  FILE *file = fopen("t603.json", "r");
  CHECK(file && fread(back, 1, sizeof back - 1, file) == 3 && !strcmp(back, "{}\n"), "got '%s'", back);
  if (file) fclose(file);
  CHECK(mfft_json_save(json, "no/such/folder/x.json") == MFFT_ERR_IO);
  CHECK(strstr(app_message, "no/such/folder/x.json"), "%s", app_message);
  CHECK(mfft_app_save("/dev/full", &mfft_json_kind, "x", 1) == MFFT_ERR_IO && strstr(app_message, "No space"), "%s",
        app_message);
  struct stat about;
  CHECK(stat("/dev/full", &about) == 0 && S_ISCHR(about.st_mode), "a device was replaced by a file");
  mfft_json_destroy(json);
  unlink("t603.json");
}

int main(void) {
  structure();
  round_trip();
  strings();
  too_deep();
  saving();
  return test_end();
}
