// TEST ranks=1 labels=field+fault
// TEST ranks=1 labels=field+fault env=MFFT_IO_THREADS=4
/* Whether a dataset may be read is decided before any value is read: datasets, those of checksums too, in other files,
 * virtual ones, and with filters that are not allowed are refused, and links and attributes of any size do no harm.  The
 * other files are FIFOs: a process that opens one waits for ever, and the alarm ends the test. */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <sys/stat.h>

#include "field.h"
#include "field/sums.h"

enum { SECONDS = 10 };
static const int64_t n[3] = {4, 5, 6};
static const hsize_t dims[3] = {4, 5, 6};
static const char *now = "";

static void too_long(int signal) {
  (void)signal;
  static const char words[] = " is waited for: something opened a FIFO\n";
  (void)!write(STDERR_FILENO, now, strlen(now));
  (void)!write(STDERR_FILENO, words, sizeof words - 1);
  _exit(1);
}

/* ---- Properties of a dataset, each as the maker of a property list ---------------------------------------------------- */

static void plain(hid_t p, int rank) { (void)p, (void)rank; }
static void external(hid_t p, int rank) {
  (void)rank;
  H5Pset_external(p, "storage.fifo", 0, H5F_UNLIMITED);
}
static void chunked(hid_t p, int rank) { H5Pset_chunk(p, rank, (hsize_t[]){2, 5, 6}); }
static void packed(hid_t p, int rank) {
  chunked(p, rank);
  H5Pset_shuffle(p), H5Pset_deflate(p, 4), H5Pset_fletcher32(p);
}
static void twice(hid_t p, int rank) {
  chunked(p, rank);
  H5Pset_deflate(p, 4), H5Pset_deflate(p, 4);
}
static void nbit(hid_t p, int rank) {
  chunked(p, rank);
  H5Pset_nbit(p);
}
static void nbit_summed(hid_t p, int rank) {
  nbit(p, rank);
  H5Pset_fletcher32(p);
}
static void scaleoffset(hid_t p, int rank) {
  chunked(p, rank);
  if (rank == 1)
    H5Pset_scaleoffset(p, H5Z_SO_INT, H5Z_SO_INT_MINBITS_DEFAULT);
  else
    H5Pset_scaleoffset(p, H5Z_SO_FLOAT_DSCALE, 3);
}
static void scaleoffset_summed(hid_t p, int rank) { /* of checksums, since it changes real numbers (t531 reads these) */
  rank == 1 ? scaleoffset(p, rank) : chunked(p, rank);
  H5Pset_shuffle(p), H5Pset_deflate(p, 4);
}
static void scaleoffset_late(hid_t p, int rank) {
  chunked(p, rank);
  H5Pset_fletcher32(p);
  scaleoffset(p, rank);
}
static void szip(hid_t p, int rank) {
  chunked(p, rank);
  if (H5Zfilter_avail(H5Z_FILTER_SZIP) > 0)
    H5Pset_szip(p, H5_SZIP_NN_OPTION_MASK, 2);
  else
    H5Pset_nbit(p);
}
/* The values are in another file, or in as many files of a pattern as exist. */
static void virtual(hid_t p, int rank) {
  hid_t space = H5Screate_simple(rank, dims, NULL);
  H5Pset_virtual(p, space, "storage.fifo", "f", space);
  H5Sclose(space);
}
static const hsize_t endless[3] = {H5S_UNLIMITED, 5, 6};
static void pattern(hid_t p, int rank) {
  const hsize_t start[3] = {0, 0, 0}, one[3] = {1, 5, 6}, many[3] = {H5S_UNLIMITED, 1, 1};
  hid_t to = H5Screate_simple(rank, dims, endless), from = H5Screate_simple(rank, one, NULL);
  H5Sselect_hyperslab(to, H5S_SELECT_SET, start, one, many, one);
  H5Pset_virtual(p, to, "storage%b.fifo", "f", from);
  H5Sclose(to), H5Sclose(from);
}

