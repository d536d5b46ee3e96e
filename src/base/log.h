/* log.h: lines that the library writes to stderr without being asked, filtered by MFFT_LOG. */
#ifndef MFFT_BASE_LOG_H
#define MFFT_BASE_LOG_H

#include "base/status.h"

/* After waiting this many seconds for another rank, a process warns once and says when it will give up. */
enum { MFFT_NOTICE_S = 10 };
#define MFFT_NOTICE_LIMIT "(%s, now %.0f, ends the %s; 0 waits for ever)" /* variable, value, job or attempt */

typedef enum mfft_log_level { MFFT_LOG_WARNING = 1, MFFT_LOG_INFO = 2 } mfft_log_level;

/* Writes one line, "mergefft: warning: ..."; the line break is added here. */
void mfft_log(mfft_log_level level, const char *format, ...) MFFT_PRINTF(2, 3);

#endif
