/* force.c: deposit, transform, Green's function and gather in one call.
 *
 * Arrays serve one purpose after another.  With the gradient on the mesh one array of the plan in place is density, spectrum
 * and potential, whose differences are taken as particles are read.  Otherwise the spectrum stays in it, and copies of it
 * become the results in a second one (mfft_pm_layout).  Out of place the sums of the deposit and the spectrum use one array,
 * density, potential and components another; if backward transforms overwrite the spectrum, each transforms a copy. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/versioned.h"
#include "comm/compare.h"
#include "particles/gather.h"
#include "plan/convolve.h"

static const mfft_versioned versions = {
    .name = "force", .init = "mfft_force_desc_init", .size = sizeof(mfft_force_desc), .first = sizeof(mfft_force_desc)};

void mfft_force_desc_init_sized(mfft_force_desc *desc, size_t struct_size) {
  const mfft_force_desc defaults = {.coefficient = 1, .stride = 1};
  mfft_versioned_init(desc, struct_size, &defaults, sizeof defaults);
}

/* The requested results as bits: 0 to 2 components of the force, 3 the potential. */
static int64_t results_of(const mfft_force_desc *f) {
  int64_t bits = f->potential ? 8 : 0;
  for (int a = 0; a < 3; a++) bits |= (int64_t)(f->force[a] != NULL) << a;
  return bits;
}

/* Whether a component of the force, or the potential (axis -1), is requested. */
static int wants(const mfft_force_desc *f, int axis) { return (int)(results_of(f) >> (axis < 0 ? 3 : axis) & 1); }

/* Green's function of a mesh, whose tables take as long as several launches: that of the last force if it is the same. */
static mfft_status find_green(mfft_particle_mesh mesh, const mfft_force_desc *f) {
  mfft_green_desc d;
  mfft_green_desc_init(&d);
  memcpy(d.n, mesh->grid.n, sizeof d.n);
  memcpy(d.length, mesh->length, sizeof d.length);
  d.laplacian = f->laplacian;
  d.gradient = f->gradient;
  d.assignment = (mfft_assignment)mesh->grid.order;
  d.deconvolve = f->deconvolve;
  d.split = f->split;
  const mfft_green_desc *last = &mesh->green_of; /* of the same mesh */
  if (mesh->green && last->laplacian == d.laplacian && last->gradient == d.gradient && last->deconvolve == d.deconvolve &&
      !(last->split < d.split || last->split > d.split))
    return MFFT_SUCCESS;
  mfft_green_destroy(mesh->green);
  mesh->green = NULL;
  mesh->green_of = d;
  return mfft_green_create(&d, &mesh->green);
}

static mfft_status check_force(mfft_particle_mesh mesh, const mfft_force_desc *given, mfft_force_desc *f) {
  MFFT_TRY(mfft_versioned_take(&versions, given, f));
  if (!isfinite(f->coefficient))
    return mfft_fail(MFFT_ERR_ARG, "force.coefficient is %g; give a finite number, such as 4 pi G", f->coefficient);
  if (!mfft_desc_filters(&mesh->plan->desc, MFFT_BACKWARD))
    return mfft_fail(MFFT_ERR_STATE,
                     "the plan was made without a filter for MFFT_BACKWARD; set desc.filtered = 1 << MFFT_BACKWARD");
  return MFFT_SUCCESS;
}

static mfft_status agree_force(mfft_particle_mesh mesh, mfft_status mine, const mfft_force_desc *f) {
  if (mesh->comm == MPI_COMM_NULL) return mine;
  const mfft_agree_item items[] = {
      mfft_agree_integer("force.laplacian", f->laplacian),
      mfft_agree_integer("force.gradient", f->gradient),
      mfft_agree_integer("force.deconvolve", f->deconvolve),
      mfft_agree_real("force.split", f->split),
      mfft_agree_real("force.coefficient", f->coefficient),
      mfft_agree_integer("the set of results (bit a: force.force[a], bit 3: force.potential)", results_of(f))};
  return mfft_agree_and_compare(mesh->comm, mine, items, sizeof items / sizeof items[0]);
}

/* The arrays of a solve; some are the same. */
typedef struct solve {
  void *density, *spectrum; /* of the forward transform */
  void *work;               /* input of backward transforms: the spectrum, or a copy that they may overwrite */
  void *result;             /* their output: the potential or a component of the force */
  void *block_memory;       /* in place, of a transform by blocks */
  size_t spectrum_bytes;
  double factor; /* scale of Green's function: c / (volume of a cell) / (factor of forward and backward transform) */
} solve;

