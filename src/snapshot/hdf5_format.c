/* hdf5_format.c: one file of a GADGET HDF5 snapshot. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field/attribute.h"
#include "field/names.h"
#include "field/stored_sums.h"
#include "snapshot/format.h"
#include "snapshot/units.h"

/* HDF5 searches for its signature itself: at byte 0, 512, 1024, 2048 ..., wherever a user block may end. */
static int is_hdf5(const mfft_snap_start *start) {
  mfft_h5_settings settings;
  mfft_h5_enter(&settings);
  const htri_t is = H5Fis_hdf5(start->path);
  mfft_h5_leave(&settings);
  return is > 0;
}

/* ---- The header ------------------------------------------------------------------------------------------------------- */

/* Reads a list of numbers of /Header; *count 0: there is none. */
static mfft_status list(const char *path, hid_t header, const char *name, double *value, int *count) {
  *count = mfft_attribute_list(header, name, value, MFFT_SNAPSHOT_TYPES);
  if (*count >= 0) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_CORRUPT, "%s: attribute %s of /Header cannot be read; copy the file again from its source", path,
                   name);
}

/* Reads a list of whole numbers for the types; missing values are 0.  *count 0: there is none. */
static mfft_status whole_list(const char *path, hid_t header, const char *name, int64_t *whole /* [types] */, int types,
                              int *count) {
  double value[MFFT_SNAPSHOT_TYPES] = {0};
  MFFT_TRY(list(path, header, name, value, count));
  for (int type = 0; type < types; type++) {
    if (!(value[type] >= 0 && value[type] <= 0x1p53 && value[type] == floor(value[type])))
      return mfft_fail(MFFT_ERR_CORRUPT, "%s: %s[%d] in /Header is %.17g, which is no number of particles", path, name, type,
                       value[type]);
    whole[type] = (int64_t)value[type];
  }
  return MFFT_SUCCESS;
}

static mfft_status read_counts(const char *path, hid_t group, mfft_snap_header *header) {
  mfft_snapshot_info *info = &header->info;
  int64_t high[MFFT_SNAPSHOT_TYPES] = {0};
  double any[MFFT_SNAPSHOT_TYPES];
  int count;
  MFFT_TRY(list(path, group, "NumPart_ThisFile", any, &info->types));
  if (!info->types)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "%s: /Header has no NumPart_ThisFile of 1 to %d numbers; name a snapshot in GADGET's HDF5 layout", path,
                     MFFT_SNAPSHOT_TYPES);
  MFFT_TRY(whole_list(path, group, "NumPart_ThisFile", header->here, info->types, &count));
  MFFT_TRY(whole_list(path, group, "NumPart_Total", info->count, info->types, &count));
  if (!count) memcpy(info->count, header->here, sizeof info->count);
  MFFT_TRY(whole_list(path, group, "NumPart_Total_HighWord", high, info->types, &count));
  for (int type = 0; type < info->types; type++) /* a total of 64 bits needs no high word */
    if (info->count[type] < INT64_C(1) << 32 && high[type] < INT64_C(1) << 20) info->count[type] += high[type] << 32;
  return MFFT_SUCCESS;
}

/* Reads one number of /Header, or `fallback` if there is none. */
static mfft_status one(const char *path, hid_t header, const char *name, double fallback, double *value) {
  double all[MFFT_SNAPSHOT_TYPES];
  int count;
  MFFT_TRY(list(path, header, name, all, &count));
  *value = count ? all[0] : fallback;
  return MFFT_SUCCESS;
}

