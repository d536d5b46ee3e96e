/* settings.h: the options of `mergefft ic`. */
#ifndef MFFT_APPS_IC_SETTINGS_H
#define MFFT_APPS_IC_SETTINGS_H

#include "cli/timing.h"
#include "gen/spectrum_options.h"
#include "io/sweep.h"

/* Values of the options. */
typedef struct mfft_ic_values {
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
} mfft_ic_values;

#endif
