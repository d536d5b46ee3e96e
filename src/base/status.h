/* status.h: how functions of the library report errors.
 *
 * The function that detects an error calls mfft_fail, which stores the error message for mfft_last_error and returns the
 * status.  Its callers pass the status on (MFFT_TRY, MFFT_GOTO).  A caller that knows more, such as the rank, prepends it
 * to the message with mfft_fail_context. */
#ifndef MFFT_BASE_STATUS_H
#define MFFT_BASE_STATUS_H

#include "mfft.h"

#if defined(__GNUC__)
#define MFFT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define MFFT_PRINTF(fmt, args)
#endif

enum { MFFT_ERROR_TEXT_BYTES = 1024 };

/* Stores the error message of this thread and returns `status`. */
mfft_status mfft_fail(mfft_status status, const char *format, ...) MFFT_PRINTF(2, 3);

/* Prepends "TEXT: " to the last error message of this thread and returns `status`. */
mfft_status mfft_fail_context(mfft_status status, const char *format, ...) MFFT_PRINTF(2, 3);

/* Propagate a failure: MFFT_TRY returns it; MFFT_GOTO sets `status` and jumps to a label that cleans up. */
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