static const struct {
  const char *name;
  void (*set)(hid_t properties, int rank);
  int resizable, writes;
  mfft_status status;
  const char *words;
} kinds[] = {
    {"plain", plain, 0, 1, MFFT_SUCCESS, ""},
    {"chunked", chunked, 0, 1, MFFT_SUCCESS, ""},
    {"packed", packed, 0, 1, MFFT_SUCCESS, ""},
    {"unwritten", chunked, 0, 0, MFFT_ERR_CORRUPT, "was never written"},
    {"external", external, 0, 0, MFFT_ERR_UNSUPPORTED, "keeps its values in other files"},
    {"virtual", virtual, 0, 0, MFFT_ERR_UNSUPPORTED, "is virtual"},
    {"pattern", pattern, 1, 0, MFFT_ERR_UNSUPPORTED, "is virtual"},
    {"twice", twice, 0, 1, MFFT_ERR_UNSUPPORTED, "is packed with filter 1 deflate"},
    {"nbit", nbit, 0, 1, MFFT_ERR_UNSUPPORTED, "is packed with filter 5 nbit and no checksum after it"},
    {"nbit, summed", nbit_summed, 0, 1, MFFT_SUCCESS, ""},
    {"scaleoffset", scaleoffset, 0, 1, MFFT_ERR_UNSUPPORTED, "is packed with filter 6 scaleoffset and no checksum after it"},
    {"scaleoffset, summed", scaleoffset_summed, 0, 1, MFFT_SUCCESS, ""},
    {"scaleoffset, summed before", scaleoffset_late, 0, 1, MFFT_ERR_UNSUPPORTED,
     "is packed with filter 6 scaleoffset and no checksum after it"},
    {"szip", szip, 0, 1, MFFT_ERR_UNSUPPORTED, "is packed with filter "},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- Files ----------------------------------------------------------------------------------------------------------- */

static hid_t make_dataset(hid_t where, const char *name, hid_t type, int rank, int kind) {
  hid_t p = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(rank, dims, kinds[kind].resizable ? endless : NULL);
  kinds[kind].set(p, rank);
  hid_t object = H5Dcreate2(where, name, type, space, H5P_DEFAULT, p, H5P_DEFAULT);
  CHECK(object >= 0, "%s of kind %s", name, kinds[kind].name);
  H5Pclose(p), H5Sclose(space);
  return object;
}

static void put_number(hid_t object, const char *name, hid_t type, int64_t value) {
  hid_t space = H5Screate(H5S_SCALAR), a = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  CHECK(a >= 0 && H5Awrite(a, H5T_NATIVE_INT64, &value) >= 0, "%s", name);
  H5Aclose(a), H5Sclose(space);
}

/* A field "f" of one kind with checksums of another kind, in a type of their own. */
static void make_file(const char *path, int field, int sums, hid_t sums_type) {
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), group = H5Gcreate2(file, "Checksum", 0, 0, 0);
  double *values = whole_values(n);
  uint64_t stored[4] = {0}; /* [x] one a plane */
  const mfft_slabs slabs = mfft_slabs_of(n, 1);
  mfft_sums_add(&slabs, stored, values, 8, 0, slabs.elements);
  hid_t object = make_dataset(file, "f", H5T_IEEE_F64LE, 3, field), check = make_dataset(group, "f", sums_type, 1, sums);
  if (kinds[field].writes) CHECK(H5Dwrite(object, H5T_NATIVE_DOUBLE, 0, 0, 0, values) >= 0, "%s", kinds[field].name);
  if (kinds[sums].writes) CHECK(H5Dwrite(check, H5T_NATIVE_UINT64, 0, 0, 0, stored) >= 0, "%s", kinds[sums].name);
  put_number(check, "version", H5T_STD_I64LE, 1);
  put_number(check, "depth", H5T_STD_I64LE, 1);
  H5Dclose(object), H5Dclose(check), H5Gclose(group), H5Fclose(file);
  free(values);
}

/* Reads the only dataset of a file, and compares it if reading should succeed. */
static void check_read(const char *path, const char *what, mfft_status status, const char *words) {
  mfft_box box = mfft_box_whole(n);
  double *values = new_array(&box, MFFT_DOUBLE);
  now = what;
  alarm(SECONDS);
  mfft_status got = mfft_field_read(MPI_COMM_SELF, path, NULL, &box, MFFT_DOUBLE, values, 0);
  alarm(0);
  CHECK(got == status, "%s: %s", what, got == MFFT_SUCCESS ? "it was read" : mfft_last_error());
  if (got == MFFT_SUCCESS)
    CHECK(wrong_values(&box, MFFT_DOUBLE, values) == 0, "%s: wrong values", what);
  else
    CHECK(strstr(mfft_last_error(), words) && strstr(mfft_last_error(), path), "%s: %s", what, mfft_last_error());
  free(values);
}

static void check_kinds(void) {
  char what[64], words[96];
  for (int kind = 0; kind < KINDS; kind++) {
    make_file("storage.h5", kind, 0, H5T_STD_U64LE);
    snprintf(what, sizeof what, "a field, %s", kinds[kind].name);
    snprintf(words, sizeof words, "dataset f %s", kinds[kind].words);
    check_read("storage.h5", what, kinds[kind].status, words);
    make_file("storage.h5", 0, kind, H5T_STD_U64LE);
    snprintf(what, sizeof what, "checksums, %s", kinds[kind].name);
    snprintf(words, sizeof words, "dataset /Checksum/f %s", kinds[kind].words);
    check_read("storage.h5", what, kinds[kind].status, words);
  }
  make_file("storage.h5", 0, 0, H5T_STD_U64BE);
  check_read("storage.h5", "checksums, of the other byte order", MFFT_SUCCESS, "");
  make_file("storage.h5", 0, 0, H5T_STD_I64LE);
  check_read("storage.h5", "checksums, signed", MFFT_ERR_UNSUPPORTED, "/Checksum/f holds integers of 8 bytes");
  make_file("storage.h5", 0, 0, H5T_IEEE_F64LE);
  check_read("storage.h5", "checksums, real", MFFT_ERR_UNSUPPORTED, "/Checksum/f holds floating-point numbers of 8 bytes");
}

