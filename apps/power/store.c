/* store.c: the columns of a spectrum as one-dimensional datasets. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/report.h"
#include "mfft_memory.h"
#include "power/result.h"

enum { K, POWER, FIRST, SECOND, MODES, SHOT, FOLD, POLE, COLUMNS = POLE + MFFT_POLES_MOST };

/* The value of a column in bin b.  *name: name of the column, or NULL if the spectrum does not have it. */
static double value(const mfft_power_result *r, int column, int fold, int b) {
  const mfft_bins *bins = &r->bins[fold];
  if (column >= POLE) return bins->pole[column - POLE][b];
  switch (column) {
    case K:
      return bins->k[b];
    case POWER:
      return bins->power[b];
    case FIRST:
      return bins->own[0][b];
    case SECOND:
      return bins->own[1][b];
    case MODES:
      return (double)bins->modes[b];
    case SHOT:
      return r->shot;
    default:
      return r->how.fold[fold];
  }
}

/* Whether the spectrum has a column. */
static int has(const mfft_power_result *r, int column) {
  if (column >= POLE) return column - POLE < r->options->ells && r->options->ell[column - POLE] != 0;
  if (column == FIRST || column == SECOND) return r->sources > 1;
  if (column == SHOT) return !isnan(r->shot);
  return column != FOLD || mfft_power_tells_fold(r);
}

static int64_t count_rows(const mfft_power_result *r) {
  int64_t rows = 0;
  for (int f = 0; f < r->how.folds; f++)
    for (int b = 0; b < r->bins[f].count; b++) rows += r->bins[f].modes[b] > 0;
  return rows;
}

static mfft_status put_columns(const mfft_power_result *r, const int *column, int columns, int64_t rows, double *row,
                               mfft_field_file file) {
  mfft_box box = {{0, 0, 0}, {mfft_app_rank() == 0 ? rows : 0, 1, 1}, {0, 1, 2}};
  mfft_status status = MFFT_SUCCESS;
  for (int i = 0; i < columns && status == MFFT_SUCCESS; i++) {
    int64_t at = 0;
    for (int f = 0; f < r->how.folds; f++)
      for (int b = 0; b < r->bins[f].count; b++)
        if (r->bins[f].modes[b]) row[at++] = value(r, column[i], f, b);
    status = mfft_field_put(file, i, &box, MFFT_DOUBLE, row);
  }
  return status;
}

mfft_status mfft_power_write_hdf5(const mfft_power_result *r, const char *path) {
  static const char *const names[POLE] = {"k", "P", "P_first", "P_second", "modes", "shot", "fold"};
  const double z = mfft_power_redshift(&r->source[0]);
  char pole[MFFT_POLES_MOST][8];
  mfft_field_dataset list[COLUMNS];
  mfft_field_attribute limit = {"KGood", r->limit};
  mfft_field_desc desc;
  mfft_field_file file = NULL;
  void *row = NULL;
  int column[COLUMNS], columns = 0;
  for (int i = 0; i < COLUMNS; i++) {
    if (!has(r, i)) continue;
    if (i >= POLE) snprintf(pole[i - POLE], sizeof pole[0], "P%d", r->options->ell[i - POLE]);
    list[columns] = (mfft_field_dataset){i >= POLE ? pole[i - POLE] : names[i], NULL};
    column[columns++] = i;
  }
  mfft_field_desc_init(&desc);
  desc.rank = 1;
  desc.n[0] = count_rows(r);
  desc.has_redshift = !isnan(z);
  desc.redshift = isnan(z) ? 0 : z;
  desc.dataset = list;
  desc.dataset_count = columns;
  desc.attribute = &limit;
  desc.attribute_count = isfinite(r->limit);
  mfft_status status = mfft_app_agree(mfft_app_alloc(desc.n[0], sizeof(double), "a column", &row));
  if (status == MFFT_SUCCESS) status = mfft_field_create(MPI_COMM_WORLD, path, &desc, &file);
  if (status == MFFT_SUCCESS) status = put_columns(r, column, columns, desc.n[0], row, file);
  mfft_free(row);
  if (status == MFFT_SUCCESS) return mfft_field_commit(&file);
  mfft_field_abandon(&file);
  return status;
}
