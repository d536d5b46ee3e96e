/* names.c: finding a dataset. */
#include "field/names.h"

#include <stdio.h>
#include <string.h>

enum { LISTED_BYTES = 300, PART_BYTES = 256 };

typedef struct listing {
  char text[LISTED_BYTES]; /* "a, b, c" */
  size_t used;
  int fields; /* datasets of floating-point numbers */
  int only_fields;
  char last[PART_BYTES];
} listing;

static int is_field(hid_t group, const char *name) {
  H5L_info_t link;
  if (H5Lget_info(group, name, &link, H5P_DEFAULT) < 0 || (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT))
    return 0;
  hid_t access = mfft_h5_link_access();
  hid_t object = H5Oopen(group, name, access);
  mfft_h5_close(access);
  int is = 0;
  if (object >= 0 && H5Iget_type(object) == H5I_DATASET) {
    hid_t type = H5Dget_type(object);
    is = type >= 0 && H5Tget_class(type) == H5T_FLOAT;
    mfft_h5_close(type);
  }
  mfft_h5_close(object);
  return is;
}

static herr_t list_one(hid_t group, const char *name, const H5L_info_t *info, void *data) {
  (void)info;
  listing *list = data;
  int field = is_field(group, name);
  if (field) {
    list->fields++;
    snprintf(list->last, sizeof list->last, "%s", name);
  }
  if (list->only_fields && !field) return 0;
  if (list->used + strlen(name) + 8 < sizeof list->text)
    list->used +=
        (size_t)snprintf(list->text + list->used, sizeof list->text - list->used, "%s%s", list->used ? ", " : "", name);
  else if (!list->used || list->text[list->used - 1] != '.')
    list->used += (size_t)snprintf(list->text + list->used, sizeof list->text - list->used, "%s...", list->used ? ", " : "");
  return 0;
}

static listing list_group(hid_t group, int only_fields) {
  listing list = {.only_fields = only_fields};
  hsize_t at = 0;
  if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &at, list_one, &list) < 0 || !list.used)
    snprintf(list.text, sizeof list.text, "nothing");
  return list;
}

mfft_status mfft_names_only(hid_t file, const char *path, char *name, size_t size) {
  listing list = list_group(file, 1);
  if (list.fields == 1) {
    snprintf(name, size, "%s", list.last);
    return MFFT_SUCCESS;
  }
  if (list.fields == 0) {
    listing all = list_group(file, 0);
    return mfft_fail(MFFT_ERR_ARG, "%s has no dataset of float or double at its root, which holds %s; name the dataset",
                     path, all.text);
  }
  return mfft_fail(MFFT_ERR_ARG, "%s holds %d datasets: %s; name the one that is meant", path, list.fields, list.text);
}

/* The part of the way before the last component of `way`, as a group. */
static mfft_status fail_missing(hid_t file, const char *path, const char *name, const char *way) {
  char parent[PART_BYTES];
  snprintf(parent, sizeof parent, "%s", way);
  char *slash = strrchr(parent, '/');
  if (slash) *slash = '\0';
  if (!slash || !parent[0]) snprintf(parent, sizeof parent, "/");
  hid_t group = H5Gopen2(file, parent, H5P_DEFAULT);
  if (group < 0) return mfft_h5_fail(MFFT_ERR_ARG, "%s: dataset %s is not there: %s is no group", path, name, parent);
  listing list = list_group(group, 0);
  mfft_h5_close(group);
  return mfft_fail(MFFT_ERR_ARG, "%s: dataset %s is not there; %s holds %s", path, name, parent, list.text);
}

mfft_status mfft_names_open(hid_t file, const char *path, const char *name, hid_t *object) {
  *object = -1;
  size_t length = strlen(name);
  if (!length || length >= PART_BYTES)
    return mfft_fail(MFFT_ERR_ARG, "%s: the name of a dataset has %zu bytes; give 1 to %d", path, length, PART_BYTES - 1);

  /* Step by step, so that the first link that is missing or leads out of the file is named. */
  char way[PART_BYTES];
  hid_t access = mfft_h5_link_access();
  mfft_status status = MFFT_SUCCESS;
  for (size_t end = 1; end <= length && status == MFFT_SUCCESS; end++) {
    if (end < length && name[end] != '/') continue;
    if (name[end - 1] == '/') continue;
    memcpy(way, name, end);
    way[end] = '\0';
    if (!strcmp(way, "/") || !strcmp(way, ".")) continue;
    H5L_info_t link;
    htri_t there = H5Lexists(file, way, access);
    if (there == 0)
      status = fail_missing(file, path, name, way);
    else if (there > 0 && H5Lget_info(file, way, &link, access) < 0)
      there = -1;
    else if (there > 0 && link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT)
      status = mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: %s is a link to another file, which is not followed; name that file",
                         path, way);
    if (there < 0 && !mfft_h5_met_external()) {
      H5O_info_t info;
      char parent[PART_BYTES];
      snprintf(parent, sizeof parent, "%s", way);
      char *slash = strrchr(parent, '/');
      if (slash && slash != parent) *slash = '\0';
      int known = H5Oget_info_by_name(file, parent, &info, access) >= 0;
      status = known && info.type != H5O_TYPE_GROUP
                   ? mfft_fail(MFFT_ERR_ARG, "%s: dataset %s is not there: %s is no group", path, name, parent)
                   : mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: cannot follow %s; copy the file again from its source", path, way);
    }
    if (mfft_h5_met_external()) break;
  }

  if (status == MFFT_SUCCESS) {
    if (!mfft_h5_met_external()) *object = H5Oopen(file, name, access);
    if (mfft_h5_met_external())
      status =
          mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: %s leads to another file, which is not followed; name that file", path, name);
    else if (*object < 0) {
      status = mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: cannot open %s; copy the file again from its source", path, name);
      if (H5Oexists_by_name(file, name, access) == 0)
        status = mfft_fail(MFFT_ERR_ARG, "%s: %s is a link to something that is not there", path, name);
    }
  }
  mfft_h5_close(access);
  return status;
}
