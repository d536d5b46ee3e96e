/* picture.c: drawing; picture_png.c has the file. */
#include "plot/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "plot/font.h"

mfft_status mfft_picture_create(int width, int height, mfft_picture *picture) {
  size_t bytes = (size_t)width * (size_t)height * 3;
  uint8_t *rgb = malloc(bytes);
  if (!rgb)
    return mfft_app_fail(MFFT_ERR_MEMORY,
                         "a picture of %d x %d pixels needs %zu bytes, which are not there; choose a smaller --width", width,
                         height, bytes);
  memset(rgb, 255, bytes);
  picture->width = width;
  picture->height = height;
  picture->rgb = rgb;
  return MFFT_SUCCESS;
}

void mfft_picture_destroy(mfft_picture *picture) {
  free(picture->rgb);
  memset(picture, 0, sizeof *picture);
}

void mfft_picture_fill(mfft_picture *p, int x, int y, int width, int height, uint32_t color) {
  for (int j = y < 0 ? 0 : y; j < y + height && j < p->height; j++)
    for (int i = x < 0 ? 0 : x; i < x + width && i < p->width; i++) {
      uint8_t *pixel = p->rgb + 3 * ((size_t)j * (size_t)p->width + (size_t)i);
      pixel[0] = (uint8_t)(color >> 16);
      pixel[1] = (uint8_t)(color >> 8);
      pixel[2] = (uint8_t)color;
    }
}

void mfft_picture_frame(mfft_picture *p, int x, int y, int width, int height, uint32_t color) {
  mfft_picture_fill(p, x - 1, y - 1, width + 2, 1, color);
  mfft_picture_fill(p, x - 1, y + height, width + 2, 1, color);
  mfft_picture_fill(p, x - 1, y, 1, height, color);
  mfft_picture_fill(p, x + width, y, 1, height, color);
}

void mfft_picture_text(mfft_picture *p, int x, int baseline, mfft_align align, uint32_t color, const char *text) {
  int width = mfft_font_width(text), top = baseline - MFFT_FONT_BASELINE;
  int left = align == MFFT_LEFT ? x : align == MFFT_CENTER ? x - width / 2 : x - width;
  for (; *text; text++, left += MFFT_FONT_WIDTH)
    for (int j = 0; j < MFFT_FONT_HEIGHT; j++)
      for (int i = 0; i < MFFT_FONT_WIDTH; i++)
        if (mfft_font_pixel(*text, i, j)) mfft_picture_fill(p, left + i, top + j, 1, 1, color);
}

/* ---- Smooth shapes: how much of a pixel is inside follows from the distance of its middle to the edge ---------------- */

static void blend(mfft_picture *p, int x, int y, uint32_t color, double share) {
  if (share <= 0 || x < 0 || y < 0 || x >= p->width || y >= p->height) return;
  uint8_t *pixel = p->rgb + 3 * ((size_t)y * (size_t)p->width + (size_t)x);
  for (int c = 0; c < 3; c++)
    pixel[c] = (uint8_t)lrint(pixel[c] + fmin(share, 1) * ((int)(color >> (16 - 8 * c) & 255) - pixel[c]));
}

void mfft_picture_ring(mfft_picture *p, double x, double y, double radius, double width, uint32_t color) {
  for (int j = (int)floor(y - radius - 1); j <= (int)ceil(y + radius + 1); j++)
    for (int i = (int)floor(x - radius - 1); i <= (int)ceil(x + radius + 1); i++) {
      double r = hypot(i + 0.5 - x, j + 0.5 - y);
      blend(p, i, j, color, fmin(radius - r + 0.5, r - (radius - width) + 0.5));
    }
}

void mfft_picture_disc(mfft_picture *p, double x, double y, double radius, uint32_t color) {
  mfft_picture_ring(p, x, y, radius, 2 * radius + 2, color);
}

void mfft_picture_line(mfft_picture *p, const double from[2], const double to[2], double width, double dash,
                       uint32_t color) {
  const double along[2] = {to[0] - from[0], to[1] - from[1]}, length = hypot(along[0], along[1]), half = width / 2 + 1;
  const int left = (int)floor(fmin(from[0], to[0]) - half), right = (int)ceil(fmax(from[0], to[0]) + half);
  const int top = (int)floor(fmin(from[1], to[1]) - half), bottom = (int)ceil(fmax(from[1], to[1]) + half);
  for (int j = top; j <= bottom; j++)
    for (int i = left; i <= right; i++) {
      const double x = i + 0.5 - from[0], y = j + 0.5 - from[1];
      double t = length > 0 ? (x * along[0] + y * along[1]) / length : 0; /* pixels along the line */
      if (dash > 0 && fmod(t, 2 * dash) > dash) continue;
      t = t < 0 ? 0 : t > length ? length : t;
      const double at = length > 0 ? t / length : 0;
      blend(p, i, j, color, width / 2 - hypot(x - at * along[0], y - at * along[1]) + 0.5);
    }
}
