/* deposit.c: assignment of particles to the mesh.
 *
 * Particles are sorted by tiles.  A thread sums up the particles of a tile in a buffer of its own and adds the buffer to the
 * cells.  Buffers of neighbouring tiles overlap; therefore columns of tiles along axis 2 are processed in four colours, by
 * the parity of their indices on axes 0 and 1: columns of one colour have no cell in common.  Sums are integers, so that the
 * result does not depend on the order of additions.
 *
 * Sums that are not in the caller's array are held for all own cells at once, or, for forces of a plan in place, by bands
 * (band.h).  By bands the rims come first, from the particles near the faces of the own box alone: what other ranks, and
 * periodic images, add to the own cells is then known before the first cell is complete. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "particles/device.h"
#include "particles/scale.h"
#include "particles/sums.h"
#include "plan/plan.h"

typedef struct deposit {
  mfft_particle_mesh mesh;
  mfft_particle_field field[MFFT_PM_MOST_FIELDS];
  mfft_pm_scale scale[MFFT_PM_MOST_FIELDS];
  int fields, colour;
  int64_t buffer_cells;                     /* elements of the buffer of a tile, for one field */
  mfft_pm_arrays sums[MFFT_PM_MOST_FIELDS]; /* [field] of int64_t */
  int64_t mean[MFFT_PM_MOST_FIELDS];        /* [field] mean, which is subtracted from each sum */
  int sorts;                                /* 0: particles are not sorted: on a device, if that is faster */
  mfft_pm_parts parts; /* the cells that receive shares: no rims, or no own cells, if their boxes are empty */
  int64_t tile[2][2];  /* [axis 0, 1][first, end] the tiles that are added */
  int bands;           /* 1: sums of some planes are held at a time */
  mfft_pm_position at; /* the position of the band */
} deposit;

/* ---- Memory ---------------------------------------------------------------------------------------------------------- */

/* Whether sums use the caller's array: its numbers have 64 bits and its previous values are not needed. */
static int sums_in_place(const deposit *d, int f) { return d->mesh->precision == MFFT_DOUBLE && !d->field[f].add; }

/* Whether the numbers of the mesh are stored in the work array of the sums: by a force of a plan in place. */
static int shares_work(const deposit *d) {
  const mfft_particle_mesh mesh = d->mesh;
  return mesh->work[MFFT_PM_WORK_CELLS] && d->field[0].mesh == mesh->work[MFFT_PM_WORK_CELLS];
}

/* Whether the numbers of the mesh are stored in the memory of the sums: from a lower address on, or before a band of them.
 */
static int overwrites_sums(const deposit *d) { return shares_work(d) && d->mesh->precision == MFFT_SINGLE; }

static void choose_sums(deposit *d, size_t cells) {
  const mfft_particle_mesh mesh = d->mesh;
  const size_t rims = (size_t)mesh->parts.rim_count;
  size_t separate = 0;
  for (int f = 0; f < d->fields; f++) {
    d->sums[f].rims = (int64_t *)mesh->work[MFFT_PM_WORK_RIMS] + (size_t)f * rims;
    d->sums[f].own = d->field[f].mesh;
    if (!sums_in_place(d, f)) d->sums[f].own = (int64_t *)mesh->work[MFFT_PM_WORK_CELLS] + separate++ * cells;
  }
  if (overwrites_sums(d)) d->sums[0].own = (char *)d->field[0].mesh + mesh->layout.sums;
}

