/* gen.c: `mergefft gen` makes fields on disk. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/phases.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/targets.h"
#include "cli/timing.h"
#include "gen/sources.h"
#include "gen/spectrum_options.h"
#include "io/output.h"
#include "io/rows.h"
#include "io/threads.h"
#include "mesh/mesh.h"
#include "mfft_array.h"

typedef struct gen {
  const char *output, *dataset, *units;
  mfft_cli_sizes n;
  mfft_cli_reals boxsize, mode, cell;
  int kind, precision;
  int64_t seed;
  double amplitude, phase, mean, redshift;
  mfft_spectrum_options linear;
  mfft_plan_options plan;
  mfft_sweep_options sweep;
  mfft_timing_options timing;
} gen;

enum { GAUSSIAN, WHITE, PLANE_WAVE, POINT, UNIFORM };

#define AT(member) offsetof(gen, member)
static const mfft_cli_option options[] = {
    {"output", 'o', MFFT_CLI_TEXT, AT(output), "FILE", "the HDF5 file to write; it appears when it is whole", .required = 1},
    {"n", 'n', MFFT_CLI_SIZES, AT(n), "N", "cells along each axis, or 64x32x128", .fallback = "128", .min = 1,
     .max = 1 << 20},
    {"boxsize", 'L', MFFT_CLI_REALS, AT(boxsize), "L", "side of the periodic box, or Lx,Ly,Lz; Mpc/h for --kind gaussian",
     .fallback = "1000", .min = MFFT_LENGTH_MIN, .max = MFFT_LENGTH_MAX},
    {"kind", 'k', MFFT_CLI_CHOICE, AT(kind), "KIND", "what to make", .fallback = "gaussian",
     .choices = "gaussian|white|plane-wave|point|uniform"},
    {"dataset", 'd', MFFT_CLI_TEXT, AT(dataset), "NAME", "its name in the file", .fallback = "delta"},
    {"value-unit", 0, MFFT_CLI_TEXT, AT(units), "TEXT", .help = "unit of the values, to note on the dataset"},
    {"precision", 'p', MFFT_CLI_CHOICE, AT(precision), "TYPE", "what is stored; all is computed in double",
     .fallback = "double", .choices = "double|single"},
    {"seed", 's', MFFT_CLI_INT, AT(seed), "N", "number of the realisation (gaussian, white)", .fallback = "1", .max = 9e15},
    {"amplitude", 'A', MFFT_CLI_REAL, AT(amplitude), "A",
     "height of the wave, value of the cell, the uniform value, or standard deviation of the white noise", .fallback = "1"},
    {"mode", 0, MFFT_CLI_REALS, AT(mode), "MX,MY,MZ", "waves in the box along each axis (plane-wave)", .fallback = "1,0,0",
     .min = -524288, .max = 524288},
    {"phase", 0, MFFT_CLI_REAL, AT(phase), "RADIANS", "phase of the wave at cell 0,0,0 (plane-wave)", .fallback = "0"},
    {"cell", 0, MFFT_CLI_REALS, AT(cell), "IX,IY,IZ", "which cell (point)", .fallback = "0,0,0", .max = 1 << 20},
    {"mean", 0, MFFT_CLI_REAL, AT(mean), "M", .help = "store the density M (1 + field) instead of the field"},
    {"redshift", 'z', MFFT_CLI_REAL, AT(redshift), "Z",
     "redshift: scales a gaussian field by the linear growth, and is noted", .fallback = "0", .max = 1e4},
    {"linear", 0, MFFT_CLI_TABLE, AT(linear), .table = mfft_spectrum_options_table},
    {"plan", 0, MFFT_CLI_TABLE, offsetof(gen, plan), .table = mfft_plan_options_table},
    {"sweep", 0, MFFT_CLI_TABLE, offsetof(gen, sweep), .table = mfft_sweep_options_table},
    {"timing", 0, MFFT_CLI_TABLE, AT(timing), .table = mfft_timing_options_table},
    {0}};

static const char description[] =
    "Makes a field on a periodic mesh and writes it to an HDF5 file.\n"
    "\n"
    "gaussian: a Gaussian random density contrast with the linear power spectrum of a LambdaCDM universe: the transfer "
    "function of Eisenstein and Hu (1998) with baryon wiggles, normalised to sigma8, scaled to the redshift by the linear "
    "growth factor; or with the table --spectrum, scaled by the growth from --spectrum-z. White noise made cell by cell is "
    "transformed, multiplied by sqrt(P(k)) and transformed back.\n"
    "white: independent normal numbers; their power spectrum is A^2 V / cells.\n"
    "plane-wave: A cos(2 pi (MX x/Lx + MY y/Ly + MZ z/Lz) + phase).\n"
    "point: A in one cell and 0 elsewhere.  uniform: A everywhere.\n"
    "\n"
    "The white noise of a cell is a function of the seed and the cell's indices (Philox4x32-10): it is the same, bit for "
    "bit, for every number of ranks and every process grid. Gaussian fields agree between process grids to the rounding of "
    "the two transforms, a relative 1e-14 or so.\n"
    "\n"
    "Examples:\n"
    "  mpirun -n 4 mergefft gen -o delta.h5 -n 256 --boxsize 500 --seed 42\n"
    "  mergefft gen -o wave.h5 -n 64x32x128 -L 1,0.5,2 --kind plane-wave --mode 3,0,1";

/* Integers of a list of numbers; 0, or -1 if one is not whole or the list does not have three. */
static int whole(const mfft_cli_reals *list, int64_t out[3]) {
  if (list->count != 3) return -1;
  for (int a = 0; a < 3; a++) {
    out[a] = (int64_t)llrint(list->v[a]);
    if ((double)out[a] != list->v[a]) return -1;
  }
  return 0;
}