static mfft_status read_rest(const char *path, hid_t group, mfft_snapshot_info *info) {
  double mass[MFFT_SNAPSHOT_TYPES] = {0}, box[MFFT_SNAPSHOT_TYPES] = {0}, files;
  int count;
  MFFT_TRY(list(path, group, "MassTable", mass, &count));
  memcpy(info->mass, mass, (size_t)info->types * sizeof *mass);
  MFFT_TRY(list(path, group, "BoxSize", box, &count));
  for (int axis = 0; axis < 3; axis++) info->box_size[axis] = box[count == 3 ? axis : 0];
  MFFT_TRY(one(path, group, "NumFilesPerSnapshot", 1, &files));
  if (files == 0) files = 1; /* as GADGET takes it */
  info->files = files >= 1 && files <= INT_MAX ? (int)files : 0;
  MFFT_TRY(one(path, group, "Redshift", 0, &info->redshift));
  MFFT_TRY(one(path, group, "Time", info->redshift > -1 ? 1 / (1 + info->redshift) : 1, &info->time));
  MFFT_TRY(one(path, group, "ExpansionFactor", info->time, &info->time)); /* of EAGLE */
  MFFT_TRY(one(path, group, "Scale-factor", info->time, &info->time));    /* SWIFT's Time is in its unit of time */
  return one(path, group, "Redshift", info->time > 0 ? 1 / info->time - 1 : 0, &info->redshift);
}

/* Opens a group that may be missing; a link to another file counts as missing. */
static hid_t open_group(hid_t file, const char *name) {
  hid_t access = mfft_h5_link_access(), group = -1;
  if (H5Lexists(file, name, access) > 0) group = H5Oopen(file, name, access);
  (void)mfft_h5_met_external();
  mfft_h5_close(access);
  return group;
}

static mfft_status read_header(const char *path, mfft_snap_header *header) {
  mfft_h5_settings settings;
  mfft_h5_file file;
  hid_t group[4] = {-1, -1, -1, -1}; /* /Header and the groups that define units */
  static const char *const name[4] = {"Header", "Parameters", "Units", "Cosmology"};
  mfft_status status;
  memset(header, 0, sizeof *header);
  mfft_snapshot_info_init(&header->info);
  header->info.format = MFFT_SNAPSHOT_HDF5;
  mfft_h5_enter(&settings);
  MFFT_GOTO(done, mfft_open_file(path, &file));
  MFFT_GOTO(done, mfft_names_open(file.id, path, name[0], &group[0]));
  for (int i = 1; i < 4; i++) group[i] = open_group(file.id, name[i]);
  MFFT_GOTO(done, read_counts(path, group[0], header));
  MFFT_GOTO(done, read_rest(path, group[0], &header->info));
  MFFT_GOTO(done, mfft_snap_units(path, group[0], group[1], group[2], group[3], &header->info));
  status = mfft_snap_check_header(path, header);
done:
  for (int i = 3; i >= 0; i--) mfft_h5_close(group[i]);
  mfft_h5_close(file.id);
  mfft_h5_leave(&settings);
  return status;
}

/* ---- Columns ---------------------------------------------------------------------------------------------------------- */

enum { MOST_COMPONENTS = 4096 };

static mfft_status open_column(const mfft_h5_file *file, const mfft_snap_header *header, int type, const char *name,
                               hid_t *object, mfft_dataset *data) {
  MFFT_TRY(mfft_open_dataset(file, name, MFFT_DATASET_COLUMN, H5P_DEFAULT, object, data));
  if (data->n[0] == header->here[type] && data->n[1] <= MOST_COMPONENTS) return MFFT_SUCCESS;
  mfft_h5_close(*object);
  *object = -1;
  if (data->n[1] > MOST_COMPONENTS)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: %s has %" PRId64 " numbers for each particle; at most %d can be read",
                     file->path, name, data->n[1], MOST_COMPONENTS);
  return mfft_fail(MFFT_ERR_CORRUPT,
                   "%s: %s has the values of %" PRId64 " particles, and /Header says %" PRId64
                   "; copy the file again from its source",
                   file->path, name, data->n[0], header->here[type]);
}

