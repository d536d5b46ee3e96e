// TEST labels=cuda timeout=900 args=--n,128
/* Deposit and gather on a GPU: particles a second, for particles sorted by tiles, in rows of cells, in no order, and in
 * clumps, one a cell, next to plain kernels that add floats by global atomics and read global memory, and to the CPU.
 *
 *   t898-particle-bench [--n 512] [--order 0 (all) or 1 to 4] [--repeat 5] [--only tiles|rows|random|clumps] [--threads 16]
 * [--plain 0]
 *
 * One line for each window and arrangement: 10^9 particles a second of the deposit of counts and of the gather of three
 * components, whole calls as a user makes them; milliseconds of their parts: the sort by tiles, the additions, the
 * conversion of the sums, the reading of three fields; then the plain kernels, and the CPU; then the additions without a
 * sort (kernels/particles/direct.cu).  "In place": the particles were in the sequence of the tiles, and no records were
 * made. The mesh is that of the CPU to the bit, or the program fails. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include <mpi.h>
#include <time.h>

#include "local/cuda/runtime/context.h"
#include "local/cuda/runtime/load.h"
#include "mfft_memory.h"
#include "particles/device.h"

/* The deposit of a simple code: one thread a particle, in floats, in the caller's sequence. */
static const char plain_text[] =
    "struct args { const float *x, *y, *z; float *mesh[3], *value[3]; unsigned long long *sums; unsigned count; int n; };\n"
    "__device__ __forceinline__ void shares(float d, float *w) {\n"
    "#if ORDER == 1\n"
    "  w[0] = 1;\n"
    "#elif ORDER == 2\n"
    "  w[0] = 1 - d; w[1] = d;\n"
    "#elif ORDER == 3\n"
    "  w[0] = 0.5f * (0.5f - d) * (0.5f - d); w[1] = 0.75f - d * d; w[2] = 0.5f * (0.5f + d) * (0.5f + d);\n"
    "#else\n"
    "  const float e = 1 - d;\n"
    "  w[0] = e * e * e / 6; w[1] = (4 - 6 * d * d + 3 * d * d * d) / 6;\n"
    "  w[2] = (4 - 6 * e * e + 3 * e * e * e) / 6; w[3] = d * d * d / 6;\n"
    "#endif\n"
    "}\n"
    "__device__ __forceinline__ void window(float g, int n, int *at, float *w) {\n"
    "  const float s = ORDER & 1 ? floorf(g + 0.5f) : floorf(g);\n"
    "  shares(g - s, w);\n"
    "  for (int p = 0; p < ORDER; p++) {\n"
    "    int i = (int)s - (ORDER - 1) / 2 + p;\n"
    "    at[p] = i < 0 ? i + n : i >= n ? i - n : i;\n"
    "  }\n"
    "}\n"
    "extern \"C\" __global__ void plain(const __grid_constant__ args a) {\n"
    "  const unsigned i = blockIdx.x * 256u + threadIdx.x;\n"
    "  if (i >= a.count) return;\n"
    "  float w[3][ORDER], sum[3] = {0, 0, 0};\n"
    "  int at[3][ORDER];\n"
    "  const float n = (float)a.n;\n"
    "  window(a.x[i] * n, a.n, at[0], w[0]); window(a.y[i] * n, a.n, at[1], w[1]); window(a.z[i] * n, a.n, at[2], w[2]);\n"
    "#pragma unroll\n"
    "  for (int x = 0; x < ORDER; x++)\n"
    "#pragma unroll\n"
    "    for (int y = 0; y < ORDER; y++)\n"
    "#pragma unroll\n"
    "      for (int z = 0; z < ORDER; z++) {\n"
    "        const long long cell = ((long long)at[0][x] * a.n + at[1][y]) * a.n + at[2][z];\n"
    "        const float share = w[0][x] * w[1][y] * w[2][z];\n"
    "#if GATHERS == 1\n"
    "        for (int f = 0; f < 3; f++) sum[f] += share * a.mesh[f][cell];\n"
    "#elif GATHERS == 2\n"
    "        atomicAdd(a.sums + cell, (unsigned long long)(long long)(share * 1073741824.0f));\n"
    "#else\n"
    "        atomicAdd(a.mesh[0] + cell, share);\n"
    "#endif\n"
    "      }\n"
    "#if GATHERS == 1\n"
    "  for (int f = 0; f < 3; f++) a.value[f][i] = sum[f];\n"
    "#endif\n"
    "}\n";

