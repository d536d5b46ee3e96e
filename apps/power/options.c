/* options.c: the options of `mergefft power`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/estimate.h"
#include "io/save.h"
#include "plot/picture.h"
#include "poisson/contrast.h"
#include "power/settings.h"

#define AT(member) offsetof(mfft_power_values, member)
const mfft_cli_option mfft_power_options_table[] = {
    {"dataset", 'd', MFFT_CLI_TEXT, AT(dataset), "NAME", .help = "name of the dataset; default: the only one at the root"},
    {"boxsize", 'L', MFFT_CLI_REALS, AT(boxsize), "L", "side of the periodic box, or Lx,Ly,Lz; default: BoxSize of the file",
     .min = MFFT_LENGTH_MIN, .max = MFFT_LENGTH_MAX},
    {"field", 'f', MFFT_CLI_CHOICE, AT(field), "KIND",
     "quantity in the file; a density is divided by its mean and 1 is subtracted", .fallback = "contrast",
     .choices = MFFT_FIELD_KINDS},
    {"n", 'n', MFFT_CLI_SIZES, AT(n), "N",
     .help = "cells along each side of the mesh of a snapshot; default: those of the field of --cross, or else twice the "
             "particles along a side",
     .min = 1, .max = 1 << 20},
    {"like", 0, MFFT_CLI_CHOICE, AT(like), "PROGRAM",
     .help = "use the method of this program: window, interlacing, compensation, bins, shot noise and foldings; other "
             "options take precedence",
     .choices = MFFT_POWER_LIKES},
    {"cross", 'x', MFFT_CLI_TEXT, AT(cross), "FILE",
     .help = "measure the cross spectrum of each input with this field or snapshot"},
    {"poles", 0, MFFT_CLI_TEXT, AT(poles), "LIST", .help = "multipoles about the line of sight, such as 0,2,4"},
    {"los", 0, MFFT_CLI_TEXT, AT(los), "AXIS", "line of sight: x, y, z, or a vector X,Y,Z", .fallback = "z"},
    {"rsd", 0, MFFT_CLI_FLAG, AT(rsd), NULL,
     .help = "displace the particles of a snapshot to redshift space, by their velocities along the line of sight"},
    {"omega-m", 0, MFFT_CLI_REAL, AT(omega_m), "X",
     .help = "matter density, for --rsd and --plot; default: that of the snapshot", .min = 1e-3, .max = 10},
    {"omega-lambda", 0, MFFT_CLI_REAL, AT(omega_lambda), "X",
     .help = "cosmological constant, for --rsd and --plot; default: that of the snapshot, or 1 - omega-m", .min = -10,
     .max = 10},
    {"interlace", 0, MFFT_CLI_INT, AT(interlace), "ORDER",
     .help = "interlaced meshes for a snapshot, 1 for no interlacing; default: 2", .min = 1, .max = 3},
    {"fold", 0, MFFT_CLI_TEXT, AT(folds), "LIST",
     .help =
         "fold the box of a snapshot into this many parts along a side, such as 1,4,16, to reach larger k; each folding has "
         "rows of its own"},
    {"spacing", 0, MFFT_CLI_CHOICE, AT(spacing), "KIND",
     .help = "spacing of the bins: linear (the default), logarithmic, or as in GADGET-4", .choices = MFFT_POWER_SPACINGS},
    {"bins", 0, MFFT_CLI_INT, AT(bins), "N",
     "number of bins; default: as many of width --dk as fit below --kmax, or 20 logarithmic ones", .min = 1, .max = 1e6},
    {"kmin", 0, MFFT_CLI_REAL, AT(kmin), "K",
     "lower edge of the first bin; default: half of --dk (linear), or 2 pi over the longest side (log)", .max = 1e30},
    {"kmax", 0, MFFT_CLI_REAL, AT(kmax), "K",
     "upper end of the bins; default: the lowest Nyquist wave number of the three axes", .min = 1e-30, .max = 1e30},
    {"dk", 0, MFFT_CLI_REAL, AT(dk), "K", "width of linear bins; default: 2 pi over the longest side", .min = 1e-30,
     .max = 1e30},
    {"assign", 'a', MFFT_CLI_CHOICE, AT(assign), "HOW",
     .help =
         "mass assignment: of a snapshot to the mesh, default tsc; used to make a field, default: what its file says, or "
         "none",
     .choices = MFFT_POWER_ASSIGNS},
    {"compensate", 0, MFFT_CLI_CHOICE, AT(compensate), "HOW",
     .help = "divisor of the power for the window of --assign: sinc (the default), jing or none",
     .choices = MFFT_POWER_COMPENSATIONS},
    {"shot", 0, MFFT_CLI_REAL, AT(shot), "P", "shot noise, as a power: adds a column", .max = 1e30},
    {"particles", 0, MFFT_CLI_REAL, AT(particles), "COUNT", "number of particles: shot noise is the box volume over it",
     .min = 1, .max = 1e30},
    {"subtract-shot", 0, MFFT_CLI_FLAG, AT(subtract_shot), NULL, .help = "subtract the shot noise from P"},
    {"snapshot", 0, MFFT_CLI_TABLE, AT(catalogue), .table = mfft_catalogue_options_table},
    {"output", 'o', MFFT_CLI_TEXT, AT(output), "FILE",
     .help =
         "write the table to FILE instead of stdout; {} stands for the name of the input without folder and ending, {dir} "
         "for its folder"},
    {"json", 'j', MFFT_CLI_TEXT, AT(json), "FILE",
     .help = "also write the results as JSON; - is stdout, instead of the table"},
    {"hdf5", 0, MFFT_CLI_TEXT, AT(hdf5), "FILE", .help = "also write the columns of the table as datasets of an HDF5 file"},
    {"plot", 0, MFFT_CLI_TEXT, AT(plot), "FILE",
     .help = "draw P(k) and linear theory (Eisenstein and Hu 1998), and their ratio: " MFFT_PICTURE_FILE},
    {"spectrum", 0, MFFT_CLI_TEXT, AT(spectrum), "FILE",
     .help = "take the linear theory of --plot from this table, lines of k in h/Mpc and P(k) in (Mpc/h)^3 as CAMB and CLASS "
             "write them"},
    {"spectrum-z", 0, MFFT_CLI_REAL, AT(spectrum_z), "Z", .help = "redshift of that table; default: 0", .min = 0,
     .max = 1e4},
    {"omega-b", 0, MFFT_CLI_REAL, AT(omega_b), "X", "baryon density, for --plot", .fallback = "0.049", .min = 1e-5,
     .max = 10},
    {"h", 0, MFFT_CLI_REAL, AT(h), "X",
     .help = "Hubble constant in 100 km/s/Mpc, for --plot; default: that of the snapshot, or 0.677", .min = 0.01, .max = 10},
    {"ns", 0, MFFT_CLI_REAL, AT(ns), "X", "spectral index, for --plot", .fallback = "0.967", .min = -2.9, .max = 4},
    {"sigma8", 0, MFFT_CLI_REAL, AT(sigma8), "X",
     .help = "rms density in spheres of 8 Mpc/h at redshift 0, for --plot; default: 0.81, or that of the table", .max = 1e6},
    {"timing", 0, MFFT_CLI_TABLE, AT(timing), .table = mfft_timing_options_table},
    {"allow-nonfinite", 0, MFFT_CLI_FLAG, AT(allow_nonfinite), NULL,
     .help = "replace values that are NaN or infinite by the mean of the others, instead of refusing the field"},
    {"skip-existing", 0, MFFT_CLI_FLAG, AT(skip_existing), NULL,
     .help = "skip inputs whose --output exists, such as those that an earlier job has measured"},
    {"stop-file", 0, MFFT_CLI_TEXT, AT(stop_file), "FILE", .help = MFFT_FIELDS_STOP_HELP},
    {"dry", 0, MFFT_CLI_TABLE, AT(dry_run), .table = mfft_estimate_options_table},
    {"plan", 0, MFFT_CLI_TABLE, AT(plan), .table = mfft_plan_options_table},
    {"sweep", 0, MFFT_CLI_TABLE, AT(sweep), .table = mfft_sweep_options_table},
    {"untrusted", 0, MFFT_CLI_TABLE, AT(untrusted), .table = mfft_untrusted_options_table},
    {0}};

/* ---- Lists ----------------------------------------------------------------------------------------------------------- */

