// TEST ranks=1,2,3 labels=field+fault
// A write that the system confirms and does not do, on one rank, is detected when the file is committed: an error on every
// rank, and the older file remains.  The same in the first of three datasets, which is read back while the others are
// written, and where the second one is written over the end of the first.  The same, and a disk that
// fails to sync, where the commit has been begun in the background; and a commit in two steps that succeeds.
#define _GNU_SOURCE /* SYS_pwrite64 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>

#include "field.h"

/* Replaces the function of the C library: write number `lose` of a rank, counted from 1, is confirmed and not done, and a
 * write from the address `stray` is also done STRAY bytes before its place. */
enum { STRAY = 8192 };
static atomic_int writes, lose;
static const void *stray;
ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset) {
  if (++writes == lose) return (ssize_t)bytes;
  if (stray && data == stray) syscall(SYS_pwrite64, fd, data, STRAY, offset - STRAY);
  return (ssize_t)syscall(SYS_pwrite64, fd, data, bytes, offset);
}

/* broken: 1: fsync fails, as if the disk did.  unsynced: calls of fsync by other threads than the first. */
static atomic_int broken, unsynced;
static pthread_t first_thread;
int fsync(int fd) {
  if (!pthread_equal(pthread_self(), first_thread)) unsynced++;
  if (!broken) return (int)syscall(SYS_fsync, fd);
  errno = EIO;
  return -1;
}

static const int64_t n[3] = {30, 60, 70}; /* 1 MiB */

/* Commits in two steps, with something else between them. */
static mfft_status commit_in_two(mfft_field_file *file) {
  CHECK_OK(mfft_field_commit_start(*file));
  CHECK_FAILS(mfft_field_commit_start(*file), MFFT_ERR_STATE, "has begun already");
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  return mfft_field_commit(file);
}

/* fault: 0: none; 1: a lost write; 2: the disk, on the last rank. */
static void in_two_steps(const mfft_box *box, const double *values, int fault) {
  mfft_field_desc desc = desc_of_f(3, n, MFFT_DOUBLE);
  const int last = world_rank() == world_size() - 1;
  mfft_field_file file = NULL;
  CHECK_OK(mfft_field_create(MPI_COMM_WORLD, "two.h5", &desc, &file));
  CHECK_FAILS(mfft_field_commit_start(file), MFFT_ERR_STATE, "dataset f of");
  writes = 0;
  lose = fault == 1 && last;
  CHECK_OK(mfft_field_put(file, 0, box, MFFT_DOUBLE, values));
  lose = unsynced = 0;
  broken = fault == 2 && last;
  if (!fault)
    CHECK_OK(commit_in_two(&file));
  else
    CHECK_FAILS(commit_in_two(&file), MFFT_ERR_IO,
                fault == 1 ? "what was written does not read back" : "bringing it to disk");
  CHECK(unsynced == 1, "%d syncs in the background", (int)unsynced);
  broken = 0;
  CHECK(!there_is("two.h5.mfft-partial"), "left behind");
  if (world_rank() == 0) CHECK(same_content("two.h5", "whole.h5"), "fault %d: another file", fault);
}

/* Three datasets; the write `lost` of the first one is lost on the last rank, or the first write of the second one also goes
 * elsewhere. */
static void several(const mfft_box *box, const double *values, int lost) {
  const mfft_field_dataset names[] = {{"f", NULL}, {"g", NULL}, {"h", NULL}};
  mfft_field_desc desc = desc_of_f(3, n, MFFT_DOUBLE);
  mfft_field_file file = NULL;
  desc.dataset = names;
  desc.dataset_count = 3;
  CHECK_OK(mfft_field_create(MPI_COMM_WORLD, "lost.h5", &desc, &file));
  writes = 0;
  lose = lost && world_rank() == world_size() - 1 ? lost : 0;
  CHECK_OK(mfft_field_put(file, 0, box, MFFT_DOUBLE, values));
  nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL); /* the first dataset is read back meanwhile */
  writes = lose = 0;
  stray = !lost && world_rank() == 0 ? values : NULL;
  for (int d = 1; d < 3; d++) CHECK_OK(mfft_field_put(file, d, box, MFFT_DOUBLE, values));
  stray = NULL;
  CHECK_FAILS(mfft_field_commit(&file), MFFT_ERR_IO, "what was written does not read back");
  CHECK(strstr(mfft_last_error(), "dataset f is damaged: planes x = "), "%s", mfft_last_error());
  CHECK(lost || strstr(mfft_last_error(), "(1 of 30 "), "the last plane: %s", mfft_last_error());
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const int threads[] = {1, 4};
  first_thread = pthread_self();
  const mfft_box box = cut_box(CUT_SLABS, n, world_rank(), world_size());
  double *values = filled_array(&box, MFFT_DOUBLE);
  for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
    CHECK_OK(mfft_field_set_threads(threads[i]));
    lose = 0;
    CHECK_OK(write_slabs("lost.h5", n, NULL));
    for (int lost = 1; lost < 3; lost++) {
      writes = 0;
      lose = world_rank() == world_size() - 1 ? lost : 0;
      for (int64_t v = 0; v < mfft_box_count(&box); v++) values[v] = -1;
      CHECK_FAILS(write_slabs("lost.h5", n, values), MFFT_ERR_IO, "what was written does not read back");
      CHECK(strstr(mfft_last_error(), "dataset f is damaged: planes x = "), "%s", mfft_last_error());
      CHECK(!there_is("lost.h5.mfft-partial"), "left behind");
      lose = 0;
      CHECK_OK(mfft_field_read(MPI_COMM_WORLD, "lost.h5", "f", &box, MFFT_DOUBLE, values, 0));
      CHECK(wrong_values(&box, MFFT_DOUBLE, values) == 0, "the old file is damaged");
    }
    CHECK_OK(write_slabs("whole.h5", n, values));
    for (int fault = 0; fault < 3; fault++) in_two_steps(&box, values, fault);
    several(&box, values, 1);
    several(&box, values, 0);
    CHECK(!there_is("lost.h5.mfft-partial"), "left behind");
  }
  free(values);
  int bad = test_end();
  MPI_Finalize();
  return bad;
}
