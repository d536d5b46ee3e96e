/* mesh.c: functions of a particle mesh that deposit, gather, exchange and force share. */
#include "particles/mesh.h"

#include <string.h>

#include "comm/agree.h"
#include "mfft_memory.h"

mfft_status mfft_pm_check(mfft_particle_mesh mesh) {
  if (mesh) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "the particle mesh is NULL; make one with mfft_particle_mesh_create");
}

mfft_status mfft_pm_enter_alone(mfft_particle_mesh mesh, mfft_device_guard *guard, int *entered) {
  *entered = 0;
  if (!mfft_plan_particle_calls(mesh->plan)) return MFFT_SUCCESS;
  const mfft_status status = mfft_plan_enter(mesh->plan, guard);
  *entered = status == MFFT_SUCCESS;
  return status;
}

mfft_status mfft_pm_enter(mfft_particle_mesh mesh, mfft_device_guard *guard) {
  int entered;
  if (!mfft_plan_particle_calls(mesh->plan)) return MFFT_SUCCESS;
  const mfft_status status = mfft_pm_agree(mesh, mfft_pm_enter_alone(mesh, guard, &entered));
  if (entered && status != MFFT_SUCCESS) mfft_plan_leave(mesh->plan, guard);
  return status;
}

void mfft_pm_leave(mfft_particle_mesh mesh, mfft_device_guard *guard) {
  if (mfft_plan_particle_calls(mesh->plan)) mfft_plan_leave(mesh->plan, guard);
}

/* ---- Ranks ----------------------------------------------------------------------------------------------------------- */

mfft_status mfft_pm_agree(mfft_particle_mesh mesh, mfft_status mine) {
  return mesh->comm == MPI_COMM_NULL ? mine : mfft_agree(mesh->comm, mine);
}

mfft_status mfft_pm_largest(mfft_particle_mesh mesh, mfft_status mine, double *values, int count) {
  if (mesh->comm == MPI_COMM_NULL) return mine;
  return mfft_agree_largest(mesh->comm, mine, values, count, "finding the largest weights");
}

mfft_status mfft_pm_total(mfft_particle_mesh mesh, mfft_status mine, int64_t *values, int count) {
  if (mesh->comm == MPI_COMM_NULL) return mine;
  return mfft_agree_total(mesh->comm, mine, values, count, "adding up weights");
}

/* ---- Work arrays ----------------------------------------------------------------------------------------------------- */

void mfft_pm_release(mfft_particle_mesh mesh, mfft_pm_work work) {
  if (!mesh->calls)
    mfft_free(mesh->work[work]);
  else if (mesh->work[work])
    mesh->plan->backend->free(mesh->work[work]);
  mesh->work[work] = NULL;
  mesh->work_bytes[work] = 0;
}

mfft_status mfft_pm_reserve(mfft_particle_mesh mesh, mfft_pm_work work, size_t bytes) {
  if (!bytes) bytes = 1; /* memset and memcpy need an address even for 0 bytes */
  if (bytes <= mesh->work_bytes[work]) return MFFT_SUCCESS;
  mfft_pm_release(mesh, work);
  MFFT_TRY(mesh->calls ? mesh->plan->backend->alloc(bytes, &mesh->work[work]) : mfft_alloc(bytes, &mesh->work[work]));
  mesh->work_bytes[work] = bytes;
  return work == MFFT_PM_WORK_CELLS && mesh->gives_workspace ? mfft_pm_give_workspace(mesh, mesh->workspace_at)
                                                             : MFFT_SUCCESS;
}

mfft_status mfft_pm_give_workspace(mfft_particle_mesh mesh, size_t offset) {
  if (!mesh->lacks_workspace) return MFFT_SUCCESS;
  mesh->gives_workspace = 1;
  mesh->workspace_at = offset;
  return mfft_plan_set_workspace(mesh->plan, (char *)mesh->work[MFFT_PM_WORK_CELLS] + offset, mesh->plan->workspace_bytes);
}

