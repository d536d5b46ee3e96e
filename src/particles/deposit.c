/* deposit.c: assignment of particles to the mesh.
 *
 * Particles are sorted by tiles.  A thread sums up the particles of a tile in a buffer of its own and adds the buffer to the
 * cells.  Buffers of neighbouring tiles overlap; therefore columns of tiles along axis 2 are processed in four colours, by
 * the parity of their indices on axes 0 and 1: columns of one colour have no cell in common.  Sums are integers, so that the
 * result does not depend on the order of additions. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "particles/device.h"
#include "particles/mesh.h"
#include "particles/scale.h"
#include "plan/plan.h"

enum { CHUNKS = 64 }; /* chunks of rows of cells, the units of work of threads */

typedef struct deposit {
  mfft_particle_mesh mesh;
  mfft_particle_field field[MFFT_PM_MOST_FIELDS];
  mfft_pm_scale scale[MFFT_PM_MOST_FIELDS];
  int fields, colour;
  int64_t buffer_cells;                     /* elements of the buffer of a tile, for one field */
  mfft_pm_arrays sums[MFFT_PM_MOST_FIELDS]; /* [field] of int64_t, in the layout of the plan's array */
  int64_t mean[MFFT_PM_MOST_FIELDS];        /* [field] mean, which is subtracted from each sum */
  int sorts;                                /* 0: on a device, for a window that is faster without a sort */
  int64_t total[CHUNKS];
  int row_field;        /* field of the current sweep over rows */
  int64_t row_plane[2]; /* the planes of the slowest axis in memory that it visits */
} deposit;

/* ---- Memory ---------------------------------------------------------------------------------------------------------- */

/* Whether sums use the caller's array: its numbers have 64 bits and its previous values are not needed. */
static int sums_in_place(const deposit *d, int f) { return d->mesh->precision == MFFT_DOUBLE && !d->field[f].add; }

/* Whether the numbers of the mesh are stored in the memory of the sums, from an address below: a force of a plan in place.
 */
static int overwrites_sums(const deposit *d, int f) {
  return d->mesh->precision == MFFT_SINGLE && d->field[f].mesh == d->mesh->work[MFFT_PM_WORK_CELLS];
}

static mfft_status reserve(deposit *d, const mfft_particles *particles) {
  mfft_particle_mesh mesh = d->mesh;
  const size_t cells = (size_t)mesh->plan->count[MFFT_IN], rims = (size_t)mesh->parts.rim_count;
  size_t need[MFFT_PM_WORK_ARRAYS] = {0}, separate = 0;
  for (int f = 0; f < d->fields; f++) separate += !sums_in_place(d, f);
  d->buffer_cells = mfft_pm_buffer_cells(mesh);
  mfft_pm_work_of_fields(mesh, d->fields, (int)separate, need);
  for (int array = MFFT_PM_WORK_CELLS; array <= MFFT_PM_WORK_TILES; array++)
    if (need[array]) MFFT_TRY(mfft_pm_reserve(mesh, (mfft_pm_work)array, need[array]));
  d->sorts = !mesh->calls || mfft_pm_device_sorts(mesh);
  if (d->sorts)
    MFFT_TRY(mesh->calls ? mfft_pm_device_reserve(mesh, particles)
                         : mfft_pm_bins_reserve(&mesh->bins, particles, mesh->scratch_bytes));
  separate = 0;
  for (int f = 0; f < d->fields; f++) {
    d->sums[f].rims = (int64_t *)mesh->work[MFFT_PM_WORK_RIMS] + (size_t)f * rims;
    d->sums[f].own = d->field[f].mesh;
    if (!sums_in_place(d, f)) d->sums[f].own = (int64_t *)mesh->work[MFFT_PM_WORK_CELLS] + separate++ * cells;
    if (overwrites_sums(d, f))
      d->sums[f].own = (char *)mesh->work[MFFT_PM_WORK_CELLS] + mfft_pm_layout_of_force(mesh, 0).sums;
  }
  return MFFT_SUCCESS;
}

/* ---- Sweeps over rows of own cells ----------------------------------------------------------------------------------- */

/* Processes a row of cells along the fast axis of the plan's array, from element `at` of that array and of the sums. */
typedef void row_step(deposit *d, int64_t *sums, int64_t at, int64_t count, int64_t *total);

