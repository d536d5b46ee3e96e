/* grid.c: see grid.h. */
#include "particles/grid.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/assignment.h"
#include "base/versioned.h"

void mfft_pm_grid_ghosts(mfft_pm_grid *grid) {
  static const int reach[2][5][2] = {/* [centered][order][low, high]; order 0 is none */
                                     {{0, 0}, {0, 1}, {0, 1}, {1, 2}, {1, 2}},
                                     {{0, 0}, {0, 0}, {1, 1}, {1, 1}, {2, 2}}};
  grid->low = reach[grid->shift > 0][grid->order][0];
  grid->high = reach[grid->shift > 0][grid->order][1];
}

mfft_box mfft_pm_grid_extended(const mfft_pm_grid *grid) {
  mfft_box box = grid->own;
  for (int a = 0; a < 3 && !mfft_box_empty(&grid->own); a++) {
    box.lo[a] -= grid->low;
    box.hi[a] += grid->high;
  }
  return box;
}

/* ---- Coordinates ----------------------------------------------------------------------------------------------------- */

/* Wraps the coordinates of one axis; returns the first that is not finite, or -1. */
static int wrap_all(double *g, int count, double n) {
  for (int i = 0; i < count; i++) {
    if (!isfinite(g[i])) return i;
    if (!(g[i] >= 0 && g[i] < n)) g[i] = mfft_cells_wrapped(g[i], n);
  }
  return -1;
}

/* The functions load_... compute g[count], in cells, of the positions from number `at` on of one axis; there is one for each
 * type of position. */
static void load_double(const void *from, int64_t at, int64_t stride, int count, double cells, int64_t n, double *g) {
  const double *x = (const double *)from + at * stride;
  (void)n;
  for (int i = 0; i < count; i++) g[i] = x[i * stride] * cells;
}

static void load_single(const void *from, int64_t at, int64_t stride, int count, double cells, int64_t n, double *g) {
  const float *x = (const float *)from + at * stride;
  (void)n;
  for (int i = 0; i < count; i++) g[i] = (double)x[i * stride] * cells;
}

static void load_fixed32(const void *from, int64_t at, int64_t stride, int count, double cells, int64_t n, double *g) {
  const uint32_t *x = (const uint32_t *)from + at * stride;
  (void)cells;
  for (int i = 0; i < count; i++) g[i] = mfft_cells_of_fixed32(x[i * stride], (uint64_t)n);
}

static void load_fixed64(const void *from, int64_t at, int64_t stride, int count, double cells, int64_t n, double *g) {
  const uint64_t *x = (const uint64_t *)from + at * stride;
  (void)cells;
  for (int i = 0; i < count; i++) g[i] = mfft_cells_of_fixed64(x[i * stride], (uint64_t)n);
}

typedef void load_axis(const void *from, int64_t at, int64_t stride, int count, double cells, int64_t n, double *g);

static load_axis *const loads[] = {[MFFT_POSITION_DOUBLE] = load_double,
                                   [MFFT_POSITION_SINGLE] = load_single,
                                   [MFFT_POSITION_FIXED32] = load_fixed32,
                                   [MFFT_POSITION_FIXED64] = load_fixed64};

int64_t mfft_pm_locate(const mfft_pm_grid *grid, const mfft_particles *particles, int64_t first, int count,
                       double g[3][MFFT_PM_BATCH]) {
  int bad = -1;
  for (int a = 0; a < 3; a++) {
    const double n = (double)grid->n[a];
    int outside = 0;
    loads[particles->type](particles->position[a], first, particles->stride, count, grid->cells[a], grid->n[a], g[a]);
    for (int i = 0; i < count; i++) outside |= !(g[a][i] >= 0 && g[a][i] < n);
    if (!outside) continue;
    const int i = wrap_all(g[a], count, n);
    if (i >= 0 && (bad < 0 || i < bad)) bad = i;
  }
  return bad < 0 ? -1 : first + bad;
}

