/* force.c: `mergefft force` computes the accelerations of the particles of a snapshot on a mesh. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/wave_number.h"
#include "catalogue/job.h"
#include "catalogue/owned.h"
#include "cli/commands.h"
#include "cli/phases.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/targets.h"
#include "cli/timing.h"
#include "estimate/estimate.h"
#include "estimate/probe.h"
#include "force/check.h"
#include "force/write.h"
#include "gen/gravity.h"
#include "io/threads.h"
#include "mesh/blocks.h"
#include "mesh/particle_words.h"
#include "mfft_field.h"
#include "mfft_memory.h"

typedef struct force {
  const char *input, *output;
  mfft_cli_sizes n;
  mfft_cli_reals boxsize;
  int assign, gradient, laplacian, dry_run;
  int64_t deconvolve, blocks, check, seed;
  double split, gravity;
  mfft_catalogue_options catalogue;
  mfft_plan_options plan;
  mfft_sweep_options sweep;
  mfft_timing_options timing;
} force;

#define AT(member) offsetof(force, member)
static const mfft_cli_option options[] = {
    {"output", 'o', MFFT_CLI_TEXT, AT(output), "FILE", .help = "snapshot to write, in GADGET HDF5", .required = 1},
    {"n", 'n', MFFT_CLI_SIZES, AT(n), "N",
     .help = "cells along each side of the mesh; default: twice the particles along a side", .min = 1, .max = 1 << 20},
    {"assign", 'a', MFFT_CLI_CHOICE, AT(assign), "HOW", "window of mass assignment and of force interpolation",
     .fallback = "tsc", .choices = MFFT_ASSIGN_WORDS},
    {"gradient", 0, MFFT_CLI_CHOICE, AT(gradient), "KIND",
     "gradient of the potential: a stencil of order 4 in k-space, spectral, or that stencil on the mesh", .fallback = "fd4",
     .choices = MFFT_GRADIENT_WORDS},
    {"blocks", 0, MFFT_CLI_TABLE, AT(blocks), .table = mfft_blocks_options_table},
    {"greens", 0, MFFT_CLI_CHOICE, AT(laplacian), "KIND", "Laplacian: spectral, or of a stencil of order 2 or 4",
     .fallback = "spectral", .choices = MFFT_GREEN_WORDS},
    {"deconvolve", 0, MFFT_CLI_INT, AT(deconvolve), "TIMES",
     "divide by the window: 0, 1 or 2 times (amplifies the noise of particles unless --asmth is given too)", .fallback = "0",
     .max = 2},
    {"asmth", 0, MFFT_CLI_REAL, AT(split), "CELLS", "long-range part only: exp(-k^2 rs^2), rs in widths of the widest cell",
     .fallback = "0", .max = 1e6},
    {"gravity", 0, MFFT_CLI_REAL, AT(gravity), "G",
     .help = "gravitational constant in the units of the result; default: from the units of the snapshot", .min = 1e-300,
     .max = 1e300},
    {"check", 0, MFFT_CLI_INT, AT(check), "N",
     "compare N particles, drawn without repetition, with a direct Ewald sum over all particles, which takes minutes for 20 "
     "of two million particles "
     "on one core",
     .fallback = "0", .max = 1e6},
    {"seed", 's', MFFT_CLI_INT, AT(seed), "N", "seed of the particles that --check draws", .fallback = "1", .max = 9e15},
    {"boxsize", 'L', MFFT_CLI_REALS, AT(boxsize), "L", "side of the periodic box, or Lx,Ly,Lz; default: BoxSize of the file",
     .min = MFFT_LENGTH_MIN, .max = MFFT_LENGTH_MAX},
    {"dry", 0, MFFT_CLI_TABLE, AT(dry_run), .table = mfft_estimate_options_table},
    {"snapshot", 0, MFFT_CLI_TABLE, AT(catalogue), .table = mfft_catalogue_options_table},
    {"plan", 0, MFFT_CLI_TABLE, AT(plan), .table = mfft_plan_options_table},
    {"sweep", 0, MFFT_CLI_TABLE, AT(sweep), .table = mfft_sweep_options_table},
    {"timing", 0, MFFT_CLI_TABLE, AT(timing), .table = mfft_timing_options_table},
    {0}};

static const char description[] =
    "Computes the accelerations and potentials of the particles of a snapshot by a periodic particle mesh: deposit, "
    "transform, Green's function, gradient, and interpolation by the same window. The defaults have the "
    "smallest errors of a pure particle mesh (docs/particles.md).\n"
    "\n"
    "The result is a snapshot with the particles in the order of the input, and with columns Acceleration and Potential, "
    "in the precision of its positions. Both are as in GADGET: the potential, mass over comoving distance, is in (km/s)^2, "
    "the acceleration, its gradient over a^2, in (km/s)^2 over the unit of length of the snapshot. --gravity gives other "
    "units, without a.\n"
    "\n"
    "--check draws particles and sums up the forces of all others and of all their images. A mesh does not resolve the "
    "forces of pairs nearer than a cell or two; the median, the 90 % quantile and the maximum of the errors show how many "
    "there are. The potential on a mesh includes the self-energy of the particle.\n"
    "\n"
    "  mergefft force snapshot_007.hdf5 -o force.hdf5 -n 256 --check 100\n"
    "  mpirun -n 4 mergefft force ic.hdf5 -o force.hdf5 -a pcs\n"
    "  mergefft force old.dat --units kpc -o long.hdf5 -n 256 -a cic --asmth 1.25 --deconvolve 2";

/* Computes G in units of the result, times the stored mass of a particle of weight 1. */
static mfft_status choose_gravity(const force *f, const mfft_catalogue *c, double *gravity) {
  const double mass = c->info.mass_1e10_msun_h > 0             ? c->info.mass_1e10_msun_h
                      : f->catalogue.units >= MFFT_LENGTHS_MPC ? 1
                                                               : 0;
  *gravity = f->gravity;
  if (!isnan(f->gravity)) return MFFT_SUCCESS;
  if (!(mass > 0) || !(c->to_mpc_h > 0))
    return mfft_app_fail(MFFT_ERR_ARG,
                         "'%s' does not contain its units; give --units mpc or kpc (with masses in 1e10 Msun/h), "
                         "or --gravity",
                         c->path);
  *gravity = MFFT_GRAVITY * mass / c->to_mpc_h;
  return MFFT_SUCCESS;
}

