// TEST ranks=1,2 labels=field
// An attribute Nmesh that contradicts the lengths of a dataset is refused on every rank, with both; that of the dataset
// takes precedence over that of /Header, which does not hold for tables; an attribute that is no list of lengths is ignored.
#include "field.h"

static void put_numbers(hid_t object, int count, const int64_t *values) {
  const hsize_t length = (hsize_t)count;
  hid_t space = H5Screate_simple(1, &length, NULL);
  hid_t attribute = H5Acreate2(object, "Nmesh", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
  CHECK(H5Awrite(attribute, H5T_NATIVE_INT64, values) >= 0, "Nmesh");
  H5Aclose(attribute);
  H5Sclose(space);
}

static const struct {
  const char *name;
  int rank;
  int64_t n[3];
  int count; /* of its own Nmesh */
  int64_t mesh[3];
  const char *words; /* NULL: can be read */
} sets[] = {{"plain", 3, {4, 5, 6}, 0, {0}, NULL},
            {"own", 3, {2, 3, 2}, 3, {2, 3, 2}, NULL},
            {"cube", 3, {3, 3, 3}, 1, {3}, NULL},
            {"coarse", 3, {2, 5, 6}, 0, {0}, "Nmesh of /Header is 4 along axis 0, but dataset coarse has length 2"},
            {"padded", 3, {4, 4, 6}, 1, {4}, "Nmesh of padded is 4 along axis 2, but dataset padded has length 6"},
            {"wrong", 3, {4, 5, 6}, 3, {4, 6, 5}, "Nmesh of wrong is 6 along axis 1, but dataset wrong has length 5"},
            {"table", 1, {9, 1, 1}, 0, {0}, NULL},
            {"row", 1, {9, 1, 1}, 1, {8}, "Nmesh of row is 8 along axis 0, but dataset row has length 9"},
            {"pair", 3, {4, 5, 6}, 2, {7, 7}, NULL}};

static void make(void) {
  hid_t file = H5Fcreate("mesh.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t header = H5Gcreate2(file, "Header", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  put_numbers(header, 3, (int64_t[]){4, 5, 6});
  H5Gclose(header);
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    make_foreign(file, sets[i].name, H5T_IEEE_F64LE, sets[i].rank, sets[i].n, H5P_DEFAULT);
    hid_t object = H5Dopen2(file, sets[i].name, H5P_DEFAULT);
    if (sets[i].count) put_numbers(object, sets[i].count, sets[i].mesh);
    H5Dclose(object);
  }
  H5Fclose(file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (world_rank() == 0) make();
  MPI_Barrier(MPI_COMM_WORLD);
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    mfft_field_info info;
    mfft_field_info_init(&info);
    const mfft_status status = mfft_field_query(MPI_COMM_WORLD, "mesh.h5", sets[i].name, &info);
    if (sets[i].words)
      CHECK_FAILS(status, MFFT_ERR_CORRUPT, sets[i].words);
    else
      CHECK(status == MFFT_SUCCESS, "%s: %s", sets[i].name, mfft_last_error());
  }
  int bad = test_end();
  MPI_Finalize();
  return bad;
}
