/* desc.c: checks of the caller's descriptor of a file to write. */
#include "field/desc.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/versioned.h"
#include "base/words.h"
#include "comm/compare.h"
#include "field/convert.h"

enum { MOST_LISTED = 64 };

static const mfft_versioned versions = {
    .name = "desc", .init = "mfft_field_desc_init", .size = sizeof(mfft_field_desc), .first = sizeof(mfft_field_desc)};

void mfft_field_desc_init_sized(mfft_field_desc *desc, size_t struct_size) {
  const mfft_field_desc defaults = {.rank = 3, .n = {1, 1, 1}};
  mfft_versioned_init(desc, struct_size, &defaults, sizeof defaults);
}

/* Describes a name that is refused for its length. */
static const char *state_of(const char *name) { return !name ? "NULL" : name[0] ? "too long" : "empty"; }

/* A path without empty parts, "." and "..", and not inside the two groups of the format. */
static mfft_status check_name(const mfft_field_desc *desc, int index) {
  const char *name = desc->dataset[index].name;
  if (!name || !name[0] || strlen(name) >= MFFT_FIELD_NAME_BYTES)
    return mfft_fail(MFFT_ERR_ARG, "the name of dataset %d is %s; give 1 to %d bytes", index, state_of(name),
                     MFFT_FIELD_NAME_BYTES - 1);
  for (const char *part = name; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL) {
    size_t length = strcspn(part, "/");
    if (length == 0 || (length == 1 && part[0] == '.'))
      return mfft_fail(MFFT_ERR_ARG,
                       "dataset %d is named \"%s\"; a name is parts joined by single slashes, such as phi or forces/x",
                       index, name);
  }
  size_t first = strcspn(name, "/");
  if ((first == 6 && !strncmp(name, "Header", first)) || (first == 8 && !strncmp(name, "Checksum", first)))
    return mfft_fail(MFFT_ERR_ARG,
                     "dataset %d is named \"%s\"; choose another name, since Header and Checksum are groups of the format",
                     index, name);
  for (int other = 0; other < index; other++) {
    const char *a = desc->dataset[other].name;
    size_t length = strlen(a) < strlen(name) ? strlen(a) : strlen(name);
    if (!strncmp(a, name, length) && (!a[length] || a[length] == '/') && (!name[length] || name[length] == '/'))
      return mfft_fail(MFFT_ERR_ARG,
                       "datasets %d and %d are named \"%s\" and \"%s\"; the path of one must not begin with the other",
                       other, index, a, name);
  }
  const char *units = desc->dataset[index].units;
  if (units && strlen(units) >= MFFT_FIELD_UNITS_BYTES)
    return mfft_fail(MFFT_ERR_ARG, "the units of dataset %s have %zu bytes; at most %d can be stored", name, strlen(units),
                     MFFT_FIELD_UNITS_BYTES - 1);
  return MFFT_SUCCESS;
}

static mfft_status check_attribute(const mfft_field_desc *desc, int index) {
  static const char *const ours[] = {"BoxSize", "Boxsize", "Nmesh", "Redshift", "units"};
  const char *name = desc->attribute[index].name;
  if (!name || !name[0] || strlen(name) >= MFFT_FIELD_NAME_BYTES)
    return mfft_fail(MFFT_ERR_ARG, "the name of attribute %d is %s; give 1 to %d bytes", index, state_of(name),
                     MFFT_FIELD_NAME_BYTES - 1);
  int taken = 0;
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) taken |= !strcmp(name, ours[i]);
  for (int other = 0; other < index; other++) taken |= !strcmp(name, desc->attribute[other].name);
  return taken ? mfft_fail(MFFT_ERR_ARG, "attribute %d is named %s, which is written already; choose another name", index,
                           name)
               : MFFT_SUCCESS;
}

