/* fields.c: checks of the caller's fields of a deposit or a gather. */
#include <inttypes.h>
#include <string.h>

#include "base/versioned.h"
#include "comm/compare.h"
#include "particles/mesh.h"

static const mfft_versioned versions = {.name = "field",
                                        .init = "mfft_particle_field_init",
                                        .size = sizeof(mfft_particle_field),
                                        .first = sizeof(mfft_particle_field)};

void mfft_particle_field_init_sized(mfft_particle_field *field, size_t struct_size) {
  const mfft_particle_field none = {.stride = 1};
  mfft_versioned_init(field, struct_size, &none, sizeof none);
}

/* Reads field f of an array whose elements may be of an earlier version of the struct. */
static mfft_status take_field(mfft_particle_mesh mesh, const mfft_particle_field *given, int f, int values, int64_t count,
                              mfft_particle_field *field) {
  MFFT_TRY(mfft_versioned_take(&versions, (const char *)given + (size_t)f * given->struct_size, field));
  if (!field->mesh && !mfft_box_empty(&mesh->grid.own))
    return mfft_fail(MFFT_ERR_ARG, "field[%d].mesh is NULL; give an IN array of the plan", f);
  if (!field->value && values && count)
    return mfft_fail(MFFT_ERR_ARG, "field[%d].value is NULL with %" PRId64 " particles; give an array", f, count);
  if (field->precision != MFFT_DOUBLE && field->precision != MFFT_SINGLE)
    return mfft_fail(MFFT_ERR_ARG, "field[%d].precision is %d; use MFFT_DOUBLE or MFFT_SINGLE", f, (int)field->precision);
  if (field->stride < 0 || field->stride > INT64_C(1) << 16)
    return mfft_fail(MFFT_ERR_ARG, "field[%d].stride is %" PRId64 "; use 1, 3 for triples, up to 65536", f, field->stride);
  if (!field->stride) field->stride = 1;
  return MFFT_SUCCESS;
}

static mfft_status take_all(mfft_particle_mesh mesh, const mfft_particles *given, const mfft_particle_field *field,
                            int fields, int values, mfft_particles *particles, mfft_particle_field *taken) {
  MFFT_TRY(mfft_pm_take_particles(given, particles));
  if (fields < 1 || fields > MFFT_PM_MOST_FIELDS)
    return mfft_fail(MFFT_ERR_ARG, "fields is %d; use 1 to %d", fields, MFFT_PM_MOST_FIELDS);
  if (!field) return mfft_fail(MFFT_ERR_ARG, "field is NULL; give an array of %d", fields);
  for (int f = 0; f < fields; f++) MFFT_TRY(take_field(mesh, field, f, values, particles->count, &taken[f]));
  return MFFT_SUCCESS;
}

/* Agrees on the status of the checks, and on what all ranks must request alike. */
static mfft_status agree_fields(mfft_particle_mesh mesh, mfft_status mine, const mfft_particle_field *taken, int fields) {
  if (mesh->comm == MPI_COMM_NULL) return mine;
  int64_t adds = 0, means = 0;
  for (int f = 0; f < fields && mine == MFFT_SUCCESS; f++) {
    adds |= (int64_t)(taken[f].add != 0) << f;
    means |= (int64_t)(taken[f].remove_mean != 0) << f;
  }
  const mfft_agree_item items[] = {mfft_agree_integer("fields", fields), mfft_agree_integer("the bits of field[].add", adds),
                                   mfft_agree_integer("the bits of field[].remove_mean", means)};
  return mfft_agree_and_compare(mesh->comm, mine, items, sizeof items / sizeof items[0]);
}

mfft_status mfft_pm_with_fields(mfft_particle_mesh mesh, const mfft_particles *given, const mfft_particle_field *field,
                                int fields, int values, mfft_particle_field *taken, mfft_pm_work_on *work, void *context) {
  mfft_particles particles;
  mfft_device_guard guard;
  int entered = 0;
  MFFT_TRY(mfft_pm_check(mesh));
  mfft_status status = take_all(mesh, given, field, fields, values, &particles, taken);
  if (status == MFFT_SUCCESS) status = mfft_pm_enter_alone(mesh, &guard, &entered);
  status = agree_fields(mesh, status, taken, fields);
  if (status == MFFT_SUCCESS) status = work(context, &particles);
  if (entered) mfft_pm_leave(mesh, &guard);
  return status;
}
