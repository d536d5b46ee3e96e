/* staging.c: see staging.h. */
#include "particles/staging.h"

#include <inttypes.h>
#include <stdlib.h>

#include "plan/plan.h"

typedef enum copy_direction { FROM_DEVICE, TO_DEVICE } copy_direction;

static mfft_status copy(mfft_particle_mesh mesh, void *to, const void *from, size_t bytes, copy_direction direction) {
  const mfft_plan plan = mesh->plan;
  mfft_device_guard guard;
  const void *device = direction == TO_DEVICE ? to : from;
  if (!bytes) return MFFT_SUCCESS;
  mfft_status status = mfft_device_guard_enter(&plan->context, &guard);
  if (status == MFFT_SUCCESS) status = mfft_check_array(plan->backend, &plan->checked, device, bytes, "the array");
  if (status == MFFT_SUCCESS) status = plan->backend->synchronize(plan->stream);
  if (status == MFFT_SUCCESS)
    status = direction == TO_DEVICE ? plan->backend->upload(to, from, bytes) : plan->backend->download(to, from, bytes);
  mfft_device_guard_leave(&guard);
  return status;
}

mfft_status mfft_pm_fetch(mfft_particle_mesh mesh, void *host, const void *device, size_t bytes) {
  return copy(mesh, host, device, bytes, FROM_DEVICE);
}

mfft_status mfft_pm_put(mfft_particle_mesh mesh, void *device, const void *host, size_t bytes) {
  return copy(mesh, device, host, bytes, TO_DEVICE);
}

/* Fetches the coordinates of one axis; strided ones are packed on the device first. */
static mfft_status fetch_axis(mfft_particle_mesh mesh, const mfft_particles *p, const void *from, void *to) {
  const int each = mfft_pm_position_bytes(p->type);
  const size_t bytes = (size_t)(p->count * each), span = (size_t)(((p->count - 1) * p->stride + 1) * each);
  const mfft_plan plan = mesh->plan;
  const mfft_block every = {{1, 1, 1, p->count}, 0, {0, 0, 0, p->stride}, 0, {0, 0, 0, 1}};
  mfft_device_guard guard;
  if (p->stride == 1) return mfft_pm_fetch(mesh, to, from, bytes);
  mfft_status status = mfft_device_guard_enter(&plan->context, &guard);
  if (status == MFFT_SUCCESS) status = mfft_check_array(plan->backend, &plan->checked, from, span, "particles.position");
  if (status == MFFT_SUCCESS) status = mfft_pm_reserve(mesh, MFFT_PM_WORK_STAGING, bytes);
  if (status == MFFT_SUCCESS)
    status = plan->backend->copy(&every, 1, each, from, mesh->work[MFFT_PM_WORK_STAGING], plan->stream);
  mfft_device_guard_leave(&guard);
  return status == MFFT_SUCCESS ? mfft_pm_fetch(mesh, to, mesh->work[MFFT_PM_WORK_STAGING], bytes) : status;
}

mfft_status mfft_pm_fetch_positions(mfft_particle_mesh mesh, const mfft_particles *particles, mfft_particles *fetched,
                                    void **memory) {
  const size_t bytes = (size_t)(particles->count * mfft_pm_position_bytes(particles->type));
  char *positions = malloc(3 * bytes + 1);
  *memory = positions;
  *fetched = *particles;
  fetched->stride = 1;
  if (!positions)
    return mfft_fail(MFFT_ERR_MEMORY, "no memory for the positions of %" PRId64 " particles on the host", particles->count);
  for (int a = 0; a < 3 && particles->count; a++) {
    fetched->position[a] = positions + (size_t)a * bytes;
    MFFT_TRY(fetch_axis(mesh, particles, particles->position[a], positions + (size_t)a * bytes));
  }
  return MFFT_SUCCESS;
}

int mfft_pm_on_device(mfft_particle_mesh mesh, const void *address) {
  const mfft_plan plan = mesh->plan;
  mfft_device_guard guard;
  if (!mesh->calls || mfft_device_guard_enter(&plan->context, &guard) != MFFT_SUCCESS) return 0;
  const int there = plan->backend->check(address, 1, 0, "the array") == MFFT_SUCCESS;
  mfft_device_guard_leave(&guard);
  return there;
}
