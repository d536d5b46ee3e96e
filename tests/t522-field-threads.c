// TEST ranks=1,2,3 labels=field
// Several threads: the same file, values and error messages for every number of threads; parts in the background; visitors
// receive each value once, may change what is stored and may fail; the default number of threads.
#define _GNU_SOURCE /* sched_setaffinity */
#include <sched.h>
#include <stdatomic.h>

#include "field.h"

static const int64_t n[3] = {9, 190, 185}; /* in double two pieces a plane, to whose checksum several threads add */
static const int numbers[] = {1, 4, 16};
static size_t number_count(void) { return test_small() ? 2 : 3; }
static field_cut cut_step(void) { return test_small() ? 3 : 1; }

/* In order, so that it can be compared with what a visitor receives. */
static mfft_box cut_here(field_cut cut) {
  mfft_box box = cut_box(cut, n, world_rank(), world_size());
  return in_order(&box);
}

static void same_files(void) {
  for (field_cut cut = 0; cut < CUT_COUNT; cut += cut_step())
    for (int stored = 0; stored < 2; stored++) {
      const mfft_field_desc desc = desc_of_f(3, n, (mfft_precision)stored);
      const mfft_precision memory = (mfft_precision)((cut + stored) % 2);
      const mfft_box box = cut_here(cut);
      void *values = filled_array(&box, memory);
      for (size_t i = 0; i < number_count(); i++) {
        const char *path = i ? "threads.h5" : "threads-1.h5";
        CHECK_OK(mfft_field_set_threads(numbers[i]));
        CHECK_OK(mfft_field_write(MPI_COMM_WORLD, path, &desc, &box, memory, values));
        if (world_rank() == 0) CHECK(same_content(path, "threads-1.h5"), "%d threads, cut %d", numbers[i], (int)cut);
        void *back = new_array(&box, memory);
        CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, "f", &box, memory, back, 0));
        CHECK(wrong_values(&box, memory, back) == 0, "%d threads, cut %d: other values", numbers[i], (int)cut);
        free(back);
      }
      free(values);
    }
}

/* The pieces and values that the workers have received.  A visitor may have a result for each worker, or results that are
 * atomic. */
typedef struct seen {
  mfft_precision precision;
  int workers, fail_at_x; /* pieces from there on fail; -1: none */
  double factor;
  _Atomic int64_t values, wrong;
  double largest[64]; /* [workers] */
} seen;

static mfft_status look(void *context, int worker, const mfft_box *piece, void *values) {
  seen *s = context;
  if (worker < 0 || worker >= s->workers) s->wrong++;
  if (s->fail_at_x >= 0 && piece->lo[0] >= s->fail_at_x) /* a failure of the library sets a message */
    return mfft_field_set_threads(-3 - (int)piece->lo[0]);
  int64_t at = 0;
  for (int64_t x = piece->lo[0]; x < piece->hi[0]; x++)
    for (int64_t y = piece->lo[1]; y < piece->hi[1]; y++)
      for (int64_t z = piece->lo[2]; z < piece->hi[2]; z++, at++) {
        const double value = array_get(values, s->precision, at);
        s->wrong += value != field_value(x, y, z);
        s->largest[worker] = fmax(s->largest[worker], fabs(value));
        if (s->factor != 1 && s->precision == MFFT_DOUBLE) ((double *)values)[at] = s->factor * value;
        if (s->factor != 1 && s->precision == MFFT_SINGLE) ((float *)values)[at] = (float)(s->factor * value);
      }
  s->values += at;
  return MFFT_SUCCESS;
}

static void check_seen(const seen *s, const mfft_box *box, const char *when) {
  double largest = 0, want = 0;
  for (int w = 0; w < s->workers; w++) largest = fmax(largest, s->largest[w]);
  for (int64_t x = box->lo[0]; x < box->hi[0]; x++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++)
      for (int64_t z = box->lo[2]; z < box->hi[2]; z++) want = fmax(want, fabs(field_value(x, y, z)));
  CHECK(s->wrong == 0 && s->values == mfft_box_count(box) && (largest == want || mfft_box_empty(box)),
        "%s: %lld wrong, %lld seen, largest %g, not %g", when, (long long)s->wrong, (long long)s->values, largest, want);
}

