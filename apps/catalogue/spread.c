/* spread.c: see spread.h. */
#include "catalogue/spread.h"

#include <math.h>
#include <string.h>

#include "base/wave_number.h"
#include "cli/phases.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "mesh/exact_sum.h"
#include "mfft_memory.h"

enum { PAIR = 2 }; /* a complex number is two doubles */

/* ---- Creation -------------------------------------------------------------------------------------------------------- */

static mfft_status make_mesh(const mfft_spread *s, int centered, mfft_particle_mesh *mesh) {
  mfft_particle_mesh_desc desc;
  mfft_particle_mesh_desc_init(&desc);
  memcpy(desc.length, s->catalogue->length, sizeof desc.length);
  desc.assignment = s->assignment;
  desc.centered = centered;
  desc.threads = s->plan->threads;
  return mfft_particle_mesh_create(s->plan->plan, &desc, mesh);
}

/* Loads the particles, shifted by so many cells. */
static mfft_status load(mfft_spread *s, double shift) {
  if (s->loaded == shift) return MFFT_SUCCESS;
  mfft_owned_free(&s->owned);
  s->loaded = NAN;
  s->placement.shift = shift;
  const mfft_status status = mfft_owned_load(s->catalogue, s->mesh, s->plan->plan, s->particles[s->centered], &s->placement,
                                             s->velocity, &s->owned);
  if (status == MFFT_SUCCESS) s->loaded = shift;
  return status;
}

static mfft_status make_meshes(mfft_spread *s) {
  s->loaded = NAN;
  const mfft_status status = make_mesh(s, s->centered, &s->particles[s->centered]);
  if (status != MFFT_SUCCESS || s->interlace != 2) return status;
  return make_mesh(s, !s->centered, &s->particles[!s->centered]);
}

mfft_status mfft_spread_begin(mfft_spread *s) {
  mfft_status status = make_meshes(s);
  mfft_progress_start("reading particles", 0);
  if (status == MFFT_SUCCESS) status = load(s, 0);
  if (status != MFFT_SUCCESS) return status;
  s->weight = s->squares = (double)s->catalogue->all;
  if (!mfft_catalogue_equal_masses(s->catalogue)) {
    s->weight = mfft_exact_total(s->owned.mass, s->owned.particles.count, 0);
    s->squares = mfft_exact_total(s->owned.mass, s->owned.particles.count, 1);
  }
  if (s->weight > 0 && isfinite(s->weight) && !isfinite(s->squares))
    return mfft_app_fail(MFFT_ERR_ARG, "the squares of the masses in '%s' are beyond double precision; choose another unit",
                         s->catalogue->path);
  return mfft_catalogue_check_total(s->catalogue, s->weight);
}

void mfft_spread_end(mfft_spread *s) {
  mfft_owned_free(&s->owned);
  for (int i = 0; i < 2; i++) mfft_particle_mesh_destroy(s->particles[i]);
  memset(s, 0, sizeof *s);
}

mfft_status mfft_spread_estimate(mfft_spread *s, mfft_spread_need *need) {
  const double ranks = mfft_app_ranks(), moves = ranks > 1;
  const mfft_owned_bytes owned = mfft_owned_estimate(s->catalogue, s->velocity, s->placement.rsd != 0);
  const double count = (double)s->catalogue->count, held = owned.held + (s->velocity ? count * sizeof(double) : 0);
  mfft_particles particles;
  mfft_box modes;
  mfft_particles_init(&particles);
  particles.count = s->catalogue->count;
  particles.type = s->catalogue->number == MFFT_SNAPSHOT_FLOAT32 ? MFFT_POSITION_SINGLE : MFFT_POSITION_DOUBLE;
  /* While particles move there are all columns of the share, and one at the owners; each particle has the number of one. */
  *need = (mfft_spread_need){.particles = moves * count * sizeof(int32_t) + fmax(held, owned.share + moves * owned.largest)};
  mfft_status status = make_meshes(s);
  for (int i = 0; i < 2 && status == MFFT_SUCCESS; i++) {
    mfft_particle_mesh_need mesh = {0};
    const double leaving = i == s->centered ? owned.largest * (1 - 1 / ranks) : 0;
    if (!s->particles[i]) continue;
    status = mfft_particle_mesh_estimate(s->particles[i], &particles, 1, 0, (size_t)leaving, &mesh);
    need->particles += (double)mesh.sorting;
    need->ghosts += (double)mesh.ghosts;
    need->meshes += (double)mesh.meshes;
  }
  if (status == MFFT_SUCCESS) status = mfft_plan_box(s->plan->plan, MFFT_OUT, &modes);
  if (status == MFFT_SUCCESS && s->interlace > 1) need->meshes += PAIR * sizeof(double) * (double)mfft_box_cells(&modes);
  return status;
}

