/* owned.c: see owned.h. */
#include "catalogue/owned.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/phases.h"
#include "cli/report.h"
#include "mfft_memory.h"

enum { POSITION, MASS, VELOCITY, COLUMNS };

/* A column: as read, and at the owners. */
typedef struct column {
  const char *name;
  int wanted, components;
  int64_t bytes; /* bytes for each particle */
  void *share, *owned;
} column;

/* ---- Placing --------------------------------------------------------------------------------------------------------- */

static void place_single(const double *add /* [3] */, double fold, int64_t count, float *x /* [count][3] */) {
  for (int64_t i = 0; i < 3 * count; i++) x[i] = (float)(fold * (double)x[i] + add[i % 3]);
}

static void place_double(const double *add /* [3] */, double fold, int64_t count, double *x /* [count][3] */) {
  for (int64_t i = 0; i < 3 * count; i++) x[i] = fold * x[i] + add[i % 3];
}

static void displace(const mfft_particle_placement *p, const double *velocity /* [3] */, int single, int64_t i, void *x) {
  double along = 0;
  for (int axis = 0; axis < 3; axis++) along += velocity[axis] * p->los[axis];
  for (int axis = 0; axis < 3; axis++) {
    const double displacement = p->rsd * along * p->los[axis];
    if (single)
      ((float *)x)[3 * i + axis] = (float)((double)((float *)x)[3 * i + axis] + displacement);
    else
      ((double *)x)[3 * i + axis] += displacement;
  }
}

static void place(const mfft_catalogue *c, const mfft_mesh *mesh, const mfft_particle_placement *p, const double *velocity,
                  void *x /* [count][3] */) {
  const int single = c->number == MFFT_SNAPSHOT_FLOAT32;
  double add[3];
  for (int64_t i = 0; p->rsd != 0 && i < c->count; i++) displace(p, velocity + 3 * i, single, i, x);
  if (p->fold == 1 && p->shift == 0) return;
  for (int axis = 0; axis < 3; axis++) add[axis] = p->shift * c->length[axis] / (double)mesh->n[axis];
  if (single)
    place_single(add, p->fold, c->count, x);
  else
    place_double(add, p->fold, c->count, x);
}

/* ---- Loading --------------------------------------------------------------------------------------------------------- */

static mfft_particles describe(const mfft_catalogue *c, const void *position, int64_t count) {
  mfft_particles particles;
  mfft_particles_init(&particles);
  particles.count = count;
  particles.type = c->number == MFFT_SNAPSHOT_FLOAT32 ? MFFT_POSITION_SINGLE : MFFT_POSITION_DOUBLE;
  const size_t bytes = mfft_catalogue_number_bytes(c->number);
  for (int axis = 0; axis < 3; axis++) particles.position[axis] = (const char *)position + (size_t)axis * bytes;
  particles.stride = 3;
  return particles;
}

