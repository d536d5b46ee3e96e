/* poisson.c: `mergefft poisson` solves laplacian(phi) = c field on the periodic box of a file. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/phases.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/targets.h"
#include "io/input.h"
#include "io/json.h"
#include "io/output.h"
#include "io/rows.h"
#include "io/save.h"
#include "io/untrusted.h"
#include "mfft_inspect.h"
#include "poisson/contrast.h"
#include "poisson/poisson_solver.h"

typedef struct values {
  const char *input[1], *output, *dataset, *timing, *wisdom;
  mfft_cli_reals boxsize;
  double coefficient, omega_m, scale_factor, asmth, time_limit;
  int field, units, greens, gradient, assign, precision, effort, tune, progress, allow_nonfinite, no_check;
  int64_t deconvolve, chunks;
  mfft_plan_options plan;
  mfft_sweep_options sweep;
  mfft_untrusted_options untrusted;
} values;

enum { UNITS_PLAIN, UNITS_COSMO };
#define GREENS           "spectral|fd2|fd4"
#define GRADIENTS        "none|spectral|fd4"
#define ASSIGNS          "ngp|cic|tsc|pcs"
#define PRECISIONS       "double|single|half"
#define SCALE_FACTOR_MIN 1e-9
#define SCALE_FACTOR_MAX 1e9

static const mfft_cli_option options[] = {
    {"output", 'o', MFFT_CLI_TEXT, offsetof(values, output), "FILE", "HDF5 file of the results; it appears when it is whole",
     .required = 1},
    {"dataset", 'd', MFFT_CLI_TEXT, offsetof(values, dataset), "NAME",
     .help = "dataset of the field; may be left out where the file has one only"},
    {"boxsize", 'L', MFFT_CLI_REALS, offsetof(values, boxsize), "L",
     "length of the box, or Lx,Ly,Lz; default: what the file says", .min = MFFT_LENGTH_MIN, .max = MFFT_LENGTH_MAX},
    {"coefficient", 0, MFFT_CLI_REAL, offsetof(values, coefficient), "C", .help = "c of laplacian(phi) = c field [1]"},
    {"field", 'f', MFFT_CLI_CHOICE, offsetof(values, field), "KIND",
     "what the file holds; a density is divided by its mean and 1 is subtracted, anything else is taken as it stands",
     .fallback = "contrast", .choices = MFFT_FIELD_KINDS},
    {"units", 0, MFFT_CLI_CHOICE, offsetof(values, units), "UNITS",
     "cosmo: the source is a density contrast (see --field) and lengths are Mpc/h, so c = 1.5 Omega_m 100^2 / a and phi is "
     "in (km/s)^2",
     .fallback = "plain", .choices = "plain|cosmo"},
    {"omega-m", 0, MFFT_CLI_REAL, offsetof(values, omega_m), "OMEGA", "Omega_m of --units cosmo", .min = 1e-6, .max = 1e3},
    {"scale-factor", 0, MFFT_CLI_REAL, offsetof(values, scale_factor), "A",
     "a of --units cosmo; default: from the redshift of the file", .min = SCALE_FACTOR_MIN, .max = SCALE_FACTOR_MAX},
    {"greens", 0, MFFT_CLI_CHOICE, offsetof(values, greens), "KIND", "Laplacian: spectral, or of a stencil of order 2 or 4",
     .fallback = "spectral", .choices = GREENS},
    {"gradient", 0, MFFT_CLI_CHOICE, offsetof(values, gradient), "KIND",
     "write force_x, force_y and force_z = -gradient(phi), taken in k-space: exact or of a stencil of order 4",
     .fallback = "none", .choices = GRADIENTS},
    {"deconvolve", 0, MFFT_CLI_INT, offsetof(values, deconvolve), "TIMES",
     "divide by the window of --assign: 0, 1 or 2 times (amplifies the noise of particles unless --asmth is given too)",
     .fallback = "0", .min = 0, .max = 2},
    {"assign", 'a', MFFT_CLI_CHOICE, offsetof(values, assign), "KIND", "mass assignment to deconvolve", .fallback = "cic",
     .choices = ASSIGNS},
    {"asmth", 0, MFFT_CLI_REAL, offsetof(values, asmth), "CELLS",
     "long-range part only: multiply by exp(-k^2 rs^2), rs in cells (of the widest side)", .fallback = "0", .min = 0,
     .max = 1e6},
    {"precision", 'p', MFFT_CLI_CHOICE, offsetof(values, precision), "PRECISION",
     "of the transforms and of the results; half is stored as single; default: that of the file", .choices = PRECISIONS},
    {"plan", 0, MFFT_CLI_TABLE, offsetof(values, plan), .table = mfft_plan_options_table},
    {"sweep", 0, MFFT_CLI_TABLE, offsetof(values, sweep), .table = mfft_sweep_options_table},
    {"untrusted", 0, MFFT_CLI_TABLE, offsetof(values, untrusted), .table = mfft_untrusted_options_table},
    {"chunks", 0, MFFT_CLI_INT, offsetof(values, chunks), "N", "pieces of an exchange; 0: the plan chooses", .fallback = "0",
     .min = 0, .max = 1e4},
    {"effort", 0, MFFT_CLI_CHOICE, offsetof(values, effort), "HOW",
     "planning; measuring pays from a few hundred transforms on; without it estimate, with --tune measure",
     .choices = MFFT_EFFORTS},
    {"tune", 'T', MFFT_CLI_FLAG, offsetof(values, tune), NULL,
     .help =
         "time whole candidate plans first and keep the fastest (under mpirun write -T: Open MPI takes --tune for itself)"},
    {"time-limit", 0, MFFT_CLI_REAL, offsetof(values, time_limit), "S",
     "seconds that timing candidates for one plan may take; 0: MFFT_TUNE_S, else by the effort", .fallback = "0", .min = 0,
     .max = 1e6},
    {"wisdom", 0, MFFT_CLI_TEXT, offsetof(values, wisdom), "FILE", .help = "what tuning learns: read before, written after"},
    {"timing", 't', MFFT_CLI_TEXT, offsetof(values, timing), "FILE",
     .help = "write times, layout and residual as JSON, - for stdout"},
    {"no-check", 0, MFFT_CLI_FLAG, offsetof(values, no_check), NULL, .help = "leave out the residual and its time"},
    {"progress", 0, MFFT_CLI_FLAG, offsetof(values, progress), NULL,
     .help = "show progress also where there is no terminal"},
    {"allow-nonfinite", 0, MFFT_CLI_FLAG, offsetof(values, allow_nonfinite), NULL,
     .help = "take the mean of the others for values that are NaN or infinite, instead of refusing the field"},
    {0}};

/* One run of the command. */
typedef struct job {
  const values *v;
  mfft_field_info info;
  mfft_mesh mesh;
  double coefficient;
  mfft_poisson solver;
  mfft_field_file file;
  mfft_phases phases;
  mfft_poisson_check check;
  mfft_input_found found;
  double largest_force; /* magnitude of the components that there are */
  double total_s;
  double copy_s, overlap; /* of copies between host and device on the slowest rank, and how much of them nobody waited for */
} job;

