/* gather.c: see gather.h.
 *
 * Particles are sorted by tiles.  A thread loads the cells of a tile with its ghost cells into a buffer of doubles, one for
 * each field, and sums up the points of each particle in a fixed order, so that the result does not depend on the tiles. */
#include "particles/gather.h"

#include <string.h>

#include "base/clock.h"
#include "particles/device.h"

typedef struct gather {
  mfft_particle_mesh mesh;
  mfft_particle_field field[MFFT_PM_MOST_FIELDS];
  mfft_pm_arrays cells[MFFT_PM_MOST_FIELDS]; /* [field] */
  int fields;
  const mfft_pm_slopes *slopes; /* of differences of a potential; NULL: the fields are on the mesh */
  int64_t buffer_cells;         /* elements of the buffer of a tile, for one field */
  int64_t worker_cells;         /* of all buffers of a worker */
} gather;

static double *buffer_of(const gather *d, int worker, int f) {
  return (double *)d->mesh->work[MFFT_PM_WORK_TILES] + worker * d->worker_cells + f * d->buffer_cells;
}

static mfft_status reserve(gather *d, const mfft_particles *particles) {
  mfft_particle_mesh mesh = d->mesh;
  const size_t rims = (size_t)mesh->parts.rim_count * sizeof(double);
  size_t need[MFFT_PM_WORK_ARRAYS] = {0};
  d->buffer_cells = mfft_pm_buffer_cells(mesh);
  d->worker_cells = d->fields * d->buffer_cells + (d->slopes ? (int64_t)mfft_pm_stencil_tile(&mesh->grid) : 0);
  if (d->slopes)
    mfft_pm_work_of_difference(mesh, need);
  else
    mfft_pm_work_of_fields(mesh, d->fields, 0, need);
  for (int array = MFFT_PM_WORK_RIMS; array <= MFFT_PM_WORK_TILES; array++)
    if (need[array]) MFFT_TRY(mfft_pm_reserve(mesh, (mfft_pm_work)array, need[array]));
  MFFT_TRY(mfft_pm_reserve_sort(mesh, particles, mfft_pm_cells_used(mesh, d->field[0].mesh)));
  for (int f = 0; f < d->fields; f++) {
    d->cells[f].own = d->field[f].mesh;
    d->cells[f].rims = (char *)mesh->work[MFFT_PM_WORK_RIMS] + (size_t)f * rims;
  }
  return MFFT_SUCCESS;
}

static void store(const mfft_particle_field *field, const double *value, int count, const int64_t *index) {
  const int64_t stride = field->stride;
  if (field->precision == MFFT_SINGLE) {
    float *out = field->value;
    for (int i = 0; i < count; i++) {
      float *to = &out[index[i] * stride];
      *to = field->add ? *to + (float)value[i] : (float)value[i];
    }
  } else {
    double *out = field->value;
    for (int i = 0; i < count; i++) {
      double *to = &out[index[i] * stride];
      *to = field->add ? *to + value[i] : value[i];
    }
  }
}

static void read_particles(void *context, int worker, const mfft_pm_tile *tile, const mfft_pm_shares *shares, int count,
                           const int64_t *index) {
  gather *d = context;
  for (int f = 0; f < d->fields; f++) {
    double value[MFFT_PM_BATCH];
    d->mesh->kernels->read[d->mesh->grid.order](shares, tile, count, buffer_of(d, worker, f), value);
    store(&d->field[f], value, count, index);
  }
}

static mfft_status tile_task(void *context, int64_t t, int worker) {
  gather *d = context;
  const mfft_pm_bins *bins = &d->mesh->bins;
  if (bins->start[t] == bins->start[t + 1]) return MFFT_SUCCESS;
  const mfft_pm_tile tile = mfft_pm_bins_tile(bins, t);
  if (d->slopes)
    mfft_pm_slopes_load(d->slopes, &tile, buffer_of(d, worker, 0), d->buffer_cells, buffer_of(d, worker, d->fields));
  for (int f = 0; f < d->fields; f++) {
    double *buffer = buffer_of(d, worker, f);
    if (!d->slopes) mfft_pm_parts_load(&d->mesh->parts, &d->cells[f], d->mesh->precision, &tile, buffer);
    memset(buffer + mfft_pm_tile_cells(&tile), 0, MFFT_PM_PAD * sizeof(double));
  }
  mfft_pm_visit_tile(d->mesh, t, worker, &tile, NULL, read_particles, d);
  return MFFT_SUCCESS;
}