/* Reads a list such as "1,4,16" of at most `size` whole numbers from `least` to `most`.  Returns their number, or -1. */
static int read_list(const char *list, int least, int most, int size, int *value) {
  int count = 0;
  for (const char *at = list; at;) {
    char *end;
    const long number = strtol(at, &end, 10);
    if (end == at || (*end && *end != ',') || number < least || number > most || count == size) return -1;
    value[count++] = (int)number;
    at = *end ? end + 1 : NULL;
  }
  return count;
}

/* Reads "x" or "0,1,1" as a unit vector.  Returns 0, or -1. */
static int read_line(const char *text, double line[3]) {
  static const mfft_cli_option vector = {.name = "los", .type = MFFT_CLI_REALS, .min = -1e6, .max = 1e6};
  char why[MFFT_CLI_WHY_BYTES];
  mfft_cli_reals given = {0};
  const int axis = mfft_cli_choice("x|y|z", text);
  double square = 0;
  for (int a = 0; a < 3; a++) line[a] = a == axis;
  if (axis >= 0) return 0;
  if (mfft_cli_read_value(&vector, text, &given, why) || given.count != 3) return -1;
  for (int a = 0; a < 3; a++) square += given.v[a] * given.v[a];
  for (int a = 0; a < 3; a++) line[a] = given.v[a] / sqrt(square);
  return square > 0 ? 0 : -1;
}

/* Whether a number of a list is in it before, too. */
static int repeats(const int *value, int count, int *which) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++)
      if (value[ *which = i] == value[j]) return 1;
  return 0;
}

static int has_odd(const int *value, int count) {
  for (int i = 0; i < count; i++)
    if (value[i] % 2) return 1;
  return 0;
}

