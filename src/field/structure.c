/* structure.c: see structure.h. */
#include "field/structure.h"

#include <stdio.h>
#include <string.h>

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
