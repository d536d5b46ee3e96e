/* device.c: see device.h. */
#include "particles/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/precision.h"
#include "plan/particle_calls.h"

/* ---- Checks ---------------------------------------------------------------------------------------------------------- */

static size_t span(int64_t count, int64_t stride, int bytes) {
  return count ? (size_t)((count - 1) * stride + 1) * (size_t)bytes : 0;
}

static int value_bytes(mfft_precision precision) { return (int)mfft_real_bytes(precision); }

mfft_status mfft_pm_device_check(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_particle_field *field,
                                 int fields) {
  mfft_plan plan = mesh->plan;
  char name[32];
  for (int a = 0; a < 3; a++) {
    snprintf(name, sizeof name, "particles.position[%d]", a);
    MFFT_TRY(mfft_check_array(plan->backend, &plan->checked, particles->position[a],
                              span(particles->count, particles->stride, mfft_pm_position_bytes(particles->type)), name));
  }
  for (int f = 0; f < fields; f++) {
    snprintf(name, sizeof name, "field[%d].mesh", f);
    if (!mfft_box_empty(&mesh->grid.own)) MFFT_TRY(mfft_plan_check_array(plan, MFFT_IN, field[f].mesh, name));
    snprintf(name, sizeof name, "field[%d].value", f);
    if (field[f].value)
      MFFT_TRY(mfft_check_array(plan->backend, &plan->checked, field[f].value,
                                span(particles->count, field[f].stride, value_bytes(field[f].precision)), name));
  }
  return MFFT_SUCCESS;
}

/* ---- Particles ------------------------------------------------------------------------------------------------------- */

mfft_status mfft_pm_device_refuse(mfft_particle_mesh mesh, const mfft_particles *particles, int64_t i) {
  const int bytes = mfft_pm_position_bytes(particles->type);
  double position[3], g[3][MFFT_PM_BATCH]; /* [axis], [axis][particle] in cells */
  mfft_particles one = *particles;
  one.count = 1;
  for (int a = 0; a < 3; a++) {
    MFFT_TRY(mesh->plan->backend->download(
        &position[a], (const char *)particles->position[a] + i * particles->stride * bytes, (size_t)bytes));
    one.position[a] = &position[a];
  }
  if (mfft_pm_locate(&mesh->grid, &one, 0, 1, g) >= 0) return mfft_pm_refuse_position(&one, 0, i);
  return mfft_pm_refuse_foreign(&mesh->grid, i, (const double[3]){g[0][0], g[1][0], g[2][0]});
}

/* Begins the next batch of at most `most` particles from `first` on. */
static mfft_status begin_batch(mfft_particle_mesh mesh, const mfft_particles *particles, int64_t first, int64_t most,
                               mfft_particle_list *list) {
  const int bytes = mfft_pm_position_bytes(particles->type);
  const int64_t rest = particles->count - first;
  *list = (mfft_particle_list){.type = particles->type, .position_bytes = bytes, .stride = particles->stride};
  list->count = rest < most ? rest : most;
  mesh->bins.first = first;
  mesh->bins.count = list->count;
  for (int a = 0; a < 3; a++) list->position[a] = (const char *)particles->position[a] + first * particles->stride * bytes;
  return mfft_pm_refuse_all(&mesh->grid, particles);
}

/* Notes the disorder of a batch, and fails for the first particle that the device has refused. */
static mfft_status end_batch(mfft_particle_mesh mesh, const mfft_particles *particles, int64_t changes,
                             const int64_t bad[2]) {
  mfft_pm_bins *bins = &mesh->bins;
  const int64_t pairs = bins->count - (bins->count + MFFT_PARTICLE_NEIGHBOURS - 1) / MFFT_PARTICLE_NEIGHBOURS;
  mfft_pm_bins_note(bins, bins->first, changes, pairs);
  const int64_t worst = bad[0] >= 0 && (bad[1] < 0 || bad[0] < bad[1]) ? bad[0] : bad[1];
  return worst < 0 ? MFFT_SUCCESS : mfft_pm_device_refuse(mesh, particles, bins->first + worst);
}

mfft_status mfft_pm_device_sort(mfft_particle_mesh mesh, const mfft_particles *particles, int64_t first) {
  mfft_pm_bins *bins = &mesh->bins;
  const int64_t rest = particles->count - first, count = rest < bins->capacity ? rest : bins->capacity;
  mfft_particle_list list;
  int64_t bad[2];
  if (bins->valid && bins->first == first && bins->count == count) return MFFT_SUCCESS;
  MFFT_TRY(begin_batch(mesh, particles, first, bins->capacity, &list));
  mesh->device.sort.may_be_in_sequence = !bins->scrambled;
  mesh->device.sort.disorder = mfft_pm_bins_disorder(bins);
  MFFT_TRY(mesh->calls->sort(&mesh->device.space, &list, &mesh->device.sort, bad, mesh->plan->stream));
  bins->scrambled = list.count > 0 && !mesh->device.sort.in_list;
  return end_batch(mesh, particles, mesh->device.sort.changes, bad);
}

/* The values of the particles of the batch. */
static mfft_particle_values values_of(mfft_particle_mesh mesh, const mfft_particle_field *field) {
  const int64_t skip = mesh->bins.first * field->stride * value_bytes(field->precision);
  return (mfft_particle_values){.value = field->value ? (char *)field->value + skip : NULL,
                                .precision = field->precision,
                                .stride = field->stride,
                                .add = field->add};
}

mfft_status mfft_pm_device_deposit(mfft_particle_mesh mesh, const mfft_particle_field *field, const double to[2],
                                   const mfft_particle_target *target) {
  const mfft_particle_values weight = values_of(mesh, field);
  return mesh->calls->deposit(&mesh->device.space, &mesh->device.sort, &weight, to, target, mesh->plan->stream);
}

