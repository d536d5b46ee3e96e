// TEST ranks=1,3 labels=dist needs=long-double args=pairwise,p2p,alltoallv,p2p-store
// TEST ranks=4 labels=dist needs=long-double args=--node-ranks,2,hierarchical,pairwise,p2p,alltoallv
/* Distributed plans in long double against FFTW's transform of the whole array in long double: complex and real ones,
 * cosines and sines beside them, one dimension, given points, orders, placements, batches, scales, filters that are not set,
 * boxes of the caller, half the width on the wire, and each transport that is named. */
#define DIST_LONG_DOUBLE
#include "dist.h"
#include "mfft_inspect.h"
#include "mfft_particles.h"
#include "mfft_predict.h"

static const struct {
  mfft_kind kind;
  int rank;
  int64_t n[3], given[3];
  unsigned axes;
  mfft_axis_kind axis[3];
} cases[] = {
    {MFFT_C2C, 3, {7, 6, 9}, {0}, 0, {0}},
    {MFFT_C2C, 3, {20, 21, 22}, {0}, 0, {0}},
    {MFFT_C2C, 3, {5, 1, 3}, {0}, 5, {0}},
    {MFFT_R2C, 3, {12, 11, 14}, {0}, 0, {0}},
    {MFFT_R2C, 3, {2, 17, 9}, {0}, 6, {0}},
    {MFFT_R2C, 3, {8, 12, 10}, {4, 6, 5}, 0, {0}},
    {MFFT_C2C, 2, {13, 31, 1}, {0}, 0, {0}},
    {MFFT_R2C, 2, {32, 10, 1}, {0}, 0, {0}},
    {MFFT_C2C, 1, {60, 1, 1}, {0}, 0, {0}},
    {MFFT_C2C, 1, {1024, 1, 1}, {0}, 0, {0}},
    {MFFT_R2R, 3, {8, 5, 6}, {4, 2, 6}, 0, {MFFT_DCT2, MFFT_DST2, MFFT_DCT4}},
    {MFFT_R2R, 3, {7, 6, 9}, {0}, 0, {MFFT_DCT1, MFFT_DST1, MFFT_DCT3}},
    {MFFT_R2R, 2, {11, 20, 1}, {0}, 0, {MFFT_DST3, MFFT_DST4}},
    {MFFT_R2C, 3, {6, 10, 8}, {0}, 0, {MFFT_DFT, MFFT_DST2, MFFT_DFT}},
    {MFFT_C2C, 3, {5, 6, 7}, {0}, 0, {MFFT_DST1, MFFT_DFT, MFFT_DCT2}},
};
enum { CASES = sizeof cases / sizeof *cases };

static const char *transport[4]; /* [transports] */
static int transports;

static mfft_desc describe(size_t c, int variant, mfft_options *options) {
  mfft_desc d;
  mfft_desc_init(&d);
  mfft_options_init(options);
  d.rank = cases[c].rank, d.kind = cases[c].kind, d.axes = cases[c].axes, d.precision = MFFT_LONG_DOUBLE;
  memcpy(d.n, cases[c].n, sizeof d.n);
  memcpy(d.given, cases[c].given, sizeof d.given);
  memcpy(d.axis_kind, cases[c].axis, sizeof d.axis_kind);
  const int grows = d.kind == MFFT_R2C && dist_half_axis(&d) != d.rank - 1; /* such arrays have no space in place */
  d.placement = variant & 1 && !grows ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  dist_set_order(&d, variant & 2 ? MFFT_ORDER_TRANSPOSED : MFFT_ORDER_NATURAL);
  d.batch = 1 + ((int)c + variant) % 2;
  d.allow_destroy_input = variant == 4;
  d.scale[MFFT_FORWARD] = (mfft_scale)(variant % 3);
  d.scale[MFFT_BACKWARD] = (mfft_scale)((variant + 1) % 3);
  d.filtered = variant == 2 && !d.scrambled ? 2 : 0; /* a filter that is not set: 1 everywhere */
  options->effort = MFFT_ESTIMATE;
  options->transport = transport[((int)c + variant) % transports];
  options->chunks = variant % 4;
  options->reproducible = variant == 3 && d.rank > 1;
  options->wire = variant == 5 ? MFFT_WIRE_HALF : MFFT_WIRE_FULL;
  return d;
}

/* Values of 64 bits, as on the wire at half the width, are as far off as the error that tuning assumes, not farther: and no
 * nearer, or the wire would be as wide. */
