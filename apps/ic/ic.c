/* ic.c: `mergefft ic` makes initial conditions of a simulation: its options and its run. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/phases.h"
#include "cli/report.h"
#include "cli/targets.h"
#include "estimate/estimate.h"
#include "ic/delta.h"
#include "ic/estimate.h"
#include "ic/make.h"
#include "io/input.h"
#include "io/threads.h"

#define AT(member) offsetof(mfft_ic_values, member)
static const mfft_cli_option options[] = {
    {"output", 'o', MFFT_CLI_TEXT, AT(output), "FILE", .help = "write the particles to FILE, a snapshot in GADGET HDF5"},
    {"displacements", 'D', MFFT_CLI_TEXT, AT(displacements), "FILE",
     .help = "write the fields delta, dx, dy and dz of the lattice to FILE; displacements in Mpc/h"},
    {"n", 'n', MFFT_CLI_SIZES, AT(n), "N", .help = "particles along each side of the box; default: 128, or those of --delta",
     .min = 2, .max = 1 << 20},
    {"boxsize", 'L', MFFT_CLI_REALS, AT(boxsize), "L",
     .help = "side of the periodic box in Mpc/h; default: 1000, or that of --delta", .min = MFFT_LENGTH_MIN,
     .max = MFFT_LENGTH_MAX},
    {"redshift", 'z', MFFT_CLI_REAL, AT(redshift), "Z",
     .help = "redshift of the initial conditions; default: 49, or that of --delta", .min = 0, .max = 1e4},
    {"order", 0, MFFT_CLI_CHOICE, AT(order), "ORDER", "order of Lagrangian perturbation theory", .fallback = "2",
     .choices = "1|2"},
    {"seed", 's', MFFT_CLI_INT, AT(seed), "N", "number of the realisation", .fallback = "1", .max = 9e15},
    {"delta", 0, MFFT_CLI_TEXT, AT(density), "FILE",
     .help =
         "read the linear density contrast at the redshift, and its cosmology, from this field, instead of drawing it by "
         "--seed"},
    {"dataset", 'd', MFFT_CLI_TEXT, AT(dataset), "NAME", .help = "name of the dataset of --delta; default: the only one"},
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
    "  mergefft ic --delta delta.h5 --order 1 --displacements psi.h5";

/* ---- Options --------------------------------------------------------------------------------------------------------- */

static int check(mfft_ic_values *c) {
  const mfft_command *me = &mfft_command_ic;
  if (!c->output && !c->displacements) return mfft_cli_usage(me, "give --output, --displacements or both");
  if (c->dataset && !c->density) return mfft_cli_usage(me, "--dataset: needs --delta");
  for (int axis = 1; axis < 3; axis++)
    if (c->n.count > 1 && c->n.v[axis] != c->n.v[0])
      return mfft_cli_usage(me, "--n: the lattice is a cube; give one length");
  for (int axis = 1; axis < 3; axis++)
    if (c->boxsize.count > 1 && c->boxsize.v[axis] != c->boxsize.v[0])
      return mfft_cli_usage(me, "--boxsize: the box is a cube; give one length");
  if (c->density && c->n.count) return mfft_cli_usage(me, "--n: the mesh is that of the field of --delta; omit --n");
  if (c->density && c->linear.table)
    return mfft_cli_usage(me, "--spectrum: the modes are those of --delta; leave one of the two out");
  static const char drawn[] = "a density that is drawn, not that of --delta";
  const mfft_cli_need needs[] = {{"seed", !c->density, drawn},
                                 {"sigma8", !c->density, drawn},
                                 {"ns", !c->density, drawn},
                                 {"omega-b", !c->density, drawn},
                                 {"t-cmb", !c->density, drawn}};
  if (mfft_cli_check_needs(me, needs, sizeof needs / sizeof *needs)) return MFFT_EXIT_USAGE;
  const int code = mfft_spectrum_options_check(me, &c->linear);
  if (code) return code;
  mfft_target targets[2 + MFFT_TIMING_TARGETS] = {{"--output", c->output, &mfft_field_kind},
                                                  {"--displacements", c->displacements, &mfft_field_kind}};
  mfft_timing_targets(&c->timing, targets + 2);
  const char *input = c->density ? c->density : c->linear.table;
  return mfft_targets_check(me, &input, input ? 1 : 0, targets, 2 + MFFT_TIMING_TARGETS);
}

/* Chooses slabs if the user requests no grid and each rank gets a slab: the particles of the file are then in the order of
 * the lattice. */
static void prefer_slabs(const mfft_mesh *mesh, mfft_plan_options *plan) {
  if (plan->grid[0] || mfft_app_ranks() > mesh->n[0]) return;
  plan->grid[0] = mfft_app_ranks();
  plan->grid[1] = 1;
}

/* ---- The run --------------------------------------------------------------------------------------------------------- */

static mfft_status make_or_estimate(const mfft_ic_values *c, const mfft_background *background, const mfft_field_info *info,
                                    const mfft_mesh *mesh, mfft_mesh_plan *plan) {
  mfft_phase_enter(MFFT_PHASE_PLAN);
  mfft_status status = c->dry_run ? mfft_mesh_filtered_outline(mesh, &c->plan, plan)
                                  : mfft_mesh_filtered_create(mesh, &c->plan, &c->sweep, plan);
  status = mfft_app_agree(status);
  if (status != MFFT_SUCCESS) return status;
  return c->dry_run ? mfft_ic_estimate(c, background, info, mesh, plan) : mfft_ic_make(c, background, info, mesh, plan);
}

static mfft_status make_background(const mfft_cosmology *cosmology, mfft_background *background) {
  if (!mfft_background_create(cosmology, 0, background)) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_ARG,
                       "Omega_m %g with Omega_Lambda %g: such a universe stops expanding between its beginning and a = %g; "
                       "choose other densities",
                       cosmology->omega_m, cosmology->omega_lambda, MFFT_BACKGROUND_A_MAX);
}

static int run(void *values) {
  mfft_ic_values *c = values;
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
  if (mfft_app_failed(mfft_ic_open(&mfft_command_ic, c, &info, &mesh))) goto done;
  if (mfft_app_failed(make_background(&c->linear.cosmology, &background))) goto done;
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
    .values_bytes = sizeof(mfft_ic_values),
    .run = run,
};