/* ---- The solve ------------------------------------------------------------------------------------------------------- */

/* Results at the owners, and for this rank's share in the order of the file. */
typedef struct results {
  void *owned, *acceleration, *potential; /* [owned][4], [share][3], [share] doubles */
} results;

/* Copies results from where the solve has them, and frees that. */
static mfft_status end_solve(mfft_status status, int64_t count, mfft_placed *mass, mfft_placed *forces) {
  if (status == MFFT_SUCCESS) status = mfft_app_agree(mfft_placed_fetch(forces, (size_t)count * 4 * sizeof(double)));
  mfft_placed_free(mass);
  mfft_placed_free(forces);
  return status;
}

static mfft_status solve(const force *f, const mfft_catalogue *c, double gravity, mfft_particle_mesh mesh,
                         const mfft_owned *owned, results *r) {
  const int64_t count = owned->particles.count;
  const char *device = owned->placed.device;
  mfft_placed mass = {0}, forces = {0};
  mfft_force_desc desc;
  mfft_status status = mfft_app_alloc(count, 4 * sizeof(double), "the forces", &r->owned);
  if (status == MFFT_SUCCESS) status = mfft_placed_create(device, owned->mass, count, sizeof(double), "the masses", &mass);
  if (status == MFFT_SUCCESS) status = mfft_placed_put(&mass, (size_t)count * sizeof(double));
  if (status == MFFT_SUCCESS)
    status = mfft_placed_create(device, r->owned, count, 4 * sizeof(double), "the forces", &forces);
  status = mfft_app_agree(status);
  if (status != MFFT_SUCCESS) return end_solve(status, count, &mass, &forces);
  double *result = forces.data; /* [count][3] accelerations, then [count] potentials */
  mfft_force_desc_init(&desc);
  desc.mass = mass.data;
  desc.coefficient = 4 * MFFT_PI * gravity * mfft_catalogue_unit_mass(c);
  desc.laplacian = (mfft_green_laplacian)f->laplacian;
  desc.gradient = (mfft_green_gradient)f->gradient;
  desc.deconvolve = (int)f->deconvolve;
  desc.split = f->split;
  for (int a = 0; a < 3; a++) desc.force[a] = result + a * count;
  desc.potential = result + 3 * count;
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_TRANSFORM);
  mfft_progress_start("solving", 0);
  status = mfft_particles_force(mesh, &owned->particles, &desc);
  mfft_phase_enter(before);
  return end_solve(status, count, &mass, &forces);
}

