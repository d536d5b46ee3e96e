/* cli_value.c: reading one value of a command line. */
#include "cli/cli_value.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/number.h"

static int unbounded(double min, double max) { return min == 0 && max == 0; }

/* "must be a whole number from 1 to 9"; a huge limit is not printed.  link: what stands between `what` and the limits. */
static int refuse_list(char *why, const char *what, const char *link, double min, double max) {
  if (unbounded(min, max))
    snprintf(why, MFFT_CLI_WHY_BYTES, "must be %s", what);
  else if (max >= 1e300)
    snprintf(why, MFFT_CLI_WHY_BYTES, "must be %s%s of at least %.12g", what, link, min);
  else
    snprintf(why, MFFT_CLI_WHY_BYTES, "must be %s%s from %.12g to %.12g", what, link, min, max);
  return -1;
}

static int refuse(char *why, const char *what, double min, double max) { return refuse_list(why, what, "", min, max); }

int mfft_cli_read_int(const char *text, double min, double max, int64_t *value, char *why) {
  char *end;
  errno = 0;
  long long number = strtoll(text, &end, 10);
  int inside = unbounded(min, max) || ((double)number >= min && (double)number <= max);
  if (end == text || *end || errno || !inside) return refuse(why, "a whole number", min, max);
  *value = number;
  return 0;
}

int mfft_cli_read_real(const char *text, double min, double max, double *value, char *why) {
  char *end;
  double number = strtod(text, &end); /* an overflow gives infinity, refused below; an underflow gives its nearest value */
  int inside = unbounded(min, max) || (number >= min && number <= max);
  if (end == text || *end || !isfinite(number) || !inside) return refuse(why, "a finite number", min, max);
  *value = number;
  return 0;
}

/* The next piece of a list, cut at any of `separators`, into `piece`; the rest, or NULL after the last one. */
static const char *next_piece(const char *text, const char *separators, char *piece, size_t size) {
  size_t length = strcspn(text, separators);
  snprintf(piece, size, "%.*s", (int)(length < size ? length : size - 1), text);
  if (length >= size) piece[0] = '?'; /* longer than any number: let it fail as one */
  return text[length] ? text + length + 1 : NULL;
}

static int refuse_sizes(const mfft_cli_option *option, char *why) {
  return refuse_list(why, option->plane ? "one to three lengths, as 64x32x128" : "one length, or three as 64x32x128",
                     ", each", option->min, option->max);
}

static int read_sizes(const mfft_cli_option *option, const char *text, mfft_cli_sizes *sizes, char *why) {
  char piece[32];
  mfft_cli_sizes read = {0};
  for (const char *rest = text; rest; read.count++) {
    if (read.count == 3) return refuse_sizes(option, why);
    rest = next_piece(rest, "x,", piece, sizeof piece);
    if (mfft_cli_read_int(piece, option->min, option->max, &read.v[read.count], why)) return refuse_sizes(option, why);
  }
  if (read.count == 2 && !option->plane) return refuse_sizes(option, why);
  if (read.count == 1) read.v[1] = read.v[2] = read.v[0];
  *sizes = read;
  return 0;
}

static int refuse_reals(const mfft_cli_option *option, char *why) {
  return refuse_list(why, "one finite number, or three as 1,2.5,4", ", each", option->min, option->max);
}

static int read_reals(const mfft_cli_option *option, const char *text, mfft_cli_reals *reals, char *why) {
  char piece[64];
  mfft_cli_reals read = {0};
  for (const char *rest = text; rest; read.count++) {
    if (read.count == 3) return refuse_reals(option, why);
    rest = next_piece(rest, ",", piece, sizeof piece);
    if (mfft_cli_read_real(piece, option->min, option->max, &read.v[read.count], why)) return refuse_reals(option, why);
  }
  if (read.count == 2) return refuse_reals(option, why);
  if (read.count == 1) read.v[1] = read.v[2] = read.v[0];
  *reals = read;
  return 0;
}

