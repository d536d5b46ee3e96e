/* checkpoint.c: the state of a run as a snapshot of exact numbers, from which the run is resumed.  The file is complete or
 * absent (mfft_snapshot.h).
 *
 * Particles are in the order of the input of the run, so that a checkpoint is the same file for every number of ranks and
 * can be read by any number.  Coordinates are for other programs; a run resumes from PositionsFixed and Momenta. */
#include <string.h>
#include <unistd.h>

#include "cli/phases.h"
#include "cli/report.h"
#include "mfft_memory.h"
#include "nbody/file_order.h"
#include "nbody/run.h"

/* Columns of a checkpoint that are arrays of the bodies.  The file also has Coordinates, computed from the positions. */
typedef struct saved {
  const char *name;
  int first, components;
  mfft_snapshot_number number;
} saved;
static const saved saved_columns[] = {{"PositionsFixed", MFFT_BODY_X, 3, MFFT_SNAPSHOT_UINT64},
                                      {"Momenta", MFFT_BODY_P, 3, MFFT_SNAPSHOT_FLOAT64},
                                      {"Masses", MFFT_BODY_MASS, 1, MFFT_SNAPSHOT_FLOAT64},
                                      {"DisplacementsFirst", MFFT_BODY_S1, 3, MFFT_SNAPSHOT_FLOAT64},
                                      {"DisplacementsSecond", MFFT_BODY_S2, 3, MFFT_SNAPSHOT_FLOAT64}};
enum { SAVED = sizeof saved_columns / sizeof saved_columns[0] };

static mfft_status put_saved(const mfft_nbody *r, mfft_file_order *order, mfft_snapshot_file file, int column,
                             const saved *k, void *data) {
  mfft_status status = MFFT_SUCCESS;
  for (int c = 0; c < k->components && status == MFFT_SUCCESS; c++)
    status = mfft_file_order_take(order, r->bodies.array[k->first + c], (char *)data + 8 * c, k->components);
  return status == MFFT_SUCCESS ? mfft_snapshot_put(file, column, order->first, order->count, k->number, data) : status;
}

/* Writes Coordinates in single precision, from the fixed-point positions in `data` [count][3]. */
static mfft_status put_coordinates(const mfft_nbody *r, const mfft_file_order *order, mfft_snapshot_file file,
                                   const void *data) {
  const uint64_t *fixed = data;
  void *memory = NULL;
  mfft_status status = mfft_app_agree(mfft_app_alloc(3 * order->count, sizeof(float), "coordinates", &memory));
  float *x = memory;
  for (int64_t i = 0; i < 3 * order->count && status == MFFT_SUCCESS; i++)
    x[i] = (float)(mfft_fraction_of(fixed[i]) * r->mesh.length[i % 3]);
  if (status == MFFT_SUCCESS) status = mfft_snapshot_put(file, 0, order->first, order->count, MFFT_SNAPSHOT_FLOAT32, x);
  mfft_free(memory);
  return status;
}

/* A type without particles, whose mass in the header of a checkpoint is the mark of the settings: nothing else reads it. */
static int spare_type(const mfft_nbody *r) { return r->type == 5 ? 4 : 5; }

static mfft_status put_all(mfft_nbody *r, mfft_file_order *order, const char *path, void *data) {
  mfft_snapshot_info info = mfft_nbody_header(r, r->schedule.a[r->step]);
  mfft_snapshot_column column[1 + SAVED] = {{r->type, "Coordinates", 3, MFFT_SNAPSHOT_FLOAT32}};
  const saved *source[1 + SAVED] = {NULL};
  mfft_snapshot_file file = NULL;
  int count = 1;
  info.mass[spare_type(r)] = r->mark;
  for (int i = 0; i < SAVED; i++) {
    const saved *k = &saved_columns[i];
    if (!r->bodies.wants[k->first]) continue;
    column[count] = (mfft_snapshot_column){.type = r->type, .components = k->components, .number = k->number};
    strcpy(column[count].name, k->name);
    source[count++] = k;
  }
  mfft_status status = mfft_snapshot_create(MPI_COMM_WORLD, path, &info, column, count, &file);
  for (int i = 1; i < count && status == MFFT_SUCCESS; i++) {
    status = put_saved(r, order, file, i, source[i], data);
    if (status == MFFT_SUCCESS && i == 1) status = put_coordinates(r, order, file, data);
  }
  if (status == MFFT_SUCCESS) return mfft_snapshot_commit(&file);
  mfft_snapshot_abandon(&file);
  return status;
}

static mfft_status write_file(mfft_nbody *r, const char *path) {
  mfft_file_order order;
  void *data = NULL;
  mfft_status status = mfft_file_order_create(r->plan, r->mesh.n, r->particle_mesh, &r->bodies, r->all, &order);
  if (status == MFFT_SUCCESS)
    status = mfft_app_agree(mfft_app_alloc(3 * order.count, 8, "a column of the checkpoint", &data));
  if (status == MFFT_SUCCESS) status = put_all(r, &order, path, data);
  mfft_free(data);
  mfft_file_order_destroy(&order);
  return status;
}

