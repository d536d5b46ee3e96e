/* particle_set.h: particles and meshes of tests: the same particles on every rank, plans with boxes of all kinds, and the
 * values of a mesh on all ranks together. */
#ifndef MFFT_TESTS_PARTICLES_H
#define MFFT_TESTS_PARTICLES_H

#include <mpi.h>

#include "check.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"
#include "mfft_particles.h"
#include "particles/mesh.h"

enum { PM_BOXES = 4 };
static const char *const pm_boxes_name[PM_BOXES] = {"default", "slabs", "bricks", "in place"};

/* One of several kinds of boxes for the caller's part; 0: the plan chooses. */
static inline int pm_caller_box(int kind, const int64_t n[3], int rank, int ranks, mfft_box *box) {
  static const int orders[3][3] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}};
  int grid[3] = {1, 1, 1}, rest = ranks;
  if (kind != 1 && kind != 2) return 0;
  if (kind == 1) grid[2] = ranks; /* slabs of the fast axis, thinner than the windows and empty for small meshes */
  for (int a = 0; kind == 2 && rest > 1; a = (a + 1) % 3)
    for (int f = 2; f <= rest; f++)
      if (rest % f == 0) {
        grid[a] *= f;
        rest /= f;
        break;
      }
  const int at[3] = {rank / (grid[1] * grid[2]), rank / grid[2] % grid[1], rank % grid[2]};
  for (int a = 0; a < 3; a++) {
    box->lo[a] = n[a] * at[a] / grid[a];
    box->hi[a] = n[a] * (at[a] + 1) / grid[a];
    box->order[a] = orders[kind == 2 ? ranks % 3 : 0][a];
  }
  return 1;
}

static inline mfft_plan pm_plan_by(MPI_Comm comm, const int64_t n[3], mfft_precision precision, int boxes, mfft_options o);

/* An R2C plan; comm MPI_COMM_NULL: a local one. */
static inline mfft_plan pm_plan(MPI_Comm comm, const int64_t n[3], mfft_precision precision, int boxes) {
  mfft_options o;
  mfft_options_init(&o);
  return pm_plan_by(comm, n, precision, boxes, o);
}

/* An R2C plan with these options, except that the effort is MFFT_ESTIMATE. */
static inline mfft_plan pm_plan_by(MPI_Comm comm, const int64_t n[3], mfft_precision precision, int boxes, mfft_options o) {
  mfft_desc d;
  mfft_box box;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  memcpy(d.n, n, sizeof d.n);
  d.kind = MFFT_R2C;
  d.precision = precision;
  d.filtered = 1 << MFFT_BACKWARD;
  if (boxes == 3) d.placement = MFFT_IN_PLACE;
  o.effort = MFFT_ESTIMATE;
  if (comm == MPI_COMM_NULL) {
    CHECK_OK(mfft_plan_create(&d, &o, &plan));
    return plan;
  }
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if (pm_caller_box(boxes, n, rank, ranks, &box)) d.in_box = &box;
  CHECK_OK(mfft_plan_create_mpi(comm, &d, &o, &plan));
  return plan;
}

/* A particle mesh of a plan.  scratch: scratch_bytes of the descriptor, 0: the default. */
static inline mfft_particle_mesh pm_mesh(mfft_plan plan, const double length[3], int assignment, int centered, int threads,
                                         size_t scratch) {
  mfft_particle_mesh_desc d;
  mfft_particle_mesh mesh = NULL;
  mfft_particle_mesh_desc_init(&d);
  memcpy(d.length, length, sizeof d.length);
  d.assignment = (mfft_assignment)assignment;
  d.centered = centered;
  d.threads = threads;
  d.scratch_bytes = scratch;
  CHECK_OK(mfft_particle_mesh_create(plan, &d, &mesh));
  return mesh;
}

/* Both sides of an array that serves the plan in any placement, cleared. */
static inline void *pm_array(mfft_plan plan) {
  size_t bytes[2];
  void *array = NULL;
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &bytes[side]));
  const size_t most = (bytes[0] > bytes[1] ? bytes[0] : bytes[1]) + 64;
  CHECK_OK(mfft_alloc(most, &array));
  memset(array, 0, most);
  return array;
}

/* Particles of all ranks. */
typedef struct pm_set {
  int64_t count;
  double *x[3];   /* [axis][count] */
  double *weight; /* [count] of either sign */
} pm_set;

/* Random positions from -length to 2 length, a quarter of them on corners and centres of cells. */
static inline pm_set pm_random(int64_t count, const int64_t n[3], const double length[3], uint64_t seed) {
  pm_set set = {.count = count};
  for (int a = 0; a < 3; a++) {
    set.x[a] = malloc((size_t)count * sizeof(double) + 1);
    for (int64_t i = 0; i < count; i++) {
      set.x[a][i] = length[a] * (0.5 + 3 * test_random(&seed));
      if (i % 4 == 0) set.x[a][i] = length[a] / (double)n[a] * floor(set.x[a][i] / length[a] * (double)n[a] * 2) / 2;
    }
  }
  set.weight = malloc((size_t)count * sizeof(double) + 1);
  for (int64_t i = 0; i < count; i++) set.weight[i] = test_random(&seed) * (i % 7 ? 1 : 100);
  return set;
}

static inline void pm_free(pm_set *set) {
  for (int a = 0; a < 3; a++) free(set->x[a]);
  free(set->weight);
}

