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
#include "show/plane.h"

typedef struct show {
  const char *input, *output, *dataset, *title;
  int axis, project, log, colormap, smooth, no_verify;
  int64_t index, depth, width;
  double lo, hi, add, clip;
  mfft_cli_reals boxsize;
  mfft_untrusted_options untrusted;
} show;

enum { AUTO_COLORS = 0 };
static const char *const axis_names[] = {"x", "y", "z"};
static const char project_choices[] = "mean|sum|max|min";

#define AT(member) offsetof(show, member)
static const mfft_cli_option options[] = {
    {"output", 'o', MFFT_CLI_TEXT, AT(output), "FILE", "the PNG file to write", .required = 1},
    {"dataset", 'd', MFFT_CLI_TEXT, AT(dataset), "NAME", .help = "the dataset; without it the only one at the root"},
    {"boxsize", 'L', MFFT_CLI_REALS, AT(boxsize), "L",
     "side of the box, or Lx,Ly,Lz; without it BoxSize of the file, else the axes count cells", .min = MFFT_LENGTH_MIN,
     .max = MFFT_LENGTH_MAX},
    {"axis", 'a', MFFT_CLI_CHOICE, AT(axis), "AXIS", "the axis to look along", .fallback = "z", .choices = "x|y|z"},
    {"index", 'i', MFFT_CLI_INT, AT(index), "N", "the (first) cell along the axis; without it the middle one of a slice",
     .max = 1 << 20},
    {"project", 'P', MFFT_CLI_CHOICE, AT(project), "HOW", "combine the cells along the axis instead of taking a slice",
     .choices = project_choices},
    {"depth", 0, MFFT_CLI_INT, AT(depth), "N", "how many cells to combine; without it all that follow --index", .min = 1,
     .max = 1 << 20},
    {"log", 0, MFFT_CLI_FLAG, AT(log), NULL,
     .help = "logarithmic colours; values that are not above 0 are counted and grey (pink with -c gray); see --add"},
    {"add", 0, MFFT_CLI_REAL, AT(add), "X", "add to the field first: 1 makes a density of a density contrast",
     .fallback = "0"},
    {"min", 0, MFFT_CLI_REAL, AT(lo), "X", .help = "value of the lowest colour; without it the smallest"},
    {"max", 0, MFFT_CLI_REAL, AT(hi), "X", .help = "value of the highest colour; without it the largest"},
    {"clip", 0, MFFT_CLI_REAL, AT(clip), "PERCENT",
     "where --min or --max is not given: let so many of the pixels lie beyond", .fallback = "0.1", .max = 49},
    {"colormap", 'c', MFFT_CLI_CHOICE, AT(colormap), "MAP",
     "auto is coolwarm about 0 for values of both signs, else viridis", .fallback = "auto",
     .choices = "auto|" MFFT_COLORMAPS},
    {"smooth", 0, MFFT_CLI_FLAG, AT(smooth), NULL,
     .help = "interpolate between cells (cubic) where they are larger than pixels"},
    {"width", 'w', MFFT_CLI_INT, AT(width), "PIXELS", "of the longer side of the image", .fallback = "768", .min = 64,
     .max = 16384},
    {"title", 't', MFFT_CLI_TEXT, AT(title), "TEXT", .help = "without it what is shown"},
    {"no-verify", 0, MFFT_CLI_FLAG, AT(no_verify), NULL,
     .help = "read no more than what is shown: a slice of a huge file along y or z without the rest of the planes that it "
             "crosses, whose checksums then say nothing"},
    {"untrusted", 0, MFFT_CLI_TABLE, AT(untrusted), .table = mfft_untrusted_options_table},
    {0}};

static const char description[] =
    "Draws a slice or a projection of a field as a PNG picture with axes and a colour bar.\n"
    "\n"
    "The picture shows the two other axes, in the order x, y, z, to the right and upwards, in the shape of the box. Where a "
    "pixel holds several cells it shows their mean. Files with checksums are verified: every plane of x that the picture "
    "needs a part of is read, in pieces, by all ranks together, and nothing is drawn of a damaged one. Of files without "
    "checksums only what is shown is read, and a line on stderr says that it is not verified.\n"
    "\n"
    "Examples:\n"
    "  mergefft show phi.h5 -o phi.png --smooth\n"
    "  mergefft show delta.h5 -o web.png --project mean --depth 16 --add 1 --log -c magma\n"
    "  mpirun -n 4 mergefft show rho.h5 -o max.png --axis x --project max";

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The values at the ends of the colours: given, or the range of the plane but `clip` percent at each end.  *masked: how many
 * finite values have no logarithm where one is wanted. */