mfft_status mfft_nbody_checkpoint(mfft_nbody *r) {
  char path[MFFT_NBODY_NAME_BYTES];
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_CHECKPOINT);
  mfft_status status = mfft_nbody_name(r->v, "energy.txt", path); /* before the checkpoint, whose step it must include */
  if (status == MFFT_SUCCESS && !r->v->no_energy) status = mfft_app_agree(mfft_energy_save(&r->energy, path));
  if (status == MFFT_SUCCESS) status = mfft_nbody_name(r->v, "restart.hdf5", path);
  if (status == MFFT_SUCCESS) status = write_file(r, path);
  mfft_phase_enter(before);
  return status;
}

void mfft_nbody_remove_checkpoint(mfft_nbody *r) {
  char path[MFFT_NBODY_NAME_BYTES];
  if (mfft_app_rank() == 0 && mfft_nbody_name(r->v, "restart.hdf5", path) == MFFT_SUCCESS) unlink(path);
}

/* ---- Resuming -------------------------------------------------------------------------------------------------------- */

typedef struct resuming {
  mfft_nbody *run;
  mfft_snapshot file;
  const char *path;
  int64_t first, count;
  uint64_t *data; /* [count][3] */
} resuming;

static mfft_status check_header(resuming *s) {
  mfft_nbody *r = s->run;
  mfft_snapshot_info info;
  mfft_snapshot_info_init(&info);
  const mfft_status status = mfft_snapshot_query(s->file, &info);
  if (status != MFFT_SUCCESS) return status;
  r->step = mfft_schedule_find(&r->schedule, info.time);
  if (info.types <= r->type || info.count[r->type] != r->all)
    return mfft_app_fail(
        MFFT_ERR_ARG,
        "'%s' is no checkpoint of '%s': it has other particles; remove it, or give the snapshot that the run began with",
        s->path, r->v->input);
  if (info.mass[spare_type(r)] != r->mark)
    return mfft_app_fail(
        MFFT_ERR_ARG,
        "'%s' is of a run with other options or of another snapshot than '%s-settings.txt' says; restore the "
        "files of one run, or remove the checkpoint and begin anew without --restart",
        s->path, r->v->output);
  if (r->step < 0)
    return mfft_app_fail(MFFT_ERR_ARG,
                         "'%s' is at a = %.17g, where no step of this run ends; give the options that the run began with",
                         s->path, info.time);
  return MFFT_SUCCESS;
}

static mfft_status read_saved(const resuming *s, const saved *k) {
  const mfft_status status =
      mfft_snapshot_read(s->file, 1u << s->run->type, k->name, s->first, s->count, k->number, k->components, s->data);
  for (int c = 0; c < k->components && status == MFFT_SUCCESS; c++) {
    uint64_t *to = s->run->bodies.array[k->first + c];
    for (int64_t i = 0; i < s->count; i++) to[i] = s->data[k->components * i + c];
  }
  return status;
}

static mfft_status read_all(resuming *s) {
  mfft_nbody *r = s->run;
  void *data = NULL;
  int64_t all;
  mfft_status status = mfft_snapshot_share(s->file, 1u << r->type, &s->first, &s->count, &all);
  if (status == MFFT_SUCCESS) status = mfft_bodies_reserve(&r->bodies, s->count);
  if (status == MFFT_SUCCESS) status = mfft_app_alloc(3 * s->count, 8, "a column of the checkpoint", &data);
  s->data = data;
  status = mfft_app_agree(status);
  for (int i = 0; i < SAVED && status == MFFT_SUCCESS; i++)
    if (r->bodies.wants[saved_columns[i].first]) status = read_saved(s, &saved_columns[i]);
  mfft_free(data);
  if (status != MFFT_SUCCESS) return status;
  uint64_t *index = r->bodies.array[MFFT_BODY_INDEX];
  for (int64_t i = 0; i < s->count; i++) index[i] = (uint64_t)(s->first + i);
  r->bodies.count = s->count;
  return MFFT_SUCCESS;
}

mfft_status mfft_nbody_resume(mfft_nbody *r) {
  char path[MFFT_NBODY_NAME_BYTES], energy[MFFT_NBODY_NAME_BYTES];
  resuming s = {.run = r, .path = path};
  mfft_status status = mfft_nbody_settings_compare(r);
  if (status == MFFT_SUCCESS) status = mfft_nbody_name(r->v, "restart.hdf5", path);
  if (status == MFFT_SUCCESS) status = mfft_nbody_name(r->v, "energy.txt", energy);
  if (status == MFFT_SUCCESS) status = mfft_snapshot_open(MPI_COMM_WORLD, path, &s.file);
  if (status == MFFT_SUCCESS) status = check_header(&s);
  if (status == MFFT_SUCCESS) status = read_all(&s);
  mfft_snapshot_close(&s.file);
  if (status == MFFT_SUCCESS) status = mfft_nbody_total(r);
  const int first_row = r->stepping->drift_kick; /* a row of the start is only where forces are known there */
  if (status == MFFT_SUCCESS && !r->v->no_energy) status = mfft_energy_load(energy, first_row, r->step, &r->energy);
  return status == MFFT_SUCCESS ? mfft_bodies_move(&r->bodies, r->particle_mesh) : status;
}
