/* names.c: finds a dataset by its name. */
#include "field/names.h"

#include <stdio.h>
#include <string.h>

#include "mfft_field.h"

enum { LISTED_BYTES = 300, PART_BYTES = MFFT_FIELD_NAME_BYTES + 16 };
static const char remedy[] = "copy the file again from its source";

typedef struct listing {
  const char *path;        /* of the file, for texts */
  char text[LISTED_BYTES]; /* "a, b, c" */
  size_t used;
  int fields; /* datasets of floating-point numbers */
  int only_fields;
  char last[PART_BYTES];
  mfft_status status; /* MFFT_ERR_CORRUPT: the group, or an object in it, is damaged */
} listing;

/* Whether a link of this file leads to a dataset of floating-point numbers.  An object that is in this file and cannot be
 * opened counts as damage, not as an object of another kind. */
static int is_field(listing *list, hid_t group, const char *name, hid_t access) {
  H5L_info_t link;
  hid_t object = -1, type = -1;
  int well = H5Lget_info(group, name, &link, access) >= 0, is = 0;
  if (well && link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT) return 0;
  if (well && link.type == H5L_TYPE_SOFT && H5Oexists_by_name(group, name, access) <= 0) {
    (void)mfft_h5_met_external(); /* the link leads to another file, or nowhere */
    return 0;
  }
  if (well) well = (object = H5Oopen(group, name, access)) >= 0;
  if (well && H5Iget_type(object) == H5I_DATASET) {
    well = (type = H5Dget_type(object)) >= 0;
    is = well && H5Tget_class(type) == H5T_FLOAT;
  }
  if (!well) list->status = mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: %s is damaged; %s", list->path, name, remedy);
  mfft_h5_close(type);
  mfft_h5_close(object);
  return is;
}

static herr_t list_one(hid_t group, const char *name, const H5L_info_t *info, void *data) {
  (void)info;
  listing *list = data;
  if (list->only_fields) {
    hid_t access = mfft_h5_link_access();
    int field = is_field(list, group, name, access);
    mfft_h5_close(access);
    if (list->status != MFFT_SUCCESS) return -1;
    if (!field) return 0;
    list->fields++;
    snprintf(list->last, sizeof list->last, "%s", name);
  }
  if (list->used + strlen(name) + 8 < sizeof list->text)
    list->used +=
        (size_t)snprintf(list->text + list->used, sizeof list->text - list->used, "%s%s", list->used ? ", " : "", name);
  else if (!list->used || list->text[list->used - 1] != '.')
    list->used += (size_t)snprintf(list->text + list->used, sizeof list->text - list->used, "%s...", list->used ? ", " : "");
  return 0;
}

/* Lists the group `prefix` of the file `path`; the status is in the listing, too. */
static mfft_status list_group(hid_t group, const char *path, const char *prefix, int only_fields, listing *list) {
  *list = (listing){.path = path, .only_fields = only_fields};
  hsize_t at = 0;
  if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &at, list_one, list) < 0 && list->status == MFFT_SUCCESS)
    list->status = mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: the contents of %s cannot be read; %s", path, prefix, remedy);
  if (!list->used) snprintf(list->text, sizeof list->text, "nothing");
  return list->status;
}

mfft_status mfft_names_only(hid_t file, const char *path, char *name, size_t size) {
  listing list, all;
  MFFT_TRY(list_group(file, path, "/", 1, &list));
  if (list.fields == 1 && strlen(list.last) < size) {
    strcpy(name, list.last);
    return MFFT_SUCCESS;
  }
  if (list.fields > 0)
    return mfft_fail(MFFT_ERR_ARG, "%s holds %d datasets: %s; name the one that is meant", path, list.fields, list.text);
  MFFT_TRY(list_group(file, path, "/", 0, &all));
  return mfft_fail(MFFT_ERR_ARG, "%s has no dataset of float or double at its root, which holds %s; name the dataset", path,
                   all.text);
}

/* The kind of an object of the file: H5I_GROUP and the like, or H5I_BADID if it cannot be opened. */
static H5I_type_t type_of(hid_t file, const char *prefix, hid_t access) {
  hid_t object = H5Oopen(file, prefix, access);
  H5I_type_t type = object < 0 ? H5I_BADID : H5Iget_type(object);
  mfft_h5_close(object);
  return type;
}

