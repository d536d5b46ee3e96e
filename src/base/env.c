/* env.c: the table of environment variables. */
#include "base/env.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "mfft.h"
#include "mfft_inspect.h"

static const struct {
  const char *name, *fallback, *help;
} table[MFFT_ENV_COUNT] = {
#define MFFT_X(id, name, fallback, help) {name, fallback, help},
    MFFT_ENV_LIST(MFFT_X)
#undef MFFT_X
};

const char *mfft_env_name(mfft_env variable) { return table[variable].name; }
const char *mfft_env_default(mfft_env variable) { return table[variable].fallback; }
const char *mfft_env_help(mfft_env variable) { return table[variable].help; }

int mfft_environment_variable(int i, const char **name, const char **fallback, const char **help) {
  if (i < 0 || i >= MFFT_ENV_COUNT) return 0;
  *name = table[i].name;
  *fallback = table[i].fallback;
  *help = table[i].help;
  return 1;
}

const char *mfft_env_string(mfft_env variable) {
  const char *value = getenv(table[variable].name);
  return value && *value ? value : table[variable].fallback;
}

/* The upper limit makes every number fit in an int64_t; a NaN fails both comparisons. */
static int parse(const char *text, double *number) {
  char *end;
  errno = 0;
  *number = strtod(text, &end);
  return end != text && *end == '\0' && errno == 0 && *number >= 0 && *number <= 1e18;
}

double mfft_env_number(mfft_env variable) {
  static int warned[MFFT_ENV_COUNT]; /* [MFFT_ENV_COUNT] */
  double number;
  if (parse(mfft_env_string(variable), &number)) return number;
  if (!warned[variable]) {
    char value[256];
    warned[variable] = 1;
    mfft_escape(mfft_env_string(variable), value, sizeof value);
    fprintf(stderr, "mergefft: warning: %s is \"%s\", not a number from 0 to 1e18; taking %s\n", table[variable].name, value,
            table[variable].fallback);
  }
  return parse(table[variable].fallback, &number) ? number : 0;
}
