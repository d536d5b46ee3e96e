/* desc.c: see desc.h. */
#include "snapshot/desc.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "comm/compare.h"
#include "snapshot/info.h"
#include "snapshot/numbers.h"

enum { MOST_COLUMNS = 256, MOST_COMPONENTS = 4096 };

static mfft_status check_real(const char *what, double value, int allowed) {
  return isfinite(value) && allowed
             ? MFFT_SUCCESS
             : mfft_fail(MFFT_ERR_ARG, "info.%s is %g; give a finite number in its range", what, value);
}

static mfft_status check_info(const mfft_snapshot_info *info) {
  if (info->types < 1 || info->types > MFFT_SNAPSHOT_TYPES)
    return mfft_fail(MFFT_ERR_ARG, "info.types is %d; give 1 to %d", info->types, MFFT_SNAPSHOT_TYPES);
  for (int type = 0; type < info->types; type++) {
    if (info->count[type] < 0 || info->count[type] > INT64_C(1) << 50)
      return mfft_fail(MFFT_ERR_ARG, "info.count[%d] is %" PRId64 "; give 0 to 2^50", type, info->count[type]);
    MFFT_TRY(check_real("mass", info->mass[type], info->mass[type] >= 0));
  }
  for (int axis = 0; axis < 3; axis++) MFFT_TRY(check_real("box_size", info->box_size[axis], info->box_size[axis] >= 0));
  MFFT_TRY(check_real("time", info->time, 1));
  MFFT_TRY(check_real("redshift", info->redshift, 1));
  MFFT_TRY(check_real("omega_m", info->omega_m, 1));
  MFFT_TRY(check_real("omega_lambda", info->omega_lambda, 1));
  MFFT_TRY(check_real("h", info->h, info->h >= 0));
  MFFT_TRY(check_real("length_mpc_h", info->length_mpc_h, info->length_mpc_h >= 0));
  return check_real("mass_1e10_msun_h", info->mass_1e10_msun_h, info->mass_1e10_msun_h >= 0);
}

static int find(const mfft_snap_desc *desc, int before, int type, const char *name) {
  for (int i = 0; i < before; i++)
    if (desc->column[i].type == type && !strcmp(desc->column[i].name, name)) return i;
  return -1;
}

static mfft_status check_column(const mfft_snap_desc *desc, int index) {
  const mfft_snapshot_column *c = &desc->column[index];
  if (!memchr(c->name, '\0', sizeof c->name) || !c->name[0] || strchr(c->name, '/') || !strcmp(c->name, "."))
    return mfft_fail(MFFT_ERR_ARG, "the name of column %d is empty, too long or has a slash; give 1 to %d bytes", index,
                     MFFT_SNAPSHOT_NAME_BYTES - 1);
  if (c->type < 0 || c->type >= desc->info.types || desc->info.count[c->type] == 0)
    return mfft_fail(MFFT_ERR_ARG, "column %d, %s, is of type %d, of which there are no particles", index, c->name, c->type);
  if (c->components < 1 || c->components > MOST_COMPONENTS)
    return mfft_fail(MFFT_ERR_ARG, "column %s has %d components; give 1 to %d", c->name, c->components, MOST_COMPONENTS);
  if ((int)c->number < 0 || c->number >= MFFT_SNAPSHOT_NUMBER_COUNT)
    return mfft_fail(MFFT_ERR_ARG, "column %s has number %d, which is no mfft_snapshot_number", c->name, (int)c->number);
  if (find(desc, index, c->type, c->name) >= 0)
    return mfft_fail(MFFT_ERR_ARG, "column %s of type %d is in the list twice", c->name, c->type);
  if (!strcmp(c->name, "Coordinates") && c->components != 3)
    return mfft_fail(MFFT_ERR_ARG, "column Coordinates has %d components; it has 3", c->components);
  return MFFT_SUCCESS;
}

