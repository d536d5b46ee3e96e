/* ic.c: `mergefft ic` makes initial conditions of a simulation. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/precision.h"
#include "cli/commands.h"
#include "cli/phases.h"
#include "cli/process.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/targets.h"
#include "cli/timing.h"
#include "estimate/estimate.h"
#include "gen/spectrum_options.h"
#include "ic/lattice.h"
#include "ic/linear.h"
#include "ic/lpt.h"
#include "io/input.h"
#include "io/rows.h"
#include "io/threads.h"
#include "nbody/background.h"

typedef struct ic {
  const char *output, *displacements, *density, *dataset;
  mfft_cli_sizes n;
  mfft_cli_reals boxsize;
  int order, precision, masses, dry_run;
  int64_t seed, files;
  double redshift;
  mfft_spectrum_options linear;
  mfft_plan_options plan;
  mfft_sweep_options sweep;
  mfft_timing_options timing;
} ic;

#define AT(member) offsetof(ic, member)
static const mfft_cli_option options[] = {
    {"output", 'o', MFFT_CLI_TEXT, AT(output), "FILE", .help = "write the particles to FILE, a snapshot in GADGET HDF5"},
    {"displacements", 'D', MFFT_CLI_TEXT, AT(displacements), "FILE",
     .help = "write the fields delta, dx, dy and dz of the lattice to FILE; displacements in Mpc/h"},
    {"n", 'n', MFFT_CLI_SIZES, AT(n), "N",
     .help = "particles along each side of the box; default: 128, or those of "
             "--density",
     .min = 2, .max = 1 << 20},
    {"boxsize", 'L', MFFT_CLI_REALS, AT(boxsize), "L",
     .help = "side of the periodic box in Mpc/h; default: 1000, or that of "
             "--density",
     .min = MFFT_LENGTH_MIN, .max = MFFT_LENGTH_MAX},
    {"redshift", 'z', MFFT_CLI_REAL, AT(redshift), "Z", "redshift of the initial conditions", .fallback = "49", .min = 0,
     .max = 1e4},
    {"order", 0, MFFT_CLI_CHOICE, AT(order), "ORDER", "order of Lagrangian perturbation theory", .fallback = "2",
     .choices = "1|2"},
    {"seed", 's', MFFT_CLI_INT, AT(seed), "N", "number of the realisation", .fallback = "1", .max = 9e15},
    {"density", 0, MFFT_CLI_TEXT, AT(density), "FILE",
     .help = "read the linear density contrast at --redshift from this field, instead of drawing it by --seed"},
    {"dataset", 'd', MFFT_CLI_TEXT, AT(dataset), "NAME", .help = "name of the dataset of --density; default: the only one"},
    {"precision", 'p', MFFT_CLI_CHOICE, AT(precision), "TYPE", "precision of the files; computations are in double",
     .fallback = "single", .choices = "double|single"},
    {"masses", 0, MFFT_CLI_FLAG, AT(masses), NULL,
     .help = "store a column of masses in addition to the header's mass, for SWIFT"},
    {"files", 0, MFFT_CLI_INT, AT(files), "N", "write the particles in a set of so many files, NAME.0.hdf5 and so on",
     .fallback = "1", .min = 1, .max = 256},
    {"linear", 0, MFFT_CLI_TABLE, AT(linear), .table = mfft_spectrum_options_table},
    {"dry", 0, MFFT_CLI_TABLE, AT(dry_run), .table = mfft_estimate_options_table},
    {"plan", 0, MFFT_CLI_TABLE, AT(plan), .table = mfft_plan_options_table},
    {"sweep", 0, MFFT_CLI_TABLE, AT(sweep), .table = mfft_sweep_options_table},
    {"timing", 0, MFFT_CLI_TABLE, AT(timing), .table = mfft_timing_options_table},
    {0}};

static const char description[] =
    "Makes initial conditions: particles of dark matter, one at each point of a cubic lattice, displaced by Lagrangian "
    "perturbation theory of first (Zel'dovich) or second order from a Gaussian linear density.\n"
    "\n"
    "The density has the linear power spectrum of a LambdaCDM universe (Eisenstein and Hu 1998, normalised to sigma8), or "
    "that of the table --spectrum, scaled by the growth from --spectrum-z and, with --sigma8, normalised. Its "
    "modes are functions of the seed and of their wave number: --n and the number of ranks do not change the waves that two "
    "runs of one seed have in common. Modes at the Nyquist wave number are 0. The products of second order are made on a "
    "mesh of 3/2 the side, which keeps them free of aliases.\n"
    "\n"
    "The snapshot is GADGET HDF5 in Mpc/h, 1e10 solar masses/h and km/s, velocities over sqrt(a), particles of type 1; "
    "identities number the points of the lattice from 1, z fastest. Lattice points are at multiples of L/N. "
    "--displacements writes the fields of the lattice.\n"
    "\n"
    "  mergefft ic -n 128 -L 256 -z 49 -o ic.hdf5\n"
    "  mpirun -n 4 mergefft ic -n 256 -L 500 --seed 7 -o ic.hdf5 --displacements psi.h5 -p double\n"
    "  mergefft ic -n 128 -L 256 --spectrum camb_matterpower.dat --omega-m 0.315 --h 0.674 -o ic.hdf5\n"
    "  mergefft ic --density delta.h5 --order 1 --displacements psi.h5";

/* ---- Options --------------------------------------------------------------------------------------------------------- */

