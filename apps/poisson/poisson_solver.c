/* poisson_solver.c: see poisson_solver.h. Creation of a solver; solver_source.c and solver_output.c have the solve. */
#include "poisson/poisson_solver.h"

#include <string.h>

#include "cli/available.h"
#include "cli/collective.h"
#include "cli/phases.h"
#include "cli/plan_options.h"
#include "cli/process.h"
#include "cli/report.h"
#include "io/rows.h"
#include "mfft_memory.h"

static int sixteen_bit(mfft_precision precision) { return precision == MFFT_HALF || precision == MFFT_BFLOAT16; }

/* Whether outputs need an array beside the spectrum, which must stay as it is. */
static int wants_product(const mfft_poisson *p) { return p->open.plan && p->options.greens.gradient != MFFT_GRADIENT_NONE; }

/* Counts the bytes of the arrays, the workspace and the buffers before they are allocated: an outline allocates none. */
static mfft_status count_bytes(mfft_poisson *p) {
  const size_t part = (size_t)(p->options.sweep.part_mib * 0x1p20);
  const int wide = sixteen_bit(p->precision);
  size_t in, out, own, walls = 0, kernels = 0, device_kernels = 0;
  mfft_status status = mfft_plan_bytes(p->plan, MFFT_IN, &in);
  if (status == MFFT_SUCCESS) status = mfft_plan_bytes(p->plan, MFFT_OUT, &out);
  if (status == MFFT_SUCCESS) status = mfft_plan_own_bytes(p->plan, &own);
  if (status == MFFT_SUCCESS) status = mfft_plan_backend(p->plan, &p->real.backend);
  if (status == MFFT_SUCCESS && p->walls.backend) status = mfft_walls_bytes(&p->walls, p->plan, &walls);
  if (status == MFFT_SUCCESS && p->open.plan) status = mfft_open_bytes(&p->open, &kernels, &device_kernels);
  if (status != MFFT_SUCCESS) return status;
  p->host_bytes = (p->device || p->options.buffered ? 2 * (part < in ? part : in) : 0) +
                  (wide ? (size_t)mfft_box_cells(&p->box) * sizeof(float) : 0) + kernels;
  p->bytes = in + out * (wants_product(p) ? 2 : 1) + own + walls + device_kernels + p->host_bytes;
  return MFFT_SUCCESS;
}

static mfft_status allocate(mfft_poisson *p, const mfft_options *how) {
  const double part = p->options.sweep.part_mib;
  size_t out;
  mfft_memory memory;
  mfft_plan_bytes(p->plan, MFFT_OUT, &out);
  mfft_plan_memory(p->plan, &memory);
  p->device = memory == MFFT_MEMORY_DEVICE;
  mfft_status status = count_bytes(p);
  if (status != MFFT_SUCCESS || p->options.outline) return status;
  status = mfft_swept_create(p->plan, MFFT_IN, part, p->options.buffered, "the field", &p->real);
  if (p->walls.backend) {
    status = mfft_app_agree(status);
    if (status == MFFT_SUCCESS) status = mfft_walls_allocate(&p->walls, how, p->plan, &p->spectrum);
  } else if (status == MFFT_SUCCESS)
    status = mfft_plan_array(p->plan, out, "the spectrum", &p->spectrum);
  if (status == MFFT_SUCCESS && wants_product(p))
    status = mfft_plan_array(p->plan, out, "the product of the spectrum and a kernel", &p->product);
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

static mfft_status begin_open(mfft_poisson *p) {
  const mfft_greens_spec *spec = &p->options.greens;
  mfft_open_request request = {.mesh = mfft_open_mesh_of(spec->n, spec->length, spec->boundary),
                               .kind = p->options.open_kernel,
                               .gradient = spec->gradient,
                               .precision = p->precision,
                               .plan = p->plan,
                               .one_array = p->options.one_array};
  return mfft_open_begin(&request, &p->open);
}

/* Describes the plan of the source and of phi. */
static mfft_status describe(mfft_poisson *p, mfft_desc *desc) {
  const mfft_greens_spec *spec = &p->options.greens;
  const int open = mfft_boundary_open(spec->boundary), gradient = spec->gradient != MFFT_GRADIENT_NONE;
  p->points = p->cells;
  desc->rank = 3;
  desc->kind = MFFT_R2R;
  for (int a = 0; a < 3; a++) {
    const mfft_boundary boundary = spec->boundary[a];
    desc->axis_kind[a] = mfft_boundary_transform(boundary);
    if (desc->axis_kind[a] == MFFT_DFT) desc->kind = MFFT_R2C;
    p->points *= (double)mfft_boundary_period(boundary, 1);
    desc->n[a] = spec->n[a];
    if (boundary == MFFT_OPEN) desc->given[a] = spec->n[a], desc->n[a] *= 2;
  }
  desc->order = MFFT_ORDER_TRANSPOSED;
  desc->filtered = open && !gradient ? 0 : 1 << MFFT_BACKWARD;
  desc->allow_destroy_input = open || !gradient; /* else four outputs are made of the spectrum itself */
  if (sixteen_bit(desc->precision) && !mfft_boundary_all_periodic(spec->boundary))
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED,
                         "the field is in half precision, which --boundary periodic has alone; give --precision single");
  if (sixteen_bit(desc->precision)) desc->scale[MFFT_FORWARD] = desc->scale[MFFT_BACKWARD] = MFFT_SCALE_SQRT;
  return MFFT_SUCCESS;
}

