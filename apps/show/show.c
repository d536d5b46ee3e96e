/* show.c: `mergefft show` draws a slice or a projection of a field, or a slab of the particles of a snapshot. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/phases.h"
#include "cli/report.h"
#include "cli/targets.h"
#include "io/input.h"
#include "plot/colormap.h"
#include "plot/picture.h"
#include "show/range.h"
#include "show/show.h"

static const char project_choices[] = "mean|sum|max|min";

#define AT(member) offsetof(mfft_show, member)
static const mfft_cli_option options[] = {
    {"output", 'o', MFFT_CLI_TEXT, AT(output), "FILE", "the picture: " MFFT_PICTURE_FILE, .required = 1},
    {"dataset", 'd', MFFT_CLI_TEXT, AT(dataset), "NAME", .help = "the dataset; without it the only one at the root"},
    {"boxsize", 'L', MFFT_CLI_REALS, AT(boxsize), "L",
     "side of the box, or Lx,Ly,Lz; without it BoxSize of the file, else the axes count cells", .min = MFFT_LENGTH_MIN,
     .max = MFFT_LENGTH_MAX},
    {"length-unit", 0, MFFT_CLI_TEXT, AT(length_unit), "TEXT",
     .help = "unit of the box, such as Mpc/h, for the axes and the scale bar; files do not contain it"},
    {"los", 0, MFFT_CLI_CHOICE, AT(los), "AXIS", "line of sight: the axis to look along", .fallback = "z",
     .choices = "x|y|z"},
    {"index", 'i', MFFT_CLI_INT, AT(index), "N",
     "the (first) cell along the line of sight; without it the middle one of a slice", .max = 1 << 20},
    {"project", 'P', MFFT_CLI_CHOICE, AT(project), "HOW",
     "combine the cells along the line of sight instead of taking a slice", .choices = project_choices},
    {"depth", 0, MFFT_CLI_INT, AT(depth), "N", "how many cells to combine; without it all that follow --index", .min = 1,
     .max = 1 << 20},
    {"at", 0, MFFT_CLI_REAL, AT(at), "X",
     .help = "of a snapshot: the middle of the slab along the line of sight; without it that of the box", .min = -1e30,
     .max = 1e30},
    {"thickness", 0, MFFT_CLI_REAL, AT(thickness), "LENGTH",
     .help = "of a snapshot: of the slab; without it a tenth of the box", .min = 1e-30, .max = 1e30},
    {"cells", 0, MFFT_CLI_INT, AT(cells), "N",
     .help = "of a snapshot: cells across the longer side of the picture; without it so many that two particles lie in one, "
             "64 to 1024",
     .min = 1, .max = 1 << 14},
    {"zoom", 0, MFFT_CLI_REALS, AT(zoom), "X,Y,SIZE",
     .help = "show a square of this side about a point of the picture, in the units of its axes; it may reach beyond the "
             "box, which is periodic"},
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
    {"snapshot", 0, MFFT_CLI_TABLE, AT(catalogue), .table = mfft_catalogue_options_table},
    {"plan", 0, MFFT_CLI_TABLE, AT(plan), .table = mfft_plan_options_table},
    {"untrusted", 0, MFFT_CLI_TABLE, AT(untrusted), .table = mfft_untrusted_options_table},
    {"timing", 0, MFFT_CLI_TABLE, AT(timing), .table = mfft_timing_options_table},
    {0}};

static const char description[] =
    "Draws a slice or a projection of a field with axes, a scale bar and a colour bar, as a PNG, SVG or PDF picture.\n"
    "\n"
    "The picture shows the two axes across the line of sight, in the order x, y, z, to the right and upwards, in the shape "
    "of the box. Where a pixel holds several cells it shows their mean. Files with checksums are verified: every plane of x "
    "that the picture needs a part of is read, in pieces, by all ranks together, and nothing is drawn of a damaged one. Of "
    "files without checksums only what is shown is read, and a line on stderr says that it is not verified.\n"
    "\n"
    "Of a snapshot it shows the masses of the particles in a slab, assigned by TSC to the cells of the plane, over their "
    "mean in the box, in logarithmic colours; cells without particles have the lowest colour.\n"
    "\n"
    "Examples:\n"
    "  mergefft show snapshot_007.hdf5 -o web.png --thickness 10\n"
    "  mergefft show phi.h5 -o phi.png --smooth\n"
    "  mergefft show delta.h5 -o web.pdf --project mean --depth 16 --length-unit Mpc/h\n"
    "  mergefft show delta.h5 -o halo.png --los x --index 40 --zoom 120,310,50\n"
    "  mpirun -n 4 mergefft show rho.h5 -o max.png --los x --project max --scale log -c magma";

/* "slice at z = 31.25 Mpc/h", or "mean over z = 0 to 16". */
static void write_view(const mfft_show *s, const mfft_field_info *info, const mfft_view *view, double length,
                       const char *unit, char *text, size_t size) {
  const double cell = length / (double)info->n[view->axis], first = (double)view->first * cell;
  const char *axis = mfft_show_axes[view->axis], *gap = *unit ? " " : "";
  if (s->project < 0)
    snprintf(text, size, "slice at %s = %.5g%s%s", axis, first + 0.5 * cell, gap, unit);
  else
    snprintf(text, size, "%s over %s = %.5g to %.5g%s%s", mfft_cli_choice_name(project_choices, s->project), axis, first,
             (double)(view->first + view->depth) * cell, gap, unit);
}