int mfft_pm_device_sorts(mfft_particle_mesh mesh) { return mesh->bins.wanted || mesh->calls->sorts(mesh->grid.order); }

mfft_status mfft_pm_device_deposit_direct(mfft_particle_mesh mesh, const mfft_particles *particles, int64_t first,
                                          const mfft_particle_field *field, const double to[2], const mfft_pm_arrays *sums) {
  mfft_particle_list list;
  int64_t bad[2], changes = 0;
  MFFT_TRY(begin_batch(mesh, particles, first, MFFT_PARTICLE_MOST, &list));
  const mfft_particle_values weight = values_of(mesh, field);
  MFFT_TRY(mesh->calls->deposit_direct(&mesh->device.space, &list, &weight, to, sums->own, sums->rims,
                                       mesh->work[MFFT_PM_WORK_TILES], bad, &changes, mesh->plan->stream));
  return end_batch(mesh, particles, changes, bad);
}

mfft_status mfft_pm_device_gather(mfft_particle_mesh mesh, const mfft_particle_field *field, const mfft_pm_arrays *cells,
                                  int fields, const mfft_particle_slopes *slopes) {
  mfft_particle_values value[MFFT_PM_MOST_FIELDS];
  void *own[MFFT_PM_MOST_FIELDS], *rims[MFFT_PM_MOST_FIELDS];
  for (int f = 0; f < fields; f++) {
    value[f] = values_of(mesh, &field[f]);
    own[f] = cells[f].own;
    rims[f] = cells[f].rims;
  }
  return mesh->calls->gather(&mesh->device.space, &mesh->device.sort, value, own, rims, fields, slopes, mesh->plan->stream);
}

/* ---- Weights and sums ------------------------------------------------------------------------------------------------ */

static mfft_particle_values weights_of(const mfft_particle_field *field) {
  return (mfft_particle_values){.value = field->value, .precision = field->precision, .stride = field->stride};
}

mfft_status mfft_pm_device_largest(mfft_particle_mesh mesh, const mfft_particle_field *field, int64_t count, double *largest,
                                   int64_t *bad, double *weight) {
  const mfft_particle_values weights = weights_of(field);
  const int single = field->precision == MFFT_SINGLE, bytes = value_bytes(field->precision);
  float narrow = 0;
  MFFT_TRY(mesh->calls->largest(&weights, count, mesh->work[MFFT_PM_WORK_TILES], largest, bad, mesh->plan->stream));
  if (*bad < 0) return MFFT_SUCCESS;
  MFFT_TRY(mesh->plan->backend->download(single ? (void *)&narrow : weight,
                                         (const char *)field->value + *bad * field->stride * bytes, (size_t)bytes));
  if (single) *weight = (double)narrow;
  return MFFT_SUCCESS;
}

mfft_status mfft_pm_device_magnitudes(mfft_particle_mesh mesh, const mfft_particle_field *field, int64_t count,
                                      const double unit[2], int64_t *total) {
  const mfft_particle_values weight = weights_of(field);
  return mesh->calls->magnitudes(&weight, count, unit, mesh->work[MFFT_PM_WORK_TILES], total, mesh->plan->stream);
}

mfft_status mfft_pm_device_integers(mfft_particle_mesh mesh, const mfft_particle_field *field, int64_t count,
                                    const double to[2], int64_t *total) {
  const mfft_particle_values weight = weights_of(field);
  return mesh->calls->integers(&weight, count, to, mesh->work[MFFT_PM_WORK_TILES], total, mesh->plan->stream);
}

mfft_status mfft_pm_device_clear(const mfft_pm_sums *sums, int in_place) {
  const mfft_particle_mesh mesh = sums->mesh;
  if (in_place) return mesh->calls->clear(&mesh->device.space, sums->own, mesh->plan->stream);
  return mesh->plan->backend->clear(sums->own, (size_t)mesh->plan->count[MFFT_IN] * sizeof(int64_t), mesh->plan->stream);
}

/* The first sum of a plane of the slowest axis. */
static int64_t *plane_of(const mfft_pm_sums *sums, int axis, int64_t plane) {
  const int64_t held = sums->mesh->grid.own.lo[axis] + plane - sums->part.box.lo[axis];
  return sums->own + sums->part.start + held * sums->part.stride[axis];
}

mfft_status mfft_pm_device_clear_planes(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi) {
  const size_t bytes = hi > lo ? (size_t)((hi - lo) * sums->part.stride[axis]) * sizeof(int64_t) : 0;
  return sums->mesh->plan->backend->clear(plane_of(sums, axis, lo), bytes, sums->mesh->plan->stream);
}

mfft_status mfft_pm_device_move_planes(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi, int64_t to) {
  const mfft_block words = {{1, 1, 1, (hi - lo) * sums->part.stride[axis]}, 0, {0, 0, 0, 1}, 0, {0, 0, 0, 1}};
  if (hi <= lo) return MFFT_SUCCESS;
  return sums->mesh->plan->backend->copy(&words, 1, (int64_t)sizeof(int64_t), plane_of(sums, axis, lo),
                                         plane_of(sums, axis, to), sums->mesh->plan->stream);
}

mfft_status mfft_pm_device_store(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi, int64_t *infinite) {
  const mfft_particle_mesh mesh = sums->mesh;
  mfft_particle_space some = mesh->device.space;
  some.extent[axis] = hi - lo;
  return mesh->calls->store(&some, plane_of(sums, axis, lo), sums->mean, sums->from, sums->field->add,
                            (char *)sums->field->mesh + lo * mesh->grid.stride[axis] * value_bytes(mesh->precision),
                            mesh->work[MFFT_PM_WORK_TILES], infinite, mesh->plan->stream);
}