static mfft_status check_files(const mfft_snapshot_info *info, int files) {
  int64_t all = 0;
  for (int type = 0; type < info->types; type++) all += info->count[type];
  if (files < 1 || files > MFFT_SNAP_MOST_FILES)
    return mfft_fail(MFFT_ERR_ARG, "files is %d; give 1 to %d", files, MFFT_SNAP_MOST_FILES);
  if (files > 1 && files > all)
    return mfft_fail(MFFT_ERR_ARG, "files is %d, of %" PRId64 " particles; give no more files than particles", files, all);
  return MFFT_SUCCESS;
}

mfft_status mfft_snap_desc_make(const mfft_snapshot_info *info, const mfft_snapshot_column *column, int columns, int files,
                                mfft_snap_desc *desc) {
  memset(desc, 0, sizeof *desc);
  mfft_snapshot_info_init(&desc->info);
  MFFT_TRY(mfft_versioned_take(&mfft_snap_info_versions, info, &desc->info));
  MFFT_TRY(check_info(&desc->info));
  MFFT_TRY(check_files(&desc->info, files));
  desc->files = files;
  if (!column || columns < 1 || columns > MOST_COLUMNS)
    return mfft_fail(MFFT_ERR_ARG, "the list has %d columns; give 1 to %d", column ? columns : 0, MOST_COLUMNS);
  desc->column = malloc((size_t)columns * sizeof *column);
  if (!desc->column) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a list of columns");
  memcpy(desc->column, column, (size_t)columns * sizeof *column);
  desc->columns = columns;
  for (int i = 0; i < columns; i++) MFFT_TRY(check_column(desc, i));
  for (int type = 0; type < desc->info.types; type++) {
    if (desc->info.count[type] == 0) continue;
    if (find(desc, columns, type, "Coordinates") < 0)
      return mfft_fail(MFFT_ERR_ARG, "particles of type %d have no column Coordinates; add it", type);
    if (desc->info.mass[type] == 0 && find(desc, columns, type, "Masses") < 0)
      return mfft_fail(MFFT_ERR_ARG, "particles of type %d have no mass; set info.mass, or add a column Masses", type);
  }
  return MFFT_SUCCESS;
}

void mfft_snap_desc_free(mfft_snap_desc *desc) {
  free(desc->column);
  desc->column = NULL;
}

mfft_status mfft_snap_desc_agree(MPI_Comm comm, const mfft_snap_desc *desc) {
  const mfft_snapshot_info *info = &desc->info;
  const mfft_agree_item items[] = {
      mfft_agree_integer("info.types", info->types),
      mfft_agree_real("info.box_size[0]", info->box_size[0]),
      mfft_agree_real("info.box_size[1]", info->box_size[1]),
      mfft_agree_real("info.box_size[2]", info->box_size[2]),
      mfft_agree_real("info.time", info->time),
      mfft_agree_real("info.redshift", info->redshift),
      mfft_agree_switch("info.has_cosmology", info->has_cosmology),
      mfft_agree_real("info.omega_m", info->omega_m),
      mfft_agree_real("info.omega_lambda", info->omega_lambda),
      mfft_agree_real("info.h", info->h),
      mfft_agree_real("info.length_mpc_h", info->length_mpc_h),
      mfft_agree_real("info.mass_1e10_msun_h", info->mass_1e10_msun_h),
      mfft_agree_integer("the number of columns", desc->columns),
      mfft_agree_integer("files", desc->files),
  };
  MFFT_TRY(mfft_agree_values(comm, items, (int)(sizeof items / sizeof *items)));
  for (int type = 0; type < info->types; type++) {
    const mfft_agree_item of_type[] = {mfft_agree_integer("info.count", info->count[type]),
                                       mfft_agree_real("info.mass", info->mass[type])};
    MFFT_TRY(mfft_agree_values(comm, of_type, 2));
  }
  for (int i = 0; i < desc->columns; i++) {
    const mfft_snapshot_column *c = &desc->column[i];
    const mfft_agree_item of_column[] = {mfft_agree_text("the name of a column", c->name),
                                         mfft_agree_integer("the type of a column", c->type),
                                         mfft_agree_integer("the components of a column", c->components),
                                         mfft_agree_integer("the number of a column", (int64_t)c->number)};
    MFFT_TRY(mfft_agree_values(comm, of_column, 4));
  }
  return MFFT_SUCCESS;
}
