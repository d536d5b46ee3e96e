/* predict.h: `mergefft info --plan --nodes N x R --machine NAME`: the time and memory of a plan on a machine that is not at
 * hand. */
#ifndef MFFT_APPS_PREDICT_H
#define MFFT_APPS_PREDICT_H

#include "info/predict_report.h"

/* Predicts, prints and writes JSON.  Rank 0 alone calls it. */
mfft_status mfft_predict_run(const mfft_predict_request *request);

#endif
