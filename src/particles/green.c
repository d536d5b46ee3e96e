/* green.c: Green's function of a periodic Poisson solve, as tables of one axis each. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/versioned.h"
#include "base/wave_number.h"
#include "mfft_particles.h"

struct mfft_green_s {
  double *laplacian[3]; /* [axis][n] S of the header; tables span all indices of an axis, more than a halved one has */
  double *filter[3];    /* [axis][n] F */
  double *force[3];     /* [axis][n] F g */
};

/* ---- The calls ------------------------------------------------------------------------------------------------------- */

static const mfft_versioned versions = {
    .name = "desc", .init = "mfft_green_desc_init", .size = sizeof(mfft_green_desc), .first = sizeof(mfft_green_desc)};

void mfft_green_desc_init_sized(mfft_green_desc *desc, size_t struct_size) {
  const mfft_green_desc defaults = {.n = {1, 1, 1}, .length = {1, 1, 1}, .assignment = MFFT_TSC};
  mfft_versioned_init(desc, struct_size, &defaults, sizeof defaults);
}

static mfft_status check_desc(const mfft_green_desc *d) {
  for (int a = 0; a < 3; a++) {
    if (d->n[a] < 1 || d->n[a] > 1 << 30)
      return mfft_fail(MFFT_ERR_ARG, "desc.n[%d] is %" PRId64 "; use 1 to 2^30 cells", a, d->n[a]);
    if (!(d->length[a] >= 0x1p-300 && d->length[a] <= 0x1p300))
      return mfft_fail(MFFT_ERR_ARG, "desc.length[%d] is %g; give the side of the box, from 1e-90 to 1e90", a, d->length[a]);
  }
  if ((unsigned)d->laplacian > MFFT_GREEN_FD4)
    return mfft_fail(MFFT_ERR_ARG, "desc.laplacian is %d; use MFFT_GREEN_SPECTRAL, FD2 or FD4", (int)d->laplacian);
  if ((unsigned)d->gradient > MFFT_GREEN_GRADIENT_MESH)
    return mfft_fail(MFFT_ERR_ARG, "desc.gradient is %d; use MFFT_GREEN_GRADIENT_FD4, SPECTRAL or MESH", (int)d->gradient);
  if ((unsigned)d->assignment > MFFT_PCS)
    return mfft_fail(MFFT_ERR_ARG, "desc.assignment is %d; use MFFT_NGP, MFFT_CIC, MFFT_TSC or MFFT_PCS",
                     (int)d->assignment);
  if (d->deconvolve < 0 || d->deconvolve > 2)
    return mfft_fail(MFFT_ERR_ARG, "desc.deconvolve is %d; use 0, 1, or 2 for deposit and gather", d->deconvolve);
  if (!(d->split >= 0 && d->split <= 1e6))
    return mfft_fail(MFFT_ERR_ARG, "desc.split is %g cells; use 0 for none, 1.25 as GADGET does, up to 1e6", d->split);
  return MFFT_SUCCESS;
}

static mfft_status fill(mfft_green g, const mfft_green_desc *d) {
  static const int laplacian_order[] = {[MFFT_GREEN_SPECTRAL] = 0, [MFFT_GREEN_FD2] = 2, [MFFT_GREEN_FD4] = 4};
  const int gradient_order = d->gradient == MFFT_GREEN_GRADIENT_SPECTRAL ? 0 : 4;
  const int order = d->assignment ? d->assignment : MFFT_TSC;
  double widest = 0;
  for (int a = 0; a < 3; a++) widest = fmax(widest, d->length[a] / (double)d->n[a]);
  const double rs = d->split * widest;
  for (int a = 0; a < 3; a++) {
    const int64_t n = d->n[a];
    const double h = d->length[a] / (double)n;
    g->laplacian[a] = malloc((size_t)n * sizeof(double));
    g->filter[a] = malloc((size_t)n * sizeof(double));
    g->force[a] = malloc((size_t)n * sizeof(double));
    if (!g->laplacian[a] || !g->filter[a] || !g->force[a])
      return mfft_fail(MFFT_ERR_MEMORY, "no memory for Green's function of %" PRId64 " cells on axis %d", n, a);
    for (int64_t m = 0; m < n; m++) {
      const double x = mfft_angular_wave_number(m, n, h) * rs;
      g->laplacian[a][m] = mfft_second_symbol(laplacian_order[d->laplacian], m, n, h);
      g->filter[a][m] = exp(-x * x) / pow(mfft_sinc(m, n), order * d->deconvolve);
      g->force[a][m] = g->filter[a][m] * mfft_first_symbol(gradient_order, m, n, h);
    }
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_green_create(const mfft_green_desc *desc, mfft_green *green) {
  mfft_green_desc d;
  MFFT_TRY(mfft_versioned_take(&versions, desc, &d));
  if (!green) return mfft_fail(MFFT_ERR_ARG, "the result is NULL; pass the address of an mfft_green");
  MFFT_TRY(check_desc(&d));
  mfft_green made = calloc(1, sizeof *made);
  if (!made) return mfft_fail(MFFT_ERR_MEMORY, "no memory for Green's function");
  const mfft_status status = fill(made, &d);
  if (status == MFFT_SUCCESS)
    *green = made;
  else
    mfft_green_destroy(made);
  return status;
}

mfft_status mfft_green_filter(mfft_green green, int axis, double factor, mfft_filter *filter) {
  if (!green || !filter)
    return mfft_fail(MFFT_ERR_ARG, "%s is NULL; make one with %s", green ? "the filter" : "Green's function",
                     green ? "mfft_filter_init" : "mfft_green_create");
  if (axis < -1 || axis > 2)
    return mfft_fail(MFFT_ERR_ARG, "axis is %d; use -1 for the potential, 0 to 2 for a component of the force", axis);
  mfft_filter_init(filter);
  for (int a = 0; a < 3; a++) {
    filter->factor[a] = a == axis ? green->force[a] : green->filter[a];
    filter->divisor[a] = green->laplacian[a];
  }
  filter->scale = axis < 0 ? -factor : factor; /* force = -gradient(phi): -i g times -c F/S */
  filter->quarter_turns = axis < 0 ? 0 : 1;
  return MFFT_SUCCESS;
}

void mfft_green_destroy(mfft_green green) {
  if (!green) return;
  for (int a = 0; a < 3; a++) {
    free(green->laplacian[a]);
    free(green->filter[a]);
    free(green->force[a]);
  }
  free(green);
}
