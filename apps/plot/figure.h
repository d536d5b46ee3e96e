/* figure.h: a picture of a periodic plane of numbers, or of a window of it: the image with its axes, a title, a scale bar
 * and a colour bar.  The size of letters is proportional to that of the image, down to a size that can be read. */
#ifndef MFFT_APPS_FIGURE_H
#define MFFT_APPS_FIGURE_H

#include "mfft.h"
#include "plot/figure_sample.h"

/* Draws the figure and writes it to `path`, which has one of the endings of pictures.  image: width and height of the image
 * in pixels. */
mfft_status mfft_figure_save(const mfft_figure *figure, const char *path, int image[2]);

#endif
