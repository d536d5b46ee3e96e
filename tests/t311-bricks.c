// TEST ranks=3,5 more=1,2,8 labels=dist timeout=300 args=pairwise,alltoallv
// TEST ranks=3 more=8 labels=dist timeout=300 args=p2p,p2p-store
// TEST ranks=6 labels=dist timeout=300 args=p2p,alltoallv,--node-ranks,4
// TEST ranks=6 labels=dist timeout=300 args=hierarchical,--node-ranks,4
// TEST ranks=1,2,3,4,8 labels=dist+cuda timeout=600 args=--backend,cuda,p2p,staged
// TEST ranks=8 labels=dist+cuda timeout=600 args=--backend,cuda,p2p,p2p-store,--node-ranks,4
// TEST ranks=3 labels=dist+emulated timeout=600 args=--backend,cuda,p2p,p2p-store
// TEST ranks=8 labels=dist+emulated+nightly timeout=600 args=--backend,cuda,p2p,staged,--node-ranks,4
/* Given grids, bricks in and out in any memory order, empty boxes, subsets of the axes, and runs of every length (set by
 * MFFT_RUN_BYTES, so that array-to-array messages are tested on small arrays too), over the named transports; with
 * --node-ranks K every K ranks count as a node, with --backend B arrays are in its memory. */
#include "dist.h"
#include "mfft_inspect.h"

/* Divides the array into `ranks` slabs of different thickness along an axis; some are empty.  Rank r gets slab (r*3 + 1) %
 * ranks, so that the order of ranks differs from the order in space. */
static mfft_box brick(const int64_t n[3], int rank, int ranks, int axis, int order) {
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  int place = ranks % 3 ? (rank * 3 + 1) % ranks : ranks - 1 - rank;
  mfft_box box = {{0, 0, 0}, {n[0], n[1], n[2]}, {0, 1, 2}};
  memcpy(box.order, orders[order % 6], sizeof box.order);
  /* Thickness grows as the square of the position; the first one is empty. */
  int64_t whole = (int64_t)ranks * ranks;
  box.lo[axis] = n[axis] * place * place / whole;
  box.hi[axis] = n[axis] * (place + 1) * (place + 1) / whole;
  return box;
}

static const int64_t shapes[][3] = {{7, 6, 9}, {20, 21, 22}, {12, 1, 5}, {3, 2, 4}};
static const char *backend, *transports[2]; /* backend: NULL, the best of the host */
static int rank, ranks;

static mfft_desc desc_of(const int64_t n[3], const char *transport, mfft_options *options) {
  mfft_desc d;
  mfft_desc_init(&d);
  mfft_options_init(options);
  options->effort = MFFT_ESTIMATE;
  memcpy(d.n, n, sizeof d.n);
  options->backend = backend;
  options->transport = transport;
  return d;
}

static void bricks(int run) {
  char name[160];
  setenv("MFFT_RUN_BYTES", run % 3 == 0 ? "1" : run % 3 == 1 ? "400" : "32768", 1);
  mfft_options options;
  mfft_desc d = desc_of(shapes[run % 4], transports[run / 5 % 2], &options);
  d.kind = run / 4 % 2 ? MFFT_R2C : MFFT_C2C;
  d.batch = 1 + run % 2;
  options.chunks = run % 5;
  d.axes = (unsigned)(run % 7) + 1;
  d.placement = run / 8 % 3 == 2 && d.kind == MFFT_C2C ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  d.order = run / 3 % 2 ? MFFT_ORDER_TRANSPOSED : MFFT_ORDER_NATURAL;
  d.allow_destroy_input = run / 7 % 2;
  mfft_box in = brick(d.n, rank, ranks, run % 3, run);
  int64_t out_n[3];
  memcpy(out_n, d.n, sizeof out_n);
  if (d.kind == MFFT_R2C) out_n[dist_half_axis(&d)] = d.n[dist_half_axis(&d)] / 2 + 1;
  mfft_box out = brick(out_n, rank, ranks, (run + 1) % 3, run + 3);
  if (run % 4 != 1) d.in_box = &in;
  if (run % 4 != 2) d.out_box = &out;
  snprintf(name, sizeof name, "bricks run %d: %lldx%lldx%lld axes %u kind %d batch %d chunks %d placement %d %s", run,
           (long long)d.n[0], (long long)d.n[1], (long long)d.n[2], d.axes, d.kind, (int)d.batch, options.chunks,
           d.placement, options.transport);
  dist_check(MPI_COMM_WORLD, &d, &options, name);
}

