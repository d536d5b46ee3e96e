/* options.c: the options of `mergefft poisson`. */
#include <math.h>

#include "estimate/estimate.h"
#include "poisson/run.h"

const mfft_cli_option mfft_poisson_options_table[] = {
    {"output", 'o', MFFT_CLI_TEXT, offsetof(mfft_poisson_values, output), "FILE",
     "HDF5 file of the results; it appears under this name when it is complete", .required = 1},
    {"dataset", 'd', MFFT_CLI_TEXT, offsetof(mfft_poisson_values, dataset), "NAME",
     .help = "name of the dataset; default: the only one at the root"},
    {"boxsize", 'L', MFFT_CLI_REALS, offsetof(mfft_poisson_values, boxsize), "L",
     "side of the box, or Lx,Ly,Lz; default: BoxSize of the file", .min = MFFT_LENGTH_MIN, .max = MFFT_LENGTH_MAX},
    {"coefficient", 0, MFFT_CLI_REAL, offsetof(mfft_poisson_values, coefficient), "C",
     .help = "c of laplacian(phi) = c field [1]"},
    {"field", 'f', MFFT_CLI_CHOICE, offsetof(mfft_poisson_values, field), "KIND",
     "quantity in the file; a density is divided by its mean and 1 is subtracted; a contrast, or any other source, is used "
     "unchanged",
     .fallback = "contrast", .choices = MFFT_FIELD_KINDS},
    {"units", 0, MFFT_CLI_CHOICE, offsetof(mfft_poisson_values, units), "UNITS",
     "cosmo: the source is a density contrast (see --field) and lengths are Mpc/h, so c = 1.5 Omega_m 100^2 / a and phi is "
     "in (km/s)^2",
     .fallback = "plain", .choices = "plain|cosmo"},
    {"omega-m", 0, MFFT_CLI_REAL, offsetof(mfft_poisson_values, omega_m), "OMEGA",
     "Omega_m of --units cosmo; default: Omega_m of the file", .min = MFFT_OMEGA_M_MIN, .max = MFFT_OMEGA_M_MAX},
    {"scale-factor", 0, MFFT_CLI_REAL, offsetof(mfft_poisson_values, scale_factor), "A",
     "a of --units cosmo; default: from the redshift of the file", .min = MFFT_SCALE_FACTOR_MIN,
     .max = MFFT_SCALE_FACTOR_MAX},
    {"boundary", 0, MFFT_CLI_TEXT, offsetof(mfft_poisson_values, boundary), "KIND",
     "boundary condition at the faces of the box: periodic, or walls where phi is 0 (dirichlet) or its normal derivative is "
     "0 (neumann), or open: no mass beyond; or a word for each of x,y,z, where open goes beside periodic",
     .fallback = "periodic"},
    {"open-kernel", 0, MFFT_CLI_CHOICE, offsetof(mfft_poisson_values, open_kernel), "KIND",
     "Green function of open boundaries: truncated has spectral accuracy; hockney, with all axes open, has order 4 and "
     "needs "
     "less memory at the start",
     .fallback = "truncated", .choices = MFFT_OPEN_KINDS},
    {"greens", 0, MFFT_CLI_CHOICE, offsetof(mfft_poisson_values, greens), "KIND",
     "Laplacian: spectral, or of a stencil of order 2 or 4", .fallback = "spectral", .choices = MFFT_GREEN_WORDS},
    {"gradient", 0, MFFT_CLI_CHOICE, offsetof(mfft_poisson_values, gradient), "KIND",
     "write force_x, force_y and force_z = -gradient(phi), taken in k-space: exact or of a stencil of order 4",
     .fallback = "none", .choices = MFFT_GRADIENT_KINDS},
    {"deconvolve", 0, MFFT_CLI_INT, offsetof(mfft_poisson_values, deconvolve), "TIMES",
     "divide by the window of --assign: 0, 1 or 2 times (amplifies the noise of particles unless --asmth is given too)",
     .fallback = "0", .min = 0, .max = 2},
    {"assign", 'a', MFFT_CLI_CHOICE, offsetof(mfft_poisson_values, assign), "HOW",
     "mass assignment by which the field was made, for --deconvolve; default: what its file says, or cic",
     .choices = MFFT_ASSIGN_WORDS},
    {"asmth", 0, MFFT_CLI_REAL, offsetof(mfft_poisson_values, asmth), "CELLS",
     "long-range part only: exp(-k^2 rs^2), rs in widths of the widest cell", .fallback = "0", .min = 0, .max = 1e6},
    {"precision", 'p', MFFT_CLI_CHOICE, offsetof(mfft_poisson_values, precision), "PRECISION",
     "precision of the transforms and of the results; half is stored as single; default: that of the file",
     .choices = MFFT_POISSON_PRECISIONS},
    {"plan", 0, MFFT_CLI_TABLE, offsetof(mfft_poisson_values, plan), .table = mfft_plan_options_table},
    {"sweep", 0, MFFT_CLI_TABLE, offsetof(mfft_poisson_values, sweep), .table = mfft_sweep_options_table},
    {"untrusted", 0, MFFT_CLI_TABLE, offsetof(mfft_poisson_values, untrusted), .table = mfft_untrusted_options_table},
    {"chunks", 0, MFFT_CLI_INT, offsetof(mfft_poisson_values, chunks), "N", "pieces of an exchange; 0: the plan chooses",
     .fallback = "0", .min = 0, .max = 1e4},
    {"effort", 0, MFFT_CLI_CHOICE, offsetof(mfft_poisson_values, effort), "HOW",
     "planning effort; measure pays off from a few hundred transforms on; default: estimate, with --tune measure",
     .choices = MFFT_EFFORTS},
    {"tune", 'T', MFFT_CLI_FLAG, offsetof(mfft_poisson_values, tune), NULL,
     .help = "time whole candidate plans first, as many as --effort requires, and use the fastest (under mpirun write -T: "
             "Open MPI takes --tune for itself)"},
    {"time-limit", 0, MFFT_CLI_REAL, offsetof(mfft_poisson_values, time_limit), "S",
     "seconds that timing candidates for one plan may take; 0: MFFT_TUNE_S, or 5 with --effort measure and 60 with patient",
     .fallback = "0", .min = 0, .max = 1e6},
    {"wisdom", 0, MFFT_CLI_TEXT, offsetof(mfft_poisson_values, wisdom), "FILE",
     .help = "file of tuning results: read at the start, written at the end"},
    {"timing", 0, MFFT_CLI_TABLE, offsetof(mfft_poisson_values, timing), .table = mfft_timing_options_table},
    {"no-check", 0, MFFT_CLI_FLAG, offsetof(mfft_poisson_values, no_check), NULL, .help = "do not measure the residual"},
    {"one-array", 0, MFFT_CLI_FLAG, offsetof(mfft_poisson_values, one_array), NULL,
     .help = "with --gradient on CPUs: write each output before the next one is computed, even if memory suffices for a "
             "second array of the field; with open axes on GPUs: keep kernels on the host, and upload one for each output"},
    {"dry-run", 0, MFFT_CLI_TABLE, offsetof(mfft_poisson_values, dry_run), .table = mfft_estimate_options_table},
    {"skip-existing", 0, MFFT_CLI_FLAG, offsetof(mfft_poisson_values, skip_existing), NULL,
     .help = "skip inputs whose --output exists, such as those that an earlier job has solved"},
    {"stop-file", 0, MFFT_CLI_TEXT, offsetof(mfft_poisson_values, stop_file), "FILE", .help = MFFT_FIELDS_STOP_HELP},
    {"progress", 0, MFFT_CLI_FLAG, offsetof(mfft_poisson_values, progress), NULL,
     .help = "show progress also where there is no terminal"},
    {"allow-nonfinite", 0, MFFT_CLI_FLAG, offsetof(mfft_poisson_values, allow_nonfinite), NULL,
     .help = "replace values that are NaN or infinite by the mean of the others, instead of refusing the field"},
    {0}};

