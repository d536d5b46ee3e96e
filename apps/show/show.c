/* show.c: `mergefft show` draws a slice or a projection of a field, or a slab of the particles of a snapshot. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/precision.h"
#include "cli/commands.h"
#include "cli/phases.h"
#include "cli/report.h"
#include "cli/targets.h"
#include "io/input.h"
#include "plot/colormap.h"
#include "plot/picture.h"
#include "show/draw.h"
#include "show/range.h"
#include "show/settings.h"
#include "show/snapshot.h"

static const char project_choices[] = "mean|sum|max|min";

#define AT(member) offsetof(mfft_show, member)
static const mfft_cli_option options[] = {
    {"output", 'o', MFFT_CLI_TEXT, AT(output), "FILE", "picture to write: " MFFT_PICTURE_FILE, .required = 1},
    {"dataset", 'd', MFFT_CLI_TEXT, AT(dataset), "NAME", .help = "name of the dataset; default: the only one at the root"},
    {"boxsize", 'L', MFFT_CLI_REALS, AT(boxsize), "L",
     "side of the box, or Lx,Ly,Lz; default: BoxSize of the file; without both the axes count cells", .min = MFFT_LENGTH_MIN,
     .max = MFFT_LENGTH_MAX},
    {"length-unit", 0, MFFT_CLI_TEXT, AT(length_unit), "TEXT",
     .help = "unit of the box, such as Mpc/h, for the axes and the scale bar; files do not contain it"},
    {"los", 0, MFFT_CLI_CHOICE, AT(los), "AXIS", "line of sight: the axis to look along", .fallback = "z",
     .choices = "x|y|z"},
    {"index", 'i', MFFT_CLI_INT, AT(index), "N",
     "the (first) cell along the line of sight; default: the middle one of a slice", .max = 1 << 20},
    {"project", 'P', MFFT_CLI_CHOICE, AT(project), "HOW",
     "combine the cells along the line of sight instead of taking a slice", .choices = project_choices},
    {"depth", 0, MFFT_CLI_INT, AT(depth), "N", "number of cells to combine; default: all from --index on", .min = 1,
     .max = 1 << 20},
    {"at", 0, MFFT_CLI_REAL, AT(at), "X",
     .help = "middle of the slab of a snapshot along the line of sight; default: the middle of the box", .min = -1e30,
     .max = 1e30},
    {"thickness", 0, MFFT_CLI_REAL, AT(thickness), "LENGTH",
     .help = "thickness of the slab of a snapshot; default: a tenth of the box", .min = 1e-30, .max = 1e30},
    {"cells", 0, MFFT_CLI_INT, AT(cells), "N",
     .help = "cells across the longer side of the picture of a snapshot; default: two particles a cell on average, "
             "64 to 1024",
     .min = 1, .max = 1 << 14},
    {"zoom", 0, MFFT_CLI_REALS, AT(zoom), "X,Y,SIZE",
     .help =
         "show a square of this side around the point (X,Y) of the picture, in the units of its axes; it may extend beyond "
         "the box, which is periodic"},
    {"scale", 0, MFFT_CLI_CHOICE, AT(scale), "KIND",
     "scale of the colours; auto: log for values above 0 that span two decades, and for density contrasts if 1 + delta "
     "does; values without a logarithm are counted and drawn grey (pink with -c gray)",
     .fallback = "auto", .choices = MFFT_COLOR_SCALES},
    {"add", 0, MFFT_CLI_REAL, AT(add), "X",
     .help = "add X to the field first: 1 converts a density contrast to a density; default: 0, or 1 if --scale auto "
             "detects a density contrast"},
    {"min", 0, MFFT_CLI_REAL, AT(lo), "X", .help = "value of the lowest colour; default: the smallest, see --clip"},
    {"max", 0, MFFT_CLI_REAL, AT(hi), "X", .help = "value of the highest colour; default: the largest, see --clip"},
    {"clip", 0, MFFT_CLI_REAL, AT(clip), "PERCENT",
     "without --min or --max: percentage of the pixels below or above the range", .fallback = "0.1", .max = 49},
    {"colormap", 'c', MFFT_CLI_CHOICE, AT(colormap), "MAP",
     "colour map; auto: coolwarm around 0 for values of both signs, inferno for logarithmic colours, otherwise viridis",
     .fallback = "auto", .choices = "auto|" MFFT_COLORMAPS},
    {"smooth", 0, MFFT_CLI_FLAG, AT(smooth), NULL,
     .help = "interpolate between cells (cubic) if they are larger than pixels"},
    {"width", 'w', MFFT_CLI_INT, AT(width), "PIXELS", "pixels of the longer side of the image; letters scale with it",
     .fallback = "768", .min = 64, .max = 16384},
    {"title", 0, MFFT_CLI_TEXT, AT(title), "TEXT", .help = "title; default: the dataset and the redshift"},
    {"no-verify", 0, MFFT_CLI_FLAG, AT(no_verify), NULL,
     .help = "read only the cells shown: a slice of a huge file along y or z without the rest of the planes of x, whose "
             "checksums are then not verified"},
    {"snapshot", 0, MFFT_CLI_TABLE, AT(catalogue), .table = mfft_catalogue_options_table},
    {"plan", 0, MFFT_CLI_TABLE, AT(plan), .table = mfft_plan_options_table},
    {"untrusted", 0, MFFT_CLI_TABLE, AT(untrusted), .table = mfft_untrusted_options_table},
    {"timing", 0, MFFT_CLI_TABLE, AT(timing), .table = mfft_timing_options_table},
    {0}};

static const char description[] =
    "Draws a slice or a projection of a field with axes, a scale bar and a colour bar, as a PNG, SVG or PDF picture.\n"
    "\n"
    "The picture shows the two axes across the line of sight, in the order x, y, z, to the right and upwards, in the shape "
    "of the box. A pixel of several cells shows their mean. Files with checksums are verified: every plane of x of which "
    "the "
    "picture needs a part is read completely, in pieces, by all ranks together, and a damaged plane is an error. Of files "
    "without checksums only the cells shown are read, and a line on stderr says that they are not verified.\n"
    "\n"
    "For a snapshot it shows the masses of the particles in a slab, assigned by TSC to the cells of the plane and divided "
    "by "
    "the mean of the box, in logarithmic colours; cells without particles have the lowest colour.\n"
    "\n"
    "Examples:\n"
    "  mergefft show snapshot_007.hdf5 -o web.png --thickness 10\n"
    "  mergefft show phi.h5 -o phi.png --smooth\n"
    "  mergefft show delta.h5 -o web.pdf --project mean --depth 16 --length-unit Mpc/h\n"
    "  mergefft show delta.h5 -o halo.png --los x --index 40 --zoom 120,310,50\n"
    "  mpirun -n 4 mergefft show rho.h5 -o max.png --los x --project max --scale log -c magma";

/* Describes the view: "slice at z = 31.25 Mpc/h", or "mean over z = 0 to 16". */
static void write_view(const mfft_show *s, const mfft_field_info *info, const mfft_view *view, double length,
                       const char *unit, char *text, size_t size) {
  const double cell = length / (double)info->n[view->axis], first = (double)view->first * cell,
               at = first + (info->centered ? 0.5 : 0) * cell; /* of the points of the mesh */
  const char *axis = mfft_show_axes[view->axis], *gap = *unit ? " " : "";
  if (s->project < 0)
    snprintf(text, size, "slice at %s = %.5g%s%s", axis, at, gap, unit);
  else
    snprintf(text, size, "%s over %s = %.5g to %.5g%s%s", mfft_cli_choice_name(project_choices, s->project), axis, first,
             (double)(view->first + view->depth) * cell, gap, unit);
}

