/* ewald.c: see ewald.h. */
#include "force/ewald.h"

#include <math.h>
#include <string.h>

#include "base/wave_number.h"
#include "cli/collective.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "mfft_memory.h"

static const double sharpness = 5, reach = 6, waves = 9; /* alpha L; cut-offs of alpha r and of k L/(2 pi) */

/* ---- Near part: images ----------------------------------------------------------------------------------------------- */

/* The near force of an image at distance d, divided by -G m d; square: |d|^2. */
static double pull(double alpha, double square) {
  const double r = sqrt(square), x = alpha * r;
  return (erfc(x) + 2 * x / sqrt(MFFT_PI) * exp(-x * x)) / (square * r);
}

static void add_near(const mfft_ewald *p, double alpha, const double at[3], double force[3]) {
  const double most = reach / alpha * reach / alpha;
  for (int64_t i = 0; i < p->count; i++) {
    const double mass = p->mass ? p->mass[i] : 1;
    double d[3]; /* [axis] */
    for (int a = 0; a < 3; a++) {
      d[a] = at[a] - p->position[3 * i + a];
      d[a] -= p->length[a] * rint(d[a] / p->length[a]);
    }
    for (int image = 0; image < 27; image++) {
      const int shift[3] = {image / 9 - 1, image / 3 % 3 - 1, image % 3 - 1}; /* [axis] in boxes */
      double r[3], square = 0;                                                /* [axis] */
      for (int a = 0; a < 3; a++) {
        r[a] = d[a] + shift[a] * p->length[a];
        square += r[a] * r[a];
      }
      if (square == 0 || square > most) continue; /* the particle itself */
      const double strength = mass * pull(alpha, square);
      for (int a = 0; a < 3; a++) force[a] -= strength * r[a];
    }
  }
}

/* ---- Far part: waves ------------------------------------------------------------------------------------------------- */

enum { MOST_WAVES = 512 }; /* largest wave number of an axis: enough for boxes up to 50 times as long as wide */

typedef struct wave {
  int m[3]; /* wave numbers; of k and -k only one is listed */
  double green;
  double sum[2]; /* S(k) */
} wave;

/* Computes the phase factors exp(-2 pi i m x/length) for m = 0 to most. */
static void phase_powers(double x, double length, int most, double (*power)[2] /* [most + 1] */) {
  const double angle = -2 * MFFT_PI * x / length, step[2] = {cos(angle), sin(angle)};
  power[0][0] = 1;
  power[0][1] = 0;
  for (int m = 1; m <= most; m++) {
    power[m][0] = power[m - 1][0] * step[0] - power[m - 1][1] * step[1];
    power[m][1] = power[m - 1][0] * step[1] + power[m - 1][1] * step[0];
  }
}

/* exp(-i k.x) of a wave, as a product of phase factors of the axes. */
static void phase_of(const wave *w, double (*const power[3])[2], double phase[2]) {
  phase[0] = 1;
  phase[1] = 0;
  for (int a = 0; a < 3; a++) {
    const int m = w->m[a] < 0 ? -w->m[a] : w->m[a];
    const double re = power[a][m][0], im = w->m[a] < 0 ? -power[a][m][1] : power[a][m][1], before = phase[0];
    phase[0] = before * re - phase[1] * im;
    phase[1] = before * im + phase[1] * re;
  }
}

/* Lists the waves within the cut-off, unless `list` is NULL.  Returns their number. */
static int64_t list_waves(const mfft_ewald *p, double alpha, const int most[3], wave *list) {
  const double volume = p->length[0] * p->length[1] * p->length[2], end = 2 * MFFT_PI * waves / sharpness * alpha;
  int64_t count = 0;
  for (int x = 0; x <= most[0]; x++)
    for (int y = x ? -most[1] : 0; y <= most[1]; y++)
      for (int z = x || y ? -most[2] : 1; z <= most[2]; z++) {
        const int m[3] = {x, y, z}; /* [axis] */
        double square = 0;
        for (int a = 0; a < 3; a++) square += pow(2 * MFFT_PI * m[a] / p->length[a], 2);
        if (square > end * end) continue;
        if (list)
          list[count] =
              (wave){.m = {x, y, z}, .green = 2 * 4 * MFFT_PI / volume * exp(-square / (4 * alpha * alpha)) / square};
        count++;
      }
  return count;
}