/* Checks options that depend on the boundary. Walls need cosine and sine transforms, which are single or double. */
static int check_boundary(const mfft_command *command, const mfft_poisson_values *v) {
  mfft_boundary boundary[3]; /* [axis] */
  if (mfft_boundary_parse(v->boundary, boundary))
    return mfft_cli_usage(
        command,
        "--boundary is '%s'; give open, periodic, dirichlet or neumann, or three of them for x,y,z, open beside "
        "open or periodic",
        v->boundary);
  const mfft_cli_need kernel = {"open-kernel", mfft_boundary_open(boundary), "--boundary open"};
  if (mfft_cli_check_needs(command, &kernel, 1)) return MFFT_EXIT_USAGE;
  if (mfft_boundary_all_periodic(boundary)) return MFFT_EXIT_OK;
  if (v->precision == MFFT_HALF)
    return mfft_cli_usage(command, "--precision half needs --boundary periodic; use single or double");
  if (!mfft_boundary_open(boundary)) return MFFT_EXIT_OK;
  const int all_open = boundary[0] == MFFT_OPEN && boundary[1] == MFFT_OPEN && boundary[2] == MFFT_OPEN;
  if (v->open_kernel == MFFT_OPEN_HOCKNEY && !all_open)
    return mfft_cli_usage(command, "--open-kernel hockney needs all axes open, and --boundary is '%s'; give truncated",
                          v->boundary);
  if (v->open_kernel == MFFT_OPEN_HOCKNEY && v->gradient == MFFT_GRADIENT_SPECTRAL)
    return mfft_cli_usage(command,
                          "--open-kernel hockney has no exact derivative, since its phi is of order 4; give --gradient fd4, "
                          "which is so too, or --open-kernel truncated");
  if (v->greens != MFFT_LAPLACIAN_SPECTRAL || v->deconvolve || v->asmth > 0)
    return mfft_cli_usage(command,
                          "--greens, --deconvolve and --asmth act on periodic modes, which open boundaries have not; "
                          "omit them");
  if (v->field != MFFT_FIELD_CONTRAST || v->units != MFFT_UNITS_PLAIN)
    return mfft_cli_usage(command,
                          "--field density and --units cosmo assume a periodic universe; with open boundaries the field is "
                          "used unchanged; give --coefficient instead");
  return MFFT_EXIT_OK;
}

