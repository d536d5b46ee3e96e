// gather.cu: reads PARTICLE_FIELDS fields of the mesh at particles.  With PARTICLE_SLOPES the fields are differences of four
// points of one field, a potential, by the operations of particles/difference.c in the same sequence.  1: they are computed
// from device memory, cell by cell.  2: a block loads the potential of a tile into shared memory once and computes runs of
// them from there, which is several times as fast but takes more of that memory.
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

constexpr int GATHER_BLOCK = PARTICLE_SLOPES == 2 ? MFFT_SLOPES_THREADS : PARTICLE_BLOCK;

// The address of a cell of field f.
__device__ __forceinline__ const mesh_real *cell_of(const mfft_gather_args &a, int f, const int at[3]) {
  const cell_place from = place_cell(a.cells, at);
  return (const mesh_real *)(from.own ? a.own[f] : a.rims[f]) + from.at;
}

// The difference of four points from their numbers, of which those of `near` are the inner two.
__device__ __forceinline__ mesh_real slope_of(double near, double far, double factor) {
  return (mesh_real)mfft_n_mul(mfft_n_add(mfft_n_mul(8, near), -far), factor);
}

#if PARTICLE_SLOPES == 2
constexpr int REACH = MFFT_PARTICLE_REACH;
constexpr int WIDE_ROW = TILE_Z + 2 * REACH, WIDE_PLANE = (TILE_Y + 2 * REACH) * WIDE_ROW,
              WIDE_CELLS = (TILE_X + 2 * REACH) * WIDE_PLANE;

typedef cell_indices<WIDE_PLANE, WIDE_ROW> wide_cell;

// Loads the potential in the cells of a tile and in those that their differences need: wide[WIDE_CELLS].
__device__ __forceinline__ void load_potential(const mfft_gather_args &a, const int first[3], mesh_real *wide) {
  if (inside_own(a.cells, first, REACH)) {
    const mesh_real *corner = (const mesh_real *)a.own[0];
#pragma unroll
    for (int d = 0; d < 3; d++) corner += (long long)(first[d] - LOW - REACH) * a.cells.stride[d];
#pragma unroll 4
    for (int i = threadIdx.x; i < WIDE_CELLS; i += GATHER_BLOCK) {
      const wide_cell c(i);
      copy_to_shared(wide + i, corner + c.x * a.cells.stride[0] + c.y * a.cells.stride[1] + c.z * a.cells.stride[2]);
    }
  } else {
    for (int i = threadIdx.x; i < WIDE_CELLS; i += GATHER_BLOCK) {
      const wide_cell c(i);
      const int at[3] = {first[0] + c.x - LOW - REACH, first[1] + c.y - LOW - REACH, first[2] + c.z - LOW - REACH};
      if (cell_exists(a.cells, at, HIGH + REACH))
        copy_to_shared(wide + i, cell_of(a, 0, at));
      else
        wide[i] = 0;
    }
  }
  end_copies();
  await_copies();
  __syncthreads();
}

// Computes the differences in a run of COUNT cells, which are `step` apart, from a potential whose cells are `wide_step`
// apart.  The first `done` cells are those of another run.
template <int COUNT>
__device__ __forceinline__ void find_run(const mesh_real *u, int wide_step, double factor, mesh_real *to, int step,
                                         int done) {
  double v[COUNT + 2 * REACH];
#pragma unroll
  for (int k = 0; k < COUNT + 2 * REACH; k++) v[k] = (double)u[(k - REACH) * wide_step];
#pragma unroll
  for (int k = 0; k < COUNT; k++) {
    const mesh_real slope = slope_of(mfft_n_add(v[k + 3], -v[k + 1]), mfft_n_add(v[k + 4], -v[k]), factor);
    if (k >= done) to[k * step] = slope;
  }
}

// Computes the differences along the fast axis: a row in pieces, since there are fewer rows than threads.
__device__ __forceinline__ void find_along(const mesh_real *centre, double factor, mesh_real *to) {
  constexpr int ROWS = TILE_X * TILE_Y, PIECES = 4, COUNT = (TILE_Z + PIECES - 1) / PIECES;
  for (int j = threadIdx.x; j < ROWS * PIECES; j += GATHER_BLOCK) {
    const int piece = j / ROWS, row = j - piece * ROWS, x = row / TILE_Y, y = row - x * TILE_Y;
    const int beyond = (piece + 1) * COUNT - TILE_Z, done = beyond > 0 ? beyond : 0, z = piece * COUNT - done;
    find_run<COUNT>(centre + x * WIDE_PLANE + y * WIDE_ROW + z, 1, factor, to + row * ROW + z, 1, done);
  }
}

