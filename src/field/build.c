/* build.c: the structure of a new file.  Format 1.10, whose metadata carry checksums; space allocated at once, never filled;
 * no times, so that equal fields make equal files. */
#include "field/build.h"

#include <stdio.h>
#include <string.h>

#include "field/attribute.h"
#include "field/convert.h"
#include "field/posix.h"

enum { PAGE_BYTES = 4096, LARGE_ALIGNMENT = 1 << 20, LARGE_BYTES = 1 << 26, METADATA_BYTES = 1 << 16 };

static int64_t alignment(int64_t dataset_bytes) { return dataset_bytes >= LARGE_BYTES ? LARGE_ALIGNMENT : PAGE_BYTES; }

int64_t mfft_build_bound(const mfft_field_desc *desc, const mfft_slabs *slabs) {
  int64_t values = slabs->elements * mfft_value_bytes(desc->precision), sums = slabs->count * (int64_t)sizeof(uint64_t);
  return METADATA_BYTES + desc->dataset_count * (values + sums + 2 * alignment(values) + METADATA_BYTES / 16) +
         desc->attribute_count * 1024;
}

static hid_t create_file(const char *name, int64_t dataset_bytes) {
  hid_t access = mfft_h5_file_access(0); /* the partial file has a lock of its own */
  hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  hid_t file = -1;
  if (access >= 0 && creation >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0 &&
      H5Pset_alignment(access, PAGE_BYTES, (hsize_t)alignment(dataset_bytes)) >= 0 &&
      H5Pset_obj_track_times(creation, 0) >= 0)
    file = H5Fcreate(name, H5F_ACC_TRUNC, creation, access);
  mfft_h5_close(creation);
  mfft_h5_close(access);
  return file;
}

/* Creates the group `name` below `parent` if it is not there. */
static hid_t make_group(hid_t parent, const char *name) {
  if (H5Lexists(parent, name, H5P_DEFAULT) > 0) return H5Gopen2(parent, name, H5P_DEFAULT);
  hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_obj_track_times(creation, 0);
  hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, creation, H5P_DEFAULT);
  mfft_h5_close(creation);
  return group;
}

/* A contiguous dataset with its space, at a path below `parent` whose groups are made where they are missing. */
static hid_t make_dataset(hid_t parent, const char *path, hid_t type, int rank, const int64_t *n) {
  char part[MFFT_FIELD_NAME_BYTES];
  hid_t group = parent;
  while (group >= 0) {
    while (*path == '/') path++;
    const char *slash = strchr(path, '/');
    if (!slash) break;
    snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
    hid_t next = make_group(group, part);
    if (group != parent) mfft_h5_close(group);
    group = next;
    path = slash;
  }
  hsize_t dims[3] = {1, 1, 1}; /* [rank] */
  for (int axis = 0; axis < rank; axis++) dims[axis] = (hsize_t)n[axis];
  hid_t space = H5Screate_simple(rank, dims, NULL), creation = H5Pcreate(H5P_DATASET_CREATE), object = -1;
  if (group >= 0 && H5Pset_layout(creation, H5D_CONTIGUOUS) >= 0 && H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY) >= 0 &&
      H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER) >= 0 && H5Pset_obj_track_times(creation, 0) >= 0)
    object = H5Dcreate2(group, path, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  mfft_h5_close(creation);
  mfft_h5_close(space);
  if (group != parent) mfft_h5_close(group);
  return object;
}

/* What the dataset and the header have in common. */
static mfft_status put_attributes(hid_t object, const mfft_field_desc *desc, const char *units) {
  if (desc->box_size[0] > 0) MFFT_TRY(mfft_attribute_put_doubles(object, "BoxSize", desc->box_size, desc->rank));
  MFFT_TRY(mfft_attribute_put_integers(object, "Nmesh", desc->n, desc->rank));
  if (desc->has_redshift) MFFT_TRY(mfft_attribute_put_doubles(object, "Redshift", &desc->redshift, 1));
  if (units && units[0]) MFFT_TRY(mfft_attribute_put_text(object, "units", units));
  return MFFT_SUCCESS;
}

/* The units that all datasets have, or NULL. */
static const char *common_units(const mfft_field_desc *desc) {
  const char *first = desc->dataset[0].units;
  for (int i = 0; i < desc->dataset_count; i++) {
    const char *units = desc->dataset[i].units;
    if (!first || !units || strcmp(first, units) != 0) return NULL;
  }
  return first;
}

