/* settings.h: the options of `mergefft show`. */
#ifndef MFFT_APPS_SHOW_SETTINGS_H
#define MFFT_APPS_SHOW_SETTINGS_H

#include "catalogue/catalogue.h"
#include "cli/timing.h"
#include "io/untrusted.h"

/* Values of the options. */
typedef struct mfft_show {
  const char *input, *output, *dataset, *title, *length_unit;
  int los, project, scale, colormap, smooth, no_verify;
  int64_t index, depth, width, cells;
  double lo, hi, add, clip, at, thickness;
  mfft_cli_reals boxsize, zoom;
  mfft_catalogue_options catalogue;
  mfft_plan_options plan;
  mfft_untrusted_options untrusted;
  mfft_timing_options timing;
} mfft_show;

#endif