static int read_grid(const mfft_cli_option *option, const char *text, int *grid /* [2] */, char *why) {
  char piece[32];
  int64_t sides[2]; /* [P, Q] */
  double max = option->max > 0 ? option->max : INT_MAX;
  const char *rest = next_piece(text, "x,", piece, sizeof piece);
  if (!rest || mfft_cli_read_int(piece, option->min, max, &sides[0], why) ||
      mfft_cli_read_int(rest, option->min, max, &sides[1], why))
    return refuse_list(why, "a process grid PxQ, such as 2x3", ", each", option->min, max);
  grid[0] = (int)sides[0];
  grid[1] = (int)sides[1];
  return 0;
}

int mfft_cli_choice(const char *choices, const char *text) {
  int place = 0;
  size_t wanted = strlen(text);
  for (const char *word = choices; word; place++) {
    size_t length = strcspn(word, "|");
    if (length == wanted && !strncmp(word, text, length)) return place;
    word = word[length] ? word + length + 1 : NULL;
  }
  return -1;
}

const char *mfft_cli_choice_name(const char *choices, int place) {
  static char name[64];
  name[0] = 0;
  for (const char *word = choices; word && place >= 0; place--) {
    size_t length = strcspn(word, "|");
    if (!place) snprintf(name, sizeof name, "%.*s", (int)length, word);
    word = word[length] ? word + length + 1 : NULL;
  }
  return name;
}

int mfft_cli_read_value(const mfft_cli_option *option, const char *text, void *value, char *why) {
  switch (option->type) {
    case MFFT_CLI_FLAG:
      *(int *)value = 1;
      return 0;
    case MFFT_CLI_INT:
      return mfft_cli_read_int(text, option->min, option->max, value, why);
    case MFFT_CLI_REAL:
      return mfft_cli_read_real(text, option->min, option->max, value, why);
    case MFFT_CLI_TEXT:
      if (!*text) return snprintf(why, MFFT_CLI_WHY_BYTES, "must not be empty"), -1;
      *(const char **)value = text;
      return 0;
    case MFFT_CLI_CHOICE: {
      int place = mfft_cli_choice(option->choices, text);
      if (place < 0) return snprintf(why, MFFT_CLI_WHY_BYTES, "must be one of %s", option->choices), -1;
      *(int *)value = place;
      return 0;
    }
    case MFFT_CLI_SIZES:
      return read_sizes(option, text, value, why);
    case MFFT_CLI_REALS:
      return read_reals(option, text, value, why);
    case MFFT_CLI_GRID:
      return read_grid(option, text, value, why);
    case MFFT_CLI_TABLE: /* has no value of its own */
      break;
  }
  return -1;
}

/* ---- And back ---- */

static void write_real(double value, FILE *out) {
  char text[MFFT_NUMBER_BYTES];
  mfft_number_text(value, text);
  fputs(text, out);
}

void mfft_cli_write_value(const mfft_cli_option *option, const void *value, FILE *out) {
  static const char absent[] = "not given";
  const mfft_cli_sizes *sizes = value;
  const mfft_cli_reals *reals = value;
  switch (option->type) {
    case MFFT_CLI_FLAG:
      fputs(*(const int *)value ? "given" : absent, out);
      return;
    case MFFT_CLI_INT:
      *(const int64_t *)value == INT64_MIN ? fputs(absent, out) : fprintf(out, "%" PRId64, *(const int64_t *)value);
      return;
    case MFFT_CLI_REAL:
      isnan(*(const double *)value) ? (void)fputs(absent, out) : write_real(*(const double *)value, out);
      return;
    case MFFT_CLI_TEXT:
      fputs(*(const char *const *)value ? *(const char *const *)value : absent, out);
      return;
    case MFFT_CLI_CHOICE:
      fputs(*(const int *)value < 0 ? absent : mfft_cli_choice_name(option->choices, *(const int *)value), out);
      return;
    case MFFT_CLI_SIZES:
      if (!sizes->count) fputs(absent, out);
      for (int i = 0; i < sizes->count; i++) fprintf(out, "%s%" PRId64, i ? "x" : "", sizes->v[i]);
      return;
    case MFFT_CLI_REALS:
      if (!reals->count) fputs(absent, out);
      for (int i = 0; i < reals->count; i++) {
        if (i) fputc(',', out);
        write_real(reals->v[i], out);
      }
      return;
    case MFFT_CLI_GRID:
      fprintf(out, "%dx%d", ((const int *)value)[0], ((const int *)value)[1]);
      return;
    case MFFT_CLI_TABLE: /* has no value of its own */
      return;
  }
}
