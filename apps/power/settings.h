/* settings.h: the options of `mergefft power`. */
#ifndef MFFT_APPS_POWER_SETTINGS_H
#define MFFT_APPS_POWER_SETTINGS_H

#include "catalogue/catalogue.h"
#include "cli/timing.h"
#include "io/fields.h"
#include "io/untrusted.h"
#include "power/bins.h"
#include "power/like.h"

/* Values of the options. */
typedef struct mfft_power_values {
  const char *input[MFFT_FIELDS_MOST], *dataset, *output, *json, *cross, *poles, *los, *folds, *plot, *spectrum, *hdf5,
      *stop_file;
  mfft_cli_reals boxsize;
  mfft_cli_sizes n;
  int field, spacing, assign, compensate, subtract_shot, allow_nonfinite, skip_existing, rsd, like, dry_run;
  int64_t bins, interlace;
  double kmin, kmax, dk, shot, particles, omega_m, omega_lambda, omega_b, h, ns, sigma8, spectrum_z;
  mfft_catalogue_options catalogue;
  mfft_plan_options plan;
  mfft_sweep_options sweep;
  mfft_untrusted_options untrusted;
  mfft_timing_options timing;

  /* Set by mfft_power_options_check: */
  mfft_power_how how; /* -1 for values that the options do not give */
  int ell[MFFT_POLES_MOST], ells;
  double line[3];           /* line of sight, a unit vector */
  int has_units, has_field; /* 1: the command line has --units, --field */
} mfft_power_values;

#define MFFT_POWER_ASSIGNS       "none|ngp|cic|tsc|pcs"
#define MFFT_POWER_COMPENSATIONS "sinc|jing|none"

/* The table of options, and the checks of combinations that it cannot describe.  Returns MFFT_EXIT_OK, or the exit code of
 * a usage error that has been printed. */
extern const mfft_cli_option mfft_power_options_table[];
int mfft_power_options_check(const mfft_command *command, mfft_power_values *values);

#endif
