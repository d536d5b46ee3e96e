// TEST ranks=1,2,3 labels=field+fault timeout=60
// A full disk is MFFT_ERR_IO on every rank, at once and with nothing left behind; the older file is intact.  Needs the right
// to mount a small tmpfs.
#define _GNU_SOURCE /* umount2 */
#include <sys/mount.h>
#include <sys/stat.h>

#include "field.h"

static int read_field(const char *path, const int64_t n[3]) {
  mfft_box box = cut_box(CUT_PENCILS, n, world_rank(), world_size());
  void *values = new_array(&box, MFFT_DOUBLE);
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, "f", &box, MFFT_DOUBLE, values, 0));
  int right = wrong_values(&box, MFFT_DOUBLE, values) == 0;
  free(values);
  return right;
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
  double start = MPI_Wtime();
  CHECK_FAILS(write_slabs(path, large, NULL), MFFT_ERR_IO, "No space left on device; free some space");
  CHECK_FAILS(write_slabs("small-disk/new.h5", large, NULL), MFFT_ERR_IO, "no room for 16");
  CHECK(MPI_Wtime() - start < 10, "%g s", MPI_Wtime() - start);
  CHECK(!there_is(partial) && !there_is("small-disk/new.h5") && !there_is("small-disk/new.h5.mfft-partial"), "left behind");
  CHECK(read_field(path, fits), "the old file is damaged");

  /* One fits where it replaces the first but not two at once: the old one stays until the new one is whole. */
  CHECK_OK(write_slabs("small-disk/second.h5", together, NULL));
  CHECK_FAILS(write_slabs("small-disk/second.h5", together, NULL), MFFT_ERR_IO, "No space left");
  CHECK(read_field("small-disk/second.h5", together), "the old file is damaged");

  MPI_Barrier(MPI_COMM_WORLD);
  int bad = test_end();
  if (world_rank() == 0) {
    umount2(folder, MNT_DETACH);
    rmdir(folder);
  }
  MPI_Finalize();
  return bad;
}
