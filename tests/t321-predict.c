// TEST ranks=1,2,4 labels=dist+once timeout=300
/* Predictions (mfft_predict.h): the plan of a rank that is not there has the stages, bytes and messages of the plan that
 * this job makes; bytes and times of small cases by hand; ranks without planes; machines that are refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mfft_inspect.h"
#include "mfft_mpi.h"
#include "plan/predict.h"

static int my_rank, ranks;

/* ---- The same program as a real plan ---- */

/* The programs in a description, without what the backend says of its transforms. */
static void programs(mfft_plan plan, char *out, size_t size) {
  size_t needed, used = 0;
  CHECK_OK(mfft_plan_describe(plan, NULL, 0, &needed));
  char *text = malloc(needed);
  CHECK_OK(mfft_plan_describe(plan, text, needed, NULL));
  out[0] = 0;
  for (char *line = strstr(text, "  forward\n"); line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    size_t length = strcspn(line, "\n");
    if (strncmp(line, "    FFT", 7) == 0) {
      const char *arrow = strstr(line, " -> "), *says = arrow ? strstr(arrow + 4, "  ") : NULL;
      if (says && (size_t)(says - line) < length) length = (size_t)(says - line);
    }
    if (used + length + 2 > size) break;
    memcpy(out + used, line, length);
    used += length;
    out[used++] = '\n';
    out[used] = 0;
  }
  free(text);
}

static void compare(const mfft_desc *desc, const char *transport, const int grid[2], int node_ranks) {
  enum { SIZE = 1 << 16 };
  static char real[SIZE], model_text[SIZE];
  const mfft_machine machine = {.struct_size = sizeof machine,
                                .host_memory = 1,
                                .memory_bandwidth = 1e10,
                                .near_bandwidth = 1e10,
                                .far_bandwidth = 1e9};
  const mfft_cluster cluster = {&machine, ranks / node_ranks, node_ranks, 0};
  mfft_options options;
  mfft_plan plan, dry;
  mfft_model model;
  mfft_prediction p;
  size_t bytes;
  mfft_options_init(&options);
  options.effort = MFFT_ESTIMATE;
  options.backend = "fftw";
  options.transport = transport;
  memcpy(options.grid, grid, sizeof options.grid);
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, desc, &options, &plan));
  CHECK_OK(mfft_model_make(desc, &options, &cluster, &model));
  CHECK_OK(mfft_model_plan(&model, my_rank, &dry));
  programs(plan, real, SIZE);
  programs(dry, model_text, SIZE);
  CHECK(strlen(real) > 20 && strcmp(real, model_text) == 0, "rank %d, %s:\n%s\nbut predicted:\n%s", my_rank, transport, real,
        model_text);
  CHECK_OK(mfft_predict(desc, &options, &cluster, my_rank, &p));
  for (int side = 0; side < 2; side++) {
    CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &bytes));
    CHECK((size_t)p.array_bytes[side] == bytes, "side %d: %lld bytes, not %zu", side, (long long)p.array_bytes[side], bytes);
  }
  mfft_plan_destroy(dry);
  mfft_plan_destroy(plan);
}

static void same_programs(void) {
  static const char *const transports[] = {"pairwise", "alltoallv", "p2p", "p2p+pairwise", "p2p-store"};
  const int slabs[2] = {0, 0}, pencils[2] = {2, 0};
  mfft_desc desc;
  for (size_t t = 0; t < sizeof transports / sizeof *transports; t++)
    for (int order = 0; order < 2; order++)
      for (int kind = 0; kind < 2; kind++) {
        mfft_desc_init(&desc);
        const int64_t n[3] = {13, 10, 12};
        memcpy(desc.n, n, sizeof n);
        desc.order = (mfft_order)order;
        desc.kind = kind ? MFFT_R2C : MFFT_C2C;
        desc.batch = 1 + order;
        compare(&desc, transports[t], slabs, ranks);
        if (ranks % 2) continue;
        compare(&desc, transports[t], pencils, ranks);
        setenv("MFFT_NODE_RANKS", "2", 1);
        compare(&desc, transports[t], slabs, 2);
        compare(&desc, transports[t], pencils, 2);
        unsetenv("MFFT_NODE_RANKS");
      }
  mfft_desc_init(&desc); /* more ranks than planes; chunks; in place */
  desc.n[0] = desc.n[1] = 3;
  desc.n[2] = 5;
  compare(&desc, "pairwise", slabs, ranks);
  desc.n[0] = desc.n[1] = desc.n[2] = 96;
  desc.placement = MFFT_IN_PLACE;
  desc.kind = MFFT_R2C;
  compare(&desc, "pairwise", slabs, ranks);
  compare(&desc, "p2p", slabs, ranks);
}