static mfft_status draw_view(const mfft_show *s, const mfft_field_info *info, const mfft_view *view, mfft_plane *plane) {
  double length[3]; /* [axis] */
  char text[256];
  const mfft_status status = mfft_input_lengths(s->input, info, &s->boxsize, length);
  if (status != MFFT_SUCCESS) return status;
  const int in_cells = !s->boxsize.count && !info->has_box_size;
  const char *unit = s->length_unit ? s->length_unit : in_cells ? "cells" : "";
  write_view(s, info, view, length[view->axis], unit, text, sizeof text);
  return mfft_show_draw(s, info, length, unit, text, plane);
}

/* Refuses options of the other kind of input.  Returns MFFT_EXIT_OK or a usage error. */
static int check_kind(const mfft_show *s, int particles) {
  const struct {
    const char *name;
    int given, particles;
  } of[] = {{"--index", s->index >= 0, 0},
            {"--project", s->project >= 0, 0},
            {"--depth", s->depth > 0, 0},
            {"--dataset", s->dataset != NULL, 0},
            {"--at", !isnan(s->at), 1},
            {"--thickness", !isnan(s->thickness), 1},
            {"--cells", s->cells > 0, 1},
            {"--type", s->catalogue.types != NULL, 1},
            {"--units", mfft_cli_given(&mfft_command_show, "units"), 1},
            {"--unweighted", s->catalogue.unweighted, 1}};
  const char *kind = particles ? "a snapshot" : s->untrusted.untrusted ? "read as a field by --untrusted" : "none";
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    if (of[i].given && of[i].particles != particles)
      return mfft_cli_usage(&mfft_command_show, "%s is for %s, and %s is %s; omit it", of[i].name,
                            of[i].particles ? "snapshots" : "fields", s->input, kind);
  return MFFT_EXIT_OK;
}

