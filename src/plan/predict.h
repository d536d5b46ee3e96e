/* predict.h: the plan of one rank of a cluster that is not there, for predictions and their tests. */
#ifndef MFFT_PLAN_PREDICT_H
#define MFFT_PLAN_PREDICT_H

#include "plan/predict_model.h"

/* The arguments of a prediction, resolved. */
typedef struct mfft_model {
  mfft_machine machine;
  mfft_cluster cluster; /* without the machine */
  mfft_desc desc;
  mfft_options options;
  mfft_backend backend;
  mfft_transport transport;
  int ranks;
} mfft_model;

/* Makes the model of a prediction. */
mfft_status mfft_model_make(const mfft_desc *desc, const mfft_options *options, const mfft_cluster *cluster,
                            mfft_model *model);

/* Makes the plan of one rank, which points to the model.  It can be described and destroyed, not executed. */
mfft_status mfft_model_plan(mfft_model *model, int rank, mfft_plan *plan);

#endif
