// TEST labels=field
// TEST labels=field env=MFFT_IO_THREADS=4
/* A dataset copied into a file of its own, before MPI begins: path, values, precision, BoxSize, Redshift and units are those
 * of the source, the copy has checksums, and a failed copy leaves no file. */
#include "field.h"

static const int64_t n[3] = {70, 33, 41};

/* A file of another program: packed, big-endian, in a group. */
static void make_packed(const char *path) {
  const hsize_t chunk[3] = {16, 8, 41};
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), layout = H5Pcreate(H5P_DATASET_CREATE);
  H5Gclose(H5Gcreate2(file, "native", 0, 0, 0));
  H5Gclose(H5Gcreate2(file, "native/fields", 0, 0, 0));
  H5Pset_chunk(layout, 3, chunk), H5Pset_shuffle(layout), H5Pset_deflate(layout, 1);
  make_foreign(file, "native/fields/rho", H5T_IEEE_F32BE, 3, n, layout);
  const double box[3] = {1, 2, 3}, redshift = -0.5;
  const hsize_t three = 3;
  hid_t group = H5Gcreate2(file, "Header", 0, 0, 0), scalar = H5Screate(H5S_SCALAR), text = H5Tcopy(H5T_C_S1);
  hid_t triple = H5Screate_simple(1, &three, NULL);
  H5Tset_size(text, 10);
  hid_t a = H5Acreate2(group, "Boxsize", H5T_IEEE_F64LE, triple, 0, 0),
        b = H5Acreate2(group, "Redshift", H5T_IEEE_F64LE, scalar, 0, 0), c = H5Acreate2(group, "units", text, scalar, 0, 0);
  CHECK(H5Awrite(a, H5T_NATIVE_DOUBLE, box) >= 0 && H5Awrite(b, H5T_NATIVE_DOUBLE, &redshift) >= 0 &&
            H5Awrite(c, text, "Msun\n/h^2") >= 0,
        "attributes");
  H5Aclose(a), H5Aclose(b), H5Aclose(c), H5Gclose(group);
  H5Sclose(scalar), H5Sclose(triple), H5Tclose(text), H5Pclose(layout), H5Fclose(file);
}

typedef struct seen {
  int64_t calls, done, all;
} seen;

static void progress(void *context, int64_t done, int64_t all) {
  seen *s = context;
  CHECK(s->calls++ == 0 ? done == 0 : done > s->done, "%lld after %lld", (long long)done, (long long)s->done);
  s->done = done;
  s->all = all;
}

static void check_copy(const char *path, const char *dataset) {
  mfft_field_info info;
  mfft_field_info_init(&info);
  mfft_box box = mfft_box_whole(n);
  float *values = new_array(&box, MFFT_SINGLE);
  CHECK_OK(mfft_field_read(MPI_COMM_SELF, path, dataset, &box, MFFT_SINGLE, values, 0));
  CHECK(wrong_values(&box, MFFT_SINGLE, values) == 0, "values of %s", path);
  CHECK_OK(mfft_field_query(MPI_COMM_SELF, path, dataset, &info));
  CHECK(info.precision == MFFT_SINGLE && info.checksummed && info.contiguous && !info.big_endian, "kind");
  CHECK(info.has_box_size && info.box_size[0] == 1 && info.box_size[2] == 3, "box %g", info.box_size[0]);
  CHECK(info.has_redshift && info.redshift == -0.5 && !strcmp(info.units, "Msun\n/h^2"), "attributes");
  free(values);
}

static void check_refused(const char *path, const char *dataset, const char *copy, mfft_status status, const char *words) {
  CHECK_FAILS(mfft_field_copy(path, dataset, copy, NULL, NULL, NULL), status, words);
  CHECK(!there_is("copy-none.h5") && !there_is("copy-none.h5.mfft-partial"), "%s left something", words);
}

int main(int argc, char **argv) {
  mfft_field_info info;
  seen s = {0, 0, 0};
  mfft_field_info_init(&info);
  make_packed("copy-packed.h5");
  CHECK_OK(mfft_field_copy("copy-packed.h5", "/native//./fields/rho", "copy.h5", progress, &s, &info));
  CHECK(s.calls >= 2 && s.done == s.all && s.all == n[0] * n[1] * n[2], "%lld of %lld", (long long)s.done, (long long)s.all);
  CHECK(!info.checksummed && info.big_endian && !info.contiguous && !strcmp(info.dataset, "/native//./fields/rho"), "%s",
        info.dataset);
  check_refused("copy-packed.h5", NULL, "copy-none.h5", MFFT_ERR_ARG, "no dataset of float or double at its root");
  check_refused("copy-packed.h5", "native", "copy-none.h5", MFFT_ERR_ARG, "native is a group");
  check_refused("copy-packed.h5", "native/fields/rho", "no/such/folder.h5", MFFT_ERR_IO, "no/such/folder.h5");
  check_refused("no-such.h5", "f", "copy-none.h5", MFFT_ERR_IO, "no-such.h5");
  check_refused(NULL, "f", "copy-none.h5", MFFT_ERR_ARG, "path is NULL");
  info.struct_size = 0;
  CHECK_FAILS(mfft_field_copy("copy-packed.h5", "native/fields/rho", "copy-none.h5", NULL, NULL, &info), MFFT_ERR_ARG,
              "struct_size");

  MPI_Init(&argc, &argv);
  check_copy("copy.h5", "/native//./fields/rho");
  write_alone("copy-ours.h5", 3, n, MFFT_DOUBLE);
  CHECK_OK(mfft_field_copy("copy-ours.h5", NULL, "copy.h5", NULL, NULL, NULL));
  CHECK(same_content("copy-ours.h5", "copy.h5"), "a copy of a file of ours is another file");
  long bytes;
  unsigned char *content = file_bytes("copy-ours.h5", &bytes);
  content[bytes - 9] ^= 4; /* among the checksums, or the values */
  FILE *file = fopen("copy-bad.h5", "wb");
  CHECK(file && fwrite(content, 1, (size_t)bytes, file) == (size_t)bytes && fclose(file) == 0, "copy-bad.h5");
  check_refused("copy-bad.h5", NULL, "copy-none.h5", MFFT_ERR_CORRUPT, "copy-bad.h5: dataset f is damaged");
  free(content);
  int bad = test_end();
  MPI_Finalize();
  return bad;
}
