/* picture.c: see picture.h.
 *
 * cairo draws the letters of SVG files as shapes, so their texts are written here, as elements of SVG before its end. */
#include "plot/picture.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wave_number.h"
#include "cli/report.h"
#include "io/save.h"
#include "mfft_inspect.h"

typedef struct bytes {
  unsigned char *data; /* [length] */
  size_t length, capacity;
} bytes;

struct mfft_picture {
  const mfft_file_kind *kind;
  const char *path;
  double scale;
  cairo_surface_t *surface;
  cairo_t *cairo;
  bytes file;  /* written by cairo */
  char *texts; /* elements of SVG */
  size_t texts_length;
  FILE *texts_stream; /* NULL: cairo draws texts */
};

const char *mfft_picture_missing(void) { return NULL; }
const char *mfft_picture_version(void) { return CAIRO_VERSION_STRING; }

static cairo_status_t append(void *context, const unsigned char *data, unsigned int length) {
  bytes *b = context;
  if (b->length + length > b->capacity) {
    const size_t capacity = 2 * (b->length + length);
    unsigned char *more = realloc(b->data, capacity);
    if (!more) return CAIRO_STATUS_NO_MEMORY;
    b->data = more;
    b->capacity = capacity;
  }
  memcpy(b->data + b->length, data, length);
  b->length += length;
  return CAIRO_STATUS_SUCCESS;
}

/* ---- Creating and saving --------------------------------------------------------------------------------------------- */

static cairo_surface_t *make_surface(mfft_picture *p, double width, double height) {
  if (p->kind == &mfft_png_kind)
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(width * p->scale), (int)ceil(height * p->scale));
  if (p->kind == &mfft_svg_kind) return cairo_svg_surface_create_for_stream(append, &p->file, width, height);
  return cairo_pdf_surface_create_for_stream(append, &p->file, width, height);
}

mfft_status mfft_picture_create(const char *path, double width, double height, double scale, mfft_picture **picture) {
  const double most = 32767; /* pixels of a side, of cairo's images */
  mfft_picture *p = calloc(1, sizeof *p);
  if (!p) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the picture '%s'", path);
  p->kind = mfft_picture_kind(path);
  p->path = path;
  p->scale = p->kind == &mfft_png_kind ? scale : 1;
  if (p->kind == &mfft_png_kind && fmax(width, height) * scale > most) {
    free(p);
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "the picture '%s' has %.0f x %.0f pixels, and %.0f a side is the most; %s",
                         path, width * scale, height * scale, most, "name a file that ends in .svg or .pdf");
  }
  p->surface = make_surface(p, width, height);
  p->cairo = cairo_create(p->surface);
  if (p->kind == &mfft_svg_kind) p->texts_stream = open_memstream(&p->texts, &p->texts_length);
  if (cairo_status(p->cairo) != CAIRO_STATUS_SUCCESS || (p->kind == &mfft_svg_kind && !p->texts_stream)) {
    mfft_picture_destroy(p);
    return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the picture '%s' of %.0f x %.0f; choose a smaller size", path,
                         width * scale, height * scale);
  }
  cairo_scale(p->cairo, p->scale, p->scale);
  mfft_picture_fill(p, 0, 0, width + 1, height + 1, 0xffffff);
  *picture = p;
  return MFFT_SUCCESS;
}

void mfft_picture_destroy(mfft_picture *p) {
  if (!p) return;
  cairo_destroy(p->cairo);
  cairo_surface_destroy(p->surface);
  if (p->texts_stream) fclose(p->texts_stream);
  free(p->texts);
  free(p->file.data);
  free(p);
}

/* Text between elements of SVG, which is XML. */
static void write_xml(FILE *to, const char *text) {
  for (; *text; text++) switch (*text) {
      case '&':
        fputs("&amp;", to);
        break;
      case '<':
        fputs("&lt;", to);
        break;
      case '>':
        fputs("&gt;", to);
        break;
      default:
        fputc(*text, to);
    }
}