/* ---- Before the solve ------------------------------------------------------------------------------------------------ */

/* What the table of options cannot say. */
static int check_options(const values *v) {
  const mfft_command *command = &mfft_command_poisson;
  if (v->units == UNITS_COSMO && !isnan(v->coefficient))
    return mfft_cli_usage(command, "--coefficient and --units cosmo exclude each other; leave one out");
  if (v->units == UNITS_COSMO && isnan(v->omega_m)) return mfft_cli_usage(command, "--units cosmo needs --omega-m");
  if (v->units != UNITS_COSMO && (!isnan(v->omega_m) || !isnan(v->scale_factor)))
    return mfft_cli_usage(command, "--omega-m and --scale-factor go with --units cosmo");
  const mfft_target targets[] = {{"--output", v->output, &mfft_field_kind},
                                 {"--timing", v->timing, &mfft_json_kind},
                                 {"--wisdom", v->wisdom, &mfft_wisdom_kind}};
  return mfft_targets_check(command, v->input, 1, targets, 3);
}

/* c of --units cosmo, with the scale factor of the option or else of the file, which is held to the same limits. */
static mfft_status choose_cosmology(job *j) {
  const values *v = j->v;
  double a = v->scale_factor;
  if (isnan(a)) {
    if (!j->info.has_redshift)
      return mfft_app_fail(MFFT_ERR_ARG, "'%s' has no attribute Redshift; give --scale-factor", v->input[0]);
    a = 1 / (1 + j->info.redshift);
    if (!(a >= SCALE_FACTOR_MIN && a <= SCALE_FACTOR_MAX))
      return mfft_app_fail(MFFT_ERR_ARG,
                           "Redshift of '%s' is %.12g, which gives no scale factor a = 1 / (1 + z) from %g to %g; give the "
                           "right one by --scale-factor",
                           v->input[0], j->info.redshift, SCALE_FACTOR_MIN, SCALE_FACTOR_MAX);
  }
  j->coefficient = 1.5 * v->omega_m * 100 * 100 / a;
  return MFFT_SUCCESS;
}

