/* density.c: `mergefft density` assigns the particles of a snapshot to a mesh. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "catalogue/job.h"
#include "catalogue/spread.h"
#include "cli/commands.h"
#include "cli/phases.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "density/estimate.h"
#include "estimate/estimate.h"
#include "io/output.h"
#include "io/threads.h"
#include "mesh/particle_words.h"

#define AT(member) offsetof(mfft_density_values, member)
static const mfft_cli_option options[] = {
    {"output", 'o', MFFT_CLI_TEXT, AT(output), "FILE", .help = "HDF5 file of the fields to write", .required = 1},
    {"n", 'n', MFFT_CLI_SIZES, AT(n), "N",
     .help = "cells along each side of the box, N or NxNxN; default: twice the particles along a side", .min = 1,
     .max = 1 << 20},
    {"assign", 'a', MFFT_CLI_CHOICE, AT(assign), "HOW", "mass assignment to mesh points", .fallback = "tsc",
     .choices = MFFT_ASSIGN_WORDS},
    {"centered", 0, MFFT_CLI_FLAG, AT(centered), NULL,
     .help = "put mesh point i at (i + 1/2) L/N, the middle of its cell, instead of i L/N"},
    {"interlace", 0, MFFT_CLI_FLAG, AT(interlace), NULL,
     .help = "average with a mesh that is shifted by half a cell, which removes the nearest images of the spectrum"},
    {"fields", 0, MFFT_CLI_TEXT, AT(fields), "LIST",
     "datasets to write: delta, the density contrast; mass, the density; momentum, its product with the peculiar velocity, "
     "as momentum_x, momentum_y and momentum_z",
     .fallback = "delta"},
    {"boxsize", 'L', MFFT_CLI_REALS, AT(boxsize), "L", "side of the periodic box, or Lx,Ly,Lz; default: BoxSize of the file",
     .min = MFFT_LENGTH_MIN, .max = MFFT_LENGTH_MAX},
    {"precision", 'p', MFFT_CLI_CHOICE, AT(precision), "TYPE", "precision of the file; computations are in double",
     .fallback = "single", .choices = "double|single"},
    {"dry", 0, MFFT_CLI_TABLE, AT(dry_run), .table = mfft_estimate_options_table},
    {"snapshot", 0, MFFT_CLI_TABLE, AT(catalogue), .table = mfft_catalogue_options_table},
    {"plan", 0, MFFT_CLI_TABLE, AT(plan), .table = mfft_plan_options_table},
    {"sweep", 0, MFFT_CLI_TABLE, AT(sweep), .table = mfft_sweep_options_table},
    {"timing", 0, MFFT_CLI_TABLE, AT(timing), .table = mfft_timing_options_table},
    {0}};

static const char description[] =
    "Reads the particles of a snapshot, assigns their masses to the points of a mesh, and writes fields for power, show "
    "and poisson. The numbers have the same bits for every number of ranks, interlaced ones up to the rounding of "
    "transforms.\n"
    "\n"
    "Without --units, lengths become Mpc/h, masses 1e10 solar masses/h and velocities km/s if the snapshot contains its "
    "units; otherwise the stored units remain, which is noted. The file has BoxSize, Redshift and Time, the cosmology if it "
    "is known, Particles, and ShotNoise: the volume over the effective number of particles, (sum of m)^2 / (sum of m^2).\n"
    "\n"
    "Windows are those of Hockney and Eastwood (1981); `mergefft power --assign` deconvolves them. An interlaced density "
    "may be negative.\n"
    "\n"
    "  mergefft density snapshot_007.hdf5 -o delta.h5 -n 256\n"
    "  mpirun -n 4 mergefft density snapdir_007/snapshot_007 -o rho.h5 -n 512 -a cic --fields mass,momentum\n"
    "  mergefft density gas.hdf5 --type 0 --units kpc -o gas.h5 --interlace -a pcs";

/* ---- The datasets ---------------------------------------------------------------------------------------------------- */

enum { DELTA, MASS, MOMENTUM, KINDS };
#define KIND_WORDS "delta|mass|momentum"
enum { DATASETS = 5 };
static const struct dataset {
  const char *name;
  int kind;
  mfft_spread_weight weight;
} datasets[DATASETS] = {{"delta", DELTA, MFFT_SPREAD_MASS},
                        {"mass", MASS, MFFT_SPREAD_MASS},
                        {"momentum_x", MOMENTUM, MFFT_SPREAD_MOMENTUM_X},
                        {"momentum_y", MOMENTUM, MFFT_SPREAD_MOMENTUM_Y},
                        {"momentum_z", MOMENTUM, MFFT_SPREAD_MOMENTUM_Z}};