static int check(ic *c) {
  const mfft_command *me = &mfft_command_ic;
  if (!c->output && !c->displacements) return mfft_cli_usage(me, "give --output, --displacements or both");
  if (c->dataset && !c->density) return mfft_cli_usage(me, "--dataset: needs --density");
  for (int axis = 1; axis < 3; axis++)
    if (c->n.count > 1 && c->n.v[axis] != c->n.v[0])
      return mfft_cli_usage(me, "--n: the lattice is a cube; give one length");
  for (int axis = 1; axis < 3; axis++)
    if (c->boxsize.count > 1 && c->boxsize.v[axis] != c->boxsize.v[0])
      return mfft_cli_usage(me, "--boxsize: the box is a cube; give one length");
  if (c->density && c->n.count) return mfft_cli_usage(me, "--n: the mesh is that of the field of --density; omit --n");
  if (c->density && c->linear.table)
    return mfft_cli_usage(me, "--spectrum: the modes are those of --density; leave one of the two out");
  const int code = mfft_spectrum_options_check(me, &c->linear);
  if (code) return code;
  mfft_target targets[2 + MFFT_TIMING_TARGETS] = {{"--output", c->output, &mfft_field_kind},
                                                  {"--displacements", c->displacements, &mfft_field_kind}};
  mfft_timing_targets(&c->timing, targets + 2);
  const char *input = c->density ? c->density : c->linear.table;
  return mfft_targets_check(me, &input, input ? 1 : 0, targets, 2 + MFFT_TIMING_TARGETS);
}

/* Finds the mesh from the options or from the file of the density. */
static mfft_status find_mesh(const ic *c, mfft_field_info *info, mfft_mesh *mesh) {
  for (int axis = 0; axis < 3; axis++) {
    mesh->n[axis] = c->n.count ? c->n.v[0] : 128;
    mesh->length[axis] = c->boxsize.count ? c->boxsize.v[0] : 1000;
  }
  if (!c->density) return MFFT_SUCCESS;
  const mfft_status status = mfft_input_open(c->density, c->dataset, &c->boxsize, info, mesh);
  if (status != MFFT_SUCCESS) return status;
  for (int axis = 1; axis < 3; axis++)
    if (mesh->n[axis] != mesh->n[0] || mesh->length[axis] != mesh->length[0])
      return mfft_app_fail(MFFT_ERR_UNSUPPORTED,
                           "'%s' is a field of %" PRId64 "x%" PRId64 "x%" PRId64
                           " cells in a box of %g x %g x %g; give a cube, since the lattice of particles is one",
                           c->density, mesh->n[0], mesh->n[1], mesh->n[2], mesh->length[0], mesh->length[1],
                           mesh->length[2]);
  return MFFT_SUCCESS;
}

/* Chooses slabs if the user requests no grid and each rank gets a slab: the particles of the file are then in the order of
 * the lattice. */
static void prefer_slabs(const mfft_mesh *mesh, mfft_plan_options *plan) {
  if (plan->grid[0] || mfft_app_ranks() > mesh->n[0]) return;
  plan->grid[0] = mfft_app_ranks();
  plan->grid[1] = 1;
}

