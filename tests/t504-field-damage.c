// TEST ranks=1,2,3 labels=field+fault
// TEST ranks=2 labels=field+fault env=MFFT_IO_THREADS=4
// Damage to a file of mergefft is always detected: every truncation, every flipped bit of the values, and flips all over the
// metadata either give an error or change nothing.
#include <fcntl.h>

#include "field.h"

static const int64_t n[3] = {6, 8, 10};
static const char *const good = "damage-good.h5", *const bad = "damage-bad.h5";

static void write_bytes(const char *path, const unsigned char *content, long bytes) {
  FILE *file = fopen(path, "wb");
  CHECK(file && fwrite(content, 1, (size_t)bytes, file) == (size_t)bytes, "%s", path);
  if (file) fclose(file);
}

/* Rank 0 writes the damaged file, all read it.  Returns 1 if reading fails, 0 if it succeeds with the right values; wrong
 * values fail the test. */
static int try_damaged(const unsigned char *content, long bytes, const char *what, long where) {
  if (world_rank() == 0) write_bytes(bad, content, bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  mfft_box box = cut_box(CUT_SLABS, n, world_rank(), world_size());
  float *values = new_array(&box, MFFT_SINGLE);
  mfft_status status = mfft_field_read(MPI_COMM_WORLD, bad, "f", &box, MFFT_SINGLE, values, 0);
  if (status == MFFT_SUCCESS)
    CHECK(wrong_values(&box, MFFT_SINGLE, values) == 0, "silent damage: %s %ld", what, where);
  else
    CHECK(strstr(mfft_last_error(), bad), "%s %ld: the message is \"%s\"", what, where, mfft_last_error());
  free(values);
  MPI_Barrier(MPI_COMM_WORLD);
  return status != MFFT_SUCCESS;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (world_rank() == 0) write_alone(good, 3, n, MFFT_SINGLE);
  MPI_Barrier(MPI_COMM_WORLD);
  long bytes;
  unsigned char *content = file_bytes(good, &bytes);
  hid_t file = H5Fopen(good, H5F_ACC_RDONLY, H5P_DEFAULT), object = H5Dopen2(file, "f", H5P_DEFAULT);
  long start = (long)H5Dget_offset(object), end = start + (long)(n[0] * n[1] * n[2] * 4);
  H5Dclose(object);
  H5Fclose(file);

  for (long keep = 0; keep < bytes; keep += keep < 100 ? 1 : bytes / 67)
    CHECK(try_damaged(content, keep, "cut to", keep), "cut to %ld of %ld bytes", keep, bytes);
  CHECK(try_damaged(content, bytes - 1, "cut to", bytes - 1), "the last byte is missing");

  uint64_t state = 7;
  for (int i = 0; i < 100; i++) { /* in the values */
    long at = start + (long)((test_random(&state) + 0.5) * (double)(end - start));
    int bit = (int)((test_random(&state) + 0.5) * 8);
    content[at] ^= (unsigned char)(1 << bit);
    CHECK(try_damaged(content, bytes, "value byte", at), "byte %ld bit %d", at, bit);
    char planes[64];
    long plane = (at - start) / (long)(4 * n[1] * n[2]) / 4 * 4; /* slabs of four planes: see MFFT_SLAB_LEAST_ELEMENTS */
    snprintf(planes, sizeof planes, "dataset f is damaged: planes x = %ld to", plane);
    CHECK(strstr(mfft_last_error(), planes), "plane %ld: %s", plane, mfft_last_error());
    content[at] ^= (unsigned char)(1 << bit);
  }
  int caught = 0;
  for (int i = 0; i < 600; i++) { /* elsewhere, mostly at bytes that are not zero */
    long at = (long)((test_random(&state) + 0.5) * (double)(bytes - (end - start)));
    if (at >= start) at += end - start;
    if (!content[at] && i % 8) continue;
    int bit = (int)((test_random(&state) + 0.5) * 8);
    content[at] ^= (unsigned char)(1 << bit);
    caught += try_damaged(content, bytes, "other byte", at);
    content[at] ^= (unsigned char)(1 << bit);
  }
  CHECK(caught > 20, "only %d flips of metadata were noticed", caught);

  /* Truncated, then extended to its old length: the values are lost and the size is right. */
  unsigned char *filled = calloc(1, (size_t)bytes);
  memcpy(filled, content, (size_t)(start + 100));
  memcpy(filled + end, content + end, (size_t)(bytes - end));
  CHECK(try_damaged(filled, bytes, "zeros from", start + 100), "zeros");

  /* Two planes exchanged, two values exchanged. */
  memcpy(filled, content, (size_t)bytes);
  memcpy(filled + start, content + start + 320, 320);
  memcpy(filled + start + 320, content + start, 320);
  CHECK(try_damaged(filled, bytes, "planes exchanged at", start), "planes");
  memcpy(filled, content, (size_t)bytes);
  memcpy(filled + start, content + start + 4, 4);
  memcpy(filled + start + 4, content + start, 4);
  CHECK(try_damaged(filled, bytes, "values exchanged at", start), "values");
  CHECK(!try_damaged(content, bytes, "nothing", 0), "the undamaged file does not read: %s", mfft_last_error());
  free(filled);
  free(content);
  int failed = test_end();
  MPI_Finalize();
  return failed;
}
