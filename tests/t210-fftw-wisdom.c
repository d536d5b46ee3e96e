// TEST
/* FFTW's wisdom is part of exported wisdom: exported, forgotten, imported; damaged wisdom is refused and changes nothing. */
#include <fftw3.h>

#include "check.h"
#include "local/backend.h"
#include "mfft_inspect.h"
#include "wisdom.h"

static void plan_measured(mfft_precision precision) {
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = 1;
  d.n[0] = 1155;
  d.precision = precision;
  options.backend = "fftw";
  mfft_plan plan = NULL;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  mfft_plan_destroy(plan);
}

/* Whether FFTW's wisdom has the problem of plan_measured, so that it plans without measuring. */
static int known(void) {
  fftw_complex *a = fftw_malloc(1155 * sizeof *a), *b = fftw_malloc(1155 * sizeof *b);
  fftwf_complex *c = fftwf_malloc(1155 * sizeof *c), *d = fftwf_malloc(1155 * sizeof *d);
  const unsigned flags = FFTW_MEASURE | FFTW_WISDOM_ONLY | FFTW_PRESERVE_INPUT;
  fftw_iodim64 axis = {1155, 1, 1};
  fftwf_iodim64 axis_single = {1155, 1, 1};
  fftw_plan wide = fftw_plan_guru64_dft(1, &axis, 0, NULL, a, b, FFTW_FORWARD, flags);
  fftwf_plan narrow = fftwf_plan_guru64_dft(1, &axis_single, 0, NULL, c, d, FFTW_FORWARD, flags);
  const int both = (wide != NULL) + 2 * (narrow != NULL);
  if (wide) fftw_destroy_plan(wide);
  if (narrow) fftwf_destroy_plan(narrow);
  fftw_free(a), fftw_free(b), fftwf_free(c), fftwf_free(d);
  return both;
}

static void forget(void) {
  fftw_forget_wisdom();
  fftwf_forget_wisdom();
}

int main(void) {
  const mfft_backend *backend = NULL;
  CHECK_OK(mfft_backend_find("fftw", &backend));
  if (!backend) return test_end();
  forget();
  CHECK(known() == 0, "FFTW has wisdom of the problem before it was planned");
  plan_measured(MFFT_DOUBLE);
  plan_measured(MFFT_SINGLE);
  CHECK(known() == 3, "planning taught FFTW %d of 3", known());

  char *text = backend->wisdom_get();
  CHECK(text && strstr(text, "fftw_wisdom") && strstr(text, "fftwf_wisdom") && !strstr(text, "\n\n"), "the text is %s",
        text ? text : "NULL");
  if (!text) return test_end();
  forget();
  CHECK(known() == 0, "forgotten");
  CHECK_OK(backend->wisdom_set(text));
  CHECK(known() == 3, "the import taught FFTW %d of 3", known());

  /* Wisdom cut at any byte is refused, and nothing of it is taken, not even a first part that is complete. */
  forget();
  const size_t length = strlen(text);
  for (size_t cut = 0; cut < length - 2; cut += 1 + length / 97) {
    char *part = malloc(cut + 1);
    memcpy(part, text, cut);
    part[cut] = '\0';
    CHECK(backend->wisdom_set(part) == MFFT_ERR_CORRUPT, "%zu of %zu bytes are taken", cut, length);
    CHECK(known() == 0, "%zu of %zu bytes taught FFTW something", cut, length);
    free(part);
  }

  /* Numbers beyond FFTW's bit fields, for which FFTW itself ends the process. */
  char *entry = strstr(text, "  ("), *flags = entry ? strstr(entry, "#x") : NULL;
  CHECK(flags != NULL, "no entry in %s", text);
  for (int field = 0; flags && field < 3; field++, flags = strstr(flags + 1, "#x")) {
    char *large = malloc(length + 16);
    const int before = (int)(flags - text), digits = (int)strspn(flags + 2, "0123456789abcdef");
    snprintf(large, length + 16, "%.*s#xfffffff%s", before, text, flags + 2 + digits);
    CHECK(backend->wisdom_set(large) == MFFT_ERR_CORRUPT, "number %d of an entry too large is taken", field);
    CHECK(known() == 0, "number %d of an entry too large taught FFTW something", field);
    free(large);
  }
  CHECK_FAILS(backend->wisdom_set("(fftw-9.9.9 fftw_wisdom #x1\n)\n(fftw-9.9.9 fftwf_wisdom #x1\n)\n"), MFFT_ERR_CORRUPT,
              "another build of FFTW");
  free(text);

  /* The exported text contains it too. */
  plan_measured(MFFT_DOUBLE);
  plan_measured(MFFT_SINGLE);
  text = exported_wisdom();
  forget();
  CHECK_OK(mfft_wisdom_import(text));
  CHECK(known() == 3, "mfft_wisdom_import taught FFTW %d of 3", known());
  free(text);
  return test_end();
}