static int64_t fast_stride(const deposit *d) { return d->mesh->grid.stride[d->mesh->grid.own.order[2]]; }

static void each_row(deposit *d, int64_t chunk, row_step *step, int64_t *total) {
  const mfft_box *own = &d->mesh->grid.own;
  const int slow = own->order[0], middle = own->order[1], fast = own->order[2];
  const int64_t *stride = d->mesh->grid.stride;
  const int64_t across = mfft_box_extent(own, middle), first = d->row_plane[0] * across;
  const int64_t rows = (d->row_plane[1] - d->row_plane[0]) * across;
  for (int64_t r = first + mfft_part(rows, chunk, CHUNKS); r < first + mfft_part(rows, chunk + 1, CHUNKS); r++)
    step(d, (int64_t *)d->sums[d->row_field].own, r / across * stride[slow] + r % across * stride[middle],
         mfft_box_extent(own, fast), total);
}

static int64_t planes_of(const deposit *d) { return mfft_box_extent(&d->mesh->grid.own, d->mesh->grid.own.order[0]); }

/* All rows of a field, in chunks that are the units of work of threads. */
static mfft_status sweep_rows(deposit *d, int f, mfft_workers_task *task) {
  d->row_field = f;
  d->row_plane[0] = 0;
  d->row_plane[1] = planes_of(d);
  return mfft_pm_run(d->mesh->workers, CHUNKS, task, d);
}

static void clear_row(deposit *d, int64_t *sums, int64_t at, int64_t count, int64_t *total) {
  const int64_t stride = fast_stride(d);
  (void)total;
  for (int64_t i = 0; i < count; i++) sums[at + i * stride] = 0;
}

static void total_row(deposit *d, int64_t *sums, int64_t at, int64_t count, int64_t *total) {
  const int64_t stride = fast_stride(d);
  uint64_t sum = 0; /* wraps around */
  for (int64_t i = 0; i < count; i++) sum += (uint64_t)sums[at + i * stride];
  *total = (int64_t)((uint64_t)*total + sum);
}

/* Converts sums to numbers of the mesh.  *total counts the infinite ones. */
static void store_row(deposit *d, int64_t *sums, int64_t at, int64_t count, int64_t *total) {
  const int f = d->row_field, add = d->field[f].add;
  const int64_t stride = fast_stride(d), mean = d->mean[f];
  const double *unit = d->scale[f].from;
  int64_t infinite = 0;
  sums += at;
  if (d->mesh->precision == MFFT_SINGLE) {
    float *out = (float *)d->field[f].mesh + at;
    for (int64_t i = 0; i < count; i++) {
      const float value = (float)((double)(float)(sums[i * stride] - mean) * unit[0] * unit[1]);
      out[i * stride] = add ? out[i * stride] + value : value;
      infinite += !isfinite(value);
    }
  } else {
    double *out = (double *)d->field[f].mesh + at; /* the memory of `sums` if the sums are in place */
    for (int64_t i = 0; i < count; i++) {
      int64_t sum;
      memcpy(&sum, sums + i * stride, sizeof sum);
      const double value = (double)(sum - mean) * unit[0] * unit[1], whole = add ? out[i * stride] + value : value;
      memcpy(out + i * stride, &whole, sizeof whole);
      infinite += !isfinite(value);
    }
  }
  *total += infinite;
}

static mfft_status clear_task(void *context, int64_t chunk, int worker) {
  (void)worker;
  each_row(context, chunk, clear_row, NULL);
  return MFFT_SUCCESS;
}

static mfft_status total_task(void *context, int64_t chunk, int worker) {
  deposit *d = context;
  (void)worker;
  d->total[chunk] = 0;
  each_row(d, chunk, total_row, &d->total[chunk]);
  return MFFT_SUCCESS;
}

static mfft_status refuse_infinite(const deposit *d, int64_t infinite) {
  if (!infinite) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_NONFINITE, "sums of field[%d] exceed the range of %s; give its weights in a larger unit",
                   d->row_field, d->mesh->precision == MFFT_SINGLE ? "single precision" : "a double");
}

static mfft_status store_task(void *context, int64_t chunk, int worker) {
  int64_t infinite = 0;
  (void)worker;
  each_row(context, chunk, store_row, &infinite);
  return refuse_infinite(context, infinite);
}