/* ---- The steps ------------------------------------------------------------------------------------------------------- */

/* Computes the modes of the linear density at the redshift, in lpt->plan->modes. */
static mfft_status make_density(const ic *c, const mfft_field_info *info, mfft_lpt *lpt) {
  mfft_mesh_plan *plan = lpt->plan;
  mfft_input_found found;
  mfft_spectrum spectrum = {0};
  mfft_status status;
  if (c->density) {
    status = mfft_input_read(c->density, info, MFFT_DOUBLE, 0, &plan->real, &found);
    if (status == MFFT_SUCCESS) status = mfft_mesh_transform(plan, MFFT_FORWARD);
  } else {
    status = mfft_spectrum_load(&c->linear, c->redshift, lpt->mesh, &spectrum);
    if (status == MFFT_SUCCESS) status = mfft_linear_modes(&spectrum, (uint64_t)c->seed, lpt->mesh, plan);
    mfft_spectrum_free(&spectrum);
  }
  return status;
}

/* Computes displacements and velocities of all orders, one component after another. */
static mfft_status displace(const ic *c, const mfft_background *background, mfft_lpt *lpt, mfft_lattice *lattice) {
  const double a = 1 / (1 + c->redshift);
  const mfft_growth_factors d = mfft_background_growth(background, a);
  const double rate = 100 * mfft_background_hubble(background, a) *
                      sqrt(a); /* factor from displacement times growth rate to GADGET's velocity in km/s */
  const double scale[2] = {1, d.d2 / (d.d1 * d.d1)}, speed[2] = {rate * d.f1, rate * d.f2};
  mfft_status status = MFFT_SUCCESS;
  if (c->order == 1) status = mfft_lpt_second(lpt, &c->plan, &c->sweep);
  mfft_progress_start("displacements", 3 * (c->order + 1));
  for (int axis = 0; axis < 3; axis++)
    for (int order = 0; order <= c->order && status == MFFT_SUCCESS; order++) {
      mfft_progress_step(axis * (c->order + 1) + order);
      status = mfft_lpt_displacement(lpt, order + 1, axis);
      if (status == MFFT_SUCCESS) status = mfft_lattice_add(lattice, &lpt->plan->real, axis, scale[order], speed[order]);
    }
  return status;
}

static mfft_status write_fields(const ic *c, mfft_lpt *lpt, mfft_lattice *lattice) {
  const mfft_status status = mfft_lpt_displacement(lpt, 0, 0);
  if (status != MFFT_SUCCESS) return status;
  return mfft_lattice_write_fields(lattice, c->displacements, c->redshift, c->precision ? MFFT_SINGLE : MFFT_DOUBLE,
                                   &lpt->plan->real);
}

/* All but the files. */
static mfft_status compute(const ic *c, const mfft_background *background, const mfft_field_info *info, mfft_lpt *lpt,
                           mfft_lattice *lattice) {
  mfft_status status = make_density(c, info, lpt);
  if (status == MFFT_SUCCESS) status = mfft_lattice_create(lpt->mesh, &lpt->plan->real.box, lattice);
  return status == MFFT_SUCCESS ? displace(c, background, lpt, lattice) : status;
}

static mfft_status make(const ic *c, const mfft_background *background, const mfft_field_info *info, const mfft_mesh *mesh,
                        mfft_mesh_plan *plan) {
  mfft_lpt lpt = {.mesh = mesh, .plan = plan};
  mfft_lattice lattice = {.mesh = mesh};
  mfft_phase_enter(MFFT_PHASE_MAKE);
  mfft_status status = compute(c, background, info, &lpt, &lattice);
  mfft_phase_enter(MFFT_PHASE_WRITE);
  mfft_progress_start("writing", 0);
  if (status == MFFT_SUCCESS && c->displacements) status = write_fields(c, &lpt, &lattice);
  if (status == MFFT_SUCCESS) mfft_lattice_measure(&lattice);
  if (status == MFFT_SUCCESS && c->output)
    status =
        mfft_lattice_write_snapshot(&lattice, c->output, &c->linear.cosmology, c->redshift,
                                    c->precision ? MFFT_SNAPSHOT_FLOAT32 : MFFT_SNAPSHOT_FLOAT64, c->masses, (int)c->files);
  mfft_progress_end();
  if (status == MFFT_SUCCESS)
    mfft_app_print("%s: %" PRId64
                   "^3 particles in %g Mpc/h at z = %g, %s order; displaced by %.4g Mpc/h rms, %.3g cells at most\n",
                   c->output ? c->output : c->displacements, mesh->n[0], mesh->length[0], c->redshift,
                   c->order ? "second" : "first", lattice.rms, lattice.most * (double)mesh->n[0] / mesh->length[0]);
  mfft_lattice_free(&lattice);
  mfft_lpt_free(&lpt);
  return status;
}