/* Checks that the table cannot make: 0 or an exit code. */
static int check(gen *g, int64_t mode[3], int64_t cell[3]) {
  const mfft_cosmology *c = &g->linear.cosmology;
  if (whole(&g->mode, mode)) return mfft_cli_usage(&mfft_command_gen, "--mode: must be three whole numbers, such as 1,0,-2");
  if (whole(&g->cell, cell)) return mfft_cli_usage(&mfft_command_gen, "--cell: must be three whole numbers, such as 0,8,15");
  for (int a = 0; a < 3; a++) {
    if (g->kind == PLANE_WAVE && 2 * llabs(mode[a]) > g->n.v[a])
      return mfft_cli_usage(&mfft_command_gen,
                            "--mode: %" PRId64 " waves do not fit on %" PRId64 " cells, at most half as many do", mode[a],
                            g->n.v[a]);
    if (g->kind == POINT && cell[a] >= g->n.v[a])
      return mfft_cli_usage(&mfft_command_gen, "--cell: index %" PRId64 " must be below --n %" PRId64, cell[a], g->n.v[a]);
  }
  const int random = g->kind == GAUSSIAN || g->kind == WHITE, wave = g->kind == PLANE_WAVE;
  const mfft_cli_need needs[] = {
      {"seed", random, "random fields, --kind gaussian and white"},
      {"mode", wave, "--kind plane-wave"},
      {"phase", wave, "--kind plane-wave"},
      {"cell", g->kind == POINT, "--kind point"},
      {"sigma8", g->kind == GAUSSIAN, "--kind gaussian"},
      {"ns", g->kind == GAUSSIAN, "--kind gaussian"},
      {"amplitude", g->kind != GAUSSIAN, "other kinds than gaussian, whose size is that of --sigma8"}};
  if (mfft_cli_check_needs(&mfft_command_gen, needs, sizeof needs / sizeof *needs)) return MFFT_EXIT_USAGE;
  if (g->linear.table && g->kind != GAUSSIAN)
    return mfft_cli_usage(&mfft_command_gen, "--spectrum: only a field of --kind gaussian has a power spectrum");
  const int code = mfft_spectrum_options_check(&mfft_command_gen, &g->linear);
  if (code) return code;
  if (!isfinite(mfft_growth(c, g->redshift)))
    return mfft_cli_usage(&mfft_command_gen,
                          "--omega-lambda %g with --omega-m %g: such a universe did not begin with a big bang, since H^2 is "
                          "negative at some redshift; choose a smaller --omega-lambda",
                          c->omega_lambda, c->omega_m);
  mfft_target targets[1 + MFFT_TIMING_TARGETS] = {{"--output", g->output, &mfft_field_kind}};
  mfft_timing_targets(&g->timing, targets + 1);
  const int tables = g->linear.table != NULL;
  return mfft_targets_check(&mfft_command_gen, &g->linear.table, tables, targets, 1 + MFFT_TIMING_TARGETS);
}

