// TEST ranks=2 more=1,3 labels=field+emulated
// Fields between files and the memory of the emulated GPU with no copy on the host, by a cuFile that is emulated too: the
// same files and values as through the host, for whole blocks and ragged ends, in short transfers and on several threads;
// what is refused before anything is moved; transfers that fail in the middle; damage that the checksums of the device find.
#include <dlfcn.h>
#include <stdlib.h>

#include "base/checksum.h"
#include "field.h"
#include "mfft_field_direct.h"
#include "mfft_memory.h"

static const int64_t n[3] = {12, 83, 211}; /* planes of 140 KB, which end within blocks of the file */

/* The emulated cuFile has a folder of its own below that of the emulated driver; the library finds what is loaded. */
static int load_cufile(void) {
  const char *folder = getenv("LD_LIBRARY_PATH");
  while (folder && *folder) {
    char path[4096];
    const int length = (int)strcspn(folder, ":");
    snprintf(path, sizeof path, "%.*s/cufile/libcufile.so.0", length, folder);
    if (dlopen(path, RTLD_NOW | RTLD_GLOBAL)) return 1;
    folder += length + (folder[length] == ':');
  }
  return 0;
}

/* The array of a box in the memory of the device, registered, with the values that they get on the host. */
typedef struct device_array {
  mfft_box box;
  size_t bytes;
  char *host, *device; /* [bytes] */
  mfft_direct_array direct;
} device_array;

static device_array make_array(mfft_precision precision) {
  device_array a = {.box = cut_box(CUT_SLABS, n, world_rank(), world_size())};
  a.bytes = (size_t)mfft_box_count(&a.box) * (precision == MFFT_SINGLE ? 4 : 8);
  a.host = filled_array(&a.box, precision);
  void *device = NULL;
  CHECK_OK(mfft_memory_alloc("cuda", a.bytes, &device));
  a.device = device;
  CHECK_OK(mfft_memory_upload("cuda", device, a.host, a.bytes));
  CHECK_OK(mfft_direct_create("cuda", device, a.bytes, &a.direct));
  return a;
}

static void free_array(device_array *a) {
  mfft_direct_destroy(a->direct);
  CHECK_OK(mfft_memory_free("cuda", a->device));
  free(a->host);
}

/* The checksums of all rows of the array, as a device would have them. */
static uint64_t *row_sums(const device_array *a, int bytes, int64_t *rows) {
  *rows = (a->box.hi[0] - a->box.lo[0]) * n[1];
  uint64_t *sums = malloc((size_t)*rows * sizeof *sums);
  for (int64_t r = 0; r < *rows; r++)
    sums[r] = mfft_checksum(a->host + r * n[2] * bytes, bytes, (a->box.lo[0] * n[1] + r) * n[2], n[2]);
  return sums;
}

/* Planes [from, to) of the box, and their address. */
static mfft_box planes(const device_array *a, int64_t from, int64_t to, int bytes, char **at) {
  mfft_box part = a->box;
  part.lo[0] = a->box.lo[0] + from;
  part.hi[0] = a->box.lo[0] + to;
  *at = a->device + from * n[1] * n[2] * bytes;
  return part;
}

/* Writes the array in two parts; the status of the first that fails. */
static mfft_status put_all(device_array *a, mfft_field_file file, int bytes) {
  char *at;
  const int64_t depth = a->box.hi[0] - a->box.lo[0];
  mfft_box part = planes(a, depth / 2, depth, bytes, &at);
  mfft_status status = mfft_field_put_direct(file, a->direct, &part, at);
  part = planes(a, 0, depth / 2, bytes, &at);
  return status == MFFT_SUCCESS ? mfft_field_put_direct(file, a->direct, &part, at) : status;
}

static mfft_status read_all(device_array *a, mfft_field_reading reading, int bytes) {
  char *at;
  const int64_t depth = a->box.hi[0] - a->box.lo[0];
  mfft_box part = planes(a, 0, 1, bytes, &at);
  mfft_status status = mfft_field_read_direct(reading, a->direct, &part, at);
  part = planes(a, 1, depth, bytes, &at);
  return status == MFFT_SUCCESS ? mfft_field_read_direct(reading, a->direct, &part, at) : status;
}