/* ---- Estimates for --dry-run ---------------------------------------------------------------------------------------------
 */

/* Adds up the most memory that this rank holds at a time: the density, also on the finer mesh, the second derivatives there,
 * and the modes of the second order, in the memory of the plan; displacements and velocities, and a column of them that is
 * being written, on the host. */
static mfft_status count_memory(const ic *c, const mfft_mesh *mesh, const mfft_mesh_plan *plan, mfft_estimate *e) {
  enum { PAIR = 2 * sizeof(double), LATTICE = 6 * sizeof(double), COLUMN = 3 * sizeof(double) };
  mfft_mesh_plan fine = {0};
  mfft_mesh padded = *mesh;
  mfft_box points, modes, fine_points;
  double host = 0, device = 0;
  mfft_status status = mfft_mesh_plan_bytes(plan, &c->sweep, &e->host_bytes, &e->device_bytes);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(plan->plan, MFFT_IN, &points);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(plan->plan, MFFT_OUT, &modes);
  if (status != MFFT_SUCCESS) return status;
  const double point = (double)mfft_box_cells(&points), column = c->output ? COLUMN * point : 0;
  e->host_bytes += LATTICE * point;
  e->particle_bytes = LATTICE * point + column;
  if (!c->order) {
    e->host_bytes += column;
    return MFFT_SUCCESS;
  }
  for (int axis = 0; axis < 3; axis++) padded.n[axis] = mfft_lpt_fine_side(mesh->n[axis]);
  status = mfft_mesh_filtered_outline(&padded, &c->plan, &fine);
  if (status == MFFT_SUCCESS) status = mfft_mesh_plan_bytes(&fine, &c->sweep, &host, &device);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(fine.plan, MFFT_IN, &fine_points);
  mfft_mesh_plan_destroy(&fine);
  if (status != MFFT_SUCCESS) return status;
  const double second = PAIR * (double)mfft_box_cells(&modes);
  const double fields = MFFT_LPT_FIELDS * sizeof(double) * (double)mfft_box_cells(&fine_points);
  double *mine = e->device_bytes > 0 ? &device : &host;
  *mine += second + fields + (mfft_app_ranks() > 1 ? 0.5 * second : 0); /* a quarter of the modes moves at a time */
  e->host_bytes += fmax(host, column + (e->device_bytes > 0 ? 0 : second));
  e->device_bytes += device;
  return MFFT_SUCCESS;
}

/* Seconds of the work, from those of a lattice of 64^3. */
static mfft_status time_work(const ic *c, const mfft_background *background, const mfft_mesh *mesh, double *seconds) {
  ic small = *c;
  mfft_mesh coarse = *mesh;
  mfft_mesh_plan plan;
  mfft_lattice lattice = {.mesh = &coarse};
  mfft_lpt lpt = {.mesh = &coarse, .plan = &plan};
  for (int axis = 0; axis < 3; axis++) coarse.n[axis] = mesh->n[axis] < 64 ? mesh->n[axis] : 64;
  small.density = small.linear.table = NULL;
  if (isnan(small.linear.cosmology.sigma8)) small.linear.cosmology.sigma8 = 1; /* any: the waves take as long */
  const double cells = mfft_mesh_cells(mesh), few = mfft_mesh_cells(&coarse);
  mfft_status status = mfft_app_agree(mfft_mesh_filtered_create(&coarse, &c->plan, &c->sweep, &plan));
  const double begin = mfft_process_now();
  if (status == MFFT_SUCCESS) status = compute(&small, background, NULL, &lpt, &lattice);
  *seconds = mfft_app_slowest(mfft_process_now() - begin) * (cells * log2(cells)) / (few * log2(few));
  mfft_progress_end();
  mfft_lattice_free(&lattice);
  mfft_lpt_free(&lpt);
  mfft_mesh_plan_destroy(&plan);
  return status;
}

