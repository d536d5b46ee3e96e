/* picture.h: a small RGB canvas and its PNG file. */
#ifndef MFFT_APPS_PICTURE_H
#define MFFT_APPS_PICTURE_H

#include <stdint.h>

#include "mfft.h"

typedef struct mfft_picture {
  int width, height;
  uint8_t *rgb; /* [height][width][3], the top row first */
} mfft_picture;

typedef enum mfft_align { MFFT_LEFT, MFFT_CENTER, MFFT_RIGHT } mfft_align;

/* A white canvas.  All drawing is clipped to it.  Colours are 0xRRGGBB. */
mfft_status mfft_picture_create(int width, int height, mfft_picture *picture);
void mfft_picture_destroy(mfft_picture *picture);
void mfft_picture_fill(mfft_picture *picture, int x, int y, int width, int height, uint32_t color);
void mfft_picture_frame(mfft_picture *picture, int x, int y, int width, int height, uint32_t color); /* around, outside */
void mfft_picture_text(mfft_picture *picture, int x, int baseline, mfft_align align, uint32_t color, const char *text);

/* Smooth shapes, at points in pixels from the upper left corner: a disc, a ring of a width inside its radius, and a line
 * with round ends.  A line of dash > 0 is drawn and left out in turn over so many pixels. */
void mfft_picture_disc(mfft_picture *picture, double x, double y, double radius, uint32_t color);
void mfft_picture_ring(mfft_picture *picture, double x, double y, double radius, double width, uint32_t color);
void mfft_picture_line(mfft_picture *picture, const double from[2], const double to[2], double width, double dash,
                       uint32_t color);

/* 1 where this build writes PNG (libpng was there), else 0 and save fails with MFFT_ERR_UNSUPPORTED. */
int mfft_picture_can_save(void);
mfft_status mfft_picture_save(const mfft_picture *picture, const char *path, const char *title);

#endif
