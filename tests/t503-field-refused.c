// TEST ranks=1,3 labels=field+fault
// Files that cannot be read are refused on every rank, with the file, the dataset and the reason, and HDF5 prints nothing.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "field.h"

static const int64_t n3[3] = {4, 5, 6};

static void make_simple(hid_t file, const char *name, hid_t type, int rank, const hsize_t *dims, hid_t creation) {
  hid_t space = rank < 0 ? H5Screate(H5S_NULL) : rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, dims, NULL);
  hid_t object = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  CHECK(object >= 0, "%s", name);
  H5Dclose(object);
  H5Sclose(space);
}

/* A filter that is registered only while the file is made. */
static size_t pass_through(unsigned flags, size_t n, const unsigned values[], size_t bytes, size_t *size, void **buffer) {
  (void)flags, (void)n, (void)values, (void)size, (void)buffer;
  return bytes;
}

static void make(const char *path, const char *other) {
  const hsize_t d3[3] = {4, 5, 6}, d4[4] = {2, 2, 2, 2}, d0[3] = {4, 0, 6}, big[3] = {1u << 16, 1u << 16, 1u << 16},
                huge[3] = {1u << 20, 1u << 20, 1u << 20};
  hsize_t chunk[3] = {4, 5, 6};
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), plain = H5P_DEFAULT;
  H5Gclose(H5Gcreate2(file, "group", plain, plain, plain));
  hid_t shelf = H5Gcreate2(file, "shelf", plain, plain, plain);
  char lengthy[401]; /* a name that no list has space for */
  memset(lengthy, 'n', 400), lengthy[400] = '\0';
  H5Gclose(H5Gcreate2(shelf, lengthy, plain, plain, plain));
  H5Gclose(shelf);
  make_foreign(file, "good", H5T_IEEE_F64LE, 3, n3, plain);
  make_simple(file, "integers", H5T_STD_I32LE, 3, d3, plain);
  make_simple(file, "rank4", H5T_IEEE_F32LE, 4, d4, plain);
  make_simple(file, "scalar", H5T_IEEE_F32LE, 0, NULL, plain);
  make_simple(file, "null", H5T_IEEE_F32LE, -1, NULL, plain);
  make_simple(file, "zero", H5T_IEEE_F32LE, 3, d0, plain);
  make_simple(file, "unwritten", H5T_IEEE_F32LE, 3, d3, plain);

  hid_t half = H5Tcopy(H5T_IEEE_F32LE);
  H5Tset_fields(half, 15, 10, 5, 0, 10);
  H5Tset_size(half, 2);
  H5Tset_ebias(half, 15);
  make_simple(file, "half", half, 3, d3, plain);
  hid_t compound = H5Tcreate(H5T_COMPOUND, 8);
  H5Tinsert(compound, "re", 0, H5T_IEEE_F32LE);
  H5Tinsert(compound, "im", 4, H5T_IEEE_F32LE);
  make_simple(file, "complex", compound, 3, d3, plain);
  H5Tcommit2(file, "type", compound, plain, plain, plain);

  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(creation, "values.raw", 0, 4 * 5 * 6 * 4);
  make_simple(file, "external", H5T_IEEE_F32LE, 3, d3, creation);
  H5Pclose(creation);

  creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 3, chunk);
  make_simple(file, "absurd", H5T_IEEE_F32LE, 3, huge, creation);
  make_simple(file, "absurd2", H5T_IEEE_F32LE, 3, big, creation);
  const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, 31999, 1, 1, "secret", NULL, NULL, pass_through};
  H5Zregister(&filter);
  H5Pset_filter(creation, 31999, H5Z_FLAG_OPTIONAL, 0, NULL);
  make_foreign(file, "filtered", H5T_IEEE_F32LE, 3, n3, creation);
  H5Pclose(creation);
  H5Zunregister(31999);

  hid_t space = H5Screate_simple(3, d3, NULL);
  creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(creation, space, other, "f", space);
  make_simple(file, "virtual", H5T_IEEE_F32LE, 3, d3, creation);
  H5Pclose(creation);
  H5Sclose(space);

  H5Lcreate_external(other, "/f", file, "link", plain, plain);
  H5Lcreate_external(other, "/", file, "door", plain, plain);
  H5Lcreate_soft("/link", file, "soft", plain, plain);
  H5Lcreate_soft("/nowhere", file, "dangling", plain, plain);
  H5Tclose(compound);
  H5Tclose(half);
  H5Fclose(file);
}

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  fputs(text, file);
  fclose(file);
}