/* ---- Depositing ------------------------------------------------------------------------------------------------------ */

/* Computes the weights of the owned particles.  *made: memory for the caller to free; *value NULL: all weights are 1. */
static mfft_status make_weights(const mfft_spread *s, mfft_spread_weight weight, double **value, void **made) {
  *made = NULL;
  *value = s->owned.mass;
  if (weight == MFFT_SPREAD_MASS) return MFFT_SUCCESS;
  const int64_t count = s->owned.particles.count;
  const int axis = (int)weight - MFFT_SPREAD_MOMENTUM_X;
  const mfft_status status = mfft_app_alloc(count, sizeof(double), "momenta", made);
  *value = *made;
  for (int64_t i = 0; status == MFFT_SUCCESS && i < count; i++)
    (*value)[i] = (s->owned.mass ? s->owned.mass[i] : 1) * s->owned.velocity[3 * i + axis];
  return status;
}

static mfft_status deposit(mfft_spread *s, int centered, mfft_spread_weight weight, int remove_mean) {
  mfft_particle_field field;
  mfft_placed weights = {0};
  double *value = NULL;
  void *made;
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_DEPOSIT);
  mfft_progress_start("depositing particles", 0);
  mfft_status status = make_weights(s, weight, &value, &made);
  if (status == MFFT_SUCCESS)
    status =
        mfft_placed_create(s->owned.placed.device, value, s->owned.particles.count, sizeof *value, "the weights", &weights);
  if (status == MFFT_SUCCESS) status = mfft_placed_put(&weights, (size_t)s->owned.particles.count * sizeof *value);
  status = mfft_app_agree(status);
  mfft_particle_field_init(&field);
  field.mesh = s->plan->real.plan;
  field.value = weights.data;
  field.remove_mean = remove_mean;
  if (status == MFFT_SUCCESS) status = mfft_particles_deposit(s->particles[centered], &s->owned.particles, &field, 1);
  mfft_placed_free(&weights);
  mfft_free(made);
  mfft_phase_enter(before);
  return status;
}

/* ---- Interlacing ----------------------------------------------------------------------------------------------------- */

typedef struct phases {
  const mfft_box *box; /* modes of this rank */
  double *table[3];    /* [axis][modes of the axis][PAIR] */
  double *total;       /* [cells of box][PAIR] average */
  double share;        /* weight of one mesh in the average */
  int first, last;
  int real; /* 1: the average is transformed back to a real field */
} phases;

/* Makes the table exp(-2 pi i m offset/n) of the modes of an axis.  The Nyquist mode of an even n is both n/2 and -n/2: a
 * real field needs the mean of both phases; a spectrum takes -n/2, as other codes do. */
static mfft_status make_table(int64_t n, int64_t modes, double offset, int real, double **table) {
  const mfft_status status = mfft_app_alloc(modes, PAIR * sizeof(double), "phases", (void **)table);
  for (int64_t i = 0; status == MFFT_SUCCESS && i < modes; i++) {
    const double angle = -2 * MFFT_PI * (double)(2 * i >= n ? i - n : i) * offset / (double)n;
    (*table)[PAIR * i] = cos(angle);
    (*table)[PAIR * i + 1] = real && 2 * i == n ? 0 : sin(angle);
  }
  return status;
}

static void multiply(const double a[PAIR], const double b[PAIR], double product[PAIR]) {
  const double re = a[0] * b[0] - a[1] * b[1], im = a[0] * b[1] + a[1] * b[0];
  product[0] = re;
  product[1] = im;
}

