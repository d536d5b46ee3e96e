/* picture_absent.c: picture.h of a build without cairo, whose calls only report that. */
#include <stddef.h>

#include "cli/report.h"
#include "plot/picture.h"

static const char missing[] = "this build has no cairo, which pictures need; install libcairo2-dev and build again";

const char *mfft_picture_missing(void) { return missing; }
const char *mfft_picture_version(void) { return ""; }

mfft_status mfft_picture_create(const char *path, double width, double height, double scale, mfft_picture **picture) {
  (void)width, (void)height, (void)scale, (void)picture;
  return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "cannot write '%s': %s", path, missing);
}
void mfft_picture_destroy(mfft_picture *picture) { (void)picture; }
mfft_status mfft_picture_save(mfft_picture *picture, const char *title) {
  return (void)picture, (void)title, mfft_app_fail(MFFT_ERR_UNSUPPORTED, "%s", missing);
}

/* ---- Nothing can be drawn: there is never a picture. ----------------------------------------------------------------- */

void mfft_picture_fill(mfft_picture *picture, double x, double y, double width, double height, uint32_t color) {
  (void)picture, (void)x, (void)y, (void)width, (void)height, (void)color;
}
void mfft_picture_frame(mfft_picture *picture, double x, double y, double width, double height, double line,
                        uint32_t color) {
  (void)picture, (void)x, (void)y, (void)width, (void)height, (void)line, (void)color;
}
void mfft_picture_polygon(mfft_picture *picture, const double (*point)[2], int count, uint32_t color) {
  (void)picture, (void)point, (void)count, (void)color;
}
void mfft_picture_disc(mfft_picture *picture, double x, double y, double radius, uint32_t color) {
  (void)picture, (void)x, (void)y, (void)radius, (void)color;
}
void mfft_picture_ring(mfft_picture *picture, double x, double y, double radius, double line, uint32_t color) {
  (void)picture, (void)x, (void)y, (void)radius, (void)line, (void)color;
}
void mfft_picture_line(mfft_picture *picture, const double from[2], const double to[2], double line, double dash,
                       uint32_t color) {
  (void)picture, (void)from, (void)to, (void)line, (void)dash, (void)color;
}
void mfft_picture_image(mfft_picture *picture, double x, double y, double width, double height, const uint32_t *color,
                        int columns, int rows) {
  (void)picture, (void)x, (void)y, (void)width, (void)height, (void)color, (void)columns, (void)rows;
}
void mfft_picture_text(mfft_picture *picture, double x, double baseline, mfft_align align, const mfft_font *font,
                       const char *text) {
  (void)picture, (void)x, (void)baseline, (void)align, (void)font, (void)text;
}
double mfft_picture_text_width(const mfft_font *font, const char *text) { return (void)font, (void)text, 0; }
