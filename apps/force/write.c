/* write.c: see write.h. */
#include "force/write.h"

#include <string.h>

#include "cli/phases.h"
#include "cli/report.h"
#include "mfft_memory.h"

enum { KINDS = 6, MOST = 256, COLUMNS = KINDS * MFFT_SNAPSHOT_TYPES };
static const char *const names[KINDS] = {"Coordinates", "Velocities", "ParticleIDs", "Masses", "Acceleration", "Potential"};

typedef struct writing {
  const mfft_catalogue *catalogue;
  mfft_snapshot_info info;
  mfft_snapshot_column column[COLUMNS]; /* [columns] */
  int columns;
  const double *acceleration, *potential;
} writing;

/* Lists the columns of a type: those copied from the file, and the results in the precision of its positions. */
static mfft_status list_type(writing *w, int type) {
  mfft_snapshot_column found[MOST];
  mfft_snapshot_number number = MFFT_SNAPSHOT_FLOAT32;
  int count = 0;
  const mfft_status status = mfft_snapshot_columns(w->catalogue->snapshot, type, found, MOST, &count);
  if (status != MFFT_SUCCESS) return status;
  for (int kind = 0; kind < KINDS - 2; kind++)
    for (int i = 0; i < count && i < MOST; i++) {
      if (strcmp(found[i].name, names[kind])) continue;
      if (kind == 0) number = found[i].number;
      w->column[w->columns++] = found[i];
    }
  for (int kind = KINDS - 2; kind < KINDS; kind++) {
    mfft_snapshot_column *c = &w->column[w->columns++];
    *c = (mfft_snapshot_column){.type = type, .components = kind == KINDS - 1 ? 1 : 3, .number = number};
    memcpy(c->name, names[kind], strlen(names[kind]) + 1);
  }
  return MFFT_SUCCESS;
}

/* Type in memory of a stored number. */
static mfft_snapshot_number memory_number(mfft_snapshot_number stored) {
  static const mfft_snapshot_number as[MFFT_SNAPSHOT_NUMBER_COUNT] = {
      [MFFT_SNAPSHOT_FLOAT32] = MFFT_SNAPSHOT_FLOAT32, [MFFT_SNAPSHOT_FLOAT64] = MFFT_SNAPSHOT_FLOAT64,
      [MFFT_SNAPSHOT_INT32] = MFFT_SNAPSHOT_INT64,     [MFFT_SNAPSHOT_INT64] = MFFT_SNAPSHOT_INT64,
      [MFFT_SNAPSHOT_UINT32] = MFFT_SNAPSHOT_UINT64,   [MFFT_SNAPSHOT_UINT64] = MFFT_SNAPSHOT_UINT64};
  return as[stored];
}

static void scale(mfft_snapshot_number number, double factor, int64_t count, void *value /* [count] */) {
  for (int64_t i = 0; i < count && factor != 1; i++) {
    if (number == MFFT_SNAPSHOT_FLOAT32)
      ((float *)value)[i] = (float)(factor * (double)((float *)value)[i]);
    else
      ((double *)value)[i] *= factor;
  }
}

/* Writes one column of a type.  This rank has its particles [first, first + count), after `before` others in its share. */
static mfft_status put_column(const writing *w, mfft_snapshot_file file, int index, int64_t first, int64_t count,
                              int64_t before, void *data) {
  const mfft_snapshot_column *column = &w->column[index];
  const mfft_catalogue *c = w->catalogue;
  const mfft_snapshot_number number = memory_number(column->number);
  if (!strcmp(column->name, "Acceleration"))
    return mfft_snapshot_put(file, index, first, count, MFFT_SNAPSHOT_FLOAT64, w->acceleration + 3 * before);
  if (!strcmp(column->name, "Potential"))
    return mfft_snapshot_put(file, index, first, count, MFFT_SNAPSHOT_FLOAT64, w->potential + before);
  const mfft_status status =
      mfft_snapshot_read(c->snapshot, 1u << column->type, column->name, first, count, number, column->components, data);
  if (status != MFFT_SUCCESS) return status;
  if (!strcmp(column->name, "Velocities") && c->info.velocity_km_s > 0)
    scale(number, c->info.velocity_km_s / mfft_catalogue_gadget_root(&c->info), column->components * count, data);
  return mfft_snapshot_put(file, index, first, count, number, data);
}

/* Number of particles of a type before a global index; the type has the global indices [start, start + count). */
static int64_t within(int64_t index, int64_t start, int64_t count) {
  return index < start ? 0 : index - start > count ? count : index - start;
}

static mfft_status put_all(const writing *w, mfft_snapshot_file file, void *data) {
  const mfft_catalogue *c = w->catalogue;
  mfft_status status = MFFT_SUCCESS;
  int64_t start = 0; /* global index of the first particle of a type */
  for (int type = 0; type < c->info.types; type++) {
    const int64_t all = w->info.count[type], lo = within(c->first, start, all), hi = within(c->first + c->count, start, all);
    for (int i = 0; i < w->columns && status == MFFT_SUCCESS; i++)
      if (w->column[i].type == type)
        status = put_column(w, file, i, lo, hi - lo, start + lo > c->first ? start + lo - c->first : 0, data);
    start += all;
  }
  return status;
}

static mfft_status write_file(writing *w, const char *path) {
  enum { WIDEST = 3 * sizeof(double) };
  mfft_snapshot_file file = NULL;
  void *data = NULL;
  mfft_status status = mfft_app_agree(mfft_app_alloc(w->catalogue->count, WIDEST, "a column", &data));
  if (status == MFFT_SUCCESS) status = mfft_snapshot_create(MPI_COMM_WORLD, path, &w->info, w->column, w->columns, &file);
  if (status == MFFT_SUCCESS) status = put_all(w, file, data);
  mfft_free(data);
  if (status == MFFT_SUCCESS) return mfft_snapshot_commit(&file);
  mfft_snapshot_abandon(&file);
  return status;
}

/* All columns, of the types of the catalogue. */
static mfft_status list_all(const mfft_catalogue *c, writing *w) {
  mfft_status status = MFFT_SUCCESS;
  memcpy(w->info.box_size, c->length, sizeof w->info.box_size);
  for (int type = 0; type < c->info.types && status == MFFT_SUCCESS; type++) {
    if (!(c->types >> type & 1)) w->info.count[type] = 0;
    if (w->info.count[type] > 0) status = list_type(w, type);
  }
  return status;
}

mfft_status mfft_force_write_bytes(const mfft_catalogue *c, double *copied, double *results) {
  writing w = {.catalogue = c, .info = c->info};
  const mfft_status status = list_all(c, &w);
  *copied = *results = 0;
  for (int i = 0; i < w.columns && status == MFFT_SUCCESS; i++) {
    const mfft_snapshot_column *column = &w.column[i];
    const int result = !strcmp(column->name, "Acceleration") || !strcmp(column->name, "Potential");
    const double bytes = column->components * (double)mfft_catalogue_number_bytes(column->number);
    *(result ? results : copied) += (double)w.info.count[column->type] * bytes;
  }
  return status;
}

mfft_status mfft_force_write(const mfft_catalogue *c, const char *path, const double *acceleration,
                             const double *potential) {
  writing w = {.catalogue = c, .info = c->info, .acceleration = acceleration, .potential = potential};
  mfft_status status = list_all(c, &w);
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_WRITE);
  if (status == MFFT_SUCCESS) status = write_file(&w, path);
  mfft_phase_enter(before);
  return status;
}