// The same along axis 0 or 1: all cells from one end of the tile to the other.
__device__ __forceinline__ void find_across(const mesh_real *centre, int axis, double factor, mesh_real *to) {
  static_assert(TILE_X == TILE_Y, "runs along both axes are equally long");
  const int step = axis ? ROW : PLANE, wide_step = axis ? WIDE_ROW : WIDE_PLANE;
  const int other = axis ? PLANE : ROW, wide_other = axis ? WIDE_PLANE : WIDE_ROW;
  for (int j = threadIdx.x; j < TILE_Y * TILE_Z; j += GATHER_BLOCK) {
    const int row = j / TILE_Z, z = j - row * TILE_Z;
    find_run<TILE_X>(centre + row * wide_other + z, wide_step, factor, to + row * other + z, step, 0);
  }
}

__device__ __forceinline__ void copy_potential(const mesh_real *centre, mesh_real *to) {
  for (int i = threadIdx.x; i < TILE_CELLS; i += GATHER_BLOCK) {
    const cell_indices<PLANE, ROW> c(i);
    to[i] = centre[c.x * WIDE_PLANE + c.y * WIDE_ROW + c.z];
  }
}

// Fills in cells[PARTICLE_FIELDS][TILE_CELLS], behind which there is memory for the potential.
__device__ __forceinline__ void load_fields(const mfft_gather_args &a, const int first[3], mesh_real *cells) {
  mesh_real *wide = cells + PARTICLE_FIELDS * TILE_CELLS;
  const mesh_real *centre = wide + REACH * (WIDE_PLANE + WIDE_ROW + 1);  // the first cell of the tile with its ghost cells
  load_potential(a, first, wide);
#pragma unroll
  for (int f = 0; f < PARTICLE_FIELDS; f++) {
    mesh_real *to = cells + f * TILE_CELLS;
    if (a.axis[f] < 0)
      copy_potential(centre, to);
    else if (a.axis[f] == 2)
      find_along(centre, a.factor[f], to);
    else
      find_across(centre, a.axis[f], a.factor[f], to);
  }
}
#else
#if PARTICLE_SLOPES == 1
// The number of the potential in the cell that is `away` cells from a cell along an axis.
__device__ __forceinline__ double beside(const mfft_gather_args &a, const int at[3], int axis, int away) {
  const int there[3] = {at[0] + (axis == 0 ? away : 0), at[1] + (axis == 1 ? away : 0), at[2] + (axis == 2 ? away : 0)};
  return (double)*cell_of(a, 0, there);
}

// The number of field f in a cell.
__device__ __forceinline__ mesh_real load_cell(const mfft_gather_args &a, int f, const int at[3]) {
  const int axis = a.axis[f];
  if (axis < 0) return *cell_of(a, 0, at);
  const double near = mfft_n_add(beside(a, at, axis, 1), -beside(a, at, axis, -1));
  return slope_of(near, mfft_n_add(beside(a, at, axis, 2), -beside(a, at, axis, -2)), a.factor[f]);
}
#else
__device__ __forceinline__ mesh_real load_cell(const mfft_gather_args &a, int f, const int at[3]) {
  return *cell_of(a, f, at);
}
#endif

// Fills in cells[PARTICLE_FIELDS][TILE_CELLS].
__device__ __forceinline__ void load_fields(const mfft_gather_args &a, const int first[3], mesh_real *cells) {
  for (int i = threadIdx.x; i < TILE_CELLS; i += GATHER_BLOCK) {
    int at[3];
    const bool exists = find_cell(a.cells, first, i, at);
#pragma unroll
    for (int f = 0; f < PARTICLE_FIELDS; f++) cells[f * TILE_CELLS + i] = exists ? load_cell(a, f, at) : 0;
  }
}
#endif

extern "C" __global__ void __launch_bounds__(GATHER_BLOCK, PARTICLE_SLOPES == 2 ? 2 : 1)
    mfft_pass(const __grid_constant__ mfft_gather_args a) {
  extern __shared__ __align__(16) mesh_real cells[];  // [PARTICLE_FIELDS][TILE_CELLS], [WIDE_CELLS] for a potential
  const tile_item t = find_item(a.cells, a.from.start, a.from.item);
  load_fields(a, t.first, cells);
  __syncthreads();
  for (u32 i = t.begin + threadIdx.x; i < t.end; i += GATHER_BLOCK) {
    const particle p = load_particle(a.cells, a.from, i);
    const window v = find_window(a.cells, t.first, p.g);
#pragma unroll
    for (int f = 0; f < PARTICLE_FIELDS; f++) store_value(a, f, p.index, read_window(cells + f * TILE_CELLS, v));
  }
}

}  // namespace mfft