/* The source of a part of the field. */
typedef struct fill_state {
  const gen *g;
  const mfft_mesh *mesh;
  int64_t mode[3], cell[3]; /* [axis] */
  const mfft_box *box;      /* of the whole field here */
} fill_state;

static mfft_status fill_part(void *context, const mfft_box *part, void *data) {
  const fill_state *f = context;
  const gen *g = f->g;
  switch (g->kind) {
    case PLANE_WAVE:
      mfft_fill_wave(f->mesh, part, f->mode, g->amplitude, g->phase, data);
      break;
    case POINT:
      mfft_fill_point(part, f->cell, g->amplitude, data);
      break;
    case UNIFORM:
      mfft_fill_uniform(part, g->amplitude, data);
      break;
  }
  mfft_progress_step(part->hi[0] - f->box->lo[0]);
  return MFFT_SUCCESS;
}

/* From the contrast to the density. */
static mfft_status scale_part(void *context, const mfft_box *part, void *data) {
  const double mean = *(const double *)context;
  double *field = data;
  for (int64_t i = 0, cells = mfft_box_cells(part); i < cells; i++) field[i] = mean * (1 + field[i]);
  return MFFT_SUCCESS;
}

/* White noise, made in the memory of the array. */
static mfft_status fill_noise(const gen *g, mfft_mesh_plan *p) {
  mfft_normal normal;
  mfft_normal_init(&normal);
  normal.seed = (uint64_t)g->seed;
  normal.deviation = g->kind == WHITE ? g->amplitude : 1;
  normal.threads = p->threads;
  return mfft_plan_fill_normal(p->plan, MFFT_IN, &normal, p->real.plan);
}

/* Fills plan->real; 1 if that failed and has been reported. */
static int fill(gen *g, fill_state *f, mfft_mesh_plan *p) {
  mfft_progress_start("making the field", p->real.box.hi[0] - p->real.box.lo[0]);
  const int noise = g->kind == GAUSSIAN || g->kind == WHITE;
  if (mfft_app_failed(noise ? fill_noise(g, p) : mfft_sweep(&p->real, MFFT_SWEEP_WRITES, fill_part, f))) return 1;
  if (g->kind == GAUSSIAN) {
    mfft_spectrum spectrum;
    if (mfft_app_failed(mfft_spectrum_load(&g->linear, g->redshift, f->mesh, &spectrum))) return 1;
    const int failed = mfft_colour_noise(f->mesh, p, &spectrum);
    mfft_spectrum_free(&spectrum);
    if (failed) return 1;
  }
  return !isnan(g->mean) &&
         mfft_app_failed(mfft_sweep(&p->real, MFFT_SWEEP_READS | MFFT_SWEEP_WRITES, scale_part, &g->mean));
}

/* Refuses values that single precision would round to fewer digits than it has, or to 0. */
static mfft_status check_size(const gen *g, const mfft_stats *stats) {
  const double largest = fmax(fabs(stats->min), fabs(stats->max));
  if (!g->precision || largest == 0 || largest >= mfft_row_smallest_normal(MFFT_SINGLE)) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_NONFINITE,
                       "the field, from %.3g to %.3g, is too small for single precision; store it in double", stats->min,
                       stats->max);
}