/* Links to other files, in place of the objects of a field. */
static void check_links(void) {
  static const struct {
    /* the object that is removed, and the name of the link that replaces it; soft: a link to a link */
    const char *removed, *link;
    int soft;
    mfft_status status;
    const char *words;
  } links[] = {{"/Checksum/f", "/Checksum/f", 0, MFFT_ERR_UNSUPPORTED, "/Checksum/f is a link to another file"},
               {"/Checksum", "/Checksum", 0, MFFT_ERR_UNSUPPORTED, "/Checksum is a link to another file"},
               {"/Checksum", "/Checksum", 1, MFFT_ERR_UNSUPPORTED, "/Checksum/f leads to another file"},
               {"/Checksum", "/Header", 0, MFFT_SUCCESS, ""},
               {"/Checksum", "/Header", 1, MFFT_SUCCESS, ""},
               {"/Checksum", "/another", 0, MFFT_SUCCESS, ""},
               {"/Checksum", "/another", 1, MFFT_SUCCESS, ""}};
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    make_file("storage.h5", 0, 0, H5T_STD_U64LE);
    hid_t file = H5Fopen("storage.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, links[i].removed, H5P_DEFAULT);
    H5Lcreate_external("storage.fifo", "/f", file, links[i].soft ? "/through" : links[i].link, H5P_DEFAULT, H5P_DEFAULT);
    if (links[i].soft) H5Lcreate_soft("/through", file, links[i].link, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    check_read("storage.h5", links[i].link, links[i].status, links[i].words);
  }
}

/* Attributes that no reader expects: one that is neither a number nor text counts as missing, and none is read that does not
 * fit. */
static void check_attributes(void) {
  enum { LONG = 50000 };
  static char text[LONG + 1];
  static double numbers[LONG / 8];
  hvl_t list = {LONG / 8, numbers};
  memset(text, 'u', LONG);
  const char *pointer = text;
  const hsize_t many = LONG / 8;
  hid_t fixed = H5Tcopy(H5T_C_S1), variable = H5Tcopy(H5T_C_S1), lists = H5Tvlen_create(H5T_NATIVE_DOUBLE);
  hid_t wide = H5Tcopy(H5T_STD_I64LE), scalar = H5Screate(H5S_SCALAR), array = H5Screate_simple(1, &many, NULL);
  H5Tset_size(fixed, LONG), H5Tset_size(variable, H5T_VARIABLE), H5Tset_size(wide, 1000);
  const struct {
    const char *name;
    hid_t type, space;
    const void *value;
  } strange[] = {{"BoxSize", lists, scalar, &list},       {"BoxSize", fixed, scalar, text},
                 {"BoxSize", variable, scalar, &pointer}, {"BoxSize", H5T_NATIVE_DOUBLE, array, numbers},
                 {"BoxSize", wide, scalar, text},         {"units", fixed, scalar, text},
                 {"units", variable, scalar, &pointer},   {"units", lists, scalar, &list}};
  for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
    make_file("storage.h5", 0, 0, H5T_STD_U64LE);
    hid_t file = H5Fopen("storage.h5", H5F_ACC_RDWR, H5P_DEFAULT), object = H5Dopen2(file, "f", H5P_DEFAULT);
    hid_t a = -1;
    H5E_BEGIN_TRY { a = H5Acreate2(object, strange[i].name, strange[i].type, strange[i].space, H5P_DEFAULT, H5P_DEFAULT); }
    H5E_END_TRY;
    if (a < 0 && strange[i].type == wide) { /* HDF5 1.14 makes no such type */
      H5Dclose(object), H5Fclose(file);
      continue;
    }
    CHECK(a >= 0 && H5Awrite(a, strange[i].type, strange[i].value) >= 0, "%zu", i);
    H5Aclose(a), H5Dclose(object), H5Fclose(file);
    check_read("storage.h5", strange[i].name, MFFT_SUCCESS, "");
    mfft_field_info info;
    mfft_field_info_init(&info);
    CHECK_OK(mfft_field_query(MPI_COMM_SELF, "storage.h5", "f", &info));
    const int is_text = !strcmp(strange[i].name, "units") && strange[i].type != lists;
    CHECK(!info.has_box_size && strlen(info.units) == (is_text ? sizeof info.units - 1 : 0), "%zu: \"%s\"", i, info.units);
  }
  H5Tclose(fixed), H5Tclose(variable), H5Tclose(lists), H5Tclose(wide), H5Sclose(scalar), H5Sclose(array);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  signal(SIGALRM, too_long);
  unlink("storage.fifo"), unlink("storage0.fifo");
  if (mkfifo("storage.fifo", 0666) != 0 || mkfifo("storage0.fifo", 0666) != 0) return TEST_SKIPPED;
  check_kinds();
  check_links();
  check_attributes();
  int bad = test_end();
  MPI_Finalize();
  return bad;
}
