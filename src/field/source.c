/* source.c: looking at a dataset of any program and refusing what cannot be read, before anything is allocated. */
#include "field/source.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field/attribute.h"
#include "field/convert.h"
#include "field/names.h"
#include "field/posix.h"

/* A file of b bytes cannot hold more than this times b bytes of values: deflate packs 1032 to 1. */
enum { MOST_PACKED = 2048 };

mfft_status mfft_source_open(const char *path, const char *dataset, hid_t access, hid_t *file, hid_t *object) {
  *file = *object = -1;
  int64_t bytes;
  MFFT_TRY(mfft_posix_size(path, &bytes));
  if (bytes == 0) return mfft_fail(MFFT_ERR_CORRUPT, "%s is empty; copy it again from its source", path);

  hid_t file_access = mfft_h5_file_access(1);
  *file = H5Fopen(path, H5F_ACC_RDONLY, file_access);
  htri_t is_hdf5 = *file < 0 ? H5Fis_hdf5(path) : 1;
  mfft_h5_close(file_access);
  if (is_hdf5 == 0)
    return mfft_fail(MFFT_ERR_CORRUPT, "%s is not an HDF5 file, or its beginning is damaged; name an HDF5 file", path);
  if (*file < 0) {
    file_access = mfft_h5_file_access(1);
    *file = H5Fopen(path, H5F_ACC_RDONLY, file_access); /* again, for the reason that H5Fis_hdf5 has wiped away */
    mfft_h5_close(file_access);
    if (*file < 0)
      return mfft_h5_fail(
          MFFT_ERR_CORRUPT,
          "%s of %" PRId64
          " bytes cannot be opened: it is damaged, cut short or being written; copy it again from its source",
          path, bytes);
  }
  if (!dataset) return MFFT_SUCCESS;
  mfft_status status = MFFT_SUCCESS;
  *object = H5Dopen2(*file, dataset, access);
  if (*object < 0) {
    status = mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: dataset %s cannot be opened", path, dataset);
    mfft_h5_close(*file);
    *file = -1;
  }
  return status;
}

static mfft_status look_type(hid_t object, const char *path, mfft_source *source) {
  static const char *const class_name[] = {
      "integers",     "floating-point numbers", "times", "text", "bit fields", "opaque data", "compounds", "references",
      "enumerations", "variable-length data",   "arrays"}; /* [H5T_class_t] */
  mfft_field_info *info = &source->info;
  hid_t type = H5Dget_type(object);
  if (type < 0) return mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: the type of %s cannot be read", path, info->dataset);
  const struct {
    hid_t type;
    mfft_precision precision;
    int big_endian;
  } known[] = {{H5T_IEEE_F32LE, MFFT_SINGLE, 0},
               {H5T_IEEE_F64LE, MFFT_DOUBLE, 0},
               {H5T_IEEE_F32BE, MFFT_SINGLE, 1},
               {H5T_IEEE_F64BE, MFFT_DOUBLE, 1}};
  mfft_status status = MFFT_ERR_UNSUPPORTED;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (H5Tequal(type, known[i].type) > 0) {
      info->precision = known[i].precision;
      info->big_endian = known[i].big_endian;
      source->element_bytes = mfft_value_bytes(info->precision);
      status = MFFT_SUCCESS;
    }
  if (status != MFFT_SUCCESS) {
    int class = (int)H5Tget_class(type), named = class >= 0 && class < (int)(sizeof class_name / sizeof *class_name);
    mfft_fail(status, "%s: dataset %s holds %s of %zu bytes; only IEEE float and double can be read, convert it", path,
              info->dataset, named ? class_name[class] : "data of an unknown type", H5Tget_size(type));
  }
  mfft_h5_close(type);
  return status;
}

