/* modes.c: see modes.h. */
#include "power/modes.h"

#include <math.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/report.h"
#include "mfft_memory.h"

enum { PAIR = 2 }; /* a complex number is two doubles */

/* ---- Copies of spectra ----------------------------------------------------------------------------------------------- */

typedef struct copy {
  const mfft_box *box;
  double *to; /* [cells][PAIR] */
} copy;

static int64_t place(const mfft_box *box, int64_t x, int64_t y, int64_t z) {
  return PAIR * (((x - box->lo[0]) * mfft_box_side(box, 1) + y - box->lo[1]) * mfft_box_side(box, 2) + z - box->lo[2]);
}

static mfft_status copy_part(void *context, const mfft_box *part, void *data) {
  const copy *c = context;
  const double *from = data;
  const int64_t row = PAIR * mfft_box_side(part, 2);
  for (int64_t x = part->lo[0]; x < part->hi[0]; x++)
    for (int64_t y = part->lo[1]; y < part->hi[1]; y++, from += row)
      memcpy(c->to + place(c->box, x, y, part->lo[2]), from, (size_t)row * sizeof *from);
  return MFFT_SUCCESS;
}

mfft_status mfft_modes_copy(mfft_mesh_plan *plan, double **array) {
  void *made = NULL;
  mfft_status status = mfft_app_alloc(mfft_box_cells(&plan->modes.box), PAIR * sizeof(double), "the first spectrum", &made);
  status = mfft_app_agree(status);
  copy c = {.box = &plan->modes.box, .to = made};
  if (status == MFFT_SUCCESS) status = mfft_app_agree(mfft_sweep(&plan->modes, MFFT_SWEEP_READS, copy_part, &c));
  if (status != MFFT_SUCCESS) mfft_free(made);
  *array = status == MFFT_SUCCESS ? made : NULL;
  return status;
}

/* ---- Sums over modes ------------------------------------------------------------------------------------------------- */

/* The sources of a cross spectrum; SECOND, of plan->modes, is the only one of another spectrum. */
enum { FIRST, SECOND, SOURCES };

typedef struct adding {
  const mfft_mesh *mesh;
  const mfft_box *box;
  const double *first; /* [cells][PAIR] or NULL */
  double los[3];
  mfft_bin_tables tables[SOURCES]; /* FIRST only beside `first`; they differ in 1 / window alone */
  mfft_bins *bins;
} adding;

/* Number of modes of the whole spectrum that an element of the halved one represents: itself, and -k if it is not stored.
 * If k and -k count as one mode, the counts are halved later, so a mode that is its own mirror image counts twice here. */
static int weigh(const adding *a, int64_t x, int64_t y, int64_t z) {
  const int64_t *n = a->mesh->n;
  const int own_image = (2 * x) % n[0] == 0 && (2 * y) % n[1] == 0 && (2 * z) % n[2] == 0;
  return a->bins->independent && own_image ? 2 : mfft_mode_weight(z, n[2]);
}

/* The shell of a wave number, or -1; `near`: the shell of the preceding mode, where the search begins. */
static int find(const adding *a, double k, int near) {
  const int count = a->bins->count;
  const double *edge = a->tables[SECOND].edge;
  if (!(k >= edge[0] && k < edge[count])) return -1;
  if (k >= edge[near] && k < edge[near + 1]) return near;
  int lo = 0, hi = count; /* edge[lo] <= k < edge[hi] */
  while (hi - lo > 1) {
    const int middle = lo + (hi - lo) / 2;
    if (k >= edge[middle])
      lo = middle;
    else
      hi = middle;
  }
  return lo;
}

/* The Legendre polynomial of degree l, by Bonnet's recurrence. */
static double legendre(int l, double mu) {
  double before = 1, here = mu;
  if (l == 0) return 1;
  for (int i = 1; i < l; i++) {
    const double next = ((2 * i + 1) * mu * here - i * before) / (i + 1);
    before = here;
    here = next;
  }
  return here;
}

/* The cosines of a mode with the line of sight.  A component at the Nyquist wave number stands for both of its signs, and so
 * for several cosines with a line of sight that is tilted. */
enum { MOST_COSINES = 8 };
typedef struct cosines {
  double mu[MOST_COSINES]; /* [count] */
  int count;
} cosines;