static mfft_status reserve(deposit *d, const mfft_particles *particles) {
  mfft_particle_mesh mesh = d->mesh;
  const size_t cells = (size_t)mesh->plan->count[MFFT_IN];
  size_t need[MFFT_PM_WORK_ARRAYS] = {0}, separate = 0;
  for (int f = 0; f < d->fields; f++) separate += !sums_in_place(d, f);
  d->bands = overwrites_sums(d) && mesh->layout.bands;
  d->buffer_cells = mfft_pm_buffer_cells(mesh);
  mfft_pm_work_of_fields(mesh, d->fields, shares_work(d) ? 0 : (int)separate, need);
  for (int array = MFFT_PM_WORK_CELLS; array <= MFFT_PM_WORK_TILES; array++)
    if (need[array]) MFFT_TRY(mfft_pm_reserve(mesh, (mfft_pm_work)array, need[array]));
  d->sorts = !mesh->calls || d->bands || mfft_pm_device_sorts(mesh);
  if (d->sorts)
    MFFT_TRY(mfft_pm_reserve_sort(mesh, particles,
                                  shares_work(d) ? mesh->layout.deposit_sort : separate * cells * sizeof(int64_t)));
  choose_sums(d, cells);
  return MFFT_SUCCESS;
}

/* ---- Sums of some planes ------------------------------------------------------------------------------------------ */

/* The sums of a field that are held now, for the sweeps of the host. */
static mfft_pm_sums sums_of(const deposit *d, int f) {
  return (mfft_pm_sums){.mesh = d->mesh,
                        .part = d->parts.part[0],
                        .own = d->sums[f].own,
                        .field = &d->field[f],
                        .mean = d->mean[f],
                        .from = d->scale[f].from};
}

static int64_t extent_of(const deposit *d, int axis) { return mfft_box_extent(&d->mesh->grid.own, axis); }

static mfft_status refuse_infinite(const deposit *d, int f, int64_t infinite) {
  if (!infinite) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_NONFINITE, "sums of field[%d] exceed the range of %s; give its weights in a larger unit", f,
                   d->mesh->precision == MFFT_SINGLE ? "single precision" : "a double");
}

/* Converts the planes [lo, hi) of an axis, on a device the slowest in memory, to numbers of the mesh. */
static mfft_status store_planes(deposit *d, int f, int axis, int64_t lo, int64_t hi) {
  int64_t infinite = 0;
  const mfft_pm_sums sums = sums_of(d, f);
  if (hi <= lo) return MFFT_SUCCESS;
  MFFT_TRY(d->mesh->calls ? mfft_pm_device_store(&sums, axis, lo, hi, &infinite)
                          : mfft_pm_sums_store(&sums, axis, lo, hi, &infinite));
  return refuse_infinite(d, f, infinite);
}

static mfft_status clear_rims(deposit *d, int f) {
  const size_t bytes = (size_t)d->mesh->parts.rim_count * sizeof(int64_t);
  if (d->mesh->calls) return d->mesh->plan->backend->clear(d->sums[f].rims, bytes, d->mesh->plan->stream);
  if (bytes) memset(d->sums[f].rims, 0, bytes);
  return MFFT_SUCCESS;
}

/* Clears the rims and all own cells of a field. */
static mfft_status clear_sums(deposit *d, int f) {
  const mfft_pm_sums sums = sums_of(d, f);
  MFFT_TRY(clear_rims(d, f));
  return d->mesh->calls ? mfft_pm_device_clear(&sums, sums_in_place(d, f))
                        : mfft_pm_sums_clear(&sums, 0, 0, extent_of(d, 0));
}

/* ---- Tiles ----------------------------------------------------------------------------------------------------------- */

/* The buffer of the tile of a thread, for field f. */
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

/* The own cells whose particles reach no ghost cell. */
static mfft_box inner_cells(const mfft_pm_grid *grid) {
  mfft_box box = grid->own;
  for (int a = 0; a < 3; a++) {
    box.lo[a] += grid->low;
    box.hi[a] -= grid->high;
  }
  return box;
}

static int is_inside(const mfft_box *box, const mfft_box *outer) {
  for (int a = 0; a < 3; a++)
    if (box->lo[a] < outer->lo[a] || box->hi[a] > outer->hi[a]) return 0;
  return 1;
}

/* Whether the rims alone receive shares. */
static int only_rims(const deposit *d) { return d->parts.part[0].box.hi[0] == d->parts.part[0].box.lo[0]; }