/* Sends the results back to the ranks that have read the particles, one component after another. */
static mfft_status give_back(const mfft_catalogue *c, const mfft_owned *owned, results *r) {
  const int64_t count = owned->particles.count;
  mfft_status status = mfft_app_alloc(c->count, 3 * sizeof(double), "the accelerations", &r->acceleration);
  if (status == MFFT_SUCCESS) status = mfft_app_alloc(c->count, sizeof(double), "the potential", &r->potential);
  status = mfft_app_agree(status);
  for (int a = 0; a < 3 && status == MFFT_SUCCESS; a++) {
    status = mfft_owned_return(owned, sizeof(double), (double *)r->owned + a * count, r->potential, c->count);
    for (int64_t i = 0; status == MFFT_SUCCESS && i < c->count; i++)
      ((double *)r->acceleration)[3 * i + a] = ((double *)r->potential)[i];
  }
  if (status != MFFT_SUCCESS) return status;
  return mfft_owned_return(owned, sizeof(double), (double *)r->owned + 3 * count, r->potential, c->count);
}

/* Whether the gradient is taken on the mesh: in place, as one array then suffices. */
static int on_mesh(const force *f) { return f->gradient == MFFT_GREEN_GRADIENT_MESH; }

static mfft_status make_plan(const force *f, const mfft_mesh *mesh, mfft_plan *plan) {
  const mfft_plan_options cpu = mfft_catalogue_plan_options(&f->plan);
  mfft_desc desc;
  mfft_options how;
  mfft_desc_init(&desc);
  mfft_options_init(&how);
  memcpy(desc.n, mesh->n, sizeof desc.n);
  desc.kind = MFFT_R2C;
  desc.order = MFFT_ORDER_TRANSPOSED;
  desc.filtered = 1u << MFFT_BACKWARD;
  how.effort = MFFT_ESTIMATE;
  mfft_plan_options_apply(&cpu, &how);
  desc.placement = on_mesh(f) ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  how.user_workspace = on_mesh(f);
  how.late_window = on_mesh(f) && f->blocks > 0; /* a plan whose transforms go by blocks does not execute */
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_PLAN);
  const mfft_status status = mfft_plan_options_create(&desc, &how, plan);
  mfft_phase_enter(before);
  return status;
}

/* ---- Estimates for --dry-run -------------------------------------------------------------------------------------- */