static const struct {
  const char *path, *dataset;
  mfft_status status;
  const char *words;
} refused[] = {
    {"refused.h5", "group", MFFT_ERR_ARG, "refused.h5: group is a group"},
    {"refused.h5", "/", MFFT_ERR_ARG, "is a group"},
    {"refused.h5", "type", MFFT_ERR_ARG, "type is a named type"},
    {"refused.h5", "missing", MFFT_ERR_ARG, "dataset missing is not there; / holds absurd, absurd2, complex"},
    {"refused.h5", "group/missing", MFFT_ERR_ARG, "group holds nothing"},
    {"refused.h5", "shelf/missing", MFFT_ERR_ARG, "shelf holds ..."},
    {"refused.h5", "none/missing", MFFT_ERR_ARG, "is not there; / holds"},
    {"refused.h5", "good/x", MFFT_ERR_ARG, "good is no group"},
    {"refused.h5", NULL, MFFT_ERR_ARG, "good"},
    {"refused.h5", "integers", MFFT_ERR_UNSUPPORTED, "refused.h5: dataset integers holds integers of 4 bytes"},
    {"refused.h5", "half", MFFT_ERR_UNSUPPORTED, "floating-point numbers of 2 bytes"},
    {"refused.h5", "complex", MFFT_ERR_UNSUPPORTED, "compounds of 8 bytes"},
    {"refused.h5", "rank4", MFFT_ERR_UNSUPPORTED, "rank 4"},
    {"refused.h5", "scalar", MFFT_ERR_UNSUPPORTED, "rank 0"},
    {"refused.h5", "null", MFFT_ERR_UNSUPPORTED, "rank 0"},
    {"refused.h5", "zero", MFFT_ERR_UNSUPPORTED, "length 0 along axis 1"},
    {"refused.h5", "unwritten", MFFT_ERR_CORRUPT, "never written"},
    {"refused.h5", "external", MFFT_ERR_UNSUPPORTED, "other files"},
    {"refused.h5", "absurd", MFFT_ERR_CORRUPT, "claims length 1048576 along axis 2"},
    {"refused.h5", "absurd2", MFFT_ERR_CORRUPT, "more than a file of"},
    {"refused.h5", "filtered", MFFT_ERR_UNSUPPORTED, "packed with filter 31999 secret"},
    {"refused.h5", "virtual", MFFT_ERR_UNSUPPORTED, "virtual"},
    {"refused.h5", "link", MFFT_ERR_UNSUPPORTED, "link is a link to another file"},
    {"refused.h5", "door/f", MFFT_ERR_UNSUPPORTED, "link to another file"},
    {"refused.h5", "soft", MFFT_ERR_UNSUPPORTED, "another file"},
    {"refused.h5", "dangling", MFFT_ERR_ARG, "not there"},
    {"text.h5", "f", MFFT_ERR_CORRUPT, "text.h5 is not an HDF5 file"},
    {"empty.h5", "f", MFFT_ERR_CORRUPT, "empty.h5 is empty"},
    {"no-such.h5", "f", MFFT_ERR_IO, "no-such.h5: No such file"},
    {"folder.h5", "f", MFFT_ERR_IO, "not a regular file"},
    {"/dev/zero", "f", MFFT_ERR_IO, "not a regular file"},
    {"", "f", MFFT_ERR_ARG, "path is empty"},
    {NULL, "f", MFFT_ERR_ARG, "path is NULL"},
};

/* A file that may not be read is not called damaged.  Root, who may read all files, is another user meanwhile. */
static void forbidden(void) {
  mfft_field_info info;
  const uid_t user = geteuid();
  mfft_field_info_init(&info);
  CHECK(user != 0 || seteuid(65534) == 0, "root cannot become another user");
  const mfft_status status = mfft_field_query(MPI_COMM_WORLD, "forbidden.h5", "f", &info);
  CHECK(seteuid(user) == 0, "the user before");
  CHECK_FAILS(status, MFFT_ERR_IO, "cannot open forbidden.h5: Permission denied; check the rights");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (world_rank() == 0) {
    unlink("forbidden.h5"); /* an earlier run of an ordinary user cannot be overwritten */
    write_alone("forbidden.h5", 3, n3, MFFT_SINGLE);
    chmod("forbidden.h5", 0);
    write_alone("other.h5", 3, n3, MFFT_SINGLE);
    make("refused.h5", "other.h5");
    write_text("text.h5", "x,y,z\n1,2,3\n");
    write_text("empty.h5", "");
    mkdir("folder.h5", 0777);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  /* Output of HDF5 and other libraries to stderr goes to a file meanwhile; messages of this test are printed afterwards. */
  char printed[64];
  snprintf(printed, sizeof printed, "refused-%d.txt", world_rank());
  int screen = dup(STDERR_FILENO), printed_file = open(printed, O_WRONLY | O_CREAT | O_TRUNC, 0666);

  mfft_box box = mfft_box_whole(n3);
  float values[4 * 5 * 6];
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    mfft_field_info info;
    mfft_field_info_init(&info);
    dup2(printed_file, STDERR_FILENO);
    mfft_status queried = mfft_field_query(MPI_COMM_WORLD, refused[i].path, refused[i].dataset, &info);
    dup2(screen, STDERR_FILENO);
    CHECK_FAILS(queried, refused[i].status, refused[i].words);
    dup2(printed_file, STDERR_FILENO);
    mfft_status read = mfft_field_read(MPI_COMM_WORLD, refused[i].path, refused[i].dataset, &box, MFFT_SINGLE, values, 0);
    dup2(screen, STDERR_FILENO);
    CHECK_FAILS(read, refused[i].status, refused[i].words);
    CHECK(info.rank == 0, "output touched");
  }
  struct stat said;
  CHECK(fstat(printed_file, &said) == 0 && said.st_size == 0, "something was printed: see %s", printed);
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, "refused.h5", "good", &box, MFFT_SINGLE, values, 0));

  forbidden();
  char name[2 * MFFT_FIELD_NAME_BYTES];
  memset(name, 'a', sizeof name);
  name[sizeof name - 1] = '\0';
  CHECK_FAILS(mfft_field_read(MPI_COMM_WORLD, "refused.h5", name, &box, MFFT_SINGLE, values, 0), MFFT_ERR_ARG, "bytes");
  int bad = test_end();
  MPI_Finalize();
  return bad;
}
