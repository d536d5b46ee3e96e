/* poisson_solver.c: see poisson_solver.h. Creation of a solver; solver_source.c and solver_output.c have the solve. */
#include "poisson/poisson_solver.h"

#include <string.h>

#include "cli/available.h"
#include "cli/collective.h"
#include "cli/phases.h"
#include "cli/plan_options.h"
#include "cli/report.h"
#include "io/rows.h"
#include "mfft_memory.h"

static int sixteen_bit(mfft_precision precision) { return precision == MFFT_HALF || precision == MFFT_BFLOAT16; }

static mfft_open_mesh open_mesh(const mfft_greens_spec *spec) {
  mfft_open_mesh mesh;
  for (int a = 0; a < 3; a++) {
    mesh.n[a] = spec->n[a];
    mesh.spacing[a] = spec->length[a] / (double)spec->n[a];
    mesh.boundary[a] = spec->boundary[a];
  }
  return mesh;
}

/* Counts the bytes of the arrays, the workspace and the buffers before they are allocated: an outline allocates none. */
static mfft_status count_bytes(mfft_poisson *p) {
  const size_t part = (size_t)(p->options.sweep.part_mib * 0x1p20);
  const int wide = sixteen_bit(p->precision);
  size_t in, out, own;
  mfft_status status = mfft_plan_bytes(p->plan, MFFT_IN, &in);
  if (status == MFFT_SUCCESS) status = mfft_plan_bytes(p->plan, MFFT_OUT, &out);
  if (status == MFFT_SUCCESS) status = mfft_plan_own_bytes(p->plan, &own);
  if (status == MFFT_SUCCESS) status = mfft_plan_backend(p->plan, &p->real.backend);
  if (status != MFFT_SUCCESS) return status;
  p->host_bytes = (p->device || p->options.buffered ? 2 * (part < in ? part : in) : 0) +
                  (wide ? (size_t)mfft_box_cells(&p->box) * sizeof(float) : 0);
  p->bytes = in + out + own + p->host_bytes;
  if (mfft_boundary_open(p->options.greens.boundary)) {
    /* The Green function is in double on the host; a device has it for all modes too. */
    const mfft_open_mesh mesh = open_mesh(&p->options.greens);
    const mfft_box waves = mfft_open_waves(&mesh, &p->modes);
    p->bytes += (size_t)mfft_box_cells(&waves) * sizeof(double) + (p->device ? out : 0);
  }
  return MFFT_SUCCESS;
}

static mfft_status allocate(mfft_poisson *p) {
  const double part = p->options.sweep.part_mib;
  size_t out;
  mfft_memory memory;
  mfft_plan_bytes(p->plan, MFFT_OUT, &out);
  mfft_plan_memory(p->plan, &memory);
  p->device = memory == MFFT_MEMORY_DEVICE;
  mfft_status status = count_bytes(p);
  if (status != MFFT_SUCCESS || p->options.outline) return status;
  status = mfft_swept_create(p->plan, MFFT_IN, part, p->options.buffered, "the field", &p->real);
  if (status == MFFT_SUCCESS) status = mfft_plan_array(p->plan, out, "the spectrum", &p->spectrum);
  if (status == MFFT_SUCCESS && sixteen_bit(p->precision)) {
    void *wide = NULL;
    status = mfft_app_alloc(mfft_box_cells(&p->box), sizeof(float), "the field in single precision", &wide);
    p->wide = wide;
    p->wide_field = mfft_swept_over(wide, &p->box, sizeof(float), part);
  }
  return status;
}

/* Allocates a second field if forces are written from host memory and the ranks of the node need at most a quarter of its
 * available memory for it. */
static mfft_status allocate_spare(mfft_poisson *p) {
  const int useful =
      !p->device && !sixteen_bit(p->precision) && p->options.greens.gradient != MFFT_GRADIENT_NONE && !p->options.one_array;
  if (!useful) return MFFT_SUCCESS; /* all ranks decide alike */
  size_t bytes;
  mfft_plan_bytes(p->plan, MFFT_IN, &bytes);
  const double wanted = 4.0 * (double)bytes * mfft_node_ranks();
  if (mfft_app_anywhere(wanted > (double)mfft_available_memory())) return MFFT_SUCCESS;
  p->bytes += bytes;
  return p->options.outline ? MFFT_SUCCESS : mfft_plan_array(p->plan, bytes, "a second field", &p->spare);
}

