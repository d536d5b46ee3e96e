// TEST ranks=2 labels=field args=none
/* Rank 1 does not take part in a call on a field: querying, reading, making a file, putting values, committing.  With the
 * argument "none" both ranks take part; t931 runs the other cases. */
#include "field.h"

static const int64_t n[3] = {6, 5, 4};
static const char *late; /* the call that rank 1 does not come to */

static void come_to(const char *call) {
  if (world_rank() == 1 && strcmp(call, late) == 0) sleep(30);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  late = argc > 1 ? argv[1] : "none";
  mfft_box box = cut_box(CUT_SLABS, n, world_rank(), world_size());
  void *values = filled_array(&box, MFFT_DOUBLE);
  const mfft_field_desc desc = desc_of_f(3, n, MFFT_DOUBLE);
  mfft_field_file file = NULL;
  mfft_field_info info;
  mfft_field_info_init(&info);
  come_to("create");
  CHECK_OK(mfft_field_create(MPI_COMM_WORLD, "late.h5", &desc, &file));
  come_to("put");
  CHECK_OK(mfft_field_put(file, 0, &box, MFFT_DOUBLE, values));
  come_to("commit");
  CHECK_OK(mfft_field_commit(&file));
  come_to("query");
  CHECK_OK(mfft_field_query(MPI_COMM_WORLD, "late.h5", "f", &info));
  come_to("read");
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, "late.h5", "f", &box, MFFT_DOUBLE, values, 0));
  CHECK(wrong_values(&box, MFFT_DOUBLE, values) == 0, "other values");
  free(values);
  MPI_Finalize();
  return test_end();
}