/* Adds up the most memory that the solve and the writing hold at a time on this rank. */
static mfft_status count_memory(const force *f, const mfft_catalogue *c, mfft_plan plan, const mfft_particle_mesh_desc *how,
                                mfft_particle_mesh mesh, mfft_estimate *e) {
  const mfft_owned_bytes owned = mfft_owned_estimate(c, 0, 0);
  const double ranks = mfft_app_ranks(), count = (double)c->count, result = 4 * sizeof(double), column = 3 * sizeof(double);
  mfft_particle_mesh_need need = {0};
  mfft_particles particles;
  size_t own = 0; /* of the plan */
  mfft_particles_init(&particles);
  particles.count = c->count;
  particles.type = c->number == MFFT_SNAPSHOT_FLOAT32 ? MFFT_POSITION_SINGLE : MFFT_POSITION_DOUBLE;
  mfft_status status = MFFT_SUCCESS;
  if (!on_mesh(f))
    status = mfft_plan_own_bytes(plan, &own);
  else if (!how->blocks) /* the workspace is a part of the mesh; transforms by blocks do not touch the window */
    status = mfft_plan_window_bytes(plan, &own);
  if (status == MFFT_SUCCESS)
    status =
        mfft_particle_mesh_estimate(mesh, &particles, 1, 1 + on_mesh(f), (size_t)(owned.largest * (1 - 1 / ranks)), &need);
  /* Results are with the owners and in the order of the file, then with a column of the file. */
  const double solving = owned.held + (double)need.sorting + (ranks > 1 ? count * sizeof(int32_t) : 0);
  e->particle_bytes = 2 * count * result + fmax(solving, count * column);
  e->ghost_bytes = (double)need.ghosts;
  e->host_bytes = e->particle_bytes + e->ghost_bytes + (double)need.meshes + (double)own;
  return status;
}

/* --dry-run. */
static mfft_status estimate(const force *f, const mfft_catalogue *c, const mfft_mesh *mesh, mfft_plan plan,
                            const mfft_particle_mesh_desc *desc, mfft_particle_mesh particle_mesh) {
  const mfft_plan_options how = mfft_catalogue_plan_options(&f->plan);
  mfft_probe_work work = {.plan = &how, .assignment = desc->assignment, .threads = desc->threads};
  mfft_estimate e = {.output = f->output, .read_bytes = mfft_catalogue_bytes(c, 0)};
  double copied, made;
  work.deposits = (double)c->all;
  work.gathers = 4 * (double)c->all;
  work.transforms = (on_mesh(f) ? 2 : 5) * mfft_probe_transform(mesh);
  mfft_status status = count_memory(f, c, plan, desc, particle_mesh, &e);
  if (status == MFFT_SUCCESS) status = mfft_force_write_bytes(c, &copied, &made);
  if (status != MFFT_SUCCESS) return status;
  e.read_bytes += copied;
  e.write_bytes = copied + made;
  status = mfft_probe_snapshot(c->snapshot, c->types, (int)mfft_catalogue_number_bytes(c->number), e.read_bytes, &e.read_s);
  if (status == MFFT_SUCCESS) status = mfft_probe(&work, &e.work_s);
  if (status != MFFT_SUCCESS) return status;
  mfft_app_print("%s: %" PRId64 " particles on %" PRId64 "x%" PRId64 "x%" PRId64 " cells -> %s, nothing is written\n",
                 c->path, c->all, mesh->n[0], mesh->n[1], mesh->n[2], f->output);
  mfft_estimate_print_plan(plan, how.backend, "double");
  return mfft_estimate_print(&e, "solve");
}

static mfft_status choose_blocks(const force *f, mfft_plan plan, mfft_particle_mesh_desc *desc) {
  const char *backend;
  const mfft_status status = mfft_plan_backend(plan, &backend);
  if (status == MFFT_SUCCESS) desc->blocks = mfft_blocks_choose(f->blocks, on_mesh(f), backend);
  return status;
}

