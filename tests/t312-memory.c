// TEST ranks=1,2,4,6 labels=dist
/* Peak memory of a distributed plan: in and out, each of which has at most the size of the largest intermediate array, and a
 * workspace of one local array (and some cache lines for each message). */
#include "dist.h"
#include "mfft_memory.h"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static const int64_t shapes[][3] = {{48, 48, 48}, {48, 36, 60}, {96, 24, 49}};
  for (int run = 0; run < 96; run++) {
    mfft_desc d;
    mfft_options options;
    mfft_desc_init(&d);
    mfft_options_init(&options);
    memcpy(d.n, shapes[run % 3], sizeof d.n);
    options.effort = MFFT_ESTIMATE;
    d.kind = run / 3 & 1 ? MFFT_R2C : MFFT_C2C;
    d.order = run / 6 & 1 ? MFFT_ORDER_TRANSPOSED : MFFT_ORDER_NATURAL;
    d.placement = run / 12 & 1 ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
    options.transport = run / 24 & 1 ? "alltoallv" : "pairwise";
    options.chunks = run / 48 & 1 ? 8 : 0;
    mfft_plan plan = NULL;
    CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
    size_t bytes[2], work, largest = 0;
    for (int side = 0; side < 2; side++) {
      mfft_box box;
      CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &bytes[side]));
      CHECK_OK(mfft_plan_box(plan, (mfft_side)side, &box));
      /* With uneven division another distribution may give this rank one plane more. */
      size_t box_bytes = (size_t)dist_count(&box) * (side == MFFT_IN && d.kind == MFFT_R2C ? 8 : 16);
      CHECK(bytes[side] <= box_bytes + box_bytes / 6 + 64 * 1024, "run %d: %zu bytes for a box of %zu", run, bytes[side],
            box_bytes);
      if (bytes[side] > largest) largest = bytes[side];
    }
    CHECK_OK(mfft_plan_workspace_bytes(plan, &work));
    CHECK(work <= largest + 64 * 1024, "run %d: workspace %zu, larger side %zu", run, work, largest);
    mfft_plan_destroy(plan);
  }
  MPI_Finalize();
  return test_end();
}
