/* open_kernel.c: see open_kernel.h. */
#include "poisson/open_kernel.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/wave_number.h"
#include "cli/collective.h"
#include "cli/report.h"
#include "io/sweep.h"
#include "mesh/move_box.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "poisson/open_symbol.h"

/* ---- Values at points ------------------------------------------------------------------------------------------------ */

double mfft_open_centre(const double spacing[3]) {
  const double volume = spacing[0] * spacing[1] * spacing[2], alpha = sqrt(MFFT_PI) / cbrt(volume), reach = 6.5;
  double sum = -2 * alpha / sqrt(MFFT_PI) - MFFT_PI / (alpha * alpha * volume);
  for (int reciprocal = 0; reciprocal < 2; reciprocal++) {
    double step[3];  /* [axis] */
    int64_t most[3]; /* [axis] */
    for (int a = 0; a < 3; a++) {
      step[a] = reciprocal ? 2 * MFFT_PI / spacing[a] : spacing[a];
      most[a] = (int64_t)ceil((reciprocal ? 2 * alpha * reach : reach / alpha) / step[a]);
    }
    for (int64_t i = -most[0]; i <= most[0]; i++)
      for (int64_t j = -most[1]; j <= most[1]; j++)
        for (int64_t k = -most[2]; k <= most[2]; k++) {
          const double x = (double)i * step[0], y = (double)j * step[1], z = (double)k * step[2];
          const double square = x * x + y * y + z * z, r = sqrt(square);
          if (i == 0 && j == 0 && k == 0) continue;
          sum += reciprocal ? 4 * MFFT_PI / volume * exp(-square / (4 * alpha * alpha)) / square : erfc(alpha * r) / r;
        }
  }
  return -sum;
}

/* -1 / (4 pi r) at point `at` of a mesh, displaced by `more` points along an axis. */
static double at_point(const int64_t at[3], int axis, int64_t more, const double step[3], double centre) {
  double square = 0;
  for (int a = 0; a < 3; a++) {
    const double d = (double)(at[a] + (a == axis ? more : 0)) * step[a];
    square += d * d;
  }
  return -(square > 0 ? 1 / sqrt(square) : centre) / (4 * MFFT_PI);
}

/* The Green function at each point of a box of a mesh, or minus its difference along an axis. */
static void fill_distances(int axis, const mfft_box *box, const double step[3], double *value) {
  const double centre = mfft_open_centre(step);
  int64_t at[3]; /* [axis] */
  for (int more = mfft_box_first(box, at); more; more = mfft_box_next(box, at)) {
    if (axis < 0) {
      *value++ = at_point(at, axis, 0, step, centre);
      continue;
    }
    const double one = at_point(at, axis, 1, step, centre) - at_point(at, axis, -1, step, centre);
    const double two = at_point(at, axis, 2, step, centre) - at_point(at, axis, -2, step, centre);
    *value++ = -(8 * one - two) / (12 * step[axis]);
  }
}

/* ---- Cosine transforms of the open axes ------------------------------------------------------------------------------ */

/* An array that is even along each axis, or odd along one, and transformed in place along the open ones. */
typedef struct cosines {
  mfft_plan plan;
  mfft_box box;  /* of this rank: waves or distances, from 0 on, or from 1 on along an odd axis */
  double *value; /* [box] */
} cosines;

static void destroy_cosines(cosines *c) {
  mfft_free(c->value);
  mfft_plan_destroy(c->plan);
  memset(c, 0, sizeof *c);
}