static mfft_status write(const gen *g, const mfft_mesh *mesh, mfft_mesh_plan *p) {
  const mfft_field_dataset dataset = {g->dataset, g->units};
  const mfft_cosmology *c = &g->linear.cosmology;
  enum { OF_TABLES = 4, ALL = 8 }; /* the first four are known where the spectrum is a table, too */
  const mfft_field_attribute attributes[ALL] = {
      {"Seed", (double)g->seed}, {"Omega_m", c->omega_m}, {"Omega_Lambda", c->omega_lambda},
      {"HubbleParam", c->h},     {"Omega_b", c->omega_b}, {"n_s", c->ns},
      {"sigma_8", c->sigma8},    {"T_cmb", c->t_cmb}};
  mfft_field_desc desc;
  mfft_field_desc_init(&desc);
  memcpy(desc.n, mesh->n, sizeof desc.n);
  memcpy(desc.box_size, mesh->length, sizeof desc.box_size);
  desc.precision = g->precision ? MFFT_SINGLE : MFFT_DOUBLE;
  desc.has_redshift = 1;
  desc.redshift = g->redshift;
  desc.dataset = &dataset;
  desc.dataset_count = 1;
  desc.attribute = attributes;
  desc.attribute_count = g->kind != GAUSSIAN ? g->kind == WHITE : g->linear.table ? OF_TABLES : ALL;
  mfft_progress_start_bytes("writing", 0, mfft_mesh_cells(mesh) * (double)mfft_real_bytes(desc.precision));
  mfft_field_file file = NULL;
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_CREATE);
  mfft_status status = mfft_field_create(MPI_COMM_WORLD, g->output, &desc, &file);
  if (status == MFFT_SUCCESS) status = mfft_output_put(file, 0, MFFT_DOUBLE, &p->real, NULL, NULL);
  mfft_phase_enter(status == MFFT_SUCCESS ? MFFT_PHASE_COMMIT : before);
  if (status == MFFT_SUCCESS) return mfft_field_commit(&file);
  mfft_field_abandon(&file);
  return status;
}

static int run(void *values) {
  gen *g = values;
  mfft_mesh mesh;
  fill_state filling = {.g = g, .mesh = &mesh};
  int code = check(g, filling.mode, filling.cell);
  if (code) return code;

  mfft_timing_begin(&g->timing, "gen", 0);
  double start = mfft_app_time();
  mfft_mesh_plan p;
  mfft_stats stats;
  memcpy(mesh.n, g->n.v, sizeof mesh.n);
  memcpy(mesh.length, g->boxsize.v, sizeof mesh.length);
  code = MFFT_EXIT_FAILED;
  mfft_phase_enter(MFFT_PHASE_PLAN);
  if (mfft_app_failed(mfft_threads_begin(&g->sweep))) return code;
  if (mfft_app_failed(mfft_mesh_plan_create(&mesh, &g->plan, &g->sweep, &p))) goto done;
  if (mfft_app_failed(mfft_field_threads(MPI_COMM_WORLD, &p.threads))) goto done;
  filling.box = &p.real.box;
  mfft_phase_enter(MFFT_PHASE_MAKE);
  if (fill(g, &filling, &p)) goto done;
  mfft_phase_enter(MFFT_PHASE_CONTRAST);
  if (mfft_app_failed(mfft_mesh_stats(&mesh, &p, &stats))) goto done;
  if (mfft_app_failed(check_size(g, &stats))) goto done;
  if (mfft_app_failed(write(g, &mesh, &p))) goto done;
  mfft_phase_enter(MFFT_PHASE_REPORT);
  mfft_progress_end();
  mfft_app_print("%s: %s %" PRId64 "x%" PRId64 "x%" PRId64 " %s, box %g x %g x %g\n", g->output, g->dataset, mesh.n[0],
                 mesh.n[1], mesh.n[2], g->precision ? "single" : "double", mesh.length[0], mesh.length[1], mesh.length[2]);
  mfft_app_print("mean %.6g, standard deviation %.6g, from %.6g to %.6g; %.2f s\n", stats.mean, stats.deviation, stats.min,
                 stats.max, mfft_app_time() - start);
  const int64_t bytes = (int64_t)mfft_mesh_cells(&mesh) * (int64_t)mfft_real_bytes(g->precision ? MFFT_SINGLE : MFFT_DOUBLE);
  if (mfft_app_failed(mfft_timing_bound(NULL, 0, g->output, bytes))) goto done;
  mfft_json_string(mfft_timing_json(), "output", g->output);
  mfft_json_integers(mfft_timing_json(), "n", mesh.n, 3);
  mfft_json_integer(mfft_timing_json(), "ranks", mfft_app_ranks());
  code = MFFT_EXIT_OK;
done:
  mfft_phase_enter(MFFT_PHASE_CLOSE);
  mfft_mesh_plan_destroy(&p);
  mfft_threads_end();
  return code;
}

const mfft_command mfft_command_gen = {
    .name = "gen",
    .summary = "make a field: LambdaCDM density, white noise, plane wave, point, uniform",
    .operands = "",
    .description = description,
    .options = options,
    .values_bytes = sizeof(gen),
    .run = run,
};
