// TEST
// TEST labels=cuda args=cuda
// TEST labels=emulated timeout=300 args=cuda
// Sums over shells against brute force in long double: every backend, precision and kind, layouts, batches, shells that are
// many, few, narrow, empty; exact counts; the same sums every time.
#include "mfft_spectrum.h"
#include "numbers.h"

enum { MOST = 4000 };

typedef struct shells_case {
  int rank;
  int64_t n[3], batch;
  mfft_kind kind;
  int strided;
  int64_t count;
  double first, last; /* edges */
  int tables;         /* bits: 1 radius of axis 1 is left out, 2 all weights are */
} shells_case;

/* The result of the direct sum. */
typedef struct truth {
  int64_t modes[MOST];
  long double radius[MOST], power[MOST];
} truth;

static void sum_up(const shells_case *c, const mfft_desc *d, const mfft_shells *s, mfft_precision precision,
                   const void *array, truth *t) {
  memset(t, 0, sizeof *t);
  int64_t n[3] = {1, 1, 1}, stride[3] = {0, 0, 0}, packed = 1;
  const int last = c->rank - 1;
  for (int a = 0; a < c->rank; a++) n[a] = c->n[a];
  if (c->kind == MFFT_R2C) n[last] = n[last] / 2 + 1;
  for (int a = last; a >= 0; a--) stride[a] = c->strided ? d->out_stride[a] : packed, packed *= n[a];
  for (int64_t b = 0; b < c->batch; b++)
    for (int64_t i = 0; i < n[0]; i++)
      for (int64_t j = 0; j < n[1]; j++)
        for (int64_t k = 0; k < n[2]; k++) {
          const int64_t at[3] = {i, j, k};
          const int64_t place = b * (c->strided ? d->out_dist : packed) + i * stride[0] + j * stride[1] + k * stride[2];
          double square = 0, weight = 1;
          for (int a = 0; a < 3; a++) {
            const double r = s->radius[a] ? s->radius[a][at[a]] : 0;
            square += r * r;
            weight *= s->weight[a] ? s->weight[a][at[a]] : 1;
          }
          const double radius = sqrt(square);
          int64_t shell = -1;
          for (int64_t e = 0; e < s->count; e++)
            if (radius >= s->edge[e] && radius < s->edge[e + 1]) shell = e;
          if (shell < 0) continue;
          const int64_t h = at[last];
          const int times = c->kind == MFFT_R2C && h != 0 && 2 * h != c->n[last] ? 2 : 1;
          const long double re = numbers_load(precision, array, 2 * place),
                            im = numbers_load(precision, array, 2 * place + 1);
          t->modes[shell] += times;
          t->radius[shell] += times * (long double)radius;
          t->power[shell] += times * (re * re + im * im) * weight;
        }
}