/* The output of cairo, with the title after the start tag and the texts before the end; 0, or -1 without memory. */
static int finish_svg(mfft_picture *p, const char *title) {
  char *whole = NULL;
  size_t length = 0;
  FILE *to = open_memstream(&whole, &length);
  int failed = fclose(p->texts_stream) || append(&p->file, (const unsigned char *)"", 1);
  p->texts_stream = NULL;
  char *svg = (char *)p->file.data, *start = failed ? NULL : strstr(svg, "<svg"),
       *end = start ? strstr(start, "</svg>") : NULL;
  char *body = start ? strchr(start, '>') : NULL;
  if (to && body && end) {
    fprintf(to, "%.*s\n<title>", (int)(body + 1 - svg), svg);
    write_xml(to, title);
    fputs("</title>", to);
    fwrite(body + 1, 1, (size_t)(end - body - 1), to);
    fputs(p->texts, to);
    fputs(end, to);
  }
  failed |= !to || fclose(to) || !body || !end;
  free(p->file.data);
  p->file = (bytes){(unsigned char *)whole, length, length};
  return failed ? -1 : 0;
}

mfft_status mfft_picture_save(mfft_picture *p, const char *title) {
  char shown[1024];
  mfft_escape(title, shown, sizeof shown);
  if (p->kind == &mfft_pdf_kind) {
    cairo_pdf_surface_set_metadata(p->surface, CAIRO_PDF_METADATA_TITLE, shown);
    cairo_pdf_surface_set_metadata(p->surface, CAIRO_PDF_METADATA_CREATOR, "mergefft");
    cairo_pdf_surface_set_metadata(p->surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
  }
  cairo_status_t state = cairo_status(p->cairo);
  if (state == CAIRO_STATUS_SUCCESS && p->kind == &mfft_png_kind)
    state = cairo_surface_write_to_png_stream(p->surface, append, &p->file);
  cairo_surface_finish(p->surface);
  if (state == CAIRO_STATUS_SUCCESS) state = cairo_surface_status(p->surface);
  if (state == CAIRO_STATUS_SUCCESS && p->kind == &mfft_svg_kind && finish_svg(p, shown)) state = CAIRO_STATUS_NO_MEMORY;
  if (state != CAIRO_STATUS_SUCCESS)
    return mfft_app_fail(state == CAIRO_STATUS_NO_MEMORY ? MFFT_ERR_MEMORY : MFFT_ERR_INTERNAL,
                         "cannot draw the picture '%s': %s", p->path, cairo_status_to_string(state));
  return mfft_app_save(p->path, p->kind, p->file.data, p->file.length);
}

/* ---- Shapes ---------------------------------------------------------------------------------------------------------- */

/* Begins a shape: a text leaves a current point, to which the next shape would be joined. */
static void begin(mfft_picture *p, uint32_t color) {
  cairo_new_path(p->cairo);
  cairo_set_source_rgb(p->cairo, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0, (color & 255) / 255.0);
}

static double whole_pixel(const mfft_picture *p, double x) { return rint(x * p->scale) / p->scale; }

void mfft_picture_fill(mfft_picture *p, double x, double y, double width, double height, uint32_t color) {
  const double left = whole_pixel(p, x), top = whole_pixel(p, y);
  begin(p, color);
  cairo_rectangle(p->cairo, left, top, whole_pixel(p, x + width) - left, whole_pixel(p, y + height) - top);
  cairo_fill(p->cairo);
}

void mfft_picture_frame(mfft_picture *p, double x, double y, double width, double height, double line, uint32_t color) {
  mfft_picture_fill(p, x - line, y - line, width + 2 * line, line, color);
  mfft_picture_fill(p, x - line, y + height, width + 2 * line, line, color);
  mfft_picture_fill(p, x - line, y, line, height, color);
  mfft_picture_fill(p, x + width, y, line, height, color);
}

void mfft_picture_polygon(mfft_picture *p, const double (*point)[2], int count, uint32_t color) {
  begin(p, color);
  for (int i = 0; i < count; i++) cairo_line_to(p->cairo, point[i][0], point[i][1]);
  cairo_close_path(p->cairo);
  cairo_fill(p->cairo);
}

void mfft_picture_disc(mfft_picture *p, double x, double y, double radius, uint32_t color) {
  begin(p, color);
  cairo_arc(p->cairo, x, y, radius, 0, 2 * MFFT_PI);
  cairo_fill(p->cairo);
}

void mfft_picture_ring(mfft_picture *p, double x, double y, double radius, double line, uint32_t color) {
  begin(p, color);
  cairo_set_line_width(p->cairo, line);
  cairo_set_dash(p->cairo, NULL, 0, 0);
  cairo_arc(p->cairo, x, y, radius - line / 2, 0, 2 * MFFT_PI);
  cairo_close_path(p->cairo);
  cairo_stroke(p->cairo);
}

void mfft_picture_line(mfft_picture *p, const double from[2], const double to[2], double line, double dash, uint32_t color) {
  begin(p, color);
  cairo_set_line_width(p->cairo, line);
  cairo_set_line_cap(p->cairo, dash > 0 ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
  cairo_set_dash(p->cairo, &dash, dash > 0, 0);
  cairo_move_to(p->cairo, from[0], from[1]);
  cairo_line_to(p->cairo, to[0], to[1]);
  cairo_stroke(p->cairo);
}

void mfft_picture_image(mfft_picture *p, double x, double y, double width, double height, const uint32_t *color, int columns,
                        int rows) {
  cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows);
  unsigned char *data = cairo_image_surface_get_data(image);
  const size_t stride = (size_t)cairo_image_surface_get_stride(image);
  for (int row = 0; data && row < rows; row++)
    memcpy(data + (size_t)row * stride, color + (size_t)row * (size_t)columns, (size_t)columns * sizeof *color);
  cairo_surface_mark_dirty(image);
  cairo_save(p->cairo);
  cairo_translate(p->cairo, whole_pixel(p, x), whole_pixel(p, y));
  cairo_scale(p->cairo, width / columns, height / rows);
  cairo_set_source_surface(p->cairo, image, 0, 0); /* a failed image fails the picture, which save reports */
  cairo_pattern_set_filter(cairo_get_source(p->cairo), CAIRO_FILTER_NEAREST);
  cairo_paint(p->cairo);
  cairo_restore(p->cairo);
  cairo_surface_destroy(image);
}

/* ---- Texts ------------------------------------------------------------------------------------------------------------ */

enum { LONGEST = 1024 };

/* Letters with their designed widths in all formats: not moved to pixels, so that a text is as wide in all formats. */
static void set_font(cairo_t *cairo, const mfft_font *font) {
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(cairo, options);
  cairo_font_options_destroy(options);
  cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         font->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo, font->size);
}

