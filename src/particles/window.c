/* window.c: see window.h. */
#include "particles/window.h"

#include <string.h>

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t tiles_along(const mfft_pm_grid *grid, const int tile_log[3], int axis) {
  return (mfft_box_extent(&grid->own, axis) + (1 << tile_log[axis]) - 1) >> tile_log[axis];
}

/* The slowest axis in memory, on which planes are contiguous.  On the host axis 0 or 1, whose columns of tiles are added as
 * wholes: the slower one, or the one of more tiles if that has few, as in a thin slab. */
static int choose_axis(const mfft_pm_grid *grid, const int tile_log[3], int on_device) {
  enum { MANY = 8 };
  const int *order = grid->own.order;
  if (on_device) return order[0];
  const int slow = order[0] == 2 ? order[1] : order[0], other = 1 - slow;
  if (tiles_along(grid, tile_log, slow) >= MANY) return slow;
  return tiles_along(grid, tile_log, other) > tiles_along(grid, tile_log, slow) ? other : slow;
}

mfft_pm_window mfft_pm_window_of(const mfft_pm_grid *grid, const int tile_log[3], int on_device) {
  enum { SHARE = 8, DEVICE_SHARE = 4 };
  mfft_pm_window w = {.axis = choose_axis(grid, tile_log, on_device)};
  const int64_t extent = mfft_box_extent(&grid->own, w.axis);
  w.tile_cells = (int64_t)1 << tile_log[w.axis];
  w.tiles = tiles_along(grid, tile_log, w.axis);
  w.step = (extent / (on_device ? DEVICE_SHARE : SHARE) - grid->low - grid->high) / w.tile_cells;
  if (w.step < 1) w.step = 1;
  w.planes = least(extent, w.step * w.tile_cells + grid->low + grid->high);
  mfft_box held = grid->own;
  held.hi[w.axis] = held.lo[w.axis] + w.planes;
  mfft_box_strides(&held, w.stride);
  if (on_device) memcpy(w.stride, grid->stride, sizeof w.stride);
  w.bytes = (size_t)(on_device ? w.planes * w.stride[w.axis] : mfft_box_count(&held)) * sizeof(int64_t);
  return w;
}

mfft_pm_position mfft_pm_window_at(const mfft_pm_grid *grid, const mfft_pm_window *w, int64_t tile) {
  const int64_t extent = mfft_box_extent(&grid->own, w->axis), begin = tile * w->tile_cells;
  mfft_pm_position p = {.tile = tile, .end = least(w->tiles, tile + w->step)};
  const int64_t end = p.end * w->tile_cells;
  p.first = begin > grid->low ? begin - grid->low : 0;
  p.held_end = least(extent, end + grid->high);
  p.clear = tile ? least(extent, begin + grid->high) : 0;
  p.done = p.end == w->tiles ? extent : end - grid->low;
  return p;
}
