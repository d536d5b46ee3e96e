/* snapshot.c: drawing a slab of the particles of a snapshot. */
#include "show/snapshot.h"

#include <math.h>
#include <stdio.h>

#include "cli/phases.h"
#include "cli/report.h"
#include "plot/figure.h"
#include "show/draw.h"
#include "show/range.h"
#include "show/slab.h"

/* Raises small densities to that of one particle spread over 16 cells, the lowest colour: empty cells have no logarithm, and
 * cells at the edge of a particle's window have arbitrarily small densities. */
static void fill_empty(const mfft_catalogue *c, const mfft_slab *slab, mfft_plane *plane) {
  const double share = slab->thickness / c->unit / c->length[slab->axis];
  const double least = (double)(plane->nh * plane->nv) / ((double)c->all * share) / 16;
  for (int64_t i = 0; i < plane->nh * plane->nv; i++) plane->value[i] = fmax(plane->value[i], least);
}

static mfft_status draw_slab(const mfft_show *s, const mfft_catalogue *c, const mfft_slab *slab, mfft_plane *plane) {
  mfft_show with = *s;
  mfft_field_info info;
  double length[3]; /* [axis] */
  char text[256];
  mfft_field_info_init(&info);
  snprintf(info.dataset, sizeof info.dataset, "density / mean");
  info.has_redshift = 1;
  info.redshift = c->info.redshift;
  for (int a = 0; a < 3; a++) length[a] = c->length[a] * c->unit;
  const char *unit = s->length_unit ? s->length_unit : c->unit == c->to_mpc_h ? "Mpc/h" : "";
  snprintf(text, sizeof text, "slab of %.5g%s%s about %s = %.5g%s%s", slab->thickness, *unit ? " " : "", unit,
           mfft_show_axes[slab->axis], slab->middle, *unit ? " " : "", unit);
  if (mfft_cli_choice(MFFT_COLOR_SCALES, "log") == s->scale || mfft_cli_choice(MFFT_COLOR_SCALES, "auto") == s->scale) {
    with.scale = mfft_cli_choice(MFFT_COLOR_SCALES, "log");
    fill_empty(c, slab, plane);
  }
  return mfft_show_draw(&with, &info, length, unit, text, plane);
}

static mfft_status show_slab(const mfft_show *s, const mfft_catalogue *c) {
  mfft_slab slab = {.axis = s->los, .middle = s->at, .thickness = s->thickness, .cells = s->cells > 0 ? s->cells : 0};
  const double length = c->length[s->los] * c->unit;
  mfft_plane plane = {0};
  if (isnan(slab.middle)) slab.middle = length / 2;
  if (isnan(slab.thickness)) slab.thickness = length / 10;
  if (slab.thickness > length)
    return mfft_app_fail(MFFT_ERR_ARG, "--thickness %g: the box is %g along %s; give no more", slab.thickness, length,
                         mfft_show_axes[s->los]);
  mfft_status status = mfft_slab_read(c, &slab, &s->plan, &plane);
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_DRAW);
  if (status == MFFT_SUCCESS && mfft_app_rank() == 0) status = draw_slab(s, c, &slab, &plane);
  mfft_phase_enter(before);
  mfft_plane_destroy(&plane);
  return mfft_app_agree(status);
}

int mfft_show_snapshot(const mfft_show *s) {
  mfft_catalogue catalogue = {0};
  int code = MFFT_EXIT_FAILED;
  if (!mfft_app_failed(mfft_catalogue_open(s->input, &s->catalogue, &s->boxsize, &catalogue)) &&
      !mfft_app_failed(show_slab(s, &catalogue)))
    code = MFFT_EXIT_OK;
  mfft_phase_enter(MFFT_PHASE_CLOSE);
  mfft_json_string(mfft_timing_json(), "input", s->input);
  mfft_json_integer(mfft_timing_json(), "ranks", mfft_app_ranks());
  mfft_catalogue_close(&catalogue);
  return code;
}
