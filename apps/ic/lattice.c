/* lattice.c: see lattice.h. */
#include "ic/lattice.h"

#include <math.h>
#include <string.h>

#include "base/wave_number.h"
#include "cli/collective.h"
#include "cli/report.h"
#include "io/output.h"
#include "io/sweep.h"
#include "mfft_memory.h"

static int64_t points(const mfft_lattice *lattice) { return mfft_box_cells(&lattice->box); }

mfft_status mfft_lattice_create(const mfft_mesh *mesh, const mfft_box *box, mfft_lattice *lattice) {
  void *displacement = NULL, *velocity = NULL;
  *lattice = (mfft_lattice){.mesh = mesh, .box = *box};
  const size_t bytes = 3 * (size_t)points(lattice) * sizeof(double);
  mfft_status status = mfft_app_alloc(3 * points(lattice), sizeof(double), "the displacements", &displacement);
  if (status == MFFT_SUCCESS) status = mfft_app_alloc(3 * points(lattice), sizeof(double), "the velocities", &velocity);
  lattice->displacement = displacement;
  lattice->velocity = velocity;
  if (status == MFFT_SUCCESS && bytes) {
    memset(displacement, 0, bytes);
    memset(velocity, 0, bytes);
  }
  return mfft_app_agree(status);
}

void mfft_lattice_free(mfft_lattice *lattice) {
  mfft_free(lattice->displacement);
  mfft_free(lattice->velocity);
  lattice->displacement = lattice->velocity = NULL;
}

typedef struct adding {
  mfft_lattice *lattice;
  double *displacement, *velocity; /* [points] one component; they advance to the next point */
  double scale, speed;
} adding;

static mfft_status add_part(void *context, const mfft_box *part, void *data) {
  adding *a = context;
  const double *field = data;
  const int64_t count = mfft_box_cells(part);
  for (int64_t i = 0; i < count; i++) {
    const double value = a->scale * field[i];
    a->displacement[i] += value;
    a->velocity[i] += a->speed * value;
  }
  a->displacement += count; /* parts are visited in C order */
  a->velocity += count;
  return MFFT_SUCCESS;
}

mfft_status mfft_lattice_add(mfft_lattice *lattice, mfft_swept *field, int axis, double scale, double speed) {
  adding a = {.lattice = lattice, .scale = scale, .speed = speed};
  a.displacement = lattice->displacement + axis * points(lattice);
  a.velocity = lattice->velocity + axis * points(lattice);
  return mfft_app_agree(mfft_sweep(field, MFFT_SWEEP_READS, add_part, &a));
}

void mfft_lattice_measure(mfft_lattice *lattice) {
  const int64_t count = points(lattice);
  double sum = 0, most = 0;
  for (int64_t i = 0; i < count; i++) {
    double square = 0;
    for (int axis = 0; axis < 3; axis++) square += pow(lattice->displacement[axis * count + i], 2);
    sum += square;
    most = fmax(most, square);
  }
  mfft_app_reduce(&sum, 1, MPI_DOUBLE, MPI_SUM, "measuring the displacements");
  mfft_app_reduce(&most, 1, MPI_DOUBLE, MPI_MAX, "measuring the displacements");
  lattice->rms = sqrt(sum / mfft_mesh_cells(lattice->mesh));
  lattice->most = sqrt(most);
}

/* ---- Fields ---------------------------------------------------------------------------------------------------------- */

mfft_status mfft_lattice_write_fields(mfft_lattice *lattice, const char *path, double redshift, mfft_precision precision,
                                      mfft_swept *delta) {
  static const mfft_field_dataset datasets[] = {{"delta", NULL}, {"dx", "Mpc/h"}, {"dy", "Mpc/h"}, {"dz", "Mpc/h"}};
  mfft_field_desc desc;
  mfft_field_file file = NULL;
  mfft_field_desc_init(&desc);
  memcpy(desc.n, lattice->mesh->n, sizeof desc.n);
  memcpy(desc.box_size, lattice->mesh->length, sizeof desc.box_size);
  desc.precision = precision;
  desc.has_redshift = 1;
  desc.redshift = redshift;
  desc.dataset = datasets;
  desc.dataset_count = 4;
  mfft_status status = mfft_field_create(MPI_COMM_WORLD, path, &desc, &file);
  if (status == MFFT_SUCCESS) status = mfft_output_put(file, 0, MFFT_DOUBLE, delta, NULL, NULL);
  for (int axis = 0; axis < 3 && status == MFFT_SUCCESS; axis++)
    status = mfft_field_put(file, axis + 1, &lattice->box, MFFT_DOUBLE, lattice->displacement + axis * points(lattice));
  if (status == MFFT_SUCCESS) return mfft_field_commit(&file);
  mfft_field_abandon(&file);
  return status;
}

/* ---- The snapshot ---------------------------------------------------------------------------------------------------- */