static mfft_status look_shape(hid_t object, const char *path, mfft_source *source) {
  mfft_field_info *info = &source->info;
  mfft_status status = MFFT_SUCCESS;
  hsize_t dims[H5S_MAX_RANK]; /* [rank] */
  hid_t space = H5Dget_space(object);
  int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
  if (rank < 0) {
    status = mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: the shape of %s cannot be read", path, info->dataset);
  } else if (H5Sget_simple_extent_type(space) != H5S_SIMPLE || rank < 1 || rank > 3) {
    status =
        mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: dataset %s has rank %d; fields have rank 1 to 3", path, info->dataset, rank);
  } else {
    H5Sget_simple_extent_dims(space, dims, NULL);
    info->rank = rank;
    int64_t values = 1;
    for (int axis = 0; axis < 3; axis++) {
      info->n[axis] = 1;
      if (axis >= rank) continue;
      if (dims[axis] == 0)
        status = mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: dataset %s has length 0 along axis %d", path, info->dataset, axis);
      else if (dims[axis] > (hsize_t)(INT64_MAX / 16 / values))
        status =
            mfft_fail(MFFT_ERR_CORRUPT, "%s: dataset %s claims length %" PRIu64 " along axis %d, more than a file can hold",
                      path, info->dataset, (uint64_t)dims[axis], axis);
      if (status != MFFT_SUCCESS) break;
      info->n[axis] = (int64_t)dims[axis];
      values *= info->n[axis];
    }
  }
  mfft_h5_close(space);
  return status;
}

static mfft_status look_filters(hid_t creation, const char *path, const char *dataset) {
  int filters = H5Pget_nfilters(creation);
  for (int i = 0; i < filters; i++) {
    unsigned flags, config;
    size_t values = 0;
    char name[64] = "";
    H5Z_filter_t filter = H5Pget_filter2(creation, (unsigned)i, &flags, &values, NULL, sizeof name, name, &config);
    if (filter < 0 || H5Zfilter_avail(filter) <= 0)
      return mfft_fail(MFFT_ERR_UNSUPPORTED,
                       "%s: dataset %s is packed with filter %d %s, which needs a plugin; unpack it with h5repack -f NONE",
                       path, dataset, (int)filter, name);
  }
  return MFFT_SUCCESS;
}

/* Whether what is stored of a dataset without filters is whole pieces of it.  HDF5 (1.10.8) reads beyond its buffers where a
 * damaged file claims pieces that are shorter. */
static int is_whole(hid_t creation, H5D_layout_t layout, const mfft_source *source, int64_t stored, int64_t bytes) {
  hsize_t chunk[3]; /* [rank] */
  int64_t piece = source->element_bytes;
  if (layout == H5D_COMPACT) return stored == bytes;
  if (H5Pget_chunk(creation, source->info.rank, chunk) != source->info.rank) return 0;
  for (int axis = 0; axis < source->info.rank; axis++) {
    if (chunk[axis] == 0 || chunk[axis] > (hsize_t)(INT64_MAX / piece)) return 0;
    piece *= (int64_t)chunk[axis];
  }
  return H5Pget_nfilters(creation) != 0 || stored % piece == 0;
}

static mfft_status look_storage(hid_t object, const char *path, mfft_source *source) {
  mfft_field_info *info = &source->info;
  const char *name = info->dataset;
  int64_t bytes = info->n[0] * info->n[1] * info->n[2] * source->element_bytes;
  mfft_status status = MFFT_SUCCESS;
  hid_t creation = H5Dget_create_plist(object);
  if (creation < 0) return mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: the layout of %s cannot be read", path, name);

  H5D_layout_t layout = H5Pget_layout(creation);
  int64_t stored = (int64_t)H5Dget_storage_size(object);
  source->offset = -1;
  if (H5Pget_external_count(creation) > 0) {
    status =
        mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: dataset %s keeps its values in other files; copy it with h5repack", path, name);
  } else if (layout == H5D_CONTIGUOUS) {
    haddr_t offset = H5Dget_offset(object);
    if (offset == HADDR_UNDEF)
      status = mfft_fail(MFFT_ERR_CORRUPT, "%s: dataset %s was never written; make the file again", path, name);
    else if (stored != bytes || (int64_t)offset < 0 || (int64_t)offset > source->file_bytes - bytes)
      status = mfft_fail(MFFT_ERR_CORRUPT,
                         "%s: the file has %" PRId64 " bytes, but dataset %s takes %" PRId64 " at %" PRIu64
                         "; copy it again from its source",
                         path, source->file_bytes, name, bytes, (uint64_t)offset);
    else
      source->offset = (int64_t)offset;
  } else if (layout == H5D_CHUNKED || layout == H5D_COMPACT) {
    status = look_filters(creation, path, name);
    if (status == MFFT_SUCCESS && !is_whole(creation, layout, source, stored, bytes))
      status = mfft_fail(MFFT_ERR_CORRUPT,
                         "%s: dataset %s takes %" PRId64 " bytes in the file, which are not whole pieces of its %" PRId64
                         "; copy it again from its source",
                         path, name, stored, bytes);
    if (status == MFFT_SUCCESS && bytes / MOST_PACKED > source->file_bytes)
      status = mfft_fail(MFFT_ERR_CORRUPT,
                         "%s: dataset %s claims %" PRId64 " bytes of values, more than a file of %" PRId64 " can hold", path,
                         name, bytes, source->file_bytes);
  } else {
    status = mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: dataset %s is %s; copy it with h5repack", path, name,
                       layout == H5D_VIRTUAL ? "virtual, its values are in other files" : "stored in an unknown way");
  }
  info->contiguous = source->offset >= 0;
  mfft_h5_close(creation);
  return status;
}

