// TEST
/* Fast lengths against a search, aligned memory, escaping of texts for terminals, the list of backends with its environment
 * variable, and the names of kinds of axes. */
#include "base/status.h"
#include "check.h"
#include "local/backend.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

static int is_fast(int64_t n) {
  for (int64_t p = 2; p <= 7; p++)
    while (n % p == 0) n /= p;
  return n == 1;
}

static void check_lengths(void) {
  for (int64_t n = 2, next = 2; n <= 100000; n++) {
    if (next < n)
      for (next = n; !is_fast(next); next++) continue;
    if (mfft_next_fast_length(n) != next) {
      CHECK(0, "the fast length after %lld is %lld, not %lld", (long long)n, (long long)next,
            (long long)mfft_next_fast_length(n));
      return;
    }
  }
  const int64_t top = INT64_C(1) << 62;
  CHECK(mfft_next_fast_length(1) == 1 && mfft_next_fast_length(0) == 0 && mfft_next_fast_length(-5) == -5, "n <= 1");
  CHECK(mfft_next_fast_length(top) == top && mfft_next_fast_length(top + 1) == -1 && mfft_next_fast_length(INT64_MAX) == -1,
        "near 2^62");
  const int64_t seventh = INT64_C(3909821048582988049); /* 7^22, the only power of 7 between 2^61 and 2^62 */
  CHECK(mfft_next_fast_length(seventh) == seventh, "7^22");
  for (int i = 0; i < 40; i++) {
    const int64_t n = (INT64_C(1) << 61) + i * INT64_C(12345678901234567);
    const int64_t found = mfft_next_fast_length(n);
    CHECK(found >= n && is_fast(found), "%lld gives %lld", (long long)n, (long long)found);
  }
}

static void check_memory(void) {
  void *p = NULL;
  for (size_t bytes = 0; bytes < 1000; bytes += 37) {
    CHECK_OK(mfft_alloc(bytes, &p));
    CHECK(p && (uintptr_t)p % 64 == 0, "%zu bytes at %p", bytes, p);
    if (p) memset(p, 1, bytes);
    mfft_free(p);
  }
  mfft_free(NULL);
#ifndef TEST_ADDRESS_SANITIZER /* which aborts on such a size */
  p = &p;
  CHECK_FAILS(mfft_alloc((size_t)1 << 62, &p), MFFT_ERR_MEMORY, "4611686018427387904 bytes");
  CHECK(p == (void *)&p, "a failed mfft_alloc wrote its output");
#endif
  CHECK_FAILS(mfft_alloc(1, NULL), MFFT_ERR_ARG, "pointer is NULL");
}

/* The Unicode character in UTF-8. */
static void encode(uint32_t point, char text[5]) {
  static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
  const int more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  for (int i = more; i >= 0; i--, point >>= 6) text[i] = (char)(i ? 0x80 | (point & 0x3f) : lead[more] | point);
  text[more + 1] = '\0';
}