typedef struct plain_args {
  const float *x, *y, *z;
  float *mesh[3], *value[3];
  unsigned long long *sums;
  unsigned count;
  int n;
} plain_args;

enum { SORTED = 0, ROWS, RANDOM, CLUMPS, ARRANGEMENTS };
static const char *const arrangements[] = {"tiles", "rows", "random", "clumps"};
static const char *const windows[] = {"", "NGP", "CIC", "TSC", "PCS"};

static int64_t n = 512;
static int repeats = 5, threads = 16, with_plain = 1;

typedef struct bench {
  mfft_plan plan;
  mfft_particle_mesh mesh;
  mfft_particles particles;
  float *host[3];              /* positions */
  float *device[3], *value[3]; /* positions, results */
  float *field[3];             /* arrays of the plan */
  plain_args plain;
} bench;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- Particles ------------------------------------------------------------------------------------------------------- */

static inline uint64_t next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state * 0x2545f4914f6cdd1du;
}
static inline float part(uint64_t bits, int shift) { return (float)(bits >> shift & 0xfffff) * 0x1p-20f; }

/* Position of particle i in cells. */
static void settle(int arrangement, int64_t i, uint64_t *state, const float centre[3], float g[3]) {
  const uint64_t bits = next(state);
  const float u[3] = {part(bits, 4), part(bits, 24), part(bits, 44)};
  const int64_t tile[3] = {i / 2048 / (n / 32) / (n / 8), i / 2048 / (n / 32) % (n / 8), i / 2048 % (n / 32)};
  const int64_t row[3] = {i / n / n, i / n % n, i % n};
  static const float wide[3] = {8, 8, 32};
  for (int a = 0; a < 3; a++) {
    if (arrangement == SORTED) /* by fewer bits, so that no particle is rounded up into the next tile */
      g[a] = ((float)tile[a] + floorf(u[a] * 0x1p16f) * 0x1p-16f) * wide[a];
    if (arrangement == ROWS) g[a] = (float)row[a] + u[a];
    if (arrangement == RANDOM) g[a] = u[a] * (float)n;
    if (arrangement == CLUMPS) { /* around a centre, denser inside: the sixth power of a number */
      const float v = 2 * u[a] - 1, v3 = v * v * v;
      g[a] = centre[a] + (v < 0 ? -1 : 1) * v3 * v3 * (float)n / 16;
    }
    g[a] -= (float)n * floorf(g[a] / (float)n);
  }
}

static void scatter(bench *b, int arrangement) {
  uint64_t state = 88172645463325252u;
  float centre[3] = {0, 0, 0}, g[3];
  for (int64_t i = 0; i < b->particles.count; i++) {
    if (i % 4096 == 0)
      for (int a = 0; a < 3; a++) centre[a] = part(next(&state), 20) * (float)n;
    settle(arrangement, i, &state, centre, g);
    for (int a = 0; a < 3; a++) b->host[a][i] = g[a] / (float)n;
  }
  for (int a = 0; a < 3; a++) CHECK_OK(mfft_memory_upload("cuda", b->device[a], b->host[a], (size_t)b->particles.count * 4));
}

/* ---- Calls ----------------------------------------------------------------------------------------------------------- */

typedef void call(bench *b);

/* The least seconds of some rounds. */
static double least_of(bench *b, call *does) {
  double least = 1e30;
  for (int round = 0; round <= repeats; round++) {
    CHECK_OK(mfft_plan_synchronize(b->plan));
    const double begin = now();
    does(b);
    CHECK_OK(mfft_plan_synchronize(b->plan));
    if (round && now() - begin < least) least = now() - begin;
  }
  return least;
}