/* Chooses the arrays in place: offsets of one work array. */
static mfft_status arrays_in_place(mfft_particle_mesh mesh, int on_mesh, solve *s) {
  const mfft_pm_layout layout = mesh->layout;
  char *first = mesh->work[MFFT_PM_WORK_CELLS];
  s->density = s->spectrum = first;
  s->work = s->result = on_mesh ? first : first + layout.second;
  s->block_memory = first + layout.workspace;
  return on_mesh && mesh->blocks ? MFFT_SUCCESS : mfft_pm_give_workspace(mesh, layout.workspace);
}

/* Chooses the arrays out of place: arrays of their own. */
static void arrays_out_of_place(mfft_particle_mesh mesh, solve *s) {
  s->density = s->result = mesh->work[MFFT_PM_WORK_REAL];
  s->spectrum = mesh->work[MFFT_PM_WORK_CELLS];
  s->work = mesh->plan->desc.allow_destroy_input ? mesh->work[MFFT_PM_WORK_SPECTRUM] : s->spectrum;
}

static mfft_status prepare(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_force_desc *f, solve *s) {
  const mfft_desc *d = &mesh->plan->desc;
  const int on_mesh = f->gradient == MFFT_GREEN_GRADIENT_MESH;
  size_t need[MFFT_PM_WORK_ARRAYS] = {0};
  s->spectrum_bytes = mesh->plan->bytes[MFFT_OUT];
  mesh->layout = mfft_pm_layout_of_force(mesh, particles, on_mesh);
  if (mesh->layout.shares_sort) mfft_pm_share_sort(mesh);
  mfft_pm_work_of_force(mesh, &mesh->layout, need);
  if (on_mesh) {
    mfft_pm_work_of_difference(mesh, need);
    MFFT_TRY(mfft_pm_difference_create(mesh));
    if (!mesh->blocks) MFFT_TRY(mfft_plan_convolve_make(mesh->plan, MFFT_CONVOLVED_BY_FILTER));
  }
  for (int array = 0; array < MFFT_PM_WORK_ARRAYS; array++)
    if (need[array]) MFFT_TRY(mfft_pm_reserve(mesh, (mfft_pm_work)array, need[array]));
  s->factor = f->coefficient;
  for (int a = 0; a < 3; a++) s->factor *= mesh->grid.cells[a] / (double)d->n[a]; /* divides by the volume of the box */
  for (int direction = 0; direction < 2; direction++) s->factor /= mfft_desc_scale(d, (mfft_direction)direction);
  if (d->placement == MFFT_IN_PLACE) return arrays_in_place(mesh, on_mesh, s);
  arrays_out_of_place(mesh, s);
  return MFFT_SUCCESS;
}

static mfft_status make_density(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_force_desc *f,
                                solve *s) {
  mfft_particle_field mass;
  mfft_particle_field_init(&mass);
  mass.mesh = s->density;
  mass.value = (void *)(uintptr_t)f->mass;
  mass.precision = f->mass_precision;
  mass.remove_mean = 1;
  mesh->bins.wanted = 1;
  const mfft_status status = mfft_particles_deposit(mesh, particles, &mass, 1);
  mesh->bins.wanted = 0;
  return status;
}

/* Sets the filter of the potential (axis -1) or a component of the force. */
static mfft_status set_filter(mfft_particle_mesh mesh, mfft_green green, const solve *s, int axis) {
  mfft_filter filter;
  mfft_status status = mfft_green_filter(green, axis, s->factor, &filter);
  if (status == MFFT_SUCCESS) status = mfft_plan_set_filter(mesh->plan, MFFT_BACKWARD, &filter);
  return mfft_pm_agree(mesh, status);
}

/* The potential (axis -1) or a component of the force on the mesh, in s->result. */
static mfft_status transform_back(mfft_particle_mesh mesh, mfft_green green, const solve *s, int axis) {
  MFFT_TRY(set_filter(mesh, green, s, axis));
  if (s->work != s->spectrum) MFFT_TRY(mfft_pm_copy(mesh, s->work, s->spectrum, s->spectrum_bytes));
  return mfft_execute(mesh->plan, MFFT_BACKWARD, s->work, s->result);
}

