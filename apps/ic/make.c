/* make.c: see make.h. */
#include "ic/make.h"

#include <inttypes.h>
#include <math.h>

#include "cli/phases.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "ic/linear.h"
#include "io/input.h"
#include "poisson/contrast.h"

/* Computes the modes of the linear density at the redshift, in lpt->plan->modes. */
static mfft_status make_density(const mfft_ic_values *c, const mfft_field_info *info, mfft_lpt *lpt) {
  mfft_mesh_plan *plan = lpt->plan;
  mfft_input_found found;
  mfft_spectrum spectrum = {0};
  mfft_status status;
  if (c->density) {
    status = mfft_input_read(c->density, info, MFFT_DOUBLE, 0, &plan->real, &found);
    if (status == MFFT_SUCCESS) /* of a linear density, whose values are small */
      status = mfft_contrast_plausible(c->density, found.mean, 0, mfft_mesh_cells(lpt->mesh),
                                       "give the contrast, which is density / mean - 1");
    if (status == MFFT_SUCCESS) status = mfft_mesh_transform(plan, MFFT_FORWARD);
  } else {
    status = mfft_spectrum_load(&c->linear, c->redshift, lpt->mesh, &spectrum);
    if (status == MFFT_SUCCESS) status = mfft_linear_modes(&spectrum, (uint64_t)c->seed, lpt->mesh, plan);
    mfft_spectrum_free(&spectrum);
  }
  return status;
}

/* Computes displacements and velocities of all orders, one component after another. */
static mfft_status displace(const mfft_ic_values *c, const mfft_background *background, mfft_lpt *lpt,
                            mfft_lattice *lattice) {
  const double a = 1 / (1 + c->redshift);
  const mfft_growth_factors d = mfft_background_growth(background, a);
  const double rate = 100 * mfft_background_hubble(background, a) *
                      sqrt(a); /* factor from displacement times growth rate to GADGET's velocity in km/s */
  const double scale[2] = {1, d.d2 / (d.d1 * d.d1)}, speed[2] = {rate * d.f1, rate * d.f2}; /* [order - 1] */
  mfft_status status = MFFT_SUCCESS;
  if (c->order == 1) status = mfft_lpt_second(lpt, &c->plan, &c->sweep);
  mfft_progress_start("displacements", 3 * (c->order + 1));
  for (int axis = 0; axis < 3; axis++)
    for (int order = 0; order <= c->order && status == MFFT_SUCCESS; order++) {
      mfft_progress_step(axis * (c->order + 1) + order);
      status = mfft_lpt_displacement(lpt, order + 1, axis);
      if (status == MFFT_SUCCESS) status = mfft_lattice_add(lattice, &lpt->plan->real, axis, scale[order], speed[order]);
    }
  return status;
}

static mfft_status write_fields(const mfft_ic_values *c, mfft_lpt *lpt, mfft_lattice *lattice) {
  const mfft_status status = mfft_lpt_displacement(lpt, 0, 0);
  if (status != MFFT_SUCCESS) return status;
  return mfft_lattice_write_fields(lattice, c->displacements, c->redshift, c->precision ? MFFT_SINGLE : MFFT_DOUBLE,
                                   &lpt->plan->real);
}

mfft_status mfft_ic_compute(const mfft_ic_values *c, const mfft_background *background, const mfft_field_info *info,
                            mfft_lpt *lpt, mfft_lattice *lattice) {
  mfft_status status = make_density(c, info, lpt);
  if (status == MFFT_SUCCESS) status = mfft_lattice_create(lpt->mesh, &lpt->plan->real.box, lattice);
  return status == MFFT_SUCCESS ? displace(c, background, lpt, lattice) : status;
}

mfft_status mfft_ic_make(const mfft_ic_values *c, const mfft_background *background, const mfft_field_info *info,
                         const mfft_mesh *mesh, mfft_mesh_plan *plan) {
  mfft_lpt lpt = {.mesh = mesh, .plan = plan};
  mfft_lattice lattice = {.mesh = mesh};
  mfft_phase_enter(MFFT_PHASE_MAKE);
  mfft_status status = mfft_ic_compute(c, background, info, &lpt, &lattice);
  mfft_phase_enter(MFFT_PHASE_WRITE);
  mfft_progress_start("writing", 0);
  if (status == MFFT_SUCCESS && c->displacements) status = write_fields(c, &lpt, &lattice);
  if (status == MFFT_SUCCESS) mfft_lattice_measure(&lattice);
  if (status == MFFT_SUCCESS && c->output)
    status =
        mfft_lattice_write_snapshot(&lattice, c->output, &c->linear.cosmology, c->redshift,
                                    c->precision ? MFFT_SNAPSHOT_FLOAT32 : MFFT_SNAPSHOT_FLOAT64, c->masses, (int)c->files);
  mfft_progress_end();
  if (status == MFFT_SUCCESS)
    mfft_app_print("%s: %" PRId64
                   "^3 particles in %g Mpc/h at z = %g, %s order; displaced by %.4g Mpc/h rms, %.3g cells at most\n",
                   c->output ? c->output : c->displacements, mesh->n[0], mesh->length[0], c->redshift,
                   c->order ? "second" : "first", lattice.rms, lattice.most * (double)mesh->n[0] / mesh->length[0]);
  mfft_lattice_free(&lattice);
  mfft_lpt_free(&lpt);
  return status;
}