static mfft_status open_field(job *j) {
  const values *v = j->v;
  mfft_status status = mfft_input_open(v->input[0], v->dataset, &v->boxsize, &j->info, &j->mesh);
  if (status != MFFT_SUCCESS) return status;
  j->coefficient = isnan(v->coefficient) ? 1 : v->coefficient;
  return v->units == UNITS_COSMO ? choose_cosmology(j) : MFFT_SUCCESS;
}

static mfft_status make_solver(job *j) {
  const values *v = j->v;
  mfft_poisson_options solver = {.greens = {.laplacian = v->greens,
                                            .gradient = v->gradient,
                                            .window_order = v->assign + 1,
                                            .deconvolve = (int)v->deconvolve,
                                            .asmth = v->asmth},
                                 .coefficient = j->coefficient,
                                 .check = !v->no_check,
                                 .sweep = v->sweep};
  mfft_desc desc;
  mfft_options how;
  memcpy(solver.greens.n, j->mesh.n, sizeof j->mesh.n);
  memcpy(solver.greens.length, j->mesh.length, sizeof j->mesh.length);
  mfft_desc_init(&desc);
  mfft_options_init(&how);
  desc.precision = v->precision < 0 ? j->info.precision : (mfft_precision)v->precision;
  how.effort = mfft_effort_of(v->effort, v->tune);
  how.chunks = (int)v->chunks;
  how.time_limit = v->time_limit;
  mfft_plan_options_apply(&v->plan, &how);
  return mfft_poisson_create(&solver, &desc, &how, &j->solver);
}

static mfft_status read_field(job *j) {
  mfft_precision precision;
  mfft_swept *field = mfft_poisson_field(&j->solver, &precision);
  return mfft_input_read(j->v->input[0], &j->info, precision, j->v->allow_nonfinite, field, &j->found);
}

/* What the mean tells of the field: whether it varies at all, and what a density is divided by. */
static mfft_status choose_source(job *j) {
  const values *v = j->v;
  mfft_poisson *p = &j->solver;
  double factor;
  mfft_status status = mfft_contrast_factor(v->field, v->input[0], p->mean, p->rms, &factor);
  if (status == MFFT_SUCCESS && v->units == UNITS_COSMO && v->field == MFFT_FIELD_CONTRAST)
    status = mfft_contrast_plausible(v->input[0], p->mean, p->rms, p->cells);
  if (status != MFFT_SUCCESS) return status;
  p->options.coefficient = j->coefficient * factor;
  if (j->coefficient != 0 && !isnormal(p->options.coefficient))
    return mfft_app_fail(
        MFFT_ERR_NONFINITE,
        "--coefficient %g, times %g for the mean of the field, is too %s for double precision; choose other units",
        j->coefficient, factor, fabs(p->options.coefficient) < 1 ? "small" : "large");
  if (p->uniform)
    mfft_app_note(
        "the field is uniform: it varies about its mean of %.6g by no more than the rounding of its values; phi is 0",
        p->mean);
  else if (p->rounding > 1e-3 * p->rms)
    mfft_app_note(
        "the file rounds values as large as its mean, %.6g, by up to %.2g, which is %.2g of the rms about it: phi has "
        "no more digits than that",
        p->mean, p->rounding, p->rounding / p->rms);
  return MFFT_SUCCESS;
}

