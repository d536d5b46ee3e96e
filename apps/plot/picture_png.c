/* picture_png.c: a picture as a PNG file, through libpng where it is there. */
#include "cli/report.h"
#include "io/save.h"
#include "mfft_inspect.h"
#include "plot/picture.h"

#ifdef MFFT_HAVE_PNG
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

int mfft_picture_can_save(void) { return 1; }

/* libpng would print its own line; ours says more. */
static void jump_back(png_structp png, png_const_charp words) {
  (void)words;
  png_longjmp(png, 1);
}

static void stay_quiet(png_structp png, png_const_charp words) {
  (void)png;
  (void)words;
}

/* 0, or -1 where libpng failed, which it does where memory runs out. */
static int write_png(const mfft_picture *p, const char *title, FILE *stream) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, jump_back, stay_quiet);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (!info || setjmp(png_jmpbuf(png))) { /* errors come back here */
    png_destroy_write_struct(&png, &info);
    return -1;
  }
  png_text text[2] = {{.compression = PNG_TEXT_COMPRESSION_NONE, .key = (char *)"Title", .text = (char *)title},
                      {.compression = PNG_TEXT_COMPRESSION_NONE, .key = (char *)"Software", .text = (char *)"mergefft"}};
  png_init_io(png, stream);
  png_set_IHDR(png, info, (png_uint_32)p->width, (png_uint_32)p->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_text(png, info, text, 2);
  png_write_info(png, info);
  for (int y = 0; y < p->height; y++) png_write_row(png, p->rgb + 3 * (size_t)y * (size_t)p->width);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  return 0;
}

mfft_status mfft_picture_save(const mfft_picture *picture, const char *path, const char *title) {
  char shown[1024]; /* the title may hold names from files */
  mfft_escape(title, shown, sizeof shown);
  char *bytes = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&bytes, &length);
  int failed = !stream || write_png(picture, shown, stream);
  if (stream && fclose(stream)) failed = 1;
  mfft_status status = failed ? mfft_app_fail(MFFT_ERR_MEMORY, "no memory to write the picture '%s'", path)
                              : mfft_app_save(path, &mfft_picture_kind, bytes, length);
  free(bytes);
  return status;
}

#else

int mfft_picture_can_save(void) { return 0; }

mfft_status mfft_picture_save(const mfft_picture *picture, const char *path, const char *title) {
  (void)picture;
  (void)title;
  return mfft_app_fail(MFFT_ERR_UNSUPPORTED,
                       "cannot write '%s': this build has no libpng; install libpng-dev and build again", path);
}

#endif