mfft_status mfft_field_desc_check(const mfft_field_desc *given, mfft_field_desc *desc) {
  MFFT_TRY(mfft_versioned_take(&versions, given, desc));
  if (desc->rank < 1 || desc->rank > 3)
    return mfft_fail(MFFT_ERR_ARG, "desc.rank is %d; fields have rank 1 to 3", desc->rank);
  if (!mfft_value_bytes(desc->precision))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "desc.precision is %d (%s); files hold MFFT_SINGLE or MFFT_DOUBLE",
                     (int)desc->precision, mfft_precision_word(desc->precision));
  int64_t values = 1;
  int sized = 0;
  for (int axis = 0; axis < 3; axis++) {
    if (axis >= desc->rank) {
      desc->n[axis] = 1;
      desc->box_size[axis] = 0;
      continue;
    }
    if (desc->n[axis] < 1 || desc->n[axis] > INT64_MAX / 1024 / MOST_LISTED / values)
      return mfft_fail(MFFT_ERR_ARG, "desc.n[%d] is %" PRId64 "; lengths are at least 1 and the file at most 2^63 bytes",
                       axis, desc->n[axis]);
    values *= desc->n[axis];
    if (!isfinite(desc->box_size[axis]) || desc->box_size[axis] < 0)
      return mfft_fail(MFFT_ERR_ARG, "desc.box_size[%d] is %g; give a positive length, or 0 on all axes", axis,
                       desc->box_size[axis]);
    sized += desc->box_size[axis] > 0;
  }
  if (sized != 0 && sized != desc->rank)
    return mfft_fail(MFFT_ERR_ARG, "desc.box_size is given on %d of %d axes; give all or none", sized, desc->rank);
  if (desc->has_redshift && !isfinite(desc->redshift))
    return mfft_fail(MFFT_ERR_ARG, "desc.redshift is %g; give a finite number", desc->redshift);
  if (!desc->dataset || desc->dataset_count < 1 || desc->dataset_count > MOST_LISTED)
    return mfft_fail(MFFT_ERR_ARG, "desc has %d datasets; give 1 to %d", desc->dataset ? desc->dataset_count : 0,
                     MOST_LISTED);
  if (desc->attribute_count < 0 || desc->attribute_count > MOST_LISTED || (desc->attribute_count && !desc->attribute))
    return mfft_fail(MFFT_ERR_ARG, "desc.attribute_count is %d; give 0 to %d and the list", desc->attribute_count,
                     MOST_LISTED);
  for (int i = 0; i < desc->dataset_count; i++) MFFT_TRY(check_name(desc, i));
  for (int i = 0; i < desc->attribute_count; i++) MFFT_TRY(check_attribute(desc, i));
  return MFFT_SUCCESS;
}

mfft_status mfft_field_desc_agree(MPI_Comm comm, const mfft_field_desc *desc) {
  const mfft_agree_item items[] = {
      mfft_agree_integer("desc.rank", desc->rank),
      mfft_agree_integer("desc.n[0]", desc->n[0]),
      mfft_agree_integer("desc.n[1]", desc->n[1]),
      mfft_agree_integer("desc.n[2]", desc->n[2]),
      mfft_agree_choice("desc.precision", (int64_t)desc->precision, mfft_precision_words,
                        MFFT_WORD_COUNT(mfft_precision_words)),
      mfft_agree_real("desc.box_size[0]", desc->box_size[0]),
      mfft_agree_real("desc.box_size[1]", desc->box_size[1]),
      mfft_agree_real("desc.box_size[2]", desc->box_size[2]),
      mfft_agree_switch("desc.has_redshift", desc->has_redshift),
      mfft_agree_real("desc.redshift", desc->redshift),
      mfft_agree_integer("desc.dataset_count", desc->dataset_count),
      mfft_agree_integer("desc.attribute_count", desc->attribute_count),
  };
  MFFT_TRY(mfft_agree_values(comm, items, (int)(sizeof items / sizeof *items)));
  for (int i = 0; i < desc->dataset_count; i++) {
    MFFT_TRY(mfft_agree_same_text(comm, desc->dataset[i].name, "the name of a dataset"));
    MFFT_TRY(mfft_agree_same_text(comm, desc->dataset[i].units, "the units of a dataset"));
  }
  for (int i = 0; i < desc->attribute_count; i++) {
    const mfft_agree_item value = mfft_agree_real(desc->attribute[i].name, desc->attribute[i].value);
    MFFT_TRY(mfft_agree_same_text(comm, desc->attribute[i].name, "the name of an attribute"));
    MFFT_TRY(mfft_agree_values(comm, &value, 1));
  }
  return MFFT_SUCCESS;
}