/* Half the box, by its slowest axis. */
static mfft_box half_of(const mfft_box *box, int second) {
  mfft_box half = *box;
  const int axis = box->order[0];
  const int64_t middle = (box->lo[axis] + box->hi[axis]) / 2;
  if (second)
    half.lo[axis] = middle;
  else
    half.hi[axis] = middle;
  return half;
}

static void visited(field_cut cut, mfft_precision stored, mfft_precision memory) {
  const mfft_field_desc desc = desc_of_f(3, n, stored);
  const mfft_box box = cut_here(cut);
  void *values = filled_array(&box, memory);
  mfft_field_file file = NULL;
  mfft_field_reading reading = NULL;
  seen put = {.precision = memory, .fail_at_x = -1, .factor = 1};
  CHECK_OK(mfft_field_create(MPI_COMM_WORLD, "visited.h5", &desc, &file));
  CHECK_OK(mfft_field_put_begin(file, 0, &box, memory));
  put.workers = mfft_field_put_workers(file);
  CHECK(put.workers >= 2 && put.workers <= 64, "%d workers", put.workers);
  CHECK_OK(mfft_field_put_visit(file, look, &put));
  CHECK_OK(mfft_field_put_start(file, &box, values)); /* in the background during a computation */
  CHECK_OK(mfft_field_put_end(file));
  check_seen(&put, &box, "writing");
  CHECK_OK(mfft_field_commit(&file));

  for (int store = 0; store < 2; store++) { /* only visited; then halved and stored */
    seen got = {.precision = memory, .fail_at_x = -1, .factor = store ? 0.5 : 1};
    CHECK_OK(mfft_field_read_begin(MPI_COMM_WORLD, "visited.h5", "f", &box, memory, 0, &reading));
    got.workers = mfft_field_read_workers(reading);
    CHECK_OK(mfft_field_read_visit(reading, look, &got));
    CHECK_OK(mfft_field_read_start(reading, &box, store ? values : NULL));
    CHECK_OK(mfft_field_read_wait(reading));
    CHECK_OK(mfft_field_read_wait(reading));
    CHECK_OK(mfft_field_read_end(&reading));
    check_seen(&got, &box, "reading");
  }
  const int64_t count = mfft_box_count(&box);
  for (int64_t i = 0; i < count; i++) {
    if (memory == MFFT_SINGLE)
      ((float *)values)[i] *= 2;
    else
      ((double *)values)[i] *= 2;
  }
  CHECK(wrong_values(&box, memory, values) == 0, "cut %d: the values of the visitor are not stored", (int)cut);
  free(values);
}

/* Two buffers alternate; the caller does not wait, and the call that ends the dataset returns a failure. */
static void alternating_buffers(field_cut cut) {
  const mfft_field_desc desc = desc_of_f(3, n, MFFT_DOUBLE);
  const mfft_box box = cut_here(cut);
  mfft_box half[2] = {half_of(&box, 0), half_of(&box, 1)};
  void *piece[2] = {filled_array(&half[0], MFFT_DOUBLE), filled_array(&half[1], MFFT_DOUBLE)};
  mfft_field_file file = NULL;
  mfft_field_reading reading = NULL;
  CHECK_OK(mfft_field_create(MPI_COMM_WORLD, "any-order.h5", &desc, &file));
  CHECK_OK(mfft_field_put_begin(file, 0, &box, MFFT_DOUBLE));
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_field_put_start(file, &half[i], piece[i]));
  CHECK_OK(mfft_field_put_end(file));
  CHECK_OK(mfft_field_commit(&file));
  if (world_rank() == 0) CHECK(same_content("any-order.h5", "threads-1.h5"), "cut %d: other files", (int)cut);

  CHECK_OK(mfft_field_read_begin(MPI_COMM_WORLD, "any-order.h5", "f", &box, MFFT_DOUBLE, 0, &reading));
  for (int i = 0; i < 2; i++) {
    memset(piece[i], 1, (size_t)mfft_box_count(&half[i]) * sizeof(double));
    CHECK_OK(mfft_field_read_start(reading, &half[i], piece[i]));
  }
  CHECK_OK(mfft_field_read_end(&reading));
  for (int i = 0; i < 2; i++) CHECK(wrong_values(&half[i], MFFT_DOUBLE, piece[i]) == 0, "cut %d: other values", (int)cut);
  for (int i = 0; i < 2; i++) free(piece[i]);
}

