// TEST ranks=1,2,3,5 more=8 labels=field
// A field written with one division of the array is read back with any other, in either precision; and the file does not
// depend on the number of ranks or the division, byte for byte.
#include "field.h"

static const int64_t shapes[][4] = {/* rank, n */
                                    {3, 7, 6, 9},    {3, 17, 1, 16}, {3, 20, 21, 22}, {3, 100, 1, 3},  {3, 2, 300, 301},
                                    {3, 70, 64, 66}, {2, 33, 40, 1}, {2, 1, 999, 1},  {1, 1000, 1, 1}, {1, 1, 1, 1}};

static void write_cut(const char *path, const int64_t shape[4], field_cut cut, mfft_precision stored,
                      mfft_precision memory) {
  const mfft_field_desc desc = desc_of_f((int)shape[0], shape + 1, stored);
  mfft_box box = cut_box(cut, shape + 1, world_rank(), world_size());
  void *values = filled_array(&box, memory);
  CHECK_OK(mfft_field_write(MPI_COMM_WORLD, path, &desc, &box, memory, mfft_box_empty(&box) ? NULL : values));
  free(values);
}

static void read_cut(const char *path, const int64_t shape[4], field_cut cut, mfft_precision memory) {
  mfft_box box = cut_box(cut, shape + 1, world_rank(), world_size());
  void *values = new_array(&box, memory);
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, "f", &box, memory, values, 0));
  int64_t wrong = wrong_values(&box, memory, values);
  CHECK(wrong == 0, "%lld values of cut %d are wrong", (long long)wrong, (int)cut);
  free(values);
}

/* FNV-1a of a whole file. */
static uint64_t hash_file(const char *path) {
  long bytes;
  unsigned char *content = file_bytes(path, &bytes);
  uint64_t hash = 0xcbf29ce484222325u;
  for (long i = 0; i < bytes; i++) hash = (hash ^ content[i]) * 0x100000001b3u;
  free(content);
  return hash;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *path = "round-trip.h5", *alone = "round-trip-alone.h5";
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    for (int stored = 0; stored < 2; stored++) {
      if (world_rank() == 0) write_alone(alone, (int)shapes[s][0], shapes[s] + 1, (mfft_precision)stored);
      for (int cut = 0; cut < CUT_COUNT; cut++) {
        int memory = (cut + stored) % 2;
        write_cut(path, shapes[s], (field_cut)cut, (mfft_precision)stored, (mfft_precision)memory);
        if (world_rank() == 0)
          CHECK(same_content(path, alone), "shape %zu, cut %d, stored %d: not the file of one process", s, cut, stored);
        read_cut(path, shapes[s], (field_cut)((cut + 1) % CUT_COUNT), (mfft_precision)!memory);
        read_cut(path, shapes[s], (field_cut)((cut + 2) % CUT_COUNT), (mfft_precision)memory);
      }
    }
  /* Serial and parallel builds of one version of HDF5 make the same file: both builds of this test compare with its hash. */
  unsigned version[3];
  H5get_libversion(&version[0], &version[1], &version[2]);
  if (world_rank() == 0 && version[0] == 1 && version[1] == 10 && version[2] == 8) {
    write_alone(alone, 3, shapes[0] + 1, MFFT_SINGLE);
    CHECK(hash_file(alone) == 0x8a22a8765143add5u, "the file has hash 0x%016llx", (unsigned long long)hash_file(alone));
  }
  int bad = test_end();
  MPI_Finalize();
  return bad;
}
