// TEST ranks=1,3,8 more=2,4,5,6,7 labels=dist args=pairwise,alltoallv
// TEST ranks=2,6 more=1,3,4,5,7,8 labels=dist args=p2p
// TEST ranks=3 more=2,6 labels=dist args=p2p-store,--quick
// TEST ranks=6 more=3,8 labels=dist args=p2p,--node-ranks,2
// TEST ranks=4 more=3,6,8 labels=dist args=hierarchical,--node-ranks,3,--quick
// TEST ranks=4 more=2,3,6 labels=dist args=p2p,pairwise,--wire
// TEST ranks=6 labels=dist args=p2p,alltoallv,--wire,--node-ranks,2
// TEST ranks=6 labels=dist args=hierarchical,--wire,--node-ranks,2,--quick
// TEST ranks=4 labels=dist args=hierarchical,--node-ranks,1,--quick
// TEST ranks=1,2,3,4,6,8 labels=dist+cuda timeout=900 args=--backend,cuda,p2p,staged
// TEST ranks=2,4 labels=dist+cuda timeout=900 args=--backend,cuda,p2p,staged,--wire
// TEST ranks=4,6 labels=dist+cuda timeout=900 args=--backend,cuda,p2p,--node-ranks,2
// TEST ranks=4,6,8 labels=dist+cuda timeout=900 args=--backend,cuda,hierarchical,--node-ranks,2
// TEST ranks=1,2,3,4,6,8 labels=dist+cuda timeout=900 args=--backend,cuda,p2p-store
// TEST ranks=1,2,3,4,6,8 labels=dist+cuda timeout=900 args=--backend,cuda,nccl
// TEST ranks=2,3,4,6,8 labels=dist+cuda timeout=900 args=--backend,cuda,pairwise,alltoallv
// TEST ranks=4,6 labels=dist+cuda timeout=900 args=--backend,cuda,p2p+nccl,p2p-store+nccl,--node-ranks,2
// TEST ranks=2 labels=emulated timeout=300 args=--backend,cuda,p2p,--quick
// TEST ranks=4 labels=emulated timeout=300 args=--backend,cuda,p2p-store,--node-ranks,2,--quick
// TEST ranks=2 labels=emulated timeout=300 args=--backend,cuda,p2p,--wire,--quick
// TEST ranks=3 more=8 labels=emulated timeout=300 args=--backend,cuda,p2p,staged,--node-ranks,4,--quick
// TEST ranks=4 labels=emulated timeout=300 args=--backend,cuda,hierarchical,--node-ranks,2,--quick
// TEST ranks=4 labels=emulated timeout=300 args=--backend,cuda,hierarchical,--wire,--node-ranks,2,--quick
// TEST ranks=2 labels=emulated timeout=300 args=--backend,cuda,nccl,--quick
// TEST ranks=3 labels=emulated timeout=300 args=--backend,cuda,pairwise,alltoallv,--quick
// TEST ranks=4 labels=emulated timeout=300 args=--backend,cuda,p2p+nccl,--node-ranks,2,--quick
// TEST ranks=4 labels=emulated timeout=300 args=--backend,cuda,p2p+nccl,--wire,--node-ranks,2,--quick
/* Distributed transforms of many shapes against FFTW on the whole array, over the named transports; with --node-ranks K
 * every K ranks count as a node, with --backend B arrays are in its memory, --quick runs one variant in four, and --wire
 * half exchanges numbers of half the width. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "dist.h"
#include "emulated_mpi.h"
#include "mfft_inspect.h"

static const struct {
  int rank;
  int64_t n[3];
} shapes[] = {
    {3, {8, 8, 8}},  {3, {7, 6, 9}},  {3, {17, 1, 16}},  {3, {20, 21, 22}}, {3, {29, 27, 31}}, {3, {100, 1, 3}},
    {3, {1, 1, 1}},  {3, {2, 3, 2}},  {3, {6, 5, 4}},    {3, {5, 16, 2}},   {2, {32, 32, 1}},  {2, {11, 20, 1}},
    {2, {98, 1, 1}}, {1, {60, 1, 1}}, {1, {1024, 1, 1}}, {1, {13, 1, 1}},   {1, {1, 1, 1}},
};

/* Lengths that the CUDA engine supports. */
static int is_smooth(int64_t n) {
  for (int p = 2; p <= 13; p++)
    while (n % p == 0) n /= p;
  return n == 1;
}