static mfft_status draw_view(const mfft_show *s, const mfft_field_info *info, const mfft_view *view, mfft_plane *plane) {
  double length[3];
  char text[256];
  const mfft_status status = mfft_input_lengths(s->input, info, &s->boxsize, length);
  if (status != MFFT_SUCCESS) return status;
  const int in_cells = !s->boxsize.count && !info->has_box_size;
  const char *unit = s->length_unit ? s->length_unit : in_cells ? "cells" : "";
  write_view(s, info, view, length[view->axis], unit, text, sizeof text);
  return mfft_show_draw(s, info, length, unit, text, plane);
}

/* An option that is for the other kind of input; MFFT_EXIT_OK or a usage error. */
static int check_kind(const mfft_show *s, int particles) {
  const struct {
    const char *name;
    int given, particles;
  } of[] = {{"--index", s->index >= 0, 0}, {"--project", s->project >= 0, 0},
            {"--depth", s->depth > 0, 0},  {"--dataset", s->dataset != NULL, 0},
            {"--at", !isnan(s->at), 1},    {"--thickness", !isnan(s->thickness), 1},
            {"--cells", s->cells > 0, 1},  {"--type", s->catalogue.types != NULL, 1}};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    if (of[i].given && of[i].particles != particles)
      return mfft_cli_usage(&mfft_command_show, "%s: is for %s, and %s is %s", of[i].name,
                            of[i].particles ? "snapshots" : "fields", s->input, particles ? "a snapshot" : "none");
  return MFFT_EXIT_OK;
}

/* ---- A field --------------------------------------------------------------------------------------------------------- */

/* The view that the options ask for; 0, or an exit code after saying what is wrong. */
static int choose_view(const mfft_show *s, const mfft_field_info *info, mfft_view *view) {
  int64_t n = info->n[s->los];
  view->axis = s->los;
  view->projection = s->project < 0 ? MFFT_PROJECT_MEAN : (mfft_projection)s->project;
  view->first = s->index >= 0 ? s->index : s->project < 0 ? n / 2 : 0;
  view->depth = s->depth > 0 ? s->depth : s->project < 0 ? 1 : n - view->first;
  if (s->index >= n)
    return mfft_cli_usage(&mfft_command_show, "--index %" PRId64 ": must be below %" PRId64 ", the cells along %s", s->index,
                          n, mfft_show_axes[s->los]);
  if (view->depth > n - view->first)
    return mfft_cli_usage(&mfft_command_show, "--depth %" PRId64 ": only %" PRId64 " cells follow along %s", s->depth,
                          n - view->first, mfft_show_axes[s->los]);
  return 0;
}

