#include "poisson/poisson_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/phases.h"
#include "cli/plan_options.h"
#include "cli/process.h"
#include "cli/report.h"
#include "cli/room.h"
#include "io/rows.h"
#include "io/threads.h"
#include "mesh/exact_sum.h"
#include "mfft_memory.h"
#include "mfft_spectrum.h"

static int sixteen_bit(mfft_precision precision) { return precision == MFFT_HALF || precision == MFFT_BFLOAT16; }

/* The rms that 16-bit arrays are brought to: a single wave or cell is then at most 2^14. */
static double wanted_rms(const mfft_poisson *p) { return fmin(1, 16384 / sqrt(p->cells)); }

/* ---- Building -------------------------------------------------------------------------------------------------------- */

/* Bytes of the arrays, the workspace and the buffers, as the outline of a solve has none of them. */
static mfft_status count_bytes(mfft_poisson *p) {
  const size_t part = (size_t)(p->options.sweep.part_mib * 0x1p20);
  const int wide = sixteen_bit(p->precision);
  size_t in, out, workspace;
  mfft_status status = mfft_plan_bytes(p->plan, MFFT_IN, &in);
  if (status == MFFT_SUCCESS) status = mfft_plan_bytes(p->plan, MFFT_OUT, &out);
  if (status == MFFT_SUCCESS) status = mfft_plan_workspace_bytes(p->plan, &workspace);
  if (status == MFFT_SUCCESS) status = mfft_plan_backend(p->plan, &p->real.backend);
  if (status != MFFT_SUCCESS) return status;
  p->host_bytes = (p->device || p->options.buffered ? 2 * (part < in ? part : in) : 0) +
                  (wide ? (size_t)mfft_box_cells(&p->box) * sizeof(float) : 0);
  p->bytes = in + out + workspace + p->host_bytes;
  if (mfft_boundary_open(p->options.greens.boundary)) /* the field, and the kernel in double */
    p->bytes += (size_t)mfft_box_cells(&p->box) * mfft_row_real_bytes(p->precision) +
                (size_t)mfft_box_cells(&p->modes) * sizeof(double);
  return MFFT_SUCCESS;
}

/* The field without its padding, and the spectrum; mfft_open_create allocates the rest. */
static mfft_status allocate_open(mfft_poisson *p, size_t out) {
  const size_t element = mfft_row_real_bytes(p->precision), bytes = (size_t)mfft_box_cells(&p->box) * element;
  const char *backend = p->real.backend;
  void *field = NULL;
  mfft_status status = mfft_plan_array(p->plan, bytes, "the field", &field);
  p->real = mfft_swept_over(field, &p->box, element, p->options.sweep.part_mib);
  p->real.backend = backend;
  p->real.bytes = bytes;
  return status == MFFT_SUCCESS ? mfft_plan_array(p->plan, out, "the spectrum", &p->spectrum) : status;
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
  if (mfft_boundary_open(p->options.greens.boundary)) return allocate_open(p, out);
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

/* A second field where forces are written from host memory, and the ranks of the node need no more than a quarter of what it
 * has left. */
static mfft_status allocate_spare(mfft_poisson *p) {
  const int useful =
      !p->device && !sixteen_bit(p->precision) && p->options.greens.gradient != MFFT_GRADIENT_NONE && !p->options.one_array;
  if (!useful) return MFFT_SUCCESS; /* the same on all ranks */
  size_t bytes;
  mfft_plan_bytes(p->plan, MFFT_IN, &bytes);
  const double wanted = 4.0 * (double)bytes * mfft_room_ranks();
  if (mfft_app_anywhere(wanted > (double)mfft_room_memory())) return MFFT_SUCCESS;
  p->bytes += bytes;
  return p->options.outline ? MFFT_SUCCESS : mfft_plan_array(p->plan, bytes, "a second field", &p->spare);
}

/* Leaves the residual out where it would take hours. */
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
  const mfft_greens_spec *spec = &p->options.greens;
  double spacing[3];
  if (p->device)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "--boundary open works in host memory; give --backend fftw, or none");
  for (int a = 0; a < 3; a++) spacing[a] = spec->length[a] / (double)spec->n[a];
  return mfft_open_create(p->options.open_kernel, spec->n, spacing, p->precision, p->plan, p->spectrum, &p->open);
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
  desc.allow_destroy_input = options->greens.gradient == MFFT_GRADIENT_NONE; /* else the spectrum serves four times */
  memcpy(desc.n, options->greens.n, sizeof desc.n);
  for (int a = 0; a < 3 && open; a++) desc.n[a] *= 2;
  if (sixteen_bit(desc.precision) && !mfft_boundary_all_periodic(options->greens.boundary))
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED,
                         "the field is in half precision, which --boundary periodic has alone; give --precision single");
  if (sixteen_bit(desc.precision)) desc.scale[MFFT_FORWARD] = desc.scale[MFFT_BACKWARD] = MFFT_SCALE_SQRT;
  mfft_options options_of_plan = *how;
  if (open && !how->backend) options_of_plan.backend = "fftw";
  mfft_status status = mfft_plan_options_create(&desc, &options_of_plan, &p->plan);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(p->plan, MFFT_IN, &p->box);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(p->plan, MFFT_OUT, &p->modes);
  if (open) p->box = mfft_open_box(&p->box, options->greens.n);
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
  mfft_open_destroy(&p->open);
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