static void check_case(const char *backend, const shells_case *c, mfft_precision precision) {
  static double radius[3][2000], weight[3][2000], edge[MOST + 1];
  static truth want;
  static int64_t modes[2][MOST];
  static double sums[2][2][MOST]; /* [run][radius, power] */
  mfft_desc d;
  mfft_options options;
  mfft_plan plan;
  mfft_shells s;
  uint64_t seed = 3;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = c->rank;
  memcpy(d.n, c->n, sizeof d.n);
  d.kind = c->kind;
  d.batch = c->batch;
  d.precision = precision;
  options.backend = backend;
  options.effort = MFFT_ESTIMATE;
  int64_t length[3] = {1, 1, 1}, dist = 1;
  for (int a = 0; a < c->rank; a++) length[a] = c->n[a];
  if (c->kind == MFFT_R2C) length[c->rank - 1] = length[c->rank - 1] / 2 + 1;
  if (c->strided) { /* the first axis is contiguous, with a gap after each of the others */
    for (int a = 0; a < c->rank; a++) d.out_stride[a] = dist, dist = dist * length[a] + 1;
    d.out_dist = dist;
  }
  mfft_status status = mfft_plan_create(&d, &options, &plan);
  if (status == MFFT_ERR_UNSUPPORTED) return; /* not every backend has all lengths */
  CHECK_OK(status);
  mfft_shells_init(&s);
  for (int a = 0; a < 3; a++)
    for (int64_t k = 0; k < length[a]; k++) {
      const int64_t n = a < c->rank ? c->n[a] : 1, m = 2 * k > n ? k - n : k;
      radius[a][k] = (double)m * (1 + 0.25 * a);
      weight[a][k] = 1 + 0.5 * test_random(&seed);
    }
  for (int a = 0; a < 3; a++) {
    s.radius[a] = a == 1 && c->tables & 1 ? NULL : radius[a];
    s.weight[a] = c->tables & 2 ? NULL : weight[a];
  }
  s.count = c->count;
  s.edge = edge;
  for (int64_t e = 0; e <= c->count; e++)
    edge[e] = c->first + (c->last - c->first) * (double)e / (double)c->count + (e % 3 == 1 ? 1e-9 : 0);

  size_t bytes;
  CHECK_OK(mfft_plan_bytes(plan, MFFT_OUT, &bytes));
  void *host = malloc(bytes), *array = NULL;
  const int64_t reals = (int64_t)bytes / (int64_t)mfft_real_bytes(precision);
  for (int64_t i = 0; i < reals; i++) numbers_store(precision, host, i, 4 * test_random(&seed));
  CHECK_OK(mfft_memory_alloc(backend, bytes, &array));
  CHECK_OK(mfft_memory_upload(backend, array, host, bytes));
  sum_up(c, &d, &s, precision, host, &want);
  for (int run = 0; run < 2; run++) CHECK_OK(mfft_plan_shells(plan, &s, array, modes[run], sums[run][0], sums[run][1]));
  CHECK(!memcmp(modes[0], modes[1], (size_t)c->count * sizeof **modes) &&
            !memcmp(sums[0][0], sums[1][0], (size_t)c->count * sizeof(double)) &&
            !memcmp(sums[0][1], sums[1][1], (size_t)c->count * sizeof(double)),
        "%s: another sum of the same", backend);
  int64_t found = 0;
  for (int64_t b = 0; b < c->count; b++) {
    found += modes[0][b];
    CHECK(modes[0][b] == want.modes[b], "%s: %d modes in shell %d, want %d", backend, (int)modes[0][b], (int)b,
          (int)want.modes[b]);
    for (int which = 0; which < 2; which++) {
      const long double w = which ? want.power[b] : want.radius[b];
      CHECK(fabsl(sums[0][which][b] - w) <= 1e-13L * w, "%s: sum %d of shell %d is %.17g, want %.17Lg", backend, which,
            (int)b, sums[0][which][b], w);
    }
  }
  CHECK(found > 0, "%s: no shell has a mode", backend);
  CHECK_OK(mfft_memory_free(backend, array));
  free(host);
  mfft_plan_destroy(plan);
}

