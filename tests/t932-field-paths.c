// TEST ranks=1,2 labels=field+fault
/* Paths: spaces, UTF-8 and control characters in the name of a file; a path that is longer than the system allows; a folder
 * that cannot be written, which the message names; and the permissions of a file are those of the umask. */
#define _GNU_SOURCE /* umount2 */
#include <sys/mount.h>
#include <sys/stat.h>

#include "field.h"

static const int64_t n[3] = {4, 5, 6};

static void round_trip(const char *path) {
  mfft_box box = cut_box(CUT_PENCILS, n, world_rank(), world_size());
  void *values = new_array(&box, MFFT_DOUBLE);
  CHECK_OK(write_slabs(path, n, NULL));
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, "f", &box, MFFT_DOUBLE, values, 0));
  CHECK(wrong_values(&box, MFFT_DOUBLE, values) == 0, "%s", path);
  free(values);
}

static void check_umask(mode_t mask, mode_t wanted) {
  struct stat about;
  const mode_t old = umask(mask);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_OK(write_slabs("mask.h5", n, NULL));
  CHECK(stat("mask.h5", &about) == 0 && (about.st_mode & 0777) == wanted, "umask %03o makes %03o", (unsigned)mask,
        (unsigned)(about.st_mode & 0777));
  MPI_Barrier(MPI_COMM_WORLD);
  umask(old);
  if (world_rank() == 0) remove("mask.h5");
  MPI_Barrier(MPI_COMM_WORLD);
}

/* A folder that even root cannot write to, if it may mount one, else one without the permission. */
static void check_read_only(void) {
  const char *folder = "read-only";
  int mounted = 0;
  if (world_rank() == 0) {
    mkdir(folder, 0777);
    mounted = mount("tmpfs", folder, "tmpfs", MS_RDONLY, "size=1m") == 0;
    if (!mounted) chmod(folder, 0555);
  }
  MPI_Bcast(&mounted, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (mounted || geteuid() != 0) {
    CHECK_FAILS(write_slabs("read-only/f.h5", n, NULL), MFFT_ERR_IO, "read-only/f.h5");
    CHECK_FAILS(write_slabs("read-only/f.h5", n, NULL), MFFT_ERR_IO,
                mounted ? "Read-only file system" : "Permission denied");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() != 0) return;
  if (mounted) umount2(folder, MNT_DETACH);
  rmdir(folder);
}

static void check_long(void) {
  enum { LONG = 6000, NAME = 300 };
  static char path[LONG + 1], name[NAME + 1];
  memset(path, 'p', LONG);
  memset(name, 'n', NAME);
  mfft_field_info info;
  mfft_field_info_init(&info);
  CHECK_FAILS(write_slabs(path, n, NULL), MFFT_ERR_ARG, "path has 6000 bytes; at most");
  CHECK_FAILS(mfft_field_query(MPI_COMM_WORLD, path, "f", &info), MFFT_ERR_ARG, "path has 6000 bytes; at most");
  CHECK_FAILS(write_slabs(name, n, NULL), MFFT_ERR_IO, "nnnnnn: File name too long");
  CHECK_FAILS(mfft_field_query(MPI_COMM_WORLD, name, "f", &info), MFFT_ERR_IO, "nnnnnn: File name too long");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  round_trip("a name with spaces.h5");
  round_trip("Dichte-\xc3\xb6-\xe5\xaf\x86\xe5\xba\xa6.h5");
  round_trip("a\nline.h5");
  check_umask(0077, 0600);
  check_umask(0027, 0640);
  check_umask(0, 0666);
  check_read_only();
  check_long();
  int failed = test_end();
  MPI_Finalize();
  return failed;
}
