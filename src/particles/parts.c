/* parts.c: see parts.h. */
#include "particles/parts.h"

#include <string.h>

/* Adds a rim in C order, after the preceding rims. */
static void add_rim(mfft_pm_parts *parts, int rim, const mfft_box *box) {
  mfft_pm_part *part = &parts->part[1 + rim];
  part->box = *box;
  for (int a = 0; a < 3; a++) part->box.order[a] = a;
  part->start = parts->rim_count;
  mfft_box_strides(&part->box, part->stride);
  parts->rim_count += mfft_box_count(&part->box);
}

void mfft_pm_parts_make(const mfft_pm_grid *grid, mfft_pm_parts *parts) {
  memset(parts, 0, sizeof *parts);
  parts->part[0].box = grid->own;
  memcpy(parts->part[0].stride, grid->stride, sizeof grid->stride);
  if (mfft_box_empty(&grid->own)) return;
  mfft_box inner = mfft_pm_grid_extended(grid); /* the cells that are in no rim yet */
  for (int a = 0; a < 3; a++) {
    mfft_box low = inner, high = inner;
    low.hi[a] = inner.lo[a] = grid->own.lo[a];
    high.lo[a] = inner.hi[a] = grid->own.hi[a];
    add_rim(parts, 2 * a, &low);
    add_rim(parts, 2 * a + 1, &high);
  }
}

int64_t mfft_pm_tile_cells(const mfft_pm_tile *tile) { return (tile->box.hi[0] - tile->box.lo[0]) * tile->stride[0]; }

/* Intersection of a tile with a part: extents, and offset of its first cell in both. */
typedef struct overlap {
  int64_t n[3], at, in_tile; /* [axis] */
} overlap;

static int find_overlap(const mfft_pm_part *part, const mfft_pm_tile *tile, overlap *o) {
  const mfft_box both = mfft_box_intersect(&part->box, &tile->box);
  if (mfft_box_empty(&both)) return 0;
  const int64_t in_tile[3] = {tile->stride[0], tile->stride[1], 1}; /* [axis] */
  o->at = part->start;
  o->in_tile = 0;
  for (int a = 0; a < 3; a++) {
    o->n[a] = both.hi[a] - both.lo[a];
    o->at += (both.lo[a] - part->box.lo[a]) * part->stride[a];
    o->in_tile += (both.lo[a] - tile->box.lo[a]) * in_tile[a];
  }
  return 1;
}

static void add_row(int64_t *to, int64_t stride, const int64_t *from, int64_t count) {
  if (stride == 1)
    for (int64_t i = 0; i < count; i++) to[i] += from[i];
  else
    for (int64_t i = 0; i < count; i++) to[i * stride] += from[i];
}

void mfft_pm_parts_add(const mfft_pm_parts *parts, const mfft_pm_arrays *arrays, const mfft_pm_tile *tile,
                       const int64_t *buffer) {
  for (int p = 0; p < MFFT_PM_PARTS; p++) {
    const mfft_pm_part *part = &parts->part[p];
    overlap o;
    if (!find_overlap(part, tile, &o)) continue;
    int64_t *cells = (int64_t *)(p ? arrays->rims : arrays->own) + o.at;
    for (int64_t x = 0; x < o.n[0]; x++)
      for (int64_t y = 0; y < o.n[1]; y++)
        add_row(cells + x * part->stride[0] + y * part->stride[1], part->stride[2],
                buffer + o.in_tile + x * tile->stride[0] + y * tile->stride[1], o.n[2]);
  }
}

static void load_single(const void *array, int64_t at, int64_t stride, int64_t count, double *to) {
  const float *from = (const float *)array + at;
  if (stride == 1)
    for (int64_t i = 0; i < count; i++) to[i] = from[i];
  else
    for (int64_t i = 0; i < count; i++) to[i] = from[i * stride];
}

static void load_double(const void *array, int64_t at, int64_t stride, int64_t count, double *to) {
  const double *from = (const double *)array + at;
  for (int64_t i = 0; i < count; i++) to[i] = from[i * stride];
}

void mfft_pm_parts_load(const mfft_pm_parts *parts, const mfft_pm_arrays *arrays, mfft_precision precision,
                        const mfft_pm_tile *tile, double *buffer) {
  for (int p = 0; p < MFFT_PM_PARTS; p++) {
    const mfft_pm_part *part = &parts->part[p];
    overlap o;
    if (!find_overlap(part, tile, &o)) continue;
    const void *array = p ? arrays->rims : arrays->own;
    for (int64_t x = 0; x < o.n[0]; x++)
      for (int64_t y = 0; y < o.n[1]; y++)
        (precision == MFFT_SINGLE ? load_single : load_double)(
            array, o.at + x * part->stride[0] + y * part->stride[1], part->stride[2], o.n[2],
            buffer + o.in_tile + x * tile->stride[0] + y * tile->stride[1]);
  }
}
