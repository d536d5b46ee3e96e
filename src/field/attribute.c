/* attribute.c: attributes. */
#include "field/attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field/heap.h"

enum { MOST_NUMBER_BYTES = 16, MOST_NUMBERS = 64, MOST_TEXT_BYTES = 65536 };

/* An attribute that is open for reading, with its type and number of elements. */
typedef struct opened {
  hid_t attribute, type;
  hssize_t count;
} opened;

static void close_attribute(opened *o) {
  mfft_h5_close(o->type);
  mfft_h5_close(o->attribute);
}

/* 1: open; 0: missing; -1: damaged. */
static int open_attribute(hid_t object, const char *name, opened *o) {
  *o = (opened){-1, -1, -1};
  htri_t there = H5Aexists(object, name);
  if (there <= 0) return there;
  o->attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (o->attribute < 0) return -1;
  hid_t space = H5Aget_space(o->attribute);
  o->type = H5Aget_type(o->attribute);
  o->count = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
  mfft_h5_close(space);
  return o->type < 0 || o->count < 0 ? -1 : 1;
}

static int read_numbers(const opened *o, double *value /* [most] */, int most) {
  H5T_class_t class = H5Tget_class(o->type);
  double read[MOST_NUMBERS] = {0};
  if (class == H5T_NO_CLASS) return -1;
  if (o->count < 1 || o->count > most || o->count > MOST_NUMBERS || (class != H5T_FLOAT && class != H5T_INTEGER) ||
      H5Tget_size(o->type) > MOST_NUMBER_BYTES)
    return 0;
  if (H5Aread(o->attribute, H5T_NATIVE_DOUBLE, read) < 0) return -1;
  memcpy(value, read, (size_t)o->count * sizeof *read);
  return (int)o->count;
}

static int read_fixed_text(const opened *o, char *text, size_t size) {
  size_t bytes = H5Tget_size(o->type);
  if (bytes == 0) return -1;
  if (bytes > MOST_TEXT_BYTES) return 0;
  char read[MOST_TEXT_BYTES + 1];
  if (H5Aread(o->attribute, o->type, read) < 0) return -1;
  read[bytes] = '\0';
  if (H5Tget_strpad(o->type) == H5T_STR_SPACEPAD)
    for (size_t end = bytes; end > 0 && read[end - 1] == ' '; end--) read[end - 1] = '\0';
  snprintf(text, size, "%s", read);
  return 1;
}

static int read_text(const opened *o, char *text, size_t size) {
  H5T_class_t class = H5Tget_class(o->type);
  if (class == H5T_NO_CLASS) return -1;
  if (o->count != 1 || class != H5T_STRING) return 0;
  return H5Tis_variable_str(o->type) > 0 ? mfft_heap_text(o->attribute, o->type, text, size)
                                         : read_fixed_text(o, text, size);
}

int mfft_attribute_list(hid_t object, const char *name, double *value, int most) {
  opened o;
  int found = open_attribute(object, name, &o);
  if (found > 0) found = read_numbers(&o, value, most);
  close_attribute(&o);
  return found;
}

int mfft_attribute_numbers(hid_t object, const char *name, double value[3]) {
  return mfft_attribute_list(object, name, value, 3);
}

int mfft_attribute_text(hid_t object, const char *name, char *text, size_t size) {
  opened o;
  int found = open_attribute(object, name, &o);
  if (found > 0) found = read_text(&o, text, size);
  close_attribute(&o);
  return found;
}

static mfft_status put(hid_t object, const char *name, hid_t stored, hid_t memory, const void *value, int count) {
  hsize_t length = (hsize_t)count;
  hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &length, NULL);
  hid_t attribute = H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
  int done = attribute >= 0 && H5Awrite(attribute, memory, value) >= 0;
  mfft_h5_close(attribute);
  mfft_h5_close(space);
  return done ? MFFT_SUCCESS : mfft_h5_fail(MFFT_ERR_IO, "writing attribute %s", name);
}

static int all_same(const void *value, size_t bytes, int count) {
  for (int i = 1; i < count; i++)
    if (memcmp(value, (const char *)value + (size_t)i * bytes, bytes) != 0) return 0;
  return 1;
}

mfft_status mfft_attribute_put_doubles(hid_t object, const char *name, const double *value, int count) {
  return put(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, value, all_same(value, sizeof *value, count) ? 1 : count);
}

mfft_status mfft_attribute_put_integers(hid_t object, const char *name, const int64_t *value, int count) {
  return put(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, value, all_same(value, sizeof *value, count) ? 1 : count);
}

mfft_status mfft_attribute_put_text(hid_t object, const char *name, const char *text) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, strlen(text) + 1);
  H5Tset_cset(type, H5T_CSET_UTF8);
  mfft_status status = put(object, name, type, type, text, 1);
  mfft_h5_close(type);
  return status;
}
