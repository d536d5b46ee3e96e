// TEST ranks=2 labels=cuda+dist timeout=300 args=--n,64
/* Distributed transforms on GPUs, timed: one line a variant.
 *
 *     mpirun -n 8 t891-dist-bench --n 1024 --precision single --order transposed --kind c2c --transport p2p --chunks 0,4,8
 *
 * A run is --pair forward and backward, else forward alone; times are medians of the slowest rank over seven rounds of
 * several runs in a row.  GB/s is what leaves a GPU over the whole time. */
#include <mpi.h>

#include "check.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"

static const char *option(int argc, char **argv, const char *name, const char *fallback) {
  for (int a = 1; a + 1 < argc; a++)
    if (strcmp(argv[a], name) == 0) return argv[a + 1];
  return fallback;
}

static int flag(int argc, char **argv, const char *name) {
  for (int a = 1; a < argc; a++)
    if (strcmp(argv[a], name) == 0) return 1;
  return 0;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Random numbers of the precision, one block repeated. */
static void fill(const char *backend, void *device, size_t bytes, mfft_precision precision) {
  enum { BLOCK = 1 << 24 };
  static uint64_t block[BLOCK / 8];
  uint64_t state = 7;
  for (int i = 0; i < BLOCK / 8; i++) {
    double x = test_random(&state), y = test_random(&state);
    float pair[2] = {(float)x, (float)y};
    if (precision == MFFT_DOUBLE)
      memcpy(&block[i], &x, 8);
    else if (precision == MFFT_SINGLE)
      memcpy(&block[i], pair, 8);
    else
      block[i] = UINT64_C(0x3000b000b4003400); /* small numbers in 16 bits */
  }
  for (size_t at = 0; at < bytes; at += BLOCK)
    CHECK_OK(mfft_memory_upload(backend, (char *)device + at, block, bytes - at < BLOCK ? bytes - at : BLOCK));
}

static void measure(const mfft_desc *d, const mfft_options *options, int pair, const char *what) {
  mfft_plan plan = NULL;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double begin = MPI_Wtime();
  mfft_status made = mfft_plan_create_mpi(MPI_COMM_WORLD, d, options, &plan);
  double planning = MPI_Wtime() - begin;
  if (made != MFFT_SUCCESS) {
    if (rank == 0) printf("%s: %s\n", what, mfft_last_error());
    return;
  }
  size_t bytes[2], workspace;
  void *array[2];
  const char *backend;
  CHECK_OK(mfft_plan_backend(plan, &backend));
  CHECK_OK(mfft_plan_workspace_bytes(plan, &workspace));
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &bytes[side]));
  if (d->placement == MFFT_IN_PLACE && bytes[1] > bytes[0]) bytes[0] = bytes[1];
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_memory_alloc(backend, bytes[side] + 64, &array[side]));
  void *there = array[d->placement == MFFT_IN_PLACE ? 0 : 1];
  fill(backend, array[0], bytes[0], d->precision);
  enum { ROUNDS = 7 };
  double time[ROUNDS];
  int runs = 4;
  for (int round = -1; round < ROUNDS; round++) {
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    for (int i = 0; i < runs; i++) {
      CHECK_OK(mfft_execute(plan, MFFT_FORWARD, array[0], there));
      if (pair) CHECK_OK(mfft_execute(plan, MFFT_BACKWARD, there, array[0]));
    }
    CHECK_OK(mfft_plan_synchronize(plan));
    double spent = (MPI_Wtime() - begin) / runs;
    MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (round >= 0) time[round] = spent;
  }
  qsort(time, ROUNDS, sizeof time[0], ascending);
  mfft_timing timing;
  const char *transport;
  int chunks, grid[2];
  CHECK_OK(mfft_plan_timing(plan, &timing));
  CHECK_OK(mfft_plan_transport(plan, &transport, &chunks));
  CHECK_OK(mfft_plan_grid(plan, grid));
  double sent = (double)timing.sent_bytes / (double)((ROUNDS + 1) * runs);
  if (rank == 0)
    printf("%-40s %s grid %dx%d: %8.3f ms (least %.3f), %.1f GB/s out, plan %.2f s, workspace %.2f GiB\n", what, transport,
           grid[0], grid[1], 1e3 * time[ROUNDS / 2], 1e3 * time[0], sent / time[ROUNDS / 2] / 1e9, planning,
           (double)workspace / (1 << 30));
  if (rank == 0 && getenv("T891_DESCRIBE")) {
    char text[8192];
    if (mfft_plan_describe(plan, text, sizeof text, NULL) == MFFT_SUCCESS) printf("%s", text);
  }
  fflush(stdout);
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_memory_free(backend, array[side]));
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *backend = option(argc, argv, "--backend", "cuda");
  char why[256] = "";
  if (!mfft_backend_usable(backend, why, sizeof why)) {
    printf("skipped: %s\n", why);
    MPI_Finalize();
    return 77;
  }
  static const char *const precisions[] = {"double", "single", "half", "bfloat16"};
  char splits[64], chunks[64], transports[128];
  snprintf(transports, sizeof transports, "%s", option(argc, argv, "--transport", "p2p"));
  for (char *t_save, *t = strtok_r(transports, ",", &t_save); t; t = strtok_r(NULL, ",", &t_save)) {
    snprintf(chunks, sizeof chunks, "%s", option(argc, argv, "--chunks", "0"));
    for (char *c_save, *c = strtok_r(chunks, ",", &c_save); c; c = strtok_r(NULL, ",", &c_save)) {
      snprintf(splits, sizeof splits, "%s", option(argc, argv, "--overlap-split", "0"));
      for (char *f_save, *f = strtok_r(splits, ",", &f_save); f; f = strtok_r(NULL, ",", &f_save)) {
        mfft_desc d;
        mfft_options options;
        mfft_desc_init(&d);
        mfft_options_init(&options);
        options.backend = backend;
        options.effort = MFFT_ESTIMATE; /* what the rules make, untimed */
        d.n[0] = d.n[1] = d.n[2] = atoll(option(argc, argv, "--n", "256"));
        for (int p = 0; p < 4; p++)
          if (strcmp(option(argc, argv, "--precision", "single"), precisions[p]) == 0) d.precision = (mfft_precision)p;
        d.order =
            strcmp(option(argc, argv, "--order", "transposed"), "natural") ? MFFT_ORDER_TRANSPOSED : MFFT_ORDER_NATURAL;
        d.kind = strcmp(option(argc, argv, "--kind", "c2c"), "r2c") ? MFFT_C2C : MFFT_R2C;
        if (strcmp(option(argc, argv, "--placement", "out"), "in") == 0) d.placement = MFFT_IN_PLACE;
        d.allow_destroy_input = flag(argc, argv, "--destroy");
        d.scale[0] = d.scale[1] = MFFT_SCALE_SQRT;
        options.transport = t;
        options.chunks = atoi(c);
        options.overlap_split = atoi(f);
        options.wire = flag(argc, argv, "--wire") ? MFFT_WIRE_HALF : MFFT_WIRE_FULL;
        options.grid[0] = atoi(option(argc, argv, "--p", "0"));
        char what[128];
        snprintf(what, sizeof what, "%lld^3 %s %s %s%s chunks %s overlap split %s", (long long)d.n[0],
                 precisions[d.precision], d.kind ? "r2c" : "c2c", d.order ? "transposed" : "natural",
                 d.placement ? " in place" : "", c, f);
        measure(&d, &options, flag(argc, argv, "--pair"), what);
      }
    }
  }
  MPI_Finalize();
  return test_end();
}
