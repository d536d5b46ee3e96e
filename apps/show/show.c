/* show.c: `mergefft show` draws a slice or a projection of a field. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/number.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/targets.h"
#include "io/input.h"
#include "io/untrusted.h"
#include "plot/figure.h"
#include "plot/picture.h"
#include "show/plane.h"
#include "show/range.h"

typedef struct show {
  const char *input, *output, *dataset, *title, *length_unit;
  int los, project, scale, colormap, smooth, no_verify;
  int64_t index, depth, width;
  double lo, hi, add, clip;
  mfft_cli_reals boxsize, zoom;
  mfft_untrusted_options untrusted;
} show;

static const char *const axis_names[] = {"x", "y", "z"};
static const char project_choices[] = "mean|sum|max|min";

#define AT(member) offsetof(show, member)
static const mfft_cli_option options[] = {
    {"output", 'o', MFFT_CLI_TEXT, AT(output), "FILE", "the picture: " MFFT_PICTURE_FILE, .required = 1},
    {"dataset", 'd', MFFT_CLI_TEXT, AT(dataset), "NAME", .help = "the dataset; without it the only one at the root"},
    {"boxsize", 'L', MFFT_CLI_REALS, AT(boxsize), "L",
     "side of the box, or Lx,Ly,Lz; without it BoxSize of the file, else the axes count cells", .min = MFFT_LENGTH_MIN,
     .max = MFFT_LENGTH_MAX},
    {"length-unit", 0, MFFT_CLI_TEXT, AT(length_unit), "TEXT",
     .help = "unit of the box, such as Mpc/h, for the axes and the scale bar; files do not tell it"},
    {"los", 0, MFFT_CLI_CHOICE, AT(los), "AXIS", "line of sight: the axis to look along", .fallback = "z",
     .choices = "x|y|z"},
    {"index", 'i', MFFT_CLI_INT, AT(index), "N",
     "the (first) cell along the line of sight; without it the middle one of a slice", .max = 1 << 20},
    {"project", 'P', MFFT_CLI_CHOICE, AT(project), "HOW",
     "combine the cells along the line of sight instead of taking a slice", .choices = project_choices},
    {"depth", 0, MFFT_CLI_INT, AT(depth), "N", "how many cells to combine; without it all that follow --index", .min = 1,
     .max = 1 << 20},
    {"zoom", 0, MFFT_CLI_REALS, AT(zoom), "X,Y,SIZE",
     .help = "show a square of this side about a point of the picture, in the units of its axes; it may reach beyond the "
             "box, which "
             "is periodic"},
    {"scale", 0, MFFT_CLI_CHOICE, AT(scale), "KIND",
     "of the colours; auto is log for values above 0 that span two decades, and for density contrasts of which 1 + delta "
     "does; values that have no logarithm are counted and grey (pink with -c gray)",
     .fallback = "auto", .choices = MFFT_COLOR_SCALES},
    {"add", 0, MFFT_CLI_REAL, AT(add), "X",
     .help = "add to the field first: 1 makes a density of a density contrast; without it 0, or 1 where --scale auto finds "
             "a density contrast"},
    {"min", 0, MFFT_CLI_REAL, AT(lo), "X", .help = "value of the lowest colour; without it the smallest"},
    {"max", 0, MFFT_CLI_REAL, AT(hi), "X", .help = "value of the highest colour; without it the largest"},
    {"clip", 0, MFFT_CLI_REAL, AT(clip), "PERCENT",
     "where --min or --max is not given: let so many of the pixels lie beyond", .fallback = "0.1", .max = 49},
    {"colormap", 'c', MFFT_CLI_CHOICE, AT(colormap), "MAP",
     "auto is coolwarm about 0 for values of both signs, inferno for logarithmic colours, else viridis", .fallback = "auto",
     .choices = "auto|" MFFT_COLORMAPS},
    {"smooth", 0, MFFT_CLI_FLAG, AT(smooth), NULL,
     .help = "interpolate between cells (cubic) where they are larger than pixels"},
    {"width", 'w', MFFT_CLI_INT, AT(width), "PIXELS", "of the longer side of the image; letters grow with it",
     .fallback = "768", .min = 64, .max = 16384},
    {"title", 0, MFFT_CLI_TEXT, AT(title), "TEXT", .help = "without it the dataset and the redshift"},
    {"no-verify", 0, MFFT_CLI_FLAG, AT(no_verify), NULL,
     .help = "read no more than what is shown: a slice of a huge file along y or z without the rest of the planes that it "
             "crosses, whose checksums then say nothing"},
    {"untrusted", 0, MFFT_CLI_TABLE, AT(untrusted), .table = mfft_untrusted_options_table},
    {0}};

static const char description[] =
    "Draws a slice or a projection of a field with axes, a scale bar and a colour bar, as a PNG, SVG or PDF picture.\n"
    "\n"
    "The picture shows the two axes across the line of sight, in the order x, y, z, to the right and upwards, in the shape "
    "of the box. Where a pixel holds several cells it shows their mean. Files with checksums are verified: every plane of x "
    "that the picture needs a part of is read, in pieces, by all ranks together, and nothing is drawn of a damaged one. Of "
    "files without checksums only what is shown is read, and a line on stderr says that it is not verified.\n"
    "\n"
    "Examples:\n"
    "  mergefft show phi.h5 -o phi.png --smooth\n"
    "  mergefft show delta.h5 -o web.pdf --project mean --depth 16 --length-unit Mpc/h\n"
    "  mergefft show delta.h5 -o halo.png --los x --index 40 --zoom 120,310,50\n"
    "  mpirun -n 4 mergefft show rho.h5 -o max.png --los x --project max --scale log -c magma";

/* The part of the plane that is shown: all of it, or what --zoom asks for. */
static mfft_status choose_window(const show *s, const double length[2], double origin[2], double size[2]) {
  for (int a = 0; a < 2; a++) {
    size[a] = s->zoom.count ? s->zoom.v[2] : length[a];
    origin[a] = s->zoom.count ? s->zoom.v[a] - size[a] / 2 : 0;
    if (!(size[a] > 0 && size[a] <= length[a] && fabs(origin[a]) <= 1e6 * length[a]))
      return mfft_app_fail(
          MFFT_ERR_ARG, "--zoom %g,%g,%g: the side must be above 0 and no longer than the sides of the picture, %g and %g",
          s->zoom.v[0], s->zoom.v[1], s->zoom.v[2], length[0], length[1]);
  }
  return MFFT_SUCCESS;
}