/* Slabs of reals with padded rows, as FFTW-MPI divides and stores them: blocks of ceil(n/P) planes, the spectrum in slabs of
 * x in C order or of y with y slowest. */
static void padded_slabs(int run) {
  char name[160];
  mfft_options options;
  mfft_desc d = desc_of(shapes[run % 4], transports[run / 4 % 2], &options);
  d.kind = MFFT_R2C;
  d.padded = 1;
  d.batch = 1 + run % 3 / 2;
  options.chunks = run % 5;
  d.placement = run / 2 % 2 ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  d.allow_destroy_input = run / 8 % 2;
  if (run % 8 == 5 || run % 8 == 6) d.rank = 2, d.n[2] = 1;
  const int transposed = run % 2, last = d.rank - 1;
  const int64_t out_n[3] = {d.n[0], last == 1 ? d.n[1] / 2 + 1 : d.n[1], last == 2 ? d.n[2] / 2 + 1 : 1};
  mfft_box in = {{0, 0, 0}, {d.n[0], d.n[1], d.n[2]}, {0, 1, 2}}, out = in;
  out.hi[last] = out_n[last];
  if (transposed) out.order[0] = 1, out.order[1] = 0;
  mfft_box *const box[2] = {&in, &out}; /* [side] */
  for (int side = 0; side < 2; side++) {
    const int axis = side && transposed;
    const int64_t n = side ? out_n[axis] : d.n[axis], block = (n + ranks - 1) / ranks, lo = block * rank, hi = lo + block;
    box[side]->lo[axis] = lo < n ? lo : n;
    box[side]->hi[axis] = hi < n ? hi : n;
  }
  d.in_box = &in;
  d.out_box = &out;
  snprintf(name, sizeof name, "padded run %d: %lldx%lldx%lld placement %d %s", run, (long long)d.n[0], (long long)d.n[1],
           (long long)d.n[2], d.placement, options.transport);
  dist_check(MPI_COMM_WORLD, &d, &options, name);
}

/* Rows that cannot be padded are refused on all ranks: rows that are not whole, not contiguous, or not of reals. */
static void refused_padding(void) {
  mfft_plan plan = NULL;
  mfft_options options;
  mfft_desc d = desc_of(shapes[0], transports[0], &options);
  d.padded = 1;
  CHECK_FAILS(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan), MFFT_ERR_UNSUPPORTED, "desc.padded");
  d.kind = MFFT_R2C;
  mfft_box in = brick(d.n, rank, ranks, 0, 1); /* order {0, 2, 1} */
  d.in_box = &in;
  CHECK_FAILS(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan), MFFT_ERR_UNSUPPORTED, "contiguous rows");
  d.in_box = NULL;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_UNSUPPORTED, "for distributed plans; set in_stride");
}

static void refuse(const mfft_desc *d, const mfft_options *options, mfft_status status, const char *words) {
  mfft_plan plan = NULL;
  CHECK_FAILS(mfft_plan_create_mpi(MPI_COMM_WORLD, d, options, &plan), status, words);
}

