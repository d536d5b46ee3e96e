// gather.cu: reads PARTICLE_FIELDS fields of the mesh at particles.  With PARTICLE_SLOPES the fields are differences of four
// points of one field.  They are computed as the cells are loaded, by the operations of particles/difference.c in the same
// sequence.
//
// A block loads the cells of a tile and their ghost cells into shared memory, and its threads read the windows of the
// particles of an item.  Sums are those of particles/kernels_body.inc: the same operations in the same sequence, none fused.
#include "particle.cuh"

namespace mfft {

#if PARTICLE_DOUBLE
typedef double mesh_real;
#else
typedef float mesh_real;
#endif

#if PARTICLE_ORDER == 1
__device__ __forceinline__ double read_window(const mesh_real *cell, const window &v) { return cell[v.lowest]; }
#else
__device__ __forceinline__ double read_window(const mesh_real *cell, const window &v) {
  double sum[4] = {0, 0, 0, 0};
#pragma unroll
  for (int x = 0; x < ORDER; x++) {
    double along[ORDER];
#pragma unroll
    for (int z = 0; z < ORDER; z++) along[z] = 0;
#pragma unroll
    for (int y = 0; y < ORDER; y++)
#pragma unroll
      for (int z = 0; z < ORDER; z++)
        along[z] = mfft_n_add(along[z], mfft_n_mul(v.w[1][y], cell[v.lowest + x * PLANE + y * ROW + z]));
#pragma unroll
    for (int z = 0; z < ORDER; z++) sum[z] = mfft_n_add(sum[z], mfft_n_mul(v.w[0][x], along[z]));
  }
#pragma unroll
  for (int z = 0; z < ORDER; z++) sum[z] = mfft_n_mul(sum[z], v.w[2][z]);
  const double pair = mfft_n_add(sum[0], sum[1]);
  if (ORDER == 2) return pair;
  return mfft_n_add(pair, ORDER == 3 ? sum[2] : mfft_n_add(sum[2], sum[3]));
}
#endif

__device__ __forceinline__ void store_value(const mfft_gather_args &a, int f, u32 index, double value) {
  const long long at = index * a.value_stride[f];
  if (a.value_double[f]) {
    double *to = (double *)a.value[f] + at;
    *to = a.add[f] ? mfft_n_add(*to, value) : value;
  } else {
    float *to = (float *)a.value[f] + at;
    *to = a.add[f] ? *to + (float)value : (float)value;
  }
}

// The address of a cell of field f.
__device__ __forceinline__ const mesh_real *cell_of(const mfft_gather_args &a, int f, const int at[3]) {
  const cell_place from = place_cell(a.cells, at);
  return (const mesh_real *)(from.own ? a.own[f] : a.rims[f]) + from.at;
}

#if PARTICLE_SLOPES
// The number of field 0 in the cell that is `away` cells from a cell along an axis.
__device__ __forceinline__ double beside(const mfft_gather_args &a, const int at[3], int axis, int away) {
  const int there[3] = {at[0] + (axis == 0 ? away : 0), at[1] + (axis == 1 ? away : 0), at[2] + (axis == 2 ? away : 0)};
  return (double)*cell_of(a, 0, there);
}

// The value of field f in a cell.  inside: all cells that it depends on are own cells.
__device__ __forceinline__ mesh_real load_cell(const mfft_gather_args &a, int f, const int at[3], bool inside) {
  const int axis = a.axis[f];
  if (axis < 0) return *cell_of(a, 0, at);
  double near, far;
  if (inside) {
    const long long step = axis == 0 ? a.cells.stride[0] : axis == 1 ? a.cells.stride[1] : a.cells.stride[2];
    const mesh_real *u =
        (const mesh_real *)a.own[0] + at[0] * a.cells.stride[0] + at[1] * a.cells.stride[1] + at[2] * a.cells.stride[2];
    near = mfft_n_add((double)u[step], -(double)u[-step]);
    far = mfft_n_add((double)u[2 * step], -(double)u[-2 * step]);
  } else {
    near = mfft_n_add(beside(a, at, axis, 1), -beside(a, at, axis, -1));
    far = mfft_n_add(beside(a, at, axis, 2), -beside(a, at, axis, -2));
  }
  return (mesh_real)mfft_n_mul(mfft_n_add(mfft_n_mul(8, near), -far), a.factor[f]);
}
#else
__device__ __forceinline__ mesh_real load_cell(const mfft_gather_args &a, int f, const int at[3], bool) {
  return *cell_of(a, f, at);
}
#endif

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_gather_args a) {
  extern __shared__ __align__(16) mesh_real cells[];  // [PARTICLE_FIELDS][TILE_CELLS]
  const tile_item t = find_item(a.cells, a.from.start, a.from.item);
  const bool inside = PARTICLE_SLOPES && inside_own(a.cells, t.first, MFFT_PARTICLE_REACH);
  for (int i = threadIdx.x; i < TILE_CELLS; i += PARTICLE_BLOCK) {
    int at[3];
    const bool exists = find_cell(a.cells, t.first, i, at);
#pragma unroll
    for (int f = 0; f < PARTICLE_FIELDS; f++) cells[f * TILE_CELLS + i] = exists ? load_cell(a, f, at, inside) : 0;
  }
  __syncthreads();
  for (u32 i = t.begin + threadIdx.x; i < t.end; i += PARTICLE_BLOCK) {
    const particle p = load_particle(a.cells, a.from, i);
    const window v = find_window(a.cells, t.first, p.g);
#pragma unroll
    for (int f = 0; f < PARTICLE_FIELDS; f++) store_value(a, f, p.index, read_window(cells + f * TILE_CELLS, v));
  }
}

}  // namespace mfft
