/* status.h: how functions of the library fail.
 *
 * The function that decides that something is wrong calls mfft_fail, which keeps the story for mfft_last_error and returns
 * the status; callers pass the status on (MFFT_TRY, MFFT_GOTO).  A caller that knows more may put words in front with
 * mfft_fail_context. */
#ifndef MFFT_BASE_STATUS_H
#define MFFT_BASE_STATUS_H

#include "mfft.h"

#if defined(__GNUC__)
#define MFFT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define MFFT_PRINTF(fmt, args)
#endif

enum { MFFT_ERROR_TEXT_BYTES = 1024 };

/* Records the story and returns `status`. */
mfft_status mfft_fail(mfft_status status, const char *format, ...) MFFT_PRINTF(2, 3);

/* Puts "words: " before the story of the failure in hand and returns `status`. */
mfft_status mfft_fail_context(mfft_status status, const char *format, ...) MFFT_PRINTF(2, 3);

/* Pass a failure on: return it, or set `status` and jump. */
#define MFFT_TRY(call)                                   \
  do {                                                   \
    mfft_status try_status_ = (call);                    \
    if (try_status_ != MFFT_SUCCESS) return try_status_; \
  } while (0)
#define MFFT_GOTO(label, call)              \
  do {                                      \
    status = (call);                        \
    if (status != MFFT_SUCCESS) goto label; \
  } while (0)

#endif