double mfft_picture_text_width(const mfft_font *font, const char *text) {
  char shown[LONGEST];
  cairo_text_extents_t extents = {0};
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cairo = cairo_create(surface);
  mfft_escape(text, shown, sizeof shown);
  set_font(cairo, font);
  cairo_text_extents(cairo, shown, &extents);
  cairo_destroy(cairo);
  cairo_surface_destroy(surface);
  return extents.x_advance;
}

static void write_svg_text(mfft_picture *p, double x, double baseline, mfft_align align, const mfft_font *font,
                           const char *text) {
  static const char *const anchor[] = {"start", "middle", "end"};
  FILE *to = p->texts_stream;
  fprintf(to, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.2f\" text-anchor=\"%s\" fill=\"#%06x\"", x, baseline, font->size,
          anchor[align], (unsigned)font->color);
  fputs(" font-family=\"DejaVu Sans, Verdana, sans-serif\"", to);
  if (font->bold) fputs(" font-weight=\"bold\"", to);
  if (font->upwards) fprintf(to, " transform=\"rotate(-90 %.2f %.2f)\"", x, baseline);
  fputs(">", to);
  write_xml(to, text);
  fputs("</text>\n", to);
}

void mfft_picture_text(mfft_picture *p, double x, double baseline, mfft_align align, const mfft_font *font,
                       const char *text) {
  char shown[LONGEST];
  mfft_escape(text, shown, sizeof shown);
  if (p->texts_stream) {
    write_svg_text(p, x, baseline, align, font, shown);
    return;
  }
  cairo_save(p->cairo);
  begin(p, font->color);
  set_font(p->cairo, font);
  cairo_translate(p->cairo, x, baseline);
  if (font->upwards) cairo_rotate(p->cairo, -MFFT_PI / 2);
  cairo_move_to(p->cairo, -0.5 * align * mfft_picture_text_width(font, shown), 0);
  cairo_show_text(p->cairo, shown);
  cairo_restore(p->cairo);
}
