/* delta.c: see delta.h. */
#include "ic/delta.h"

#include <inttypes.h>
#include <math.h>

#include "cli/report.h"
#include "io/input.h"

static mfft_status find_mesh(const mfft_ic_values *c, mfft_field_info *info, mfft_mesh *mesh) {
  for (int axis = 0; axis < 3; axis++) {
    mesh->n[axis] = c->n.count ? c->n.v[0] : 128;
    mesh->length[axis] = c->boxsize.count ? c->boxsize.v[0] : 1000;
  }
  if (!c->density) return MFFT_SUCCESS;
  const mfft_status status = mfft_input_open(c->density, c->dataset, &c->boxsize, info, mesh);
  if (status != MFFT_SUCCESS) return status;
  for (int axis = 1; axis < 3; axis++)
    if (mesh->n[axis] != mesh->n[0] || mesh->length[axis] != mesh->length[0])
      return mfft_app_fail(MFFT_ERR_UNSUPPORTED,
                           "'%s' is a field of %" PRId64 "x%" PRId64 "x%" PRId64
                           " cells in a box of %g x %g x %g; give a cube, since the lattice of particles is one",
                           c->density, mesh->n[0], mesh->n[1], mesh->n[2], mesh->length[0], mesh->length[1],
                           mesh->length[2]);
  return MFFT_SUCCESS;
}

/* Chooses the redshift: that of --redshift, or of the file of the density, or 49.  One that contradicts the file is refused,
 * since the amplitude of the density would be wrong by the growth between the two. */
static mfft_status choose_redshift(mfft_ic_values *c, const mfft_field_info *info) {
  static const double usual = 49, rounding = 1e-6;
  const int stated = c->density && info->has_redshift;
  if (c->density && !stated && isnan(c->redshift))
    mfft_app_note("'%s' does not state its redshift; %g is taken, or give --redshift", c->density, usual);
  if (isnan(c->redshift)) c->redshift = stated ? info->redshift : usual;
  if (c->redshift < 0)
    return mfft_app_fail(MFFT_ERR_ARG, "'%s' is a density at redshift %g; give one of redshift 0 or more", c->density,
                         c->redshift);
  if (!stated || fabs(c->redshift - info->redshift) <= rounding * (1 + c->redshift)) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_ARG,
                       "--redshift is %g, and '%s' is a density at redshift %g, as its attribute Redshift says; omit the "
                       "option, or give a density at that redshift",
                       c->redshift, c->density, info->redshift);
}

/* A parameter that a file may state by an attribute, and an option may give. */
typedef struct parameter {
  const char *option, *attribute;
  double stated; /* 0: not stated */
  double *value; /* of the option, or its default */
} parameter;

/* Takes what the file states, unless the option is given. */
static mfft_status choose_parameter(const mfft_command *me, const char *path, const parameter *p) {
  static const double most = 10, rounding = 1e-6;
  if (p->stated == 0) return MFFT_SUCCESS;
  if (!mfft_cli_given(me, p->option)) {
    *p->value = p->stated;
    return fabs(p->stated) <= most ? MFFT_SUCCESS
                                   : mfft_app_fail(MFFT_ERR_ARG, "%s of '%s' is %g; give the right one by --%s",
                                                   p->attribute, path, p->stated, p->option);
  }
  if (!(fabs(*p->value - p->stated) <= rounding * fabs(p->stated)))
    mfft_app_note("--%s is %.6g, and %s of '%s' is %.6g: the option counts", p->option, *p->value, p->attribute, path,
                  p->stated);
  return MFFT_SUCCESS;
}

/* Chooses matter, cosmological constant and Hubble constant, which growth, velocities and masses follow: a universe whose
 * matter is that of the option is flat unless the constant is given too, as without a file. */
static mfft_status choose_cosmology(const mfft_command *me, mfft_ic_values *c, const mfft_field_info *info) {
  mfft_cosmology *cosmology = &c->linear.cosmology;
  const int matter = mfft_cli_given(me, "omega-m"), constant = mfft_cli_given(me, "omega-lambda");
  const parameter omega_m = {"omega-m", "Omega_m", info->omega_m, &cosmology->omega_m},
                  omega_lambda = {"omega-lambda", "Omega_Lambda", info->omega_lambda, &cosmology->omega_lambda},
                  h = {"h", "HubbleParam", info->h, &cosmology->h};
  if (info->omega_m == 0 && !matter)
    mfft_app_note("'%s' does not state its cosmology; Omega_m %g and h %g are taken, or give --omega-m and --h", c->density,
                  cosmology->omega_m, info->h != 0 ? info->h : cosmology->h);
  if (info->omega_m < 0)
    return mfft_app_fail(MFFT_ERR_ARG, "Omega_m of '%s' is %g; give the right one by --omega-m", c->density, info->omega_m);
  mfft_status status = choose_parameter(me, c->density, &omega_m);
  if (!constant) cosmology->omega_lambda = 1 - cosmology->omega_m;
  if (status == MFFT_SUCCESS && (constant || !matter)) status = choose_parameter(me, c->density, &omega_lambda);
  return status == MFFT_SUCCESS ? choose_parameter(me, c->density, &h) : status;
}

mfft_status mfft_ic_open(const mfft_command *me, mfft_ic_values *c, mfft_field_info *info, mfft_mesh *mesh) {
  mfft_status status = find_mesh(c, info, mesh);
  if (status == MFFT_SUCCESS) status = choose_redshift(c, info);
  if (status == MFFT_SUCCESS && c->density) status = choose_cosmology(me, c, info);
  return status;
}
