/* font.h: letters as pixels, for the labels of pictures. */
#ifndef MFFT_APPS_FONT_H
#define MFFT_APPS_FONT_H

#include <stdint.h>

enum { MFFT_FONT_WIDTH = 9, MFFT_FONT_HEIGHT = 16, MFFT_FONT_BASELINE = 13 }; /* rows from the top down to the baseline */

int mfft_font_width(const char *text);          /* in pixels */
int mfft_font_pixel(char letter, int x, int y); /* 1 where the letter has ink; other than printable ASCII is a ? */

#endif