/* points: [axis] from 0 to half the period, both included, which an odd axis leaves out; odd: that axis, or -1. */
static mfft_status create_cosines(const mfft_open_mesh *mesh, const int64_t points[3], int odd, cosines *c) {
  mfft_desc desc;
  mfft_options how;
  size_t bytes[2]; /* [side] */
  void *array = NULL;
  mfft_desc_init(&desc);
  mfft_options_init(&how);
  memset(c, 0, sizeof *c);
  memcpy(desc.n, points, sizeof desc.n);
  desc.kind = MFFT_R2R;
  desc.placement = MFFT_IN_PLACE;
  for (int a = 0; a < 3; a++)
    if (mesh->boundary[a] == MFFT_OPEN) desc.axis_kind[a] = a == odd ? MFFT_DST1 : MFFT_DCT1, desc.axes |= 1U << a;
  if (odd >= 0) desc.n[odd] -= 2;
  how.backend = "fftw";
  how.effort = MFFT_ESTIMATE; /* the plan runs once */
  mfft_status status = mfft_plan_create_mpi(MPI_COMM_WORLD, &desc, &how, &c->plan);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(c->plan, MFFT_IN, &c->box);
  if (status == MFFT_SUCCESS) status = mfft_plan_bytes(c->plan, MFFT_IN, &bytes[MFFT_IN]);
  if (status == MFFT_SUCCESS) status = mfft_plan_bytes(c->plan, MFFT_OUT, &bytes[MFFT_OUT]);
  if (status == MFFT_SUCCESS) {
    const size_t larger = bytes[MFFT_IN] > bytes[MFFT_OUT] ? bytes[MFFT_IN] : bytes[MFFT_OUT];
    status = mfft_app_agree(mfft_app_alloc((int64_t)larger, 1, "the Green function of open axes", &array));
  }
  c->value = array;
  if (odd >= 0 && mfft_box_cells(&c->box)) c->box.lo[odd]++, c->box.hi[odd]++;
  if (status != MFFT_SUCCESS) destroy_cosines(c);
  return status;
}

/* ---- The truncated kernel -------------------------------------------------------------------------------------------- */

/* The mesh of the transform of the kernel: waves of each axis, steps in k, cut-off radius. */
typedef struct wide_mesh {
  int64_t points[3]; /* [axis] M + 1 of an open axis */
  double step[3], radius;
  double scale; /* volume of a cell over that of a period, along the open axes */
} wide_mesh;

/* Fills in the mesh.  Returns 0 if it would have more than 2^50 points. */
static int find_mesh(const mfft_open_kernel *kernel, const mfft_open_mesh *mesh, wide_mesh *m) {
  const int64_t *n = mesh->n;
  int64_t reach[3]; /* [axis] cells that no distance exceeds: those of the box, and two of a stencil beyond it */
  double cells = 1;
  m->radius = 0;
  m->scale = 1;
  for (int a = 0; a < 3; a++) {
    reach[a] = n[a] + (a == kernel->axis && kernel->gradient == MFFT_GRADIENT_FD4 ? 2 : 0);
    if (mesh->boundary[a] == MFFT_OPEN) m->radius = hypot(m->radius, (double)reach[a] * mesh->spacing[a]);
  }
  for (int a = 0; a < 3; a++) {
    const double h = mesh->spacing[a];
    const int open = mesh->boundary[a] == MFFT_OPEN;
    const double half = ceil((m->radius / h + (double)reach[a]) / 2 - 1e-6); /* a whole number may have been rounded up */
    const int64_t waves = n[a] / 2;
    cells *= (open ? half : (double)waves) + 1;
    if (cells > 0x1p50) return 0;
    m->points[a] = (open ? mfft_next_fast_length((int64_t)half) : waves) + 1;
    m->step[a] = open ? MFFT_PI / ((double)(m->points[a] - 1) * h) : 2 * MFFT_PI / ((double)n[a] * h);
    if (open) m->scale /= 2 * (double)(m->points[a] - 1);
  }
  return 1;
}

static mfft_status has_no_mesh(const mfft_open_mesh *mesh) {
  return mfft_app_fail(MFFT_ERR_ARG,
                       "the truncated kernel of %" PRId64 "x%" PRId64 "x%" PRId64
                       " cells needs a mesh of more than 2^50 points, as wide as the diagonal of the box along each "
                       "open axis; give --open-kernel hockney, or sides that differ less",
                       mesh->n[0], mesh->n[1], mesh->n[2]);
}

/* The bytes of a rank's part of an array of `points`, and of as much workspace if several ranks transform it. */
static double bytes_of_points(const int64_t points[3]) {
  const int ranks = mfft_app_ranks();
  return (double)points[0] * (double)points[1] * (double)points[2] * sizeof(double) * (ranks > 1 ? 2 : 1) / ranks;
}

