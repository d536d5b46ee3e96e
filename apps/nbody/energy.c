/* energy.c: see energy.h. */
#include "nbody/energy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/report.h"
#include "io/save.h"

enum { LINE = 256 };

void mfft_energy_free(mfft_energy *e) {
  free(e->row);
  memset(e, 0, sizeof *e);
}

/* Allocates memory for `count` rows.  Returns 0, or -1 if memory is exhausted. */
static int reserve(mfft_energy *e, int count) {
  if (count <= e->capacity) return 0;
  const int capacity = count + count / 2 + 64;
  mfft_energy_row *larger = realloc(e->row, (size_t)capacity * sizeof *larger);
  if (!larger) return -1;
  e->row = larger;
  e->capacity = capacity;
  return 0;
}

static int append(mfft_energy *e, const mfft_energy_row *row) {
  if (reserve(e, e->count + 1)) return -1;
  e->row[e->count++] = *row;
  return 0;
}

/* The integral of f da/a for f = c/a + d a through two values of f.  It is exact for the self-energy of particles on the
 * mesh, and for linear growth in a universe of matter alone. */
static double integrate(double a0, double f0, double a1, double f1) {
  const double d = (f1 * a1 - f0 * a0) / (a1 * a1 - a0 * a0), c = f0 * a0 - d * a0 * a0;
  return c * (1 / a0 - 1 / a1) + d * (a1 - a0);
}

int mfft_energy_add(mfft_energy *e, int step, double a, double kinetic, double potential, double momentum) {
  mfft_energy_row row = {.step = step, .a = a, .kinetic = kinetic, .potential = potential, .momentum = momentum};
  row.first = kinetic + potential;
  row.largest = fabs(potential);
  if (e->count) {
    const mfft_energy_row *last = &e->row[e->count - 1];
    row.integral = last->integral + integrate(last->a, 2 * last->kinetic + last->potential, a, 2 * kinetic + potential);
    row.first = last->first;
    row.largest = fmax(row.largest, last->largest);
  }
  return append(e, &row);
}

double mfft_energy_drift(const mfft_energy_row *row) {
  return row->largest > 0 ? (row->kinetic + row->potential + row->integral - row->first) / row->largest : 0;
}

mfft_status mfft_energy_save(const mfft_energy *e, const char *path) {
  if (mfft_app_rank() != 0) return MFFT_SUCCESS;
  const size_t size = (size_t)(e->count + 3) * LINE;
  char *text = malloc(size);
  if (!text) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a table of %d rows", e->count);
  int length = snprintf(text, size,
                        "# mergefft nbody: energies in (km/s)^2 for a mass of 1; a restart reads the 17 digits\n"
                        "# step a kinetic potential integral_of_(2T+W)da/a first largest momentum drift\n");
  for (int i = 0; i < e->count; i++) {
    const mfft_energy_row *r = &e->row[i];
    length += snprintf(text + length, size - (size_t)length, "%d %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.6e\n", r->step,
                       r->a, r->kinetic, r->potential, r->integral, r->first, r->largest, r->momentum, mfft_energy_drift(r));
  }
  const mfft_status status = mfft_app_save(path, &mfft_table_kind, text, (size_t)length);
  free(text);
  return status;
}

/* Adds the row in a line unless it is of a later step than `last`, as when a run was killed after its last checkpoint. */
static mfft_status take_row(const char *path, const char *line, int first, int last, mfft_energy *e) {
  mfft_energy_row r;
  if (!strchr(line, '\n') || sscanf(line, "%d %lf %lf %lf %lf %lf %lf %lf", &r.step, &r.a, &r.kinetic, &r.potential,
                                    &r.integral, &r.first, &r.largest, &r.momentum) != 8)
    return mfft_app_fail(MFFT_ERR_CORRUPT,
                         "'%s' has a line that is no row of energies: %.40s; restore the file, or run without --restart",
                         path, line);
  if (r.step > last || r.step != first + e->count) return MFFT_SUCCESS;
  return append(e, &r) ? mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the rows of '%s'", path) : MFFT_SUCCESS;
}

static mfft_status read_rows(const char *path, int first, int last, mfft_energy *e) {
  char *text = NULL, why[MFFT_WHY_BYTES];
  size_t length;
  if (mfft_file_read(path, (size_t)1 << 30, &text, &length, why))
    return mfft_app_fail(MFFT_ERR_IO, "'%s' cannot be read, which --restart needs: %s", path, why);
  mfft_status status = MFFT_SUCCESS;
  for (char *line = text; line && *line && status == MFFT_SUCCESS;) {
    char *end = strchr(line, '\n');
    if (*line != '#') status = take_row(path, line, first, last, e);
    line = end ? end + 1 : NULL;
  }
  free(text);
  if (status != MFFT_SUCCESS || first + e->count > last) return status;
  return mfft_app_fail(MFFT_ERR_CORRUPT,
                       "'%s' has no row of step %d after %d rows, and the checkpoint is of step %d; restore the file, or "
                       "remove the checkpoint and begin anew without --restart",
                       path, first + e->count, e->count, last);
}

mfft_status mfft_energy_load(const char *path, int first, int last, mfft_energy *e) {
  mfft_status status = mfft_app_agree(mfft_app_rank() == 0 ? read_rows(path, first, last, e) : MFFT_SUCCESS);
  if (status != MFFT_SUCCESS) return status;
  int count = e->count;
  mfft_app_broadcast(&count, sizeof count, 0, "sharing the energies");
  if (reserve(e, count)) status = mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the energies of %d steps", count);
  status = mfft_app_agree(status);
  if (status != MFFT_SUCCESS) return status;
  mfft_app_broadcast(e->row, count * (int64_t)sizeof *e->row, 0, "sharing the energies");
  e->count = count;
  return MFFT_SUCCESS;
}
