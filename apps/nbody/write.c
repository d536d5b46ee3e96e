/* write.c: a snapshot of a run, in GADGET's units: Mpc/h, 1e10 solar masses/h, peculiar km/s divided by sqrt(a). */
#include <math.h>
#include <string.h>

#include "cli/phases.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "mfft_memory.h"
#include "nbody/file_order.h"
#include "nbody/run.h"

enum { COORDINATES, VELOCITIES, IDENTITIES, MASSES, COLUMNS };
enum { BATCH = 1 << 16 }; /* particles whose LPT displacements are on the host at a time */

/* One component of the momentum with its LPT part, in *array; `sum` is overwritten only for COLA. */
static mfft_status whole_momentum(mfft_nbody *r, int axis, double a, double *sum /* [bodies.count + 2 BATCH] */,
                                  const void **array) {
  const mfft_bodies *b = &r->bodies;
  double lpt_momentum[2], *s1 = sum + b->count, *s2 = s1 + BATCH; /* [order - 1], [particle], [particle] */
  *array = b->array[MFFT_BODY_P + axis];
  if (!b->array[MFFT_BODY_S1]) return MFFT_SUCCESS;
  *array = sum;
  mfft_lpt_momentum(&r->background, a, lpt_momentum);
  mfft_status status = mfft_bodies_fetch(b, MFFT_BODY_P + axis, 0, b->count, sum);
  for (int64_t first = 0; first < b->count && status == MFFT_SUCCESS; first += BATCH) {
    const int64_t count = b->count - first < BATCH ? b->count - first : BATCH;
    status = mfft_bodies_fetch(b, MFFT_BODY_S1 + axis, first, count, s1);
    if (status == MFFT_SUCCESS) status = mfft_bodies_fetch(b, MFFT_BODY_S2 + axis, first, count, s2);
    for (int64_t i = 0; i < count && status == MFFT_SUCCESS; i++)
      sum[first + i] = sum[first + i] + lpt_momentum[0] * s1[i] + lpt_momentum[1] * s2[i];
  }
  return status;
}

/* Fills in positions of [0, length), also after rounding to single precision. */
static void fill_positions(const mfft_nbody *r, int64_t count, int axis, double *triple /* [count][3] */) {
  const double length = r->mesh.length[axis];
  for (int64_t i = 0; i < count; i++) {
    uint64_t fixed;
    memcpy(&fixed, &triple[3 * i + axis], sizeof fixed);
    const double x = mfft_fraction_of(fixed) * length;
    triple[3 * i + axis] = x >= length || (float)x >= (float)length ? 0 : x;
  }
}

static mfft_status fill_triples(mfft_nbody *r, mfft_file_order *order, int column, double a, double *sum, double *triple) {
  const double speed = 100 / (a * sqrt(a)); /* factor from p to GADGET's velocity */
  mfft_status status = MFFT_SUCCESS;
  for (int axis = 0; axis < 3 && status == MFFT_SUCCESS; axis++) {
    const void *array = r->bodies.array[MFFT_BODY_X + axis];
    if (column != COORDINATES) status = mfft_app_agree(whole_momentum(r, axis, a, sum, &array));
    if (status == MFFT_SUCCESS) status = mfft_file_order_take(order, array, triple + axis, 3);
    if (status != MFFT_SUCCESS) break;
    if (column == COORDINATES)
      fill_positions(r, order->count, axis, triple);
    else
      for (int64_t i = 0; i < order->count; i++) triple[3 * i + axis] *= speed;
  }
  return status;
}

/* Reads the identities of the input, or numbers the particles if it has none. */
static mfft_status fill_identities(const mfft_nbody *r, const mfft_file_order *order, uint64_t *id /* [count] */) {
  if (r->has_ids)
    return mfft_snapshot_read(r->input, 1u << r->type, "ParticleIDs", order->first, order->count, MFFT_SNAPSHOT_UINT64, 1,
                              id);
  for (int64_t i = 0; i < order->count; i++) id[i] = (uint64_t)(order->first + i) + 1;
  return MFFT_SUCCESS;
}

static mfft_status put_column(mfft_nbody *r, mfft_file_order *order, mfft_snapshot_file file, int column, double a,
                              double *sum, double *data) {
  mfft_snapshot_number number = MFFT_SNAPSHOT_FLOAT64;
  mfft_status status = MFFT_SUCCESS;
  if (column == IDENTITIES) {
    number = MFFT_SNAPSHOT_UINT64;
    status = fill_identities(r, order, (uint64_t *)(void *)data);
  } else if (column == MASSES) {
    status = mfft_file_order_take(order, r->bodies.array[MFFT_BODY_MASS], data, 1);
    for (int64_t i = 0; i < order->count && r->mass_unit > 0; i++) data[i] *= r->mass_unit;
  } else {
    status = fill_triples(r, order, column, a, sum, data);
  }
  return status == MFFT_SUCCESS ? mfft_snapshot_put(file, column, order->first, order->count, number, data) : status;
}

