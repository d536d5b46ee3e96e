/* fields.c: the density contrast of a run on its mesh, and its power spectrum. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/precision.h"
#include "base/wave_number.h"
#include "cli/phases.h"
#include "cli/report.h"
#include "io/output.h"
#include "io/rows.h"
#include "io/save.h"
#include "mfft_field.h"
#include "mfft_memory.h"
#include "nbody/padded_rows.h"
#include "nbody/run.h"
#include "power/bins.h"

static mfft_precision precision_of(const mfft_nbody *r) { return r->v->precision ? MFFT_SINGLE : MFFT_DOUBLE; }

typedef struct scaling {
  mfft_precision precision;
  double factor;
} scaling;

static mfft_status scale_part(void *context, const mfft_box *part, void *data) {
  enum { ROW = 512 };
  const scaling *s = context;
  double row[ROW];
  for (int64_t at = 0, cells = mfft_box_cells(part); at < cells; at += ROW) {
    const int64_t count = cells - at < ROW ? cells - at : ROW;
    mfft_row_load(s->precision, data, at, count, row);
    for (int64_t i = 0; i < count; i++) row[i] *= s->factor;
    mfft_row_store(s->precision, data, at, count, row);
  }
  return MFFT_SUCCESS;
}

/* Makes the density contrast, without gaps between its rows. */
static mfft_status make_contrast(mfft_nbody *r, mfft_swept *real, int in_place) {
  const scaling s = {precision_of(r), mfft_mesh_cells(&r->mesh) / r->total_mass};
  const mfft_particles positions = mfft_bodies_positions(&r->bodies);
  mfft_particle_field mass;
  mfft_particle_field_init(&mass);
  mass.mesh = real->plan;
  mass.value = r->bodies.array[MFFT_BODY_MASS];
  mass.remove_mean = 1;
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_TRANSFORM); /* from which the seconds of deposits are taken */
  mfft_status status = mfft_particles_deposit(r->particle_mesh, &positions, &mass, 1);
  mfft_phase_enter(before);
  if (status != MFFT_SUCCESS) return status;
  if (in_place) status = mfft_nbody_close_rows(real);
  if (status != MFFT_SUCCESS) return mfft_app_agree(status);
  return mfft_app_agree(mfft_sweep(real, MFFT_SWEEP_READS | MFFT_SWEEP_WRITES, scale_part, (void *)(uintptr_t)&s));
}

static mfft_status write_density(const mfft_nbody *r, const char *stem, mfft_swept *real) {
  static const mfft_field_dataset dataset = {"delta", NULL};
  const mfft_field_attribute attributes[] = {
      {"WindowOrder", r->v->assign + 1},
      {"ShotNoise", mfft_mesh_volume(&r->mesh) * r->total_squares / (r->total_mass * r->total_mass)}};
  char path[MFFT_NBODY_NAME_BYTES + 32];
  mfft_field_desc desc;
  mfft_field_file file = NULL;
  mfft_field_desc_init(&desc);
  memcpy(desc.n, r->mesh.n, sizeof desc.n);
  memcpy(desc.box_size, r->mesh.length, sizeof desc.box_size);
  desc.precision = precision_of(r);
  desc.has_redshift = 1;
  desc.redshift = mfft_schedule_redshift(r->schedule.a[r->step]);
  desc.dataset = &dataset;
  desc.dataset_count = 1;
  desc.attribute = attributes;
  desc.attribute_count = sizeof attributes / sizeof *attributes;
  snprintf(path, sizeof path, "%s-density.h5", stem);
  mfft_status status = mfft_field_create(MPI_COMM_WORLD, path, &desc, &file);
  if (status == MFFT_SUCCESS) status = mfft_output_put(file, 0, desc.precision, real, NULL, NULL);
  if (status == MFFT_SUCCESS) {
    status = mfft_field_commit(&file);
    if (status == MFFT_SUCCESS) mfft_app_print("wrote %s\n", path);
    return status;
  }
  mfft_field_abandon(&file);
  return status;
}

/* ---- The power spectrum ----------------------------------------------------------------------------------------------- */

/* Makes linear bins centred on multiples of the fundamental wave number, up to the lowest Nyquist wave number. */
static mfft_status make_bins(const mfft_mesh *mesh, mfft_bins *bins) {
  const double longest = fmax(mesh->length[0], fmax(mesh->length[1], mesh->length[2])), dk = 2 * MFFT_PI / longest;
  return mfft_bins_create((int)fmax(1, floor(mfft_mesh_nyquist(mesh) / dk - 0.5 + 1e-9)), 0, dk / 2, dk, bins);
}

static mfft_status save_table(const mfft_nbody *r, const char *stem, const mfft_bins *bins) {
  enum { LINE = 128 };
  char path[MFFT_NBODY_NAME_BYTES + 32];
  const size_t size = (size_t)(bins->count + 4) * LINE;
  if (mfft_app_rank() != 0) return MFFT_SUCCESS;
  char *text = malloc(size);
  if (!text) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a table of %d bins", bins->count);
  const double shot = mfft_mesh_volume(&r->mesh) / (double)r->all;
  int length = snprintf(text, size,
                        "# mergefft nbody: redshift %.6g, %" PRId64 " particles, mesh %" PRId64
                        "\n"
                        "# window of the assignment deconvolved; shot noise V/N = %.10g not subtracted\n"
                        "# k                  P                   modes\n",
                        mfft_schedule_redshift(r->schedule.a[r->step]), r->all, r->mesh.n[0], shot);
  for (int b = 0; b < bins->count; b++)
    if (bins->modes[b])
      length += snprintf(text + length, size - (size_t)length, "%.12e %19.12e %" PRId64 "\n", bins->k[b], bins->power[b],
                         bins->modes[b]);
  snprintf(path, sizeof path, "%s-power.txt", stem);
  const mfft_status status = mfft_app_save(path, &mfft_table_kind, text, (size_t)length);
  if (status == MFFT_SUCCESS) mfft_app_print("wrote %s\n", path);
  free(text);
  return status;
}

