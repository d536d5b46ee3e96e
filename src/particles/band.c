/* band.c: see band.h. */
#include "particles/band.h"

#include <string.h>

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t tiles_along(const mfft_pm_grid *grid, const int tile_log[3], int axis) {
  return (mfft_box_extent(&grid->own, axis) + (1 << tile_log[axis]) - 1) >> tile_log[axis];
}

/* On a device the slowest axis in memory, whose planes are contiguous.  On the host the axis is 0 or 1, since columns of
 * tiles along axis 2 are added as wholes: the slower of the two or, if it has few tiles, as in a thin slab, the one with
 * more tiles. */
static int choose_axis(const mfft_pm_grid *grid, const int tile_log[3], int on_device) {
  enum { MANY = 8 };
  const int *order = grid->own.order;
  if (on_device) return order[0];
  const int slow = order[0] == 2 ? order[1] : order[0], other = 1 - slow;
  if (tiles_along(grid, tile_log, slow) >= MANY) return slow;
  return tiles_along(grid, tile_log, other) > tiles_along(grid, tile_log, slow) ? other : slow;
}

mfft_pm_band mfft_pm_band_of(const mfft_pm_grid *grid, const int tile_log[3], int on_device) {
  enum { SHARE = 8, DEVICE_SHARE = 4 };
  mfft_pm_band b = {.axis = choose_axis(grid, tile_log, on_device)};
  const int64_t extent = mfft_box_extent(&grid->own, b.axis);
  b.tile_cells = (int64_t)1 << tile_log[b.axis];
  b.tiles = tiles_along(grid, tile_log, b.axis);
  b.step = (extent / (on_device ? DEVICE_SHARE : SHARE) - grid->low - grid->high) / b.tile_cells;
  if (b.step < 1) b.step = 1;
  b.planes = least(extent, b.step * b.tile_cells + grid->low + grid->high);
  mfft_box held = grid->own;
  held.hi[b.axis] = held.lo[b.axis] + b.planes;
  mfft_box_strides(&held, b.stride);
  if (on_device) memcpy(b.stride, grid->stride, sizeof b.stride);
  b.bytes = (size_t)(on_device ? b.planes * b.stride[b.axis] : mfft_box_count(&held)) * sizeof(int64_t);
  return b;
}

mfft_pm_position mfft_pm_band_at(const mfft_pm_grid *grid, const mfft_pm_band *b, int64_t tile) {
  const int64_t extent = mfft_box_extent(&grid->own, b->axis), begin = tile * b->tile_cells;
  mfft_pm_position p = {.tile = tile, .end = least(b->tiles, tile + b->step)};
  const int64_t end = p.end * b->tile_cells;
  p.first = begin > grid->low ? begin - grid->low : 0;
  p.held_end = least(extent, end + grid->high);
  p.clear = tile ? least(extent, begin + grid->high) : 0;
  p.done = p.end == b->tiles ? extent : end - grid->low;
  return p;
}
