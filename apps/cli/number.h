/* number.h: numbers as text. */
#ifndef MFFT_APPS_NUMBER_H
#define MFFT_APPS_NUMBER_H

/* The shortest text of 15 to 17 significant digits that reads back as the same double: 0.1, not 0.10000000000000001. */
enum { MFFT_NUMBER_BYTES = 32 };
void mfft_number_text(double value, char text[MFFT_NUMBER_BYTES]);

#endif
