/* picture.c: drawing; picture_png.c has the file. */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

#include "font.h"
#include "report.h"

mfft_status mfft_picture_create(int width, int height, mfft_picture *picture) {
  size_t bytes = (size_t)width * (size_t)height * 3;
  uint8_t *rgb = malloc(bytes);
  if (!rgb)
    return mfft_app_fail(MFFT_ERR_MEMORY,
                         "a picture of %d x %d pixels needs %zu bytes, which are not there; choose a smaller "
                         "--width",
                         width, height, bytes);
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
