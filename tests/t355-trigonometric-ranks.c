// TEST ranks=1,2,3,4 labels=dist
// TEST ranks=1,2,3,4 labels=dist+cuda timeout=900 args=cuda
// TEST ranks=2 more=1,3 labels=emulated timeout=300 args=cuda
/* Distributed plans with cosines and sines, alone, beside DFTs and beside axes that stay, against FFTW on the whole array:
 * orders, placements, precisions, batches, transports, and boxes of the caller. */
#include "dist.h"
#include "trigonometric_case.h"

static const char *backend; /* NULL: that of the environment */

static const trigonometric_case cases[] = {
    {MFFT_R2R, 3, {8, 12, 10}, 0, {MFFT_DCT2, MFFT_DCT2, MFFT_DCT2}},
    {MFFT_R2R, 3, {7, 6, 9}, 0, {MFFT_DCT1, MFFT_DST1, MFFT_DCT3}},
    {MFFT_R2R, 3, {17, 2, 16}, 5, {MFFT_DST3, MFFT_DFT, MFFT_DST2}},
    {MFFT_R2R, 3, {2, 3, 2}, 0, {MFFT_DCT4, MFFT_DST4, MFFT_DST1}},
    {MFFT_R2R, 2, {11, 20, 1}, 0, {MFFT_DST2, MFFT_DCT4}},
    {MFFT_R2R, 1, {60, 1, 1}, 0, {MFFT_DCT2}},
    {MFFT_R2C, 3, {6, 5, 8}, 0, {MFFT_DCT2, MFFT_DFT, MFFT_DFT}},
    {MFFT_R2C, 3, {6, 10, 8}, 0, {MFFT_DFT, MFFT_DST2, MFFT_DFT}},
    {MFFT_R2C, 3, {6, 9, 8}, 0, {MFFT_DFT, MFFT_DFT, MFFT_DST1}},
    {MFFT_R2C, 3, {9, 6, 8}, 0, {MFFT_DFT, MFFT_DCT1, MFFT_DST1}},
    {MFFT_R2C, 3, {5, 16, 3}, 0, {MFFT_DCT2, MFFT_DFT, MFFT_DCT3}},
    {MFFT_R2C, 2, {14, 15, 1}, 0, {MFFT_DFT, MFFT_DST3}},
    {MFFT_C2C, 3, {5, 6, 7}, 0, {MFFT_DST1, MFFT_DFT, MFFT_DFT}},
    {MFFT_C2C, 3, {5, 6, 7}, 0, {MFFT_DCT2, MFFT_DST2, MFFT_DCT4}},
};

static mfft_desc describe(size_t c, int variant, mfft_options *options) {
  static const char *const transports[2][4] = {{"pairwise", "p2p", "alltoallv", "p2p-store"},
                                               {"staged", "p2p", "p2p-store", "p2p"}}; /* by any MPI between GPUs */
  mfft_desc d;
  mfft_desc_init(&d);
  mfft_options_init(options);
  d.rank = cases[c].rank, d.kind = cases[c].kind, d.axes = cases[c].axes;
  memcpy(d.n, cases[c].n, sizeof d.n);
  memcpy(d.axis_kind, cases[c].axis, sizeof d.axis_kind);
  d.precision = (variant / 2) % 3 == 0 ? MFFT_DOUBLE : (variant / 2) % 3 == 1 ? MFFT_SINGLE : MFFT_BFLOAT16;
  const int grows = d.kind == MFFT_R2C && dist_half_axis(&d) != d.rank - 1; /* such arrays have no space in place */
  d.placement = variant & 1 && !grows ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  d.batch = 1 + ((int)c + variant) % 2;
  d.order = variant & 2 && d.rank > 1 ? MFFT_ORDER_TRANSPOSED : MFFT_ORDER_NATURAL;
  d.scale[MFFT_FORWARD] = (mfft_scale)(variant % 3);
  d.scale[MFFT_BACKWARD] = (mfft_scale)((variant + 1) % 3);
  options->effort = MFFT_ESTIMATE;
  options->backend = backend;
  options->transport = transports[backend != NULL][((int)c + variant) % 4];
  options->chunks = variant % 4;
  options->overlap_split = variant % 3 ? 0 : 1 + (int)c % 15;
  return d;
}

/* IN slabs of the last axis, OUT slabs of the middle one: every axis moves. */
static void check_boxes(size_t c) {
  int rank, ranks;
  mfft_options options;
  mfft_desc d = describe(c, 0, &options);
  mfft_box in = {{0, 0, 0}, {d.n[0], d.n[1], d.n[2]}, {1, 2, 0}}, out = {{0, 0, 0}, {d.n[0], d.n[1], d.n[2]}, {0, 1, 2}};
  const int half = dist_half_axis(&d);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (d.rank != 3) return;
  if (half >= 0) out.hi[half] = d.n[half] / 2 + 1;
  const int64_t outs = out.hi[1];
  in.lo[2] = d.n[2] * rank / ranks, in.hi[2] = d.n[2] * (rank + 1) / ranks;
  out.lo[1] = outs * rank / ranks, out.hi[1] = outs * (rank + 1) / ranks;
  d.in_box = &in, d.out_box = &out;
  char name[64];
  snprintf(name, sizeof name, "case %zu in boxes", c);
  dist_check(MPI_COMM_WORLD, &d, &options, name);
}

static void check_refused(void) {
  int rank;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_desc d = describe(0, 0, &options);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  d.padded = 1;
  CHECK_FAILS(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan), MFFT_ERR_UNSUPPORTED,
              "the last axis is not halved");
  d.padded = 0;
  if (rank == 0) d.axis_kind[1] = MFFT_DST2;
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > 1)
    CHECK_FAILS(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan), MFFT_ERR_MISMATCH, "desc.axis_kind[1]");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc > 1) backend = argv[1];
  const int emulated = backend && test_small(); /* where kernels are what takes long */
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    if (emulated && !test_sampled()) continue;
    for (int variant = 0; variant < 8; variant += !emulated ? 1 : test_all() ? 5 : 8) {
      char name[64];
      mfft_options options;
      const mfft_desc d = describe(c, variant, &options);
      snprintf(name, sizeof name, "case %zu variant %d by %s", c, variant, options.transport);
      dist_check(MPI_COMM_WORLD, &d, &options, name);
    }
    check_boxes(c);
  }
  check_refused();
  MPI_Finalize();
  return test_end();
}