static int read_lists(const mfft_command *me, mfft_power_values *p) {
  int which;
  enum { MOST_ELL = 16, MOST_FOLD = 1 << 16 };
  p->ells = p->poles ? read_list(p->poles, 0, MOST_ELL, MFFT_POLES_MOST, p->ell) : 0;
  if (p->ells < 0)
    return mfft_cli_usage(me, "--poles %s: must be a list of up to %d multipoles from 0 to %d, such as 0,2,4", p->poles,
                          MFFT_POLES_MOST, MOST_ELL);
  if (has_odd(p->ell, p->ells))
    return mfft_cli_usage(me, "--poles %s: multipoles of odd order are 0 or, between two fields, imaginary; give even ones",
                          p->poles);
  if (repeats(p->ell, p->ells, &which))
    return mfft_cli_usage(me, "--poles %s: %d is there twice; omit one", p->poles, p->ell[which]);
  p->how.folds = p->folds ? read_list(p->folds, 1, MOST_FOLD, MFFT_FOLDS_MOST, p->how.fold) : 0;
  if (p->how.folds < 0)
    return mfft_cli_usage(me, "--fold %s: must be a list of up to %d whole numbers from 1 to %d, such as 1,4,16", p->folds,
                          MFFT_FOLDS_MOST, MOST_FOLD);
  if (repeats(p->how.fold, p->how.folds, &which))
    return mfft_cli_usage(me, "--fold %s: %d is there twice; omit one", p->folds, p->how.fold[which]);
  if (read_line(p->los, p->line)) return mfft_cli_usage(me, "--los %s: must be x, y, z or a vector such as 0,1,1", p->los);
  return 0;
}

int mfft_power_options_check(const mfft_command *command, mfft_power_values *p) {
  if (!isnan(p->shot) && !isnan(p->particles))
    return mfft_cli_usage(command, "--shot and --particles exclude each other; omit one of them");
  if (p->spacing == MFFT_SPACING_LOG && !isnan(p->dk))
    return mfft_cli_usage(command, "--dk is for linear bins; give --bins with --spacing log");
  if (p->spacing == MFFT_SPACING_LOG && p->kmin == 0)
    return mfft_cli_usage(command, "--kmin 0: must be above 0 with --spacing log");
  if (!p->rsd && !p->plot && (!isnan(p->omega_m) || !isnan(p->omega_lambda)))
    return mfft_cli_usage(command, "--omega-m and --omega-lambda need --rsd or --plot; omit them");
  const int drawn = p->plot != NULL;
  const mfft_cli_need needs[] = {{"omega-b", drawn, "the linear theory of --plot"},
                                 {"h", drawn, "the linear theory of --plot"},
                                 {"ns", drawn, "the linear theory of --plot"},
                                 {"sigma8", drawn, "the linear theory of --plot"},
                                 {"los", p->poles || p->rsd || p->like >= 0, "--poles and --rsd"}};
  if (mfft_cli_check_needs(command, needs, sizeof needs / sizeof *needs)) return MFFT_EXIT_USAGE;
  p->has_units = mfft_cli_given(command, "units");
  p->has_field = mfft_cli_given(command, "field");
  if (p->spectrum && !p->plot) return mfft_cli_usage(command, "--spectrum needs --plot, which draws it; omit it");
  if (!isnan(p->spectrum_z) && !p->spectrum)
    return mfft_cli_usage(command, "--spectrum-z needs --spectrum, the table of that redshift; omit it");
  if (p->cross && p->untrusted.untrusted)
    return mfft_cli_usage(command, "--untrusted reads a single file, and --cross a second one; omit one of them");
  if (read_lists(command, p)) return MFFT_EXIT_USAGE;
  p->how.assign = p->assign;
  p->how.compensate = p->compensate;
  p->how.spacing = p->spacing;
  p->how.interlace = p->interlace > 0 ? (int)p->interlace : -1;
  p->how.subtract_shot = p->subtract_shot;
  if (p->skip_existing && !p->output)
    return mfft_cli_usage(command, "--skip-existing needs --output, the file whose existence is checked");
  if (mfft_app_is_stdout(p->timing.json) && !p->output && !p->json)
    return mfft_cli_usage(command, "--timing - needs --output or --json, as stdout has the table else");
  enum { OUTPUT, JSON, HDF5, PLOT, OTHERS, ALL = OTHERS + MFFT_TIMING_TARGETS };
  mfft_target timing[MFFT_TIMING_TARGETS];
  mfft_fields_target targets[ALL] = {[OUTPUT] = {{"--output", p->output, &mfft_table_kind}, mfft_app_is_stdout(p->output)},
                                     [JSON] = {{"--json", p->json, &mfft_json_kind}, 0},
                                     [HDF5] = {{"--hdf5", p->hdf5, &mfft_field_kind}, 0},
                                     [PLOT] = {{"--plot", p->plot, mfft_picture_kind(p->plot)}, 0}};
  mfft_timing_targets(&p->timing, timing);
  for (int i = 0; i < MFFT_TIMING_TARGETS; i++) targets[OTHERS + i] = (mfft_fields_target){timing[i], 1};
  return mfft_fields_check(command, p->input, p->cross, targets, ALL);
}
