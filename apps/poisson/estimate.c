/* estimate.c: see estimate.h.
 *
 * Times are those of a small job, measured now and scaled: a solve of a cube of a quarter of the cells a side, 128 to 256,
 * with the same options and ranks, scaled by N log N; and some planes of the field, read and written as the job does, scaled
 * by bytes.  Kernels of open axes are made once for the cube, whose cells have the shape of the job's, and that time is
 * scaled by the points of their meshes.  Reads may come from the page cache; writes are flushed to disk.  The estimate is
 * too short if the network or the disk is slower for what is large than for what is small. */
#include "poisson/estimate.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/process.h"
#include "estimate/estimate.h"
#include "io/rows.h"
#include "poisson/inspect.h"
#include "poisson/make_solver.h"
#include "poisson/solver_rows.h"

/* Cells of a side; OPEN: at least so many with open axes, so that making the kernel takes long enough to be timed. */
enum { PROBE_LEAST = 128, PROBE_MOST = 256, PROBE_STEP = 16, PROBE_OPEN = 64 };

static int outputs_of(const mfft_poisson_job *j) { return j->v->gradient == MFFT_GRADIENT_NONE ? 1 : MFFT_POISSON_OUTPUTS; }

static double cells_of(const mfft_poisson_job *j) { return mfft_mesh_cells(&j->mesh); }

/* The precision of the results in the file. */
static mfft_precision stored_precision(const mfft_poisson_job *j) {
  return mfft_poisson_precision(j) == MFFT_DOUBLE ? MFFT_DOUBLE : MFFT_SINGLE;
}

static mfft_estimate begin(const mfft_poisson_job *j) {
  const double stored = (double)mfft_real_bytes(stored_precision(j));
  return (mfft_estimate){.input = j->input,
                         .output = j->output,
                         .read_bytes = cells_of(j) * (double)mfft_real_bytes(j->info.precision),
                         .write_bytes = cells_of(j) * stored * outputs_of(j)};
}

static mfft_status fill_probe(void *context, const mfft_box *part, void *data) {
  const mfft_precision precision = *(const mfft_precision *)context;
  const double value[2] = {1, -1};
  for (int64_t i = 0, cells = mfft_box_cells(part); i < cells; i++) mfft_row_store(precision, data, i, 1, &value[i % 2]);
  return MFFT_SUCCESS;
}

/* Bytes that making the kernels of the open axes of a job takes, which are in proportion to the time; 0: it has none. */
static double kernel_bytes_of(const mfft_poisson_job *j) {
  mfft_boundary boundary[3]; /* [axis] */
  mfft_boundary_parse(j->v->boundary, boundary);
  const mfft_open open = {.mesh = mfft_open_mesh_of(j->mesh.n, j->mesh.length, boundary),
                          .kind = (mfft_open_kind)j->v->open_kernel,
                          .gradient = (mfft_gradient)j->v->gradient};
  return mfft_boundary_open(boundary) ? (double)mfft_open_making_bytes(&open) : 0;
}

/* The side of the cube: a quarter of that of the job, so that it takes some 1/80 of the time of the job, but long enough
 * that messages and the start of threads do not count. */
static int probe_side(const mfft_poisson_job *j) {
  const double side = cbrt(cells_of(j)), least = side < PROBE_LEAST ? side : PROBE_LEAST;
  const int wanted = (int)fmin(fmax(side / 4, least), PROBE_MOST);
  if (wanted < PROBE_OPEN && kernel_bytes_of(j) > 0) return PROBE_OPEN;
  return wanted > PROBE_STEP ? wanted / PROBE_STEP * PROBE_STEP : PROBE_STEP;
}

static mfft_status see_part(void *context, const mfft_box *part, void *data) {
  return mfft_poisson_inspect(context, 0, part, data);
}

/* Inspects phi, as a job does while it is written. */
static mfft_status inspect_probe(mfft_poisson *p) {
  mfft_poisson_inspection inspection;
  mfft_precision precision;
  uint64_t checksum;
  double largest;
  if (mfft_poisson_by_rows(p)) return mfft_poisson_inspect_rows(p, -1, &largest, &checksum);
  mfft_status status = mfft_poisson_inspect_begin(p, -1, 1, &inspection);
  if (status == MFFT_SUCCESS)
    status = mfft_sweep(mfft_poisson_field(p, &precision), MFFT_SWEEP_READS, see_part, &inspection);
  return mfft_poisson_inspect_end(&inspection, status, &largest);
}

/* A solve on a small cube without reading and writing files, and its seconds on this rank.  The clock starts when the cube
 * is filled, since the field of the job comes from a file. */
