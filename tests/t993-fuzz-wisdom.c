// TEST labels=fuzz+dist timeout=120
/* Random wisdom: words, numbers, lines and letters of a valid text changed, mostly with a checksum that fits.  It is
 * accepted or refused with MFFT_ERR_CORRUPT, and then nothing has changed; whatever it says, plans are made and are right.
 * See fuzz.h for how to repeat a try. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "base/text.h"
#include "dist.h"
#include "mfft_inspect.h"
#include "wisdom.h"

enum { CAPACITY = 1 << 18, N = 12 };
static char *sound; /* exported text */
static const char *const row_name[] = {"letters changed",           "numbers changed", "words exchanged or removed",
                                       "lines repeated or removed", "cut short",       "a long line"};
enum { ROWS = sizeof row_name / sizeof *row_name };

/* A tuned plan, whose wisdom is queried if there is any, against FFTW. */
static void use_plans(void) {
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  for (int a = 0; a < 3; a++) d.n[a] = N;
  options.effort = MFFT_TUNE_MEASURE;
  dist_check(MPI_COMM_SELF, &d, &options, "tuned");
}

/* ---- Changes --------------------------------------------------------------------------------------------------------- */

/* The offset and length of a word: letters that are not spaces. */
static size_t draw_word(fuzz_try *t, const char *text, size_t *length) {
  const size_t all = strlen(text);
  size_t at = (size_t)fuzz_draw(t, (int64_t)all + 1);
  while (at > 0 && text[at - 1] != ' ' && text[at - 1] != '\n') at--;
  *length = strcspn(text + at, " \n");
  return at;
}

static void put(char *text, size_t at, size_t length, const char *other, size_t other_length) {
  const size_t rest = strlen(text + at + length) + 1;
  memmove(text + at + other_length, text + at + length, rest);
  memcpy(text + at, other, other_length);
}

static void letters(fuzz_try *t, char *text) {
  for (int64_t i = fuzz_draw(t, 6); i >= 0 && *text; i--)
    text[fuzz_draw(t, (int64_t)strlen(text))] = (char)(fuzz_draw(t, 3) ? 32 + fuzz_draw(t, 96) : 1 + fuzz_draw(t, 255));
}

static void numbers(fuzz_try *t, char *text) {
  static const char *const extreme[] = {"0",   "-1",  "1",     "7",   "2147483648", "99999999999999999999",
                                        "nan", "inf", "1e308", "0x0", "1e-320"};
  size_t length;
  for (int64_t i = fuzz_draw(t, 3); i >= 0; i--)
    for (int tries = 0; tries < 40; tries++) {
      const size_t at = draw_word(t, text, &length);
      if (!strcspn(text + at, "-0123456789") && length) {
        const char *other = extreme[fuzz_draw(t, sizeof extreme / sizeof *extreme)];
        put(text, at, length, other, strlen(other));
        break;
      }
    }
}

static void words(fuzz_try *t, char *text) {
  char copy[512];
  size_t from_length, length;
  for (int64_t i = fuzz_draw(t, 4); i >= 0; i--) {
    const size_t from = draw_word(t, text, &from_length);
    if (from_length > sizeof copy) continue;
    memcpy(copy, text + from, from_length);
    const size_t at = draw_word(t, text, &length);
    put(text, at, length, copy, fuzz_one_in(t, 4) ? 0 : from_length);
  }
}

static void lines(fuzz_try *t, char *text) {
  size_t length;
  for (int64_t i = fuzz_draw(t, 3); i >= 0; i--) {
    size_t at = draw_word(t, text, &length);
    while (at > 0 && text[at - 1] != '\n') at--;
    length = strcspn(text + at, "\n") + 1;
    if (at + length > strlen(text)) continue;
    char *line = strndup(text + at, length);
    if (fuzz_draw(t, 2))
      put(text, at, length, "", 0);
    else
      put(text, at, 0, line, length);
    free(line);
  }
}

static void cut(fuzz_try *t, char *text) { text[fuzz_draw(t, (int64_t)strlen(text))] = '\0'; }

static void long_line(fuzz_try *t, char *text) {
  static char filler[100000];
  size_t length;
  const size_t at = draw_word(t, text, &length), size = (size_t)exp2(16.5 * (test_random(&t->state) + 0.5));
  memset(filler, "a 1_x"[fuzz_draw(t, 5)], sizeof filler);
  put(text, at, fuzz_draw(t, 2) ? length : 0, filler, size);
}

static void (*const change[ROWS])(fuzz_try *, char *) = {letters, numbers, words, lines, cut, long_line};

/* Gives the text a checksum that fits, in place of its own. */
static void seal(char *text) {
  char *last = NULL;
  for (char *at = text; (at = strstr(at, "\nchecksum ")); at++) last = at + 1;
  if (!last) last = text + strlen(text);
  sprintf(last, "checksum %016llx\n", (unsigned long long)mfft_text_hash(text, (size_t)(last - text)));
}

/* The same for all orders of the lines before the checksum: FFTW writes its own in the order of a hash table. */
static uint64_t sum_of_lines(const char *text) {
  uint64_t sum = 0;
  for (size_t length; strncmp(text, "checksum ", 9) && *text; text += length) {
    length = strcspn(text, "\n") + 1;
    sum += mfft_text_hash(text, length);
  }
  return sum;
}

/* ---- Tries ----------------------------------------------------------------------------------------------------------- */

static int attempt(fuzz_try *t) {
  static char text[CAPACITY];
  const int row = (int)fuzz_draw(t, ROWS), failures = test_failures;
  fuzz_set_row(t, row);
  fftw_forget_wisdom();
  fftwf_forget_wisdom();
  CHECK_OK(mfft_wisdom_import(sound));
  strcpy(text, sound);
  change[row](t, text);
  if (fuzz_draw(t, 4)) seal(text);

  char *before = exported_wisdom();
  const mfft_status status = mfft_wisdom_import(text);
  char *after = exported_wisdom();
  if (status != MFFT_SUCCESS && status != MFFT_ERR_CORRUPT)
    fuzz_wrong(t, "%s: %s", mfft_strerror(status), mfft_last_error());
  if (status != MFFT_SUCCESS && sum_of_lines(before) != sum_of_lines(after))
    fuzz_wrong(t, "a text that is refused has changed the wisdom");
  if (mfft_wisdom_import(after) != MFFT_SUCCESS) fuzz_wrong(t, "what was exported is refused: %s", mfft_last_error());
  if (status == MFFT_SUCCESS && fuzz_one_in(t, 4)) use_plans();
  if (test_failures > failures) fuzz_wrong(t, "a check failed");
  free(before);
  free(after);
  return (int)status;
}

int main(int argc, char **argv) {
  static const fuzz_harness harness = {
      .name = "wisdom", .row = row_name, .rows = ROWS, .seconds = 30, .memory = (size_t)3 << 30, .attempt = attempt};
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0); /* without mpirun, many at once */
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  setenv("MFFT_TUNE_S", "0.2", 1);
  setenv("MFFT_LOG", "0", 1); /* warnings of wisdom without effect here are expected */
  MPI_Init(&argc, &argv);
  use_plans();
  sound = exported_wisdom();
  CHECK(strlen(sound) < CAPACITY / 2 && strstr(sound, "\nplan ") && strstr(sound, "\nbackend "), "tuning left no wisdom: %s",
        sound);
  setenv("MFFT_TUNE_S", "0.001", 1);
  if (!test_failures) fuzz_main(&harness, 500, argc, argv);
  free(sound);
  int failed = test_end();
  MPI_Finalize();
  return failed;
}