static int64_t wrapped(int64_t i, int64_t n) { return ((i % n) + n) % n; }

/* Copies the values whose cells have their middle in the window, or those of the cells at its edges where it is smaller than
 * a cell; their number. */
static int64_t take_window(const mfft_figure *f, double *value) {
  int64_t first[2], end[2], count = 0;
  const int64_t n[2] = {f->nh, f->nv};
  for (int a = 0; a < 2; a++) {
    const double cell = f->length[a] / (double)n[a];
    first[a] = (int64_t)ceil(f->origin[a] / cell - 0.5 - 1e-9);
    end[a] = (int64_t)ceil((f->origin[a] + f->size[a]) / cell - 0.5 - 1e-9);
    if (end[a] <= first[a]) first[a] -= 1, end[a] = first[a] + 2;
    if (end[a] > first[a] + n[a]) end[a] = first[a] + n[a];
  }
  for (int64_t v = first[1]; v < end[1]; v++)
    for (int64_t h = first[0]; h < end[0]; h++) value[count++] = f->value[wrapped(v, f->nv) * f->nh + wrapped(h, f->nh)];
  return count;
}

static mfft_status choose_range(const show *s, const mfft_field_info *info, const mfft_figure *f, mfft_range *range) {
  const mfft_range_wish wish = {.scale = s->scale,
                                .add = s->add,
                                .lo = s->lo,
                                .hi = s->hi,
                                .clip = s->clip,
                                .colormap = s->colormap - 1,
                                .has_unit = *info->units != '\0'};
  void *value = NULL;
  mfft_status status = mfft_app_alloc(f->nh * f->nv, sizeof(double), "sorting the values", &value);
  if (status == MFFT_SUCCESS) status = mfft_range_choose(&wish, value, take_window(f, value), range);
  mfft_free(value);
  return status;
}