/* Boxes of a plane that do not tile it are refused in the caller's axes; axes that it lacks are named. */
static void refused_boxes(void) {
  mfft_options options;
  mfft_desc d = desc_of(shapes[0], transports[0], &options);
  d.rank = 2;
  d.n[0] = d.n[1] = 16;
  d.n[2] = 0;
  const mfft_box mine = {{16 * rank / ranks, 0, 0}, {16 * (rank + 1) / ranks, 16, 0}, {0, 1, 2}};
  mfft_box in = mine;
  d.in_box = &in;
  in.hi[1] = 17;
  refuse(&d, &options, MFFT_ERR_ARG, "covers [0,17) of axis 1, which has only [0,16)");
  in = mine;
  in.hi[0] = 16;
  if (ranks > 1) refuse(&d, &options, MFFT_ERR_ARG, "desc.in_box of ranks 0 and 1 overlap at (");
  in = mine;
  in.hi[2] = 4;
  refuse(&d, &options, MFFT_ERR_ARG, "desc.in_box covers [0,4) of axis 2, which an array of rank 2 lacks; give [0,1)");
  in.lo[2] = in.hi[2] = 1;
  refuse(&d, &options, MFFT_ERR_ARG, "desc.in_box covers [1,1) of axis 2");
  /* Axis 0 is halved, and no exchange follows in which rows could become shorter. */
  in = (mfft_box){{0, 16 * rank / ranks, 0}, {16, 16 * (rank + 1) / ranks, 0}, {0, 1, 2}};
  mfft_box out = in;
  out.hi[0] = 9;
  d.kind = MFFT_R2C;
  d.placement = MFFT_IN_PLACE;
  d.axes = 1;
  d.out_box = &out;
  refuse(&d, &options, MFFT_ERR_UNSUPPORTED, "a second array is needed for the boxes of desc.in_box and desc.out_box; set");
}

static void grid(int p, int run) {
  char name[160];
  setenv("MFFT_RUN_BYTES", run % 2 ? "1" : "32768", 1);
  mfft_options options;
  mfft_desc d = desc_of(shapes[run % 2], transports[run / 2 % 2], &options);
  options.grid[0] = p;
  options.grid[1] = run % 3 ? ranks / p : 0;
  d.kind = run & 4 ? MFFT_R2C : MFFT_C2C;
  d.order = run & 8 ? MFFT_ORDER_TRANSPOSED : MFFT_ORDER_NATURAL;
  d.placement = run & 2 ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  options.chunks = run % 4;
  d.axes = run < 8 ? 0 : (unsigned)(run % 7) + 1;
  if (d.placement == MFFT_IN_PLACE && d.kind == MFFT_R2C && d.axes && dist_half_axis(&d) != 2)
    d.placement = MFFT_OUT_OF_PLACE;
  snprintf(name, sizeof name, "grid %d x %d run %d %s", p, ranks / p, run, options.transport);
  dist_check(MPI_COMM_WORLD, &d, &options, name);
}

int main(int argc, char **argv) {
  char why[256] = "";
  int names = 0;
  for (int a = 1; a < argc; a++) {
    if (strcmp(argv[a], "--node-ranks") == 0)
      setenv("MFFT_NODE_RANKS", argv[++a], 1);
    else if (strcmp(argv[a], "--backend") == 0)
      backend = argv[++a];
    else if (names < 2)
      transports[names++] = argv[a];
  }
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (backend && !mfft_backend_usable(backend, why, sizeof why)) {
    printf("skipped: %s\n", why);
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  /* only some shapes if small sizes are requested, with a period coprime to the number of variants */
  for (int run = 0; run < 96; run++)
    if ((!test_small() || run % 11 % 4 == 0) && test_sampled()) bricks(run);
  for (int run = 0; run < 32; run++)
    if (!test_small() || run % (test_all() ? 3 : backend ? 15 : 9) == 1) padded_slabs(run);
  if (!backend) refused_padding();
  if (!backend) refused_boxes();
  /* Of an emulated GPU kernels are what takes long. */
  const int step = !test_small() ? 1 : test_all() ? 5 : backend ? 13 : 9;
  for (int p = 1; p <= ranks; p++)
    for (int run = 0; run < 16 && ranks % p == 0; run += step) grid(p, run);
  MPI_Finalize();
  return test_end();
}