/* An attribute of the dataset, else of /Header. */
static int find_numbers(hid_t object, hid_t header, const char *name, double value[3]) {
  int count = mfft_attribute_numbers(object, name, value);
  if (!count && header >= 0) count = mfft_attribute_numbers(header, name, value);
  return count;
}

static void look_attributes(hid_t object, hid_t header, mfft_field_info *info) {
  double value[3]; /* [axis] */
  int count = find_numbers(object, header, "BoxSize", value);
  if (!count) count = find_numbers(object, header, "Boxsize", value);
  if (count == 1 || count == info->rank) {
    info->has_box_size = 1;
    for (int axis = 0; axis < info->rank; axis++) {
      info->box_size[axis] = value[count == 1 ? 0 : axis];
      if (!(info->box_size[axis] > 0 && isfinite(info->box_size[axis]))) info->has_box_size = 0;
    }
    if (!info->has_box_size) memset(info->box_size, 0, sizeof info->box_size);
  }
  if (find_numbers(object, header, "Redshift", value) == 1 && isfinite(value[0])) {
    info->has_redshift = 1;
    info->redshift = value[0];
  }
  if (!mfft_attribute_text(object, "units", info->units, sizeof info->units) && header >= 0)
    mfft_attribute_text(header, "units", info->units, sizeof info->units);
}

mfft_status mfft_source_look(const char *path, const char *dataset, mfft_source *source, uint64_t **sums) {
  mfft_h5_manners manners;
  mfft_h5_enter(&manners);
  mfft_source found = {.offset = -1, .sums_offset = -1};
  uint64_t *found_sums = NULL;
  hid_t file = -1, object = -1, header = -1, none, access = mfft_h5_link_access();
  mfft_status status;
  mfft_field_info_init(&found.info);

  MFFT_GOTO(done, mfft_posix_size(path, &found.file_bytes));
  MFFT_GOTO(done, mfft_source_open(path, NULL, H5P_DEFAULT, &file, &none));
  if (dataset && dataset[0]) {
    if (strlen(dataset) >= sizeof found.info.dataset) {
      status = mfft_fail(MFFT_ERR_ARG, "%s: the name of a dataset has %zu bytes; at most %zu can be used", path,
                         strlen(dataset), sizeof found.info.dataset - 1);
      goto done;
    }
    strcpy(found.info.dataset, dataset);
  } else {
    MFFT_GOTO(done, mfft_names_only(file, path, found.info.dataset, sizeof found.info.dataset));
  }
  MFFT_GOTO(done, mfft_names_open(file, path, found.info.dataset, &object));
  if (H5Iget_type(object) != H5I_DATASET) {
    status = mfft_fail(MFFT_ERR_ARG, "%s: %s is a %s; name a dataset in it", path, found.info.dataset,
                       H5Iget_type(object) == H5I_GROUP ? "group" : "named type");
    goto done;
  }
  MFFT_GOTO(done, look_type(object, path, &found));
  MFFT_GOTO(done, look_shape(object, path, &found));
  MFFT_GOTO(done, look_storage(object, path, &found));
  htri_t has_header = H5Lexists(file, "Header", access);
  if (has_header > 0) header = H5Oopen(file, "Header", access);
  if (has_header < 0 || (has_header > 0 && header < 0 && !mfft_h5_met_external())) {
    status = mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: /Header cannot be opened; copy the file again from its source", path);
    goto done;
  }
  look_attributes(object, header, &found.info);
  MFFT_GOTO(done, mfft_source_sums(file, path, &found, &found_sums));

  *source = found;
  *sums = found_sums;
  found_sums = NULL;
done:
  free(found_sums);
  mfft_h5_close(header);
  mfft_h5_close(object);
  mfft_h5_close(file);
  mfft_h5_close(access);
  mfft_h5_leave(&manners);
  return status;
}
