// TEST ranks=1,2,3,5 labels=dist
/* Distributed plans whose arrays end in zeros (desc.given), against FFTW on the padded array: kinds, ranks, orders,
 * placements, precisions, batches, transports, filters that stages apply, and boxes of the caller; what is refused. */
#include "dist.h"

static const struct {
  mfft_kind kind;
  int rank;
  int64_t n[3], given[3];
  unsigned axes;
  mfft_axis_kind axis[3];
} cases[] = {
    {MFFT_C2C, 3, {8, 12, 10}, {4, 6, 5}, 0, {0}},
    {MFFT_R2C, 3, {8, 12, 10}, {4, 6, 5}, 0, {0}},
    {MFFT_R2C, 3, {7, 6, 9}, {1, 6, 3}, 0, {0}},
    {MFFT_R2C, 3, {9, 11, 12}, {9, 1, 12}, 0, {0}},
    {MFFT_R2C, 3, {6, 9, 12}, {6, 9, 11}, 0, {0}},
    {MFFT_C2C, 3, {17, 2, 16}, {16, 1, 1}, 0, {0}},
    {MFFT_C2C, 3, {6, 9, 12}, {3, 9, 6}, 5, {0}},
    {MFFT_R2C, 3, {10, 6, 5}, {4, 2, 0}, 3, {0}},
    {MFFT_R2C, 2, {12, 14, 1}, {5, 7}, 0, {0}},
    {MFFT_C2C, 2, {13, 6, 1}, {2, 0}, 0, {0}},
    {MFFT_R2R, 3, {8, 5, 6}, {4, 2, 6}, 0, {MFFT_DCT2, MFFT_DST2, MFFT_DCT4}},
};
enum { CASES = sizeof cases / sizeof *cases };

static mfft_desc describe(size_t c, int variant, mfft_options *options) {
  static const char *const transports[] = {"pairwise", "p2p", "alltoallv", "p2p-store"};
  mfft_desc d;
  mfft_desc_init(&d);
  mfft_options_init(options);
  d.rank = cases[c].rank, d.kind = cases[c].kind, d.axes = cases[c].axes;
  memcpy(d.n, cases[c].n, sizeof d.n);
  memcpy(d.given, cases[c].given, sizeof d.given);
  memcpy(d.axis_kind, cases[c].axis, sizeof d.axis_kind);
  d.precision = variant % 3 == 0 ? MFFT_DOUBLE : variant % 3 == 1 ? MFFT_SINGLE : MFFT_BFLOAT16;
  d.placement = variant & 1 ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  d.batch = 1 + ((int)c + variant) % 2;
  d.order = variant & 2 ? MFFT_ORDER_TRANSPOSED : MFFT_ORDER_NATURAL;
  d.allow_destroy_input = variant == 4;
  d.scale[MFFT_FORWARD] = (mfft_scale)(variant % 3);
  d.scale[MFFT_BACKWARD] = (mfft_scale)((variant + 1) % 3);
  d.filtered = variant == 2 ? 2 : 0; /* a filter that is not set: 1 everywhere */
  options->effort = MFFT_ESTIMATE;
  options->transport = transports[((int)c + variant) % 4];
  options->chunks = variant % 4;
  options->overlap_split = variant % 3 ? 0 : 1 + (int)c % 15;
  options->reproducible = variant == 3;
  return d;
}

/* Ranks send the array without its zeros: before the axis that moves is transformed, half of what a plan of full axes
 * sends. */
static void check_bytes(void) {
  int64_t sent[2] = {0, 0};
  for (int pads = 0; pads < 2; pads++) {
    mfft_options options;
    mfft_plan plan = NULL;
    mfft_desc d = describe(0, 0, &options);
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    d.n[0] = d.n[1] = d.n[2] = 8 * ranks, d.order = MFFT_ORDER_TRANSPOSED, d.batch = 1;
    for (int a = 0; a < 3; a++) d.given[a] = pads ? d.n[a] / 2 : 0;
    options.grid[0] = ranks, options.grid[1] = 1, options.transport = "pairwise";
    CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
    for (int i = 0; plan && i < plan->dist->ntransfers; i++) sent[pads] += plan->dist->transfer[i]->sent_bytes;
    mfft_plan_destroy(plan);
  }
  CHECK(2 * sent[1] == sent[0], "%lld bytes are sent with zeros, %lld without", (long long)sent[0], (long long)sent[1]);
}

static void check_refused(void) {
  int rank, ranks;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_desc d = describe(1, 0, &options);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  d.padded = 1;
  CHECK_FAILS(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan), MFFT_ERR_UNSUPPORTED,
              "desc.padded is 1 with desc.given");
  d.padded = 0;
  if (rank == 0) d.given[1] = 5;
  if (ranks > 1) CHECK_FAILS(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan), MFFT_ERR_MISMATCH, "desc.given[1]");
  d.rank = 1, d.kind = MFFT_C2C, d.given[0] = 3;
  if (ranks > 1)
    CHECK_FAILS(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan), MFFT_ERR_UNSUPPORTED, "desc.given[0] is 3 of 8");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (size_t c = 0; c < CASES; c++) {
    for (int variant = 0; variant < 6; variant++) {
      mfft_options options;
      char name[64];
      const mfft_desc d = describe(c, variant, &options);
      snprintf(name, sizeof name, "case %zu, variant %d", c, variant);
      dist_check(MPI_COMM_WORLD, &d, &options, name);
      snprintf(name, sizeof name, "case %zu in boxes", c);
      if (variant == 0 && d.rank == 3) dist_check_boxes(MPI_COMM_WORLD, &d, &options, name);
    }
  }
  check_bytes();
  check_refused();
  MPI_Finalize();
  return test_end();
}
