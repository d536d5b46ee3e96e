/* structure.c: see structure.h. */
#include "field/structure.h"

#include <stdio.h>
#include <string.h>

#include "field/attribute.h"
#include "field/posix.h"
#include "mfft_field.h"

enum { PAGE_BYTES = 4096, LARGE_ALIGNMENT = 1 << 20, LARGE_BYTES = 1 << 26 };

int64_t mfft_structure_alignment(int64_t dataset_bytes) {
  return dataset_bytes >= LARGE_BYTES ? LARGE_ALIGNMENT : PAGE_BYTES;
}

hid_t mfft_structure_file(const char *name, int64_t dataset_bytes) {
  hid_t access = mfft_h5_file_access(0); /* the partial file has a lock of its own */
  hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  hid_t file = -1;
  if (access >= 0 && creation >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0 &&
      H5Pset_alignment(access, PAGE_BYTES, (hsize_t)mfft_structure_alignment(dataset_bytes)) >= 0 &&
      H5Pset_obj_track_times(creation, 0) >= 0)
    file = H5Fcreate(name, H5F_ACC_TRUNC, creation, access);
  mfft_h5_close(creation);
  mfft_h5_close(access);
  return file;
}

hid_t mfft_structure_group(hid_t parent, const char *name) {
  if (H5Lexists(parent, name, H5P_DEFAULT) > 0) return H5Gopen2(parent, name, H5P_DEFAULT);
  hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_obj_track_times(creation, 0);
  hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, creation, H5P_DEFAULT);
  mfft_h5_close(creation);
  return group;
}

hid_t mfft_structure_dataset(hid_t parent, const char *path, hid_t type, int rank, const int64_t *n) {
  char part[MFFT_FIELD_NAME_BYTES];
  hid_t group = parent;
  while (group >= 0) {
    while (*path == '/') path++;
    const char *slash = strchr(path, '/');
    if (!slash) break;
    snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
    hid_t next = mfft_structure_group(group, part);
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

mfft_status mfft_structure_extent(hid_t values, hid_t sums, const char *name, const mfft_slabs *slabs,
                                  mfft_file_extent *extent) {
  const int64_t version = MFFT_SUMS_VERSION;
  MFFT_TRY(mfft_attribute_put_integers(sums, "version", &version, 1));
  MFFT_TRY(mfft_attribute_put_integers(sums, "depth", &slabs->depth, 1));
  const haddr_t at = H5Dget_offset(values), sums_at = H5Dget_offset(sums);
  if (at == HADDR_UNDEF || sums_at == HADDR_UNDEF) return mfft_h5_fail(MFFT_ERR_IO, "allocating dataset %s", name);
  *extent = (mfft_file_extent){(int64_t)at, (int64_t)sums_at};
  return MFFT_SUCCESS;
}

mfft_status mfft_structure_make(const char *name, int64_t dataset_bytes, mfft_structure_content *content,
                                const void *context, mfft_file_extent *extent) {
  mfft_h5_settings settings;
  mfft_h5_enter(&settings);
  hid_t file = mfft_structure_file(name, dataset_bytes), sums = -1;
  if (file >= 0) sums = mfft_structure_group(file, "Checksum");
  mfft_status status = sums >= 0 ? content(file, sums, context, extent) : mfft_h5_fail(MFFT_ERR_IO, "starting an HDF5 file");
  mfft_h5_close(sums);
  if (file >= 0 && H5Fclose(file) < 0 && status == MFFT_SUCCESS) status = mfft_h5_fail(MFFT_ERR_IO, "closing an HDF5 file");
  if (status != MFFT_SUCCESS) mfft_fail_context(status, "%.200s", name);
  mfft_h5_leave(&settings);
  return status;
}

mfft_status mfft_structure_partial(const char *path, int64_t bound, int64_t dataset_bytes, mfft_structure_content *content,
                                   const void *context, mfft_partial *partial, mfft_file_extent *extent, int64_t *bytes) {
  MFFT_TRY(mfft_partial_begin(path, partial));
  /* Before HDF5 opens the file, since a failing write inside HDF5 1.10 can end in a crash when the process exits; and after
   * it, since HDF5 truncates the file first. */
  MFFT_TRY(mfft_posix_reserve(partial->fd, bound, partial->name));
  MFFT_TRY(mfft_structure_make(partial->name, dataset_bytes, content, context, extent));
  MFFT_TRY(mfft_posix_size(partial->name, bytes));
  return mfft_posix_reserve(partial->fd, *bytes, partial->name);
}