/* ---- By hand ---- */

static mfft_machine simple(int host) {
  mfft_machine m;
  mfft_machine_init(&m);
  m.host_memory = host;
  m.memory_bandwidth = 1e9;
  m.near_bandwidth = 1e8;
  m.far_bandwidth = 1e7;
  if (host) m.flops[0] = m.flops[1] = 1e9;
  return m;
}

static void near(const char *what, double got, double want) {
  CHECK(fabs(got - want) <= 1e-9 * fabs(want), "%s is %.12g, not %.12g", what, got, want);
}

/* C2C double 8^3 in slabs of 2 planes on 2 nodes of 2 ranks, transposed order: one exchange.  Each rank holds 2048 bytes:
 * 512 stay, 512 go to the rank of its node, 1024 in two messages to the other node. */
static void four_slabs(void) {
  mfft_machine m = simple(1);
  const mfft_cluster cluster = {&m, 2, 2, 0};
  mfft_desc desc;
  mfft_options options;
  mfft_prediction p;
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  desc.n[0] = desc.n[1] = desc.n[2] = 8;
  desc.order = MFFT_ORDER_TRANSPOSED;
  options.grid[0] = 4;
  options.grid[1] = 1;
  for (int rank = 0; rank < 4; rank++) {
    CHECK_OK(mfft_predict(&desc, &options, &cluster, rank, &p));
    const mfft_predicted *d = &p.direction[MFFT_FORWARD];
    CHECK(d->self_bytes == 512 && d->near_bytes == 512 && d->far_bytes == 1024, "bytes of rank %d: %lld %lld %lld", rank,
          (long long)d->self_bytes, (long long)d->near_bytes, (long long)d->far_bytes);
    CHECK(d->near_messages == 1 && d->far_messages == 2, "messages: %lld %lld", (long long)d->near_messages,
          (long long)d->far_messages);
    near("far", d->far_s, 1024 / 1e7);
    near("transforms", d->transforms_s, (2 * 5 * 64 * 6.0 + 16 * 5 * 8 * 3.0) / 1e9);
    near("near", d->near_s, 512 / 1e8);
    near("time", d->time_s, d->transforms_s + d->copies_s + fmax(d->near_s, d->far_s)); /* MPI does both at once */
    near("hidden", d->hidden_s, fmin(d->near_s, d->far_s));
  }
  options.transport = "p2p";
  CHECK_OK(mfft_predict(&desc, &options, &cluster, 0, &p));
  const mfft_predicted direct = p.direction[MFFT_FORWARD];
  options.transport = "hierarchical"; /* one message, whose bytes are copied to a leader, and from one */
  CHECK_OK(mfft_predict(&desc, &options, &cluster, 0, &p));
  const mfft_predicted carried = p.direction[MFFT_FORWARD];
  CHECK(direct.far_messages == 2 && carried.far_messages == 1 && carried.far_bytes == 1024, "%lld and %lld messages",
        (long long)direct.far_messages, (long long)carried.far_messages);
  near("copies of leaders", carried.copies_s - direct.copies_s, 2 * 2 * 1024 / 1e9);
  mfft_machine gpu = simple(0); /* its link to the host carries the bytes out before the message, and in behind it */
  const mfft_cluster gpus = {&gpu, 2, 2, 0};
  gpu.far_bandwidth = gpu.node_bandwidth = 1e3;
  double time_s[2];
  for (int i = 0; i < 2; i++) {
    options.transport = i ? "hierarchical" : "p2p";
    CHECK_OK(mfft_predict(&desc, &options, &gpus, 0, &p));
    time_s[i] = p.direction[MFFT_FORWARD].time_s;
  }
  near("copies through the host", time_s[1] - time_s[0], 2 * 1024 / 1e3);
  options.transport = NULL;
  m.node_bandwidth = 1e7; /* both ranks of a node share it */
  m.far_message_s = 1e-3;
  m.far_share = 0.5;
  CHECK_OK(mfft_predict(&desc, &options, &cluster, 3, &p));
  near("far of a shared network", p.direction[MFFT_BACKWARD].far_s, 2 * 1e-3 + 1024 / 2.5e6);
}

/* 4^3 on 4 x 2 ranks of four nodes: each rank sends half of its 128 bytes in its row and three quarters in its column.  Rows
 * of ranks that follow each other are within nodes; of ranks that are dealt to the nodes half of a column is, unless the
 * plan chooses the grid. */