static double number_of(const void *values, int single, int64_t i) {
  return single ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

/* The numbers that a column may have: no farther from `middle` than `reach`, by component. */
typedef struct bounds {
  double middle[3], reach[3];
} bounds;

static const bounds finite = {{0, 0, 0}, {DBL_MAX, DBL_MAX, DBL_MAX}};

static bounds around_box(const mfft_catalogue *c) {
  bounds b;
  for (int axis = 0; axis < 3; axis++) {
    b.middle[axis] = c->length[axis] / 2;
    b.reach[axis] = mfft_catalogue_reach(c->length[axis], c->info.box_size[axis]);
  }
  return b;
}

/* Names a particle by its index among those of the chosen types. */
static mfft_status refuse(const mfft_catalogue *c, const char *what, int64_t i, int axis, double value) {
  const int64_t particle = c->first + i;
  const double side = c->length[axis];
  if (!isfinite(value))
    return mfft_app_fail(MFFT_ERR_NONFINITE, "the %s of particle %" PRId64 " of '%s' is %g; give a finite number", what,
                         particle, c->path, value);
  return mfft_app_fail(MFFT_ERR_ARG,
                       "the %s of particle %" PRId64
                       " of '%s' has %c = %g, more than a side outside of the box of %g, both "
                       "as stored; give the side of the box by --boxsize, and the unit of the positions by --units, or "
                       "correct the file",
                       what, particle, c->path, "xyz"[axis], value, side);
}

/* Refuses a number beyond the bounds.  Collective. */
static mfft_status check_numbers(const mfft_catalogue *c, const char *what, const void *values, int components, int single,
                                 bounds b) {
  for (int64_t i = 0; i < c->count; i++)
    for (int axis = 0; axis < components; axis++) {
      const double value = number_of(values, single, i * components + axis);
      if (!(fabs(value - b.middle[axis]) <= b.reach[axis])) return mfft_app_agree(refuse(c, what, i, axis, value));
    }
  return mfft_app_agree(MFFT_SUCCESS);
}

static mfft_status read_share(const mfft_catalogue *c, const mfft_mesh *mesh, const mfft_particle_placement *p,
                              column *columns) {
  const int single = c->number == MFFT_SNAPSHOT_FLOAT32;
  mfft_status status = mfft_catalogue_read(c, "Coordinates", c->number, 3, &columns[POSITION].share);
  if (status == MFFT_SUCCESS) status = check_numbers(c, "position", columns[POSITION].share, 3, single, around_box(c));
  if (status == MFFT_SUCCESS && columns[MASS].wanted)
    status = mfft_catalogue_read(c, "Masses", MFFT_SNAPSHOT_FLOAT64, 1, &columns[MASS].share);
  if (status == MFFT_SUCCESS && columns[MASS].wanted) status = check_numbers(c, "mass", columns[MASS].share, 1, 0, finite);
  if (status == MFFT_SUCCESS && (columns[VELOCITY].wanted || p->rsd != 0))
    status = mfft_catalogue_read(c, "Velocities", MFFT_SNAPSHOT_FLOAT64, 3, &columns[VELOCITY].share);
  if (status == MFFT_SUCCESS && columns[VELOCITY].share)
    status = check_numbers(c, "velocity", columns[VELOCITY].share, 3, 0, finite);
  if (status == MFFT_SUCCESS) place(c, mesh, p, columns[VELOCITY].share, columns[POSITION].share);
  return status;
}

/* Sends the columns to the owners one after another, so that at most one column is in memory twice. */
static mfft_status send(const mfft_catalogue *c, mfft_particle_mesh particle_mesh, mfft_owned *owned, column *columns) {
  const mfft_particles share = describe(c, columns[POSITION].share, c->count);
  int64_t count = 0;
  mfft_status status = mfft_particle_exchange_create(particle_mesh, &share, &owned->exchange);
  if (status == MFFT_SUCCESS) status = mfft_particle_exchange_count(owned->exchange, &count, NULL);
  for (int i = 0; i < COLUMNS && status == MFFT_SUCCESS; i++) {
    column *of = &columns[i];
    if (!of->wanted) continue;
    status = mfft_app_agree(mfft_app_alloc(count, (size_t)of->bytes, of->name, &of->owned));
    const mfft_particle_column move = {.element_bytes = of->bytes, .in = of->share, .out = of->owned};
    if (status == MFFT_SUCCESS) status = mfft_particle_exchange_send(owned->exchange, &move, 1);
    mfft_free(of->share);
    of->share = NULL;
  }
  owned->particles.count = count;
  return status;
}

static mfft_status load(const mfft_catalogue *c, const mfft_mesh *mesh, mfft_particle_mesh particle_mesh,
                        const mfft_particle_placement *p, mfft_owned *owned, column *columns) {
  mfft_status status = read_share(c, mesh, p, columns);
  if (status != MFFT_SUCCESS) return status;
  if (mfft_app_ranks() > 1) {
    const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_EXCHANGE);
    status = send(c, particle_mesh, owned, columns);
    mfft_phase_enter(before);
    return status;
  }
  for (int i = 0; i < COLUMNS; i++) {
    if (!columns[i].wanted) continue;
    columns[i].owned = columns[i].share;
    columns[i].share = NULL;
  }
  owned->particles.count = c->count;
  return MFFT_SUCCESS;
}