static mfft_particle_field field_of(const bench *b, int f, int gathers) {
  mfft_particle_field field;
  mfft_particle_field_init(&field);
  field.mesh = b->field[f];
  field.value = gathers ? b->value[f] : NULL;
  field.precision = MFFT_SINGLE;
  return field;
}

static void deposit(bench *b) {
  const mfft_particle_field field = field_of(b, 0, 0);
  CHECK_OK(mfft_particles_deposit(b->mesh, &b->particles, &field, 1));
}
static void gather(bench *b) {
  const mfft_particle_field field[3] = {field_of(b, 0, 1), field_of(b, 1, 1), field_of(b, 2, 1)};
  CHECK_OK(mfft_particles_gather(b->mesh, &b->particles, field, 3));
}

/* Parts of the calls, on the memory that the calls before have left. */
static void sort(bench *b) { CHECK_OK(mfft_pm_device_sort(b->mesh, &b->particles, 0)); }
static void add(bench *b) {
  const mfft_particle_field field = field_of(b, 0, 0);
  const double to[2] = {1 << 17, 1 << 17};
  const mfft_particle_target target = {b->mesh->work[MFFT_PM_WORK_CELLS], b->mesh->work[MFFT_PM_WORK_RIMS], 0, 0, 0, n};
  CHECK_OK(mfft_pm_device_deposit(b->mesh, &field, to, &target));
}
/* The additions without a sort. */
static void add_direct(bench *b) {
  const mfft_particle_field field = field_of(b, 0, 0);
  const double to[2] = {1 << 17, 1 << 17};
  const mfft_pm_arrays sums = {b->mesh->work[MFFT_PM_WORK_CELLS], b->mesh->work[MFFT_PM_WORK_RIMS]};
  CHECK_OK(mfft_pm_device_deposit_direct(b->mesh, &b->particles, 0, &field, to, &sums));
}
static mfft_pm_sums sums_of(const bench *b, const mfft_particle_field *field, const double from[2]) {
  return (mfft_pm_sums){.mesh = b->mesh,
                        .part = b->mesh->parts.part[0],
                        .own = b->mesh->work[MFFT_PM_WORK_CELLS],
                        .field = field,
                        .from = from};
}
static void clear(bench *b) {
  const mfft_pm_sums sums = sums_of(b, NULL, NULL);
  CHECK_OK(mfft_pm_device_clear(&sums, 0));
}
static void store(bench *b) {
  const mfft_particle_field field = field_of(b, 0, 0);
  const double from[2] = {0x1p-17, 0x1p-17};
  const mfft_pm_sums sums = sums_of(b, &field, from);
  int64_t infinite = 0;
  CHECK_OK(mfft_pm_device_store(&sums, 0, 0, n, &infinite));
}
static void read_fields(bench *b) {
  const mfft_particle_field field[3] = {field_of(b, 0, 1), field_of(b, 1, 1), field_of(b, 2, 1)};
  mfft_pm_arrays cells[3];
  for (int f = 0; f < 3; f++) cells[f] = (mfft_pm_arrays){b->field[f], b->mesh->work[MFFT_PM_WORK_RIMS]};
  CHECK_OK(mfft_pm_device_gather(b->mesh, field, cells, 3, NULL));
}

/* ---- The plain kernels ----------------------------------------------------------------------------------------------- */

static CUfunction plain_function;

static void compile_plain(int order, int gathers) {
  const mfft_nvrtc *rtc;
  mfft_cuda_current current;
  nvrtcProgram program;
  CUmodule module;
  char words[3][40];
  size_t bytes = 0;
  CHECK_OK(mfft_nvrtc_open(&rtc));
  CHECK_OK(mfft_cuda_find_current(&current));
  snprintf(words[0], sizeof words[0], "-DORDER=%d", order);
  snprintf(words[1], sizeof words[1], "-DGATHERS=%d", gathers);
  snprintf(words[2], sizeof words[2], "--gpu-architecture=sm_%d", current.limits->arch);
  CHECK(rtc->create(&program, plain_text, "plain.cu", 0, NULL, NULL) == NVRTC_SUCCESS, "create");
  CHECK(rtc->compile(program, 3, (const char *[]){words[0], words[1], words[2]}) == NVRTC_SUCCESS, "compile plain.cu");
  CHECK(rtc->cubin_size(program, &bytes) == NVRTC_SUCCESS, "size");
  char *code = malloc(bytes);
  CHECK(rtc->cubin(program, code) == NVRTC_SUCCESS, "code");
  CHECK(current.driver->module_load(&module, code) == CUDA_SUCCESS &&
            current.driver->module_function(&plain_function, module, "plain") == CUDA_SUCCESS,
        "load plain.cu");
  free(code);
  rtc->destroy(&program);
}