static void find_cosines(const adding *a, const int64_t at[3], const double wave[3], double k, cosines *c) {
  c->count = 1;
  c->mu[0] = (wave[0] * a->los[0] + wave[1] * a->los[1] + wave[2] * a->los[2]) / k;
  for (int axis = 0; axis < 3; axis++) {
    if (2 * at[axis] != a->mesh->n[axis] || a->los[axis] == 0) continue;
    for (int i = 0; i < c->count; i++) c->mu[c->count + i] = c->mu[i] - 2 * wave[axis] * a->los[axis] / k;
    c->count *= 2;
  }
}

/* The mean of a Legendre polynomial over the cosines of a mode. */
static double mean_legendre(int l, const cosines *c) {
  double sum = 0;
  for (int i = 0; i < c->count; i++) sum += legendre(l, c->mu[i]);
  return sum / c->count;
}

/* Adds an element that represents `weight` modes.  Odd multipoles of a real field vanish, since its mode at -k has -mu. */
static void add_mode(const adding *a, int b, int weight, double k, const cosines *c, const double inverse[SOURCES],
                     const double *first, const double *mode) {
  mfft_bins *bins = a->bins;
  const double own = inverse[SECOND] * (mode[0] * mode[0] + mode[1] * mode[1]);
  const double power = first ? sqrt(inverse[FIRST] * inverse[SECOND]) * (first[0] * mode[0] + first[1] * mode[1]) : own;
  bins->modes[b] += weight;
  bins->k[b] += weight * (bins->mean_of_logs ? log(k) : k);
  bins->power[b] += weight * power;
  for (int i = 0; i < bins->poles; i++)
    if (bins->ell[i] % 2 == 0) bins->pole[i][b] += weight * (2 * bins->ell[i] + 1) * mean_legendre(bins->ell[i], c) * power;
  if (!first) return;
  bins->own[0][b] += weight * inverse[FIRST] * (first[0] * first[0] + first[1] * first[1]);
  bins->own[1][b] += weight * own;
}

static mfft_status add_part(void *context, const mfft_box *part, void *data) {
  const adding *a = context;
  const mfft_bin_tables *t = &a->tables[SECOND];
  const int source = a->first ? FIRST : SECOND;
  const double *mode = data;
  cosines c = {.count = 0};
  int near = 0;
  for (int64_t x = part->lo[0]; x < part->hi[0]; x++)
    for (int64_t y = part->lo[1]; y < part->hi[1]; y++) {
      const double kx = t->k[0][x], ky = t->k[1][y], across = kx * kx + ky * ky;
      double across_inverse[SOURCES], inverse[SOURCES];
      for (int i = source; i < SOURCES; i++) across_inverse[i] = a->tables[i].inverse[0][x] * a->tables[i].inverse[1][y];
      const double *first = a->first ? a->first + place(a->box, x, y, part->lo[2]) : NULL;
      for (int64_t z = part->lo[2]; z < part->hi[2]; z++, mode += PAIR, first += first ? PAIR : 0) {
        const double kz = t->k[2][z], k = sqrt(across + kz * kz);
        const int b = find(a, k, near);
        if (b < 0) continue;
        near = b;
        for (int i = source; i < SOURCES; i++) inverse[i] = across_inverse[i] * a->tables[i].inverse[2][z];
        if (a->bins->poles) find_cosines(a, (const int64_t[]){x, y, z}, (const double[]){kx, ky, kz}, k, &c);
        add_mode(a, b, weigh(a, x, y, z), k, &c, inverse, first, mode);
      }
    }
  return MFFT_SUCCESS;
}

mfft_status mfft_modes_add(const mfft_mesh *mesh, mfft_mesh_plan *plan, const double *first, const double los[3],
                           mfft_compensation compensation, const int order[2], mfft_bins *bins) {
  adding a = {.mesh = mesh, .box = &plan->modes.box, .first = first, .bins = bins};
  mfft_status status = MFFT_SUCCESS;
  for (int i = first ? FIRST : SECOND; i < SOURCES && status == MFFT_SUCCESS; i++)
    status = mfft_bin_tables_create(mesh, bins, compensation, order[i], &a.tables[i]);
  memcpy(a.los, los, sizeof a.los);
  mfft_progress_start("counting modes", 0);
  if (status == MFFT_SUCCESS) status = mfft_sweep(&plan->modes, MFFT_SWEEP_READS, add_part, &a);
  for (int i = 0; i < SOURCES; i++) mfft_bin_tables_destroy(&a.tables[i]);
  return status;
}