static void check_escape(void) {
  static const struct {
    const char *text, *shown;
  } known[] = {
      {"a b\\n%s \"~", "a b\\n%s \"~"},
      {"new\nline\r\ttab", "new\\nline\\r\\ttab"},
      {"\x1b[31mred\x7f\x01", "\\x1b[31mred\\x7f\\x01"},
      {"\xff\xc3 \xe2\x82", "\\xff\\xc3 \\xe2\\x82"},
      {"\xc0\xaf\xed\xa0\x80", "\\xc0\\xaf\\xed\\xa0\\x80"}, /* a longer form than needed, half of a pair */
      {"\xf4\x90\x80\x80\xf8", "\\xf4\\x90\\x80\\x80\\xf8"}, /* beyond Unicode */
      {"\xc2\x9b"
       "1m\xe2\x80\xae",
       "\\u009b"
       "1m\\u202e"}, /* control characters that terminals execute, and right-to-left marks */
      {"\xc3\xbc \xce\xb4 \xe4\xb8\xad \xf0\x9f\x8c\x8c", "\xc3\xbc \xce\xb4 \xe4\xb8\xad \xf0\x9f\x8c\x8c"},
      {NULL, ""},
  };
  char shown[256], again[256], part[8];
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const size_t length = mfft_escape(known[i].text, shown, sizeof shown);
    CHECK(!strcmp(shown, known[i].shown) && length == strlen(shown), "%zu: %s of %zu", i, shown, length);
    CHECK(mfft_escape(shown, again, sizeof again) == length && !strcmp(shown, again), "%zu: twice: %s", i, again);
    CHECK(mfft_escape(known[i].text, NULL, 0) == length, "%zu: measured", i);
  }
  for (size_t size = 1; size < sizeof part; size++) { /* cut between characters */
    memset(part, 'x', sizeof part);
    CHECK(mfft_escape("\xc3\xbc\n\xc3\xbc", part, size) == 6, "of %zu bytes", size);
    CHECK(strlen(part) == (size - 1) / 2 * 2 && (size == 7 || part[size] == 'x'), "%zu bytes: \"%s\"", size, part);
  }
  for (uint32_t point = 1; point < 0x110000; point += point < 0x3000 ? 1 : 997) { /* a letter stays */
    char text[5];
    encode(point, text);
    mfft_escape(text, shown, sizeof shown);
    const int letter = point >= 0x20 && (point < 0x7f || point > 0x9f) && (point < 0x2000 || point > 0x206f) &&
                       point != 0x61c && (point < 0xd800 || point > 0xdfff) && point != 0xfeff &&
                       (point & ~0x7fu) != 0xe0000;
    if (letter || point < 0x20) CHECK((strcmp(text, shown) == 0) == letter, "U+%04x is shown as %s", point, shown);
  }
  mfft_fail(MFFT_ERR_ARG, "dataset %s", "a\nb\xff");
  CHECK(!strcmp(mfft_last_error(), "dataset a\\nb\\xff"), "%s", mfft_last_error());
  mfft_fail_context(MFFT_ERR_ARG, "file %s", "c\x1b");
  CHECK(!strcmp(mfft_last_error(), "file c\\x1b: dataset a\\nb\\xff"), "%s", mfft_last_error());
}

static void check_backends(void) {
  char why[200] = "x";
  const int count = mfft_backend_count();
  CHECK(count >= 2 && mfft_backend_name(count) == NULL && mfft_backend_name(-1) == NULL, "%d backends", count);
  CHECK(mfft_backend_usable("fftw", why, sizeof why) && why[0] == '\0', "fftw: %s", why);
  CHECK(mfft_backend_usable("ref", NULL, 0), "ref");
  CHECK(!mfft_backend_usable("abacus", why, sizeof why) && strstr(why, "abacus") && strstr(why, "fftw, ref"), "%s", why);
  CHECK(!mfft_backend_usable(NULL, why, sizeof why), "NULL is a backend");

  const mfft_backend *found = NULL;
  setenv("MFFT_BACKEND", "ref", 1);
  CHECK_OK(mfft_backend_find(NULL, &found));
  CHECK(found && strcmp(found->name, "ref") == 0, "MFFT_BACKEND=ref gives %s", found ? found->name : "none");
  CHECK_OK(mfft_backend_find("fftw", &found));
  CHECK(found && strcmp(found->name, "fftw") == 0, "the descriptor takes precedence over the environment");
  setenv("MFFT_BACKEND", "abacus", 1);
  CHECK_FAILS(mfft_backend_find(NULL, &found), MFFT_ERR_ARG, "MFFT_BACKEND is \"abacus\"");
  unsetenv("MFFT_BACKEND");
  CHECK_OK(mfft_backend_find(NULL, &found));
  CHECK(found && strcmp(found->name, "ref") != 0, "ref is never the default");

  static const size_t bytes[] = {8, 4, 2, 2, sizeof(long double)};
  for (int p = 0; p < MFFT_PRECISION_COUNT; p++) CHECK(mfft_real_bytes((mfft_precision)p) == bytes[p], "precision %d", p);
}

static void check_axis_kind_names(void) {
  static const char *const names[] = {"dft", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4"};
  const int count = sizeof names / sizeof *names;
  for (int kind = MFFT_DFT; kind < count; kind++) {
    const char *name = mfft_axis_kind_name((mfft_axis_kind)kind);
    CHECK(name && strcmp(name, names[kind]) == 0, "kind %d is \"%s\"", kind, name ? name : "(none)");
  }
  CHECK(!mfft_axis_kind_name((mfft_axis_kind)count) && !mfft_axis_kind_name((mfft_axis_kind)-1), "no kind has a name");
}

int main(void) {
  check_lengths();
  check_memory();
  check_escape();
  check_backends();
  check_axis_kind_names();
  return test_end();
}
