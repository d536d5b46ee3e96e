/* wisdom.h: wisdom as text: the entries of base/wisdom_store.h together with the wisdom of the backends.  wisdom.c
 * describes the format. */
#ifndef MFFT_PLAN_WISDOM_H
#define MFFT_PLAN_WISDOM_H

#include "base/status.h"

/* As mfft_wisdom_import, but does not replace values that this process has. */
mfft_status mfft_wisdom_complete(const char *text);

#endif