/* ---- Results --------------------------------------------------------------------------------------------------------- */

enum { OUTPUTS = 4 }; /* with a gradient */
static const char *const output_names[OUTPUTS] = {"phi", "force_x", "force_y", "force_z"};

static mfft_status create_file(job *j) {
  const values *v = j->v;
  int cosmo = v->units == UNITS_COSMO;
  const char *force = cosmo ? "(km/s)^2/(Mpc/h)" : NULL;
  const mfft_field_dataset datasets[] = {{output_names[0], cosmo ? "(km/s)^2" : NULL},
                                         {output_names[1], force},
                                         {output_names[2], force},
                                         {output_names[3], force}};
  static const double laplacian_order[] = {
      [MFFT_LAPLACIAN_SPECTRAL] = 0, [MFFT_LAPLACIAN_FD2] = 2, [MFFT_LAPLACIAN_FD4] = 4};
  enum { ALWAYS = 7, MOST = 9 };
  mfft_field_attribute attributes[MOST] = {{"PoissonCoefficient", j->coefficient},
                                           {"TransformBits", 8.0 * (double)mfft_row_real_bytes(j->solver.precision)},
                                           {"LaplacianOrder", laplacian_order[v->greens]},
                                           {"GradientOrder", v->gradient == MFFT_GRADIENT_FD4 ? 4 : 0},
                                           {"WindowOrder", v->assign + 1},
                                           {"Deconvolved", (double)v->deconvolve},
                                           {"Asmth", v->asmth}};
  int count = ALWAYS;
  if (cosmo) attributes[count++] = (mfft_field_attribute){"Omega_m", v->omega_m};
  if (v->field == MFFT_FIELD_DENSITY) attributes[count++] = (mfft_field_attribute){"DensityMean", j->solver.mean};
  mfft_field_desc desc;
  mfft_field_desc_init(&desc);
  memcpy(desc.n, j->mesh.n, sizeof desc.n);
  memcpy(desc.box_size, j->mesh.length, sizeof desc.box_size);
  mfft_poisson_field(&j->solver, &desc.precision);
  desc.has_redshift = j->info.has_redshift;
  desc.redshift = j->info.redshift;
  desc.dataset = datasets;
  desc.dataset_count = v->gradient == MFFT_GRADIENT_NONE ? 1 : OUTPUTS;
  desc.attribute = attributes;
  desc.attribute_count = count;
  return mfft_field_create(MPI_COMM_WORLD, v->output, &desc, &j->file);
}

/* Runs a step and books its time, less what it waited for copies. */
static double busy_s(job *j) {
  mfft_precision precision;
  return mfft_app_time() - mfft_poisson_field(&j->solver, &precision)->wait_s;
}
#define TIMED(j, name, call) \
  (start = busy_s(j), failed = mfft_app_failed(call), mfft_phases_add(&(j)->phases, name, busy_s(j) - start), failed)

static mfft_status beyond_precision(const job *j, const char *output, const char *size, const char *remedy) {
  return mfft_app_fail(
      MFFT_ERR_NONFINITE,
      "%s is too %s for the precision of the results, with coefficient %.3g and a field of rms %.3g; choose "
      "a %s --coefficient, other units or a wider --precision",
      output, size, j->solver.options.coefficient, j->solver.rms, remedy);
}

/* Refuses what the precision of the results cannot hold: of phi, and of the force once its last component is there.  A
 * filter, such as a wide --asmth, may rightly leave of phi less than any number, and Nyquist modes alone have no force. */
