/* source.c: examines a dataset of any program and refuses those that cannot be read, before anything is allocated. */
#include "field/source.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "field/attribute.h"
#include "field/names.h"
#include "field/stored_sums.h"

/* The objects examined: the file, the dataset and /Header, whose attributes belong to every dataset (-1: there is none). */
typedef struct place {
  mfft_h5_file file;
  hid_t object, header;
} place;

static mfft_status fail_attribute(const place *p, const char *name) {
  return mfft_fail(MFFT_ERR_CORRUPT, "%s: attribute %s cannot be read; copy the file again from its source", p->file.path,
                   name);
}

/* An attribute of the dataset, else of /Header; *count 0: there is none. */
static mfft_status find_numbers(const place *p, const char *name, double value[3], int *count) {
  *count = mfft_attribute_numbers(p->object, name, value);
  if (*count == 0 && p->header >= 0) *count = mfft_attribute_numbers(p->header, name, value);
  return *count < 0 ? fail_attribute(p, name) : MFFT_SUCCESS;
}

static mfft_status look_box_size(const place *p, mfft_field_info *info) {
  double value[3]; /* [axis] */
  int count;
  MFFT_TRY(find_numbers(p, "BoxSize", value, &count));
  if (!count) MFFT_TRY(find_numbers(p, "Boxsize", value, &count));
  if (count != 1 && count != info->rank) return MFFT_SUCCESS;
  info->has_box_size = 1;
  for (int axis = 0; axis < info->rank; axis++) {
    info->box_size[axis] = value[count == 1 ? 0 : axis];
    if (!(info->box_size[axis] > 0 && isfinite(info->box_size[axis]))) info->has_box_size = 0;
  }
  if (!info->has_box_size) memset(info->box_size, 0, sizeof info->box_size);
  return MFFT_SUCCESS;
}

/* Replaces *value by that of an attribute of one number, if there is one. */
static mfft_status look_number(const place *p, const char *name, double *value) {
  double found[3]; /* [axis] */
  int count;
  MFFT_TRY(find_numbers(p, name, found, &count));
  if (count == 1) *value = found[0];
  return MFFT_SUCCESS;
}

/* The same of a whole number from 0 to `most`.  Another one is refused: taken as unknown it would change results without a
 * word. */
static mfft_status look_whole(const place *p, const char *name, int most, int *value) {
  double found = 0;
  MFFT_TRY(look_number(p, name, &found));
  if (!(found >= 0 && found <= most && found == floor(found)))
    return mfft_fail(MFFT_ERR_CORRUPT,
                     "%s: attribute %s is %.12g, and must be a whole number from 0 (unknown) to %d; correct or delete it",
                     p->file.path, name, found, most);
  *value = (int)found;
  return MFFT_SUCCESS;
}

/* How a density was made from particles.  A potential has WindowOrder too, but that is of its filters. */
static mfft_status look_particles(const place *p, mfft_field_info *info) {
  enum { ORDERS = 4, MOST_INTERLACED = 64 };
  double coefficient = 0;
  MFFT_TRY(look_number(p, "PoissonCoefficient", &coefficient));
  if (coefficient != 0) return MFFT_SUCCESS;
  MFFT_TRY(look_whole(p, "WindowOrder", ORDERS, &info->window_order));
  MFFT_TRY(look_whole(p, "Interlacing", MOST_INTERLACED, &info->interlacing));
  MFFT_TRY(look_whole(p, "Centered", 1, &info->centered));
  MFFT_TRY(look_number(p, "ShotNoise", &info->shot_noise));
  if (info->shot_noise >= 0 && isfinite(info->shot_noise)) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_CORRUPT,
                   "%s: attribute ShotNoise is %.12g, and must be 0 (unknown) or a power; correct or delete it",
                   p->file.path, info->shot_noise);
}

static mfft_status look_attributes(const place *p, mfft_field_info *info) {
  double value[3]; /* [axis] */
  int count;
  MFFT_TRY(look_box_size(p, info));
  MFFT_TRY(find_numbers(p, "Redshift", value, &count));
  if (count == 1 && isfinite(value[0])) {
    info->has_redshift = 1;
    info->redshift = value[0];
  }
  MFFT_TRY(look_particles(p, info));
  MFFT_TRY(look_number(p, "Omega_m", &info->omega_m));
  MFFT_TRY(look_number(p, "Omega_Lambda", &info->omega_lambda));
  MFFT_TRY(look_number(p, "HubbleParam", &info->h));
  int found = mfft_attribute_text(p->object, "units", info->units, sizeof info->units);
  if (found == 0 && p->header >= 0) found = mfft_attribute_text(p->header, "units", info->units, sizeof info->units);
  return found < 0 ? fail_attribute(p, "units") : MFFT_SUCCESS;
}

