// TEST ranks=1 labels=field+large+once+nightly timeout=120
// A part of more than 2^31 bytes on one rank, read from a file with holes; the values beyond 2 GiB are right.  Skipped if
// there is not enough memory or disk space.
#include <fcntl.h>

#include "field.h"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int64_t n[3] = {((int64_t)1 << 29) + 4099, 1, 1}; /* of float: 2 GiB and 16 KiB */
  const hsize_t dims[1] = {(hsize_t)n[0]};
  const char *path = "large.h5";
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
  hid_t space = H5Screate_simple(1, dims, NULL);
  hid_t object = H5Dcreate2(file, "f", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  int64_t offset = (int64_t)H5Dget_offset(object);
  H5Dclose(object);
  H5Sclose(space);
  H5Pclose(creation);
  int made = H5Fclose(file) >= 0;
  const int64_t where[] = {0, 12345, ((int64_t)1 << 29) - 1, (int64_t)1 << 29, ((int64_t)1 << 29) + 1, n[0] - 1};
  enum { COUNT = sizeof where / sizeof *where };
  int fd = open(path, O_RDWR);
  for (int i = 0; i < COUNT; i++) {
    float value = (float)(i + 1);
    made = made && pwrite(fd, &value, sizeof value, (off_t)(offset + 4 * where[i])) == sizeof value;
  }
  close(fd);
  float *values = made ? malloc((size_t)n[0] * sizeof *values) : NULL;
  if (!values) {
    remove(path);
    MPI_Finalize();
    return TEST_SKIPPED;
  }

  mfft_box box = mfft_box_whole(n);
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, "f", &box, MFFT_SINGLE, values, 0));
  double sum = 0;
  for (int64_t i = 0; i < n[0]; i++) sum += values[i];
  for (int i = 0; i < COUNT; i++) CHECK(values[where[i]] == (float)(i + 1), "element %lld", (long long)where[i]);
  CHECK(sum == COUNT * (COUNT + 1) / 2, "other values: %g", sum);
  free(values);
  remove(path);
  int bad = test_end();
  MPI_Finalize();
  return bad;
}