/* A visitor fails on rank 0 in every piece from its second plane on: the message is that of the first of them, on all ranks,
 * for any number of threads. */
static void failing(int in_background) {
  const mfft_field_desc desc = desc_of_f(3, n, MFFT_DOUBLE);
  const mfft_box box = cut_here(CUT_SLABS);
  void *values = filled_array(&box, MFFT_DOUBLE);
  mfft_field_file file = NULL;
  mfft_field_reading reading = NULL;
  seen bad = {.precision = MFFT_DOUBLE, .fail_at_x = world_rank() == 0 ? 1 : -1, .factor = 1, .workers = 64};
  CHECK_OK(mfft_field_create(MPI_COMM_WORLD, "failing.h5", &desc, &file));
  CHECK_OK(mfft_field_put_begin(file, 0, &box, MFFT_DOUBLE));
  CHECK_OK(mfft_field_put_visit(file, look, &bad));
  (void)mfft_field_set_threads(-1); /* another message in this thread, before and after */
  const mfft_status put = (in_background ? mfft_field_put_start : mfft_field_put_part)(file, &box, values);
  CHECK((put == MFFT_SUCCESS) == (in_background || world_rank() != 0), "status %d", (int)put);
  (void)mfft_field_set_threads(-1);
  CHECK_FAILS(mfft_field_put_end(file), MFFT_ERR_ARG, "threads is -4; give");
  mfft_field_abandon(&file);
  CHECK(!there_is("failing.h5") && !there_is("failing.h5.mfft-partial"), "left behind");

  CHECK_OK(mfft_field_read_begin(MPI_COMM_WORLD, "any-order.h5", "f", &box, MFFT_DOUBLE, 0, &reading));
  CHECK_OK(mfft_field_read_visit(reading, look, &bad));
  (void)mfft_field_set_threads(-1);
  const mfft_status got = (in_background ? mfft_field_read_start : mfft_field_read_part)(reading, &box, values);
  CHECK((got == MFFT_SUCCESS) == (in_background || world_rank() != 0), "status %d", (int)got);
  (void)mfft_field_set_threads(-1);
  CHECK_FAILS(mfft_field_read_end(&reading), MFFT_ERR_ARG, "threads is -4; give");
  free(values);
}

/* Damage in two slabs: every number of threads reports the first. */
static void damaged(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) {
    FILE *file = fopen("threads-1.h5", "r+");
    for (int plane = 2; plane < 8; plane += 5) {
      fseek(file, -(long)(n[0] - plane) * n[1] * n[2] * 8, SEEK_END);
      fputs("damaged!", file);
    }
    fclose(file);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const mfft_box box = cut_here(CUT_PENCILS);
  void *values = new_array(&box, MFFT_DOUBLE);
  for (size_t i = 0; i < number_count(); i++) {
    CHECK_OK(mfft_field_set_threads(numbers[i]));
    CHECK_FAILS(mfft_field_read(MPI_COMM_WORLD, "threads-1.h5", "f", &box, MFFT_DOUBLE, values, 0), MFFT_ERR_CORRUPT,
                "is damaged: planes x = ");
    CHECK(strstr(mfft_last_error(), "(2 of 9 checksums differ)"), "%s", mfft_last_error());
  }
  free(values);
}

/* A chunked dataset of more than two of the buffers that HDF5 fills alternately, made by HDF5; by one rank, since it is
 * large. */