static void same(mfft_precision precision, int threads) {
  const int bytes = precision == MFFT_SINGLE ? 4 : 8;
  mfft_field_desc desc = desc_of_f(3, n, precision);
  device_array a = make_array(precision);
  mfft_field_file file = NULL;
  mfft_field_reading reading = NULL;
  int64_t rows;
  uint64_t *sums = row_sums(&a, bytes, &rows), put = 0, whole = 0;
  CHECK_OK(mfft_field_set_threads(threads));
  CHECK_OK(mfft_field_write(MPI_COMM_WORLD, "host.h5", &desc, &a.box, precision, a.host));
  CHECK_OK(mfft_field_create(MPI_COMM_WORLD, "device.h5", &desc, &file));
  CHECK_OK(mfft_field_put_begin(file, 0, &a.box, precision));
  CHECK_OK(put_all(&a, file, bytes));
  CHECK_FAILS(mfft_field_put_row_sums(file, 1, rows, sums), MFFT_ERR_ARG, "the box has");
  CHECK_OK(mfft_field_put_row_sums(file, 5, rows - 5, sums + 5));
  CHECK_OK(mfft_field_put_row_sums(file, 0, 5, sums));
  CHECK_OK(mfft_field_put_checksum(file, &put));
  for (int64_t r = 0; r < rows; r++) whole += sums[r];
  CHECK(put == whole, "the checksum of a rank");
  CHECK_OK(mfft_field_put_end(file));
  CHECK_OK(mfft_field_commit(&file));
  if (world_rank() == 0) CHECK(same_content("host.h5", "device.h5"), "%d threads: other files", threads);

  memset(a.host, 0, a.bytes);
  CHECK_OK(mfft_memory_upload("cuda", a.device, a.host, a.bytes));
  CHECK_OK(mfft_field_read_begin(MPI_COMM_WORLD, "device.h5", "f", &a.box, precision, 0, &reading));
  CHECK_OK(read_all(&a, reading, bytes));
  CHECK_OK(mfft_field_read_row_sums(reading, 0, rows, sums));
  CHECK_OK(mfft_field_read_end(&reading));
  char *want = filled_array(&a.box, precision);
  CHECK_OK(mfft_memory_download("cuda", a.host, a.device, a.bytes));
  CHECK(!memcmp(want, a.host, a.bytes), "%d threads: other values", threads);
  free(want);

  /* A number that differs on the device, as its checksums say. */
  sums[3] += world_rank() == world_size() - 1;
  CHECK_OK(mfft_field_read_begin(MPI_COMM_WORLD, "device.h5", "f", &a.box, precision, 0, &reading));
  CHECK_OK(read_all(&a, reading, bytes));
  CHECK_OK(mfft_field_read_row_sums(reading, 0, rows, sums));
  CHECK_FAILS(mfft_field_read_end(&reading), MFFT_ERR_CORRUPT, "is damaged: planes");
  CHECK_OK(mfft_field_create(MPI_COMM_WORLD, "wrong.h5", &desc, &file));
  CHECK_OK(mfft_field_put_begin(file, 0, &a.box, precision));
  CHECK_OK(put_all(&a, file, bytes));
  CHECK_OK(mfft_field_put_row_sums(file, 0, rows, sums));
  CHECK_OK(mfft_field_put_end(file));
  CHECK_FAILS(mfft_field_commit(&file), MFFT_ERR_IO, "what was written does not read back");
  CHECK(access("wrong.h5", F_OK) != 0, "a file of other values");
  free(sums);
  free_array(&a);
}

static mfft_status ignore(void *context, int worker, const mfft_box *piece, void *values) {
  (void)context, (void)worker, (void)piece, (void)values;
  return MFFT_SUCCESS;
}

/* Direct transfers that are refused, after which the host can read and write all the same. */
static void refused(void) {
  mfft_field_desc desc = desc_of_f(3, n, MFFT_DOUBLE);
  device_array a = make_array(MFFT_DOUBLE), single = make_array(MFFT_SINGLE);
  mfft_field_reading reading = NULL;
  mfft_field_file file = NULL;
  mfft_direct_array none = NULL;
  char *at;
  mfft_box part = planes(&a, 0, 1, 8, &at), row = part;
  double *values = malloc(a.bytes);
  row.hi[1] = row.lo[1] + 1;

  CHECK_FAILS(mfft_direct_create("fftw", a.host, a.bytes, &none), MFFT_ERR_UNSUPPORTED, "backend fftw has no memory");
  CHECK_FAILS(mfft_direct_create("cuda", a.host, a.bytes, &none), MFFT_ERR_UNSUPPORTED, "cuFile answers");
  CHECK_FAILS(mfft_direct_create("cuda", NULL, 1, &none), MFFT_ERR_ARG, "array is NULL");
  setenv("MFFT_EMULATED_CUFILE", "pin", 1);
  CHECK_FAILS(mfft_direct_create("cuda", single.device, 4096, &none), MFFT_ERR_UNSUPPORTED, "cannot be pinned");
  unsetenv("MFFT_EMULATED_CUFILE");

  CHECK_OK(mfft_field_read_begin(MPI_COMM_WORLD, "host.h5", "f", &a.box, MFFT_DOUBLE, 0, &reading));
  CHECK_FAILS(mfft_field_read_direct(reading, NULL, &part, at), MFFT_ERR_ARG, "direct is NULL");
  CHECK_FAILS(mfft_field_read_direct(reading, a.direct, &row, at), MFFT_ERR_UNSUPPORTED, "too short");
  setenv("MFFT_EMULATED_CUFILE", "refuse", 1);
  CHECK_FAILS(mfft_field_read_direct(reading, a.direct, &part, at), MFFT_ERR_UNSUPPORTED, "the file system has none");
  unsetenv("MFFT_EMULATED_CUFILE");
  CHECK_OK(mfft_field_read_visit(reading, ignore, NULL));
  CHECK_FAILS(mfft_field_read_direct(reading, a.direct, &part, at), MFFT_ERR_UNSUPPORTED, "or is visited");
  CHECK_OK(mfft_field_read_part(reading, &a.box, values));
  CHECK_OK(mfft_field_read_end(&reading));
  CHECK(!memcmp(values, a.host, a.bytes), "values through the host");

  CHECK_OK(mfft_field_read_begin(MPI_COMM_WORLD, "host.h5", "f", &a.box, MFFT_SINGLE, 0, &reading));
  CHECK_FAILS(mfft_field_read_direct(reading, single.direct, &part, single.device), MFFT_ERR_UNSUPPORTED,
              "in the precision of the array");
  CHECK_OK(mfft_field_read_part(reading, &a.box, values));
  CHECK_OK(mfft_field_read_end(&reading));

  CHECK_OK(mfft_field_create(MPI_COMM_WORLD, "device.h5", &desc, &file));
  CHECK_OK(mfft_field_put_begin(file, 0, &a.box, MFFT_DOUBLE));
  setenv("MFFT_EMULATED_CUFILE", "refuse", 1);
  CHECK_FAILS(mfft_field_put_direct(file, a.direct, &part, at), MFFT_ERR_UNSUPPORTED, "the file system has none");
  unsetenv("MFFT_EMULATED_CUFILE");
  CHECK_OK(mfft_field_put_part(file, &a.box, a.host));
  CHECK_OK(mfft_field_put_end(file));
  CHECK_OK(mfft_field_commit(&file));
  if (world_rank() == 0) CHECK(same_content("host.h5", "device.h5"), "other files after a refusal");

  /* An address outside the array is an error of the caller. */
  CHECK_OK(mfft_field_read_begin(MPI_COMM_WORLD, "host.h5", "f", &a.box, MFFT_DOUBLE, 0, &reading));
  CHECK_FAILS(mfft_field_read_direct(reading, a.direct, &a.box, at + 8), MFFT_ERR_ARG, "not within the array");
  CHECK_FAILS(mfft_field_read_end(&reading), MFFT_ERR_STATE, "");
  free(values);
  free_array(&single);
  free_array(&a);
}

