/* source_sums.c: the checksums that a file has for a dataset. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/log.h"
#include "field/attribute.h"
#include "field/source.h"

/* The name /Checksum/NAME, and whether it is there: 1, 0, or -1 where the file is damaged. */
static int find_sums(hid_t file, const char *dataset, char *name, size_t size) {
  size_t used = (size_t)snprintf(name, size, "/Checksum");
  H5O_info_t group;
  htri_t there = H5Lexists(file, name, H5P_DEFAULT);
  if (there > 0 && H5Oget_info_by_name(file, name, &group, H5P_DEFAULT) < 0) there = -1;
  if (there > 0 && group.type != H5O_TYPE_GROUP) there = 0;
  for (const char *part = dataset; *part && there > 0;) {
    size_t length = strcspn(part, "/");
    if (length && !(length == 1 && part[0] == '.')) {
      used += (size_t)snprintf(name + used, size - used, "/%.*s", (int)length, part);
      there = H5Lexists(file, name, H5P_DEFAULT);
    }
    part += length + (part[length] == '/');
  }
  return there;
}

mfft_status mfft_source_sums(hid_t file, const char *path, mfft_source *source, uint64_t **sums) {
  const char *dataset = source->info.dataset;
  char name[MFFT_FIELD_NAME_BYTES + 16];
  int there = find_sums(file, dataset, name, sizeof name);
  if (there < 0) return mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: the checksums of %s cannot be found", path, dataset);
  if (there == 0) return MFFT_SUCCESS;

  mfft_status status = MFFT_SUCCESS;
  hid_t object = -1, space = -1, type = -1, access = mfft_h5_dataset_access();
  uint64_t *read = NULL;
  double depth[3] = {0}, version[3] = {0};
  object = H5Dopen2(file, name, access);
  if (object < 0) {
    status = mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: the checksums of %s cannot be opened", path, dataset);
    goto done;
  }
  if (mfft_attribute_numbers(object, "version", version) != 1 || version[0] != MFFT_SUMS_VERSION) {
    mfft_log(MFFT_LOG_WARNING, "%s: the checksums of %s are of a kind that this version does not know: not verified", path,
             dataset);
    goto done;
  }
  space = H5Dget_space(object);
  type = H5Dget_type(object);
  if (mfft_attribute_numbers(object, "depth", depth) == 1 && depth[0] >= 1 && depth[0] < 0x1p53)
    source->slabs = mfft_slabs_of(source->info.n, (int64_t)depth[0]);
  if (space < 0 || type < 0 || source->slabs.count < 1 || source->slabs.count > MFFT_SLAB_MOST + 1 ||
      H5Sget_simple_extent_npoints(space) != (hssize_t)source->slabs.count || H5Tget_class(type) != H5T_INTEGER ||
      H5Tget_size(type) != sizeof *read) {
    status = mfft_fail(MFFT_ERR_CORRUPT, "%s: the checksums of %s do not fit the dataset; %s", path, dataset,
                       "write the file again, or remove /Checksum to read it unverified");
    goto done;
  }
  read = malloc((size_t)source->slabs.count * sizeof *read); /* [slabs.count] */
  if (!read) {
    status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %" PRId64 " checksums", source->slabs.count);
    goto done;
  }
  if (H5Dread(object, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) < 0) {
    status = mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: the checksums of %s cannot be read", path, dataset);
    goto done;
  }
  haddr_t offset = H5Dget_offset(object);
  source->sums_offset = offset == HADDR_UNDEF ? -1 : (int64_t)offset;
  source->info.checksummed = 1;
  *sums = read;
  read = NULL;
done:
  if (!source->info.checksummed) source->slabs.count = 0;
  free(read);
  mfft_h5_close(type);
  mfft_h5_close(space);
  mfft_h5_close(object);
  mfft_h5_close(access);
  return status;
}