/* The path of the group that contains the object `prefix`. */
static void parent_of(const char *prefix, char parent[PART_BYTES]) {
  snprintf(parent, PART_BYTES, "%s", prefix);
  char *slash = strrchr(parent, '/');
  if (slash) *slash = '\0';
  if (!slash || !parent[0]) strcpy(parent, "/");
}

/* Fails with the reason why `prefix`, a leading part of the path `name`, does not exist. */
static mfft_status fail_missing(hid_t file, const char *path, const char *name, const char *prefix, htri_t there,
                                hid_t access) {
  char parent[PART_BYTES];
  listing list;
  parent_of(prefix, parent);
  H5I_type_t type = type_of(file, parent, access);
  if (type != H5I_BADID && type != H5I_GROUP)
    return mfft_fail(MFFT_ERR_ARG, "%s: dataset %s is not there: %s is no group", path, name, parent);
  hid_t group = there == 0 && type == H5I_GROUP ? H5Gopen2(file, parent, H5P_DEFAULT) : -1;
  if (group < 0) {
    (void)H5Lexists(file, prefix, access); /* again, for the reason */
    return mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: cannot follow %s; %s", path, prefix, remedy);
  }
  mfft_status status = list_group(group, path, parent, 0, &list);
  mfft_h5_close(group);
  if (status != MFFT_SUCCESS) return status;
  return mfft_fail(MFFT_ERR_ARG, "%s: dataset %s is not there; %s holds %s", path, name, parent, list.text);
}

/* Checks that `prefix`, a leading part of the path `name`, exists and is no link to another file. */
static mfft_status check_step(hid_t file, const char *path, const char *name, const char *prefix, hid_t access) {
  H5L_info_t link;
  htri_t there = H5Lexists(file, prefix, access);
  int known = there > 0 && H5Lget_info(file, prefix, &link, access) >= 0;
  if (mfft_h5_met_external())
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: %s leads to another file, which is not followed; name that file", path,
                     name);
  if (!known) return fail_missing(file, path, name, prefix, there > 0 ? -1 : there, access);
  if (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: %s is a link to another file, which is not followed; name that file", path,
                     prefix);
  return MFFT_SUCCESS;
}

static mfft_status open_last(hid_t file, const char *path, const char *name, hid_t access, hid_t *object) {
  *object = H5Oopen(file, name, access);
  if (mfft_h5_met_external()) {
    mfft_h5_close(*object);
    *object = -1;
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: %s leads to another file, which is not followed; name that file", path,
                     name);
  }
  if (*object >= 0) return MFFT_SUCCESS;
  mfft_status status = mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: %s is damaged; %s", path, name, remedy);
  if (H5Oexists_by_name(file, name, access) == 0)
    status = mfft_fail(MFFT_ERR_ARG, "%s: %s is a link to something that is not there; name another dataset", path, name);
  return status;
}

size_t mfft_names_part(const char **name) {
  for (;;) {
    *name += strspn(*name, "/");
    const size_t length = strcspn(*name, "/");
    if (length != 1 || **name != '.') return length;
    *name += length;
  }
}

mfft_status mfft_names_open(hid_t file, const char *path, const char *name, hid_t *object) {
  *object = -1;
  size_t length = strlen(name);
  if (!length || length >= PART_BYTES)
    return mfft_fail(MFFT_ERR_ARG, "%s: the name of a dataset has %zu bytes; give 1 to %d", path, length, PART_BYTES - 1);

  /* Step by step, so that the message names the first link that is missing or leads out of the file. */
  char prefix[PART_BYTES];
  hid_t access = mfft_h5_link_access();
  mfft_status status = MFFT_SUCCESS;
  for (size_t end = 1; end <= length && status == MFFT_SUCCESS; end++) {
    if ((end < length && name[end] != '/') || name[end - 1] == '/') continue;
    if (name[end - 1] == '.' && (end == 1 || name[end - 2] == '/')) continue; /* "." is no link */
    memcpy(prefix, name, end);
    prefix[end] = '\0';
    status = check_step(file, path, name, prefix, access);
  }
  if (status == MFFT_SUCCESS) status = open_last(file, path, name, access, object);
  mfft_h5_close(access);
  return status;
}
