/* input.c: see input.h. */
#include "input.h"

#include <inttypes.h>
#include <math.h>

#include "progress.h"
#include "report.h"

mfft_status mfft_input_open(const char *path, const char *dataset, const mfft_cli_reals *boxsize, mfft_field_info *info,
                            mfft_mesh *mesh) {
  mfft_field_info_init(info);
  mfft_status status = mfft_field_query(MPI_COMM_WORLD, path, dataset, info);
  if (status != MFFT_SUCCESS) return status;
  if (info->rank != 3)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "'%s' in '%s' has %d axes; name a dataset with three by --dataset",
                         info->dataset, path, info->rank);
  if (!boxsize->count && !info->has_box_size)
    return mfft_app_fail(MFFT_ERR_ARG, "'%s' in '%s' has no attribute BoxSize; give --boxsize", info->dataset, path);
  for (int a = 0; a < 3; a++) {
    mesh->n[a] = info->n[a];
    mesh->length[a] = boxsize->count ? boxsize->v[a] : info->box_size[a];
  }
  return MFFT_SUCCESS;
}

static void replace_nonfinite(const mfft_mesh *mesh, int64_t bad, mfft_mesh_plan *p) {
  int64_t cells = mfft_box_cells(&p->real_box);
  double sum = 0;
  for (int64_t i = 0; i < cells; i++)
    if (isfinite(p->real[i])) sum += p->real[i];
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  double good = mfft_mesh_cells(mesh) - (double)bad;
  double mean = good > 0 ? sum / good : 0;
  for (int64_t i = 0; i < cells; i++)
    if (!isfinite(p->real[i])) p->real[i] = mean;
}

mfft_status mfft_input_read(const char *path, const mfft_field_info *info, const mfft_mesh *mesh, int allow,
                            mfft_mesh_plan *p) {
  int64_t bad, first[3];
  mfft_progress_start("reading", 0);
  mfft_status status = mfft_field_read(MPI_COMM_WORLD, path, info->dataset, &p->real_box, MFFT_DOUBLE, p->real, 0);
  if (status == MFFT_SUCCESS)
    status = mfft_field_count_nonfinite(MPI_COMM_WORLD, &p->real_box, MFFT_DOUBLE, p->real, &bad, first);
  if (status != MFFT_SUCCESS || bad == 0) return status;
  if (!allow)
    return mfft_app_fail(MFFT_ERR_NONFINITE,
                         "'%s' in '%s' holds %" PRId64 " values that are NaN or infinite, the first at cell %" PRId64
                         ",%" PRId64 ",%" PRId64 "; mend the file or give --allow-nonfinite",
                         info->dataset, path, bad, first[0], first[1], first[2]);
  replace_nonfinite(mesh, bad, p);
  mfft_app_note("%" PRId64 " values that are NaN or infinite count as the mean of the others", bad);
  return MFFT_SUCCESS;
}