static int show_field(void *values) {
  const mfft_show *s = values;
  mfft_field_info info;
  mfft_view view;
  mfft_plane plane;
  mfft_field_info_init(&info);
  mfft_phase_enter(MFFT_PHASE_OPEN);
  if (mfft_app_failed(mfft_untrusted_query(s->input, s->dataset, &info))) return MFFT_EXIT_FAILED;
  if (info.rank != 3 &&
      mfft_app_failed(mfft_app_fail(MFFT_ERR_UNSUPPORTED, "'%s' in '%s' has %d axes; name a dataset with three by --dataset",
                                    info.dataset, s->input, info.rank)))
    return MFFT_EXIT_FAILED;
  int code = choose_view(s, &info, &view);
  if (code) return code;
  mfft_phase_enter(MFFT_PHASE_READ);
  if (mfft_plane_read(s->input, &info, &view, s->no_verify, &plane)) return MFFT_EXIT_FAILED;
  if (plane.nonfinite)
    mfft_app_note("%" PRId64 " values are NaN or infinite; pixels that need them are green", plane.nonfinite);
  mfft_phase_enter(MFFT_PHASE_DRAW);
  mfft_status status = mfft_app_rank() == 0 ? draw_view(s, &info, &view, &plane) : MFFT_SUCCESS;
  code = mfft_app_failed(status) ? MFFT_EXIT_FAILED : MFFT_EXIT_OK;
  const int64_t cells = info.n[0] * info.n[1] * info.n[2], each = info.precision == MFFT_SINGLE ? 4 : 8;
  if (code == MFFT_EXIT_OK && mfft_app_failed(mfft_timing_bound(mfft_untrusted_path(s->input), cells * each, NULL, 0)))
    code = MFFT_EXIT_FAILED;
  mfft_phase_enter(MFFT_PHASE_CLOSE);
  mfft_json_string(mfft_timing_json(), "input", s->input);
  mfft_json_integer(mfft_timing_json(), "ranks", mfft_app_ranks());
  if (code == MFFT_EXIT_OK && (!info.checksummed || s->no_verify))
    mfft_app_note("what is drawn of '%s' is not verified: %s", s->input,
                  info.checksummed ? "--no-verify ignores its checksums" : "the file has no checksums of it");
  mfft_plane_destroy(&plane);
  return code;
}

static int run(void *values) {
  const mfft_show *s = values;
  if (s->zoom.count == 1) return mfft_cli_usage(&mfft_command_show, "--zoom: give a point and a side, such as 50,120,20");
  if (s->depth > 0 && s->project < 0) return mfft_cli_usage(&mfft_command_show, "--depth: needs --project");
  mfft_target targets[1 + MFFT_TIMING_TARGETS] = {{"--output", s->output, mfft_picture_kind(s->output)}};
  mfft_timing_targets(&s->timing, targets + 1);
  const int code = mfft_targets_check(&mfft_command_show, &s->input, 1, targets, 1 + MFFT_TIMING_TARGETS);
  if (code) return code;
  mfft_timing_begin(&s->timing, "show", 0);
  int particles = 0; /* copies of --untrusted are fields */
  if (!s->untrusted.untrusted && mfft_app_failed(mfft_catalogue_probe(s->input, &particles))) return MFFT_EXIT_FAILED;
  if (particles) return check_kind(s, 1) ? MFFT_EXIT_USAGE : mfft_show_snapshot(s);
  if (check_kind(s, 0)) return MFFT_EXIT_USAGE;
  return mfft_untrusted_run(&s->untrusted, s->input, s->dataset, s->output, show_field, values);
}

const mfft_command mfft_command_show = {"show",
                                        "draw a slice or projection of a field, or a slab of a snapshot",
                                        "FILE",
                                        1,
                                        1,
                                        AT(input),
                                        description,
                                        options,
                                        sizeof(mfft_show),
                                        run};