int mfft_poisson_options_check(const mfft_command *command, const mfft_poisson_values *v) {
  const int walls = check_boundary(command, v);
  if (walls != MFFT_EXIT_OK) return walls;
  if (v->units == MFFT_UNITS_COSMO && !isnan(v->coefficient))
    return mfft_cli_usage(command, "--coefficient and --units cosmo exclude each other; omit one of them");
  if (v->units != MFFT_UNITS_COSMO && (!isnan(v->omega_m) || !isnan(v->scale_factor)))
    return mfft_cli_usage(command, "--omega-m and --scale-factor need --units cosmo; add it, or omit them");
  enum { OUTPUT, WISDOM, OTHERS, ALL = OTHERS + MFFT_TIMING_TARGETS };
  mfft_target timing[MFFT_TIMING_TARGETS];
  mfft_fields_target targets[ALL] = {
      [OUTPUT] = {{"--output", v->output, &mfft_field_kind}, 0}, [WISDOM] = {{"--wisdom", v->wisdom, &mfft_wisdom_kind}, 1}};
  mfft_timing_targets(&v->timing, timing);
  for (int i = 0; i < MFFT_TIMING_TARGETS; i++) targets[OTHERS + i] = (mfft_fields_target){timing[i], 1};
  return mfft_fields_check(command, v->input, NULL, targets, ALL);
}