/* ---- Passes over the field ------------------------------------------------------------------------------------------- */

/* What a thread finds: the same for any number of them, since exact sums and extremes do not depend on the sequence. */
struct mfft_poisson_found {
  mfft_exact_sum squares; /* of what was looked at, one term a row */
  double largest;         /* magnitude of it */
  mfft_projection share;
};

/* A pass over all parts of the field: to = (from - shift) * factor, unless nothing is to be stored. */
typedef struct pass_state {
  mfft_poisson *p;
  mfft_precision from, to;                                                   /* precisions of both arrays */
  double shift[2], factor;                                                   /* the sum of both shifts is subtracted */
  int project;                                                               /* 1: project what has been stored */
  const void *(*source)(const mfft_poisson *, const mfft_box *, void *data); /* where a part is read and stored */
  void *(*target)(const mfft_poisson *, const mfft_box *, void *data);
  mfft_poisson_found *of_thread; /* [threads] */
  mfft_poisson_found all;        /* of all threads and ranks */
  const mfft_box *part;
  const void *part_source;
  void *part_target;
  int64_t rows_each; /* of the pieces that threads take */
} pass_state;

enum { PIECE_CELLS = 1 << 15 };

static void add_over_ranks(double *values, int count) {
  mfft_app_reduce(values, count, MPI_DOUBLE, MPI_SUM, "adding up the moments");
}

/* Row `r` of the part. */
static void convert_row(const pass_state *pass, int64_t r, double *row /* [count] */, int64_t count,
                        mfft_poisson_found *here) {
  mfft_row_load(pass->from, pass->part_source, r * count, count, row);
  for (int64_t i = 0; i < count; i++) row[i] = ((row[i] - pass->shift[0]) - pass->shift[1]) * pass->factor;
  const double square = mfft_row_dot(row, row, count);
  mfft_exact_add(&here->squares, &square, 1);
  here->largest = fmax(here->largest, mfft_row_magnitude(row, count));
  mfft_row_store(pass->to, pass->part_target, r * count, count, row);
}

/* The rows first to end of a part, as a box each: a piece may begin and end within a plane. */
static mfft_status project_rows(const pass_state *pass, int64_t first, int64_t end, mfft_projection *share) {
  const mfft_box *part = pass->part;
  const int64_t rows = mfft_box_side(part, 1), row_bytes = mfft_box_side(part, 2) * (int64_t)mfft_row_real_bytes(pass->to);
  for (int64_t r = first, more; r < end; r += more) {
    const int64_t x = r / rows, y = r % rows;
    more = rows - y < end - r ? rows - y : end - r;
    const mfft_box some = {{part->lo[0] + x, part->lo[1] + y, part->lo[2]},
                           {part->lo[0] + x + 1, part->lo[1] + y + more, part->hi[2]},
                           {0, 1, 2}};
    const mfft_status status =
        mfft_residual_filter(&pass->p->residual, &some, pass->to, (char *)pass->part_target + r * row_bytes, share);
    if (status != MFFT_SUCCESS) return status;
  }
  return MFFT_SUCCESS;
}