static mfft_status find_range(const show *s, const mfft_plane *plane, double *lo, double *hi, int64_t *masked) {
  int64_t count = 0;
  double *sorted = malloc((size_t)(plane->nh * plane->nv) * sizeof *sorted); /* [count] what can be shown */
  if (!sorted) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory to sort %" PRId64 " pixels", plane->nh * plane->nv);
  *masked = 0;
  for (int64_t i = 0; i < plane->nh * plane->nv; i++) {
    if (!isfinite(plane->value[i])) continue;
    if (s->log && plane->value[i] <= 0)
      ++*masked;
    else
      sorted[count++] = plane->value[i];
  }
  qsort(sorted, (size_t)count, sizeof *sorted, by_value);
  int64_t skip = (int64_t)(s->clip / 100 * (double)count);
  *lo = !isnan(s->lo) ? s->lo : count ? sorted[skip] : 0;
  *hi = !isnan(s->hi) ? s->hi : count ? sorted[count - 1 - skip] : 1;
  double smallest = count ? sorted[0] : 0;
  free(sorted);
  if (s->log && count == 0)
    return mfft_app_fail(MFFT_ERR_ARG,
                         "--log: of %" PRId64 " values none is above 0; add to them by --add (1 for a density contrast)",
                         *masked);
  if (s->log && *lo <= 0) return mfft_app_fail(MFFT_ERR_ARG, "--min %g: must be above 0 with --log", *lo);
  if (*lo > *hi || (*lo == *hi && !isnan(s->lo) && !isnan(s->hi)))
    return mfft_app_fail(MFFT_ERR_ARG, "colours from %g to %g: --min must be below --max", *lo, *hi);
  if (*lo == *hi) { /* a field of one value: any range about it */
    double margin = smallest != 0 ? 0.5 * fabs(smallest) : 0.5;
    *hi += margin;
    if (isnan(s->lo)) *lo -= margin;
  }
  if (!isfinite(*hi - *lo))
    return mfft_app_fail(MFFT_ERR_ARG, "colours from %g to %g: the range overflows; give a smaller one by --min and --max",
                         *lo, *hi);
  return MFFT_SUCCESS;
}

/* auto: a diverging map for values of both signs that are of a like size.  Its middle is 0 unless a range was given. */
static mfft_colormap choose_colors(const show *s, double *lo, double *hi) {
  double larger = fmax(-*lo, *hi), smaller = fmin(-*lo, *hi);
  int both_signs = !s->log && smaller > 0;
  mfft_colormap chosen = s->colormap != AUTO_COLORS              ? (mfft_colormap)(s->colormap - 1)
                         : both_signs && smaller >= 0.2 * larger ? MFFT_COOLWARM
                                                                 : MFFT_VIRIDIS;
  if (chosen == MFFT_COOLWARM && both_signs && isnan(s->lo) && isnan(s->hi)) {
    *lo = -larger;
    *hi = larger;
  }
  return chosen;
}

static void make_title(const show *s, const mfft_field_info *info, const mfft_view *view, double length, char *title,
                       size_t size) {
  double cell = length / (double)info->n[view->axis];
  int used =
      snprintf(title, size, "%s%s%s%s: ", info->dataset, *info->units ? " [" : "", info->units, *info->units ? "]" : "");
  if (used < 0 || (size_t)used >= size) return;
  if (s->project < 0)
    snprintf(title + used, size - (size_t)used, "slice at %s = %.5g", axis_names[view->axis],
             ((double)view->first + 0.5) * cell);
  else
    snprintf(title + used, size - (size_t)used, "%s over %s = %.5g to %.5g",
             mfft_cli_choice_name(project_choices, s->project), axis_names[view->axis], (double)view->first * cell,
             (double)(view->first + view->depth) * cell);
}

