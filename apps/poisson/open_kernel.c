/* open_kernel.c: see open_kernel.h. */
#include "poisson/open_kernel.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/wave_number.h"
#include "cli/collective.h"
#include "cli/report.h"
#include "io/sweep.h"
#include "mesh/move_box.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

/* ---- Values at points ------------------------------------------------------------------------------------------------ */

double mfft_open_centre(const double spacing[3]) {
  const double volume = spacing[0] * spacing[1] * spacing[2], alpha = sqrt(MFFT_PI) / cbrt(volume), reach = 6.5;
  double sum = -2 * alpha / sqrt(MFFT_PI) - MFFT_PI / (alpha * alpha * volume);
  for (int reciprocal = 0; reciprocal < 2; reciprocal++) {
    double step[3];
    int64_t most[3];
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

/* A function of a squared distance or wave number. */
typedef double (*of_square)(double square, double parameter);

/* Evaluates a function at each point of a box of a mesh. */
static void fill_points(const mfft_box *box, const double step[3], of_square function, double parameter, double *value) {
  for (int64_t x = box->lo[0]; x < box->hi[0]; x++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++)
      for (int64_t z = box->lo[2]; z < box->hi[2]; z++) {
        const double dx = (double)x * step[0], dy = (double)y * step[1], dz = (double)z * step[2];
        *value++ = function(dx * dx + dy * dy + dz * dz, parameter);
      }
}

/* -1 / (4 pi r); centre: the value in place of 1/r at r = 0. */
static double of_distance(double square, double centre) { return -(square > 0 ? 1 / sqrt(square) : centre) / (4 * MFFT_PI); }

/* Fourier transform of -1 / (4 pi r), cut off at the radius. */
static double of_wave_number(double square, double radius) {
  if (square == 0) return -radius * radius / 2;
  const double s = sin(sqrt(square) * radius / 2);
  return -2 * s * s / square;
}

static mfft_status allocate_values(const mfft_box *box, double **value) {
  return mfft_app_alloc(mfft_box_cells(box), sizeof(double), "the Green function of free space", (void **)value);
}

/* ---- The truncated kernel -------------------------------------------------------------------------------------------- */

/* The mesh of the transform of the kernel: points of half a period, step in k, cut-off radius, volume of a period. */
typedef struct wide_mesh {
  int64_t points[3]; /* [axis] M + 1 */
  double step[3], radius, volume;
} wide_mesh;

static mfft_status find_mesh(const int64_t n[3], const double spacing[3], wide_mesh *m) {
  double cells = 1;
  m->radius = m->volume = 0;
  for (int a = 0; a < 3; a++) m->radius = hypot(m->radius, (double)n[a] * spacing[a]);
  for (int a = 0; a < 3; a++) {
    const double half = ceil((m->radius / spacing[a] + (double)n[a]) / 2);
    cells *= half;
    if (cells > 0x1p50)
      return mfft_app_fail(MFFT_ERR_ARG,
                           "the truncated kernel of %" PRId64 "x%" PRId64 "x%" PRId64
                           " cells needs a mesh of more than 2^50 of them, as wide as the diagonal of the box along each "
                           "axis; give --open-kernel hockney",
                           n[0], n[1], n[2]);
    m->points[a] = mfft_next_fast_length((int64_t)half) + 1;
    m->step[a] = MFFT_PI / ((double)(m->points[a] - 1) * spacing[a]);
  }
  m->volume = 8 * MFFT_PI * MFFT_PI * MFFT_PI / (m->step[0] * m->step[1] * m->step[2]); /* whole period */
  return MFFT_SUCCESS;
}

static mfft_status plan_mesh(const wide_mesh *m, mfft_plan *plan) {
  mfft_desc desc;
  mfft_options how;
  mfft_desc_init(&desc);
  mfft_options_init(&how);
  memcpy(desc.n, m->points, sizeof desc.n);
  desc.kind = MFFT_R2R;
  desc.placement = MFFT_IN_PLACE;
  for (int a = 0; a < 3; a++) desc.axis_kind[a] = MFFT_DCT1;
  how.backend = "fftw";
  how.effort = MFFT_ESTIMATE; /* it runs once */
  return mfft_plan_create_mpi(MPI_COMM_WORLD, &desc, &how, plan);
}

static mfft_status find_truncated(const int64_t n[3], const double spacing[3], mfft_open_values *v) {
  wide_mesh mesh;
  mfft_plan plan = NULL;
  mfft_box box;
  size_t bytes;
  void *array = NULL;
  mfft_status status = find_mesh(n, spacing, &mesh);
  if (status == MFFT_SUCCESS) status = plan_mesh(&mesh, &plan);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(plan, MFFT_IN, &box);
  if (status == MFFT_SUCCESS) status = mfft_plan_bytes(plan, MFFT_IN, &bytes);
  if (status == MFFT_SUCCESS) {
    status = mfft_app_agree(mfft_app_alloc((int64_t)bytes, 1, "the transform of the truncated kernel", &array));
    if (status == MFFT_SUCCESS) {
      fill_points(&box, mesh.step, of_wave_number, mesh.radius, array);
      status = mfft_execute(plan, MFFT_FORWARD, array, array);
    }
    if (status == MFFT_SUCCESS) status = mfft_move_box(sizeof(double), &box, array, &v->box, v->value);
  }
  const double scale = spacing[0] * spacing[1] * spacing[2] / mesh.volume;
  for (int64_t i = 0, cells = mfft_box_cells(&v->box); status == MFFT_SUCCESS && i < cells; i++) v->value[i] *= scale;
  mfft_free(array);
  mfft_plan_destroy(plan);
  return status;
}

mfft_status mfft_open_kernel(mfft_open_kind kind, const int64_t n[3], const double spacing[3], const mfft_box *box,
                             mfft_open_values *v) {
  const double cell = spacing[0] * spacing[1] * spacing[2];
  v->box = *box;
  v->value = NULL;
  mfft_status status = mfft_app_agree(allocate_values(box, &v->value));
  if (status != MFFT_SUCCESS) return status;
  if (kind == MFFT_OPEN_TRUNCATED) return find_truncated(n, spacing, v);
  fill_points(box, spacing, of_distance, mfft_open_centre(spacing), v->value);
  for (int64_t i = 0, cells = mfft_box_cells(box); i < cells; i++) v->value[i] *= cell;
  return MFFT_SUCCESS;
}