/* "slice at z = 31.25 Mpc/h", or "mean over z = 0 to 16". */
static void write_view(const show *s, const mfft_field_info *info, const mfft_view *view, double length, const char *unit,
                       char *text, size_t size) {
  const double cell = length / (double)info->n[view->axis], first = (double)view->first * cell;
  const char *axis = axis_names[view->axis], *gap = *unit ? " " : "";
  if (s->project < 0)
    snprintf(text, size, "slice at %s = %.5g%s%s", axis, first + 0.5 * cell, gap, unit);
  else
    snprintf(text, size, "%s over %s = %.5g to %.5g%s%s", mfft_cli_choice_name(project_choices, s->project), axis, first,
             (double)(view->first + view->depth) * cell, gap, unit);
}

/* The name of the colour bar: the dataset with what is added and its unit; and the title, which has the redshift. */
static void write_names(const show *s, const mfft_field_info *info, double add, char *label, char *title, size_t size) {
  char number[MFFT_NUMBER_BYTES];
  mfft_number_text(add, number);
  snprintf(label, size, "%s%s%.256s%s%s%s", add != 0 ? number : "", add != 0 ? " + " : "", info->dataset,
           *info->units ? " [" : "", info->units, *info->units ? "]" : "");
  if (s->title)
    snprintf(title, size, "%s", s->title);
  else if (info->has_redshift)
    snprintf(title, size, "%.256s at redshift %.6g", info->dataset, info->redshift);
  else
    snprintf(title, size, "%.256s", info->dataset);
}

/* Both ends of the colours with six digits, or with all where six would not tell them apart. */
static void write_range(double lo, double hi, char from[MFFT_NUMBER_BYTES], char to[MFFT_NUMBER_BYTES]) {
  snprintf(from, MFFT_NUMBER_BYTES, "%.6g", lo);
  snprintf(to, MFFT_NUMBER_BYTES, "%.6g", hi);
  if (strcmp(from, to)) return;
  mfft_number_text(lo, from);
  mfft_number_text(hi, to);
}

/* Puts the range into the figure, and says what the user should know of it. */
static mfft_status apply_range(const show *s, const mfft_field_info *info, mfft_plane *plane, mfft_figure *f, double *add) {
  mfft_range range;
  mfft_status status = choose_range(s, info, f, &range);
  if (status != MFFT_SUCCESS) return status;
  for (int64_t i = 0; i < plane->nh * plane->nv; i++) plane->value[i] += range.add;
  if (range.masked)
    mfft_app_note("logarithmic colours: %" PRId64 " of %" PRId64 " values are not above 0 and %s; see --add and --scale",
                  range.masked, plane->nh * plane->nv, mfft_colormap_masked_name(range.colormap));
  f->lo = range.lo;
  f->hi = range.hi;
  f->beyond = range.beyond;
  f->logarithmic = range.logarithmic;
  f->colormap = range.colormap;
  *add = range.add;
  return MFFT_SUCCESS;
}

static mfft_status draw(const show *s, const mfft_field_info *info, const mfft_view *view, mfft_plane *plane) {
  double length[3], add;
  int image[2];
  char title[512], label[512], text[256], from[MFFT_NUMBER_BYTES], to[MFFT_NUMBER_BYTES];
  mfft_status status = mfft_input_lengths(s->input, info, &s->boxsize, length);
  if (status != MFFT_SUCCESS) return status;
  const int in_cells = !s->boxsize.count && !info->has_box_size;
  const char *unit = s->length_unit ? s->length_unit : in_cells ? "cells" : "";
  write_view(s, info, view, length[view->axis], unit, text, sizeof text);
  mfft_figure figure = {.value = plane->value,
                        .nh = plane->nh,
                        .nv = plane->nv,
                        .length = {length[plane->horizontal], length[plane->vertical]},
                        .axis_name = {axis_names[plane->horizontal], axis_names[plane->vertical]},
                        .length_unit = unit,
                        .title = title,
                        .subtitle = text,
                        .label = label,
                        .smooth = s->smooth,
                        .pixels = (int)s->width};
  status = choose_window(s, figure.length, figure.origin, figure.size);
  if (status == MFFT_SUCCESS) status = apply_range(s, info, plane, &figure, &add);
  if (status != MFFT_SUCCESS) return status;
  write_names(s, info, add, label, title, sizeof title);
  mfft_progress_start("drawing", 0);
  status = mfft_figure_save(&figure, s->output, image);
  mfft_progress_end();
  write_range(figure.lo, figure.hi, from, to);
  if (status == MFFT_SUCCESS)
    mfft_app_print("%s: %s, %s, %d x %d pixels, %s colours from %s to %s\n", s->output, label, text, image[0], image[1],
                   figure.logarithmic ? "logarithmic" : "linear", from, to);
  return status;
}