static void run_plain(bench *b) {
  mfft_cuda_current current;
  CHECK_OK(mfft_cuda_find_current(&current));
  CHECK_OK(
      mfft_launch(current.driver, plain_function, 0, (b->plain.count + 255) / 256, 1, 256, 0, &b->plain, NULL, "plain"));
}
static void plain_deposit(bench *b) {
  const mfft_backend *backend = b->plan->backend;
  CHECK_OK(backend->clear(b->plain.mesh[0], (size_t)(n * n * n) * 4, NULL));
  run_plain(b);
}
/* The same with the 64-bit integers of a deposit that has the same bits in every run; not their conversion. */
static void plain_integers(bench *b) {
  const mfft_backend *backend = b->plan->backend;
  CHECK_OK(backend->clear(b->plain.sums, (size_t)(n * n * n) * 8, NULL));
  run_plain(b);
}

/* ---- The bench ------------------------------------------------------------------------------------------------------- */

static mfft_plan plan_of(const char *backend) {
  mfft_desc d;
  mfft_options o;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&o);
  for (int a = 0; a < 3; a++) d.n[a] = n;
  d.kind = MFFT_R2C;
  d.precision = MFFT_SINGLE;
  o.backend = backend;
  o.effort = MFFT_ESTIMATE;
  CHECK_OK(mfft_plan_create(&d, &o, &plan));
  return plan;
}

static mfft_particle_mesh mesh_of(mfft_plan plan, int order) {
  mfft_particle_mesh_desc d;
  mfft_particle_mesh mesh = NULL;
  mfft_particle_mesh_desc_init(&d);
  d.assignment = (mfft_assignment)order;
  d.threads = threads;
  CHECK_OK(mfft_particle_mesh_create(plan, &d, &mesh));
  return mesh;
}

/* The CPU's seconds for a deposit; the bits of its mesh are those of the device. */
static double compare_with_cpu(bench *b, mfft_plan plan, int order) {
  const size_t cells = (size_t)(n * n * n);
  float *mine = malloc(cells * 4), *theirs = malloc(cells * 4);
  mfft_particle_mesh mesh = mesh_of(plan, order);
  mfft_particles p = b->particles;
  mfft_particle_field field;
  double took = 0;
  for (int a = 0; a < 3; a++) p.position[a] = b->host[a];
  mfft_particle_field_init(&field);
  field.mesh = mine;
  for (int round = 0; round < 2; round++) {
    const double begin = now();
    CHECK_OK(mfft_particles_deposit(mesh, &p, &field, 1));
    took = now() - begin;
  }
  deposit(b);
  CHECK_OK(mfft_memory_download("cuda", theirs, b->field[0], cells * 4));
  CHECK(!memcmp(mine, theirs, cells * 4), "%s: the mesh has other bits than that of the CPU", windows[order]);
  mfft_particle_mesh_destroy(mesh);
  free(mine);
  free(theirs);
  return took;
}