/* Transforms the density.  A plan that the mesh replaces by transforms of its own has no workspace: it gets one here. */
static mfft_status transform(const mfft_nbody *r, const char *backend, mfft_mesh_plan *p) {
  size_t bytes = 0;
  void *workspace = NULL;
  mfft_status status = mfft_nbody_blocks(r->v, backend) ? mfft_plan_workspace_bytes(p->plan, &bytes) : MFFT_SUCCESS;
  if (status == MFFT_SUCCESS && bytes) status = mfft_plan_array(p->plan, bytes, "the transform of the density", &workspace);
  if (status == MFFT_SUCCESS && bytes) status = mfft_plan_set_workspace(p->plan, workspace, bytes);
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) status = mfft_execute(p->plan, MFFT_FORWARD, p->real.plan, p->modes.plan);
  if (workspace) mfft_memory_free(backend, workspace);
  return status;
}

static mfft_status measure_power(mfft_nbody *r, const char *stem, const char *backend, mfft_mesh_plan *p) {
  const double cells = mfft_mesh_cells(&r->mesh);
  mfft_bins bins = {0};
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_TRANSFORM);
  mfft_status status = transform(r, backend, p);
  mfft_phase_enter(MFFT_PHASE_SHELLS);
  if (status == MFFT_SUCCESS) status = mfft_app_agree(make_bins(&r->mesh, &bins));
  if (status == MFFT_SUCCESS)
    status = mfft_app_agree(mfft_bins_add(&r->mesh, p, MFFT_COMPENSATE_SINC, r->v->assign + 1, &bins));
  if (status == MFFT_SUCCESS) {
    mfft_bins_finish(&bins, mfft_mesh_volume(&r->mesh) / (cells * cells), NULL);
    status = mfft_app_agree(save_table(r, stem, &bins));
  }
  mfft_phase_enter(before);
  mfft_bins_destroy(&bins);
  return status;
}

/* ---- Both ------------------------------------------------------------------------------------------------------------- */

/* The arrays of a transform in place are one: *array. */
static mfft_status make_array_in_place(const mfft_nbody *r, mfft_mesh_plan *p, void **array) {
  const double part = r->v->sweep.part_mib;
  size_t bytes[2]; /* [side] */
  mfft_status status = MFFT_SUCCESS;
  for (int side = MFFT_IN; side <= MFFT_OUT && status == MFFT_SUCCESS; side++)
    status = mfft_plan_bytes(p->plan, (mfft_side)side, &bytes[side]);
  if (status != MFFT_SUCCESS) return status;
  const size_t more = bytes[MFFT_IN] > bytes[MFFT_OUT] ? bytes[MFFT_IN] : bytes[MFFT_OUT];
  status = mfft_plan_array(p->plan, more, "the density", array);
  if (status == MFFT_SUCCESS) status = mfft_swept_share(p->plan, MFFT_IN, *array, part, 0, "the density", &p->real);
  if (status != MFFT_SUCCESS || !r->v->power) return status;
  return mfft_swept_share(p->plan, MFFT_OUT, *array, part, 0, "the transform of the density", &p->modes);
}

static mfft_status make_arrays(const mfft_nbody *r, mfft_mesh_plan *p) {
  const mfft_status status = mfft_swept_create(p->plan, MFFT_IN, r->v->sweep.part_mib, 0, "the density", &p->real);
  if (status != MFFT_SUCCESS || !r->v->power) return status;
  return mfft_swept_create(p->plan, MFFT_OUT, r->v->sweep.part_mib, 0, "the transform of the density", &p->modes);
}

mfft_status mfft_nbody_write_fields(mfft_nbody *r, const char *stem) {
  mfft_mesh_plan p = {.plan = r->plan, .threads = (int)r->v->plan.threads};
  const char *backend;
  void *array = NULL;
  if (!r->v->density && !r->v->power) return MFFT_SUCCESS;
  mfft_status status = mfft_plan_backend(p.plan, &backend);
  const int in_place = status == MFFT_SUCCESS && mfft_nbody_in_place(r->v, backend);
  if (status == MFFT_SUCCESS) status = in_place ? make_array_in_place(r, &p, &array) : make_arrays(r, &p);
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) status = make_contrast(r, &p.real, in_place);
  if (status == MFFT_SUCCESS && r->v->density) status = write_density(r, stem, &p.real);
  if (status == MFFT_SUCCESS && in_place && r->v->power) status = mfft_app_agree(mfft_nbody_pad_rows(&p.real));
  if (status == MFFT_SUCCESS && r->v->power) status = measure_power(r, stem, backend, &p);
  mfft_swept_destroy(&p.real);
  mfft_swept_destroy(&p.modes);
  if (array) mfft_memory_free(backend, array);
  return status;
}
