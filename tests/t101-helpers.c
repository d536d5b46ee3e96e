// TEST
/* Fast lengths against a search, aligned memory, and the list of backends with its environment variable. */
#include "check.h"
#include "local/backend.h"

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
#ifndef __SANITIZE_ADDRESS__ /* which aborts on such a size */
  p = &p;
  CHECK_FAILS(mfft_alloc((size_t)1 << 62, &p), MFFT_ERR_MEMORY, "4611686018427387904 bytes");
  CHECK(p == (void *)&p, "a failed mfft_alloc wrote its output");
#endif
  CHECK_FAILS(mfft_alloc(1, NULL), MFFT_ERR_ARG, "pointer is NULL");
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
  CHECK(found && strcmp(found->name, "fftw") == 0, "the descriptor goes before the environment");
  setenv("MFFT_BACKEND", "abacus", 1);
  CHECK_FAILS(mfft_backend_find(NULL, &found), MFFT_ERR_ARG, "MFFT_BACKEND is \"abacus\"");
  unsetenv("MFFT_BACKEND");
  CHECK_OK(mfft_backend_find(NULL, &found));
  CHECK(found && strcmp(found->name, "ref") != 0, "ref is never the default");

  static const size_t bytes[] = {8, 4, 2, 2};
  for (int p = 0; p < 4; p++) CHECK(mfft_real_bytes((mfft_precision)p) == bytes[p], "precision %d", p);
}

int main(void) {
  check_lengths();
  check_memory();
  check_backends();
  return test_end();
}