static mfft_status check_output(job *j, int output, double largest) {
  const mfft_poisson *p = &j->solver;
  const double smallest = mfft_row_smallest_normal(p->wide ? MFFT_SINGLE : p->precision);
  if (!isfinite(largest)) return beyond_precision(j, output_names[output], "large", "smaller");
  const int force = output > 0;
  if (force) j->largest_force = largest = fmax(j->largest_force, largest);
  if ((force && output < OUTPUTS - 1) || p->uniform || j->coefficient == 0 || largest >= smallest) return MFFT_SUCCESS;
  const int certain = largest > 0 || (!force && mfft_greens_unfiltered(&p->options.greens));
  if (certain || mfft_poisson_expected_rms(p, force) < smallest)
    return beyond_precision(j, force ? "the force" : "phi", "small", "larger");
  mfft_app_note(
      "%s is 0: the filter, or the gradient, leaves nothing of the field that the precision of the results can hold",
      force ? "the force" : "phi");
  return MFFT_SUCCESS;
}

static mfft_status check_solution(job *j) {
  const mfft_poisson *p = &j->solver;
  j->check = mfft_poisson_verify(p);
  if (j->check.passed) return MFFT_SUCCESS;
  if (!isfinite(p->phi_rms)) return beyond_precision(j, "the square of phi", "large", "smaller");
  return mfft_app_fail(MFFT_ERR_INTERNAL,
                       "the residual |laplacian(phi) - rhs| / |rhs| is %.3g and rounding explains %.3g: the solution is "
                       "wrong and not written; please report it",
                       j->check.residual, j->check.explained);
}

/* Solves for an output, 0 phi or 1 to 3 a component of the force, and writes it. */
static int put_output(job *j, int output) {
  double start, largest;
  int failed;
  mfft_precision precision;
  mfft_swept *field = mfft_poisson_field(&j->solver, &precision);
  mfft_progress_step(2 * output + 1);
  if (mfft_app_failed(mfft_poisson_output(&j->solver, output - 1))) return 1;
  mfft_progress_step(2 * output + 2);
  if (TIMED(j, "write", mfft_output_put(j->file, output, precision, field, &largest))) return 1;
  return mfft_app_failed(check_output(j, output, largest));
}

static int solve_and_write(job *j) {
  double start;
  int failed, outputs = j->v->gradient == MFFT_GRADIENT_NONE ? 1 : OUTPUTS;
  mfft_progress_start("solving", 2 * outputs + 1);
  if (mfft_app_failed(mfft_poisson_source(&j->solver))) return 1;
  for (int output = 0; output < outputs; output++)
    if (put_output(j, output)) return 1;
  mfft_progress_end();
  if (j->solver.options.check && mfft_app_failed(check_solution(j))) return 1;
  return TIMED(j, "write", mfft_field_commit(&j->file));
}

static void book_solver(job *j) {
  mfft_timing timing;
  if (mfft_plan_timing(j->solver.plan, &timing) != MFFT_SUCCESS) memset(&timing, 0, sizeof timing);
  if (j->solver.device) { /* stages overlap there: only the whole has a time */
    mfft_phases_add(&j->phases, "copy", j->solver.real.wait_s);
    mfft_phases_add(&j->phases, "transform", j->solver.transform_s);
  } else {
    mfft_phases_add(&j->phases, "pack", timing.copy);
    mfft_phases_add(&j->phases, "exchange", timing.exchange);
    mfft_phases_add(&j->phases, "fft", timing.fft);
  }
  mfft_phases_add(&j->phases, "green", j->solver.green_s);
  mfft_phases_add(&j->phases, "check", j->solver.check_s);
  j->copy_s = mfft_app_slowest(mfft_swept_copy_s(&j->solver.real));
  j->overlap = mfft_swept_overlap(j->copy_s, mfft_app_slowest(j->solver.real.wait_s));
}

