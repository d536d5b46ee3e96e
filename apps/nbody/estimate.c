/* estimate.c: the memory, disk space and time of a simulation, for --dry-run. */
#include "estimate/estimate.h"

#include <inttypes.h>
#include <math.h>

#include "base/precision.h"
#include "cli/available.h"
#include "cli/report.h"
#include "estimate/probe.h"
#include "nbody/run.h"

enum { VECTOR = 3, WORD = 8 }; /* numbers; bytes of a number of the bodies' arrays */

/* Outputs that are still to be written; a run that is resumed after a step has written those of it. */
static double outputs_of(const mfft_nbody *r) {
  double outputs = 0;
  for (int i = r->step > 0 ? r->step + 1 : 0; i <= r->schedule.steps; i++) outputs += r->schedule.output[i];
  return outputs;
}

/* Bytes of a column of particles in the sequence of the input while it is written: the column itself, a place and an owner
 * for each particle, and one more column; a checkpoint has coordinates beside it, COLA whole momenta. */
static double output_bytes(const mfft_nbody *r, double share) {
  const double order = share * (VECTOR * WORD + 2 * WORD + sizeof(int32_t));
  double bytes = r->v->no_snapshots ? 0 : order + (r->stepping->with_lpt ? WORD * share : 0);
  if (r->v->checkpoint > 0) bytes = fmax(bytes, order + VECTOR * sizeof(float) * share);
  return fmax(bytes, VECTOR * WORD * share); /* a column while it is read */
}

/* Whether the gradient is taken on the mesh: by one transform whatever is asked for. */
static int on_mesh(const mfft_nbody *r) { return r->v->gradient == MFFT_GREEN_GRADIENT_MESH; }

/* Adds up the most memory that this rank holds at a time, if all ranks have equally many particles. */
static mfft_status count_memory(const mfft_nbody *r, mfft_estimate *e) {
  const double ranks = mfft_app_ranks(), share = ceil((double)r->all / ranks), capacity = share + share / 16;
  const int deposits = r->v->density || r->v->power; /* besides those of forces */
  const double leaving = WORD * share * (1 - 1 / ranks), columns = output_bytes(r, share);
  mfft_particle_mesh_need need = {0};
  mfft_particles particles;
  size_t in, out, workspace = 0, window = 0;
  const char *backend;
  mfft_particles_init(&particles);
  particles.count = (int64_t)share;
  particles.type = MFFT_POSITION_FIXED64;
  mfft_status status = mfft_plan_bytes(r->plan, MFFT_IN, &in);
  if (status == MFFT_SUCCESS) status = mfft_plan_bytes(r->plan, MFFT_OUT, &out);
  if (status == MFFT_SUCCESS) status = mfft_plan_backend(r->plan, &backend);
  if (status != MFFT_SUCCESS) return status;
  const int in_place = mfft_nbody_in_place(r->v, backend);
  status = mfft_plan_workspace_bytes(r->plan, &workspace);
  if (status == MFFT_SUCCESS) status = mfft_plan_window_bytes(r->plan, &window);
  if (status == MFFT_SUCCESS)
    status = mfft_particle_mesh_estimate(r->particle_mesh, &particles, deposits, 1 + on_mesh(r), (size_t)leaving, &need);
  if (status != MFFT_SUCCESS) return status;
  /* A density and its modes are there when the columns of a snapshot are not. */
  const double modes = !r->v->power ? 0 : in_place ? fmax((double)out - (double)in, 0) : (double)out;
  const double beside_meshes = r->v->power && mfft_nbody_blocks(r->v, backend) ? (double)workspace + (double)window : 0;
  const double fields = r->v->density || r->v->power ? (double)in + modes + beside_meshes : 0;
  if (in_place) workspace = 0;                                /* a part of the meshes, or of what a power spectrum needs */
  if (!mfft_nbody_blocks(r->v, backend)) workspace += window; /* of which transforms by blocks have their own */
  e->particle_bytes = (double)need.sorting + (columns > fields ? columns : 0);
  for (int i = 0; i < MFFT_BODY_ARRAYS; i++) e->particle_bytes += r->bodies.wants[i] ? WORD * capacity : 0;
  e->ghost_bytes = (double)need.ghosts;
  e->host_bytes =
      e->particle_bytes + e->ghost_bytes + (double)need.meshes + (double)workspace + (columns > fields ? 0 : fields);
  return MFFT_SUCCESS;
}