/* --dry-run, of a plan without arrays. */
static mfft_status estimate(const ic *c, const mfft_background *background, const mfft_field_info *info,
                            const mfft_mesh *mesh, const mfft_mesh_plan *plan) {
  const double cells = mfft_mesh_cells(mesh), real = (double)mfft_real_bytes((mfft_precision)c->precision);
  const double id = cells < UINT32_MAX ? sizeof(uint32_t) : sizeof(uint64_t);
  mfft_estimate e = {.input = c->density, .output = c->output ? c->output : c->displacements};
  const char *backend;
  mfft_spectrum spectrum = {0};
  mfft_status status = c->density ? MFFT_SUCCESS : mfft_spectrum_load(&c->linear, c->redshift, mesh, &spectrum);
  mfft_spectrum_free(&spectrum);
  if (status == MFFT_SUCCESS) status = count_memory(c, mesh, plan, &e);
  if (c->density) e.read_bytes = cells * (double)mfft_real_bytes(info->precision);
  if (c->output) e.write_bytes += cells * ((6 + c->masses) * real + id);
  if (c->displacements) e.write_bytes += cells * 4 * real;
  if (status == MFFT_SUCCESS) status = time_work(c, background, mesh, &e.work_s);
  if (status == MFFT_SUCCESS) status = mfft_plan_backend(plan->plan, &backend);
  if (status != MFFT_SUCCESS) return status;
  mfft_app_print("%" PRId64 "^3 particles in %g Mpc/h -> %s, nothing is written\n", mesh->n[0], mesh->length[0], e.output);
  mfft_estimate_print_plan(plan->plan, backend, "double");
  return mfft_estimate_print(&e, "make");
}

/* ---- The run --------------------------------------------------------------------------------------------------------- */

static mfft_status make_or_estimate(const ic *c, const mfft_background *background, const mfft_field_info *info,
                                    const mfft_mesh *mesh, mfft_mesh_plan *plan) {
  mfft_phase_enter(MFFT_PHASE_PLAN);
  mfft_status status = c->dry_run ? mfft_mesh_filtered_outline(mesh, &c->plan, plan)
                                  : mfft_mesh_filtered_create(mesh, &c->plan, &c->sweep, plan);
  status = mfft_app_agree(status);
  if (status != MFFT_SUCCESS) return status;
  return c->dry_run ? estimate(c, background, info, mesh, plan) : make(c, background, info, mesh, plan);
}

static int run(void *values) {
  ic *c = values;
  mfft_background background = {0};
  mfft_field_info info;
  mfft_mesh mesh;
  mfft_mesh_plan plan;
  int code = check(c);
  if (code) return code;
  memset(&plan, 0, sizeof plan);
  mfft_timing_begin(&c->timing, "ic", 0);
  code = MFFT_EXIT_FAILED;
  if (mfft_app_failed(mfft_threads_begin(&c->sweep))) return code;
  mfft_status status = MFFT_SUCCESS;
  if (mfft_background_create(&c->linear.cosmology, 0, &background))
    status = mfft_app_fail(MFFT_ERR_ARG,
                           "--omega-m %g with --omega-lambda %g: such a universe stops expanding between its "
                           "beginning and a = %g; choose other densities",
                           c->linear.cosmology.omega_m, c->linear.cosmology.omega_lambda, MFFT_BACKGROUND_A_MAX);
  if (mfft_app_failed(status)) goto done;
  if (mfft_app_failed(find_mesh(c, &info, &mesh))) goto done;
  prefer_slabs(&mesh, &c->plan);
  if (mfft_app_failed(make_or_estimate(c, &background, &info, &mesh, &plan))) goto done;
  code = MFFT_EXIT_OK;
done:
  mfft_phase_enter(MFFT_PHASE_CLOSE);
  mfft_mesh_plan_destroy(&plan);
  mfft_background_free(&background);
  mfft_threads_end();
  return code;
}

const mfft_command mfft_command_ic = {
    .name = "ic",
    .summary = "make initial conditions: displaced particles, LPT of first or second order",
    .operands = "",
    .description = description,
    .options = options,
    .values_bytes = sizeof(ic),
    .run = run,
};