/* A transfer that fails in the middle on the last rank is an error on all, and leaves no file.  sign: minus for an error of
 * cuFile's own. */
static void fails(const char *sign, const char *words) {
  const int last = world_rank() == world_size() - 1;
  mfft_field_desc desc = desc_of_f(3, n, MFFT_DOUBLE);
  device_array a = make_array(MFFT_DOUBLE);
  mfft_field_reading reading = NULL;
  mfft_field_file file = NULL;
  char byte[32];
  snprintf(byte, sizeof byte, "%s%lld", sign, (long long)(n[0] - 1) * n[1] * n[2] * 8);
  CHECK_OK(mfft_field_read_begin(MPI_COMM_WORLD, "host.h5", "f", &a.box, MFFT_DOUBLE, 0, &reading));
  if (last) setenv("MFFT_EMULATED_CUFILE_FAIL", byte, 1);
  mfft_status status = read_all(&a, reading, 8);
  CHECK(status == (last ? MFFT_ERR_IO : MFFT_SUCCESS), "%s", mfft_last_error());
  if (last) CHECK(strstr(mfft_last_error(), "host.h5: reading"), "%s", mfft_last_error());
  if (last) CHECK_FAILS(read_all(&a, reading, 8), MFFT_ERR_STATE, "failed before");
  CHECK_FAILS(mfft_field_read_end(&reading), MFFT_ERR_IO, words);

  unsetenv("MFFT_EMULATED_CUFILE_FAIL");
  CHECK_OK(mfft_field_create(MPI_COMM_WORLD, "none.h5", &desc, &file));
  CHECK_OK(mfft_field_put_begin(file, 0, &a.box, MFFT_DOUBLE));
  if (last) setenv("MFFT_EMULATED_CUFILE_FAIL", byte, 1);
  status = put_all(&a, file, 8);
  CHECK(status == (last ? MFFT_ERR_IO : MFFT_SUCCESS), "%s", mfft_last_error());
  unsetenv("MFFT_EMULATED_CUFILE_FAIL");
  CHECK_FAILS(mfft_field_put_end(file), MFFT_ERR_IO, words);
  mfft_field_abandon(&file);
  CHECK(access("none.h5", F_OK) != 0 && access("none.h5.mfft-partial", F_OK) != 0, "an abandoned file");
  free_array(&a);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  setenv("MFFT_CUFILE", "on", 1);
  CHECK(load_cufile(), "no emulated cuFile");
  same(MFFT_DOUBLE, 1);
  same(MFFT_DOUBLE, 4);
  setenv("MFFT_EMULATED_CUFILE_SHORT", "1", 1);
  same(MFFT_SINGLE, 3);
  unsetenv("MFFT_EMULATED_CUFILE_SHORT");
  CHECK_OK(mfft_field_set_threads(2));
  same(MFFT_DOUBLE, 2); /* leaves host.h5 */
  refused();
  fails("", "Input/output error");
  fails("-", "input/output error (5044)");
  MPI_Finalize();
  return test_end();
}