static void add_tile(deposit *d, int64_t t, int worker) {
  const mfft_box inner = inner_cells(&d->mesh->grid);
  const mfft_pm_tile tile = mfft_pm_bins_tile(&d->mesh->bins, t);
  const size_t cells = (size_t)mfft_pm_tile_cells(&tile) + MFFT_PM_PAD;
  if (only_rims(d) && is_inside(&tile.box, &d->mesh->grid.own)) return;
  for (int f = 0; f < d->fields; f++) memset(buffer_of(d, worker, f), 0, cells * sizeof(int64_t));
  mfft_pm_visit_tile(d->mesh, t, worker, &tile, only_rims(d) ? &inner : NULL, add_particles, d);
  for (int f = 0; f < d->fields; f++) mfft_pm_parts_add(&d->parts, &d->sums[f], &tile, buffer_of(d, worker, f));
}

/* The first tile of the current colour on axis 0 or 1, and how many tiles of it there are. */
static int64_t first_of_colour(const deposit *d, int axis) {
  const int parity = axis ? d->colour & 1 : d->colour >> 1;
  return d->tile[axis][0] + ((d->tile[axis][0] & 1) != parity);
}
static int64_t count_of_colour(const deposit *d, int axis) {
  const int64_t rest = d->tile[axis][1] - first_of_colour(d, axis);
  return rest > 0 ? (rest + 1) / 2 : 0;
}

/* Adds the particles of a column of tiles of the current colour. */
static mfft_status column_task(void *context, int64_t iteration, int worker) {
  deposit *d = context;
  const mfft_pm_bins *bins = &d->mesh->bins;
  const int64_t across = count_of_colour(d, 1);
  const int64_t x = first_of_colour(d, 0) + 2 * (iteration / across), y = first_of_colour(d, 1) + 2 * (iteration % across);
  for (int64_t z = 0; z < bins->tiles[2]; z++) {
    const int64_t t = (x * bins->tiles[1] + y) * bins->tiles[2] + z;
    if (bins->start[t] < bins->start[t + 1]) add_tile(d, t, worker);
  }
  return MFFT_SUCCESS;
}

static mfft_status add_tiles(deposit *d) {
  for (d->colour = 0; d->colour < 4; d->colour++)
    MFFT_TRY(mfft_pm_run(d->mesh->workers, count_of_colour(d, 0) * count_of_colour(d, 1), column_task, d));
  return MFFT_SUCCESS;
}

/* ---- Particles ---------------------------------------------------------------------------------------------------- */

/* The sums that receive the shares of sorted particles on a device. */
static mfft_particle_target target_of(const deposit *d, int f) {
  const mfft_pm_grid *grid = &d->mesh->grid;
  const mfft_pm_part *part = &d->parts.part[0];
  mfft_particle_target to = {.own = only_rims(d) ? NULL : d->sums[f].own,
                             .rims = d->bands && !only_rims(d) ? NULL : d->sums[f].rims,
                             .axis = d->mesh->band.axis,
                             .lo = d->at.tile * d->mesh->band.tile_cells,
                             .hi = d->at.end * d->mesh->band.tile_cells};
  for (int a = 0; a < 3; a++) to.own_start -= (part->box.lo[a] - grid->own.lo[a]) * part->stride[a];
  return to;
}

/* Adds a batch of particles from `first` on to the sums on a device, with or without a sort. */
static mfft_status add_some_there(deposit *d, const mfft_particles *particles, int64_t first) {
  mfft_particle_mesh mesh = d->mesh;
  if (d->sorts) MFFT_TRY(mfft_pm_device_sort(mesh, particles, first));
  for (int f = 0; f < d->fields; f++) {
    const mfft_particle_target to = target_of(d, f);
    MFFT_TRY(d->sorts ? mfft_pm_device_deposit(mesh, &d->field[f], d->scale[f].to, &to)
                      : mfft_pm_device_deposit_direct(mesh, particles, first, &d->field[f], d->scale[f].to, &d->sums[f]));
  }
  return MFFT_SUCCESS;
}

