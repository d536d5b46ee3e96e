/* colormap.c: see colormap.h. */
#include "plot/colormap.h"

#include <math.h>

/* Each map at 33 equidistant points; linear between them it is within 2 of 255 of the published tables.  viridis and magma
 * are those of matplotlib (S. van der Walt, N. Smith; public domain), coolwarm is Moreland's diverging map (2009). */
enum { POINTS = 33 };
// clang-format off
static const uint32_t viridis[POINTS] = {
    0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453681, 0x424086, 0x3f4989, 0x3b528b, 0x375a8d, 0x33638d,
    0x2f6a8e, 0x2c728e, 0x297a8e, 0x26818e, 0x23898e, 0x21908c, 0x1f988b, 0x1f9f88, 0x21a685, 0x28ae80, 0x31b57b,
    0x3ebc74, 0x4cc26c, 0x5dc963, 0x6ece58, 0x82d34c, 0x96d83f, 0xabdc32, 0xc0df24, 0xd5e21a, 0xeae51a, 0xfde725};
static const uint32_t magma[POINTS] = {
    0x000004, 0x030311, 0x0a0822, 0x130d33, 0x1d1146, 0x28115a, 0x36106a, 0x430f76, 0x50127c, 0x5d177f, 0x691c81,
    0x762181, 0x822681, 0x8f2a81, 0x9c2e7f, 0xa9327d, 0xb63779, 0xc33b75, 0xcf4170, 0xdb486a, 0xe65163, 0xee5c5e,
    0xf5695c, 0xf9785d, 0xfb8761, 0xfd9668, 0xfea571, 0xfeb47b, 0xfec387, 0xfed194, 0xfde0a2, 0xfceeb0, 0xfcfdbf};
static const uint32_t coolwarm[POINTS] = {
    0x3b4cc0, 0x445acc, 0x4d68d7, 0x5775e1, 0x6282ea, 0x6c8ef1, 0x779af7, 0x82a5fb, 0x8db0fe, 0x98b9ff, 0xa3c2fe,
    0xaec9fc, 0xb8d0f9, 0xc2d5f4, 0xccd9ee, 0xd5dbe6, 0xdddddd, 0xe5d8d1, 0xecd3c5, 0xf1ccb9, 0xf4c4ad, 0xf7bba0,
    0xf7b194, 0xf7a687, 0xf49a7b, 0xf18d6f, 0xec7f63, 0xe57058, 0xde604d, 0xd55042, 0xcb3e38, 0xc0282f, 0xb40426};
// clang-format on

uint32_t mfft_colormap_color(mfft_colormap map, double position) {
  static const uint32_t *const tables[] = {viridis, magma, coolwarm};
  static const uint32_t not_a_number = 0x00c853;
  if (isnan(position)) return not_a_number;
  double t = position < 0 ? 0 : position > 1 ? 1 : position;
  if (map == MFFT_GRAY) return (uint32_t)lrint(255 * t) * 0x010101u;
  int i = t < 1 ? (int)(t * (POINTS - 1)) : POINTS - 2;
  double u = t * (POINTS - 1) - i;
  uint32_t color = 0;
  for (int shift = 16; shift >= 0; shift -= 8) {
    double a = tables[map][i] >> shift & 255, b = tables[map][i + 1] >> shift & 255;
    color |= (uint32_t)lrint(a + u * (b - a)) << shift;
  }
  return color;
}

uint32_t mfft_colormap_masked(mfft_colormap map) { return map == MFFT_GRAY ? 0xff80c0 : 0xc4c4c4; }
const char *mfft_colormap_masked_name(mfft_colormap map) { return map == MFFT_GRAY ? "pink" : "grey"; }
