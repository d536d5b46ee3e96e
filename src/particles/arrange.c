/* arrange.c: the sequence of particles in memory: how much it differs from that of the tiles, and columns in the latter. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "mfft_motion.h"
#include "particles/device.h"
#include "particles/mesh.h"

mfft_status mfft_particle_mesh_disorder(mfft_particle_mesh mesh, double *disorder) {
  MFFT_TRY(mfft_pm_check(mesh));
  if (!disorder) return mfft_fail(MFFT_ERR_ARG, "the result is NULL; pass the address of a double");
  *disorder = mfft_pm_bins_disorder(&mesh->bins);
  return MFFT_SUCCESS;
}

typedef struct arranging {
  mfft_particle_mesh mesh;
  const mfft_particle_column *column;
} arranging;

/* Copies to place i the element of the particle that is sorted there; elements of 8 bytes have a loop of their own. */
static mfft_status copy_chunk(void *context, int64_t chunk, int worker) {
  const arranging *a = context;
  const mfft_pm_bins *bins = &a->mesh->bins;
  const int64_t chunks = mfft_workers_count(a->mesh->workers), end = mfft_part(bins->count, chunk + 1, chunks);
  const size_t bytes = (size_t)a->column->element_bytes;
  const char *in = (const char *)a->column->in + (size_t)bins->first * bytes;
  char *out = (char *)a->column->out + (size_t)bins->first * bytes;
  (void)worker;
  for (int64_t i = mfft_part(bins->count, chunk, chunks); i < end; i++) {
    const char *from = in + (size_t)mfft_pm_bins_index(bins, i) * bytes;
    if (bytes == sizeof(uint64_t))
      memcpy(out + (size_t)i * sizeof(uint64_t), from, sizeof(uint64_t));
    else
      memcpy(out + (size_t)i * bytes, from, bytes);
  }
  return MFFT_SUCCESS;
}

static mfft_status arrange_on_device(mfft_particle_mesh mesh, const mfft_particle_column *column) {
  const size_t bytes = (size_t)column->element_bytes, skip = (size_t)mesh->bins.first * bytes;
  return mesh->calls->arrange(&mesh->device.sort, mesh->bins.count, column->element_bytes, (const char *)column->in + skip,
                              (char *)column->out + skip, mesh->plan->stream);
}

/* Arranges as many particles from `first` on as are sorted at a time. */
static mfft_status arrange_some(mfft_particle_mesh mesh, const mfft_particles *particles, int64_t first,
                                const mfft_particle_column *column, int columns) {
  MFFT_TRY(mesh->calls ? mfft_pm_device_sort(mesh, particles, first) : mfft_pm_bins_sort(&mesh->bins, particles, first));
  for (int c = 0; c < columns; c++) {
    arranging a = {mesh, &column[c]};
    MFFT_TRY(mesh->calls ? arrange_on_device(mesh, &column[c])
                         : mfft_pm_run(mesh->workers, mfft_workers_count(mesh->workers), copy_chunk, &a));
  }
  return MFFT_SUCCESS;
}

static mfft_status check_column(mfft_particle_mesh mesh, int64_t count, const mfft_particle_column *c, int number) {
  char name[32];
  const void *const array[2] = {c->in, c->out}; /* {in, out} */
  if (c->element_bytes < 1 || c->element_bytes > 4096 || (mesh->calls && c->element_bytes % 4))
    return mfft_fail(MFFT_ERR_ARG, "column[%d].element_bytes is %" PRId64 "; use 1 to 4096%s", number, c->element_bytes,
                     mesh->calls ? ", a multiple of 4 on a device" : "");
  for (int side = 0; side < 2 && count; side++) {
    snprintf(name, sizeof name, "column[%d].%s", number, side ? "out" : "in");
    if (!array[side]) return mfft_fail(MFFT_ERR_ARG, "%s is NULL, for %" PRId64 " particles; give an array", name, count);
    if (mesh->calls)
      MFFT_TRY(mfft_check_array(mesh->plan->backend, &mesh->plan->checked, array[side], (size_t)(count * c->element_bytes),
                                name));
  }
  if (count && c->in == c->out)
    return mfft_fail(MFFT_ERR_ARG, "column[%d].in and out are the same array; give another for the result", number);
  return MFFT_SUCCESS;
}

static mfft_status arrange(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_particle_column *column,
                           int columns) {
  for (int c = 0; c < columns; c++) MFFT_TRY(check_column(mesh, particles->count, &column[c], c));
  if (mesh->calls) MFFT_TRY(mfft_pm_device_check(mesh, particles, NULL, 0));
  MFFT_TRY(mfft_pm_reserve_sort(mesh, particles, 0));
  for (int64_t first = 0; first < particles->count; first += mesh->bins.count)
    MFFT_TRY(arrange_some(mesh, particles, first, column, columns));
  mesh->bins.scrambled = 0;
  return mesh->calls ? mesh->plan->backend->synchronize(mesh->plan->stream) : MFFT_SUCCESS;
}

mfft_status mfft_particles_arrange(mfft_particle_mesh mesh, const mfft_particles *given, const mfft_particle_column *column,
                                   int columns) {
  mfft_particles particles;
  mfft_device_guard guard;
  MFFT_TRY(mfft_pm_check(mesh));
  MFFT_TRY(mfft_pm_take_particles(given, &particles));
  if (columns < 0 || (columns && !column))
    return mfft_fail(MFFT_ERR_ARG, "%d columns at %p; give an array", columns, (const void *)column);
  if (!mesh->calls) return arrange(mesh, &particles, column, columns);
  MFFT_TRY(mfft_plan_enter(mesh->plan, &guard));
  const mfft_status status = arrange(mesh, &particles, column, columns);
  mfft_plan_leave(mesh->plan, &guard);
  return status;
}
