/* wisdom.h: wisdom as text: the entries of base/wisdom_store.h together with what the backends have learnt; see
 * mfft_wisdom_export for its form. */
#ifndef MFFT_PLAN_WISDOM_H
#define MFFT_PLAN_WISDOM_H

#include "base/status.h"

/* As mfft_wisdom_import, but values that this process has stay. */
mfft_status mfft_wisdom_complete(const char *text);

#endif
