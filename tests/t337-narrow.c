// TEST ranks=2,4 labels=dist+cuda args=cuda
// TEST ranks=4 labels=dist+emulated+nightly args=cuda
/* Half the width on the wire without additional sweeps: the last pass before an exchange converts to half the width, the
 * first after it converts back, if transforms stand on both sides; otherwise stages do.  Each element has an exponent of its
 * own, so a power of two changes no other bit, and NaN and infinity are preserved. */
#include "dist.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

static mfft_desc describe(mfft_precision precision, mfft_kind kind, mfft_order order, mfft_options *options) {
  mfft_desc d;
  mfft_desc_init(&d);
  mfft_options_init(options);
  d.n[0] = 16, d.n[1] = 24, d.n[2] = 20;
  d.precision = precision;
  d.kind = kind;
  d.order = order;
  options->backend = "cuda";
  options->transport = "p2p";
  options->wire = MFFT_WIRE_HALF;
  options->effort = MFFT_ESTIMATE;
  return d;
}

/* The number of stages of a plan whose lines contain a word. */
static int count(mfft_plan plan, const char *word) {
  char text[32768] = "";
  int found = 0;
  CHECK_OK(mfft_plan_describe(plan, text, sizeof text, NULL));
  for (const char *at = text; (at = strstr(at, word)); at++) found++;
  return found;
}

/* Plans have no stage that converts messages, and the accuracy of half the width; `narrow`: otherwise they have some. */
static void stages(const mfft_desc *d, const mfft_options *options, int narrow, const char *name) {
  mfft_plan plan = NULL;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, d, options, &plan));
  if (!plan) return;
  const int converts = count(plan, "CONVERT"), fused = count(plan, "of half the width");
  CHECK(narrow ? !converts && fused : converts > 0, "%s: %d stages that convert, %d transforms that do", name, converts,
        fused);
  mfft_plan_destroy(plan);
  dist_check(MPI_COMM_WORLD, d, options, name);
}

/* Two arrays of a batch that differ by 2^`power`, and a NaN in a third. */
static void exponents(int power) {
  enum { ARRAYS = 3 };
  mfft_options options;
  mfft_desc d = describe(MFFT_SINGLE, MFFT_C2C, MFFT_ORDER_TRANSPOSED, &options);
  mfft_plan plan = NULL;
  d.batch = ARRAYS;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  if (!plan) return;
  float *host[2];   /* [side][batch][reals] */
  void *device[2];  /* [side] */
  size_t bytes[2];  /* [side] */
  int64_t reals[2]; /* [side] of one array */
  mfft_box box[2];
  for (int side = 0; side < 2; side++) {
    CHECK_OK(mfft_plan_box(plan, (mfft_side)side, &box[side]));
    CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &bytes[side]));
    CHECK_OK(mfft_memory_alloc(options.backend, bytes[side], &device[side]));
    host[side] = calloc(1, bytes[side]);
    reals[side] = 2 * dist_count(&box[side]);
  }
  uint64_t state = 3;
  for (int64_t i = 0; i < reals[0]; i++) {
    host[0][i] = (float)test_random(&state);
    host[0][reals[0] + i] = ldexpf(host[0][i], power);
    host[0][2 * reals[0] + i] = i ? host[0][i] : NAN;
  }
  CHECK_OK(mfft_memory_upload(options.backend, device[0], host[0], bytes[0]));
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, device[0], device[1]));
  CHECK_OK(mfft_plan_synchronize(plan));
  CHECK_OK(mfft_memory_download(options.backend, host[1], device[1], bytes[1]));
  int64_t differ = 0, numbers = 0;
  for (int64_t i = 0; i < reals[1]; i++) {
    differ += host[1][reals[1] + i] != ldexpf(host[1][i], power);
    numbers += host[1][2 * reals[1] + i] == host[1][2 * reals[1] + i];
  }
  CHECK(!differ, "2^%d changes %lld of %lld numbers", power, (long long)differ, (long long)reals[1]);
  CHECK(!numbers, "%lld of %lld numbers are finite in spite of a NaN", (long long)numbers, (long long)reals[1]);
  for (int side = 0; side < 2; side++) {
    CHECK_OK(mfft_memory_free(options.backend, device[side]));
    free(host[side]);
  }
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int usable = mfft_backend_usable("cuda", NULL, 0);
  for (int p = 0; usable && p < (test_small() ? 1 : 2); p++) {
    const mfft_precision precision = p ? MFFT_DOUBLE : MFFT_SINGLE;
    mfft_options options;
    mfft_desc d = describe(precision, MFFT_C2C, MFFT_ORDER_TRANSPOSED, &options);
    stages(&d, &options, 1, "slabs");
    options.chunks = 3, options.overlap_split = -1;
    stages(&d, &options, 1, "slabs in chunks along one axis");
    d.placement = MFFT_IN_PLACE, options.overlap_split = 0, d.batch = 2;
    stages(&d, &options, 1, "slabs in place");
    d = describe(precision, MFFT_R2C, MFFT_ORDER_TRANSPOSED, &options);
    stages(&d, &options, 1, "real slabs");
    d.placement = MFFT_IN_PLACE;
    stages(&d, &options, 0, "real slabs in place, which have no buffer between their passes");
    d = describe(precision, MFFT_C2C, MFFT_ORDER_NATURAL, &options);
    stages(&d, &options, 1, "slabs in natural order");
    options.chunks = 3, d.batch = 2;
    stages(&d, &options, 1, "slabs in natural order, in chunks");
    d.placement = MFFT_IN_PLACE;
    stages(&d, &options, 1, "slabs in natural order, in place");
    d = describe(precision, MFFT_R2C, MFFT_ORDER_NATURAL, &options);
    stages(&d, &options, 1, "real slabs in natural order");
    d = describe(precision, MFFT_C2C, MFFT_ORDER_TRANSPOSED, &options);
    mfft_box slab = {{0, 0, d.n[2] * rank / ranks}, {d.n[0], d.n[1], d.n[2] * (rank + 1) / ranks}, {0, 1, 2}};
    d.in_box = &slab;
    stages(&d, &options, 1, "slabs of the last axis");
    if (ranks < 4) continue;
    d = describe(precision, MFFT_C2C, MFFT_ORDER_TRANSPOSED, &options);
    options.grid[0] = options.grid[1] = 2;
    stages(&d, &options, 1, "pencils");
    d.kind = MFFT_R2C, options.chunks = 2;
    stages(&d, &options, 1, "real pencils");
  }
  if (usable) {
    exponents(-90);
    exponents(90);
  }
  MPI_Finalize();
  return usable ? test_end() : TEST_SKIPPED;
}