/* ---- Tiles ----------------------------------------------------------------------------------------------------------- */

static int64_t *buffer_of(const deposit *d, int worker, int f) {
  return (int64_t *)d->mesh->work[MFFT_PM_WORK_TILES] + (worker * d->fields + f) * d->buffer_cells;
}

static void add_particles(void *context, int worker, const mfft_pm_tile *tile, const mfft_pm_shares *shares, int count,
                          const int64_t *index) {
  deposit *d = context;
  const double rounder = MFFT_SHARE_ROUNDER;
  for (int f = 0; f < d->fields; f++) {
    double weight[MFFT_PM_BATCH];
    const double *to = d->scale[f].to;
    for (int i = 0; i < count; i++) weight[i] = mfft_pm_value(&d->field[f], index[i]) * to[0] * to[1] + rounder;
    for (int i = 0; i < count; i++) weight[i] -= rounder;
    d->mesh->kernels->add[d->mesh->grid.order](shares, tile, count, weight, buffer_of(d, worker, f));
  }
}

static mfft_status column_task(void *context, int64_t iteration, int worker) {
  deposit *d = context;
  const mfft_pm_bins *bins = &d->mesh->bins;
  const int64_t across = (bins->tiles[1] + 1 - (d->colour & 1)) / 2; /* number of columns of this colour on axis 1 */
  const int64_t x = 2 * (iteration / across) + (d->colour >> 1), y = 2 * (iteration % across) + (d->colour & 1);
  for (int64_t z = 0; z < bins->tiles[2]; z++) {
    const int64_t t = (x * bins->tiles[1] + y) * bins->tiles[2] + z;
    if (bins->start[t] == bins->start[t + 1]) continue;
    const mfft_pm_tile tile = mfft_pm_bins_tile(bins, t);
    const size_t cells = (size_t)mfft_pm_tile_cells(&tile) + MFFT_PM_PAD;
    for (int f = 0; f < d->fields; f++) memset(buffer_of(d, worker, f), 0, cells * sizeof(int64_t));
    mfft_pm_visit_tile(d->mesh, t, worker, &tile, add_particles, d);
    for (int f = 0; f < d->fields; f++) mfft_pm_parts_add(&d->mesh->parts, &d->sums[f], &tile, buffer_of(d, worker, f));
  }
  return MFFT_SUCCESS;
}

static mfft_status add_tiles(deposit *d) {
  const mfft_pm_bins *bins = &d->mesh->bins;
  for (d->colour = 0; d->colour < 4; d->colour++) {
    const int64_t columns = (bins->tiles[0] + 1 - (d->colour >> 1)) / 2 * ((bins->tiles[1] + 1 - (d->colour & 1)) / 2);
    MFFT_TRY(mfft_pm_run(d->mesh->workers, columns, column_task, d));
  }
  return MFFT_SUCCESS;
}

static mfft_status clear_sums(deposit *d, int f) {
  if (d->mesh->calls) return mfft_pm_device_clear(d->mesh, &d->sums[f], sums_in_place(d, f));
  if (d->mesh->parts.rim_count) memset(d->sums[f].rims, 0, (size_t)d->mesh->parts.rim_count * sizeof(int64_t));
  return sweep_rows(d, f, clear_task);
}

/* Adds a batch of particles from `first` on to the sums on a device, with or without a sort. */
static mfft_status add_some_there(deposit *d, const mfft_particles *particles, int64_t first) {
  mfft_particle_mesh mesh = d->mesh;
  if (d->sorts) MFFT_TRY(mfft_pm_device_sort(mesh, particles, first));
  for (int f = 0; f < d->fields; f++)
    MFFT_TRY(d->sorts ? mfft_pm_device_deposit(mesh, &d->field[f], d->scale[f].to, &d->sums[f])
                      : mfft_pm_device_deposit_direct(mesh, particles, first, &d->field[f], d->scale[f].to, &d->sums[f]));
  return MFFT_SUCCESS;
}

/* Adds as many particles from `first` on as fit; bins.count says how many. */
static mfft_status add_some(deposit *d, const mfft_particles *particles, int64_t first) {
  if (d->mesh->calls) return add_some_there(d, particles, first);
  MFFT_TRY(mfft_pm_bins_sort(&d->mesh->bins, particles, first));
  return add_tiles(d);
}