mfft_status mfft_pm_refuse_position(const mfft_particles *particles, int64_t at, int64_t i) {
  const int64_t element = at * particles->stride;
  for (int a = 0; a < 3; a++) {
    const double x = particles->type == MFFT_POSITION_SINGLE ? (double)((const float *)particles->position[a])[element]
                                                             : ((const double *)particles->position[a])[element];
    if (!isfinite(x))
      return mfft_fail(MFFT_ERR_NONFINITE, "position[%d] of particle %" PRId64 " is %g; give a finite number", a, i, x);
  }
  return mfft_fail(
      MFFT_ERR_NONFINITE,
      "the position of particle %" PRId64 ", in cells, exceeds the range of a double; give one nearer to the box", i);
}

mfft_status mfft_pm_refuse_foreign(const mfft_pm_grid *grid, int64_t i, const double g[3]) {
  const mfft_box *own = &grid->own;
  return mfft_fail(
      MFFT_ERR_ARG,
      "particle %" PRId64 " lies in cell (%.0f,%.0f,%.0f), outside of this rank's box [%" PRId64 ",%" PRId64 ")x[%" PRId64
      ",%" PRId64 ")x[%" PRId64 ",%" PRId64 "); move it to its owner by mfft_particle_exchange_send",
      i, floor(g[0]), floor(g[1]), floor(g[2]), own->lo[0], own->hi[0], own->lo[1], own->hi[1], own->lo[2], own->hi[2]);
}

mfft_status mfft_pm_refuse_all(const mfft_pm_grid *grid, const mfft_particles *particles) {
  if (!mfft_box_empty(&grid->own) || !particles->count) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG,
                   "this rank has %" PRId64
                   " particles and no cells of the mesh; move them to their owners by mfft_particle_exchange_send",
                   particles->count);
}

int mfft_pm_position_bytes(mfft_position_type type) {
  static const int bytes[] = {
      [MFFT_POSITION_DOUBLE] = 8, [MFFT_POSITION_SINGLE] = 4, [MFFT_POSITION_FIXED32] = 4, [MFFT_POSITION_FIXED64] = 8};
  return bytes[type];
}

/* ---- The caller's particles ------------------------------------------------------------------------------------------ */

static const mfft_versioned versions = {
    .name = "particles", .init = "mfft_particles_init", .size = sizeof(mfft_particles), .first = sizeof(mfft_particles)};

void mfft_particles_init_sized(mfft_particles *particles, size_t struct_size) {
  const mfft_particles none = {.stride = 1};
  mfft_versioned_init(particles, struct_size, &none, sizeof none);
}

mfft_status mfft_pm_take_particles(const mfft_particles *given, mfft_particles *particles) {
  MFFT_TRY(mfft_versioned_take(&versions, given, particles));
  if (particles->count < 0 || particles->count > INT64_C(1) << 42)
    return mfft_fail(MFFT_ERR_ARG, "particles.count is %" PRId64 "; use 0 to 2^42", particles->count);
  if ((unsigned)particles->type > MFFT_POSITION_FIXED64)
    return mfft_fail(MFFT_ERR_ARG, "particles.type is %d; use MFFT_POSITION_DOUBLE, SINGLE, FIXED32 or FIXED64",
                     (int)particles->type);
  if (particles->stride < 0 || particles->stride > INT64_C(1) << 16)
    return mfft_fail(MFFT_ERR_ARG, "particles.stride is %" PRId64 "; use 1, 3 for triples, up to 65536", particles->stride);
  if (!particles->stride) particles->stride = 1;
  for (int a = 0; a < 3 && particles->count; a++)
    if (!particles->position[a])
      return mfft_fail(MFFT_ERR_ARG, "particles.position[%d] is NULL with %" PRId64 " particles; give an array", a,
                       particles->count);
  return MFFT_SUCCESS;
}