static void layers(void) {
  const int64_t large[3] = {36, 512, 512};
  const mfft_box box = mfft_box_whole(large);
  const int64_t count = mfft_box_count(&box);
  float *values = malloc((size_t)count * sizeof *values); /* [count] */
  for (int64_t i = 0; i < count; i++) values[i] = (float)i;
  const hsize_t dims[3] = {36, 512, 512}, chunk[3] = {7, 512, 512};
  const hid_t file = H5Fcreate("layers.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(3, dims, NULL), made = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(made, 3, chunk);
  const hid_t dataset = H5Dcreate2(file, "f", H5T_IEEE_F32LE, space, H5P_DEFAULT, made, H5P_DEFAULT);
  CHECK(H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0, "writing a chunked dataset");
  H5Dclose(dataset), H5Pclose(made), H5Sclose(space), H5Fclose(file);
  for (size_t i = 0; i < number_count(); i++) {
    int64_t wrong = 0;
    memset(values, 1, (size_t)count * sizeof *values);
    CHECK_OK(mfft_field_set_threads(numbers[i]));
    CHECK_OK(mfft_field_read(MPI_COMM_WORLD, "layers.h5", "f", &box, MFFT_SINGLE, values, 0));
    for (int64_t v = 0; v < count; v++) wrong += values[v] != (float)v;
    CHECK(wrong == 0, "%d threads: %lld values of a chunked dataset are wrong", numbers[i], (long long)wrong);

    int64_t bad, first[3];
    values[300 * 512 + 7] = values[count - 1] = NAN;
    CHECK_OK(mfft_field_count_nonfinite(MPI_COMM_WORLD, &box, MFFT_SINGLE, values, &bad, first));
    CHECK(bad == 2 && first[0] == 0 && first[1] == 300 && first[2] == 7, "%d threads: %lld values that are not finite",
          numbers[i], (long long)bad);
  }
  free(values);
  remove("layers.h5");
}

/* The number of threads: the argument, else the variable, else this rank's share of the cores. */
static void how_many(void) {
  int threads = 0;
  cpu_set_t before, one;
  CHECK_FAILS(mfft_field_set_threads(-1), MFFT_ERR_ARG, "threads is -1; give 1 to 1024");
  CHECK_FAILS(mfft_field_set_threads(1025), MFFT_ERR_ARG, "threads is 1025");
  CHECK_OK(mfft_field_set_threads(7));
  setenv("MFFT_IO_THREADS", "5", 1);
  CHECK_OK(mfft_field_threads(MPI_COMM_WORLD, &threads));
  CHECK(threads == 7, "%d threads where 7 are set", threads);
  CHECK_OK(mfft_field_set_threads(0));
  CHECK_OK(mfft_field_threads(MPI_COMM_WORLD, &threads));
  CHECK(threads == 5, "%d threads where the variable says 5", threads);
  unsetenv("MFFT_IO_THREADS");

  sched_getaffinity(0, sizeof before, &before);
  const int cores = CPU_COUNT(&before);
  CHECK_OK(mfft_field_threads(MPI_COMM_SELF, &threads));
  CHECK(threads == cores, "%d threads of one rank on %d cores", threads, cores);
  CPU_ZERO(&one);
  for (int core = 0; core < CPU_SETSIZE && !CPU_COUNT(&one); core++)
    if (CPU_ISSET(core, &before)) CPU_SET(core, &one);
  if (world_rank() == world_size() - 1) sched_setaffinity(0, sizeof one, &one);
  CHECK_OK(mfft_field_threads(MPI_COMM_SELF, &threads));
  CHECK(threads == (world_rank() == world_size() - 1 ? 1 : cores), "%d threads of a rank on one core", threads);
  CHECK_OK(mfft_field_threads(MPI_COMM_WORLD, &threads));
  CHECK(threads >= 1 && threads <= cores, "%d threads of %d cores", threads, cores);
  sched_setaffinity(0, sizeof before, &before);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  same_files();
  for (size_t i = 0; i < number_count(); i++) {
    CHECK_OK(mfft_field_set_threads(numbers[i]));
    for (field_cut cut = 0; cut < CUT_COUNT; cut += cut_step())
      visited(cut, (mfft_precision)(cut % 2), (mfft_precision)(cut / 2 % 2));
    visited(CUT_BRICKS, MFFT_SINGLE, MFFT_DOUBLE);
    const mfft_box box = cut_here(CUT_SLABS);
    const mfft_field_desc desc = desc_of_f(3, n, MFFT_DOUBLE);
    void *values = filled_array(&box, MFFT_DOUBLE);
    CHECK_OK(mfft_field_write(MPI_COMM_WORLD, "threads-1.h5", &desc, &box, MFFT_DOUBLE, values));
    free(values);
    for (field_cut cut = 0; cut < CUT_COUNT; cut += cut_step()) alternating_buffers(cut);
    failing(0);
    failing(1);
  }
  damaged();
  if (world_size() == 1 && !test_small()) layers();
  how_many();
  int bad = test_end();
  MPI_Finalize();
  return bad;
}