static mfft_status pass_piece(void *context, int64_t piece, int thread) {
  const pass_state *pass = context;
  mfft_poisson_found *here = &pass->of_thread[thread];
  const int64_t count = mfft_box_side(pass->part, 2), rows = mfft_box_side(pass->part, 0) * mfft_box_side(pass->part, 1);
  const int64_t first = piece * pass->rows_each, last = first + pass->rows_each, end = last < rows ? last : rows;
  double *row = malloc((size_t)(count + 1) * sizeof(double));
  if (!row) return MFFT_ERR_MEMORY;
  const double start = mfft_process_now();
  for (int64_t r = first; r < end; r++) convert_row(pass, r, row, count, here);
  free(row);
  const double converted = mfft_process_now();
  if (thread) mfft_phase_span_add(thread, MFFT_PHASE_CENTRE, start, converted);
  if (!pass->project) return MFFT_SUCCESS;
  const mfft_status status = project_rows(pass, first, end, &here->share);
  mfft_threads_add(MFFT_PHASE_CHECK, thread, converted, mfft_process_now());
  return status;
}

static mfft_status pass_part(void *context, const mfft_box *part, void *data) {
  pass_state *pass = context;
  const int64_t count = mfft_box_side(part, 2), rows = mfft_box_side(part, 0) * mfft_box_side(part, 1);
  pass->part = part;
  pass->part_source = pass->source(pass->p, part, data);
  pass->part_target = pass->target(pass->p, part, data);
  pass->rows_each = count < PIECE_CELLS ? PIECE_CELLS / (count ? count : 1) : 1;
  const int64_t pieces = (rows + pass->rows_each - 1) / pass->rows_each;
  const mfft_status status = mfft_workers_run(mfft_threads_pool(), pieces, pass_piece, pass);
  return status == MFFT_ERR_MEMORY ? mfft_app_fail(status, "no memory for a row of the field") : status;
}

static void *in_part(const mfft_poisson *p, const mfft_box *part, void *data) {
  (void)p, (void)part;
  return data;
}

static const void *of_part(const mfft_poisson *p, const mfft_box *part, void *data) { return in_part(p, part, data); }

/* The place of a part in the array of singles. */
static void *in_wide(const mfft_poisson *p, const mfft_box *part, void *data) {
  (void)data;
  const int64_t row = (part->lo[0] - p->box.lo[0]) * mfft_box_side(&p->box, 1) + part->lo[1] - p->box.lo[1];
  return p->wide + row * mfft_box_side(&p->box, 2);
}

static const void *of_wide(const mfft_poisson *p, const mfft_box *part, void *data) { return in_wide(p, part, data); }

/* Makes one of what threads have found; of_thread is freed. */
static void merge_found(mfft_poisson_found *of_thread /* [threads] */, int threads, mfft_poisson_found *all) {
  memset(all, 0, sizeof *all);
  for (int t = 0; t < threads; t++) {
    mfft_exact_merge(&all->squares, &of_thread[t].squares);
    mfft_projection_merge(&all->share, &of_thread[t].share);
    all->largest = fmax(all->largest, of_thread[t].largest);
  }
  free(of_thread);
}

/* A pass on all ranks; what all of them have found. */
static mfft_status sweep(mfft_swept *swept, int does, pass_state *pass) {
  const int threads = mfft_workers_count(mfft_threads_pool());
  pass->of_thread = calloc((size_t)threads, sizeof *pass->of_thread);
  mfft_status status = pass->of_thread ? mfft_sweep(swept, does, pass_part, pass)
                                       : mfft_app_fail(MFFT_ERR_MEMORY, "no memory to measure the field by threads");
  if (pass->of_thread) merge_found(pass->of_thread, threads, &pass->all);
  mfft_threads_book(MFFT_PHASE_CENTRE, MFFT_PHASE_CHECK, threads);
  status = mfft_app_agree(status);
  if (status != MFFT_SUCCESS) return status;
  mfft_exact_gather(&pass->all.squares);
  mfft_app_reduce(&pass->all.largest, 1, MPI_DOUBLE, MPI_MAX, "finding the largest value");
  return MFFT_SUCCESS;
}

/* The root mean square of what was swept. */
static double rms_of(const pass_state *pass) { return sqrt(mfft_exact_value(&pass->all.squares, NULL) / pass->p->cells); }

/* A device answers before it is done; what it takes is measured until then.  factor: of open boundaries, backward. */
static mfft_status transform(mfft_poisson *p, mfft_direction direction, double factor) {
  const mfft_phase before = mfft_phase_enter(MFFT_PHASE_TRANSFORM);
  const int forward = direction == MFFT_FORWARD;
  void *field = p->real.plan;
  mfft_status status;
  if (p->open.array)
    status = forward ? mfft_open_forward(&p->open, field) : mfft_open_backward(&p->open, factor, field);
  else
    status = mfft_execute(p->plan, direction, forward ? field : p->spectrum, forward ? p->spectrum : field);
  if (status == MFFT_SUCCESS) status = mfft_plan_synchronize(p->plan);
  mfft_phase_enter(before);
  return status;
}