/* Adds all particles of this rank to the sums of own and ghost cells. */
static mfft_status add_all(deposit *d, const mfft_particles *particles) {
  for (int f = 0; f < d->fields; f++) MFFT_TRY(clear_sums(d, f));
  for (int64_t first = 0; first < particles->count; first += d->mesh->bins.count) MFFT_TRY(add_some(d, particles, first));
  return MFFT_SUCCESS;
}

/* ---- The call -------------------------------------------------------------------------------------------------------- */

/* The total of this rank's sums modulo 2^64. */
static mfft_status find_sum(deposit *d, int f, int64_t *sum) {
  if (d->mesh->calls) return mfft_pm_device_total(d->mesh, &d->sums[f], sum);
  MFFT_TRY(sweep_rows(d, f, total_task));
  for (int c = 0; c < CHUNKS; c++) *sum = (int64_t)((uint64_t)*sum + (uint64_t)d->total[c]);
  return MFFT_SUCCESS;
}

static mfft_status store_planes(deposit *d, int f) {
  int64_t infinite = 0;
  if (!d->mesh->calls) return mfft_pm_run(d->mesh->workers, CHUNKS, store_task, d);
  MFFT_TRY(mfft_pm_device_store(d->mesh, &d->field[f], d->scale[f].from, &d->sums[f], d->row_plane, d->mean[f], &infinite));
  return refuse_infinite(d, infinite);
}

/* Numbers that overwrite the sums have half their width and begin at least one plane of numbers below them, so that those
 * of planes [p, 2p + 1) end where the sums of plane p begin: the planes before it are done. */
static mfft_status store_sums(deposit *d, int f) {
  const int64_t planes = planes_of(d);
  d->row_field = f;
  for (int64_t p = 0, end; p < planes; p = end) {
    end = overwrites_sums(d, f) && 2 * p + 1 < planes ? 2 * p + 1 : planes;
    d->row_plane[0] = p;
    d->row_plane[1] = end;
    MFFT_TRY(store_planes(d, f));
  }
  return MFFT_SUCCESS;
}

/* Computes the mean over all cells, rounded to an integer.  Collective. */
static mfft_status find_mean(deposit *d, int f) {
  const int64_t *n = d->mesh->grid.n;
  int64_t sum = 0;
  d->mean[f] = 0;
  if (!d->field[f].remove_mean) return MFFT_SUCCESS;
  MFFT_TRY(mfft_pm_agree(d->mesh, find_sum(d, f, &sum)));
  MFFT_TRY(mfft_pm_total(d->mesh, &sum, 1));
  const double cells = (double)n[0] * (double)n[1] * (double)n[2];
  if (cells <= 0x1p62) d->mean[f] = sum / (n[0] * n[1] * n[2]);
  return MFFT_SUCCESS;
}

static mfft_status finish(deposit *d) {
  mfft_status status = MFFT_SUCCESS;
  for (int f = 0; f < d->fields; f++) {
    MFFT_TRY(mfft_pm_ghosts_fold(d->mesh->ghosts, &d->sums[f]));
    MFFT_TRY(find_mean(d, f));
    if (status == MFFT_SUCCESS) status = store_sums(d, f);
  }
  return mfft_pm_agree(d->mesh, status);
}

static mfft_status run(void *context, const mfft_particles *particles) {
  deposit *d = context;
  const mfft_particle_mesh mesh = d->mesh;
  if (mesh->calls) MFFT_TRY(mfft_pm_agree(mesh, mfft_pm_device_check(mesh, particles, d->field, d->fields)));
  MFFT_TRY(mfft_pm_scale_find(mesh, particles, d->field, d->fields, d->scale));
  mfft_status status = reserve(d, particles);
  if (status == MFFT_SUCCESS) status = add_all(d, particles);
  MFFT_TRY(mfft_pm_agree(mesh, status));
  return finish(d);
}

mfft_status mfft_particles_deposit(mfft_particle_mesh mesh, const mfft_particles *particles,
                                   const mfft_particle_field *field, int fields) {
  const double begin = mfft_now();
  deposit d = {.mesh = mesh, .fields = fields};
  const mfft_status status = mfft_pm_with_fields(mesh, particles, field, fields, 0, d.field, run, &d);
  if (mesh) mesh->deposit_s += mfft_now() - begin;
  return status;
}
