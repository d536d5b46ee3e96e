// TEST ranks=1,2,3 labels=field+fault needs=root
// TEST ranks=1,3 labels=field+fault env=MFFT_IO_THREADS=4 needs=root
// A full disk is MFFT_ERR_IO on every rank, at once and without files of the failed write; the older file is unchanged; also
// in the middle of the third of four outputs.  Requires the right to mount a small tmpfs.
#define _GNU_SOURCE /* umount2, fallocate */
#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>

#include "field.h"

static int read_field(const char *path, const int64_t n[3]) {
  mfft_box box = cut_box(CUT_PENCILS, n, world_rank(), world_size());
  void *values = new_array(&box, MFFT_DOUBLE);
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, "f", &box, MFFT_DOUBLE, values, 0));
  int right = wrong_values(&box, MFFT_DOUBLE, values) == 0;
  free(values);
  return right;
}

/* Replaces the function of the C library: with `unreserved` the file system cannot reserve space, so that writes meet the
 * full disk. */
static int unreserved;
int fallocate(int fd, int mode, off_t offset, off_t bytes) {
  if (!unreserved) return (int)syscall(SYS_fallocate, fd, mode, offset, bytes);
  errno = EOPNOTSUPP;
  return -1;
}

/* The disk is filled by other files once a file of four outputs has been made, so that it is full in the middle of the
 * third: parts in the background, which fail on all ranks. */
static void full_in_the_middle(void) {
  const int64_t n[3] = {48, 48, 48}; /* 0.84 MiB each */
  const mfft_field_dataset dataset[] = {{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}};
  const char *path = "small-disk/four.h5", *filler = "small-disk/filler";
  mfft_field_desc desc = desc_of_f(3, n, MFFT_DOUBLE);
  const mfft_box box = cut_box(CUT_SLABS, n, world_rank(), world_size());
  double *values = filled_array(&box, MFFT_DOUBLE);
  mfft_field_file file = NULL;
  mfft_status status = MFFT_SUCCESS;
  struct statvfs disk;
  desc.dataset = dataset, desc.dataset_count = 4;
  unreserved = 1;
  if (world_rank() == 0) remove("small-disk/second.h5");
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_OK(mfft_field_create(MPI_COMM_WORLD, path, &desc, &file));
  if (world_rank() == 0 && statvfs("small-disk", &disk) == 0) {
    const long long left = (long long)(disk.f_bavail * disk.f_frsize) - n[0] * n[1] * n[2] * 8 * 5 / 2;
    CHECK(left > 0, "no space for the beginning");
    FILE *fill = fopen(filler, "w");
    for (long long i = 0; i < left; i += 4096) fwrite(dataset, 1, 1, fill), fseek(fill, 4095, SEEK_CUR);
    fclose(fill);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int put = 0;
  for (; put < 4 && status == MFFT_SUCCESS; put++) {
    CHECK_OK(mfft_field_put_begin(file, put, &box, MFFT_DOUBLE));
    status = mfft_field_put_start(file, &box, values);
    CHECK_OK(status); /* the disk is not full before the writing */
    status = mfft_field_put_end(file);
  }
  CHECK(status == MFFT_ERR_IO && strstr(mfft_last_error(), "No space left on device; free some space") && put == 3,
        "output %d: %s: %s", put, mfft_strerror(status), mfft_last_error());
  CHECK_FAILS(mfft_field_put_begin(file, 3, &box, MFFT_DOUBLE), MFFT_ERR_STATE, "failed before");
  CHECK_FAILS(mfft_field_commit(&file), MFFT_ERR_STATE, "failed before");
  CHECK(!there_is(path) && !there_is("small-disk/four.h5.mfft-partial"), "left behind");
  unreserved = 0;
  free(values);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *folder = "small-disk";
  int mounted = 0;
  if (world_rank() == 0) {
    mkdir(folder, 0777);
    mounted = mount("tmpfs", folder, "tmpfs", 0, "size=8m") == 0;
  }
  MPI_Bcast(&mounted, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (!mounted) {
    MPI_Finalize();
    return TEST_SKIPPED;
  }

  const int64_t fits[3] = {64, 64, 64}, large[3] = {128, 128, 128}, together[3] = {88, 88, 88}; /* 2, 16 and 5.2 MiB */
  const char *path = "small-disk/f.h5", *partial = "small-disk/f.h5.mfft-partial";
  CHECK_OK(write_slabs(path, fits, NULL));
  const mfft_box slab = cut_box(CUT_SLABS, large, world_rank(), world_size());
  void *values = filled_array(&slab, MFFT_DOUBLE);
  double start = MPI_Wtime();
  CHECK_FAILS(write_slabs(path, large, values), MFFT_ERR_IO, "No space left on device; free some space");
  CHECK_FAILS(write_slabs("small-disk/new.h5", large, values), MFFT_ERR_IO, "no space for 16");
  CHECK(MPI_Wtime() - start < 10, "%g s", MPI_Wtime() - start);
  free(values);
  CHECK(!there_is(partial) && !there_is("small-disk/new.h5") && !there_is("small-disk/new.h5.mfft-partial"), "left behind");
  CHECK(read_field(path, fits), "the old file is damaged");

  /* One file fits in addition to the old one, but not two: the old one exists until the new one is whole. */
  CHECK_OK(write_slabs("small-disk/second.h5", together, NULL));
  CHECK_FAILS(write_slabs("small-disk/second.h5", together, NULL), MFFT_ERR_IO, "No space left");
  CHECK(read_field("small-disk/second.h5", together), "the old file is damaged");

  full_in_the_middle();
  MPI_Barrier(MPI_COMM_WORLD);
  int bad = test_end();
  if (world_rank() == 0) {
    umount2(folder, MNT_DETACH);
    rmdir(folder);
  }
  MPI_Finalize();
  return bad;
}
