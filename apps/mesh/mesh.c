/* mesh.c: see mesh.h. */
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

#include "base/wave_number.h"
#include "cli/collective.h"
#include "cli/report.h"
#include "mesh/exact_sum.h"
#include "mfft_array.h"
#include "mfft_memory.h"

double mfft_mesh_cells(const mfft_mesh *mesh) { return (double)mesh->n[0] * (double)mesh->n[1] * (double)mesh->n[2]; }
double mfft_mesh_volume(const mfft_mesh *mesh) { return mesh->length[0] * mesh->length[1] * mesh->length[2]; }

mfft_status mfft_mesh_wave_numbers(const mfft_mesh *mesh, int axis, double **k) {
  const int64_t n = mesh->n[axis], count = axis == 2 ? n / 2 + 1 : n;
  const mfft_status status = mfft_app_alloc(count, sizeof(double), "wave numbers", (void **)k);
  for (int64_t i = 0; status == MFFT_SUCCESS && i < count; i++)
    (*k)[i] = 2 * MFFT_PI * (double)mfft_signed_mode(i, n) / mesh->length[axis];
  return status;
}

void mfft_mesh_wave_range(const mfft_mesh *mesh, double k[2]) {
  double least = INFINITY, square = 0;
  for (int a = 0; a < 3; a++) {
    const double fundamental = 2 * MFFT_PI / mesh->length[a], nyquist = fundamental * (double)mesh->n[a] / 2;
    least = fmin(least, fundamental);
    square += nyquist * nyquist;
  }
  k[0] = least;
  k[1] = sqrt(square);
}

double mfft_mesh_nyquist(const mfft_mesh *mesh) {
  double lowest = INFINITY;
  for (int a = 0; a < 3; a++)
    if (mesh->n[a] > 1) lowest = fmin(lowest, MFFT_PI * (double)mesh->n[a] / mesh->length[a]);
  return lowest;
}

static mfft_status allocate(double part_mib, mfft_mesh_plan *p) {
  const mfft_status status = mfft_swept_create(p->plan, MFFT_IN, part_mib, 0, "the field", &p->real);
  if (status != MFFT_SUCCESS) return status;
  return mfft_swept_create(p->plan, MFFT_OUT, part_mib, 0, "the transform of the field", &p->modes);
}

static mfft_status outline(const mfft_mesh *mesh, const mfft_plan_options *options, int filtered, mfft_mesh_plan *plan) {
  mfft_desc desc;
  mfft_options how;
  mfft_status status;
  memset(plan, 0, sizeof *plan);
  mfft_desc_init(&desc);
  mfft_options_init(&how);
  memcpy(desc.n, mesh->n, sizeof desc.n);
  desc.kind = MFFT_R2C;
  desc.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  desc.order = MFFT_ORDER_TRANSPOSED;
  desc.allow_destroy_input = !filtered;
  desc.filtered = filtered ? 1u << MFFT_BACKWARD : 0;
  how.effort = MFFT_ESTIMATE; /* each plan runs once or twice */
  mfft_plan_options_apply(options, &how);
  status = mfft_plan_options_create(&desc, &how, &plan->plan);
  plan->threads = (int)options->threads;
  return status;
}

mfft_status mfft_mesh_plan_outline(const mfft_mesh *mesh, const mfft_plan_options *options, mfft_mesh_plan *plan) {
  return outline(mesh, options, 0, plan);
}

mfft_status mfft_mesh_filtered_outline(const mfft_mesh *mesh, const mfft_plan_options *options, mfft_mesh_plan *plan) {
  return outline(mesh, options, 1, plan);
}

mfft_status mfft_mesh_filtered_create(const mfft_mesh *mesh, const mfft_plan_options *options,
                                      const mfft_sweep_options *sweep, mfft_mesh_plan *plan) {
  const mfft_status status = outline(mesh, options, 1, plan);
  return status == MFFT_SUCCESS ? allocate(sweep->part_mib, plan) : status;
}

