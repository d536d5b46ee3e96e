/* build.c: the objects of a new file of fields. */
#include "field/build.h"

#include <string.h>

#include "field/attribute.h"
#include "field/convert.h"

enum { METADATA_BYTES = 1 << 16 };

/* Upper bound of the size of the file. */
static int64_t bound(const mfft_field_desc *desc, const mfft_slabs *slabs) {
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
                                 const mfft_slabs *slabs, mfft_file_extent *extent) {
  const char *name = desc->dataset[index].name;
  mfft_status status = MFFT_SUCCESS;
  hid_t sums = -1;
  hid_t values = mfft_structure_dataset(file, name, desc->precision == MFFT_SINGLE ? H5T_IEEE_F32LE : H5T_IEEE_F64LE,
                                        desc->rank, desc->n);
  if (values >= 0) sums = mfft_structure_dataset(sums_group, name, H5T_STD_U64LE, 1, &slabs->count);
  if (values < 0 || sums < 0) {
    status = mfft_h5_fail(MFFT_ERR_IO, "making dataset %s", name);
    goto done;
  }
  MFFT_GOTO(done, put_attributes(values, desc, desc->dataset[index].units));
  status = mfft_structure_extent(values, sums, name, slabs, extent);
done:
  mfft_h5_close(sums);
  mfft_h5_close(values);
  return status;
}

/* Arguments of put_content. */
typedef struct content {
  const mfft_field_desc *desc;
  const mfft_slabs *slabs;
} content;

static mfft_status put_content(hid_t file, hid_t sums, const void *context, mfft_file_extent *extent) {
  const content *c = context;
  MFFT_TRY(build_header(file, c->desc));
  for (int i = 0; i < c->desc->dataset_count; i++) MFFT_TRY(build_dataset(file, sums, c->desc, i, c->slabs, &extent[i]));
  return MFFT_SUCCESS;
}

mfft_status mfft_build_partial(const char *path, const mfft_field_desc *desc, const mfft_slabs *slabs, mfft_partial *partial,
                               mfft_file_extent *extent, int64_t *bytes) {
  return mfft_structure_partial(path, bound(desc, slabs), slabs->elements * mfft_value_bytes(desc->precision), put_content,
                                &(content){desc, slabs}, partial, extent, bytes);
}