mfft_status mfft_pm_copy(mfft_particle_mesh mesh, void *to, const void *from, size_t bytes) {
  enum { WORD = 8 }; /* bytes of a complex number in single precision */
  const mfft_block words = {{1, 1, 1, (int64_t)bytes / WORD}, 0, {0, 0, 0, 1}, 0, {0, 0, 0, 1}};
  mfft_device_guard guard;
  if (!mesh->calls) {
    memcpy(to, from, bytes);
    return MFFT_SUCCESS;
  }
  MFFT_TRY(mfft_pm_enter(mesh, &guard));
  const mfft_status status = bytes ? mesh->plan->backend->copy(&words, 1, WORD, from, to, mesh->plan->stream) : MFFT_SUCCESS;
  mfft_pm_leave(mesh, &guard);
  return mfft_pm_agree(mesh, status);
}

mfft_status mfft_particle_mesh_bytes(mfft_particle_mesh mesh, size_t *bytes) {
  MFFT_TRY(mfft_pm_check(mesh));
  if (!bytes) return mfft_fail(MFFT_ERR_ARG, "the result is NULL; pass the address of a size_t");
  *bytes = mfft_pm_bins_bytes(&mesh->bins) + mfft_pm_ghosts_bytes(mesh->ghosts) + mfft_pm_stencil_bytes(mesh->stencil) +
           (size_t)mesh->ranks * sizeof *mesh->box + mfft_pm_blocks_window_bytes(mesh->blocks);
  for (int work = 0; work < MFFT_PM_WORK_ARRAYS; work++) *bytes += mesh->work_bytes[work];
  if (mesh->dynamic) *bytes += mfft_dynamic_bytes(mesh->dynamic);
  if (mesh->spare_order) *bytes += (size_t)mesh->spare_capacity * sizeof *mesh->spare_order;
  return MFFT_SUCCESS;
}

mfft_status mfft_particle_mesh_seconds(mfft_particle_mesh mesh, double *deposit, double *gather) {
  MFFT_TRY(mfft_pm_check(mesh));
  if (!deposit || !gather) return mfft_fail(MFFT_ERR_ARG, "a result is NULL; pass the addresses of two doubles");
  *deposit = mesh->deposit_s;
  *gather = mesh->gather_s;
  return MFFT_SUCCESS;
}

/* Leaves out the particles in the cells `but`; returns how many are left. */
static int leave_out(const mfft_box *but, int count, double g[3][MFFT_PM_BATCH], int64_t *index) {
  int left = 0;
  for (int i = 0; i < count; i++) {
    int inside = 1;
    for (int a = 0; a < 3; a++) inside &= g[a][i] >= (double)but->lo[a] && g[a][i] < (double)but->hi[a];
    for (int a = 0; a < 3; a++) g[a][left] = g[a][i];
    index[left] = index[i];
    left += !inside;
  }
  return left;
}

void mfft_pm_visit_tile(mfft_particle_mesh mesh, int64_t t, int worker, const mfft_pm_tile *tile, const mfft_box *but,
                        mfft_pm_each *each, void *context) {
  const mfft_pm_bins *bins = &mesh->bins;
  const int64_t end = bins->start[t + 1];
  double g[3][MFFT_PM_BATCH]; /* [axis][particle] in cells */
  int64_t index[MFFT_PM_BATCH];
  mfft_pm_shares shares;
  for (int64_t i = bins->start[t]; i < end; i += MFFT_PM_BATCH) {
    int count = (int)(end - i < MFFT_PM_BATCH ? end - i : MFFT_PM_BATCH);
    (void)mfft_pm_locate(&mesh->grid, &bins->sorted, i, count, g);
    for (int k = 0; k < count; k++) index[k] = bins->first + mfft_pm_bins_index(bins, i + k);
    if (but) count = leave_out(but, count, g, index);
    mesh->kernels->fill[mesh->grid.order](&mesh->grid, tile, count, g, &shares);
    each(context, worker, tile, &shares, count, index);
  }
}
