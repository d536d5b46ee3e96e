/* field.h: functions that tests of fields share: known values, ways to divide an array, and files in the formats of other
 * programs. */
#ifndef MFFT_TESTS_FIELD_H
#define MFFT_TESTS_FIELD_H

#include <hdf5.h>
#include <unistd.h>

#include "base/box.h"
#include "check.h"
#include "mfft_field.h"

/* The value of element (x, y, z): exact in float, and different for nearly all elements of arrays up to 1000^3. */
static inline double field_value(int64_t x, int64_t y, int64_t z) {
  uint64_t state = (uint64_t)(x * 1000003 + y * 1009 + z);
  return (double)(float)(test_random(&state) * exp2((double)((x + y + z) % 7 - 3)));
}

static inline int world_rank(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static inline int world_size(void) {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/* Ways to divide n[] into boxes, one per rank. */
typedef enum field_cut { CUT_SLABS, CUT_PENCILS, CUT_BRICKS, CUT_ORDER, CUT_LAST_ALL, CUT_Z, CUT_COUNT } field_cut;

static inline mfft_box cut_box(field_cut cut, const int64_t n[3], int rank, int size) {
  mfft_box box = mfft_box_whole(n);
  int p = 1, q;
  while (p * p < size) p++;
  while (size % p) p--;
  q = size / p; /* size = p * q */
  switch (cut) {
    case CUT_SLABS:
      box.lo[0] = mfft_part(n[0], rank, size), box.hi[0] = mfft_part(n[0], rank + 1, size);
      break;
    case CUT_ORDER: /* pencils along x, z slowest */
      box.order[0] = 2, box.order[1] = 0, box.order[2] = 1;
      box.lo[1] = mfft_part(n[1], rank / q, p), box.hi[1] = mfft_part(n[1], rank / q + 1, p);
      box.lo[2] = mfft_part(n[2], rank % q, q), box.hi[2] = mfft_part(n[2], rank % q + 1, q);
      break;
    case CUT_PENCILS:
      box.lo[0] = mfft_part(n[0], rank / q, p), box.hi[0] = mfft_part(n[0], rank / q + 1, p);
      box.lo[1] = mfft_part(n[1], rank % q, q), box.hi[1] = mfft_part(n[1], rank % q + 1, q);
      break;
    case CUT_BRICKS:
      memset(box.order, 0, sizeof box.order);
      box.lo[0] = mfft_part(n[0], rank / q, p), box.hi[0] = mfft_part(n[0], rank / q + 1, p);
      box.lo[2] = mfft_part(n[2], rank % q, q), box.hi[2] = mfft_part(n[2], rank % q + 1, q);
      break;
    case CUT_LAST_ALL: /* the last rank holds everything, all others nothing */
      if (rank != size - 1) box.hi[0] = box.lo[0];
      break;
    default: /* CUT_Z: memory order reversed */
      box.order[0] = 2, box.order[2] = 0;
      box.lo[2] = mfft_part(n[2], rank, size), box.hi[2] = mfft_part(n[2], rank + 1, size);
      break;
  }
  return box;
}

/* The box with its memory order written explicitly. */
static inline mfft_box in_order(const mfft_box *box) {
  mfft_box same = *box;
  CHECK_OK(mfft_box_check(&same, "box"));
  return same;
}

/* The array of a box with one more value after it, a sentinel. */
static inline void *new_array(const mfft_box *box, mfft_precision precision) {
  size_t bytes = precision == MFFT_SINGLE ? 4 : 8, count = (size_t)mfft_box_count(box) + 1;
  void *array = malloc(count * bytes);
  memset(array, 0x5a, count * bytes);
  return array;
}

static inline double array_get(const void *array, mfft_precision precision, int64_t i) {
  return precision == MFFT_SINGLE ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

static inline void *filled_array(const mfft_box *given, mfft_precision precision) {
  mfft_box ordered = in_order(given), *box = &ordered;
  void *array = new_array(box, precision);
  if (mfft_box_empty(box)) return array;
  for (int64_t x = box->lo[0]; x < box->hi[0]; x++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++)
      for (int64_t z = box->lo[2]; z < box->hi[2]; z++) {
        int64_t at = mfft_box_offset(box, (int64_t[3]){x, y, z});
        if (precision == MFFT_SINGLE)
          ((float *)array)[at] = (float)field_value(x, y, z);
        else
          ((double *)array)[at] = field_value(x, y, z);
      }
  return array;
}

/* The number of elements of a box's array that are not field_value, the sentinel included. */
static inline int64_t wrong_values(const mfft_box *given, mfft_precision precision, const void *array) {
  mfft_box ordered = in_order(given), *box = &ordered;
  int64_t wrong = 0, count = mfft_box_count(box);
  if (count)
    for (int64_t x = box->lo[0]; x < box->hi[0]; x++)
      for (int64_t y = box->lo[1]; y < box->hi[1]; y++)
        for (int64_t z = box->lo[2]; z < box->hi[2]; z++)
          wrong += array_get(array, precision, mfft_box_offset(box, (int64_t[3]){x, y, z})) != field_value(x, y, z);
  const unsigned char *behind = (const unsigned char *)array + (size_t)count * (precision == MFFT_SINGLE ? 4 : 8);
  for (int i = 0; i < (precision == MFFT_SINGLE ? 4 : 8); i++) wrong += behind[i] != 0x5a;
  return wrong;
}

/* A dataset as HDF5 or h5py reads any other: all values of n[], in C order. */
static inline double *whole_values(const int64_t n[3]) {
  mfft_box box = mfft_box_whole(n);
  return filled_array(&box, MFFT_DOUBLE);
}

static inline void make_foreign(hid_t file, const char *name, hid_t type, int rank, const int64_t n[3], hid_t creation) {
  hsize_t dims[3] = {(hsize_t)n[0], (hsize_t)n[1], (hsize_t)n[2]};
  double *values = whole_values(n);
  hid_t space = H5Screate_simple(rank, dims, NULL);
  hid_t object = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  CHECK(object >= 0 && H5Dwrite(object, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0, "%s", name);
  H5Dclose(object);
  H5Sclose(space);
  free(values);
}

/* Describes a file with one dataset "f". */
static inline mfft_field_desc desc_of_f(int rank, const int64_t n[3], mfft_precision precision) {
  static const mfft_field_dataset f = {"f", NULL};
  mfft_field_desc desc;
  mfft_field_desc_init(&desc);
  desc.rank = rank;
  memcpy(desc.n, n, sizeof desc.n);
  desc.precision = precision;
  desc.dataset = &f;
  desc.dataset_count = 1;
  return desc;
}

/* A file with one dataset "f", written by this process alone. */
static inline void write_alone(const char *path, int rank, const int64_t n[3], mfft_precision precision) {
  const mfft_field_desc desc = desc_of_f(rank, n, precision);
  mfft_box box = mfft_box_whole(n);
  void *values = filled_array(&box, precision);
  CHECK_OK(mfft_field_write(MPI_COMM_SELF, path, &desc, &box, precision, values));
  free(values);
}

/* Writes the field "f" of n cells in double, in slabs; `values` of this rank's box, or NULL for those of filled_array. */
static inline mfft_status write_slabs(const char *path, const int64_t n[3], const void *values) {
  const mfft_field_desc desc = desc_of_f(3, n, MFFT_DOUBLE);
  mfft_box box = cut_box(CUT_SLABS, n, world_rank(), world_size());
  void *filled = values ? NULL : filled_array(&box, MFFT_DOUBLE);
  mfft_status status = mfft_field_write(MPI_COMM_WORLD, path, &desc, &box, MFFT_DOUBLE, values ? values : filled);
  free(filled);
  return status;
}

/* The whole content of a file, to be freed; NULL if it cannot be read. */
static inline unsigned char *file_bytes(const char *path, long *bytes) {
  FILE *file = fopen(path, "rb");
  *bytes = -1;
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *bytes = ftell(file);
  rewind(file);
  unsigned char *content = malloc((size_t)*bytes + 1);
  size_t got = fread(content, 1, (size_t)*bytes, file);
  fclose(file);
  if ((long)got != *bytes) *bytes = -1;
  return content;
}

static inline int same_content(const char *a, const char *b) {
  long na, nb;
  unsigned char *ca = file_bytes(a, &na), *cb = file_bytes(b, &nb);
  int same = ca && cb && na == nb && na >= 0 && !memcmp(ca, cb, (size_t)na);
  free(ca);
  free(cb);
  return same;
}

static inline int there_is(const char *path) { return access(path, F_OK) == 0; }

#endif