static mfft_status add_part(void *context, const mfft_box *part, void *data) {
  const phases *p = context;
  const mfft_box *box = p->box;
  double *mode = data;
  for (int64_t x = part->lo[0]; x < part->hi[0]; x++)
    for (int64_t y = part->lo[1]; y < part->hi[1]; y++) {
      const int64_t row = (x - box->lo[0]) * mfft_box_side(box, 1) + y - box->lo[1];
      double *total = p->total + PAIR * (row * mfft_box_side(box, 2) + part->lo[2] - box->lo[2]), across[PAIR];
      multiply(p->table[0] + PAIR * x, p->table[1] + PAIR * y, across);
      for (int i = 0; i < PAIR; i++) across[i] *= p->share;
      for (int64_t z = part->lo[2]; z < part->hi[2]; z++, mode += PAIR, total += PAIR) {
        double phase[PAIR], here[PAIR];
        multiply(across, p->table[2] + PAIR * z, phase);
        multiply(phase, mode, here);
        for (int i = 0; i < PAIR; i++) total[i] = p->first ? here[i] : total[i] + here[i];
        for (int i = 0; i < PAIR && p->last; i++) mode[i] = total[i];
      }
    }
  return MFFT_SUCCESS;
}

/* Adds the modes of one mesh, whose points are shifted by `offset` cells from those of the first, to the average. */
static mfft_status add_mesh(mfft_spread *s, double offset, phases *p) {
  mfft_status status = MFFT_SUCCESS;
  for (int axis = 0; axis < 3 && status == MFFT_SUCCESS; axis++) {
    const int64_t n = s->mesh->n[axis];
    status = make_table(n, axis == 2 ? n / 2 + 1 : n, offset, p->real, &p->table[axis]);
  }
  if (status == MFFT_SUCCESS)
    status = mfft_sweep(&s->plan->modes, MFFT_SWEEP_READS | (p->last ? MFFT_SWEEP_WRITES : 0), add_part, p);
  for (int axis = 0; axis < 3; axis++) {
    mfft_free(p->table[axis]);
    p->table[axis] = NULL;
  }
  return mfft_app_agree(status);
}

/* Averages the spectra of m meshes: two have points at i*h and at (i + 1/2)*h; for three the particles are shifted. */
static mfft_status interlace(mfft_spread *s, mfft_spread_weight weight, int remove_mean, phases *p) {
  for (int i = 0; i < s->interlace; i++) {
    const int halves = s->interlace == 2, centered = halves && i ? !s->centered : s->centered;
    const double shift = halves ? 0 : (double)i / s->interlace;
    mfft_status status = load(s, shift);
    if (status == MFFT_SUCCESS) status = deposit(s, centered, weight, remove_mean);
    if (status == MFFT_SUCCESS) status = mfft_mesh_transform(s->plan, MFFT_FORWARD);
    p->first = i == 0;
    p->last = i == s->interlace - 1;
    if (status == MFFT_SUCCESS) status = add_mesh(s, halves ? 0.5 * (centered - s->centered) : -shift, p);
    if (status != MFFT_SUCCESS) return status;
  }
  return MFFT_SUCCESS;
}

static mfft_status make_modes(mfft_spread *s, mfft_spread_weight weight, int remove_mean, int real) {
  phases p = {.box = &s->plan->modes.box, .share = 1.0 / s->interlace, .real = real};
  void *total = NULL;
  mfft_status status;
  if (s->interlace <= 1) {
    status = deposit(s, s->centered, weight, remove_mean);
    return status == MFFT_SUCCESS ? mfft_mesh_transform(s->plan, MFFT_FORWARD) : status;
  }
  status = mfft_app_agree(mfft_app_alloc(mfft_box_cells(p.box), PAIR * sizeof(double), "interlaced modes", &total));
  p.total = total;
  if (status == MFFT_SUCCESS) status = interlace(s, weight, remove_mean, &p);
  mfft_free(total);
  return status;
}

mfft_status mfft_spread_modes(mfft_spread *s, mfft_spread_weight weight) { return make_modes(s, weight, 1, 0); }

mfft_status mfft_spread_real(mfft_spread *s, mfft_spread_weight weight, int remove_mean) {
  if (s->interlace <= 1) return deposit(s, s->centered, weight, remove_mean);
  const mfft_status status = make_modes(s, weight, remove_mean, 1);
  return status == MFFT_SUCCESS ? mfft_mesh_transform(s->plan, MFFT_BACKWARD) : status;
}
