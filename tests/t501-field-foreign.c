// TEST ranks=1,2,3,5 labels=field
// TEST ranks=2 labels=field env=MFFT_IO_THREADS=4
// Files of other programs: either byte order, float and double, contiguous, chunked, packed, compact, behind a user block,
// in groups and behind soft links, of rank 1, 2 and 3.
#include "field.h"

static const int64_t n3[3] = {9, 10, 11}, n2[3] = {30, 17, 1}, n1[3] = {777, 1, 1}, n_big[3] = {40, 50, 60},
                     n_small[3] = {4, 5, 6};

typedef struct foreign {
  const char *name, *requested; /* as made, as read */
  int rank;
  const int64_t *n;
  int big_endian;
  mfft_precision precision;
  int64_t chunk[3]; /* 0: contiguous; -1: compact */
  int packed;
} foreign;

static const foreign list[] = {
    {"le4", "le4", 3, n3, 0, MFFT_SINGLE, {0}, 0},
    {"le8", "/le8", 3, n3, 0, MFFT_DOUBLE, {0}, 0},
    {"be4", "be4", 3, n3, 1, MFFT_SINGLE, {0}, 0},
    {"be8", "./be8", 3, n3, 1, MFFT_DOUBLE, {0}, 0},
    {"plane", "plane", 2, n2, 0, MFFT_SINGLE, {0}, 0},
    {"line", "line", 1, n1, 1, MFFT_DOUBLE, {0}, 0},
    {"native_fields/density", "/native_fields/density", 3, n3, 0, MFFT_SINGLE, {0}, 0},
    {"target", "soft", 3, n3, 0, MFFT_DOUBLE, {0}, 0},
    {"chunked", "chunked", 3, n_big, 0, MFFT_SINGLE, {7, 9, 16}, 0},
    {"packed", "packed", 3, n_big, 1, MFFT_DOUBLE, {16, 16, 16}, 1},
    {"packed_plane", "packed_plane", 2, n2, 0, MFFT_DOUBLE, {8, 17, 1}, 1},
    {"compact", "compact", 3, n_small, 0, MFFT_DOUBLE, {-1}, 0},
};
enum { COUNT = sizeof list / sizeof *list };

static hid_t type_of(const foreign *f) {
  return f->precision == MFFT_SINGLE ? (f->big_endian ? H5T_IEEE_F32BE : H5T_IEEE_F32LE)
                                     : (f->big_endian ? H5T_IEEE_F64BE : H5T_IEEE_F64LE);
}

static void make(const char *path, hsize_t user_block) {
  hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_userblock(creation, user_block);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, creation, H5P_DEFAULT);
  hid_t group = H5Gcreate2(file, "native_fields", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (int i = 0; i < COUNT; i++) {
    const foreign *f = &list[i];
    hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t chunk[3] = {(hsize_t)f->chunk[0], (hsize_t)f->chunk[1], (hsize_t)f->chunk[2]};
    if (f->chunk[0] > 0) H5Pset_chunk(layout, f->rank, chunk);
    if (f->chunk[0] < 0) H5Pset_layout(layout, H5D_COMPACT);
    if (f->packed) {
      H5Pset_shuffle(layout);
      H5Pset_deflate(layout, 4);
      H5Pset_fletcher32(layout);
    }
    make_foreign(file, f->name, type_of(f), f->rank, f->n, layout);
    H5Pclose(layout);
  }
  H5Lcreate_soft("/target", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(group);
  H5Fclose(file);
  H5Pclose(creation);
}

static void read_one(const char *path, const foreign *f) {
  mfft_field_info info;
  mfft_field_info_init(&info);
  CHECK_OK(mfft_field_query(MPI_COMM_WORLD, path, f->requested, &info));
  CHECK(info.rank == f->rank && !memcmp(info.n, f->n, sizeof info.n), "%s: rank %d", f->name, info.rank);
  CHECK(info.precision == f->precision && info.big_endian == f->big_endian, "%s", f->name);
  CHECK(info.contiguous == (f->chunk[0] == 0) && !info.checksummed && !info.has_box_size, "%s", f->name);
  CHECK(!strcmp(info.dataset, f->requested), "%s", info.dataset);
  for (int cut = 0; cut < CUT_COUNT; cut++)
    for (int memory = 0; memory < 2; memory++) {
      mfft_box box = cut_box((field_cut)cut, f->n, world_rank(), world_size());
      void *values = new_array(&box, (mfft_precision)memory);
      CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, f->requested, &box, (mfft_precision)memory, values, 0));
      CHECK(wrong_values(&box, (mfft_precision)memory, values) == 0, "%s, cut %d, memory %d", f->name, cut, memory);
      free(values);
    }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int block = 0; block <= 512; block += 512) {
    const char *path = block ? "foreign-user-block.h5" : "foreign.h5";
    if (world_rank() == 0) make(path, (hsize_t)block);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++) read_one(path, &list[i]);
  }
  int bad = test_end();
  MPI_Finalize();
  return bad;
}