static void add_structure(const mfft_ewald *p, const int most[3], int64_t count, wave *list) {
  static double table[3][MOST_WAVES + 1][2]; /* [axis][wave number][cosine, sine] */
  double(*const power[3])[2] = {table[0], table[1], table[2]};
  for (int64_t i = 0; i < p->count; i++) {
    for (int a = 0; a < 3; a++) phase_powers(p->position[3 * i + a], p->length[a], most[a], table[a]);
    for (int64_t w = 0; w < count; w++) {
      double phase[2]; /* [cosine, sine] */
      phase_of(&list[w], power, phase);
      for (int part = 0; part < 2; part++) list[w].sum[part] += (p->mass ? p->mass[i] : 1) * phase[part];
    }
  }
}

/* Adds `share` times the far part at one position; the ranks' results are added up. */
static void add_far(const mfft_ewald *p, const int most[3], int64_t count, const wave *list, const double at[3],
                    double share, double force[3]) {
  static double table[3][MOST_WAVES + 1][2]; /* [axis][wave number][cosine, sine] */
  double(*const power[3])[2] = {table[0], table[1], table[2]};
  for (int a = 0; a < 3; a++) phase_powers(at[a], p->length[a], most[a], table[a]);
  for (int64_t w = 0; w < count; w++) {
    double phase[2]; /* its conjugate is exp(i k.x) */
    phase_of(&list[w], power, phase);
    const double imaginary = phase[0] * list[w].sum[1] - phase[1] * list[w].sum[0];
    for (int a = 0; a < 3; a++) force[a] -= share * list[w].green * imaginary * 2 * MFFT_PI * list[w].m[a] / p->length[a];
  }
}

/* ---- The sum --------------------------------------------------------------------------------------------------------- */

static void share_structure(int64_t count, wave *list, double *sums /* [count][2] */) {
  for (int64_t w = 0; w < count; w++) memcpy(sums + 2 * w, list[w].sum, sizeof list[w].sum);
  mfft_app_reduce(sums, 2 * count, MPI_DOUBLE, MPI_SUM, "adding up the waves of an Ewald sum");
  for (int64_t w = 0; w < count; w++) memcpy(list[w].sum, sums + 2 * w, sizeof list[w].sum);
}

mfft_status mfft_ewald_forces(const mfft_ewald *p, int64_t targets, const double *at, double *force) {
  const double shortest = fmin(p->length[0], fmin(p->length[1], p->length[2])), alpha = sharpness / shortest;
  int most[3]; /* [axis] */
  void *list = NULL, *sums = NULL;
  for (int a = 0; a < 3; a++) {
    most[a] = (int)ceil(waves * p->length[a] / shortest);
    if (most[a] > MOST_WAVES)
      return mfft_app_fail(MFFT_ERR_UNSUPPORTED,
                           "--check: the box is %g times as long as wide, and Ewald sums support at most 50; omit --check",
                           p->length[a] / shortest);
  }
  const int64_t count = list_waves(p, alpha, most, NULL);
  mfft_status status = mfft_app_alloc(count, sizeof(wave), "the waves of an Ewald sum", &list);
  if (status == MFFT_SUCCESS) status = mfft_app_alloc(2 * count, sizeof(double), "the waves of an Ewald sum", &sums);
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) {
    list_waves(p, alpha, most, list);
    add_structure(p, most, count, list);
    share_structure(count, list, sums);
    mfft_progress_start("Ewald sums", targets);
    memset(force, 0, 3 * (size_t)targets * sizeof *force);
    for (int64_t t = 0; t < targets; t++) {
      add_near(p, alpha, at + 3 * t, force + 3 * t);
      add_far(p, most, count, list, at + 3 * t, 1.0 / mfft_app_ranks(), force + 3 * t);
      mfft_progress_step(t + 1);
    }
    mfft_app_reduce(force, 3 * targets, MPI_DOUBLE, MPI_SUM, "adding up Ewald sums");
  }
  mfft_free(list);
  mfft_free(sums);
  return status;
}