/* Makes the plans. */
static mfft_status create_plans(mfft_poisson *p, const mfft_desc *desc, const mfft_options *how) {
  const mfft_greens_spec *spec = &p->options.greens;
  mfft_status status = mfft_plan_options_create(desc, how, &p->plan);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(p->plan, MFFT_IN, &p->box);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(p->plan, MFFT_OUT, &p->modes);
  if (status == MFFT_SUCCESS && how->user_workspace)
    status = mfft_walls_create(desc, how, spec->boundary, p->plan, &p->walls);
  if (status == MFFT_SUCCESS && mfft_boundary_open(spec->boundary)) status = begin_open(p);
  return mfft_app_agree(status);
}

mfft_status mfft_poisson_create(const mfft_poisson_options *options, const mfft_desc *given, const mfft_options *how,
                                mfft_poisson *p) {
  mfft_desc desc = *given;
  mfft_options own = *how;
  memset(p, 0, sizeof *p);
  p->options = *options;
  limit_check(p);
  p->precision = desc.precision;
  p->cells = (double)options->greens.n[0] * (double)options->greens.n[1] * (double)options->greens.n[2];
  p->source_scale = 1;
  own.user_workspace = mfft_walls_wanted(options->greens.boundary, options->greens.gradient);
  mfft_status status = describe(p, &desc);
  if (status == MFFT_SUCCESS) status = create_plans(p, &desc, &own);
  if (status == MFFT_SUCCESS) status = mfft_app_agree(allocate(p, &own));
  if (status == MFFT_SUCCESS) status = allocate_spare(p);
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_GREEN);
  if (status == MFFT_SUCCESS) status = mfft_greens_create(&options->greens, &p->greens);
  if (status == MFFT_ERR_MEMORY) status = mfft_app_fail(status, "a mesh of this size does not fit; use more ranks");
  const double begin = mfft_process_now();
  if (status == MFFT_SUCCESS && p->open.plan && !options->outline) {
    status = mfft_open_create(p->spectrum, p->product ? p->product : p->spectrum, &p->open);
    p->open_s = mfft_process_now() - begin;
  }
  mfft_phase_enter(before);
  return status;
}

void mfft_poisson_destroy(mfft_poisson *p) {
  if (p->spectrum && !p->walls.backend) mfft_memory_free(p->real.backend, p->spectrum);
  if (p->product) mfft_memory_free(p->real.backend, p->product);
  if (p->spare) mfft_memory_free(p->real.backend, p->spare);
  mfft_swept_destroy(&p->real);
  mfft_open_destroy(&p->open); /* before the plan, whose backend has its memory */
  mfft_walls_destroy(&p->walls);
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
