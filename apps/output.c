#include "output.h"

#include "report.h"

static mfft_status put_part(void *file, const mfft_box *part, void *data) { return mfft_field_put_part(file, part, data); }

mfft_status mfft_output_put(mfft_field_file file, int dataset, mfft_precision precision, mfft_swept *array) {
  mfft_status status = mfft_field_put_begin(file, dataset, &array->box, precision);
  if (status != MFFT_SUCCESS) return status;
  status = mfft_app_agree(mfft_sweep(array, MFFT_SWEEP_READS, put_part, file));
  const mfft_status end = mfft_field_put_end(file);
  return status == MFFT_SUCCESS ? end : status;
}
