// TEST ranks=2,3 labels=field+fault
// Two jobs and one file: the second gets MFFT_ERR_BUSY; the partial file of a killed job is removed; and jobs that write at
// the same time leave a whole file.  Ranks take the part of jobs.
#include "field.h"

static const int64_t n[3] = {16, 16, 16};

static mfft_status create(mfft_field_file *file) {
  const mfft_field_desc desc = desc_of_f(3, n, MFFT_DOUBLE);
  return mfft_field_create(MPI_COMM_SELF, "busy.h5", &desc, file);
}

static mfft_status put_and_commit(mfft_field_file *file) {
  mfft_box box = mfft_box_whole(n);
  void *values = filled_array(&box, MFFT_DOUBLE);
  mfft_status status = mfft_field_put(*file, 0, &box, MFFT_DOUBLE, values);
  free(values);
  return status == MFFT_SUCCESS ? mfft_field_commit(file) : status;
}

static void check_whole(void) {
  mfft_box box = mfft_box_whole(n);
  void *values = new_array(&box, MFFT_DOUBLE);
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, "busy.h5", NULL, &box, MFFT_DOUBLE, values, 0));
  CHECK(wrong_values(&box, MFFT_DOUBLE, values) == 0);
  free(values);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  mfft_field_file file = NULL;
  if (world_rank() == 0) CHECK_OK(create(&file));
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() != 0) {
    CHECK_FAILS(create(&file), MFFT_ERR_BUSY, "busy.h5.mfft-partial");
    CHECK(file == NULL, "output touched");
  } else {
    mfft_field_file again = NULL;
    CHECK_FAILS(create(&again), MFFT_ERR_BUSY, "another job");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) CHECK_OK(put_and_commit(&file)); /* undisturbed */
  MPI_Barrier(MPI_COMM_WORLD);
  check_whole();
  CHECK(!there_is("busy.h5.mfft-partial"), "left behind");
  MPI_Barrier(MPI_COMM_WORLD);

  if (world_rank() == 0) { /* the partial file of a killed job */
    FILE *stale = fopen("busy.h5.mfft-partial", "wb");
    fputs("half a file", stale);
    fclose(stale);
    CHECK_OK(create(&file));
    mfft_field_abandon(&file);
    CHECK(file == NULL && !there_is("busy.h5.mfft-partial"), "left behind");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  check_whole();

  int written = 0;
  for (int i = 0; i < 60; i++) {
    if (i % 20 == 7 && world_rank() == 0 && !there_is("busy.h5.mfft-partial")) fclose(fopen("busy.h5.mfft-partial", "ab"));
    mfft_status status = create(&file);
    CHECK(status == MFFT_SUCCESS || status == MFFT_ERR_BUSY, "%s: %s", mfft_strerror(status), mfft_last_error());
    if (status == MFFT_SUCCESS) {
      status = put_and_commit(&file);
      CHECK(status == MFFT_SUCCESS, "%s: %s", mfft_strerror(status), mfft_last_error());
      written += status == MFFT_SUCCESS;
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &written, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(written > 0, "no rank could write");
  check_whole();
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) remove("busy.h5.mfft-partial");
  int bad = test_end();
  MPI_Finalize();
  return bad;
}
