// TEST ranks=1,2,3,5 labels=field needs=data
// A file of monofonIC: its description, and every value as HDF5 itself reads it.
#include "field.h"

enum { N = 32 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *folder = getenv("MFFT_TEST_DATA");
  char path[1024];
  snprintf(path, sizeof path, "%s/density-1lpt-32.hdf5", folder ? folder : "");
  if (!folder || !there_is(path)) {
    MPI_Finalize();
    return TEST_SKIPPED;
  }

  mfft_field_info info;
  mfft_field_info_init(&info);
  CHECK_OK(mfft_field_query(MPI_COMM_WORLD, path, "DM_delta", &info));
  CHECK(info.rank == 3 && info.n[0] == N && info.n[1] == N && info.n[2] == N, "rank %d", info.rank);
  CHECK(info.precision == MFFT_DOUBLE && !info.big_endian && info.contiguous && !info.checksummed);
  CHECK(info.has_box_size && info.box_size[0] == 100 && info.box_size[2] == 100, "box %g", info.box_size[0]);
  CHECK(!info.has_redshift && !info.units[0]);
  CHECK_FAILS(mfft_field_query(MPI_COMM_WORLD, path, NULL, &info), MFFT_ERR_ARG, "DM_delta, DM_dx, DM_dy");

  static double truth[N][N][N], values[N * N * N];
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), object = H5Dopen2(file, "DM_delta", H5P_DEFAULT);
  CHECK(H5Dread(object, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, truth) >= 0);
  H5Dclose(object);
  H5Fclose(file);
  for (int cut = 0; cut < CUT_COUNT; cut++) {
    mfft_box given = cut_box((field_cut)cut, info.n, world_rank(), world_size()), box = in_order(&given);
    CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, "DM_delta", &given, MFFT_DOUBLE, values, 0));
    int64_t wrong = 0;
    for (int64_t x = box.lo[0]; x < box.hi[0]; x++)
      for (int64_t y = box.lo[1]; y < box.hi[1]; y++)
        for (int64_t z = box.lo[2]; z < box.hi[2]; z++)
          wrong += values[mfft_box_offset(&box, (int64_t[3]){x, y, z})] != truth[x][y][z];
    CHECK(wrong == 0, "%lld wrong values of cut %d", (long long)wrong, cut);
  }
  int bad = test_end();
  MPI_Finalize();
  return bad;
}
