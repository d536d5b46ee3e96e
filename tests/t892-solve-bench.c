// TEST ranks=1,2 labels=cuda+dist timeout=300 args=--n,64
/* A Poisson solve with three force components, data in memory of the plan: one forward transform and four filtered backward
 * ones, and the same five transforms without filters.
 *
 *     mpirun -n 8 t892-solve-bench --n 1024 --precision single --transport p2p --chunks 8
 *
 * Times are medians of the slowest rank over seven rounds. */
#include <mpi.h>

#include "check.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"
#include "mfft_spectrum.h"

enum { ROUNDS = 7, OUTPUTS = 4 };

static const char *option(int argc, char **argv, const char *name, const char *fallback) {
  for (int a = 1; a + 1 < argc; a++)
    if (strcmp(argv[a], name) == 0) return argv[a + 1];
  return fallback;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static mfft_plan make(const mfft_desc *given, unsigned filtered) {
  mfft_desc d = *given;
  mfft_plan plan = NULL;
  d.filtered = filtered;
  mfft_status made = mfft_plan_create_mpi(MPI_COMM_WORLD, &d, NULL, &plan);
  CHECK(made == MFFT_SUCCESS, "%s", mfft_last_error());
  return plan;
}

/* Green's function and its gradient along an axis; -1 is the potential. */
static void set_filter(mfft_plan plan, int axis, double *const table[2]) {
  mfft_filter f;
  mfft_filter_init(&f);
  for (int a = 0; a < 3; a++) f.divisor[a] = table[1];
  f.scale = axis < 0 ? -1 : 1;
  if (axis >= 0) f.factor[axis] = table[0];
  f.quarter_turns = axis >= 0;
  CHECK_OK(mfft_plan_set_filter(plan, MFFT_BACKWARD, &f));
}

/* Seconds of one forward and `outputs` backward transforms. */
static double measure(mfft_plan plan, void *const array[2], double *const table[2], int forward, int outputs) {
  double time[ROUNDS];
  for (int round = -1; round < ROUNDS; round++) {
    CHECK_OK(mfft_plan_synchronize(plan));
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    if (forward) CHECK_OK(mfft_execute(plan, MFFT_FORWARD, array[0], array[1]));
    for (int output = 0; output < outputs; output++) {
      if (table) set_filter(plan, output - 1, table);
      CHECK_OK(mfft_execute(plan, MFFT_BACKWARD, array[1], array[0]));
    }
    CHECK_OK(mfft_plan_synchronize(plan));
    double spent = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (round >= 0) time[round] = spent;
  }
  qsort(time, ROUNDS, sizeof time[0], ascending);
  return time[ROUNDS / 2];
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  options.backend = option(argc, argv, "--backend", "cuda");
  options.effort = MFFT_ESTIMATE; /* what the rules make, untimed */
  char why[256] = "";
  if (!mfft_backend_usable(options.backend, why, sizeof why)) {
    printf("skipped: %s\n", why);
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  int64_t n = atoll(option(argc, argv, "--n", "256"));
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static const char *const precisions[] = {"double", "single", "half"};
  for (int p = 0; p < 3; p++)
    if (strcmp(option(argc, argv, "--precision", "single"), precisions[p]) == 0) d.precision = (mfft_precision)p;
  for (int a = 0; a < 3; a++) d.n[a] = n;
  d.kind = MFFT_R2C;
  d.order = MFFT_ORDER_TRANSPOSED;
  options.transport = option(argc, argv, "--transport", NULL);
  options.chunks = atoi(option(argc, argv, "--chunks", "0"));
  d.scale[0] = d.scale[1] = MFFT_SCALE_SQRT;
  mfft_plan plain = make(&d, 0), filtered = make(&d, 1 << MFFT_BACKWARD);

  size_t bytes[2], workspace;
  void *array[2] = {NULL, NULL};
  double *table[2] = {malloc((size_t)n * sizeof(double)), malloc((size_t)n * sizeof(double))}; /* m, m^2 */
  for (int64_t k = 0; k < n; k++) {
    double m = (double)(2 * k > n ? k - n : k);
    table[0][k] = 2 * k == n ? 0 : m;
    table[1][k] = m * m;
  }
  for (int side = 0; side < 2; side++) {
    CHECK_OK(mfft_plan_bytes(filtered, (mfft_side)side, &bytes[side]));
    size_t other = 0;
    CHECK_OK(mfft_plan_bytes(plain, (mfft_side)side, &other));
    if (other > bytes[side]) bytes[side] = other;
    CHECK_OK(mfft_memory_alloc(options.backend, bytes[side] + 64, &array[side]));
  }
  enum { BLOCK = 1 << 20 };
  static float block[BLOCK]; /* a small pattern of numbers in any precision */
  for (int i = 0; i < BLOCK; i++) block[i] = (float)(1 + i % 7) / 4;
  for (size_t at = 0; at < bytes[0]; at += sizeof block)
    CHECK_OK(mfft_memory_upload(options.backend, (char *)array[0] + at, block,
                                bytes[0] - at < sizeof block ? bytes[0] - at : sizeof block));
  CHECK_OK(mfft_plan_workspace_bytes(filtered, &workspace));
  double forward = measure(plain, array, NULL, 1, 0), backward = measure(plain, array, NULL, 0, OUTPUTS);
  double all = measure(filtered, array, table, 1, OUTPUTS), outputs = measure(filtered, array, table, 0, OUTPUTS);
  if (rank == 0) {
    printf(
        "%lld^3 %s, %d ranks, transport %s: forward %.3f ms, four backward %.3f ms, filtered %.3f ms; solve %.3f ms, %.3f "
        "of "
        "its transforms; workspace %.2f GiB\n",
        (long long)n, precisions[d.precision], ranks, options.transport ? options.transport : "(best)", 1e3 * forward,
        1e3 * backward, 1e3 * outputs, 1e3 * all, all / (forward + backward), (double)workspace / (1 << 30));
    char text[8192];
    if (getenv("T892_DESCRIBE") && mfft_plan_describe(filtered, text, sizeof text, NULL) == MFFT_SUCCESS) printf("%s", text);
  }
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_memory_free(options.backend, array[side]));
  free(table[0]);
  free(table[1]);
  mfft_plan_destroy(plain);
  mfft_plan_destroy(filtered);
  MPI_Finalize();
  return test_end();
}
