/* attribute.c: attributes. */
#include "field/attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field/heap.h"

/* Opens an attribute with its type and number of elements; 0 where there is none that can be used. */
static int open_attribute(hid_t object, const char *name, hid_t *attribute, hid_t *type, hssize_t *count) {
  *attribute = *type = 0;
  *count = 0;
  if (H5Aexists(object, name) <= 0) return 0;
  *attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (*attribute < 0) return 0;
  *type = H5Aget_type(*attribute);
  hid_t space = H5Aget_space(*attribute);
  *count = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
  mfft_h5_close(space);
  return *type >= 0 && *count > 0;
}

int mfft_attribute_numbers(hid_t object, const char *name, double value[3]) {
  hid_t attribute, type;
  hssize_t count;
  int found = 0;
  if (open_attribute(object, name, &attribute, &type, &count) && count <= 3) {
    H5T_class_t class = H5Tget_class(type);
    double read[3] = {0, 0, 0};
    if ((class == H5T_FLOAT || class == H5T_INTEGER) && H5Aread(attribute, H5T_NATIVE_DOUBLE, read) >= 0) {
      found = (int)count;
      memcpy(value, read, (size_t)count * sizeof *read);
    }
  }
  mfft_h5_close(type);
  mfft_h5_close(attribute);
  return found;
}

int mfft_attribute_text(hid_t object, const char *name, char *text, size_t size) {
  hid_t attribute, type;
  hssize_t count;
  int found = 0;
  if (open_attribute(object, name, &attribute, &type, &count) && count == 1 && H5Tget_class(type) == H5T_STRING) {
    if (H5Tis_variable_str(type) > 0) {
      found = mfft_heap_text(attribute, type, text, size);
    } else {
      size_t bytes = H5Tget_size(type);
      char *read = bytes > 0 && bytes <= 65536 ? calloc(1, bytes + 1) : NULL; /* [bytes + 1] */
      if (read && H5Aread(attribute, type, read) >= 0) {
        if (H5Tget_strpad(type) == H5T_STR_SPACEPAD)
          for (size_t end = bytes; end > 0 && read[end - 1] == ' '; end--) read[end - 1] = '\0';
        snprintf(text, size, "%s", read);
        found = 1;
      }
      free(read);
    }
  }
  mfft_h5_close(type);
  mfft_h5_close(attribute);
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