/* The view that the options ask for; 0, or an exit code after saying what is wrong. */
static int choose_view(const show *s, const mfft_field_info *info, mfft_view *view) {
  int64_t n = info->n[s->los];
  view->axis = s->los;
  view->projection = s->project < 0 ? MFFT_PROJECT_MEAN : (mfft_projection)s->project;
  view->first = s->index >= 0 ? s->index : s->project < 0 ? n / 2 : 0;
  view->depth = s->depth > 0 ? s->depth : s->project < 0 ? 1 : n - view->first;
  if (s->index >= n)
    return mfft_cli_usage(&mfft_command_show, "--index %" PRId64 ": must be below %" PRId64 ", the cells along %s", s->index,
                          n, axis_names[s->los]);
  if (view->depth > n - view->first)
    return mfft_cli_usage(&mfft_command_show, "--depth %" PRId64 ": only %" PRId64 " cells follow along %s", s->depth,
                          n - view->first, axis_names[s->los]);
  return 0;
}

static int show_field(void *values) {
  const show *s = values;
  mfft_field_info info;
  mfft_view view;
  mfft_plane plane;
  mfft_field_info_init(&info);
  if (mfft_app_failed(mfft_untrusted_query(s->input, s->dataset, &info))) return MFFT_EXIT_FAILED;
  if (info.rank != 3 &&
      mfft_app_failed(mfft_app_fail(MFFT_ERR_UNSUPPORTED, "'%s' in '%s' has %d axes; name a dataset with three by --dataset",
                                    info.dataset, s->input, info.rank)))
    return MFFT_EXIT_FAILED;
  int code = choose_view(s, &info, &view);
  if (code) return code;
  if (mfft_plane_read(s->input, &info, &view, s->no_verify, &plane)) return MFFT_EXIT_FAILED;
  if (plane.nonfinite)
    mfft_app_note("%" PRId64 " values are NaN or infinite; pixels that need them are green", plane.nonfinite);
  mfft_status status = mfft_app_rank() == 0 ? draw(s, &info, &view, &plane) : MFFT_SUCCESS;
  code = mfft_app_failed(status) ? MFFT_EXIT_FAILED : MFFT_EXIT_OK;
  if (code == MFFT_EXIT_OK && (!info.checksummed || s->no_verify))
    mfft_app_note("what is drawn of '%s' is not verified: %s", s->input,
                  info.checksummed ? "--no-verify leaves its checksums aside" : "the file has no checksums of it");
  mfft_plane_destroy(&plane);
  return code;
}

static int run(void *values) {
  const show *s = values;
  if (s->zoom.count == 1) return mfft_cli_usage(&mfft_command_show, "--zoom: give a point and a side, such as 50,120,20");
  if (s->depth > 0 && s->project < 0) return mfft_cli_usage(&mfft_command_show, "--depth: needs --project");
  int code = mfft_targets_check(&mfft_command_show, &s->input, 1,
                                &(mfft_target){"--output", s->output, mfft_picture_kind(s->output)}, 1);
  if (code) return code;
  return mfft_untrusted_run(&s->untrusted, s->input, s->dataset, s->output, show_field, values);
}

const mfft_command mfft_command_show = {"show",
                                        "draw a slice or projection of a field as a picture",
                                        "FIELD.h5",
                                        1,
                                        1,
                                        AT(input),
                                        description,
                                        options,
                                        sizeof(show),
                                        run};
