/* check.h: the checks of all tests.  A failed check prints its position in the source and a message, and the test continues;
 * main ends with `return test_end();`, which is 0 only if no check failed. */
#ifndef MFFT_TESTS_CHECK_H
#define MFFT_TESTS_CHECK_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mfft.h"

/* TEST_ADDRESS_SANITIZER and TEST_THREAD_SANITIZER are defined under these: GCC defines macros, clang has __has_feature. */
#if defined(__SANITIZE_ADDRESS__)
#define TEST_ADDRESS_SANITIZER 1
#elif defined(__SANITIZE_THREAD__)
#define TEST_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEST_ADDRESS_SANITIZER 1
#elif __has_feature(thread_sanitizer)
#define TEST_THREAD_SANITIZER 1
#endif
#endif

static int test_checks, test_failures;

#define CHECK(condition, ...)                                         \
  do {                                                                \
    test_checks++;                                                    \
    if (!(condition)) {                                               \
      test_failures++;                                                \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
      fprintf(stderr, "" __VA_ARGS__);                                \
      fputc('\n', stderr);                                            \
    }                                                                 \
  } while (0)

/* Checks that the call succeeds; prints the error message otherwise. */
#define CHECK_OK(call)                                                                               \
  do {                                                                                               \
    mfft_status check_status_ = (call);                                                              \
    CHECK(check_status_ == MFFT_SUCCESS, "%s: %s", mfft_strerror(check_status_), mfft_last_error()); \
  } while (0)

/* Checks that the call fails with this status, and that its message contains these words. */
#define CHECK_FAILS(call, wanted, words)                                                           \
  do {                                                                                             \
    mfft_status check_status_ = (call);                                                            \
    CHECK(check_status_ == (wanted), "got %s", mfft_strerror(check_status_));                      \
    CHECK(strstr(mfft_last_error(), (words)) != NULL, "the message is \"%s\"", mfft_last_error()); \
  } while (0)

/* Uniform in [-0.5, 0.5), the same on every machine (splitmix64). */
static inline double test_random(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53 - 0.5;
}

/* Whether the test should use small sizes, because the device is emulated or a sanitizer is on. */
static inline int test_small(void) {
  const char *small = getenv("MFFT_TEST_SMALL");
  return small && *small == '1';
}

/* Whether all cases are to run: with scripts/test --all, and on a real GPU. */
static inline int test_all(void) {
  const char *all = getenv("MFFT_TEST_ALL");
  return all && *all == '1';
}

/* Whether this one of many cases of a kind is to run: every one where all are to run, else two of five, or one of five where
 * each takes long (test_small()).  Five has no divisor in common with the counts of types, precisions and directions that
 * cases go through, so all of these are sampled. */
static inline int test_sampled(void) {
  static unsigned calls;
  return test_all() || calls++ % 5 < (test_small() ? 1 : 2);
}

static inline int test_end(void) {
  if (test_failures) fprintf(stderr, "%d of %d checks failed\n", test_failures, test_checks);
  if (!test_checks) fprintf(stderr, "no check was made\n");
  return test_failures || !test_checks;
}

enum { TEST_SKIPPED = 77 };

#endif
