/* colormap.h: numbers from 0 to 1 as colours. */
#ifndef MFFT_APPS_COLORMAP_H
#define MFFT_APPS_COLORMAP_H

#include <stdint.h>

#define MFFT_COLORMAPS \
  "viridis|inferno|magma|cividis|coolwarm|gray" /* choices of the command line, in the order of the enum */
typedef enum mfft_colormap {
  MFFT_VIRIDIS = 0,
  MFFT_INFERNO,
  MFFT_MAGMA,
  MFFT_CIVIDIS,
  MFFT_COOLWARM,
  MFFT_GRAY
} mfft_colormap;

/* All but gray are perceptually uniform: equal steps of a number look like equal steps.  coolwarm diverges from its middle.
 *
 * The colour 0xRRGGBB of a position; below 0 and above 1 it is that of the end, and NaN has a colour of its own that no map
 * contains. */
uint32_t mfft_colormap_color(mfft_colormap map, double position);

/* The colour of values that have no position in the map, and its name: grey, or pink if the map is gray itself. */
uint32_t mfft_colormap_masked(mfft_colormap map);
const char *mfft_colormap_masked_name(mfft_colormap map);

#endif