/* Both ends of the colours with six digits, or with all where six would not tell them apart. */
static void write_range(double lo, double hi, char from[MFFT_NUMBER_BYTES], char to[MFFT_NUMBER_BYTES]) {
  snprintf(from, MFFT_NUMBER_BYTES, "%.6g", lo);
  snprintf(to, MFFT_NUMBER_BYTES, "%.6g", hi);
  if (strcmp(from, to)) return;
  mfft_number_text(lo, from);
  mfft_number_text(hi, to);
}

static mfft_status draw(const show *s, const mfft_field_info *info, const mfft_view *view, mfft_plane *plane) {
  double lo = 0, hi = 0, length[3];
  int64_t masked = 0;
  char title[512], label[64] = "", from[MFFT_NUMBER_BYTES], to[MFFT_NUMBER_BYTES];
  mfft_status status = mfft_input_lengths(s->input, info, &s->boxsize, length);
  if (status != MFFT_SUCCESS) return status;
  for (int64_t i = 0; i < plane->nh * plane->nv; i++) plane->value[i] += s->add;
  status = find_range(s, plane, &lo, &hi, &masked);
  if (status != MFFT_SUCCESS) return status;
  make_title(s, info, view, length[view->axis], title, sizeof title);
  if (s->add != 0) snprintf(label, sizeof label, "%g + %.40s", s->add, info->dataset);
  mfft_figure figure = {.value = plane->value,
                        .nh = plane->nh,
                        .nv = plane->nv,
                        .length = {length[plane->horizontal], length[plane->vertical]},
                        .axis_name = {axis_names[plane->horizontal], axis_names[plane->vertical]},
                        .title = s->title ? s->title : title,
                        .label = label,
                        .logarithmic = s->log,
                        .smooth = s->smooth,
                        .pixels = (int)s->width};
  figure.colormap = choose_colors(s, &lo, &hi);
  if (masked)
    mfft_app_note("--log: %" PRId64 " of %" PRId64 " values are not above 0 and %s; see --add", masked,
                  plane->nh * plane->nv, mfft_colormap_masked_name(figure.colormap));
  figure.lo = lo;
  figure.hi = hi;
  mfft_picture picture = {0};
  mfft_progress_start("drawing", 0);
  status = mfft_figure_draw(&figure, &picture);
  if (status == MFFT_SUCCESS) status = mfft_picture_save(&picture, s->output, figure.title);
  mfft_progress_end();
  write_range(lo, hi, from, to);
  if (status == MFFT_SUCCESS)
    mfft_app_print("%s: %s, %d x %d pixels, colours from %s to %s\n", s->output, title, picture.width, picture.height, from,
                   to);
  mfft_picture_destroy(&picture);
  return status;
}

/* The view that the options ask for; 0, or an exit code after saying what is wrong. */
static int choose_view(const show *s, const mfft_field_info *info, mfft_view *view) {
  int64_t n = info->n[s->axis];
  view->axis = s->axis;
  view->projection = s->project < 0 ? MFFT_PROJECT_MEAN : (mfft_projection)s->project;
  view->first = s->index >= 0 ? s->index : s->project < 0 ? n / 2 : 0;
  view->depth = s->depth > 0 ? s->depth : s->project < 0 ? 1 : n - view->first;
  if (s->index >= n)
    return mfft_cli_usage(&mfft_command_show, "--index %" PRId64 ": must be below %" PRId64 ", the cells along %s", s->index,
                          n, axis_names[s->axis]);
  if (view->depth > n - view->first)
    return mfft_cli_usage(&mfft_command_show, "--depth %" PRId64 ": only %" PRId64 " cells follow along %s", s->depth,
                          n - view->first, axis_names[s->axis]);
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
  if (s->depth > 0 && s->project < 0) return mfft_cli_usage(&mfft_command_show, "--depth: needs --project");
  int code =
      mfft_targets_check(&mfft_command_show, &s->input, 1, &(mfft_target){"--output", s->output, &mfft_picture_kind}, 1);
  if (code) return code;
  if (!mfft_picture_can_save()) return mfft_app_failed(mfft_picture_save(NULL, s->output, NULL));
  return mfft_untrusted_run(&s->untrusted, s->input, s->dataset, s->output, show_field, values);
}

const mfft_command mfft_command_show = {"show",
                                        "draw a slice or projection of a field as a PNG picture",
                                        "FIELD.h5",
                                        1,
                                        1,
                                        AT(input),
                                        description,
                                        options,
                                        sizeof(show),
                                        run};
