// TEST ranks=1,2,3,4,6 labels=dist
// TEST ranks=1,2,3,4,8 labels=dist+cuda timeout=300 args=cuda
// TEST ranks=3 labels=emulated+nightly timeout=300 args=cuda
/* Transport p2p-store: the last pass before an exchange stores into the windows of peers.  The programs do so if it can, and
 * copy otherwise; spectra and round trips are those of p2p, bit by bit on a GPU, whose kernels are the same, and those of
 * p2p with streams of each transfer's own, and with one pair of streams for all. */
#include <mpi.h>

#include "check.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"

static int on_gpu;

/* A plan of a transport and its text; NULL if it cannot be made. */
static mfft_plan make(mfft_desc d, mfft_options options, const char *transport, char **text) {
  mfft_plan plan = NULL;
  size_t needed = 0;
  options.transport = transport;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  if (!plan) return NULL;
  CHECK_OK(mfft_plan_describe(plan, NULL, 0, &needed));
  *text = malloc(needed);
  CHECK_OK(mfft_plan_describe(plan, *text, needed, NULL));
  return plan;
}

static int occurrences(const char *text, const char *word) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, word)); at++) count++;
  return count;
}

/* The value of real i of an array, as the precision stores it. */
static void fill(mfft_precision p, void *array, size_t bytes, uint64_t seed) {
  if (p == MFFT_DOUBLE)
    for (size_t i = 0; i < bytes / 8; i++) ((double *)array)[i] = test_random(&seed);
  else if (p == MFFT_SINGLE)
    for (size_t i = 0; i < bytes / 4; i++) ((float *)array)[i] = (float)test_random(&seed);
  else
    for (size_t i = 0; i < bytes / 2; i++) ((uint16_t *)array)[i] = (uint16_t)(0x3800 + (seed = seed * 75 + 74) % 1024);
}

static double distance(mfft_precision p, const void *x, const void *y, size_t bytes) {
  double off = 0, size = 0;
  for (size_t i = 0; i < bytes / (p == MFFT_DOUBLE ? 8 : 4); i++) {
    const double a = p == MFFT_DOUBLE ? ((const double *)x)[i] : (double)((const float *)x)[i];
    const double b = p == MFFT_DOUBLE ? ((const double *)y)[i] : (double)((const float *)y)[i];
    off += (a - b) * (a - b);
    size += b * b;
  }
  return size > 0 ? sqrt(off / size) : off;
}

/* Bytes of this rank's boxes; arrays may have to be larger. */
static size_t box_bytes(mfft_plan plan, const mfft_desc *d, int side) {
  mfft_box box;
  size_t count = (size_t)d->batch * (d->kind == MFFT_R2C && side == MFFT_IN ? 1 : 2);
  CHECK_OK(mfft_plan_box(plan, (mfft_side)side, &box));
  for (int axis = 0; axis < 3; axis++) count *= box.hi[axis] > box.lo[axis] ? (size_t)(box.hi[axis] - box.lo[axis]) : 0;
  return count * (d->precision == MFFT_DOUBLE ? 8 : d->precision == MFFT_SINGLE ? 4 : 2);
}

/* Runs both directions twice; the spectrum and the result of the second round trip are stored in result[side]. */
static void run(mfft_plan plan, const mfft_desc *d, void *result[2], size_t bytes[2], int rank) {
  void *array[2];
  size_t most = 0;
  for (int side = 0; side < 2; side++) {
    size_t size;
    bytes[side] = box_bytes(plan, d, side);
    CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &size));
    if (size > most) most = size;
  }
  const mfft_memory where = on_gpu ? MFFT_MEMORY_DEVICE : MFFT_MEMORY_HOST;
  mfft_memory memory;
  CHECK_OK(mfft_plan_memory(plan, &memory));
  CHECK(memory == where, "memory %d", (int)memory);
  const char *backend = on_gpu ? "cuda" : "fftw";
  for (int side = 0; side < 2; side++) {
    result[side] = calloc(1, most + 64);
    CHECK_OK(mfft_memory_alloc(backend, most + 64, &array[side]));
  }
  if (d->placement == MFFT_IN_PLACE) mfft_memory_free(backend, array[1]), array[1] = array[0];
  for (int time = 0; time < 2; time++) {
    fill(d->precision, result[0], bytes[0], 7 + (uint64_t)rank);
    CHECK_OK(mfft_memory_upload(backend, array[0], result[0], bytes[0]));
    CHECK_OK(mfft_execute(plan, MFFT_FORWARD, array[0], array[1]));
    CHECK_OK(mfft_plan_synchronize(plan));
    CHECK_OK(mfft_memory_download(backend, result[1], array[1], bytes[1]));
    CHECK_OK(mfft_execute(plan, MFFT_BACKWARD, array[1], array[0]));
    CHECK_OK(mfft_plan_synchronize(plan));
    CHECK_OK(mfft_memory_download(backend, result[0], array[0], bytes[0]));
  }
  if (d->placement == MFFT_OUT_OF_PLACE) mfft_memory_free(backend, array[1]);
  mfft_memory_free(backend, array[0]);
}

