/* sources.c: see sources.h. */
#include "gen/sources.h"

#include <math.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/report.h"
#include "gen/philox.h"
#include "mfft_memory.h"

/* m*i modulo n as a fraction of a turn, in integers: |m| < n < 2^31 holds for every mesh that can be stored. */
static double turn(int64_t m, int64_t i, int64_t n) { return (double)((m * i) % n) / (double)n; }

void mfft_fill_wave(const mfft_mesh *mesh, const mfft_box *box, const int64_t mode[3], double amplitude, double phase,
                    double *field) {
  const double two_pi = 6.283185307179586476925;
  for (int64_t x = box->lo[0]; x < box->hi[0]; x++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++)
      for (int64_t z = box->lo[2]; z < box->hi[2]; z++) {
        double turns = turn(mode[0], x, mesh->n[0]) + turn(mode[1], y, mesh->n[1]) + turn(mode[2], z, mesh->n[2]);
        *field++ = amplitude * cos(two_pi * (turns - rint(turns)) + phase);
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

void mfft_fill_noise(const mfft_box *box, uint64_t seed, double deviation, double *field) {
  int64_t row = mfft_box_side(box, 2);
  for (int64_t x = box->lo[0]; x < box->hi[0]; x++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++, field += row) {
      mfft_white_noise(seed, x, y, box->lo[2], box->hi[2], field);
      if (deviation != 1)
        for (int64_t i = 0; i < row; i++) field[i] *= deviation;
    }
}

/* sqrt(P(k)) is asked for once a mode and costs a dozen transcendental functions: a table in ln k, read by cubic Lagrange
 * interpolation, is right to 1e-8 and takes a tenth of the time. */
enum { TABLE = 16384 };
typedef struct table {
  double start, step;
  double *value; /* [TABLE + 3]; value[i] belongs to ln k = start + (i - 1) * step */
} table;

static mfft_status table_create(const mfft_spectrum *spectrum, double k_min, double k_max, table *t) {
  t->value = NULL;
  mfft_status status = mfft_app_alloc(TABLE + 3, sizeof(double), "a table of the spectrum", (void **)&t->value);
  if (status != MFFT_SUCCESS) return status;
  t->start = log(k_min);
  t->step = fmax(log(k_max / k_min), 1e-3) / (TABLE - 1);
  for (int i = 0; i < TABLE + 3; i++) t->value[i] = sqrt(mfft_spectrum_value(spectrum, exp(t->start + (i - 1) * t->step)));
  return MFFT_SUCCESS;
}

static double table_value(const table *t, double k2) {
  double position = (0.5 * log(k2) - t->start) / t->step;
  int i = position < 0 ? 0 : position > TABLE - 1 ? TABLE - 1 : (int)position;
  double u = position - i;
  const double *v = t->value + i; /* the nodes at u = -1, 0, 1, 2 */
  return -u * (u - 1) * (u - 2) / 6 * v[0] + (u + 1) * (u - 1) * (u - 2) / 2 * v[1] - (u + 1) * u * (u - 2) / 2 * v[2] +
         (u + 1) * u * (u - 1) / 6 * v[3];
}

typedef struct colour_state {
  const mfft_mesh_plan *p;
  const table *t;
  double scale;
} colour_state;

static mfft_status colour_modes(void *context, const mfft_box *part, void *data) {
  const colour_state *c = context;
  const mfft_mesh_plan *p = c->p;
  const int64_t *lo = p->modes.box.lo;
  double *mode = data;
  for (int64_t x = part->lo[0] - lo[0]; x < part->hi[0] - lo[0]; x++) {
    for (int64_t y = part->lo[1] - lo[1]; y < part->hi[1] - lo[1]; y++) {
      double row = p->k[0][x] * p->k[0][x] + p->k[1][y] * p->k[1][y];
      for (int64_t z = 0; z < mfft_box_side(part, 2); z++, mode += 2) {
        double k2 = row + p->k[2][z] * p->k[2][z];
        double factor = k2 > 0 ? c->scale * table_value(c->t, k2) : 0;
        mode[0] *= factor;
        mode[1] *= factor;
      }
    }
    mfft_progress_step(x + 1);
  }
  return MFFT_SUCCESS;
}

int mfft_colour_noise(const mfft_mesh *mesh, mfft_mesh_plan *p, const mfft_spectrum *spectrum) {
  const double pi = 3.14159265358979323846;
  double k_min = INFINITY, k_max2 = 0;
  table t;
  for (int a = 0; a < 3; a++) {
    double fundamental = 2 * pi / mesh->length[a], nyquist = fundamental * (double)mesh->n[a] / 2;
    k_min = fmin(k_min, fundamental);
    k_max2 += nyquist * nyquist;
  }
  if (mfft_app_failed(table_create(spectrum, k_min, fmax(sqrt(k_max2), 2 * k_min), &t))) return 1;
  mfft_progress_start("transforming", 0);
  int failed = mfft_app_failed(mfft_mesh_transform(p, MFFT_FORWARD));
  if (!failed) {
    colour_state colours = {p, &t, sqrt(mfft_mesh_cells(mesh) / mfft_mesh_volume(mesh))};
    mfft_progress_start("colouring the noise", mfft_box_side(&p->modes.box, 0));
    failed = mfft_app_failed(mfft_sweep(&p->modes, MFFT_SWEEP_READS | MFFT_SWEEP_WRITES, colour_modes, &colours));
  }
  if (!failed) {
    mfft_progress_start("transforming back", 0);
    failed = mfft_app_failed(mfft_mesh_transform(p, MFFT_BACKWARD));
  }
  mfft_free(t.value);
  return failed;
}