/* The particles that this rank owns according to the mesh, as an array of triples of a type, and their indices. */
typedef struct pm_mine {
  mfft_particles particles;
  void *position; /* [count][3] */
  double *weight; /* [count] */
  int64_t *index; /* [count] in the set */
} pm_mine;

static inline pm_mine pm_select(mfft_particle_mesh mesh, const pm_set *set, mfft_position_type type, int reversed) {
  pm_mine mine = {.position = malloc((size_t)set->count * 24 + 1),
                  .weight = malloc((size_t)set->count * 8 + 1),
                  .index = malloc((size_t)set->count * 8 + 1)};
  mfft_particles_init(&mine.particles);
  mfft_particles *p = &mine.particles;
  p->type = type;
  p->stride = 3;
  for (int a = 0; a < 3; a++) p->position[a] = (char *)mine.position + a * mfft_pm_position_bytes(type);
  for (int64_t k = 0; k < set->count; k++) {
    const int64_t i = reversed ? set->count - 1 - k : k, at = 3 * p->count;
    for (int a = 0; a < 3; a++) {
      const double u = set->x[a][i] / mesh->length[a], inside = u - floor(u);
      if (type == MFFT_POSITION_DOUBLE) ((double *)mine.position)[at + a] = set->x[a][i];
      if (type == MFFT_POSITION_SINGLE) ((float *)mine.position)[at + a] = (float)set->x[a][i];
      if (type == MFFT_POSITION_FIXED32) ((uint32_t *)mine.position)[at + a] = (uint32_t)(uint64_t)(inside * 0x1p32);
      if (type == MFFT_POSITION_FIXED64) ((uint64_t *)mine.position)[at + a] = (uint64_t)(inside * 0x1p52) << 12;
    }
    double g[3][MFFT_PM_BATCH];
    CHECK(mfft_pm_locate(&mesh->grid, p, p->count, 1, g) < 0);
    int own = 1;
    for (int a = 0; a < 3; a++) own &= (int64_t)g[a][0] >= mesh->grid.own.lo[a] && (int64_t)g[a][0] < mesh->grid.own.hi[a];
    if (!own) continue;
    mine.index[p->count] = i;
    mine.weight[p->count++] = set->weight[i];
  }
  return mine;
}

static inline void pm_release(pm_mine *mine) {
  free(mine->position);
  free(mine->weight);
  free(mine->index);
}

/* The values of an IN array on all ranks, as doubles in C order: [n0*n1*n2], on every rank. */
static inline double *pm_whole(mfft_particle_mesh mesh, const void *array) {
  const mfft_pm_grid *grid = &mesh->grid;
  const mfft_box *own = &grid->own;
  const int64_t *n = grid->n;
  double *whole = calloc((size_t)(n[0] * n[1] * n[2]), sizeof *whole);
  for (int64_t x = own->lo[0]; x < own->hi[0] && !mfft_box_empty(own); x++)
    for (int64_t y = own->lo[1]; y < own->hi[1]; y++)
      for (int64_t z = own->lo[2]; z < own->hi[2]; z++) {
        const int64_t at =
            (x - own->lo[0]) * grid->stride[0] + (y - own->lo[1]) * grid->stride[1] + (z - own->lo[2]) * grid->stride[2];
        whole[(x * n[1] + y) * n[2] + z] =
            mesh->precision == MFFT_SINGLE ? (double)((const float *)array)[at] : ((const double *)array)[at];
      }
  if (mesh->comm != MPI_COMM_NULL)
    MPI_Allreduce(MPI_IN_PLACE, whole, (int)(n[0] * n[1] * n[2]), MPI_DOUBLE, MPI_SUM, mesh->comm);
  return whole;
}

/* The window of an order at a distance of d cells, by its definition. */
static inline long double pm_window(int order, long double d) {
  d = fabsl(d);
  if (order == 1) return d < 0.5L ? 1 : 0;
  if (order == 2) return d < 1 ? 1 - d : 0;
  if (order == 3) return d < 0.5L ? 0.75L - d * d : d < 1.5L ? (1.5L - d) * (1.5L - d) / 2 : 0;
  return d < 1 ? (4 - 6 * d * d + 3 * d * d * d) / 6 : d < 2 ? (2 - d) * (2 - d) * (2 - d) / 6 : 0;
}

/* Adds weight times the window of a particle at coordinates g (in cells, periodic) to the whole mesh; or, if `sum` is not
 * NULL, adds up window times mesh.  The nearest point of NGP is the upper of two. */
static inline void pm_direct(int order, const int64_t n[3], const long double g[3], long double weight, long double *mesh,
                             const double *values, long double *sum) {
  for (int64_t x = -3; x < 4; x++)
    for (int64_t y = -3; y < 4; y++)
      for (int64_t z = -3; z < 4; z++) {
        const int64_t j[3] = {(int64_t)floorl(g[0]) + x, (int64_t)floorl(g[1]) + y, (int64_t)floorl(g[2]) + z};
        long double w = 1;
        int64_t at = 0;
        for (int a = 0; a < 3; a++) {
          const long double d = g[a] - (long double)j[a];
          w *= order == 1 ? (long double)(floorl(g[a] + 0.5L) == (long double)j[a]) : pm_window(order, d);
          at = at * n[a] + ((j[a] % n[a]) + n[a]) % n[a];
        }
        if (mesh) mesh[at] += w * weight;
        if (sum) *sum += w * values[at];
      }
}

#endif
