/* picture_kind.c: the kind of picture of a name, in builds with cairo and without. */
#include "plot/picture_kind.h"

#include <string.h>
#include <strings.h>

const mfft_file_kind *mfft_picture_kind(const char *path) {
  static const struct {
    const char *ending;
    const mfft_file_kind *kind;
  } kinds[] = {{".png", &mfft_png_kind}, {".svg", &mfft_svg_kind}, {".pdf", &mfft_pdf_kind}};
  const char *name = path ? strrchr(path, '/') : NULL, *ending = path ? strrchr(name ? name : path, '.') : NULL;
  for (size_t i = 0; ending && i < sizeof kinds / sizeof *kinds; i++)
    if (!strcasecmp(ending, kinds[i].ending)) return kinds[i].kind;
  return NULL;
}