static void print_results(const job *j, double memory) {
  const values *v = j->v;
  const mfft_poisson *p = &j->solver;
  const int64_t *n = j->mesh.n;
  const double *l = j->mesh.length;
  int grid[2], chunks;
  const char *transport;
  mfft_plan_grid(p->plan, grid);
  mfft_plan_transport(p->plan, &transport, &chunks);
  mfft_app_print("%s: %s %" PRId64 "x%" PRId64 "x%" PRId64 ", box %g x %g x %g, mean %.6g, rms about it %.6g\n", v->input[0],
                 j->info.dataset, n[0], n[1], n[2], l[0], l[1], l[2], p->mean, p->rms);
  mfft_app_print("laplacian(phi) = %g %s", j->coefficient,
                 v->field == MFFT_FIELD_DENSITY ? "(field / mean - 1)"
                 : v->units == UNITS_COSMO      ? "field, taken as a density contrast"
                                                : "field");
  mfft_app_print(", %s", mfft_cli_choice_name(GREENS, v->greens));
  mfft_app_print(", gradient %s", mfft_cli_choice_name(GRADIENTS, v->gradient));
  if (v->deconvolve) mfft_app_print(", %s deconvolved %d x", mfft_cli_choice_name(ASSIGNS, v->assign), (int)v->deconvolve);
  if (v->asmth > 0) mfft_app_print(", long range beyond rs = %g", mfft_greens_split_scale(&p->options.greens));
  mfft_app_print("\n%d rank%s, grid %dx%d, backend %s, transport %s, %s precision, %.3g MiB a rank\n", mfft_app_ranks(),
                 mfft_app_ranks() > 1 ? "s" : "", grid[0], grid[1], p->real.backend, transport,
                 mfft_cli_choice_name("double|single|half", (int)p->precision), memory / 0x1p20);
  if (p->options.check)
    mfft_app_print("residual |laplacian(phi) - rhs| / |rhs| = %.3e (rounding explains up to %.1e)\n", j->check.residual,
                   j->check.explained);
  mfft_app_print("wrote %s: phi%s\n\n", v->output, v->gradient ? ", force_x, force_y, force_z" : "");
  mfft_phases_print(&j->phases);
  if (j->copy_s > 0)
    mfft_app_print("\ncopies between host and device took %.4f s, %.0f %% of it beside reading, checking and writing\n",
                   j->copy_s, 100 * j->overlap);
}

static mfft_status write_timing(const job *j, double memory) {
  const values *v = j->v;
  int grid[2], chunks;
  const char *transport;
  if (!v->timing || mfft_app_rank() != 0) return MFFT_SUCCESS;
  mfft_plan_grid(j->solver.plan, grid);
  mfft_plan_transport(j->solver.plan, &transport, &chunks);
  int64_t wide_grid[2] = {grid[0], grid[1]};
  mfft_json *json = mfft_json_create();
  mfft_json_object(json, NULL);
  mfft_json_string(json, "command", "poisson");
  mfft_environment_json(json, "environment");
  mfft_json_string(json, "input", v->input[0]);
  mfft_json_string(json, "dataset", j->info.dataset);
  mfft_json_string(json, "output", v->output);
  mfft_json_integers(json, "n", j->mesh.n, 3);
  mfft_json_numbers(json, "boxsize", j->mesh.length, 3);
  mfft_json_string(json, "field", mfft_cli_choice_name(MFFT_FIELD_KINDS, v->field));
  mfft_json_number(json, "coefficient", j->coefficient);
  mfft_json_string(json, "greens", mfft_cli_choice_name(GREENS, v->greens));
  mfft_json_string(json, "gradient", mfft_cli_choice_name(GRADIENTS, v->gradient));
  mfft_json_integer(json, "deconvolve", v->deconvolve);
  mfft_json_string(json, "assign", mfft_cli_choice_name(ASSIGNS, v->assign));
  mfft_json_number(json, "asmth", v->asmth);
  mfft_json_string(json, "precision", mfft_cli_choice_name(PRECISIONS, (int)j->solver.precision));
  mfft_json_integer(json, "ranks", mfft_app_ranks());
  mfft_json_integers(json, "grid", wide_grid, 2);
  mfft_json_string(json, "backend", j->solver.real.backend);
  mfft_json_string(json, "transport", transport);
  mfft_json_integer(json, "chunks", chunks);
  mfft_json_number(json, "mean", j->solver.mean);
  mfft_json_number(json, "rms", j->solver.rms);
  mfft_json_integer(json, "nonfinite", j->found.nonfinite);
  mfft_json_number(json, "residual", j->solver.options.check ? j->check.residual : NAN);
  mfft_json_number(json, "residual_explained", j->solver.options.check ? j->check.explained : NAN);
  mfft_json_number(json, "memory_bytes", memory);
  mfft_json_number(json, "total_s", j->total_s);
  mfft_phases_json(&j->phases, json, "phases");
  mfft_json_number(json, "copy_s", j->copy_s);
  mfft_json_number(json, "copy_overlap", j->overlap);
  mfft_json_end(json);
  mfft_status status = mfft_json_save(json, v->timing);
  mfft_json_destroy(json);
  return status;
}

