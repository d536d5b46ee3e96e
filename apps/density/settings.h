/* settings.h: the options of `mergefft density`. */
#ifndef MFFT_APPS_DENSITY_SETTINGS_H
#define MFFT_APPS_DENSITY_SETTINGS_H

#include "catalogue/catalogue.h"
#include "cli/timing.h"
#include "io/sweep.h"

/* Values of the options. */
typedef struct mfft_density_values {
  const char *input, *output, *fields;
  mfft_cli_sizes n;
  mfft_cli_reals boxsize;
  int assign, centered, interlace, precision, dry_run;
  mfft_catalogue_options catalogue;
  mfft_plan_options plan;
  mfft_sweep_options sweep;
  mfft_timing_options timing;
} mfft_density_values;

#endif
