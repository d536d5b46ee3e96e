/* stored_sums.c: see stored_sums.h. */
#include "field/stored_sums.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "field/attribute.h"
#include "field/names.h"
#include "mfft_field.h"

static const char remedy[] = "write the file again, or remove /Checksum to read it unverified";

/* The name /Checksum/NAME, and whether it exists: 1, 0, or -1 if the file is damaged.  A link to another file counts as
 * existing: opening it gives the error. */
static int find_sums(hid_t file, const char *dataset, char *name, size_t size) {
  hid_t access = mfft_h5_link_access(), group = -1;
  size_t used = (size_t)snprintf(name, size, "/Checksum");
  htri_t there = H5Lexists(file, name, access);
  if (there > 0) group = H5Oopen(file, name, access);
  if (group >= 0 && H5Iget_type(group) != H5I_GROUP) there = 0;
  if (there > 0 && group < 0 && !mfft_h5_met_external()) there = -1;
  mfft_h5_close(group);
  const char *part = dataset;
  for (size_t length; there > 0 && (length = mfft_names_part(&part)) > 0; part += length) {
    used += (size_t)snprintf(name + used, size - used, "/%.*s", (int)length, part);
    there = H5Lexists(file, name, access);
    if (mfft_h5_met_external()) there = 1;
  }
  mfft_h5_close(access);
  return there;
}

/* Whether the checksums have the formula of sums.h: 1, 0, or -1 if that cannot be read. */
static int is_known(hid_t file, const char *path, const char *name, mfft_status *status) {
  hid_t object;
  double version[3] = {0};
  *status = mfft_names_open(file, path, name, &object);
  if (*status != MFFT_SUCCESS) return -1;
  int count = mfft_attribute_numbers(object, "version", version);
  mfft_h5_close(object);
  if (count < 0) {
    *status = mfft_fail(MFFT_ERR_CORRUPT, "%s: the version of the checksums %s cannot be read; %s", path, name, remedy);
    return -1;
  }
  return count == 1 && version[0] == MFFT_SUMS_VERSION;
}

/* The division into slabs that the checksums were made for; count 0 if they do not fit the dataset. */
static mfft_slabs cut_of(hid_t object, const mfft_dataset *data, const int64_t n[3]) {
  double depth[3] = {0};
  mfft_slabs slabs = {.count = 0};
  if (mfft_attribute_numbers(object, "depth", depth) == 1 && depth[0] >= 1 && depth[0] < 0x1p53)
    slabs = mfft_slabs_of(n, (int64_t)depth[0]);
  if (slabs.count < 1 || slabs.count > MFFT_SLAB_MOST + 1 || slabs.count != data->n[0]) slabs.count = 0;
  return slabs;
}

mfft_status mfft_stored_sums(const mfft_h5_file *file, const char *dataset, const int64_t n[3], mfft_slabs *slabs,
                             uint64_t **sums) {
  const char *path = file->path;
  char name[MFFT_FIELD_NAME_BYTES + 16];
  mfft_status status = MFFT_SUCCESS;
  int there = find_sums(file->id, dataset, name, sizeof name);
  if (there < 0) return mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: the checksums of %s cannot be found", path, dataset);
  if (there == 0) return MFFT_SUCCESS;
  int known = is_known(file->id, path, name, &status);
  if (known == 0)
    mfft_log(MFFT_LOG_WARNING, "%s: the checksums of %s are of a kind that this version does not support: not verified",
             path, dataset);
  if (known <= 0) return status;

  hid_t object = -1;
  mfft_dataset data;
  mfft_slabs cut;
  uint64_t *read = NULL;
  MFFT_GOTO(done, mfft_open_dataset(file, name, MFFT_DATASET_SUMS, H5P_DEFAULT, &object, &data));
  cut = cut_of(object, &data, n);
  if (!cut.count) {
    status = mfft_fail(MFFT_ERR_CORRUPT, "%s: the checksums of %s do not fit the dataset; %s", path, dataset, remedy);
    goto done;
  }
  read = malloc((size_t)cut.count * sizeof *read); /* [cut.count] */
  if (!read) {
    status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %" PRId64 " checksums", cut.count);
    goto done;
  }
  if (H5Dread(object, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) < 0) {
    status = mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: the checksums of %s cannot be read", path, dataset);
    goto done;
  }
  *slabs = cut;
  *sums = read;
  read = NULL;
done:
  free(read);
  mfft_h5_close(object);
  return status;
}