static mfft_status does_not_fit(const mfft_open_mesh *mesh, const wide_mesh *m) {
  return mfft_app_fail(
      MFFT_ERR_MEMORY,
      "the truncated kernel of %" PRId64 "x%" PRId64 "x%" PRId64 " cells takes a mesh of %" PRId64 "x%" PRId64 "x%" PRId64
      " points while it is made, %.3g GiB on each rank, which memory does not hold; give --open-kernel hockney, more "
      "ranks, or sides that differ less",
      mesh->n[0], mesh->n[1], mesh->n[2], m->points[0], m->points[1], m->points[2], bytes_of_points(m->points) / 0x1p30);
}

/* The transform of the kernel on the wide mesh. */
static mfft_status fill_waves(const mfft_open_mesh *mesh, const wide_mesh *m, const mfft_box *box, double *value) {
  int open = 0, periodic = 0; /* open axes; the last periodic axis */
  for (int a = 0; a < 3; a++) {
    if (mesh->boundary[a] == MFFT_OPEN)
      open++;
    else
      periodic = a;
  }
  mfft_open_symbol symbol;
  const mfft_status status =
      mfft_open_symbol_create(open, m->radius, (double)mesh->n[periodic] * mesh->spacing[periodic], box->lo[periodic],
                              mfft_box_side(box, periodic), m->step[periodic], &symbol);
  if (status != MFFT_SUCCESS) return mfft_app_fail(status, "no memory for the Bessel functions of a periodic axis");
  int64_t wave[3]; /* [axis] */
  for (int more = mfft_box_first(box, wave); more; more = mfft_box_next(box, wave)) {
    double square[2] = {0, 0}; /* of the periodic and of the open axes */
    for (int a = 0; a < 3; a++) {
      const double k = (double)wave[a] * m->step[a];
      square[mesh->boundary[a] == MFFT_OPEN] += k * k;
    }
    *value++ = mfft_open_symbol_value(&symbol, sqrt(square[1]), sqrt(square[0]), wave[periodic] - box->lo[periodic]);
  }
  mfft_open_symbol_destroy(&symbol);
  return MFFT_SUCCESS;
}

/* Multiplies the transform of the kernel by the symbol of its derivative. */
static mfft_status differentiate(const mfft_open_kernel *kernel, const mfft_open_mesh *mesh, const wide_mesh *m,
                                 const mfft_box *box, double *value) {
  const int axis = kernel->axis;
  if (axis < 0) return MFFT_SUCCESS;
  const int64_t side = mfft_box_side(box, axis);
  int64_t before = 1, behind = 1; /* elements of the axes before and behind this one */
  for (int a = 0; a < 3; a++) *(a < axis ? &before : &behind) *= a == axis ? 1 : mfft_box_side(box, a);
  double *symbol = malloc((size_t)(side + 1) * sizeof *symbol);
  if (!symbol) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the symbol of a derivative");
  for (int64_t i = 0; i < side; i++)
    symbol[i] = mfft_symbol_gradient(kernel->gradient, box->lo[axis] + i, 2 * (m->points[axis] - 1), mesh->spacing[axis]);
  for (int64_t i = 0; i < before; i++)
    for (int64_t j = 0; j < side; j++)
      for (int64_t k = 0; k < behind; k++) *value++ *= symbol[j];
  free(symbol);
  return MFFT_SUCCESS;
}

/* Lays the truncated kernel, at the distances of the box, over this rank's part of the mesh of half periods n. */
static mfft_status fill_truncated(const mfft_open_kernel *kernel, const mfft_open_mesh *mesh, const cosines *folded,
                                  double *scale) {
  wide_mesh m;
  cosines wide;
  if (!find_mesh(kernel, mesh, &m)) return has_no_mesh(mesh);
  mfft_status status = create_cosines(mesh, m.points, kernel->axis, &wide);
  if (status == MFFT_ERR_MEMORY) return does_not_fit(mesh, &m);
  if (status != MFFT_SUCCESS) return status;
  *scale = m.scale;
  status = fill_waves(mesh, &m, &wide.box, wide.value);
  if (status == MFFT_SUCCESS) status = differentiate(kernel, mesh, &m, &wide.box, wide.value);
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) status = mfft_execute(wide.plan, MFFT_FORWARD, wide.value, wide.value);
  if (status == MFFT_SUCCESS) status = mfft_move_box(sizeof(double), &wide.box, wide.value, &folded->box, folded->value);
  destroy_cosines(&wide);
  return status;
}

