// TEST labels=field+fault timeout=120 args=47
/* Files of each kind that can be read, truncated at every byte, and with every byte changed in several ways: querying and
 * reading them ends, in bounded time, with a status.  A child does the work, so that a crash or a hang, in HDF5 too, is
 * reported with the case that causes it.  With an argument N only every Nth case is tried; all of them take minutes.
 *
 * Under the sanitizers only files of mergefft are used: HDF5 1.10.8 reads beyond its buffers in damaged headers of the old
 * format, which have no checksums. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "field.h"
#include "field/fetch.h"

enum { SECONDS = 10, MOST_REPORTED = 20, CHANGES = 5 };

static const char *const bad = "corpus-bad.h5";
static const int64_t n[3] = {5, 4, 6};

#ifdef TEST_ADDRESS_SANITIZER
/* HDF5 allocates as much as a damaged header says, and handles the failure. */
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }
#elif defined(TEST_THREAD_SANITIZER)
const char *__tsan_default_options(void) { return "allocator_may_return_null=1"; }
#endif

/* ---- Files ----------------------------------------------------------------------------------------------------------- */

static void ours(const char *path) { write_alone(path, 3, n, MFFT_SINGLE); }

/* A file as another program makes it: `late`: the newest format of HDF5, else the oldest; chunk: 0 contiguous, -1 compact, 1
 * chunked, 2 chunked and packed. */
static void foreign(const char *path, int late, int chunk) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), layout = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_libver_bounds(access, late ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access), group = H5Gcreate2(file, "Header", 0, 0, 0);
  const hsize_t dims[3] = {2, 4, 3}, three = 3;
  if (chunk < 0) H5Pset_layout(layout, H5D_COMPACT);
  if (chunk > 0) H5Pset_chunk(layout, 3, dims);
  if (chunk > 1) H5Pset_shuffle(layout), H5Pset_deflate(layout, 4), H5Pset_fletcher32(layout);
  make_foreign(file, "f", chunk ? H5T_IEEE_F64BE : H5T_IEEE_F32LE, 3, n, layout);
  const double box[3] = {1, 2, 3};
  const char *units = "Mpc/h";
  hid_t text = H5Tcopy(H5T_C_S1), scalar = H5Screate(H5S_SCALAR), triple = H5Screate_simple(1, &three, NULL);
  H5Tset_size(text, H5T_VARIABLE);
  hid_t a = H5Acreate2(group, "BoxSize", H5T_IEEE_F64LE, triple, 0, 0), b = H5Acreate2(group, "units", text, scalar, 0, 0);
  CHECK(H5Awrite(a, H5T_NATIVE_DOUBLE, box) >= 0 && H5Awrite(b, text, &units) >= 0, "%s", path);
  H5Aclose(a), H5Aclose(b), H5Sclose(scalar), H5Sclose(triple), H5Tclose(text);
  H5Gclose(group), H5Pclose(layout), H5Pclose(access);
  CHECK(H5Fclose(file) >= 0, "%s", path);
}
static void old_plain(const char *path) { foreign(path, 0, 0); }
static void old_chunked(const char *path) { foreign(path, 0, 1); }
static void old_compact(const char *path) { foreign(path, 0, -1); }
static void new_packed(const char *path) { foreign(path, 1, 2); }
static void new_plain(const char *path) { foreign(path, 1, 0); }

static const struct {
  const char *path;
  void (*make)(const char *path);
} kinds[] = {{"corpus-ours.h5", ours},
             {"corpus-old-plain.h5", old_plain},
             {"corpus-old-chunked.h5", old_chunked},
             {"corpus-old-compact.h5", old_compact},
             {"corpus-new-packed.h5", new_packed},
             {"corpus-new-plain.h5", new_plain}};

/* ---- Damage ---------------------------------------------------------------------------------------------------------- */

/* Case i of bytes * CHANGES: truncates before a byte, or changes it. */
static long damage(unsigned char *content, long bytes, long i) {
  const long at = i / CHANGES;
  switch (i % CHANGES) {
    case 0:
      return at;
    case 1:
      content[at] ^= 1;
      return bytes;
    case 2:
      content[at] ^= 0x80;
      return bytes;
    case 3:
      content[at] = content[at] == 0xff ? 0 : 0xff;
      return bytes;
    default:
      content[at] = (unsigned char)(content[at] + 1 + 37 * at);
      return bytes;
  }
}

static const char *name_of(long i) {
  static const char *const change[CHANGES] = {"cut before", "bit 0 of", "bit 7 of", "all ones in", "another value in"};
  return change[i % CHANGES];
}

