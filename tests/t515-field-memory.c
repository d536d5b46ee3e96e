// TEST ranks=1,2,3 labels=field+fault timeout=120 needs=unsanitized
// TEST ranks=1,3 labels=field+fault timeout=120 needs=unsanitized env=MFFT_IO_THREADS=4
/* Memory is exhausted on one rank while fields are written, queried, read and checked: all ranks fail together, nothing
 * hangs, and no incomplete file remains. */
#include "failing_malloc.h"
#include "field.h"

#ifndef FAILING_MALLOC_WORKS
int main(void) { return TEST_SKIPPED; }
#else

static const int64_t n[3] = {6, 8, 10};
static const char *path, *partial; /* of this number of ranks */

static mfft_status write_field(const void *unused) {
  (void)unused;
  double values[6 * 8 * 10]; /* the whole array, of which this rank's box uses a part */
  const mfft_box box = cut_box(CUT_PENCILS, n, world_rank(), world_size());
  const mfft_field_dataset dataset = {"f", "Mpc/h"};
  mfft_field_desc desc;
  mfft_field_desc_init(&desc);
  memcpy(desc.n, n, sizeof desc.n);
  desc.dataset = &dataset;
  desc.dataset_count = 1;
  for (int i = 0; i < 480; i++) values[i] = i;
  const mfft_status status = mfft_field_write(MPI_COMM_WORLD, path, &desc, &box, MFFT_DOUBLE, values);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(access(partial, F_OK) != 0, "a partial file remains");
  MPI_Barrier(MPI_COMM_WORLD);
  return status;
}

static mfft_status read_field(const void *dataset) {
  double values[6 * 8 * 10];
  const mfft_box box = cut_box(CUT_ORDER, n, world_rank(), world_size());
  mfft_field_info info;
  mfft_field_info_init(&info);
  const mfft_status status = mfft_field_query(MPI_COMM_WORLD, path, NULL, &info);
  return status == MFFT_SUCCESS ? mfft_field_read(MPI_COMM_WORLD, path, dataset, &box, MFFT_DOUBLE, values, 0) : status;
}

static mfft_status count_field(const void *unused) {
  (void)unused;
  const double values[480] = {0};
  const mfft_box box = cut_box(CUT_SLABS, n, world_rank(), world_size());
  int64_t count, first[3];
  return mfft_field_count_nonfinite(MPI_COMM_WORLD, &box, MFFT_DOUBLE, values, &count, first);
}

int main(int argc, char **argv) {
  char names[2][80];
  setenv("MFFT_WATCHDOG_S", "10", 0);
  setenv("MFFT_LOG", "0", 1);
  MPI_Init(&argc, &argv);
  snprintf(names[0], sizeof names[0], "failing-malloc-%d.h5", world_size());
  snprintf(names[1], sizeof names[1], "failing-malloc-%d.h5.mfft-partial", world_size());
  path = names[0], partial = names[1];
  for (int last = 0; last < 2; last++) {
    const int failing_rank = last ? world_size() - 1 : 0;
    each_allocation_fails(write_field, NULL, failing_rank, "writing");
    each_allocation_fails(read_field, "f", failing_rank, "reading");
    each_allocation_fails(count_field, NULL, failing_rank, "counting");
  }
  int failed = test_end();
  MPI_Finalize();
  return failed;
}
#endif
