/* words.h: the names of the enumerators of descriptors and options, as used in printed plans, wisdom and messages.  Each
 * array is indexed by the value of the enumeration. */
#ifndef MFFT_BASE_WORDS_H
#define MFFT_BASE_WORDS_H

#include "mfft.h"

extern const char *const mfft_kind_words[MFFT_R2R + 1];
extern const char *const mfft_precision_words[MFFT_LONG_DOUBLE + 1];
const char *mfft_precision_word(mfft_precision precision); /* of any number; "unknown" beyond the list */
extern const char *const mfft_scale_words[MFFT_SCALE_FULL + 1];
extern const char *const mfft_placement_words[MFFT_IN_PLACE + 1];
extern const char *const mfft_effort_words[MFFT_TUNE_PATIENT + 1];
extern const char *const mfft_order_words[MFFT_ORDER_TRANSPOSED + 1];
extern const char *const mfft_compute_words[MFFT_COMPUTE_TENSOR + 1];
extern const char *const mfft_wire_words[MFFT_WIRE_AUTO + 1];

#define MFFT_WORD_COUNT(words) ((int)(sizeof(words) / sizeof *(words)))

#endif