/* ---- The source ------------------------------------------------------------------------------------------------------ */

/* The power that each output will have, of planes of the spectrum that are looked at one after another. */
static mfft_status measure_outputs(mfft_poisson *p) {
  const mfft_phase before = mfft_phase_enter(MFFT_PHASE_GREEN);
  mfft_box plane = p->modes;
  size_t bytes = (size_t)(mfft_box_side(&plane, 1) * mfft_box_side(&plane, 2)) * 2 * mfft_row_real_bytes(p->precision);
  void *copy = NULL;
  mfft_status status = mfft_app_alloc((int64_t)bytes, 1, "a plane of the spectrum", &copy);
  for (int64_t x = p->modes.lo[0]; x < p->modes.hi[0] && bytes && status == MFFT_SUCCESS; x++) {
    plane.lo[0] = x;
    plane.hi[0] = x + 1;
    status = mfft_memory_download(p->real.backend, copy, (char *)p->spectrum + (size_t)(x - p->modes.lo[0]) * bytes, bytes);
    if (status == MFFT_SUCCESS) status = mfft_greens_power(&p->greens, &plane, p->precision, copy, p->power);
  }
  mfft_free(copy);
  status = mfft_app_agree(status);
  add_over_ranks(p->power, 4);
  mfft_phase_enter(before);
  return status;
}

/* The vectors that the source and phi are projected on. */
static mfft_status prepare_check(mfft_poisson *p) {
  if (p->residual.sign[0]) return MFFT_SUCCESS; /* of the field before */
  const mfft_phase before = mfft_phase_enter(MFFT_PHASE_CHECK);
  mfft_status status = mfft_residual_create(&p->options.greens, &p->residual);
  if (status != MFFT_SUCCESS)
    mfft_app_fail(status, "no memory for the residual of a mesh of this size; leave it out (--no-check)");
  mfft_phase_enter(before);
  return mfft_app_agree(status);
}

/* The squares of what was swept fit a double with all their digits, or all of it is 0. */
static mfft_status check_squares(const pass_state *pass) {
  const double squares = mfft_exact_value(&pass->all.squares, NULL);
  if (isfinite(squares) && (pass->all.largest == 0 || isnormal(squares))) return MFFT_SUCCESS;
  return mfft_app_fail(
      MFFT_ERR_NONFINITE,
      "the values of the field, up to %.3g about their mean, are too %s: double precision cannot hold their squares; write "
      "it in other units",
      pass->all.largest, isfinite(squares) ? "small" : "large");
}

/* What is left of a uniform field is the rounding of its values: it is made 0. */
static mfft_status clear(pass_state *pass, mfft_swept *field) {
  mfft_poisson *p = pass->p;
  p->rms = pass->factor = 0;
  p->uniform = 1;
  pass->project = 0;
  memset(&p->source_share, 0, sizeof p->source_share);
  return sweep(field, MFFT_SWEEP_READS | MFFT_SWEEP_WRITES, pass);
}

static mfft_status centre_field(mfft_poisson *p, double mean, const double left[2], mfft_precision stored) {
  enum { READS = MFFT_SWEEP_READS, WRITES = MFFT_SWEEP_WRITES };
  pass_state pass = {.p = p, .shift = {left[0], left[1]}, .factor = 1, .source = of_part, .target = in_part};
  mfft_swept *field = mfft_poisson_field(p, &pass.from);
  pass.to = pass.from;
  pass.project = p->options.check;
  mfft_status status = p->options.check ? prepare_check(p) : MFFT_SUCCESS;
  if (status == MFFT_SUCCESS) status = sweep(field, READS | WRITES, &pass);
  if (status != MFFT_SUCCESS) return status;
  p->source_share = pass.all.share;
  p->mean = mean;
  p->rms = rms_of(&pass);
  p->rounding = mfft_row_epsilon(stored) * fabs(p->mean);
  if (pass.all.largest > p->rounding) status = check_squares(&pass);
  if (status != MFFT_SUCCESS) return status;
  if (mfft_row_uniform(stored, p->mean, p->rms)) return clear(&pass, field);
  if (p->rms >= mfft_row_smallest_normal(pass.to)) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_NONFINITE,
                       "the values of the field are too small for single precision, of rms %.3g about their mean; give "
                       "--precision double, or write it in other units",
                       p->rms);
}