/* The share of the last chunk in what the chunks of the first exchange of a program send. */
static double last_part(const char *text, int chunks) {
  double sum = 0, bytes = 0;
  for (int c = 0; c < chunks; c++) {
    char label[32];
    snprintf(label, sizeof label, "start %d/%d", c, chunks);
    const char *at = strstr(text, label);
    CHECK(at && sscanf(at + strlen(label), " %*s -> %*s %lf bytes", &bytes) == 1, "%s: %s", label, text);
    sum += bytes;
  }
  return bytes / sum;
}

/* The chunks that a plan reports are those of its programs. */
static void check_chunks(mfft_plan plan, const char *text) {
  const char *name;
  int chunks = -1;
  char label[32];
  CHECK_OK(mfft_plan_transport(plan, &name, &chunks));
  snprintf(label, sizeof label, " %d/%d", chunks - 1, chunks);
  CHECK(chunks == 0 || strstr(text, label), "%d chunks, but there is no%s in\n%s", chunks, label, text);
}

/* stored: how many exchanges of both directions are stored by a transform. */
static void compare(mfft_desc d, mfft_options options, int stored, int rank, int ranks, const char *name) {
  static const char *const transport[] = {"p2p", "p2p-store", "p2p"};
  const int runs = on_gpu ? 3 : 2; /* the third has copies of all transfers on one pair of streams */
  void *result[3][2];
  size_t bytes[3][2];
  char *text[3] = {NULL, NULL, NULL};
  for (int t = 0; t < runs; t++) {
    setenv("MFFT_COPY_LANES", t == 2 ? "1" : "0", 1);
    mfft_plan plan = make(d, options, transport[t], &text[t]);
    if (plan) check_chunks(plan, text[t]);
    if (plan) run(plan, &d, result[t], bytes[t], rank);
    mfft_plan_destroy(plan);
  }
  const int empty = bytes[1][MFFT_IN] == 0 || bytes[1][MFFT_OUT] == 0;
  const int opens = occurrences(text[1], "open 0/");
  CHECK(occurrences(text[0], "OPEN") == 0, "%s", text[0]);
  CHECK((opens == stored || stored < 0) && (!opens || empty || strstr(text[1], "-> windows")), "%s: %d of %d\n%s", name,
        opens, stored, text[1]);
  /* On a GPU p2p stores at least the data that stays on its rank: if it is stored into an array other than the input. */
  const int self_stores = occurrences(text[0], " and "),
            roomy = d.placement == MFFT_OUT_OF_PLACE && d.n[0] >= 4 && d.n[1] >= 4;
  if (on_gpu && stored == 2 && !empty && roomy)
    CHECK(self_stores >= 2, "%s: %d exchanges store what stays\n%s", name, self_stores, text[0]);
  /* Divided along two axes, the last chunk is the last slice after the early part. */
  if (on_gpu && stored == 2 && options.chunks == 3) {
    const double rest = last_part(text[0], 3), slice = 1.0 / (double)(d.n[0] / ranks); /* slices are whole planes */
    CHECK(rest > 0.3 - fmax(0.06, slice) && rest < 0.3 + fmax(0.06, slice), "%s: the last chunk is %g of the exchange\n%s",
          name, rest, text[0]);
  }
  if (on_gpu && stored == 2 && d.precision >= MFFT_HALF) { /* in 16 bits one axis is, in two equal slices */
    const double second = last_part(text[0], 2);
    CHECK(second > 0.45 && second < 0.55, "%s: the second chunk is %g of the exchange\n%s", name, second, text[0]);
  }
  if (!on_gpu || !stored || d.placement == MFFT_IN_PLACE)
    CHECK(self_stores == 0, "%s: %d exchanges store what stays\n%s", name, self_stores, text[0]);
  for (int side = 0; side < 2 && runs == 3; side++)
    CHECK(memcmp(result[0][side], result[2][side], bytes[0][side]) == 0, "%s: side %d differs on one queue", name, side);
  for (int side = 0; side < 2; side++) {
    CHECK(bytes[0][side] == bytes[1][side], "%s: %zu and %zu bytes", name, bytes[0][side], bytes[1][side]);
    const int same = memcmp(result[0][side], result[1][side], bytes[0][side]) == 0;
    const double bound = d.precision == MFFT_DOUBLE ? 1e-15 : 5e-7;
    CHECK(same || (!on_gpu && distance(d.precision, result[1][side], result[0][side], bytes[0][side]) < bound),
          "%s: side %d differs", name, side);
    for (int t = 0; t < runs; t++) free(result[t][side]);
  }
  for (int t = 0; t < runs; t++) free(text[t]);
}