/* The values of a result at the particles; axis -1: the potential. */
static mfft_particle_field result_of(const mfft_force_desc *f, void *array, int axis) {
  mfft_particle_field result;
  mfft_particle_field_init(&result);
  result.mesh = array;
  result.value = axis < 0 ? f->potential : f->force[axis];
  result.precision = f->precision;
  result.stride = f->stride;
  result.add = f->add;
  return result;
}

/* The requested results: each by a transform of its own. */
static mfft_status results_by_transforms(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_force_desc *f,
                                         mfft_green green, const solve *s) {
  MFFT_TRY(mfft_execute(mesh->plan, MFFT_FORWARD, s->density, s->spectrum));
  for (int axis = -1; axis < 3; axis++) {
    if (!wants(f, axis)) continue;
    MFFT_TRY(transform_back(mesh, green, s, axis));
    const mfft_particle_field result = result_of(f, s->result, axis);
    MFFT_TRY(mfft_particles_gather(mesh, particles, &result, 1));
  }
  return MFFT_SUCCESS;
}

/* The potential on the mesh, in s->result, of the density. */
static mfft_status make_potential(mfft_particle_mesh mesh, mfft_green green, const solve *s) {
  const mfft_desc *d = &mesh->plan->desc;
  double scale = 1; /* of the plan's transforms */
  for (int direction = 0; direction < 2; direction++) scale *= mfft_desc_scale(d, (mfft_direction)direction);
  if (mesh->blocks) return mfft_pm_blocks_solve(mesh->blocks, green, s->factor * scale, s->density, s->block_memory);
  MFFT_TRY(set_filter(mesh, green, s, -1));
  static const mfft_factors factors = {.by = MFFT_CONVOLVED_BY_FILTER};
  return mfft_plan_convolve(mesh->plan, &factors, s->density, s->spectrum, s->result);
}

/* The same by one transform, of the potential, and its differences on the mesh. */
static mfft_status results_by_differences(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_force_desc *f,
                                          mfft_green green, const solve *s) {
  mfft_particle_field result[4]; /* [result] */
  int axes[4], fields = 0;       /* [result] axis of a component; -1: the potential */
  MFFT_TRY(make_potential(mesh, green, s));
  for (int axis = -1; axis < 3; axis++) {
    if (!wants(f, axis)) continue;
    result[fields] = result_of(f, s->result, axis);
    axes[fields++] = axis;
  }
  const mfft_pm_slopes slopes = mfft_pm_slopes_make(mesh, s->result, axes, fields);
  return fields ? mfft_pm_gather(mesh, particles, result, fields, &slopes) : mfft_plan_synchronize(mesh->plan);
}

static mfft_status make_results(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_force_desc *f,
                                mfft_green green) {
  solve s = {0};
  mfft_device_guard guard;
  int entered;
  mfft_status prepared = mfft_pm_enter_alone(mesh, &guard, &entered);
  if (prepared == MFFT_SUCCESS) prepared = prepare(mesh, particles, f, &s);
  if (entered) mfft_pm_leave(mesh, &guard);
  MFFT_TRY(mfft_pm_agree(mesh, prepared));
  MFFT_TRY(make_density(mesh, particles, f, &s));
  /* All gathers use the sort of the deposit, unless transforms need its memory. */
  mesh->bins.valid = mesh->bins.count == particles->count && (mesh->layout.bands || !mesh->layout.shares_sort);
  const mfft_status status = f->gradient == MFFT_GREEN_GRADIENT_MESH ? results_by_differences(mesh, particles, f, green, &s)
                                                                     : results_by_transforms(mesh, particles, f, green, &s);
  mesh->bins.valid = 0;
  return status;
}

mfft_status mfft_particles_force(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_force_desc *force) {
  mfft_force_desc f = {.struct_size = sizeof f};
  mfft_particles taken;
  MFFT_TRY(mfft_pm_check(mesh));
  mfft_status status = check_force(mesh, force, &f);
  if (status == MFFT_SUCCESS && !particles) status = mfft_fail(MFFT_ERR_ARG, "particles is NULL; give an mfft_particles");
  if (status == MFFT_SUCCESS) status = mfft_pm_take_particles(particles, &taken);
  if (status == MFFT_SUCCESS) status = find_green(mesh, &f);
  MFFT_TRY(agree_force(mesh, status, &f));
  return make_results(mesh, &taken, &f, mesh->green);
}