static mfft_status make_forces(const force *f, const mfft_catalogue *c, const mfft_mesh *mesh, double gravity, results *r) {
  const mfft_particle_placement here = {.fold = 1};
  mfft_particle_mesh_desc desc;
  mfft_particle_mesh particle_mesh = NULL;
  mfft_owned owned = {0};
  mfft_plan plan = NULL;
  mfft_particle_mesh_desc_init(&desc);
  memcpy(desc.length, c->length, sizeof desc.length);
  desc.assignment = (mfft_assignment)(f->assign + 1);
  mfft_status status = make_plan(f, mesh, &plan);
  if (status == MFFT_SUCCESS) status = mfft_field_threads(MPI_COMM_WORLD, &desc.threads);
  if (status == MFFT_SUCCESS) status = choose_blocks(f, plan, &desc);
  if (status == MFFT_SUCCESS) status = mfft_particle_mesh_create(plan, &desc, &particle_mesh);
  if (status == MFFT_SUCCESS && f->dry_run) {
    status = estimate(f, c, mesh, plan, &desc, particle_mesh);
  } else if (status == MFFT_SUCCESS) {
    status = mfft_owned_load(c, mesh, plan, particle_mesh, &here, 0, &owned);
    if (status == MFFT_SUCCESS) status = solve(f, c, gravity, particle_mesh, &owned, r);
    if (status == MFFT_SUCCESS) status = give_back(c, &owned, r);
  }
  mfft_owned_free(&owned);
  mfft_particle_mesh_destroy(particle_mesh);
  mfft_plan_destroy(plan);
  return status;
}

/* ---- The run --------------------------------------------------------------------------------------------------------- */

static mfft_status make(const void *values, const mfft_catalogue *c) {
  const force *f = values;
  const mfft_mesh mesh = mfft_catalogue_mesh(c, &f->n);
  mfft_force_errors errors = {0};
  results r = {0};
  double gravity;
  const double growth = isnan(f->gravity) ? pow(1 + c->info.redshift, 2) : 1; /* 1/a^2 */
  mfft_status status = choose_gravity(f, c, &gravity);
  if (status == MFFT_SUCCESS) status = make_forces(f, c, &mesh, gravity, &r);
  if (f->dry_run) return status;
  for (int64_t i = 0; status == MFFT_SUCCESS && i < 3 * c->count; i++) ((double *)r.acceleration)[i] *= growth;
  mfft_progress_start("writing", 0);
  if (status == MFFT_SUCCESS) status = mfft_force_write(c, f->output, r.acceleration, r.potential);
  if (status == MFFT_SUCCESS && f->check > 0)
    status = mfft_force_check(c, r.acceleration, gravity * growth, f->check, (uint64_t)f->seed, &errors);
  mfft_progress_end();
  mfft_free(r.owned);
  mfft_free(r.acceleration);
  mfft_free(r.potential);
  if (status != MFFT_SUCCESS) return status;
  mfft_app_print("%s: forces of %" PRId64 " particles on %" PRId64 "x%" PRId64 "x%" PRId64 " cells, G = %.6g\n", f->output,
                 c->all, mesh.n[0], mesh.n[1], mesh.n[2], gravity);
  if (f->check > 0)
    mfft_app_print("errors of %" PRId64
                   " accelerations against a direct Ewald sum: median %.3g, 90 %% below %.3g, worst "
                   "%.3g\n",
                   errors.count, errors.median, errors.ninety, errors.worst);
  mfft_json *json = mfft_timing_json();
  mfft_json_number(json, "gravity", gravity);
  if (f->check > 0) mfft_json_number(json, "error_median", errors.median);
  return MFFT_SUCCESS;
}

static int run(void *values) {
  const force *f = values;
  const mfft_catalogue_job job = {.command = &mfft_command_force,
                                  .input = f->input,
                                  .output = f->output,
                                  .boxsize = &f->boxsize,
                                  .catalogue = &f->catalogue,
                                  .sweep = &f->sweep,
                                  .timing = &f->timing,
                                  .make = make,
                                  .values = f};
  const mfft_cli_need seed = {"seed", f->check > 0, "the particles that --check draws"};
  if (mfft_cli_check_needs(&mfft_command_force, &seed, 1)) return MFFT_EXIT_USAGE;
  return mfft_catalogue_job_run(&job);
}

const mfft_command mfft_command_force = {
    .name = "force",
    .summary = "compute the forces of the particles of a snapshot",
    .operands = "SNAPSHOT",
    .min_operands = 1,
    .max_operands = 1,
    .operands_offset = AT(input),
    .description = description,
    .options = options,
    .values_bytes = sizeof(force),
    .run = run,
};
