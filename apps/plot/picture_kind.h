/* picture_kind.h: the kind of picture that a file name asks for. */
#ifndef MFFT_APPS_PICTURE_KIND_H
#define MFFT_APPS_PICTURE_KIND_H

#include "base/whole_file.h"

/* The kind of picture of a name by its ending, in capitals too; NULL if the ending is none of MFFT_PICTURE_ENDINGS, or the
 * path is NULL. */
#define MFFT_PICTURE_ENDINGS ".png, .svg or .pdf"
#define MFFT_PICTURE_FILE    "a PNG, SVG or PDF file by the ending of its name" /* in the help of options */
const mfft_file_kind *mfft_picture_kind(const char *path);

#endif