/* Adds as many particles from `first` on as fit; bins.count says how many. */
static mfft_status add_some(deposit *d, const mfft_particles *particles, int64_t first) {
  if (d->mesh->calls) return add_some_there(d, particles, first);
  MFFT_TRY(mfft_pm_bins_sort(&d->mesh->bins, particles, first));
  return add_tiles(d);
}

/* Adds all particles of this rank, or those of the tiles of the band.  Particles that are one batch are sorted once for all
 * bands. */
static mfft_status add_all(deposit *d, const mfft_particles *particles) {
  mfft_pm_bins *bins = &d->mesh->bins;
  for (int64_t first = 0; first < particles->count; first += bins->count) MFFT_TRY(add_some(d, particles, first));
  if (d->bands) bins->valid = particles->count > 0 && bins->count == particles->count;
  return MFFT_SUCCESS;
}

/* Has all tiles add shares, to the own cells (own) and to the rims (rims). */
static void take_all_tiles(deposit *d, int own, int rims) {
  const mfft_pm_band *band = &d->mesh->band;
  d->parts = d->mesh->parts;
  for (int p = own ? 1 : 0; p < (rims ? 1 : MFFT_PM_PARTS); p++)
    memcpy(d->parts.part[p].box.hi, d->parts.part[p].box.lo, sizeof d->parts.part[p].box.hi);
  for (int a = 0; a < 2; a++) d->tile[a][1] = d->mesh->bins.tiles[a], d->tile[a][0] = 0;
  d->at = (mfft_pm_position){.end = band->tiles};
}

/* ---- All own cells at once ---------------------------------------------------------------------------------------- */

/* Adds the particles to the sums of own and ghost cells. */
static mfft_status add_at_once(deposit *d, const mfft_particles *particles) {
  take_all_tiles(d, 1, 1);
  for (int f = 0; f < d->fields; f++) MFFT_TRY(clear_sums(d, f));
  return add_all(d, particles);
}

/* Stores all planes.  Numbers that overwrite the sums have half their width and begin at least one plane of numbers below
 * them, so that those of planes [p, 2p + 1) end where the sums of plane p begin: the planes before it are done. */
static mfft_status store_all(deposit *d, int f) {
  const int slow = d->mesh->grid.own.order[0];
  const int64_t planes = extent_of(d, slow);
  for (int64_t p = 0, end; p < planes; p = end) {
    end = overwrites_sums(d) && 2 * p + 1 < planes ? 2 * p + 1 : planes;
    MFFT_TRY(store_planes(d, f, slow, p, end));
  }
  return MFFT_SUCCESS;
}

static mfft_status finish_at_once(deposit *d) {
  const mfft_pm_part *own = &d->parts.part[0];
  mfft_status status = MFFT_SUCCESS;
  for (int f = 0; f < d->fields; f++) {
    MFFT_TRY(mfft_pm_ghosts_collect(d->mesh->ghosts, d->sums[f].rims));
    if (status == MFFT_SUCCESS)
      status = mfft_pm_ghosts_add(d->mesh->ghosts, own, d->sums[f].own, 0, own->box.lo[0], own->box.hi[0]);
    if (status == MFFT_SUCCESS) status = store_all(d, f);
  }
  return status;
}

/* ---- By bands ----------------------------------------------------------------------------------------------------- */

/* Prepares the sums of the planes of a position of the band: new planes begin with what the rims add. */
static mfft_status enter_band(deposit *d, int64_t tile) {
  const mfft_pm_grid *grid = &d->mesh->grid;
  const mfft_pm_band *band = &d->mesh->band;
  const int64_t origin = grid->own.lo[band->axis];
  take_all_tiles(d, 1, 0);
  d->at = mfft_pm_band_at(grid, band, tile);
  mfft_pm_part *part = &d->parts.part[0];
  part->box.lo[band->axis] = origin + d->at.first;
  part->box.hi[band->axis] = origin + d->at.held_end;
  memcpy(part->stride, band->stride, sizeof band->stride);
  if (!d->mesh->calls) d->tile[band->axis][0] = d->at.tile, d->tile[band->axis][1] = d->at.end;
  const mfft_pm_sums sums = sums_of(d, 0);
  MFFT_TRY(d->mesh->calls ? mfft_pm_device_clear_planes(&sums, band->axis, d->at.clear, d->at.held_end)
                          : mfft_pm_sums_clear(&sums, band->axis, d->at.clear, d->at.held_end));
  return mfft_pm_ghosts_add(d->mesh->ghosts, part, d->sums[0].own, band->axis, origin + d->at.clear,
                            origin + d->at.held_end);
}