/* Queries the file and reads all of it, as rank 0 does. */
static mfft_status read_file(const char *path) {
  mfft_source source;
  mfft_fetch fetch = {.fd = -1, .file = -1, .object = -1};
  uint64_t *stored = NULL, *sums = NULL;
  mfft_pool pool = {.threads = 0};
  MFFT_TRY(mfft_source_look(path, "f", &source, &stored));
  mfft_status status = mfft_pool_open(mfft_pool_threads_alone(), &pool);
  if (status == MFFT_SUCCESS) status = mfft_fetch_open(&source, path, &pool, &fetch);
  /* The lengths in a damaged header may be large; a caller would know them from the query, and refuse or allocate. */
  mfft_box box = mfft_box_whole(source.info.n);
  for (int axis = 0; axis < 3; axis++)
    if (box.hi[axis] > 8) box.hi[axis] = 8;
  float *values = new_array(&box, MFFT_SINGLE);
  if (stored) sums = calloc((size_t)source.slabs.count + 1, sizeof *sums);
  mfft_fetch_job job = {.fetch = &fetch, .box = box, .memory = MFFT_SINGLE, .data = values, .sums = sums};
  if (status == MFFT_SUCCESS) status = mfft_fetch_box(&job);
  mfft_fetch_close(&fetch);
  mfft_pool_close(&pool);
  free(values);
  free(sums);
  free(stored);
  return status;
}

/* The record of a child: its current case, and the number of cases of each outcome. */
typedef struct progress {
  volatile long at, refused, accepted;
} progress;

static void work(const unsigned char *content, long bytes, long step, progress *p) {
  unsigned char *copy = malloc((size_t)bytes);
  for (; p->at < bytes * CHANGES; p->at += step) {
    memcpy(copy, content, (size_t)bytes);
    const long damaged_bytes = damage(copy, bytes, p->at);
    FILE *file = fopen(bad, "wb");
    if (!file || fwrite(copy, 1, (size_t)damaged_bytes, file) != (size_t)damaged_bytes || fclose(file) != 0) _exit(3);
    alarm(SECONDS);
    if (read_file(bad) == MFFT_SUCCESS)
      p->accepted++;
    else
      p->refused++;
    alarm(0);
  }
  free(copy);
  _exit(0);
}

/* Runs all cases of a file, in as many children as needed. */
static void corpus(const char *path, long step, progress *p) {
  long bytes;
  unsigned char *content = file_bytes(path, &bytes);
  int reported = 0;
  *p = (progress){0, 0, 0};
  while (p->at < bytes * CHANGES && reported < MOST_REPORTED) {
    int ended = 0;
    const pid_t child = fork();
    if (child == 0) work(content, bytes, step, p);
    if (child < 0 || waitpid(child, &ended, 0) != child) break;
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0) break;
    CHECK(0, "%s: %s byte %ld of %ld: %s %d", path, name_of(p->at), p->at / CHANGES, bytes,
          WIFSIGNALED(ended) ? "signal" : "exit code", WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended));
    reported++;
    p->at += step;
  }
  CHECK(p->at >= bytes * CHANGES && p->refused > bytes * CHANGES / step / 8 && p->accepted > bytes / step / 8,
        "%s: %ld refused, %ld accepted, up to case %ld of %ld", path, p->refused, p->accepted, p->at, bytes * CHANGES);
  free(content);
}

int main(int argc, char **argv) {
  const long step = argc > 1 ? atol(argv[1]) : 1;
  MPI_Init(&argc, &argv);
  setenv("MFFT_LOG", "0", 1);
#ifdef TEST_THREAD_SANITIZER
  CHECK_OK(mfft_field_set_threads(1)); /* it cannot follow threads that the child of a process with threads starts */
#endif
  progress *p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
#if defined(TEST_ADDRESS_SANITIZER) || defined(TEST_THREAD_SANITIZER)
  const size_t count = 1;
#else
  const size_t count = sizeof kinds / sizeof *kinds;
#endif
  for (size_t k = 0; k < count; k++) {
    kinds[k].make(kinds[k].path);
    CHECK_OK(read_file(kinds[k].path));
    mfft_field_info info;
    mfft_field_info_init(&info);
    CHECK_OK(mfft_field_query(MPI_COMM_SELF, kinds[k].path, "f", &info));
    CHECK(k == 0 || (!strcmp(info.units, "Mpc/h") && info.box_size[2] == 3), "%s: units \"%s\"", kinds[k].path, info.units);
    corpus(kinds[k].path, step, p);
  }
  munmap(p, sizeof *p);
  int failed = test_end();
  MPI_Finalize();
  return failed;
}
