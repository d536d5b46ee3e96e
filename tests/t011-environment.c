// TEST
/* Numbers in environment variables: which texts are numbers, and that any other text counts as the default, with one
 * warning. */
#define _GNU_SOURCE /* setenv */
#include <stdlib.h>
#include <unistd.h>

#include "base/env.h"
#include "check.h"

static double value_of(const char *text) {
  setenv("MFFT_CHUNK_BYTES", text, 1);
  return mfft_env_number(MFFT_ENV_CHUNK_BYTES);
}

int main(void) {
  static const char *const nonsense[] = {"abc",  "-1", "nan", "inf", "1e999", "1e19", "99999999999999999999",
                                         "12 x", "0x", "1,5"};
  const double fallback = atof(mfft_env_default(MFFT_ENV_CHUNK_BYTES));
  const int saved_stderr = dup(2);
  FILE *quiet = freopen("warnings.txt", "w", stderr);
  double got[sizeof nonsense / sizeof *nonsense];
  for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) got[i] = value_of(nonsense[i]);
  fflush(stderr);
  dup2(saved_stderr, 2);
  for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++)
    CHECK(got[i] == fallback, "\"%s\" is read as %g", nonsense[i], got[i]);

  char line[256] = "", more[8];
  FILE *said = fopen("warnings.txt", "r");
  CHECK(quiet && said && fgets(line, sizeof line, said) && !fgets(more, sizeof more, said), "not one warning: %s", line);
  CHECK(strstr(line, "MFFT_CHUNK_BYTES is \"abc\"") && strstr(line, "taking 4194304"), "%s", line);
  if (said) fclose(said);

  CHECK(value_of("0") == 0 && value_of("4096") == 4096 && value_of("2.5") == 2.5 && value_of("1e18") == 1e18);
  CHECK(value_of("") == fallback, "what is empty counts as unset");
  unsetenv("MFFT_CHUNK_BYTES");
  CHECK(mfft_env_number(MFFT_ENV_CHUNK_BYTES) == fallback);
  return test_end();
}
