/* sources.c: see sources.h. */
#include "gen/sources.h"

#include <math.h>
#include <string.h>

#include "cli/phases.h"
#include "cli/plan_options.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "io/sweep.h"
#include "mfft_memory.h"
#include "mfft_spectrum.h"

/* m*i modulo n as a fraction of a period, reduced in integers: |m| < n < 2^31 for every mesh that a file can contain. */
static double fraction_of(int64_t m, int64_t i, int64_t n) { return (double)((m * i) % n) / (double)n; }

void mfft_fill_wave(const mfft_mesh *mesh, const mfft_box *box, const int64_t mode[3], double amplitude, double phase,
                    double *field) {
  const double two_pi = 6.283185307179586476925;
  int64_t at[3]; /* [axis] */
  for (int more = mfft_box_first(box, at); more; more = mfft_box_next(box, at)) {
    double periods = 0;
    for (int a = 0; a < 3; a++) periods += fraction_of(mode[a], at[a], mesh->n[a]);
    *field++ = amplitude * cos(two_pi * (periods - rint(periods)) + phase);
  }
}

void mfft_fill_point(const mfft_box *box, const int64_t cell[3], double amplitude, double *field) {
  int64_t place = 0;
  memset(field, 0, (size_t)(mfft_box_cells(box)) * sizeof *field);
  for (int a = 0; a < 3; a++) {
    if (cell[a] < box->lo[a] || cell[a] >= box->hi[a]) return;
    place = place * mfft_box_side(box, a) + cell[a] - box->lo[a];
  }
  field[place] = amplitude;
}

void mfft_fill_uniform(const mfft_box *box, double value, double *field) {
  int64_t count = mfft_box_cells(box);
  for (int64_t i = 0; i < count; i++) field[i] = value;
}

/* sqrt(P(k)) is needed once a mode and costs a dozen transcendental functions: a table in ln k, read by cubic Lagrange
 * interpolation, is accurate to 1e-8. */
enum { TABLE = 16384 };

/* The table for wave numbers from k_min to k_max, with a node more at either end, so that all cubics are centred. */
static mfft_status make_table(const mfft_spectrum *spectrum, double k_min, double k_max, double scale, mfft_radial *radial) {
  void *values = NULL;
  mfft_status status = mfft_app_alloc(TABLE + 2, sizeof(double), "a table of the spectrum", &values);
  if (status != MFFT_SUCCESS) return status;
  double *value = values; /* [TABLE + 2] value[i] belongs to ln k = ln k_min + (i - 1) step */
  const double step = log(k_max / k_min) / (TABLE - 1);
  for (int i = 0; i < TABLE + 2; i++) value[i] = scale * sqrt(mfft_spectrum_value(spectrum, k_min * exp((i - 1) * step)));
  radial->value = value;
  radial->count = TABLE + 2;
  radial->lo = k_min * exp(-step);
  radial->hi = k_max * exp(step);
  return MFFT_SUCCESS;
}

/* Multiplies this rank's modes by the table of radial. */
static mfft_status colour(const mfft_mesh *mesh, mfft_mesh_plan *p, mfft_radial *radial) {
  double *k[3] = {NULL, NULL, NULL}; /* [axis][modes on that axis] */
  mfft_status status = MFFT_SUCCESS;
  for (int a = 0; a < 3 && status == MFFT_SUCCESS; a++) {
    status = mfft_mesh_wave_numbers(mesh, a, &k[a]);
    radial->radius[a] = k[a];
  }
  radial->threads = p->threads;
  if (status == MFFT_SUCCESS) status = mfft_plan_multiply_radial(p->plan, radial, p->modes.plan, p->modes.plan);
  for (int a = 0; a < 3; a++) mfft_free(k[a]);
  return status;
}

int mfft_colour_noise(const mfft_mesh *mesh, mfft_mesh_plan *p, const mfft_spectrum *spectrum) {
  double k[2];
  mfft_radial radial;
  mfft_radial_init(&radial);
  mfft_mesh_wave_range(mesh, k);
  const double scale = sqrt(mfft_mesh_cells(mesh) / mfft_mesh_volume(mesh));
  if (mfft_app_failed(make_table(spectrum, k[0], fmax(k[1], 2 * k[0]), scale, &radial))) return 1;
  mfft_progress_start("transforming", 0);
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_TRANSFORM);
  int failed = mfft_app_failed(mfft_mesh_transform(p, MFFT_FORWARD));
  if (!failed) {
    mfft_progress_start("colouring the noise", 0);
    mfft_phase_enter(MFFT_PHASE_GREEN);
    failed = mfft_app_failed(colour(mesh, p, &radial));
  }
  if (!failed) {
    mfft_progress_start("transforming back", 0);
    mfft_phase_enter(MFFT_PHASE_TRANSFORM);
    failed = mfft_app_failed(mfft_mesh_transform(p, MFFT_BACKWARD));
  }
  mfft_plan_book_phases(p->plan);
  mfft_phase_enter(before);
  mfft_free((void *)radial.value);
  return failed;
}