static mfft_status look_column(const char *path, const mfft_snap_header *header, int type, const char *name,
                               mfft_source *source, uint64_t **sums) {
  mfft_h5_settings settings;
  mfft_h5_file file = {.id = -1};
  hid_t object = -1;
  mfft_dataset data;
  mfft_source found = {.kind = MFFT_DATASET_COLUMN};
  mfft_status status;
  mfft_field_info_init(&found.info);
  snprintf(found.info.dataset, sizeof found.info.dataset, "PartType%d/%s", type, name);
  mfft_h5_enter(&settings);
  MFFT_GOTO(done, mfft_open_file(path, &file));
  MFFT_GOTO(done, open_column(&file, header, type, found.info.dataset, &object, &data));
  found.file_bytes = file.bytes;
  mfft_source_keep(&data, &found);
  MFFT_GOTO(done, mfft_stored_sums(&file, found.info.dataset, found.info.n, &found.slabs, sums));
  found.info.checksummed = found.slabs.count > 0;
  *source = found;
done:
  mfft_h5_close(object);
  mfft_h5_close(file.id);
  mfft_h5_leave(&settings);
  return status;
}

/* State of listing the names of a group. */
typedef struct names {
  char (*name)[MFFT_SNAPSHOT_NAME_BYTES]; /* [MOST_NAMES] */
  int count;
} names;
enum { MOST_NAMES = 256 };

static herr_t keep_name(hid_t group, const char *name, const H5L_info_t *link, void *data) {
  (void)group;
  names *found = data;
  if (link->type != H5L_TYPE_HARD && link->type != H5L_TYPE_SOFT) return 0;
  if (found->count < MOST_NAMES && strlen(name) < MFFT_SNAPSHOT_NAME_BYTES) strcpy(found->name[found->count++], name);
  return 0;
}

static mfft_status list_names(const mfft_h5_file *file, const char *group_path, names *found) {
  hid_t group;
  hsize_t at = 0;
  MFFT_TRY(mfft_names_open(file->id, file->path, group_path, &group));
  mfft_status status = MFFT_SUCCESS;
  if (H5Iget_type(group) != H5I_GROUP)
    status = mfft_fail(MFFT_ERR_CORRUPT, "%s: %s is not a group; give a snapshot", file->path, group_path);
  else if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &at, keep_name, found) < 0)
    status = mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: the contents of %s cannot be read; copy the file again from its source",
                          file->path, group_path);
  mfft_h5_close(group);
  return status;
}

/* Adds one dataset to the list, if it is a column. */
static void add_column(const mfft_h5_file *file, const mfft_snap_header *header, int type, const char *name,
                       mfft_snapshot_column *column, int most, int *count) {
  char group_path[MFFT_SNAPSHOT_NAME_BYTES + 16];
  hid_t object = -1;
  mfft_dataset data;
  snprintf(group_path, sizeof group_path, "PartType%d/%s", type, name);
  if (open_column(file, header, type, group_path, &object, &data) == MFFT_SUCCESS) {
    if (*count < most) {
      mfft_snapshot_column *c = &column[*count];
      *c = (mfft_snapshot_column){.type = type, .components = (int)data.n[1]};
      c->number = mfft_snap_number(data.number, data.element_bytes);
      strcpy(c->name, name);
    }
    ++*count;
  }
  mfft_h5_close(object);
}

static mfft_status list_columns(const char *path, const mfft_snap_header *header, int type, mfft_snapshot_column *column,
                                int most, int *count) {
  mfft_h5_settings settings;
  mfft_h5_file file = {.id = -1};
  names found = {.name = malloc(MOST_NAMES * sizeof *found.name)};
  char group_path[32];
  mfft_status status = MFFT_SUCCESS;
  *count = 0;
  snprintf(group_path, sizeof group_path, "PartType%d", type);
  mfft_h5_enter(&settings);
  if (!found.name) MFFT_GOTO(done, mfft_fail(MFFT_ERR_MEMORY, "no memory for the names of columns"));
  MFFT_GOTO(done, mfft_open_file(path, &file));
  MFFT_GOTO(done, list_names(&file, group_path, &found));
  for (int i = 0; i < found.count; i++) add_column(&file, header, type, found.name[i], column, most, count);
done:
  mfft_h5_close(file.id);
  mfft_h5_leave(&settings);
  free(found.name);
  return status;
}

const mfft_snap_format mfft_snap_hdf5 = {is_hdf5, read_header, look_column, list_columns};
