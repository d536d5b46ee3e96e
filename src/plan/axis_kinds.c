/* axis_kinds.c: see axis_kinds.h. */
#include "plan/axis_kinds.h"

#include <inttypes.h>
#include <math.h>

#include "base/env.h"
#include "base/status.h"
#include "base/trigonometric.h"

unsigned mfft_desc_trigonometric_axes(const mfft_desc *desc) {
  unsigned axes = 0;
  for (int a = 0; a < desc->rank; a++)
    if (desc->axes >> a & 1 && desc->axis_kind[a] != MFFT_DFT) axes |= 1u << a;
  return axes;
}

/* One transformed axis alone. */
static mfft_status check_axis(const mfft_desc *d, int a) {
  const int kind = d->axis_kind[a];
  if (kind < 0 || kind >= MFFT_AXIS_KINDS)
    return mfft_fail(MFFT_ERR_ARG, "axis_kind[%d] is %d; use MFFT_DFT, MFFT_DCT1 to MFFT_DCT4 or MFFT_DST1 to MFFT_DST4", a,
                     kind);
  if (d->n[a] < mfft_trigonometric_of[kind].least)
    return mfft_fail(
        MFFT_ERR_ARG,
        "n[%d] is %" PRId64
        " with axis_kind[%d] = MFFT_DCT1, whose two ends are points of their own; use 2 or more, or another kind",
        a, d->n[a], a);
  if (d->kind == MFFT_R2R && kind == MFFT_DFT)
    return mfft_fail(
        MFFT_ERR_ARG,
        "kind is MFFT_R2R and axis_kind[%d] is MFFT_DFT, whose result is complex; give the axis a DCT or a DST, "
        "leave it out of axes, or use MFFT_R2C",
        a);
  return MFFT_SUCCESS;
}

mfft_status mfft_axis_kinds_check(mfft_desc *d) {
  for (int a = 0; a < 3; a++) {
    if (a >= d->rank || !(d->axes >> a & 1)) d->axis_kind[a] = MFFT_DFT;
    if (a < d->rank && d->axes >> a & 1) MFFT_TRY(check_axis(d, a));
  }
  const unsigned sums = mfft_desc_trigonometric_axes(d);
  if (!sums) return MFFT_SUCCESS;
  if (d->kind == MFFT_R2C && sums == d->axes)
    return mfft_fail(MFFT_ERR_ARG,
                     "kind is MFFT_R2C and every transformed axis has a DCT or a DST, so none is halved; use MFFT_R2R");
  if (d->scrambled)
    return mfft_fail(MFFT_ERR_ARG, "scrambled is 1 with a DCT or a DST, which have natural order only; set scrambled = 0");
  return MFFT_SUCCESS;
}

int mfft_desc_halved_axis(const mfft_desc *desc) {
  const unsigned halves = desc->kind == MFFT_R2C ? desc->axes & ~mfft_desc_trigonometric_axes(desc) : 0;
  int axis = desc->rank - 1;
  while (axis >= 0 && !(halves >> axis & 1)) axis--;
  return axis;
}

/* The product of the transformed lengths: exact in double to 2^53, in long double as far as lengths go. */
static long double points_of(const mfft_desc *desc) {
  long double n = 1;
  for (int axis = 0; axis < desc->rank; axis++)
    if (desc->axes >> axis & 1) n *= (long double)mfft_axis_points(desc->axis_kind[axis], desc->n[axis]);
  return n;
}

double mfft_desc_scale(const mfft_desc *desc, mfft_direction direction) {
  const double n = (double)points_of(desc);
  const double factor[] = {[MFFT_SCALE_NONE] = 1, [MFFT_SCALE_SQRT] = 1 / sqrt(n), [MFFT_SCALE_FULL] = 1 / n};
  return factor[desc->scale[direction]];
}

long double mfft_desc_long_scale(const mfft_desc *desc, mfft_direction direction) {
  const long double n = points_of(desc);
  const long double factor[] = {[MFFT_SCALE_NONE] = 1, [MFFT_SCALE_SQRT] = 1 / sqrtl(n), [MFFT_SCALE_FULL] = 1 / n};
  return factor[desc->scale[direction]];
}

void mfft_desc_set_scale(const mfft_desc *desc, mfft_direction direction, mfft_fft_spec *spec) {
  const double scale = mfft_desc_scale(desc, direction);
  const int is_long = desc->precision == MFFT_LONG_DOUBLE;
  mfft_fft_set_scale(spec, scale, is_long ? (double)(mfft_desc_long_scale(desc, direction) - scale) : 0);
}

mfft_axis_kind mfft_desc_axis_kind(const mfft_desc *desc, int axis, mfft_direction direction) {
  const mfft_axis_kind kind = desc->axis_kind[axis];
  return direction == MFFT_FORWARD ? kind : mfft_trigonometric_of[kind].inverse;
}

mfft_status mfft_desc_suits(const mfft_desc *desc, const mfft_backend *backend) {
  if (desc->precision == MFFT_LONG_DOUBLE && backend->no_long_double)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "precision is MFFT_LONG_DOUBLE and the backend is \"%s\": %s", backend->name,
                     backend->no_long_double);
  if (mfft_desc_trigonometric_axes(desc) && !backend->trigonometric)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "the backend \"%s\" has no cosines and sines (axis_kind); use \"fftw\" with arrays in host memory",
                     backend->name);
  return MFFT_SUCCESS;
}

mfft_status mfft_desc_find_backend(const mfft_desc *desc, const char *name,
                                   mfft_status (*find)(const char *, const mfft_backend **), const mfft_backend **backend) {
  const int named = (name && *name) || *mfft_env_string(MFFT_ENV_BACKEND);
  const mfft_backend *found = NULL;
  MFFT_TRY(find(name, &found));
  const mfft_status status = mfft_desc_suits(desc, found);
  if (status != MFFT_SUCCESS && named) return status;
  if (status != MFFT_SUCCESS) MFFT_TRY(find("fftw", &found));
  MFFT_TRY(mfft_desc_suits(desc, found));
  *backend = found;
  return MFFT_SUCCESS;
}

mfft_status mfft_desc_refuse_trigonometric(const mfft_desc *desc, const char *what) {
  for (int a = 0; a < desc->rank; a++)
    if (desc->axis_kind[a] != MFFT_DFT)
      return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s of a plan with axis_kind[%d] = %s; make a plan whose axes are all MFFT_DFT",
                       what, a, mfft_trigonometric_of[desc->axis_kind[a]].name);
  return MFFT_SUCCESS;
}