/* The header: masses of the input in the unit of the output, or, if their unit is not known, masses of the mean density. */
mfft_snapshot_info mfft_nbody_header(const mfft_nbody *r, double a) {
  mfft_snapshot_info info;
  mfft_snapshot_info_init(&info);
  info.types = r->info.types < 6 ? 6 : r->info.types;
  info.count[r->type] = r->all;
  if (r->info.mass[r->type] > 0)
    info.mass[r->type] = r->mass_unit > 0
                             ? r->info.mass[r->type] * r->mass_unit
                             : r->background.omega_m * mfft_critical_density() * mfft_mesh_volume(&r->mesh) / (double)r->all;
  memcpy(info.box_size, r->mesh.length, sizeof info.box_size);
  info.time = a;
  info.redshift = mfft_schedule_redshift(a);
  info.has_cosmology = 1;
  info.omega_m = r->background.omega_m;
  info.omega_lambda = r->background.omega_lambda;
  info.h = r->info.has_cosmology && r->info.h > 0 ? r->info.h : 1;
  info.length_mpc_h = info.mass_1e10_msun_h = 1;
  return info;
}

static mfft_status write_columns(mfft_nbody *r, mfft_file_order *order, const char *path, double a, double *sum,
                                 double *data) {
  const mfft_snapshot_info info = mfft_nbody_header(r, a);
  const mfft_snapshot_number number = r->v->precision ? MFFT_SNAPSHOT_FLOAT32 : MFFT_SNAPSHOT_FLOAT64;
  const mfft_snapshot_column column[COLUMNS] = {[COORDINATES] = {r->type, "Coordinates", 3, number},
                                                [VELOCITIES] = {r->type, "Velocities", 3, number},
                                                [IDENTITIES] = {r->type, "ParticleIDs", 1, MFFT_SNAPSHOT_UINT64},
                                                [MASSES] = {r->type, "Masses", 1, number}};
  const int columns = r->bodies.wants[MFFT_BODY_MASS] ? COLUMNS : MASSES;
  mfft_snapshot_file file = NULL;
  mfft_status status = mfft_snapshot_create_set(MPI_COMM_WORLD, path, &info, column, columns, (int)r->v->files, &file);
  for (int i = 0; i < columns && status == MFFT_SUCCESS; i++) status = put_column(r, order, file, i, a, sum, data);
  if (status == MFFT_SUCCESS) {
    const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_COMMIT);
    status = mfft_snapshot_commit(&file);
    mfft_phase_enter(before);
    return status;
  }
  mfft_snapshot_abandon(&file);
  return status;
}

static mfft_status write_snapshot(mfft_nbody *r, const char *path, double a) {
  mfft_file_order order;
  void *sum = NULL, *data = NULL;
  mfft_status status = mfft_file_order_create(r->plan, r->mesh.n, r->particle_mesh, &r->bodies, r->all, &order);
  mfft_status allocated = mfft_app_alloc(3 * order.count, sizeof(double), "a column of the snapshot", &data);
  if (allocated == MFFT_SUCCESS && r->stepping->with_lpt)
    allocated = mfft_app_alloc(r->bodies.count + 2 * BATCH, sizeof(double), "momenta of the snapshot", &sum);
  if (status == MFFT_SUCCESS) status = mfft_app_agree(allocated);
  if (status == MFFT_SUCCESS) status = write_columns(r, &order, path, a, sum, data);
  mfft_free(data);
  mfft_free(sum);
  mfft_file_order_destroy(&order);
  return status;
}

mfft_status mfft_nbody_write(mfft_nbody *r) {
  const double a = r->schedule.a[r->step];
  char words[MFFT_NBODY_REDSHIFT_BYTES], stem[MFFT_NBODY_NAME_BYTES], path[MFFT_NBODY_NAME_BYTES + 16];
  mfft_nbody_redshift(&r->schedule, r->step, words);
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_WRITE);
  mfft_status status = mfft_nbody_name(r->v, words, stem);
  snprintf(path, sizeof path, "%s.hdf5", stem);
  if (status == MFFT_SUCCESS) status = mfft_bodies_move(&r->bodies, r->particle_mesh);
  if (status == MFFT_SUCCESS && !r->v->no_snapshots) {
    status = write_snapshot(r, path, a);
    if (status == MFFT_SUCCESS && r->v->files > 1)
      mfft_app_print("wrote %s.0.hdf5 to %s.%d.hdf5\n", stem, stem, (int)r->v->files - 1);
    else if (status == MFFT_SUCCESS)
      mfft_app_print("wrote %s\n", path);
  }
  if (status == MFFT_SUCCESS) status = mfft_nbody_write_fields(r, stem);
  mfft_phase_enter(before);
  return status;
}