static mfft_status solve_probe(mfft_poisson *p, int outputs, double *seconds) {
  mfft_precision precision;
  mfft_swept *field = mfft_poisson_field(p, &precision);
  mfft_status status = mfft_app_agree(mfft_sweep(field, MFFT_SWEEP_WRITES, fill_probe, &precision));
  const double start = mfft_process_now();
  if (status == MFFT_SUCCESS) status = mfft_poisson_centre(p, 0, (double[]){0, 0}, precision);
  if (status == MFFT_SUCCESS) status = mfft_poisson_source(p);
  for (int output = 0; output < outputs && status == MFFT_SUCCESS; output++) {
    status = mfft_poisson_output(p, output - 1);
    if (status == MFFT_SUCCESS && output == 0) status = inspect_probe(p);
  }
  *seconds = mfft_process_now() - start;
  return status;
}

/* Estimates the seconds of the solve of the job from those of a cube; on a device, of a larger one, and of its second solve,
 * since the first one loads kernels and makes graphs, which take as long for any size. */
static mfft_status estimate_solve(const mfft_poisson_job *j, int side, double *seconds) {
  mfft_poisson_job small = *j;
  memset(&small.solver, 0, sizeof small.solver);
  const double cells = (double)side * side * side;
  for (int a = 0; a < 3; a++) {
    small.mesh.n[a] = side;
    small.mesh.length[a] *= (double)side / (double)j->mesh.n[a];
  }
  mfft_status status = mfft_poisson_make_solver(&small);
  const int again =
      status == MFFT_SUCCESS && small.solver.device && side < PROBE_MOST; /* too little work to time a GPU by */
  if (status == MFFT_SUCCESS && small.solver.device && !again) {
    status = solve_probe(&small.solver, outputs_of(j), seconds);
    mfft_poisson_reset(&small.solver, small.coefficient);
  }
  if (status == MFFT_SUCCESS && !again) {
    status = solve_probe(&small.solver, outputs_of(j), seconds);
    *seconds = mfft_app_slowest(*seconds) * (cells_of(j) * log2(cells_of(j))) / (cells * log2(cells));
    if (kernel_bytes_of(j) > 0)
      *seconds += mfft_app_slowest(small.solver.open_s) * kernel_bytes_of(j) / kernel_bytes_of(&small);
  }
  mfft_poisson_destroy(&small.solver);
  return again ? estimate_solve(j, PROBE_MOST, seconds) : status;
}

static mfft_status measure(const mfft_poisson_job *j, mfft_estimate *e) {
  const mfft_estimate_field field = {.info = &j->info, .stored = stored_precision(j)};
  const mfft_status status = mfft_estimate_time_field(e, &field);
  return status == MFFT_SUCCESS ? estimate_solve(j, probe_side(j), &e->work_s) : status;
}

/* ---- The report ------------------------------------------------------------------------------------------------------ */

mfft_status mfft_poisson_dry_run(const mfft_poisson_job *job) {
  mfft_poisson_job j = *job;
  mfft_estimate e = begin(job);
  const int64_t *n = job->mesh.n;
  memset(&j.solver, 0, sizeof j.solver);
  j.outline = 1;
  mfft_status status = mfft_poisson_make_solver(&j);
  if (status == MFFT_SUCCESS) {
    const mfft_poisson *p = &j.solver;
    e.host_bytes = (double)(p->device ? p->host_bytes : p->bytes);
    e.device_bytes = p->device ? (double)(p->bytes - p->host_bytes) : 0;
    mfft_app_print("%s: %s %" PRId64 "x%" PRId64 "x%" PRId64 " -> %s, nothing is written\n", j.input, j.info.dataset, n[0],
                   n[1], n[2], j.output);
    mfft_estimate_print_plan(p->plan, p->real.backend, mfft_cli_choice_name(MFFT_POISSON_PRECISIONS, (int)p->precision));
    mfft_estimate_print_needs(&e);
  }
  mfft_poisson_destroy(&j.solver);
  j.outline = 0;
  if (status == MFFT_SUCCESS) status = measure(&j, &e);
  if (status == MFFT_SUCCESS) mfft_estimate_print_times(&e, "solve");
  return status;
}

mfft_status mfft_poisson_estimate(const mfft_poisson_job *j) {
  /* Rates of a fast core and a fast disk: only a job of 10 s or more at these rates is worth the time of a measurement. */
  static const double cells_per_s = 1e8, bytes_per_s = 4e9, long_s = 10;
  mfft_estimate e = begin(j);
  const double least =
      (cells_of(j) * (1 + outputs_of(j)) / mfft_app_ranks() + kernel_bytes_of(j) / sizeof(double)) / cells_per_s +
      (e.read_bytes + e.write_bytes) / bytes_per_s;
  if (least < long_s) return MFFT_SUCCESS;
  const mfft_status status = measure(j, &e);
  const double seconds = e.read_s + e.work_s + e.write_s;
  if (status == MFFT_SUCCESS && seconds > long_s)
    mfft_app_note("this will take about %.2g s: read %.2g s, solve %.2g s, write %.2g s; see --dry-run", seconds, e.read_s,
                  e.work_s, e.write_s);
  return status;
}

mfft_status mfft_poisson_bound(const mfft_poisson_job *j) {
  const mfft_estimate e = begin(j);
  return mfft_timing_bound(mfft_untrusted_path(j->input), (int64_t)e.read_bytes, j->output, (int64_t)e.write_bytes);
}
