#include "io/output.h"

#include <math.h>

#include "cli/collective.h"
#include "cli/report.h"
#include "io/rows.h"
#include "mfft_memory.h"

typedef struct put_state {
  mfft_field_file file;
  mfft_precision precision;
  double *row; /* [cells of a row] NULL: magnitudes are not wanted */
  double largest;
} put_state;

static mfft_status put_part(void *context, const mfft_box *part, void *data) {
  put_state *put = context;
  const int64_t count = mfft_box_side(part, 2), rows = mfft_box_side(part, 0) * mfft_box_side(part, 1);
  for (int64_t r = 0; r < rows && put->row; r++) {
    mfft_row_load(put->precision, data, r * count, count, put->row);
    put->largest = fmax(put->largest, mfft_row_magnitude(put->row, count));
  }
  return mfft_field_put_part(put->file, part, data);
}

mfft_status mfft_output_put(mfft_field_file file, int dataset, mfft_precision precision, mfft_swept *array,
                            double *largest) {
  put_state put = {.file = file, .precision = precision};
  void *row = NULL;
  mfft_status status = MFFT_SUCCESS;
  if (largest)
    status = mfft_app_agree(mfft_app_alloc(mfft_box_side(&array->box, 2), sizeof(double), "a row of the output", &row));
  if (status == MFFT_SUCCESS) status = mfft_field_put_begin(file, dataset, &array->box, precision);
  if (status == MFFT_SUCCESS) {
    put.row = row;
    status = mfft_app_agree(mfft_sweep(array, MFFT_SWEEP_READS, put_part, &put));
    const mfft_status end = mfft_field_put_end(file);
    if (status == MFFT_SUCCESS) status = end;
  }
  mfft_free(row);
  if (!largest) return status;
  *largest = put.largest;
  mfft_app_reduce(largest, 1, MPI_DOUBLE, MPI_MAX, "finding the largest output");
  return status;
}