/* Compares the lengths of the dataset with Nmesh, if it has one number per axis, or one for all: always with that of the
 * dataset, and with that of /Header, which may describe a mesh stored together with a table, for datasets of rank 3.  An
 * array with other lengths (padded rows, another mesh) must not be read as the field. */
static mfft_status check_mesh(const place *p, const mfft_field_info *info) {
  double value[3]; /* [axis] */
  int count;
  MFFT_TRY(find_numbers(p, "Nmesh", value, &count));
  const int own = mfft_attribute_numbers(p->object, "Nmesh", (double[3]){0}) > 0;
  if (count != info->rank && !(count == 1 && (own || info->rank == 3))) return MFFT_SUCCESS;
  for (int axis = 0; axis < info->rank; axis++) {
    const double length = value[count == 1 ? 0 : axis];
    if (length != (double)info->n[axis])
      return mfft_fail(MFFT_ERR_CORRUPT,
                       "%s: attribute Nmesh of %s is %.12g along axis %d, but dataset %s has length %" PRId64
                       "; name the right dataset, or correct the attribute",
                       p->file.path, own ? info->dataset : "/Header", length, axis, info->dataset, info->n[axis]);
  }
  return MFFT_SUCCESS;
}

/* /Header, if it is in this file. */
static mfft_status open_header(place *p) {
  hid_t access = mfft_h5_link_access();
  htri_t there = H5Lexists(p->file.id, "Header", access);
  if (there > 0) p->header = H5Oopen(p->file.id, "Header", access);
  mfft_status status = MFFT_SUCCESS;
  if (there < 0 || (there > 0 && p->header < 0 && !mfft_h5_met_external()))
    status =
        mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: /Header cannot be opened; copy the file again from its source", p->file.path);
  mfft_h5_close(access);
  return status;
}

static mfft_status look_name(const place *p, const char *dataset, mfft_field_info *info) {
  if (!dataset || !dataset[0]) return mfft_names_only(p->file.id, p->file.path, info->dataset, sizeof info->dataset);
  if (strlen(dataset) >= sizeof info->dataset)
    return mfft_fail(MFFT_ERR_ARG, "%s: the name of a dataset has %zu bytes; at most %zu can be used", p->file.path,
                     strlen(dataset), sizeof info->dataset - 1);
  strcpy(info->dataset, dataset);
  return MFFT_SUCCESS;
}

void mfft_source_keep(const mfft_dataset *dataset, mfft_source *source) {
  mfft_field_info *info = &source->info;
  info->rank = dataset->rank;
  memcpy(info->n, dataset->n, sizeof info->n);
  info->precision = dataset->element_bytes == 4 ? MFFT_SINGLE : MFFT_DOUBLE;
  info->big_endian = dataset->big_endian;
  info->contiguous = dataset->offset >= 0;
  source->element_bytes = dataset->element_bytes;
  source->number = dataset->number;
  source->offset = dataset->offset;
  memcpy(source->chunk, dataset->chunk, sizeof source->chunk);
}

mfft_status mfft_source_look(const char *path, const char *dataset, mfft_source *source, uint64_t **sums) {
  mfft_h5_settings settings;
  mfft_h5_enter(&settings);
  place p = {.file = {.id = -1}, .object = -1, .header = -1};
  mfft_source found = {.offset = -1};
  mfft_dataset data;
  uint64_t *found_sums = NULL;
  mfft_status status;
  mfft_field_info_init(&found.info);

  MFFT_GOTO(done, mfft_open_file(path, &p.file));
  found.file_bytes = p.file.bytes;
  MFFT_GOTO(done, look_name(&p, dataset, &found.info));
  MFFT_GOTO(done, mfft_open_dataset(&p.file, found.info.dataset, MFFT_DATASET_FIELD, H5P_DEFAULT, &p.object, &data));
  mfft_source_keep(&data, &found);
  MFFT_GOTO(done, open_header(&p));
  MFFT_GOTO(done, look_attributes(&p, &found.info));
  MFFT_GOTO(done, check_mesh(&p, &found.info));
  MFFT_GOTO(done, mfft_stored_sums(&p.file, found.info.dataset, found.info.n, &found.slabs, &found_sums));
  found.info.checksummed = found.slabs.count > 0;

  *source = found;
  *sums = found_sums;
done:
  mfft_h5_close(p.header);
  mfft_h5_close(p.object);
  mfft_h5_close(p.file.id);
  mfft_h5_leave(&settings);
  return status;
}