static void refusals(void) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan;
  mfft_shells s;
  double edge[3] = {0, 1, 2}, table[64] = {0}, array[1000] = {0}, radius[2], power[2];
  int64_t modes[2] = {7, 7};
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = 1;
  d.n[0] = 64;
  options.backend = "fftw";
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  mfft_shells_init(&s);
  CHECK_FAILS(mfft_plan_shells(plan, &s, array, modes, radius, power), MFFT_ERR_ARG, "shells.count is 0");
  s.count = 2;
  CHECK_FAILS(mfft_plan_shells(plan, &s, array, modes, radius, power), MFFT_ERR_ARG, "no edges");
  s.edge = edge;
  CHECK_OK(mfft_plan_shells(plan, &s, array, modes, radius, power)); /* no tables: all modes at radius 0 */
  CHECK(modes[0] == 64 && modes[1] == 0, "%d and %d modes", (int)modes[0], (int)modes[1]);
  edge[2] = 1;
  CHECK_FAILS(mfft_plan_shells(plan, &s, array, modes, radius, power), MFFT_ERR_ARG, "shells.edge[2] is 1");
  edge[2] = 2;
  table[63] = NAN;
  s.weight[0] = table;
  CHECK_FAILS(mfft_plan_shells(plan, &s, array, modes, radius, power), MFFT_ERR_ARG, "shells.weight[0][63] is nan");
  s.weight[0] = NULL;
  CHECK_FAILS(mfft_plan_shells(plan, &s, array, modes, NULL, power), MFFT_ERR_ARG, "radius is NULL");
  CHECK_FAILS(mfft_plan_shells(plan, &s, NULL, modes, radius, power), MFFT_ERR_ARG, "spectrum is NULL");
  CHECK_FAILS(mfft_plan_shells(plan, NULL, array, modes, radius, power), MFFT_ERR_ARG, "shells is NULL");
  CHECK_FAILS(mfft_plan_shells(NULL, &s, array, modes, radius, power), MFFT_ERR_ARG, "plan is NULL");
  s.struct_size = offsetof(mfft_shells, edge) + 4;
  CHECK_FAILS(mfft_plan_shells(plan, &s, array, modes, radius, power), MFFT_ERR_ARG, "shells.struct_size is");
  s.struct_size = 1;
  CHECK_FAILS(mfft_plan_shells(plan, &s, array, modes, radius, power), MFFT_ERR_ARG, "struct_size is 1");
  mfft_plan_destroy(plan);
  mfft_shells_init(&s);
  s.count = 2;
  s.edge = edge;
  d.scrambled = 1;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  CHECK_FAILS(mfft_plan_shells(plan, &s, array, modes, radius, power), MFFT_ERR_UNSUPPORTED, "scrambled");
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  const int only_cuda = argc > 1, quick = only_cuda && test_small();
  (void)argv;
  static const shells_case cases[] = {
      {3, {12, 10, 14}, 1, MFFT_R2C, 0, 9, 0.5, 9.5, 0}, {3, {12, 10, 70}, 1, MFFT_R2C, 0, 1, 0, 100, 0},
      {3, {6, 5, 15}, 2, MFFT_R2C, 0, 40, 0, 6, 1},      {3, {8, 4, 6}, 1, MFFT_C2C, 0, 5, 1, 4, 2},
      {3, {4, 6, 40}, 3, MFFT_C2C, 1, 12, 0.1, 22, 0},   {2, {30, 66}, 1, MFFT_R2C, 1, 7, 2, 40, 0},
      {1, {100}, 1, MFFT_C2C, 0, 3, 0, 60, 0},           {1, {1000}, 2, MFFT_R2C, 0, 4000, 0, 600, 3},
      {3, {1, 1, 3}, 1, MFFT_R2C, 0, 2, 0, 4, 0},        {3, {2, 300, 4}, 1, MFFT_R2C, 0, 700, 0, 160, 0},
  };
  static const mfft_precision precisions[] = {MFFT_DOUBLE, MFFT_SINGLE, MFFT_HALF, MFFT_BFLOAT16, MFFT_LONG_DOUBLE};
  int backends = 0;
  for (int i = 0; mfft_backend_name(i); i++) {
    const char *backend = mfft_backend_name(i);
    if ((only_cuda != !strcmp(backend, "cuda")) || !mfft_backend_usable(backend, NULL, 0)) continue;
    backends++;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
      for (int p = 0; p < MFFT_PRECISION_COUNT - only_cuda; p++) /* not in long double there */
        if (!quick || (c % 4 == 0 && p == (int)c / 4)) check_case(backend, &cases[c], precisions[p]);
  }
  if (!backends) return TEST_SKIPPED;
  refusals();
  return test_end();
}