mfft_status mfft_poisson_centre(mfft_poisson *p, double mean, const double left[2], mfft_precision stored) {
  const mfft_phase before = mfft_phase_enter(MFFT_PHASE_CENTRE);
  const mfft_status status = centre_field(p, mean, left, stored);
  mfft_phase_enter(before);
  return status;
}

mfft_status mfft_poisson_source(mfft_poisson *p) {
  mfft_status status = MFFT_SUCCESS;
  if (p->wide) {
    pass_state pass = {.p = p, .from = MFFT_SINGLE, .to = p->precision, .source = of_wide, .target = in_part};
    pass.factor = p->source_scale = p->rms > 0 ? wanted_rms(p) / p->rms : 0;
    const mfft_phase before = mfft_phase_enter(MFFT_PHASE_CENTRE);
    status = sweep(&p->real, MFFT_SWEEP_WRITES, &pass);
    mfft_phase_enter(before);
  }
  if (status == MFFT_SUCCESS) status = transform(p, MFFT_FORWARD, 1);
  return status == MFFT_SUCCESS && p->wide ? measure_outputs(p) : status;
}

void mfft_poisson_turn(mfft_poisson *p) {
  void *other = p->spare;
  p->spare = p->real.plan;
  p->real.plan = other;
}

/* ---- Outputs --------------------------------------------------------------------------------------------------------- */

/* One run of cells of a row of phi or of a component of the force, which must not be changed. */
static void look_at_row(const mfft_poisson_looking *look, const void *values, int64_t first, double *row /* [count] */,
                        int64_t count, mfft_poisson_found *here) {
  mfft_row_load(look->precision, values, first, count, row);
  here->largest = fmax(here->largest, mfft_row_magnitude(row, count));
  if (!look->project) return;
  for (int64_t i = 0; i < count; i++) row[i] *= look->factor;
  const double square = mfft_row_dot(row, row, count);
  mfft_exact_add(&here->squares, &square, 1);
}

mfft_status mfft_poisson_look_begin(mfft_poisson *p, int axis, int threads, mfft_poisson_looking *look) {
  const double c = p->options.coefficient;
  *look = (mfft_poisson_looking){
      .poisson = p, .project = axis < 0 && p->options.check, .factor = c != 0 ? 1 / fabs(c) : 1, .threads = threads};
  mfft_poisson_field(p, &look->precision);
  look->of_thread = calloc((size_t)threads, sizeof *look->of_thread);
  return look->of_thread ? MFFT_SUCCESS : mfft_app_fail(MFFT_ERR_MEMORY, "no memory to look at the output by threads");
}

mfft_status mfft_poisson_look(void *context, int thread, const mfft_box *piece, void *values) {
  const mfft_poisson_looking *look = context;
  mfft_poisson_found *here = &look->of_thread[thread];
  const int64_t count = mfft_box_side(piece, 2), rows = mfft_box_side(piece, 0) * mfft_box_side(piece, 1);
  double *row = malloc((size_t)(count + 1) * sizeof(double));
  if (!row) return MFFT_ERR_MEMORY;
  const double start = mfft_process_now();
  for (int64_t r = 0; r < rows; r++) look_at_row(look, values, r * count, row, count, here);
  free(row);
  if (!look->project) return MFFT_SUCCESS;
  const mfft_status status = mfft_residual_laplacian(&look->poisson->residual, piece, look->precision, values, &here->share);
  mfft_threads_add(MFFT_PHASE_CHECK, thread, start, mfft_process_now());
  return status;
}

void mfft_poisson_look_drop(mfft_poisson_looking *look) {
  free(look->of_thread);
  look->of_thread = NULL;
}

mfft_status mfft_poisson_look_end(mfft_poisson_looking *look, mfft_status status, double *largest) {
  mfft_poisson *p = look->poisson;
  mfft_poisson_found all = {.largest = 0};
  if (look->of_thread) merge_found(look->of_thread, look->threads, &all);
  look->of_thread = NULL;
  mfft_threads_book(MFFT_PHASE_WRITE, MFFT_PHASE_CHECK, look->beside ? 0 : look->threads);
  status = mfft_app_agree(status);
  if (status != MFFT_SUCCESS) return status;
  mfft_app_reduce(&all.largest, 1, MPI_DOUBLE, MPI_MAX, "finding the largest output");
  *largest = all.largest;
  if (!look->project) return MFFT_SUCCESS;
  mfft_exact_gather(&all.squares);
  p->phi_rms = sqrt(mfft_exact_value(&all.squares, NULL) / p->cells);
  p->phi_share = all.share;
  return MFFT_SUCCESS;
}