/* 1.5 GiB of each rank in chunks of 128 MiB, as many as the default takes if two axes are divided. */
static void most_chunks(int ranks) {
  char *text = NULL;
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = 192 * ranks, d.n[1] = d.n[2] = 1024;
  d.order = MFFT_ORDER_TRANSPOSED, d.precision = MFFT_SINGLE, options.effort = MFFT_ESTIMATE, options.backend = "cuda";
  options.grid[0] = ranks, options.grid[1] = 1;
  mfft_plan plan = make(d, options, "p2p", &text);
  CHECK(plan && strstr(text, "start 11/12"), "%s", plan ? text : "no plan");
  mfft_plan_destroy(plan);
  free(text);
}

int main(int argc, char **argv) {
  int rank, ranks;
  char why[256] = "";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  on_gpu = argc > 1 && strcmp(argv[1], "cuda") == 0;
  if (on_gpu && !mfft_backend_usable("cuda", why, sizeof why)) {
    printf("skipped: %s\n", why);
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  static const struct {
    mfft_kind kind;
    mfft_order order;
    mfft_placement placement;
    int64_t n[3];
    mfft_precision precision;
    int64_t batch;
    int chunks, slabs, stored; /* stored: with several ranks; -1: of pencils, as many as possible */
  } cases[] = {
      {MFFT_C2C, MFFT_ORDER_TRANSPOSED, MFFT_OUT_OF_PLACE, {64, 64, 20}, MFFT_DOUBLE, 1, 3, 1, 2},
      {MFFT_C2C, MFFT_ORDER_TRANSPOSED, MFFT_OUT_OF_PLACE, {16, 32, 24}, MFFT_SINGLE, 1, 0, 1, 2},
      {MFFT_C2C, MFFT_ORDER_TRANSPOSED, MFFT_IN_PLACE, {12, 14, 40}, MFFT_SINGLE, 2, 1, 1, 2},
      {MFFT_C2C, MFFT_ORDER_NATURAL, MFFT_OUT_OF_PLACE, {9, 22, 16}, MFFT_DOUBLE, 3, 2, 1, 1},
      {MFFT_R2C, MFFT_ORDER_TRANSPOSED, MFFT_OUT_OF_PLACE, {20, 15, 26}, MFFT_SINGLE, 1, 0, 1, 2},
      {MFFT_C2C, MFFT_ORDER_TRANSPOSED, MFFT_OUT_OF_PLACE, {5, 3, 64}, MFFT_SINGLE, 2, 0, 1, 2},
      {MFFT_C2C, MFFT_ORDER_TRANSPOSED, MFFT_OUT_OF_PLACE, {8, 9, 10}, MFFT_DOUBLE, 1, 0, 0, -1},
      {MFFT_R2C, MFFT_ORDER_NATURAL, MFFT_OUT_OF_PLACE, {8, 12, 30}, MFFT_SINGLE, 1, 0, 0, -1},
      {MFFT_C2C, MFFT_ORDER_TRANSPOSED, MFFT_OUT_OF_PLACE, {64, 64, 24}, MFFT_HALF, 1, 2, 1, 2},
      {MFFT_C2C, MFFT_ORDER_TRANSPOSED, MFFT_OUT_OF_PLACE, {64, 128, 6}, MFFT_BFLOAT16, 1, 2, 1, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char name[96];
    mfft_desc d;
    mfft_options options;
    if (!on_gpu && cases[i].precision >= MFFT_HALF) continue; /* computed in single: same as before */
    if (test_small() && i % 4 != 0) continue;
    mfft_desc_init(&d);
    mfft_options_init(&options);
    d.kind = cases[i].kind;
    d.order = cases[i].order;
    d.placement = cases[i].placement;
    memcpy(d.n, cases[i].n, sizeof d.n);
    d.precision = cases[i].precision;
    d.batch = cases[i].batch;
    options.chunks = cases[i].chunks;
    options.effort = MFFT_ESTIMATE;
    options.backend = on_gpu ? "cuda" : "fftw";
    d.scale[MFFT_FORWARD] = d.scale[MFFT_BACKWARD] = MFFT_SCALE_SQRT;
    if (cases[i].slabs) options.grid[0] = ranks, options.grid[1] = 1;
    if (!cases[i].slabs && ranks % 2 == 0) options.grid[0] = 2, options.grid[1] = ranks / 2;
    snprintf(name, sizeof name, "case %zu on %d ranks", i, ranks);
    compare(d, options, ranks > 1 ? cases[i].stored : 0, rank, ranks, name);
  }
  if (on_gpu && ranks > 1 && !test_small()) most_chunks(ranks);
  MPI_Finalize();
  return test_end();
}
