/* build.c: the objects of a new file of fields. */
#include "field/build.h"

#include <string.h>

#include "field/attribute.h"
#include "field/convert.h"
#include "field/posix.h"
#include "field/structure.h"

enum { METADATA_BYTES = 1 << 16 };

int64_t mfft_build_bound(const mfft_field_desc *desc, const mfft_slabs *slabs) {
  int64_t values = slabs->elements * mfft_value_bytes(desc->precision), sums = slabs->count * (int64_t)sizeof(uint64_t);
  return METADATA_BYTES +
         desc->dataset_count * (values + sums + 2 * mfft_structure_alignment(values) + METADATA_BYTES / 16) +
         desc->attribute_count * 1024;
}

/* The attributes that the dataset and the header have in common. */
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
  hid_t header = mfft_structure_group(file, "Header");
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
  hid_t values = mfft_structure_dataset(file, name, desc->precision == MFFT_SINGLE ? H5T_IEEE_F32LE : H5T_IEEE_F64LE,
                                        desc->rank, desc->n);
  if (values >= 0) sums = mfft_structure_dataset(sums_group, name, H5T_STD_U64LE, 1, &slabs->count);
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
  hid_t file = mfft_structure_file(name, slabs->elements * mfft_value_bytes(desc->precision));
  if (file >= 0) sums_group = mfft_structure_group(file, "Checksum");
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
  /* Before HDF5 opens the file, since a failing write inside HDF5 1.10 can end in a crash when the process exits; and after
   * it, since HDF5 truncates the file first. */
  MFFT_TRY(mfft_posix_reserve(partial->fd, mfft_build_bound(desc, slabs), partial->name));
  MFFT_TRY(mfft_build_file(partial->name, desc, slabs, extent));
  MFFT_TRY(mfft_posix_size(partial->name, bytes));
  return mfft_posix_reserve(partial->fd, *bytes, partial->name);
}