static void measure(bench *b, int order, int arrangement, mfft_plan cpu) {
  const double count = (double)b->particles.count;
  b->mesh = mesh_of(b->plan, order);
  const double cpu_s = compare_with_cpu(b, cpu, order);
  const double deposit_s = least_of(b, deposit);
  CHECK_OK(mfft_pm_reserve_sort(b->mesh, &b->particles, 0)); /* for windows that need no sort, too */
  const double sort_s = least_of(b, sort), clear_s = least_of(b, clear), add_s = least_of(b, add),
               store_s = least_of(b, store);
  const int read_in_place = b->mesh->device.sort.in_list;
  const double gather_s = least_of(b, gather), read_s = least_of(b, read_fields);
  if (with_plain) compile_plain(order, 0);
  const double plain_deposit_s = with_plain ? least_of(b, plain_deposit) : INFINITY;
  if (with_plain) compile_plain(order, 2);
  const double plain_integers_s = with_plain ? least_of(b, plain_integers) : INFINITY;
  if (with_plain) compile_plain(order, 1);
  const double plain_gather_s = with_plain ? least_of(b, run_plain) : INFINITY;
  const double direct_s = least_of(b, add_direct);
  printf(
      "%s %-7s%s deposit %6.2f  gather %6.2f   sort %7.3f clear %6.3f add %7.3f store %6.3f read %7.3f ms   plain: deposit "
      "%6.2f, of integers %6.2f, gather %6.2f   CPU: deposit %7.4f   added without a sort %7.3f ms\n",
      windows[order], arrangements[arrangement], read_in_place ? " (in place)" : "", count / deposit_s * 1e-9,
      count / gather_s * 1e-9, 1e3 * sort_s, 1e3 * clear_s, 1e3 * add_s, 1e3 * store_s, 1e3 * read_s,
      count / plain_deposit_s * 1e-9, count / plain_integers_s * 1e-9, count / plain_gather_s * 1e-9, count / cpu_s * 1e-9,
      1e3 * direct_s);
  fflush(stdout);
  mfft_particle_mesh_destroy(b->mesh);
}

int main(int argc, char **argv) {
  int only_order = 0;
  const char *only = NULL;
  MPI_Init(&argc, &argv);
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--n")) n = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--order")) only_order = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--repeat")) repeats = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--threads")) threads = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--plain")) with_plain = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--only")) only = argv[i + 1];
  }
  if (n < 32 || n % 32 || n > 1024) {
    fprintf(stderr, "--n is %lld; use a multiple of 32, up to 1024\n", (long long)n);
    return 1;
  }
  if (!mfft_backend_usable("cuda", NULL, 0)) {
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  bench b = {.plan = plan_of("cuda")};
  const mfft_plan cpu = plan_of("fftw");
  const size_t bytes = (size_t)(n * n * n) * 4;
  mfft_particles_init(&b.particles);
  b.particles.count = n * n * n;
  b.particles.type = MFFT_POSITION_SINGLE;
  for (int a = 0; a < 3; a++) {
    void *made[3];
    for (int k = 0; k < 3; k++) CHECK_OK(mfft_memory_alloc("cuda", bytes, &made[k]));
    b.device[a] = made[0], b.value[a] = made[1], b.field[a] = made[2];
    b.host[a] = calloc(1, bytes);
    b.particles.position[a] = b.device[a];
    CHECK_OK(mfft_memory_upload("cuda", b.field[a], b.host[a], bytes));
    b.plain.mesh[a] = b.field[a];
    b.plain.value[a] = b.value[a];
  }
  b.plain.x = b.device[0], b.plain.y = b.device[1], b.plain.z = b.device[2];
  b.plain.count = (unsigned)b.particles.count;
  b.plain.n = (int)n;
  void *sums;
  CHECK_OK(mfft_memory_alloc("cuda", 2 * bytes, &sums));
  b.plain.sums = sums;
  printf("%lld^3 particles on %lld^3 cells, single; 10^9 particles/s\n", (long long)n, (long long)n);
  for (int arrangement = 0; arrangement < ARRANGEMENTS; arrangement++) {
    if (only && strcmp(only, arrangements[arrangement])) continue;
    scatter(&b, arrangement);
    for (int order = only_order ? only_order : 1; order <= (only_order ? only_order : 4); order++)
      measure(&b, order, arrangement, cpu);
  }
  for (int a = 0; a < 3; a++) {
    void *const made[3] = {b.device[a], b.value[a], b.field[a]};
    for (int k = 0; k < 3; k++) CHECK_OK(mfft_memory_free("cuda", made[k]));
    free(b.host[a]);
  }
  CHECK_OK(mfft_memory_free("cuda", sums));
  mfft_plan_destroy(cpu);
  mfft_plan_destroy(b.plan);
  MPI_Finalize();
  return test_end();
}
#endif
