/* input.c: see input.h. */
#include "input.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "collective.h"
#include "progress.h"
#include "report.h"
#include "rows.h"
#include "untrusted.h"

mfft_status mfft_input_open(const char *path, const char *dataset, const mfft_cli_reals *boxsize, mfft_field_info *info,
                            mfft_mesh *mesh) {
  mfft_field_info_init(info);
  mfft_status status = mfft_untrusted_query(path, dataset, info);
  if (status != MFFT_SUCCESS) return status;
  if (info->rank != 3)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "'%s' in '%s' has %d axes; name a dataset with three by --dataset",
                         info->dataset, path, info->rank);
  if (!boxsize->count && !info->has_box_size)
    return mfft_app_fail(MFFT_ERR_ARG, "'%s' in '%s' has no attribute BoxSize of one or %d positive numbers; give --boxsize",
                         info->dataset, path, info->rank);
  for (int a = 0; a < 3; a++) {
    mesh->n[a] = info->n[a];
    mesh->length[a] = boxsize->count ? boxsize->v[a] : info->box_size[a];
  }
  return MFFT_SUCCESS;
}

/* ---- Reading --------------------------------------------------------------------------------------------------------- */

typedef struct read_state {
  const mfft_box *box;
  mfft_precision precision;
  mfft_field_reading reading;
  int64_t bad, first[3]; /* values that are NaN or infinite, and the first of them in C order */
  double sum, mean;      /* of the others */
} read_state;

static mfft_status read_part(void *context, const mfft_box *part, void *data) {
  read_state *read = context;
  int64_t bad, first[3];
  mfft_status status = mfft_field_read_part(read->reading, part, data);
  if (status == MFFT_SUCCESS) status = mfft_field_count_nonfinite(MPI_COMM_SELF, part, read->precision, data, &bad, first);
  if (status != MFFT_SUCCESS) return status;
  mfft_progress_step(part->hi[0] - read->box->lo[0]);
  if (bad && !read->bad) memcpy(read->first, first, sizeof first);
  read->bad += bad;
  return MFFT_SUCCESS;
}

static mfft_status add_part(void *context, const mfft_box *part, void *data) {
  read_state *read = context;
  double value;
  for (int64_t i = 0, cells = mfft_box_cells(part); i < cells; i++) {
    mfft_row_load(read->precision, data, i, 1, &value);
    if (isfinite(value)) read->sum += value;
  }
  return MFFT_SUCCESS;
}

static mfft_status mend_part(void *context, const mfft_box *part, void *data) {
  read_state *read = context;
  double value;
  for (int64_t i = 0, cells = mfft_box_cells(part); i < cells; i++) {
    mfft_row_load(read->precision, data, i, 1, &value);
    if (!isfinite(value)) mfft_row_store(read->precision, data, i, 1, &read->mean);
  }
  return MFFT_SUCCESS;
}

/* Puts the mean of the finite values in the place of the others. */
static mfft_status mend(read_state *read, double good, mfft_swept *array) {
  mfft_status status = mfft_app_agree(mfft_sweep(array, MFFT_SWEEP_READS, add_part, read));
  if (status != MFFT_SUCCESS) return status;
  mfft_app_reduce(&read->sum, 1, MPI_DOUBLE, MPI_SUM, "adding up finite values");
  read->mean = good > 0 ? read->sum / good : 0;
  return mfft_app_agree(mfft_sweep(array, MFFT_SWEEP_READS | MFFT_SWEEP_WRITES, mend_part, read));
}

/* The count of all ranks and the first cell of all. */
static void gather(read_state *read, const int64_t n[3]) {
  const int64_t *first = read->first;
  int64_t place = read->bad ? (first[0] * n[1] + first[1]) * n[2] + first[2] : INT64_MAX;
  mfft_app_reduce(&place, 1, MPI_INT64_T, MPI_MIN, "finding values that are not finite");
  mfft_app_reduce(&read->bad, 1, MPI_INT64_T, MPI_SUM, "counting values that are not finite");
  for (int a = 2; a >= 0; place /= n[a--]) read->first[a] = place % n[a];
}

mfft_status mfft_input_read(const char *path, const mfft_field_info *info, mfft_precision precision, int allow,
                            mfft_swept *array, int64_t *nonfinite) {
  read_state read = {.box = &array->box, .precision = precision};
  mfft_progress_start("reading", array->box.hi[0] - array->box.lo[0]);
  mfft_status status = mfft_field_read_begin(MPI_COMM_WORLD, mfft_untrusted_path(path), info->dataset, &array->box,
                                             precision, 0, &read.reading);
  if (status != MFFT_SUCCESS) return status;
  status = mfft_app_agree(mfft_sweep(array, MFFT_SWEEP_WRITES, read_part, &read));
  const mfft_status end = mfft_field_read_end(&read.reading);
  if (status == MFFT_SUCCESS) status = end;
  if (status != MFFT_SUCCESS) return status;
  gather(&read, info->n);
  *nonfinite = read.bad;
  if (!read.bad) return MFFT_SUCCESS;
  if (!allow)
    return mfft_app_fail(MFFT_ERR_NONFINITE,
                         "'%s' in '%s' holds %" PRId64 " values that are NaN or infinite, the first at cell %" PRId64
                         ",%" PRId64 ",%" PRId64 "; mend the file or give --allow-nonfinite",
                         info->dataset, path, read.bad, read.first[0], read.first[1], read.first[2]);
  status = mend(&read, (double)info->n[0] * (double)info->n[1] * (double)info->n[2] - (double)read.bad, array);
  if (status == MFFT_SUCCESS)
    mfft_app_note("%" PRId64 " values that are NaN or infinite count as the mean of the others", read.bad);
  return status;
}