/* Bytes of a number of a position in the input. */
static int stored_bytes(const mfft_nbody *r) { return (int)mfft_real_bytes(r->wide ? MFFT_DOUBLE : MFFT_SINGLE); }

/* Bytes of the values that are read and written; a checkpoint stays until the next is whole. */
static void count_files(const mfft_nbody *r, mfft_estimate *e) {
  const double all = (double)r->all, real = (double)mfft_real_bytes((mfft_precision)r->v->precision),
               outputs = outputs_of(r);
  const int masses = r->bodies.wants[MFFT_BODY_MASS];
  const double stored = stored_bytes(r), ids = r->v->no_snapshots ? 0 : all * WORD;
  double checkpoint = all * VECTOR * sizeof(float);
  for (int i = 0; i < MFFT_BODY_MOVED; i++) checkpoint += r->bodies.wants[i] && i != MFFT_BODY_INDEX ? all * WORD : 0;
  e->read_bytes = all * (2 * VECTOR + masses) * stored + (r->has_ids ? outputs * ids : 0);
  if (!r->v->no_snapshots) e->write_bytes += outputs * (all * (2 * VECTOR + masses) * real + ids);
  if (r->v->density) e->write_bytes += outputs * mfft_mesh_cells(&r->mesh) * real;
  if (r->v->checkpoint > 0) e->write_bytes += 2 * checkpoint;
}

void mfft_nbody_compare_disk(const mfft_nbody *r) {
  const double gib = 0x1p30;
  const int64_t available = mfft_available_disk(r->v->output);
  mfft_estimate e = {.output = r->v->output};
  count_files(r, &e);
  if (available >= 0 && (double)available < e.write_bytes)
    mfft_app_note(
        "the outputs will take %.3g GiB, and %.3g GiB are free where '%s-...' is written: make space before they "
        "are due, or choose fewer (--outputs, --no-snapshots)",
        e.write_bytes / gib, (double)available / gib, r->v->output);
}

static mfft_probe_work count_work(const mfft_nbody *r) {
  const double all = (double)r->all, forces = r->schedule.steps + !r->stepping->drift_kick;
  const double results = VECTOR + !r->v->no_energy, outputs = r->v->density || r->v->power ? outputs_of(r) : 0;
  mfft_probe_work work = {.plan = &r->v->plan,
                          .precision = r->v->precision ? MFFT_SINGLE : MFFT_DOUBLE,
                          .assignment = (mfft_assignment)(r->v->assign + 1),
                          .threads = (int)r->v->plan.threads};
  work.deposits = (forces + outputs) * all;
  work.gathers = forces * results * all;
  work.transforms =
      (forces * (1 + (on_mesh(r) ? 1 : results)) + (r->v->power ? outputs : 0)) * mfft_probe_transform(&r->mesh);
  return work;
}

mfft_status mfft_nbody_estimate(const mfft_nbody *r) {
  mfft_probe_work work = count_work(r);
  mfft_plan_options how = r->v->plan;
  mfft_estimate e = {.output = r->v->output};
  const char *backend;
  if (!how.backend) how.backend = "fftw";
  work.plan = &how;
  work.reproducible = mfft_nbody_reproduces(how.backend);
  mfft_status status = count_memory(r, &e);
  if (status == MFFT_SUCCESS) status = mfft_plan_backend(r->plan, &backend);
  count_files(r, &e);
  if (status == MFFT_SUCCESS)
    status = mfft_probe_snapshot(r->input, 1u << r->type, stored_bytes(r), e.read_bytes, &e.read_s);
  if (status == MFFT_SUCCESS) status = mfft_probe(&work, &e.work_s);
  if (status != MFFT_SUCCESS) return status;
  mfft_app_print("%s: %" PRId64 " particles on %" PRId64 "x%" PRId64 "x%" PRId64
                 " cells, %d steps, %g outputs -> %s-..., "
                 "nothing is written\n",
                 r->v->input, r->all, r->mesh.n[0], r->mesh.n[1], r->mesh.n[2], r->schedule.steps, outputs_of(r),
                 r->v->output);
  mfft_estimate_print_plan(r->plan, backend, r->v->precision ? "single" : "double");
  return mfft_estimate_print(&e, "simulate");
}