static void dealt_ranks(void) {
  static const struct { int cyclic, given, far_bytes; } cases[] = {{0, 1, 96}, {0, 0, 96}, {1, 1, 128}, {1, 0, 96}};
  mfft_machine m = simple(1);
  mfft_desc desc;
  mfft_options options;
  mfft_prediction p;
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  desc.n[0] = desc.n[1] = desc.n[2] = 4;
  desc.order = MFFT_ORDER_TRANSPOSED;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int rank = 0; rank < 8; rank++) {
      const mfft_cluster cluster = {&m, 4, 2, cases[i].cyclic};
      options.grid[0] = cases[i].given ? 4 : 0;
      options.grid[1] = cases[i].given ? 2 : 0;
      CHECK_OK(mfft_predict(&desc, &options, &cluster, rank, &p));
      CHECK(p.grid[0] == 4 && p.direction[MFFT_FORWARD].far_bytes == cases[i].far_bytes,
            "case %d, rank %d: grid %d x %d, %lld", (int)i, rank, p.grid[0], p.grid[1],
            (long long)p.direction[MFFT_FORWARD].far_bytes);
    }
}

/* One GPU: three axes of one pass each, 2 x 16 x 64^3 bytes at 1e9 bytes a second, and three launches. */
static void one_gpu(void) {
  mfft_machine m = simple(0);
  m.stage_s = 1e-3;
  mfft_cluster cluster = {&m, 1, 1, 0};
  mfft_desc desc;
  mfft_prediction p;
  mfft_desc_init(&desc);
  desc.n[0] = desc.n[1] = desc.n[2] = 64;
  CHECK_OK(mfft_predict(&desc, NULL, &cluster, 0, &p));
  near("a local transform", p.direction[MFFT_FORWARD].time_s, 3 * (1e-3 + 2.0 * 16 * 64 * 64 * 64 / 1e9));
  CHECK(p.direction[MFFT_FORWARD].near_bytes == 0 && p.direction[MFFT_FORWARD].far_bytes == 0, "a rank alone sends");
  m.contiguous_count = 2; /* 32: 1, 128: 3, so that 64 has 2 */
  m.contiguous[0] = (mfft_machine_pass){32, 1};
  m.contiguous[1] = (mfft_machine_pass){128, 3};
  m.strided_count = 1;
  m.strided[0] = (mfft_machine_pass){16, 1.5};
  CHECK_OK(mfft_predict(&desc, NULL, &cluster, 0, &p));
  near("passes", p.direction[MFFT_BACKWARD].time_s, 3e-3 + (2 + 2 * 1.5) * 2.0 * 16 * 64 * 64 * 64 / 1e9);
  /* A link that takes far longer than all transforms is the time of the plan, but for the first and the last slice. */
  m.near_bandwidth = 1e6;
  cluster.node_ranks = 2;
  desc.n[0] = desc.n[1] = desc.n[2] = 512;
  desc.order = MFFT_ORDER_TRANSPOSED;
  CHECK_OK(mfft_predict(&desc, NULL, &cluster, 1, &p));
  const mfft_predicted *d = &p.direction[MFFT_FORWARD];
  near("bytes of half an array", (double)d->near_bytes, 16.0 * 512 * 512 * 512 / 4);
  CHECK(d->time_s > d->near_s && d->time_s < 1.01 * d->near_s && d->hidden_s > 0.5 * d->transforms_s, "%g of %g", d->time_s,
        d->near_s);
  /* While that link is busy, transforms lack near_memory times its bandwidth, 2 times by default. */
  static const double taken[] = {0, 2, 102, 202};
  double transforms_s[4]; /* [taken] */
  for (int i = 0; i < 4; i++) {
    m.near_memory = taken[i];
    CHECK_OK(mfft_predict(&desc, NULL, &cluster, 1, &p));
    transforms_s[i] = p.direction[MFFT_FORWARD].transforms_s;
  }
  near("the default of near_memory", transforms_s[0], transforms_s[1]);
  near("near_memory", transforms_s[3] - transforms_s[1], 2 * (transforms_s[2] - transforms_s[1]));
  CHECK(transforms_s[2] > 1.01 * transforms_s[1] && transforms_s[2] < 1.1 * transforms_s[1], "%g and %g", transforms_s[2],
        transforms_s[1]);
}