/* Reads --fields as bits of the kinds; 0 after a usage error. */
static unsigned read_fields(const char *list) {
  unsigned wanted = 0;
  char word[32];
  for (const char *at = list; at;) {
    const size_t length = strcspn(at, ",");
    snprintf(word, sizeof word, "%.*s", (int)length, at);
    const int kind = length < sizeof word ? mfft_cli_choice(KIND_WORDS, word) : -1;
    if (kind < 0) {
      mfft_cli_usage(&mfft_command_density, "--fields %s must be a list of delta, mass and momentum", list);
      return 0;
    }
    wanted |= 1u << kind;
    at = at[length] ? at + length + 1 : NULL;
  }
  return wanted;
}

static int count_datasets(unsigned wanted) {
  int count = 0;
  for (int i = 0; i < DATASETS; i++) count += wanted >> datasets[i].kind & 1;
  return count;
}

/* Factors from stored quantities to those of the results. */
typedef struct scales {
  double mass, velocity;
  int known;
} scales;

static scales choose_scales(const mfft_catalogue *c, int units) {
  const int known = c->info.mass_1e10_msun_h > 0 && units != MFFT_LENGTHS_STORED && !c->unweighted;
  return (scales){known ? c->info.mass_1e10_msun_h : 1, units != MFFT_LENGTHS_STORED && c->velocity > 0 ? c->velocity : 1,
                  known};
}

/* Factor from sums of weights to a dataset. */
static double factor(const mfft_spread *s, int kind, const scales *scale) {
  const double cells = mfft_mesh_cells(s->mesh), cell = mfft_mesh_volume(s->mesh) / cells;
  if (kind == DELTA) return cells / s->weight;
  return mfft_catalogue_unit_mass(s->catalogue) * scale->mass / cell * (kind == MOMENTUM ? scale->velocity : 1);
}

static mfft_status scale_part(void *context, const mfft_box *part, void *data) {
  const double scaling = *(const double *)context;
  double *field = data;
  for (int64_t i = 0, cells = mfft_box_cells(part); i < cells; i++) field[i] *= scaling;
  return MFFT_SUCCESS;
}

/* ---- The file -------------------------------------------------------------------------------------------------------- */

static mfft_status create(const mfft_density_values *d, const mfft_spread *s, unsigned wanted, const scales *scale,
                          mfft_field_file *file) {
  const mfft_snapshot_info *info = &s->catalogue->info;
  const double shot = mfft_mesh_volume(s->mesh) * s->squares / (s->weight * s->weight);
  enum { ALWAYS = 6, MOST = 9 };
  mfft_field_attribute attributes[MOST] = {{"Time", info->time},
                                           {"Particles", (double)s->catalogue->all},
                                           {"ShotNoise", shot},
                                           {"WindowOrder", (double)s->assignment},
                                           {"Centered", (double)s->centered},
                                           {"Interlacing", (double)s->interlace}};
  const mfft_field_attribute cosmology[] = {
      {"Omega_m", info->omega_m}, {"Omega_Lambda", info->omega_lambda}, {"HubbleParam", info->h}};
  static const char *const units[KINDS] = {NULL, "1e10 Msun/h (Mpc/h)^-3", "1e10 Msun/h (Mpc/h)^-3 km/s"};
  mfft_field_dataset list[DATASETS];
  mfft_field_desc desc;
  mfft_field_desc_init(&desc);
  for (int i = 0; i < DATASETS; i++)
    if (wanted >> datasets[i].kind & 1)
      list[desc.dataset_count++] = (mfft_field_dataset){datasets[i].name, scale->known ? units[datasets[i].kind] : NULL};
  memcpy(desc.n, s->mesh->n, sizeof desc.n);
  memcpy(desc.box_size, s->mesh->length, sizeof desc.box_size);
  desc.precision = d->precision ? MFFT_SINGLE : MFFT_DOUBLE;
  desc.has_redshift = 1;
  desc.redshift = info->redshift;
  desc.dataset = list;
  desc.attribute = attributes;
  desc.attribute_count = ALWAYS;
  for (int i = 0; i < MOST - ALWAYS && info->has_cosmology; i++) attributes[desc.attribute_count++] = cosmology[i];
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_CREATE);
  const mfft_status status = mfft_field_create(MPI_COMM_WORLD, d->output, &desc, file);
  mfft_phase_enter(before);
  return status;
}

static mfft_status write_fields(const mfft_density_values *d, mfft_spread *s, unsigned wanted, mfft_stats *stats) {
  const scales scale = choose_scales(s->catalogue, d->catalogue.units);
  mfft_field_file file = NULL;
  mfft_status status = create(d, s, wanted, &scale, &file);
  for (int i = 0, place = 0; i < DATASETS && status == MFFT_SUCCESS; i++) {
    if (!(wanted >> datasets[i].kind & 1)) continue;
    double scaling = factor(s, datasets[i].kind, &scale);
    status = mfft_spread_real(s, datasets[i].weight, datasets[i].kind == DELTA);
    if (status == MFFT_SUCCESS)
      status = mfft_app_agree(mfft_sweep(&s->plan->real, MFFT_SWEEP_READS | MFFT_SWEEP_WRITES, scale_part, &scaling));
    if (status == MFFT_SUCCESS && place == 0) status = mfft_mesh_stats(s->mesh, s->plan, stats);
    mfft_progress_start("writing", 0);
    if (status == MFFT_SUCCESS) status = mfft_output_put(file, place++, MFFT_DOUBLE, &s->plan->real, NULL, NULL);
  }
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_COMMIT);
  if (status == MFFT_SUCCESS)
    status = mfft_field_commit(&file);
  else
    mfft_field_abandon(&file);
  mfft_phase_enter(before);
  return status;
}