/* Disables the residual if it would take hours. */
static void limit_check(mfft_poisson *p) {
  const mfft_greens_spec *greens = &p->options.greens;
  for (int a = 0; a < 3 && p->options.check; a++)
    if (greens->n[a] > mfft_residual_longest(greens)) {
      mfft_app_note(
          "the residual is left out, since it would take hours for an axis of %lld cells; --greens fd2 or fd4 without "
          "filters can be checked",
          (long long)greens->n[a]);
      p->options.check = 0;
    }
}

static mfft_status create_open(mfft_poisson *p) {
  const mfft_open_mesh mesh = open_mesh(&p->options.greens);
  return mfft_open_create(p->options.open_kernel, &mesh, p->plan, p->precision, p->spectrum, &p->open);
}

mfft_status mfft_poisson_create(const mfft_poisson_options *options, const mfft_desc *given, const mfft_options *how,
                                mfft_poisson *p) {
  mfft_desc desc = *given;
  const int open = mfft_boundary_open(options->greens.boundary);
  memset(p, 0, sizeof *p);
  p->options = *options;
  limit_check(p);
  p->precision = desc.precision;
  p->cells = (double)options->greens.n[0] * (double)options->greens.n[1] * (double)options->greens.n[2];
  p->source_scale = 1;
  desc.rank = 3;
  desc.kind = MFFT_R2R;
  p->points = p->cells;
  for (int a = 0; a < 3; a++) {
    const mfft_boundary boundary = options->greens.boundary[a];
    desc.axis_kind[a] = mfft_boundary_transform(boundary);
    if (desc.axis_kind[a] == MFFT_DFT) desc.kind = MFFT_R2C;
    p->points *= (double)mfft_boundary_period(boundary, 1);
  }
  desc.order = MFFT_ORDER_TRANSPOSED;
  desc.filtered = open ? 0 : 1 << MFFT_BACKWARD;
  desc.allow_destroy_input = options->greens.gradient == MFFT_GRADIENT_NONE; /* with a gradient four outputs use it */
  memcpy(desc.n, options->greens.n, sizeof desc.n);
  for (int a = 0; a < 3; a++)
    if (options->greens.boundary[a] == MFFT_OPEN) desc.given[a] = desc.n[a], desc.n[a] *= 2;
  if (sixteen_bit(desc.precision) && !mfft_boundary_all_periodic(options->greens.boundary))
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED,
                         "the field is in half precision, which --boundary periodic has alone; give --precision single");
  if (sixteen_bit(desc.precision)) desc.scale[MFFT_FORWARD] = desc.scale[MFFT_BACKWARD] = MFFT_SCALE_SQRT;
  mfft_status status = mfft_plan_options_create(&desc, how, &p->plan);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(p->plan, MFFT_IN, &p->box);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(p->plan, MFFT_OUT, &p->modes);
  if (status == MFFT_SUCCESS) status = allocate(p);
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) status = allocate_spare(p);
  const mfft_phase before = mfft_phase_enter(MFFT_PHASE_GREEN);
  if (status == MFFT_SUCCESS) status = mfft_greens_create(&options->greens, &p->greens);
  if (status == MFFT_SUCCESS && open && !options->outline) status = create_open(p);
  mfft_phase_enter(before);
  if (status == MFFT_ERR_MEMORY) return mfft_app_fail(status, "a mesh of this size does not fit; use more ranks");
  return status;
}

void mfft_poisson_destroy(mfft_poisson *p) {
  if (p->spectrum) mfft_memory_free(p->real.backend, p->spectrum);
  if (p->spare) mfft_memory_free(p->real.backend, p->spare);
  mfft_swept_destroy(&p->real);
  mfft_open_destroy(&p->open); /* before the plan, whose backend has its memory */
  mfft_free(p->wide);
  mfft_plan_destroy(p->plan);
  mfft_greens_destroy(&p->greens);
  mfft_residual_destroy(&p->residual);
  memset(p, 0, sizeof *p);
}

void mfft_poisson_reset(mfft_poisson *p, double coefficient) {
  p->options.coefficient = coefficient;
  p->mean = p->rms = p->rounding = p->phi_rms = 0;
  p->uniform = 0;
  p->source_scale = 1;
  memset(p->power, 0, sizeof p->power);
  memset(&p->source_share, 0, sizeof p->source_share);
  memset(&p->phi_share, 0, sizeof p->phi_share);
}

mfft_swept *mfft_poisson_field(mfft_poisson *p, mfft_precision *precision) {
  *precision = p->wide ? MFFT_SINGLE : p->precision;
  return p->wide ? &p->wide_field : &p->real;
}
