/* picture.h: a picture as a PNG, SVG or PDF file, drawn through cairo.
 *
 * Lengths are units from the upper left corner: a unit is a point of SVG and PDF, and `scale` pixels of PNG.  Colours are
 * 0xRRGGBB.  Texts may come from files; they are shown escaped (mfft_escape).  In SVG and PDF they stay texts, which can be
 * searched and edited.  A build without cairo has picture_absent.c in place of picture.c. */
#ifndef MFFT_APPS_PICTURE_H
#define MFFT_APPS_PICTURE_H

#include <stdint.h>

#include "mfft.h"
#include "plot/picture_kind.h"

/* NULL if this build draws, otherwise the reason why not, and the remedy. */
const char *mfft_picture_missing(void);

/* "1.16.0": the version of cairo, or "" without it. */
const char *mfft_picture_version(void);

typedef struct mfft_picture mfft_picture;

/* A white picture that save writes to `path`, which has one of the endings. */
mfft_status mfft_picture_create(const char *path, double width, double height, double scale, mfft_picture **picture);
void mfft_picture_destroy(mfft_picture *picture); /* accepts NULL */

/* Writes the file, whole or not at all (io/save.h).  Nothing can be drawn after that. */
mfft_status mfft_picture_save(mfft_picture *picture, const char *title);

/* ---- Shapes.  Rectangles begin and end with whole pixels. ------------------------------------------------------------ */

void mfft_picture_fill(mfft_picture *picture, double x, double y, double width, double height, uint32_t color);

/* Four lines, `line` wide, around the outside of a rectangle. */
void mfft_picture_frame(mfft_picture *picture, double x, double y, double width, double height, double line, uint32_t color);
void mfft_picture_polygon(mfft_picture *picture, const double (*point)[2] /* [count] */, int count, uint32_t color);

/* A disc; and the ring of a width inside its radius. */
void mfft_picture_disc(mfft_picture *picture, double x, double y, double radius, uint32_t color);
void mfft_picture_ring(mfft_picture *picture, double x, double y, double radius, double line, uint32_t color);

/* A line with round ends.  If dash > 0 it is alternately drawn and omitted over so many units. */
void mfft_picture_line(mfft_picture *picture, const double from[2], const double to[2], double line, double dash,
                       uint32_t color);

/* Colours of columns x rows cells, row by row from the upper left one, over a rectangle. */
void mfft_picture_image(mfft_picture *picture, double x, double y, double width, double height,
                        const uint32_t *color /* [rows][columns] */, int columns, int rows);

/* ---- Texts ------------------------------------------------------------------------------------------------------------ */

typedef enum mfft_align { MFFT_LEFT, MFFT_CENTER, MFFT_RIGHT } mfft_align;

typedef struct mfft_font {
  double size;
  int bold;
  int upwards; /* 1: reads from below to above */
  uint32_t color;
} mfft_font;

/* x, baseline: the start of the text, its middle, or its end. */
void mfft_picture_text(mfft_picture *picture, double x, double baseline, mfft_align align, const mfft_font *font,
                       const char *text);

/* The width of a text; needs no picture. */
double mfft_picture_text_width(const mfft_font *font, const char *text);

#endif