mfft_status mfft_mesh_plan_create(const mfft_mesh *mesh, const mfft_plan_options *options, const mfft_sweep_options *sweep,
                                  mfft_mesh_plan *plan) {
  const mfft_status status = mfft_mesh_plan_outline(mesh, options, plan);
  return status == MFFT_SUCCESS ? allocate(sweep->part_mib, plan) : status;
}

mfft_status mfft_mesh_plan_bytes(const mfft_mesh_plan *plan, const mfft_sweep_options *sweep, double *host, double *device) {
  size_t in, out, own;
  mfft_memory memory = MFFT_MEMORY_HOST;
  mfft_status status = mfft_plan_bytes(plan->plan, MFFT_IN, &in);
  if (status == MFFT_SUCCESS) status = mfft_plan_bytes(plan->plan, MFFT_OUT, &out);
  if (status == MFFT_SUCCESS) status = mfft_plan_own_bytes(plan->plan, &own);
  if (status == MFFT_SUCCESS) status = mfft_plan_memory(plan->plan, &memory);
  if (status != MFFT_SUCCESS) return status;
  const double all = (double)in + (double)out + (double)own, part = sweep->part_mib * 0x1p20;
  *host = memory == MFFT_MEMORY_DEVICE ? 2 * (fmin(part, (double)in) + fmin(part, (double)out)) : all;
  *device = memory == MFFT_MEMORY_DEVICE ? all : 0;
  return MFFT_SUCCESS;
}

void mfft_mesh_plan_destroy(mfft_mesh_plan *plan) {
  mfft_plan_destroy(plan->plan);
  mfft_swept_destroy(&plan->real);
  mfft_swept_destroy(&plan->modes);
  memset(plan, 0, sizeof *plan);
}

mfft_status mfft_mesh_transform(mfft_mesh_plan *plan, mfft_direction direction) {
  const int forward = direction == MFFT_FORWARD;
  mfft_status status = mfft_execute(plan->plan, direction, forward ? plan->real.plan : plan->modes.plan,
                                    forward ? plan->modes.plan : plan->real.plan);
  return status == MFFT_SUCCESS ? mfft_plan_synchronize(plan->plan) : status;
}

/* Exact sums over the field on all ranks; min and max likewise. */
static mfft_status add_up(mfft_mesh_plan *plan, mfft_sums *sums) {
  sums->threads = plan->threads;
  const mfft_status status = mfft_app_agree(mfft_plan_sums(plan->plan, MFFT_IN, plan->real.plan, sums));
  if (status != MFFT_SUCCESS) return status;
  double range[2] = {-sums->min, sums->max}; /* {-least, greatest}: the largest over all ranks */
  mfft_exact_gather(&sums->sum);
  mfft_app_reduce(range, 2, MPI_DOUBLE, MPI_MAX, "the range of the field");
  sums->min = 0 - range[0];
  sums->max = 0 + range[1];
  return MFFT_SUCCESS;
}

mfft_status mfft_mesh_stats(const mfft_mesh *mesh, mfft_mesh_plan *plan, mfft_stats *stats) {
  const double cells = mfft_mesh_cells(mesh);
  mfft_sums values, squares;
  mfft_sums_init(&values);
  mfft_sums_init(&squares);
  mfft_status status = add_up(plan, &values);
  if (status != MFFT_SUCCESS) return status;
  const double mean = mfft_exact_mean(&values.sum, cells, &squares.centre_rest);
  squares.centre = isfinite(mean) ? mean : 0; /* if not, the field is refused below */
  squares.squares = 1;
  status = add_up(plan, &squares);
  if (status != MFFT_SUCCESS) return status;
  const double sum = mfft_exact_value(&squares.sum, NULL);
  *stats = (mfft_stats){mean, sqrt(sum / cells), values.min, values.max};
  const int held = isnormal(sum) || stats->min == stats->max; /* a sum of squares that has all its digits */
  if (isfinite(stats->mean) && isfinite(stats->deviation) && held) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_NONFINITE,
                       "the field, from %.3g to %.3g, has mean %.3g and standard deviation %.3g, whose squares double "
                       "precision cannot hold; choose other units",
                       stats->min, stats->max, stats->mean, stats->deviation);
}