/* Three planes on eight ranks: those without a plane send nothing, and the fullest is one that has some. */
static void few_planes(void) {
  mfft_machine m = simple(1);
  const mfft_cluster cluster = {&m, 4, 2, 0};
  mfft_desc desc;
  mfft_options options;
  mfft_prediction p;
  int64_t sent = 0;
  int fullest;
  double bound;
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  desc.n[0] = 3;
  desc.n[1] = 40;
  desc.n[2] = 4;
  options.grid[0] = 8;
  options.grid[1] = 1;
  for (int rank = 0; rank < 8; rank++) {
    CHECK_OK(mfft_predict(&desc, &options, &cluster, rank, &p));
    const mfft_predicted *d = &p.direction[MFFT_FORWARD];
    sent += d->self_bytes + d->near_bytes + d->far_bytes;
  }
  CHECK(sent == 2 * 3 * 40 * 4 * 16, "%lld bytes in two exchanges", (long long)sent);
  CHECK_OK(mfft_predict_fullest(&desc, &options, &cluster, &fullest, &bound));
  CHECK_OK(mfft_predict(&desc, &options, &cluster, fullest, &p));
  CHECK(p.array_bytes[MFFT_IN] == 40 * 4 * 16, "rank %d is not the fullest", fullest);
  CHECK(bound > 0 && bound <= p.direction[MFFT_FORWARD].time_s, "bound %g of %g", bound, p.direction[MFFT_FORWARD].time_s);
}

/* ---- Refusals ---- */

/* Both predictions refuse what cannot be planned in place: on one rank no exchange follows the axis that is halved. */
static void refused_in_place(void) {
  static const char words[] =
      "desc.placement is MFFT_IN_PLACE, but a second array is needed for halving axis 0 on 1 rank; set";
  mfft_machine m = simple(1);
  const mfft_cluster cluster = {&m, 1, 1, 0};
  mfft_desc desc;
  mfft_prediction p;
  int fullest;
  mfft_desc_init(&desc);
  desc.rank = 2;
  desc.n[0] = 28;
  desc.n[1] = 35;
  desc.kind = MFFT_R2C;
  desc.axis_kind[1] = MFFT_DCT2;
  desc.placement = MFFT_IN_PLACE;
  CHECK_FAILS(mfft_predict(&desc, NULL, &cluster, 0, &p), MFFT_ERR_UNSUPPORTED, words);
  CHECK_FAILS(mfft_predict_fullest(&desc, NULL, &cluster, &fullest, NULL), MFFT_ERR_UNSUPPORTED, words);
}
static void refused(void) {
  mfft_machine m = simple(1);
  mfft_cluster cluster = {&m, 2, 2, 0};
  mfft_desc desc;
  mfft_options options;
  mfft_prediction p;
  const mfft_box box = {{0, 0, 0}, {1, 1, 1}, {0, 1, 2}};
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  desc.n[0] = desc.n[1] = desc.n[2] = 8;
  CHECK_FAILS(mfft_predict(&desc, NULL, &cluster, 4, &p), MFFT_ERR_ARG, "rank is 4");
  CHECK_FAILS(mfft_predict(&desc, NULL, &cluster, 0, NULL), MFFT_ERR_ARG, "prediction is NULL");
  CHECK_FAILS(mfft_predict(&desc, NULL, NULL, 0, &p), MFFT_ERR_ARG, "cluster is NULL");
  desc.in_box = &box;
  CHECK_FAILS(mfft_predict(&desc, NULL, &cluster, 0, &p), MFFT_ERR_UNSUPPORTED, "in_box");
  desc.in_box = NULL;
  options.grid[0] = 3;
  CHECK_FAILS(mfft_predict(&desc, &options, &cluster, 0, &p), MFFT_ERR_ARG, "3 x 0");
  options.grid[0] = 0;
  options.transport = "nccl";
  CHECK_FAILS(mfft_predict(&desc, &options, &cluster, 0, &p), MFFT_ERR_UNSUPPORTED, "device memory");
  cluster.nodes = 0;
  CHECK_FAILS(mfft_predict(&desc, NULL, &cluster, 0, &p), MFFT_ERR_ARG, "cluster.nodes is 0");
  cluster.nodes = 2;
  m.far_bandwidth = 0;
  CHECK_FAILS(mfft_predict(&desc, NULL, &cluster, 0, &p), MFFT_ERR_ARG, "far_bandwidth is 0");
  m.far_bandwidth = NAN;
  CHECK_FAILS(mfft_predict(&desc, NULL, &cluster, 0, &p), MFFT_ERR_ARG, "far_bandwidth is");
  m.far_bandwidth = 1;
  m.strided_count = 2;
  m.strided[0] = m.strided[1] = (mfft_machine_pass){8, 1};
  CHECK_FAILS(mfft_predict(&desc, NULL, &cluster, 0, &p), MFFT_ERR_ARG, "strided[1]");
  m.struct_size = 3;
  CHECK_FAILS(mfft_predict(&desc, NULL, &cluster, 0, &p), MFFT_ERR_ARG, "mfft_machine_init");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  same_programs();
  four_slabs();
  dealt_ranks();
  one_gpu();
  few_planes();
  refused();
  refused_in_place();
  MPI_Finalize();
  return test_end();
}
