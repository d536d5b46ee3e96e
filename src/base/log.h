/* log.h: the few lines that the library writes to stderr by itself, filtered by MFFT_LOG. */
#ifndef MFFT_BASE_LOG_H
#define MFFT_BASE_LOG_H

#include "base/status.h"

/* Whoever waits for another rank for so long says so, once, and how long it will go on. */
enum { MFFT_NOTICE_S = 10 };
#define MFFT_NOTICE_LIMIT "(%s, now %.0f, ends the %s; 0 waits for ever)" /* the variable, its value, job or attempt */

typedef enum mfft_log_level { MFFT_LOG_WARNING = 1, MFFT_LOG_INFO = 2 } mfft_log_level;

/* One line, "mergefft: warning: ...", ended by the function. */
void mfft_log(mfft_log_level level, const char *format, ...) MFFT_PRINTF(2, 3);

#endif