/* Number of particles of all preceding ranks. */
static int64_t first_particle(const mfft_lattice *lattice) {
  const int64_t count = points(lattice);
  int64_t before = 0;
  MPI_Request request;
  MPI_Iexscan(&count, &before, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
  mfft_wait(MPI_COMM_WORLD, &request, NULL, 1, "counting the particles of other ranks");
  return mfft_app_rank() == 0 ? 0 : before;
}

/* Fills in positions in [0, L), or velocities, as triples. */
static void fill_triples(const mfft_lattice *lattice, int positions, double *triple /* [points][3] */) {
  const int64_t count = points(lattice);
  const mfft_box *box = &lattice->box;
  int64_t i = 0, at[3];
  for (int more = mfft_box_first(box, at); more; more = mfft_box_next(box, at), i++)
    for (int axis = 0; axis < 3; axis++) {
      const double length = lattice->mesh->length[axis], cell = length / (double)lattice->mesh->n[axis];
      double x = positions ? (double)at[axis] * cell + lattice->displacement[axis * count + i]
                           : lattice->velocity[axis * count + i];
      if (positions) x -= floor(x / length) * length;
      if (positions && x >= length) x = 0; /* the sum was rounded up to the side of the box */
      triple[3 * i + axis] = x;
    }
}

/* Reduces positions just below L that would be rounded to L in single precision. */
static void keep_inside(double length, int64_t count, double *x) {
  for (int64_t i = 0; i < count; i++)
    if ((float)x[i] >= (float)length) x[i] = 0;
}

static void fill_identities(const mfft_lattice *lattice, uint64_t *identity /* [points] */) {
  const int64_t *n = lattice->mesh->n;
  const mfft_box *box = &lattice->box;
  int64_t at[3]; /* [axis] */
  for (int more = mfft_box_first(box, at); more; more = mfft_box_next(box, at))
    *identity++ = (uint64_t)((at[0] * n[1] + at[1]) * n[2] + at[2]) + 1;
}

static double cell_mass(const mfft_lattice *lattice, const mfft_cosmology *cosmology) {
  return cosmology->omega_m * mfft_critical_density() * mfft_mesh_volume(lattice->mesh) / mfft_mesh_cells(lattice->mesh);
}

static mfft_snapshot_info header(const mfft_lattice *lattice, const mfft_cosmology *cosmology, double redshift) {
  mfft_snapshot_info info;
  mfft_snapshot_info_init(&info);
  info.count[1] = lattice->mesh->n[0] * lattice->mesh->n[1] * lattice->mesh->n[2];
  info.mass[1] = cell_mass(lattice, cosmology);
  memcpy(info.box_size, lattice->mesh->length, sizeof info.box_size);
  info.time = 1 / (1 + redshift);
  info.redshift = redshift;
  info.has_cosmology = 1;
  info.omega_m = cosmology->omega_m;
  info.omega_lambda = cosmology->omega_lambda;
  info.h = cosmology->h;
  info.length_mpc_h = info.mass_1e10_msun_h = 1;
  return info;
}

enum { COORDINATES, VELOCITIES, IDENTITIES, MASSES, COLUMNS };

/* Computes one column in `data`, [points][3] doubles, and writes it. */
static mfft_status put_column(const mfft_lattice *lattice, mfft_snapshot_file file, int column, int64_t first, double mass,
                              mfft_snapshot_number stored, void *data) {
  const int64_t count = points(lattice);
  mfft_snapshot_number number = MFFT_SNAPSHOT_FLOAT64;
  if (column == IDENTITIES) {
    fill_identities(lattice, data);
    number = MFFT_SNAPSHOT_UINT64;
  } else if (column == MASSES) {
    for (int64_t i = 0; i < count; i++) ((double *)data)[i] = mass;
  } else {
    fill_triples(lattice, column == COORDINATES, data);
    if (column == COORDINATES && stored == MFFT_SNAPSHOT_FLOAT32) keep_inside(lattice->mesh->length[0], 3 * count, data);
  }
  return mfft_snapshot_put(file, column, first, count, number, data);
}

mfft_status mfft_lattice_write_snapshot(mfft_lattice *lattice, const char *path, const mfft_cosmology *cosmology,
                                        double redshift, mfft_snapshot_number number, int masses, int files) {
  const mfft_snapshot_info info = header(lattice, cosmology, redshift);
  const mfft_snapshot_column column[COLUMNS] = {
      [COORDINATES] = {1, "Coordinates", 3, number},
      [VELOCITIES] = {1, "Velocities", 3, number},
      [IDENTITIES] = {1, "ParticleIDs", 1, info.count[1] < UINT32_MAX ? MFFT_SNAPSHOT_UINT32 : MFFT_SNAPSHOT_UINT64},
      [MASSES] = {1, "Masses", 1, number}};
  const int columns = masses ? COLUMNS : MASSES;
  mfft_snapshot_file file = NULL;
  void *data = NULL;
  const int64_t first = first_particle(lattice);
  mfft_status status = mfft_app_agree(mfft_app_alloc(3 * points(lattice), sizeof(double), "a column", &data));
  if (status == MFFT_SUCCESS) status = mfft_snapshot_create_set(MPI_COMM_WORLD, path, &info, column, columns, files, &file);
  for (int i = 0; i < columns && status == MFFT_SUCCESS; i++)
    status = put_column(lattice, file, i, first, info.mass[1], number, data);
  mfft_free(data);
  if (status == MFFT_SUCCESS) return mfft_snapshot_commit(&file);
  mfft_snapshot_abandon(&file);
  return status;
}