static mfft_status build_header(hid_t file, const mfft_field_desc *desc) {
  hid_t header = make_group(file, "Header");
  mfft_status status = header >= 0 ? MFFT_SUCCESS : mfft_h5_fail(MFFT_ERR_IO, "making /Header");
  if (status == MFFT_SUCCESS) status = put_attributes(header, desc, common_units(desc));
  if (status == MFFT_SUCCESS && desc->box_size[0] > 0)
    status = mfft_attribute_put_doubles(header, "Boxsize", desc->box_size, desc->rank);
  for (int i = 0; i < desc->attribute_count && status == MFFT_SUCCESS; i++)
    status = mfft_attribute_put_doubles(header, desc->attribute[i].name, &desc->attribute[i].value, 1);
  mfft_h5_close(header);
  return status;
}

static mfft_status build_dataset(hid_t file, hid_t sums_group, const mfft_field_desc *desc, int index,
                                 const mfft_slabs *slabs, mfft_extent *extent) {
  const char *name = desc->dataset[index].name;
  mfft_status status = MFFT_SUCCESS;
  const int64_t version = MFFT_SUMS_VERSION;
  hid_t sums = -1;
  hid_t values =
      make_dataset(file, name, desc->precision == MFFT_SINGLE ? H5T_IEEE_F32LE : H5T_IEEE_F64LE, desc->rank, desc->n);
  if (values >= 0) sums = make_dataset(sums_group, name, H5T_STD_U64LE, 1, &slabs->count);
  if (values < 0 || sums < 0) {
    status = mfft_h5_fail(MFFT_ERR_IO, "making dataset %s", name);
    goto done;
  }
  MFFT_GOTO(done, put_attributes(values, desc, desc->dataset[index].units));
  MFFT_GOTO(done, mfft_attribute_put_integers(sums, "version", &version, 1));
  MFFT_GOTO(done, mfft_attribute_put_integers(sums, "depth", &slabs->depth, 1));
  haddr_t at = H5Dget_offset(values), sums_at = H5Dget_offset(sums);
  if (at == HADDR_UNDEF || sums_at == HADDR_UNDEF)
    status = mfft_h5_fail(MFFT_ERR_IO, "allocating dataset %s", name);
  else
    *extent = (mfft_extent){(int64_t)at, (int64_t)sums_at};
done:
  mfft_h5_close(sums);
  mfft_h5_close(values);
  return status;
}

mfft_status mfft_build_file(const char *name, const mfft_field_desc *desc, const mfft_slabs *slabs, mfft_extent *extent) {
  mfft_h5_manners manners;
  mfft_h5_enter(&manners);
  mfft_status status = MFFT_SUCCESS;
  hid_t sums_group = -1;
  hid_t file = create_file(name, slabs->elements * mfft_value_bytes(desc->precision));
  if (file >= 0) sums_group = make_group(file, "Checksum");
  if (sums_group < 0) {
    status = mfft_h5_fail(MFFT_ERR_IO, "starting an HDF5 file");
    goto done;
  }
  MFFT_GOTO(done, build_header(file, desc));
  for (int i = 0; i < desc->dataset_count; i++) MFFT_GOTO(done, build_dataset(file, sums_group, desc, i, slabs, &extent[i]));
done:
  mfft_h5_close(sums_group);
  if (file >= 0 && H5Fclose(file) < 0 && status == MFFT_SUCCESS) status = mfft_h5_fail(MFFT_ERR_IO, "closing an HDF5 file");
  if (status != MFFT_SUCCESS) mfft_fail_context(status, "%.200s", name);
  mfft_h5_leave(&manners);
  return status;
}

mfft_status mfft_build_partial(const char *path, const mfft_field_desc *desc, const mfft_slabs *slabs, mfft_partial *partial,
                               mfft_extent *extent, int64_t *bytes) {
  MFFT_TRY(mfft_partial_begin(path, partial));
  /* Before HDF5 meets the file, since a failing write inside HDF5 1.10 can end in a crash when the process exits; and after
   * it, since it begins by emptying the file. */
  MFFT_TRY(mfft_posix_reserve(partial->fd, mfft_build_bound(desc, slabs), partial->name));
  MFFT_TRY(mfft_build_file(partial->name, desc, slabs, extent));
  MFFT_TRY(mfft_posix_size(partial->name, bytes));
  return mfft_posix_reserve(partial->fd, *bytes, partial->name);
}