/* Whether a plan of this transport can be made at all; if not, the reason. */
static int works(const char *backend, const char *transport, char *why, size_t size) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = d.n[1] = d.n[2] = 8;
  options.backend = backend;
  options.transport = transport;
  mfft_status status = mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan);
  if (status == MFFT_ERR_UNSUPPORTED) snprintf(why, size, "%s", mfft_last_error());
  mfft_plan_destroy(plan);
  return status != MFFT_ERR_UNSUPPORTED;
}

int main(int argc, char **argv) {
  const char *transports[2] = {NULL}, *backend = NULL; /* [names] */
  int names = 0, ranks, quick = 0, wire = 0;
  for (int a = 1; a < argc; a++) {
    if (strcmp(argv[a], "--node-ranks") == 0)
      setenv("MFFT_NODE_RANKS", argv[++a], 1);
    else if (strcmp(argv[a], "--backend") == 0)
      backend = argv[++a];
    else if (strcmp(argv[a], "--wire") == 0)
      wire = 1;
    else if (strcmp(argv[a], "--quick") == 0)
      quick = 1;
    else if (names < 2)
      transports[names++] = argv[a];
  }
  if (!names) {
    fprintf(stderr, "usage: t310-dist [--backend NAME] [--node-ranks K] [--wire] [--quick] TRANSPORT [TRANSPORT]\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (strstr(transports[0], "nccl")) setenv("MFFT_EMULATED_GPUS", "8", 0); /* one a rank */
  char why[256] = "";
  if (backend && (!mfft_backend_usable(backend, why, sizeof why) ||
                  ((strstr(transports[0], "nccl") || !strcmp(transports[0], "pairwise")) && /* not in every installation */
                   !works(backend, transports[0], why, sizeof why)))) {
    printf("skipped: %s\n", why);
    MPI_Finalize();
    return 77;
  }
  for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
    for (int variant = 0; variant < 8 * names; variant++) {
      if (quick && (s + (size_t)variant) % 4) continue;
      if (test_small() && (s + (size_t)variant / 4) % 5) continue;
      if (!test_all() && !quick && (2 * s + (size_t)variant) % 5 > 1) continue; /* all precisions remain */
      if (backend && !(is_smooth(shapes[s].n[0]) && is_smooth(shapes[s].n[1]) && is_smooth(shapes[s].n[2]))) continue;
      mfft_desc d;
      mfft_options options;
      mfft_desc_init(&d);
      mfft_options_init(&options);
      d.rank = shapes[s].rank;
      memcpy(d.n, shapes[s].n, sizeof d.n);
      options.effort = MFFT_ESTIMATE;
      d.kind = variant & 1 ? MFFT_R2C : MFFT_C2C;
      dist_set_order(&d, variant & 2 ? MFFT_ORDER_TRANSPOSED : MFFT_ORDER_NATURAL);
      d.placement = variant & 4 ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
      options.backend = backend;
      options.transport = transports[variant / 8];
      static const mfft_precision precisions[] = {MFFT_DOUBLE, MFFT_SINGLE, MFFT_HALF, MFFT_BFLOAT16, MFFT_DOUBLE};
      d.precision = precisions[(s + (size_t)variant) % 5];
      if (wire && d.precision != MFFT_DOUBLE && d.precision != MFFT_SINGLE) continue;
      options.wire = wire ? MFFT_WIRE_HALF : MFFT_WIRE_FULL;
      d.batch = 1 + (int64_t)(s + (size_t)variant) % 3;
      options.chunks = (int)((s + (size_t)variant) % 4);
      options.overlap_split = variant % 3 ? 0 : 1 + (int)s % 15;
      d.scale[MFFT_FORWARD] = d.precision == MFFT_HALF ? MFFT_SCALE_SQRT : (mfft_scale)(variant % 3);
      d.scale[MFFT_BACKWARD] = d.precision == MFFT_HALF ? MFFT_SCALE_SQRT : (mfft_scale)((variant + 1) % 3);
      if (d.rank == 1) {
        if (d.kind == MFFT_R2C && ranks > 1) continue;
        if (d.kind == MFFT_R2C && d.scrambled) continue;
      }
      char name[160];
      snprintf(name, sizeof name,
               "%lldx%lldx%lld rank %d kind %d order %d placement %d %s precision %d batch %d chunks %d split %d",
               (long long)d.n[0], (long long)d.n[1], (long long)d.n[2], d.rank, d.kind, d.order, d.placement,
               options.transport, d.precision, (int)d.batch, options.chunks, options.overlap_split);
      dist_check(MPI_COMM_WORLD, &d, &options, name);
    }
  MPI_Finalize();
  return test_end();
}