/* ---- The command ----------------------------------------------------------------------------------------------------- */

static int run_job(void *context) {
  job *j = context;
  const values *v = j->v;
  double begin = mfft_app_time(), start;
  int failed;
  if (v->wisdom && mfft_app_failed(mfft_wisdom_load(MPI_COMM_WORLD, v->wisdom))) return 1;
  if (TIMED(j, "read", open_field(j))) return 1;
  mfft_progress_start("planning", 0);
  if (TIMED(j, "plan", make_solver(j))) return 1;
  mfft_progress_start("reading", 0);
  if (TIMED(j, "read", read_field(j))) return 1;
  if (mfft_app_failed(mfft_poisson_centre(&j->solver, j->found.mean, j->found.left, j->info.precision))) return 1;
  if (mfft_app_failed(choose_source(j))) return 1;
  if (TIMED(j, "write", create_file(j))) return 1;
  if (solve_and_write(j)) return 1;
  if (v->wisdom && mfft_app_failed(mfft_wisdom_save(MPI_COMM_WORLD, v->wisdom))) return 1;
  book_solver(j);
  j->total_s = mfft_app_time() - begin;
  double booked = 0;
  for (int i = 0; i < j->phases.count; i++) booked += j->phases.phase[i].seconds;
  mfft_phases_add(&j->phases, "other", fmax(0, j->total_s - booked));
  mfft_phases_add(&j->phases, "total", j->total_s);
  mfft_phases_gather(&j->phases);
  double memory = mfft_app_slowest((double)j->solver.bytes);
  if (!mfft_app_is_stdout(v->timing)) print_results(j, memory);
  return mfft_app_failed(write_timing(j, memory));
}

static int run(void *given) {
  job j;
  memset(&j, 0, sizeof j);
  j.v = given;
  int code = check_options(j.v);
  if (code != MFFT_EXIT_OK) return code;
  mfft_progress_force(j.v->progress);
  code = mfft_untrusted_run(&j.v->untrusted, j.v->input[0], j.v->dataset, j.v->output, run_job, &j);
  mfft_field_abandon(&j.file);
  mfft_poisson_destroy(&j.solver);
  return code;
}

const mfft_command mfft_command_poisson = {
    .name = "poisson",
    .summary = "solve laplacian(phi) = c field on a periodic box",
    .operands = "IN.h5",
    .min_operands = 1,
    .max_operands = 1,
    .operands_offset = offsetof(values, input),
    .description =
        "Reads a field, removes its mean, transforms it, multiplies by the Green function and transforms back; with "
        "--gradient each component of the force is one more transform of the same spectrum. The k = 0 mode is zero, and so "
        "are the Nyquist modes of gradients. The mesh and the box need not be cubes.\n"
        "\n"
        "The residual |laplacian(phi) - rhs| / |rhs| is measured without a Fourier transform, in real space and over every "
        "cell, by random projections of the discrete or spectral operator, and is good to a factor of two. Rounding of phi "
        "alone explains a residual of the size that is printed with it: a result far above is not written.\n"
        "\n"
        "Memory a rank, in local arrays of the chosen precision: 3 (field, spectrum, workspace), 4 with a gradient, which "
        "keeps the spectrum for all outputs; --precision half adds the field in single on the host. On a GPU all of it is "
        "in its memory, and the host has two buffers of --part.\n"
        "\n"
        "  mpirun -n 2 mergefft poisson delta.h5 -o phi.h5\n"
        "  mergefft poisson ic.hdf5 -d DM_delta -L 100 --gradient spectral -p double -o force.h5\n"
        "  mergefft poisson delta.h5 -o phi.h5 --units cosmo --omega-m 0.31 --scale-factor 1 --timing times.json",
    .options = options,
    .values_bytes = sizeof(values),
    .run = run,
};