static void check_wire(void) {
  enum { N = 16 };
  int ranks;
  double error[2] = {0, 0}; /* [half] */
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int half = 0; half < 2; half++) {
    mfft_options options;
    mfft_plan plan = NULL;
    mfft_desc d = describe(0, 0, &options);
    size_t bytes[2];
    int64_t count;
    d.n[0] = d.n[1] = d.n[2] = N, d.batch = 1, d.scale[0] = d.scale[1] = MFFT_SCALE_SQRT;
    options.wire = half ? MFFT_WIRE_HALF : MFFT_WIRE_FULL;
    options.transport = transport[transports - 1];
    CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
    CHECK_OK(mfft_plan_bytes(plan, MFFT_IN, &bytes[0]));
    CHECK_OK(mfft_plan_bytes(plan, MFFT_OUT, &bytes[1]));
    CHECK_OK(mfft_plan_count(plan, MFFT_IN, &count));
    long double *x = malloc(bytes[0] + 1), *y = malloc(bytes[1] + 1);
    dist_sum sum = {0, 0};
    for (int64_t i = 0; i < 2 * count; i++) x[i] = dist_value(i);
    CHECK_OK(mfft_execute(plan, MFFT_FORWARD, x, y));
    CHECK_OK(mfft_execute(plan, MFFT_BACKWARD, y, x));
    for (int64_t i = 0; i < 2 * count; i++) {
      const long double want = dist_value(i);
      sum.error += (x[i] - want) * (x[i] - want), sum.truth += want * want;
    }
    error[half] = dist_relative(MPI_COMM_WORLD, sum);
    free(x), free(y), mfft_plan_destroy(plan);
  }
  if (ranks > 1)
    CHECK(error[0] < 3e-18 && error[1] > 1e-17 && error[1] < 2 * mfft_wire_error(MFFT_LONG_DOUBLE),
          "there and back at full width: %.3g; at half: %.3g", error[0], error[1]);
}

/* Particles need another precision. */
static void check_refused(void) {
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_particle_mesh mesh = NULL;
  mfft_particle_mesh_desc m;
  mfft_desc d = describe(3, 0, &options);
  d.batch = 1;
  mfft_particle_mesh_desc_init(&m);
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  CHECK_FAILS(mfft_particle_mesh_create(plan, &m, &mesh), MFFT_ERR_UNSUPPORTED, "the plan is in long-double");
  mfft_plan_destroy(plan);
}

/* Of a machine with GPUs nothing is predicted; of one of CPUs more bytes and more time than in double. */
static void check_prediction(void) {
  mfft_machine machine;
  const mfft_cluster cluster = {.machine = &machine, .nodes = 2, .node_ranks = 2};
  mfft_prediction p[2]; /* [long] */
  mfft_options options;
  mfft_desc d = describe(1, 0, &options);
  options.transport = NULL;
  mfft_machine_init(&machine);
  machine.memory_bandwidth = machine.near_bandwidth = machine.far_bandwidth = 1e10;
  machine.flops[0] = machine.flops[1] = 1e10;
  CHECK_FAILS(mfft_predict(&d, &options, &cluster, 0, &p[0]), MFFT_ERR_UNSUPPORTED, "GPUs have no such arithmetic");
  machine.host_memory = 1;
  CHECK_OK(mfft_predict(&d, &options, &cluster, 0, &p[1]));
  d.precision = MFFT_DOUBLE;
  CHECK_OK(mfft_predict(&d, &options, &cluster, 0, &p[0]));
  CHECK(p[1].array_bytes[0] * 8 == p[0].array_bytes[0] * (int64_t)sizeof(long double) &&
            p[1].direction[0].transforms_s > 2 * p[0].direction[0].transforms_s,
        "%lld bytes in %.3g s; in double %lld in %.3g s", (long long)p[1].array_bytes[0], p[1].direction[0].transforms_s,
        (long long)p[0].array_bytes[0], p[0].direction[0].transforms_s);
}

int main(int argc, char **argv) {
  for (int a = 1; a < argc; a++)
    if (strcmp(argv[a], "--node-ranks") == 0)
      setenv("MFFT_NODE_RANKS", argv[++a], 1);
    else if (transports < 4)
      transport[transports++] = argv[a];
  if (!transports) return 2;
  MPI_Init(&argc, &argv);
  for (size_t c = 0; c < CASES; c++) {
    for (int variant = 0; variant < 6; variant++) {
      mfft_options options;
      char name[64];
      const mfft_desc d = describe(c, variant, &options);
      snprintf(name, sizeof name, "case %zu, variant %d by %s", c, variant, options.transport);
      dist_check(MPI_COMM_WORLD, &d, &options, name);
      snprintf(name, sizeof name, "case %zu in boxes", c);
      if (variant == 0 && d.rank == 3) dist_check_boxes(MPI_COMM_WORLD, &d, &options, name);
    }
  }
  check_wire();
  check_refused();
  check_prediction();
  MPI_Finalize();
  return test_end();
}
