// particle.cuh: particles and tiles of a mesh: coordinates, cells, and the addresses of own cells and ghost cells.
#pragma once

#include "assignment.h"
#include "particle_args.h"
#include "ptx.cuh"

namespace mfft {

typedef unsigned long long u64;
enum position_type { POSITION_DOUBLE = 0, POSITION_SINGLE = 1, POSITION_FIXED32 = 2, POSITION_FIXED64 = 3 };

constexpr int ORDER = PARTICLE_ORDER, LOW = PARTICLE_LOW, HIGH = PARTICLE_HIGH;  // points of a window; ghost cells
constexpr int TILE_X = (1 << MFFT_PARTICLE_LOG_X) + LOW + HIGH, TILE_Y = (1 << MFFT_PARTICLE_LOG_Y) + LOW + HIGH,
              TILE_Z = (1 << MFFT_PARTICLE_LOG_Z) + LOW + HIGH;
constexpr int ROW = TILE_Z, PLANE = TILE_Y * ROW, TILE_CELLS = TILE_X * PLANE;
constexpr int PARTICLE_BLOCK = MFFT_PARTICLE_THREADS;

__device__ __forceinline__ bool narrow_position(int type) { return type == POSITION_SINGLE || type == POSITION_FIXED32; }

// The bits of element `at` of an array of coordinates; those of 32-bit types are the low bits of the result.
__device__ __forceinline__ u64 position_bits(const void *from, long long at, int type) {
  return narrow_position(type) ? (u64)((const u32 *)from)[at] : ((const u64 *)from)[at];
}

// The coordinate in cells, which may be outside of the box.  It does not decrease with the bits of positions that are
// neither negative nor NaN.
__device__ __forceinline__ double cells_of_bits(u64 bits, int type, double scale, long long n) {
  if (type == POSITION_SINGLE) return mfft_n_mul((double)__uint_as_float((u32)bits), scale);
  if (type == POSITION_DOUBLE) return mfft_n_mul(mfft_n_of_bits(bits), scale);
  return type == POSITION_FIXED32 ? mfft_cells_of_fixed32((u32)bits, (u64)n) : mfft_cells_of_fixed64(bits, (u64)n);
}

// The coordinate in cells, in [0, n); false if the position is not finite.
__device__ __forceinline__ bool find_coordinate(u64 bits, int type, double scale, long long n, double *g) {
  double x = cells_of_bits(bits, type, scale, n);
  if (!(x >= 0 && x < (double)n)) {
    if (!(x - x == 0)) return false;
    x = mfft_cells_wrapped(x, (double)n);
  }
  *g = x;
  return true;
}

enum : u32 { NO_TILE = 0xffffffff };

// The number of the tile that has an own cell.
__device__ __forceinline__ u32 tile_of_cell(const mfft_particle_cells &c, const int cell[3]) {
  return ((u32)(cell[0] >> MFFT_PARTICLE_LOG_X) * (u32)c.tiles[1] + (u32)(cell[1] >> MFFT_PARTICLE_LOG_Y)) *
             (u32)c.tiles[2] +
         (u32)(cell[2] >> MFFT_PARTICLE_LOG_Z);
}

// The tile of particle i of a list, and its coordinates g in cells.  A particle that is not finite, or outside of the own
// cells, has no tile: the result is NO_TILE, and `words` get its index.
__device__ __forceinline__ u32 find_tile(const mfft_particle_cells &c, const void *const position[3], long long stride,
                                         int type, mfft_particle_words *words, u32 i, double g[3]) {
  int cell[3];
  bool finite = true, here = true;
#pragma unroll
  for (int d = 0; d < 3; d++) {
    g[d] = 0;
    finite &= find_coordinate(position_bits(position[d], i * stride, type), type, c.scale[d], c.n[d], &g[d]);
    cell[d] = (int)g[d] - (int)c.lo[d];
    here &= (u32)cell[d] < (u32)c.extent[d];
  }
  if (!finite) atomicMax(&words->nonfinite, ~(u64)i);
  if (finite && !here) atomicMax(&words->foreign, ~(u64)i);
  return finite && here ? tile_of_cell(c, cell) : NO_TILE;
}

// 1 if the particle of this lane exists and is in another tile than that of the preceding lane, else 0.  All lanes of a warp
// call it.
__device__ __forceinline__ u32 changes_tile(u32 tile, bool exists) {
  const u32 lane = threadIdx.x % 32, preceding = __shfl_sync(0xffffffff, tile, (lane - 1) & 31);
  return exists && lane && tile != preceding;
}

struct __align__(16) wide_words {  // half of a record with coordinates of 64 bits
  u64 a, b;
};

// A sorted particle: the coordinates in cells, and its index in the list that was sorted.
struct particle {
  double g[3];
  u32 index;
};
__device__ __forceinline__ particle load_particle(const mfft_particle_cells &c, const mfft_sorted_particles &from, u32 at) {
  particle p;
  u64 bits[3];
  if (!from.record) {
#pragma unroll
    for (int a = 0; a < 3; a++) bits[a] = position_bits(from.position[a], at * from.stride, from.type);
    p.index = at;
  } else if (narrow_position(from.type)) {
    const uint4 r = ((const uint4 *)from.record)[at];
    bits[0] = r.x, bits[1] = r.y, bits[2] = r.z, p.index = r.w;
  } else {
    const wide_words *r = (const wide_words *)from.record + 2ull * at;
    const wide_words xy = r[0], zi = r[1];
    bits[0] = xy.a, bits[1] = xy.b, bits[2] = zi.a, p.index = (u32)zi.b;
  }
#pragma unroll
  for (int a = 0; a < 3; a++) find_coordinate(bits[a], from.type, c.scale[a], c.n[a], &p.g[a]);
  return p;
}

// The own cell at which a tile begins.
__device__ __forceinline__ void find_first(const mfft_particle_cells &c, u32 tile, int first[3]) {
  const u32 across = (u32)c.tiles[1], along = (u32)c.tiles[2], row = tile / along;
  first[0] = (int)(row / across) << MFFT_PARTICLE_LOG_X;
  first[1] = (int)(row % across) << MFFT_PARTICLE_LOG_Y;
  first[2] = (int)(tile % along) << MFFT_PARTICLE_LOG_Z;
}

// The number of items that the particles of a tile are divided into.
__device__ __forceinline__ u32 items_of(u32 particles) { return (particles + MFFT_PARTICLE_ITEM - 1) / MFFT_PARTICLE_ITEM; }

// The sum over the lanes of the warp up to this one, which is included.
__device__ __forceinline__ u64 warp_scan(u64 sum, u32 lane) {
#pragma unroll
  for (u32 step = 1; step < 32; step *= 2) {
    const u64 other = __shfl_sync(0xffffffff, sum, (lane - step) & 31);
    if (lane >= step) sum += other;
  }
  return sum;
}

// An item of the sort: the own cell at which its tile begins, and the range of its particles among the sorted ones.
struct tile_item {
  int first[3];
  u32 begin, end;
};
__device__ __forceinline__ tile_item find_item(const mfft_particle_cells &c, const unsigned *start, const unsigned *item) {
  const u32 tile = item[2 * blockIdx.x], part = item[2 * blockIdx.x + 1];
  const u32 end = start[tile + 1];
  tile_item t;
  t.begin = start[tile] + part * MFFT_PARTICLE_ITEM;
  t.end = end - t.begin < MFFT_PARTICLE_ITEM ? end : t.begin + MFFT_PARTICLE_ITEM;
  find_first(c, tile, t.first);
  return t;
}

// The window of a particle in its tile.
struct window {
  double w[3][4];       // [axis][point] shares
  int lowest, nearest;  // cells of the tile where the lowest and the nearest point of the window are
};
__device__ __forceinline__ window find_window(const mfft_particle_cells &c, const int first[3], const double g[3]) {
  constexpr int STEP[3] = {PLANE, ROW, 1};
  window v;
  v.lowest = v.nearest = 0;
#pragma unroll
  for (int a = 0; a < 3; a++) {
    double d;
    const int at = mfft_window_lowest(ORDER, g[a], c.shift, &d) - (int)c.lo[a] - first[a] + LOW;
    mfft_window_shares(ORDER, d, v.w[a]);
    v.lowest += at * STEP[a];
    v.nearest += (at + mfft_window_nearest(ORDER, d)) * STEP[a];
  }
  return v;
}

// The element of a cell, in the array of own cells (own) or in that of the rims.
struct cell_place {
  bool own;
  long long at;
};
__device__ __forceinline__ cell_place place_cell(const mfft_particle_cells &c, const int at[3]) {
  cell_place p = {true, 0};
  int rim = 0;
#pragma unroll
  for (int a = 2; a >= 0; a--) {  // the first axis on which the cell lies outside of the own cells decides
    if (at[a] < 0) rim = 2 * a, p.own = false;
    if (at[a] >= c.extent[a]) rim = 2 * a + 1, p.own = false;
  }
  const long long *stride = p.own ? c.stride : c.rim_stride[rim];
  p.at = (p.own ? 0 : c.rim_start[rim]) + at[0] * stride[0] + at[1] * stride[1] + at[2] * stride[2];
  return p;
}

// Whether a cell of a tile is no more than `above` cells beyond the own cells.  Some cells of the last tile of an axis are.
__device__ __forceinline__ bool cell_exists(const mfft_particle_cells &c, const int at[3], int above) {
  return at[0] < c.extent[0] + above && at[1] < c.extent[1] + above && at[2] < c.extent[2] + above;
}

// The indices of element `i` of a block of cells with so many elements to a plane and to a row.
template <int OF_PLANE, int OF_ROW>
struct cell_indices {
  int x, y, z;
  __device__ __forceinline__ explicit cell_indices(int i)
      : x(i / OF_PLANE), y((i - x * OF_PLANE) / OF_ROW), z(i - x * OF_PLANE - y * OF_ROW) {}
};

// The indices of cell `i` of a tile, relative to the first own cell.  The result is false if the cell lies beyond the ghost
// cells.
__device__ __forceinline__ bool find_cell(const mfft_particle_cells &c, const int first[3], int i, int at[3]) {
  const cell_indices<PLANE, ROW> of_tile(i);
  at[0] = first[0] + of_tile.x - LOW, at[1] = first[1] + of_tile.y - LOW, at[2] = first[2] + of_tile.z - LOW;
  return cell_exists(c, at, HIGH);
}

// Whether a tile with its ghost cells, and as many more cells around them, lies within the own cells.
__device__ __forceinline__ bool inside_own(const mfft_particle_cells &c, const int first[3], int more) {
  constexpr int LOG[3] = {MFFT_PARTICLE_LOG_X, MFFT_PARTICLE_LOG_Y, MFFT_PARTICLE_LOG_Z};
  bool inside = true;
#pragma unroll
  for (int a = 0; a < 3; a++) inside &= first[a] >= LOW + more && first[a] + (1 << LOG[a]) + HIGH + more <= c.extent[a];
  return inside;
}

// Number i of a list of values of particles.
__device__ __forceinline__ double load_value(const void *value, int is_double, long long stride, u64 i) {
  const long long at = (long long)i * stride;
  return is_double ? ((const double *)value)[at] : (double)((const float *)value)[at];
}

}  // namespace mfft