/* ---- The run --------------------------------------------------------------------------------------------------------- */

/* A field does not say the unit of its lengths, and what reads one for a cosmology takes Mpc/h. */
static void note_unit(const mfft_density_values *d, const mfft_catalogue *c) {
  if (c->to_mpc_h > 0 || d->catalogue.units == MFFT_LENGTHS_STORED) return;
  mfft_app_note(
      "'%s' does not state its units: the lengths of '%s' are as stored, and count as Mpc/h for `poisson --units "
      "cosmo` and `power --plot`; give --units mpc, kpc or stored",
      c->path, d->output);
}

static mfft_status make_fields(const mfft_density_values *d, unsigned wanted, const mfft_catalogue *catalogue,
                               mfft_mesh_plan *plan) {
  const mfft_mesh mesh = mfft_catalogue_mesh(catalogue, &d->n);
  const mfft_plan_options how = mfft_catalogue_plan_options(&d->plan);
  mfft_spread spread = {.catalogue = catalogue,
                        .mesh = &mesh,
                        .plan = plan,
                        .assignment = (mfft_assignment)(d->assign + 1),
                        .centered = d->centered,
                        .interlace = d->interlace ? 2 : 1,
                        .velocity = wanted >> MOMENTUM & 1,
                        .placement = {.fold = 1}};
  mfft_stats stats = {0};
  char types[128];
  mfft_phase_enter(MFFT_PHASE_PLAN);
  mfft_status status =
      d->dry_run ? mfft_mesh_plan_outline(&mesh, &how, plan) : mfft_mesh_plan_create(&mesh, &how, &d->sweep, plan);
  if (status == MFFT_SUCCESS) status = mfft_field_threads(MPI_COMM_WORLD, &plan->threads);
  mfft_phase_enter(MFFT_PHASE_OTHER);
  if (status == MFFT_SUCCESS && d->dry_run) {
    status = mfft_density_estimate(d, count_datasets(wanted), &spread);
    mfft_spread_end(&spread);
    return status;
  }
  if (status == MFFT_SUCCESS) status = mfft_spread_begin(&spread);
  if (status == MFFT_SUCCESS) status = write_fields(d, &spread, wanted, &stats);
  mfft_progress_end();
  mfft_catalogue_name_types(catalogue, types, sizeof types);
  if (status == MFFT_SUCCESS)
    mfft_app_print("%s: %" PRId64 " particles of %s on %" PRId64 "x%" PRId64 "x%" PRId64
                   " cells of a box of %g x %g x %g at redshift %.6g; %s from %.6g to %.6g, deviation %.6g\n",
                   d->output, catalogue->all, types, mesh.n[0], mesh.n[1], mesh.n[2], mesh.length[0], mesh.length[1],
                   mesh.length[2], catalogue->info.redshift,
                   wanted & 1u << DELTA  ? "delta"
                   : wanted & 1u << MASS ? "mass"
                                         : "momentum_x",
                   stats.min, stats.max, stats.deviation);
  if (status == MFFT_SUCCESS) note_unit(d, catalogue);
  mfft_spread_end(&spread);
  return status;
}

static mfft_status make(const void *values, const mfft_catalogue *catalogue) {
  const mfft_density_values *d = values;
  mfft_mesh_plan plan;
  memset(&plan, 0, sizeof plan);
  const mfft_status status = make_fields(d, read_fields(d->fields), catalogue, &plan);
  mfft_mesh_plan_destroy(&plan);
  return status;
}

static int run(void *values) {
  const mfft_density_values *d = values;
  if (!read_fields(d->fields)) return MFFT_EXIT_USAGE;
  const mfft_catalogue_job job = {.command = &mfft_command_density,
                                  .input = d->input,
                                  .output = d->output,
                                  .boxsize = &d->boxsize,
                                  .catalogue = &d->catalogue,
                                  .sweep = &d->sweep,
                                  .timing = &d->timing,
                                  .make = make,
                                  .values = d};
  return mfft_catalogue_job_run(&job);
}

const mfft_command mfft_command_density = {
    .name = "density",
    .summary = "assign the particles of a snapshot to a mesh",
    .operands = "SNAPSHOT",
    .min_operands = 1,
    .max_operands = 1,
    .operands_offset = AT(input),
    .description = description,
    .options = options,
    .values_bytes = sizeof(mfft_density_values),
    .run = run,
};