mfft_status mfft_poisson_output(mfft_poisson *p, int axis) {
  double factor = p->options.coefficient / p->points, unscale = 1;
  if (p->wide) {
    double power = p->power[axis + 1];
    factor = power > 0 ? wanted_rms(p) / sqrt(power / p->cells) : 0;
    unscale = power > 0 ? p->options.coefficient / (factor * p->source_scale) : 0;
  }
  const mfft_phase before = mfft_phase_enter(MFFT_PHASE_GREEN);
  const mfft_filter filter = mfft_greens_filter(&p->greens, axis, factor);
  mfft_status status = MFFT_SUCCESS;
  if (!p->open.array) status = mfft_app_agree(mfft_plan_set_filter(p->plan, MFFT_BACKWARD, &filter));
  mfft_phase_enter(before);
  if (status == MFFT_SUCCESS) status = transform(p, MFFT_BACKWARD, factor);
  if (status == MFFT_SUCCESS && p->wide) {
    pass_state pass = {
        .p = p, .from = p->precision, .to = MFFT_SINGLE, .factor = unscale, .source = of_part, .target = in_wide};
    const mfft_phase wide = mfft_phase_enter(MFFT_PHASE_WRITE);
    status = sweep(&p->real, MFFT_SWEEP_READS, &pass);
    mfft_phase_enter(wide);
  }
  return status;
}

/* The rms of the Laplacian's symbol over all modes: what it multiplies noise by. */
static double typical_eigenvalue(const mfft_greens *greens) {
  double mean[3] = {0, 0, 0}, square = 0;
  for (int a = 0; a < 3; a++)
    for (int64_t m = 0; m < greens->n[a]; m++) {
      double x = greens->laplacian[a][m], n = (double)greens->n[a];
      mean[a] += x / n;
      square += x * x / n;
    }
  return sqrt(square + 2 * (mean[0] * mean[1] + mean[1] * mean[2] + mean[2] * mean[0]));
}

double mfft_poisson_expected_rms(const mfft_poisson *p, int derivatives) {
  const double eigenvalue = typical_eigenvalue(&p->greens);
  return fabs(p->options.coefficient) * p->rms / (derivatives ? sqrt(eigenvalue) : eigenvalue);
}

mfft_poisson_check mfft_poisson_verify(mfft_poisson *p) {
  /* Relative error of one transform over sqrt(log2 N), as the tests of the library bound it. */
  static const double bounds[] = {
      [MFFT_DOUBLE] = 4e-16, [MFFT_SINGLE] = 1.7e-7, [MFFT_HALF] = 3e-4, [MFFT_BFLOAT16] = 2.6e-3};
  double error = 0, projected = 0;
  mfft_projection_gather(&p->source_share);
  mfft_projection_gather(&p->phi_share);
  /* Both sides over c, so that its size does not matter; with c = 0 phi is 0. */
  const double c = p->options.coefficient, unit = c != 0 ? 1 / c : 1, whole = c != 0 ? p->rms * sqrt(p->cells) : 0;
  for (int i = 0; i < MFFT_PROJECTIONS; i++) {
    const double source = c != 0 ? mfft_projection_value(&p->source_share, i) : 0;
    const double difference = unit * mfft_projection_value(&p->phi_share, i) - source;
    error += difference * difference / MFFT_PROJECTIONS;
    projected += source * source / MFFT_PROJECTIONS;
  }
  double rhs = mfft_greens_unfiltered(&p->options.greens) ? whole : sqrt(projected);
  double one = bounds[p->precision] * sqrt(fmax(1, log2(p->cells)));
  mfft_poisson_check check = {0, 0, 1};
  if (rhs > 0) {
    check.residual = sqrt(error) / rhs;
    /* A filter leaves of the source's rounding more than of the source. */
    check.explained = one * (1 + (whole + typical_eigenvalue(&p->greens) * p->phi_rms * sqrt(p->cells)) / rhs);
  } else
    check.residual = sqrt(error);
  check.passed = isfinite(check.residual) && check.residual <= 4 * check.explained;
  return check;
}
