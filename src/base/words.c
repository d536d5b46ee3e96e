/* words.c: see words.h. */
#include "base/words.h"

const char *const mfft_kind_words[] = {[MFFT_C2C] = "c2c", [MFFT_R2C] = "r2c", [MFFT_R2R] = "r2r"};
const char *const mfft_precision_words[] = {[MFFT_DOUBLE] = "double",
                                            [MFFT_SINGLE] = "single",
                                            [MFFT_HALF] = "half",
                                            [MFFT_BFLOAT16] = "bfloat16",
                                            [MFFT_LONG_DOUBLE] = "long-double"};
const char *const mfft_scale_words[] = {
    [MFFT_SCALE_NONE] = "none", [MFFT_SCALE_SQRT] = "1/sqrt(N)", [MFFT_SCALE_FULL] = "1/N"};
const char *const mfft_placement_words[] = {[MFFT_OUT_OF_PLACE] = "out of place", [MFFT_IN_PLACE] = "in place"};
const char *const mfft_effort_words[] = {
    [MFFT_MEASURE] = "measure",           [MFFT_ESTIMATE] = "estimate",           [MFFT_PATIENT] = "patient",
    [MFFT_TUNE_MEASURE] = "tune-measure", [MFFT_TUNE_ESTIMATE] = "tune-estimate", [MFFT_TUNE_PATIENT] = "tune-patient"};
const char *const mfft_order_words[] = {[MFFT_ORDER_NATURAL] = "natural", [MFFT_ORDER_TRANSPOSED] = "transposed"};
const char *const mfft_compute_words[] = {
    [MFFT_COMPUTE_AUTO] = "auto", [MFFT_COMPUTE_BUTTERFLY] = "butterfly", [MFFT_COMPUTE_TENSOR] = "tensor"};
const char *const mfft_wire_words[] = {[MFFT_WIRE_FULL] = "full", [MFFT_WIRE_HALF] = "half", [MFFT_WIRE_AUTO] = "auto"};

const char *mfft_precision_word(mfft_precision precision) {
  const unsigned count = sizeof mfft_precision_words / sizeof *mfft_precision_words;
  return (unsigned)precision < count ? mfft_precision_words[precision] : "unknown";
}