/* Stores the planes that are complete, and moves the others to the first planes of the band. */
static mfft_status leave_band(deposit *d) {
  const mfft_pm_band *band = &d->mesh->band;
  const mfft_pm_sums sums = sums_of(d, 0);
  MFFT_TRY(store_planes(d, 0, band->axis, d->at.first, d->at.done));
  if (d->at.end == band->tiles) return MFFT_SUCCESS;
  return d->mesh->calls ? mfft_pm_device_move_planes(&sums, band->axis, d->at.done, d->at.held_end, d->at.first)
                        : mfft_pm_sums_move(&sums, band->axis, d->at.done, d->at.held_end, d->at.first);
}

/* Adds the particles near the faces of the own box to the ghost cells. */
static mfft_status add_to_rims(deposit *d, const mfft_particles *particles) {
  take_all_tiles(d, 0, 1);
  MFFT_TRY(clear_rims(d, 0));
  return add_all(d, particles);
}

static mfft_status finish_by_bands(deposit *d, const mfft_particles *particles) {
  MFFT_TRY(mfft_pm_ghosts_collect(d->mesh->ghosts, d->sums[0].rims));
  for (int64_t tile = 0; tile < d->mesh->band.tiles; tile = d->at.end) {
    MFFT_TRY(enter_band(d, tile));
    MFFT_TRY(add_all(d, particles));
    MFFT_TRY(leave_band(d));
  }
  return MFFT_SUCCESS;
}

/* ---- The call -------------------------------------------------------------------------------------------------------- */

/* Computes the mean over all cells, rounded to an integer: the shares of a particle add up to its weight.  Collective. */
static mfft_status find_means(deposit *d, const mfft_particles *particles) {
  const int64_t *n = d->mesh->grid.n;
  const double cells = (double)n[0] * (double)n[1] * (double)n[2];
  for (int f = 0; f < d->fields; f++) {
    int64_t sum = 0;
    if (!d->field[f].remove_mean) continue;
    MFFT_TRY(mfft_pm_scale_total(d->mesh, particles, &d->field[f], &d->scale[f], &sum));
    if (cells <= 0x1p62) d->mean[f] = sum / (n[0] * n[1] * n[2]);
  }
  return MFFT_SUCCESS;
}

static mfft_status run(void *context, const mfft_particles *particles) {
  deposit *d = context;
  const mfft_particle_mesh mesh = d->mesh;
  const mfft_status checked = mesh->calls ? mfft_pm_device_check(mesh, particles, d->field, d->fields) : MFFT_SUCCESS;
  MFFT_TRY(mfft_pm_scale_find(mesh, checked, particles, d->field, d->fields, d->scale));
  MFFT_TRY(find_means(d, particles));
  mfft_status status = reserve(d, particles);
  if (status == MFFT_SUCCESS) status = d->bands ? add_to_rims(d, particles) : add_at_once(d, particles);
  status = mfft_pm_agree(mesh, status);
  if (status == MFFT_SUCCESS) status = mfft_pm_agree(mesh, d->bands ? finish_by_bands(d, particles) : finish_at_once(d));
  mesh->bins.valid = 0;
  return status;
}

mfft_status mfft_particles_deposit(mfft_particle_mesh mesh, const mfft_particles *particles,
                                   const mfft_particle_field *field, int fields) {
  const double begin = mfft_now();
  deposit d = {.mesh = mesh, .fields = fields};
  const mfft_status status = mfft_pm_with_fields(mesh, particles, field, fields, 0, d.field, run, &d);
  if (mesh) mesh->deposit_s += mfft_now() - begin;
  return status;
}
