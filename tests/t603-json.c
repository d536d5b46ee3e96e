// TEST labels=apps
// The JSON writer: nesting, commas, escapes, numbers that come back as they went in, and files that are whole or absent.
#include <sys/stat.h>
#include <unistd.h>

#include "../apps/cli/cli.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/collective.c"
#include "../apps/cli/number.c"
#include "../apps/cli/progress.c"
#include "../apps/cli/report.c"
#include "../apps/io/json.c"
#include "../apps/io/save.c"
#include "check.h"
#include "mfft_inspect.h"

static void structure(void) {
  static const char want[] =
      "{\n  \"a\": 1,\n  \"b\": [\n    \"x\\\"\\\\\\u000a\",\n    null,\n    {},\n    []\n  ],\n  \"c\": [0.1, null],\n"
      "  \"d\": [3, -9223372036854775808],\n  \"e\": true\n}\n";
  const double numbers[] = {0.1, NAN};
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
  CHECK(!strcmp(mfft_json_text(json), want), "got %s", mfft_json_text(json));
  mfft_json_destroy(json);
}

static void round_trip(void) {
  uint64_t state = 1;
  for (int i = 0; i < 2000; i++) {
    double value = ldexp(test_random(&state), (int)(2000 * test_random(&state)));
    mfft_json *json = mfft_json_create();
    mfft_json_number(json, NULL, value);
    CHECK(strtod(mfft_json_text(json), NULL) == value, "%.17g became %s", value, mfft_json_text(json));
    mfft_json_destroy(json);
  }
}

/* Every byte in a string: what comes out is ASCII or UTF-8 with no control character, and valid letters are themselves. */
static void strings(void) {
  char text[256];
  for (int i = 1; i < 256; i++) text[i - 1] = (char)i;
  text[255] = '\0';
  mfft_json *json = mfft_json_create();
  mfft_json_string(json, NULL, text);
  CHECK(mfft_escape(mfft_json_text(json), NULL, 0) == strlen(mfft_json_text(json)), "%s", mfft_json_text(json));
  CHECK(strstr(mfft_json_text(json), "\\u001b\\u001c") && strstr(mfft_json_text(json), "\\\\xfe\\\\xff\""), "%s",
        mfft_json_text(json));
  mfft_json_destroy(json);
  json = mfft_json_create();
  mfft_json_string(json, NULL, "\xc3\xbc \xce\xb4\x7f");
  CHECK(!strcmp(mfft_json_text(json), "\"\xc3\xbc \xce\xb4\\\\x7f\""), "%s", mfft_json_text(json));
  mfft_json_destroy(json);
}

static void saving(void) {
  char back[64] = "";
  mfft_json *json = mfft_json_create();
  mfft_json_object(json, NULL);
  mfft_json_end(json);
  CHECK(mfft_json_save(json, "t603.json") == MFFT_SUCCESS, "%s", app_story);
  FILE *file = fopen("t603.json", "r");
  CHECK(file && fread(back, 1, sizeof back - 1, file) == 3 && !strcmp(back, "{}\n"), "got '%s'", back);
  if (file) fclose(file);
  CHECK(mfft_json_save(json, "no/such/folder/x.json") == MFFT_ERR_IO);
  CHECK(strstr(app_story, "no/such/folder/x.json"), "%s", app_story);
  CHECK(mfft_app_save("/dev/full", &mfft_json_kind, "x", 1) == MFFT_ERR_IO && strstr(app_story, "No space"), "%s",
        app_story);
  struct stat about;
  CHECK(stat("/dev/full", &about) == 0 && S_ISCHR(about.st_mode), "a device was replaced by a file");
  mfft_json_destroy(json);
  unlink("t603.json");
}

int main(void) {
  structure();
  round_trip();
  strings();
  saving();
  return test_end();
}