/* ---- A field --------------------------------------------------------------------------------------------------------- */

/* Sets the view from the options.  Returns 0, or an exit code after an error that has been reported. */
static int choose_view(const mfft_show *s, const mfft_field_info *info, mfft_view *view) {
  int64_t n = info->n[s->los];
  view->axis = s->los;
  view->projection = s->project < 0 ? MFFT_PROJECT_MEAN : (mfft_plane_projection)s->project;
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
  const int64_t cells = info.n[0] * info.n[1] * info.n[2], each = (int64_t)mfft_real_bytes(info.precision);
  if (code == MFFT_EXIT_OK && mfft_app_failed(mfft_timing_bound(mfft_untrusted_path(s->input), cells * each, NULL, 0)))
    code = MFFT_EXIT_FAILED;
  mfft_phase_enter(MFFT_PHASE_CLOSE);
  mfft_json_string(mfft_timing_json(), "input", s->input);
  mfft_json_integer(mfft_timing_json(), "ranks", mfft_app_ranks());
  if (code == MFFT_EXIT_OK && (!info.checksummed || s->no_verify))
    mfft_app_note("the data of '%s' are not verified: %s", s->input,
                  info.checksummed ? "--no-verify ignores its checksums" : "the file has no checksums of them");
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
  int particles = 0; /* the copies that --untrusted makes are fields */
  if (!s->untrusted.untrusted && mfft_app_failed(mfft_catalogue_probe(s->input, &particles))) return MFFT_EXIT_FAILED;
  if (particles) return check_kind(s, 1) ? MFFT_EXIT_USAGE : mfft_show_snapshot(s);
  if (check_kind(s, 0)) return MFFT_EXIT_USAGE;
  return mfft_untrusted_run(&s->untrusted, s->input, s->dataset, s->output, show_field, values);
}

const mfft_command mfft_command_show = {
    .name = "show",
    .summary = "draw a slice or projection of a field, or a slab of a snapshot",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .operands_offset = AT(input),
    .description = description,
    .options = options,
    .values_bytes = sizeof(mfft_show),
    .run = run,
};