static void list_columns(const mfft_catalogue *c, int velocity, column columns[COLUMNS]) {
  const int64_t real = (int64_t)mfft_catalogue_number_bytes(c->number);
  const column list[COLUMNS] = {[POSITION] = {"the positions", 1, 3, 3 * real, NULL, NULL},
                                [MASS] = {"the masses", !mfft_catalogue_equal_masses(c), 1, sizeof(double), NULL, NULL},
                                [VELOCITY] = {"the velocities", velocity, 3, 3 * (int64_t)sizeof(double), NULL, NULL}};
  memcpy(columns, list, sizeof list);
}

mfft_owned_bytes mfft_owned_estimate(const mfft_catalogue *c, int velocity, int rsd) {
  column columns[COLUMNS];
  mfft_owned_bytes bytes = {0};
  const double count = (double)c->count;
  list_columns(c, velocity, columns);
  for (int i = 0; i < COLUMNS; i++) {
    const double all = count * (double)columns[i].bytes;
    if (columns[i].wanted || (i == VELOCITY && rsd)) bytes.share += all;
    if (columns[i].wanted) bytes.held += all;
    if (columns[i].wanted && all > bytes.largest) bytes.largest = all;
  }
  return bytes;
}

static mfft_status place_owned(const mfft_catalogue *c, mfft_plan plan, mfft_owned *owned) {
  const size_t each = c->number == MFFT_SNAPSHOT_FLOAT32 ? 3 * sizeof(float) : 3 * sizeof(double);
  const int64_t count = owned->particles.count;
  mfft_status status =
      mfft_placed_create(mfft_placed_device(plan), owned->position, count, each, "the positions", &owned->placed);
  if (status == MFFT_SUCCESS) status = mfft_placed_put(&owned->placed, (size_t)count * each);
  owned->particles = describe(c, owned->placed.data, count);
  return status;
}

mfft_status mfft_owned_load(const mfft_catalogue *c, const mfft_mesh *mesh, mfft_plan plan, mfft_particle_mesh particle_mesh,
                            const mfft_particle_placement *placement, int velocity, mfft_owned *owned) {
  column columns[COLUMNS];
  list_columns(c, velocity, columns);
  memset(owned, 0, sizeof *owned);
  mfft_status status = load(c, mesh, particle_mesh, placement, owned, columns);
  for (int i = 0; i < COLUMNS; i++) mfft_free(columns[i].share);
  owned->position = columns[POSITION].owned;
  owned->mass = columns[MASS].owned;
  owned->velocity = columns[VELOCITY].owned;
  if (status == MFFT_SUCCESS) status = mfft_app_agree(place_owned(c, plan, owned));
  if (status != MFFT_SUCCESS) mfft_owned_free(owned);
  return status;
}

void mfft_owned_free(mfft_owned *owned) {
  mfft_particle_exchange_destroy(owned->exchange);
  mfft_placed_free(&owned->placed);
  mfft_free(owned->position);
  mfft_free(owned->mass);
  mfft_free(owned->velocity);
  memset(owned, 0, sizeof *owned);
}

mfft_status mfft_owned_return(const mfft_owned *owned, int64_t element_bytes, const void *in, void *out, int64_t count) {
  if (!owned->exchange) {
    if (count) memcpy(out, in, (size_t)(count * element_bytes));
    return MFFT_SUCCESS;
  }
  const mfft_particle_column move = {.element_bytes = element_bytes, .in = in, .out = out};
  return mfft_particle_exchange_return(owned->exchange, &move, 1);
}