/* ---- The kernel in k-space ------------------------------------------------------------------------------------------- */

int64_t mfft_open_wave(const mfft_open_mesh *mesh, int axis, int64_t i) {
  const int64_t period = mfft_boundary_period(mesh->boundary[axis], mesh->n[axis]);
  return i <= period / 2 ? i : period - i;
}

mfft_box mfft_open_waves(const mfft_open_kernel *kernel, const mfft_open_mesh *mesh, const mfft_box *modes) {
  const mfft_box none = {{0, 0, 0}, {0, 0, 0}, {0, 1, 2}};
  mfft_box box = none;
  if (!mfft_box_cells(modes)) return box;
  for (int a = 0; a < 3; a++) {
    const int64_t half = mfft_boundary_period(mesh->boundary[a], mesh->n[a]) / 2;
    const int64_t first = mfft_open_wave(mesh, a, modes->lo[a]), last = mfft_open_wave(mesh, a, modes->hi[a] - 1);
    const int has_largest = modes->lo[a] <= half && modes->hi[a] > half; /* waves ascend to half the period, then descend */
    box.lo[a] = first < last ? first : last;
    box.hi[a] = (has_largest ? half : first > last ? first : last) + 1;
    if (a != kernel->axis) continue;
    if (box.lo[a] < 1) box.lo[a] = 1;
    if (box.hi[a] > half) box.hi[a] = half;
  }
  return mfft_box_cells(&box) ? box : none;
}

mfft_open_mesh mfft_open_mesh_of(const int64_t n[3], const double length[3], const mfft_boundary boundary[3]) {
  mfft_open_mesh mesh;
  for (int a = 0; a < 3; a++) {
    mesh.n[a] = n[a];
    mesh.spacing[a] = length[a] / (double)n[a];
    mesh.boundary[a] = boundary[a];
  }
  return mesh;
}

/* The distances of the box along each axis, from 0 to half the period. */
static void find_distances(const mfft_open_mesh *mesh, int64_t points[3]) {
  for (int a = 0; a < 3; a++) points[a] = mfft_boundary_period(mesh->boundary[a], mesh->n[a]) / 2 + 1;
}

mfft_status mfft_open_kernel_check(const mfft_open_kernel *kernel, const mfft_open_mesh *mesh) {
  wide_mesh m;
  return kernel->kind != MFFT_OPEN_TRUNCATED || find_mesh(kernel, mesh, &m) ? MFFT_SUCCESS : has_no_mesh(mesh);
}

size_t mfft_open_kernel_bytes(const mfft_open_kernel *kernel, const mfft_open_mesh *mesh) {
  int64_t points[3]; /* [axis] */
  wide_mesh m;
  find_distances(mesh, points);
  double bytes = bytes_of_points(points);
  if (kernel->kind == MFFT_OPEN_TRUNCATED && find_mesh(kernel, mesh, &m)) bytes += bytes_of_points(m.points);
  return (size_t)bytes; /* at most 2^54 for each mesh */
}

mfft_status mfft_open_kernel_compute(const mfft_open_kernel *kernel, const mfft_open_mesh *mesh, const mfft_box *waves,
                                     double *value) {
  const double *h = mesh->spacing;
  const int odd = kernel->axis;
  int64_t points[3]; /* [axis] */
  double scale = h[0] * h[1] * h[2];
  cosines folded;
  if (odd >= 0 && mesh->n[odd] == 1) return MFFT_SUCCESS; /* no two cells differ along the axis, and there are no waves */
  find_distances(mesh, points);
  mfft_status status = create_cosines(mesh, points, odd, &folded);
  if (status != MFFT_SUCCESS) return status;
  if (kernel->kind == MFFT_OPEN_TRUNCATED)
    status = fill_truncated(kernel, mesh, &folded, &scale);
  else
    fill_distances(odd, &folded.box, h, folded.value);
  if (status == MFFT_SUCCESS) status = mfft_execute(folded.plan, MFFT_FORWARD, folded.value, folded.value);
  if (status == MFFT_SUCCESS) status = mfft_move_box(sizeof(double), &folded.box, folded.value, waves, value);
  for (int64_t i = 0, cells = mfft_box_cells(waves); status == MFFT_SUCCESS && i < cells; i++) value[i] *= scale;
  destroy_cosines(&folded);
  return status;
}
