/* shells.c: sums of a plan's spectrum over shells: checks, tables of the axes, and the call of the backend. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/box.h"
#include "base/versioned.h"
#include "mfft_spectrum.h"
#include "plan/array_calls.h"
#include "plan/plan.h"

static const mfft_versioned versions = {
    .name = "shells", .init = "mfft_shells_init", .size = sizeof(mfft_shells), .first = sizeof(mfft_shells)};

void mfft_shells_init_sized(mfft_shells *shells, size_t struct_size) {
  const mfft_shells none = {.count = 0};
  mfft_versioned_init(shells, struct_size, &none, sizeof none);
}

static mfft_status check(mfft_plan plan, const mfft_shells *s) {
  MFFT_TRY(mfft_versioned_check(&versions, s));
  if (s->count < 1 || !s->edge)
    return mfft_fail(MFFT_ERR_ARG, "shells.count is %" PRId64 " with %s edges; give at least one shell", s->count,
                     s->edge ? "its" : "no");
  for (int64_t b = 0; b <= s->count; b++)
    if (!isfinite(s->edge[b]) || (b && !(s->edge[b] > s->edge[b - 1])))
      return mfft_fail(MFFT_ERR_ARG, "shells.edge[%" PRId64 "] is %g; edges are finite and ascend", b, s->edge[b]);
  for (int a = 0; a < 3; a++) {
    MFFT_TRY(mfft_plan_check_table(plan, "shells.radius", a, s->radius[a]));
    MFFT_TRY(mfft_plan_check_table(plan, "shells.weight", a, s->weight[a]));
  }
  return MFFT_SUCCESS;
}

/* Makes the table that gives each index of each axis its radius, weight and number of modes. */
static mfft_shell_index *make_index(mfft_plan plan, const mfft_shells *s, int64_t indices) {
  mfft_shell_index *index = malloc((size_t)indices * sizeof *index); /* [indices] */
  const int halved = mfft_desc_halved_axis(&plan->desc);
  for (int64_t a = 0, at = 0; index && a < 3; a++)
    for (int64_t k = 0; k < mfft_plan_out_length(plan, (int)a); k++, at++) {
      const int own_image = a != halved || k == 0 || 2 * k == plan->desc.n[a];
      index[at] = (mfft_shell_index){.radius = s->radius[a] ? s->radius[a][k] : 0,
                                     .weight = s->weight[a] ? s->weight[a][k] : 1,
                                     .modes = own_image ? 1 : 2};
    }
  return index;
}

mfft_status mfft_plan_shells(mfft_plan plan, const mfft_shells *shells, const void *spectrum, int64_t *modes, double *radius,
                             double *power) {
  if (!plan) return mfft_fail(MFFT_ERR_ARG, "the plan is NULL; make one with mfft_plan_create");
  MFFT_TRY(check(plan, shells));
  if (!modes || !radius || !power)
    return mfft_fail(MFFT_ERR_ARG, "%s is NULL; give an array of %" PRId64 " sums",
                     modes ? radius ? "power" : "radius" : "modes", shells->count);
  const mfft_desc *desc = &plan->desc;
  const mfft_box *box = &plan->box[MFFT_OUT];
  MFFT_TRY(mfft_desc_refuse_trigonometric(desc, "shells"));
  if (desc->scrambled)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "shells of one dimension in scrambled order; set scrambled = 0");
  if (!spectrum && !mfft_box_empty(box)) return mfft_fail(MFFT_ERR_ARG, "spectrum is NULL");
  mfft_shell_sums sums = {
      .shape = mfft_plan_out_shape(plan),
      .indices = mfft_plan_out_length(plan, 0) + mfft_plan_out_length(plan, 1) + mfft_plan_out_length(plan, 2),
      .edge = shells->edge,
      .count = shells->count,
      .modes = modes,
      .radius = radius,
      .power = power};
  mfft_shell_index *index = make_index(plan, shells, sums.indices);
  if (!index) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the tables of %" PRId64 " indices", sums.indices);
  sums.index = index;
  mfft_device_guard guard;
  mfft_status status = mfft_plan_enter(plan, &guard);
  if (status == MFFT_SUCCESS) {
    memset(modes, 0, (size_t)shells->count * sizeof *modes);
    memset(radius, 0, (size_t)shells->count * sizeof *radius);
    memset(power, 0, (size_t)shells->count * sizeof *power);
    if (!mfft_box_empty(box)) status = plan->backend->shells(desc->precision, &sums, spectrum, plan->stream);
    mfft_plan_leave(plan, &guard);
  }
  free(index);
  return status;
}