static mfft_status read_there(gather *d) {
  const mfft_pm_slopes *of = d->slopes;
  if (!of) return mfft_pm_device_gather(d->mesh, d->field, d->cells, d->fields, NULL);
  const mfft_particle_slopes slopes = {&d->mesh->stencil->space, of->axis, of->factor};
  return mfft_pm_device_gather(d->mesh, d->field, d->cells, d->fields, &slopes);
}

/* Reads at as many particles from `first` on as are sorted at a time. */
static mfft_status read_some(gather *d, const mfft_particles *particles, int64_t first) {
  mfft_particle_mesh mesh = d->mesh;
  if (mesh->calls) {
    MFFT_TRY(mfft_pm_device_sort(mesh, particles, first));
    return read_there(d);
  }
  MFFT_TRY(mfft_pm_bins_sort(&mesh->bins, particles, first));
  return mfft_pm_run(mesh->workers, mesh->bins.tile_count, tile_task, d);
}

static mfft_status read_all(gather *d, const mfft_particles *particles) {
  for (int64_t first = 0; first < particles->count; first += d->mesh->bins.count) MFFT_TRY(read_some(d, particles, first));
  return MFFT_SUCCESS;
}

/* Waits for all that is queued, and adds the seconds since timer 0, which count from the end of a transform before it. */
static mfft_status finish_on_device(mfft_particle_mesh mesh) {
  const mfft_plan plan = mesh->plan;
  const mfft_device *device = plan->backend->device;
  double seconds = 0;
  MFFT_TRY(device->timer_record(mesh->device.timer[1], plan->stream));
  MFFT_TRY(mfft_plan_synchronize(plan));
  MFFT_TRY(device->timer_elapsed(mesh->device.timer[0], mesh->device.timer[1], &seconds));
  mesh->gather_s += seconds;
  return MFFT_SUCCESS;
}

static mfft_status read_and_finish(gather *d, const mfft_particles *particles) {
  MFFT_TRY(read_all(d, particles));
  return d->mesh->calls ? finish_on_device(d->mesh) : MFFT_SUCCESS;
}

static mfft_status begin_on_device(gather *d, const mfft_particles *particles) {
  MFFT_TRY(mfft_pm_device_check(d->mesh, particles, d->field, d->fields));
  return d->mesh->plan->backend->device->timer_record(d->mesh->device.timer[0], d->mesh->plan->stream);
}

static mfft_status run(void *context, const mfft_particles *particles) {
  gather *d = context;
  const mfft_particle_mesh mesh = d->mesh;
  mfft_status status = mesh->calls ? begin_on_device(d, particles) : MFFT_SUCCESS;
  if (status == MFFT_SUCCESS) status = reserve(d, particles);
  MFFT_TRY(mfft_pm_agree(mesh, status));
  if (d->slopes) {
    d->cells[0] = d->slopes->potential;
    MFFT_TRY(mfft_pm_slopes_fetch(d->slopes));
  }
  for (int f = 0; f < d->fields && !d->slopes; f++)
    MFFT_TRY(mfft_pm_ghosts_fill(mesh->ghosts, &d->cells[f], mesh->precision));
  return mfft_pm_agree(mesh, read_and_finish(d, particles));
}

mfft_status mfft_pm_gather(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_particle_field *field,
                           int fields, const mfft_pm_slopes *slopes) {
  const double begin = mfft_now();
  gather d = {.mesh = mesh, .fields = fields, .slopes = slopes};
  const mfft_status status = mfft_pm_with_fields(mesh, particles, field, fields, 1, d.field, run, &d);
  if (mesh && !mesh->calls) mesh->gather_s += mfft_now() - begin;
  return status;
}

mfft_status mfft_particles_gather(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_particle_field *field,
                                  int fields) {
  return mfft_pm_gather(mesh, particles, field, fields, NULL);
}
