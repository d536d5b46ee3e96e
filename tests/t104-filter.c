// TEST
/* Filters of local plans: strided and padded layouts, batches, units of length far from 1, in place and preserved inputs, on
 * each backend that this machine can use, against the formula and the transform without a filter; and what is refused. */
#include "filter_case.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_spectrum.h"

static const char *backend;

typedef struct side {
  int64_t stride[3], dist, count;
} side;

static int64_t at(const side *s, int64_t b, const int64_t i[3]) {
  return b * s->dist + i[0] * s->stride[0] + i[1] * s->stride[1] + i[2] * s->stride[2];
}

static void execute(mfft_plan plan, mfft_direction direction, const double *in, size_t in_bytes, double *out,
                    size_t out_bytes, double *in_after) {
  void *from = NULL, *to = NULL;
  int in_place = (const void *)in == (const void *)out;
  CHECK_OK(mfft_memory_alloc(backend, in_bytes, &from));
  CHECK_OK(mfft_memory_upload(backend, from, in, in_bytes));
  to = from;
  if (!in_place) {
    CHECK_OK(mfft_memory_alloc(backend, out_bytes, &to));
    CHECK_OK(mfft_memory_upload(backend, to, out, out_bytes));
  }
  CHECK_OK(mfft_execute(plan, direction, from, to));
  CHECK_OK(mfft_plan_synchronize(plan));
  CHECK_OK(mfft_memory_download(backend, out, to, out_bytes));
  if (in_after) CHECK_OK(mfft_memory_download(backend, in_after, from, in_bytes));
  CHECK_OK(mfft_memory_free(backend, from));
  if (!in_place) CHECK_OK(mfft_memory_free(backend, to));
}

/* C2C with strides (axes z, y, x from slow to fast, with gaps): filtered results against the product with unfiltered ones.
 */
static void strided(int which, int in_place, int destroys) {
  enum { B = 2, NX = 4, NY = 5, NZ = 6, CAPACITY = 2 * 3 * 1024 };
  static filter_case c;
  static double in[CAPACITY], plain[CAPACITY], got[CAPACITY], spectrum[CAPACITY], product[CAPACITY], back[CAPACITY],
      want[CAPACITY], after[CAPACITY];
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = NX, d.n[1] = NY, d.n[2] = NZ;
  d.batch = B;
  options.backend = backend;
  options.effort = MFFT_ESTIMATE;
  d.placement = in_place ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  d.allow_destroy_input = destroys;
  d.filtered = 3;
  const side s = {{7, 30, 200}, 1200, B * 1200};
  memcpy(d.out_stride, s.stride, sizeof s.stride);
  memcpy(d.in_stride, s.stride, sizeof s.stride);
  d.in_dist = d.out_dist = s.dist;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  filter_make(which, d.n, 7, &c);
  size_t bytes = (size_t)s.count * 16;
  uint64_t state = 1;
  for (int i = 0; i < CAPACITY; i++) in[i] = test_random(&state);

  memcpy(plain, in, sizeof in);
  execute(plan, MFFT_FORWARD, in_place ? plain : in, bytes, plain, bytes, NULL); /* no filter yet */
  CHECK_OK(mfft_plan_set_filter(plan, MFFT_FORWARD, &c.filter));
  memcpy(got, in, sizeof in);
  execute(plan, MFFT_FORWARD, in_place ? got : in, bytes, got, bytes, NULL);
  memcpy(spectrum, in, sizeof in);
  memcpy(product, in, sizeof in);
  double error = 0, size = 0;
  int64_t i[3], touched = 0;
  for (int64_t b = 0; b < B; b++)
    for (i[0] = 0; i[0] < NX; i[0]++)
      for (i[1] = 0; i[1] < NY; i[1]++)
        for (i[2] = 0; i[2] < NZ; i[2]++, touched++) {
          int64_t e = 2 * at(&s, b, i);
          double complex v = filter_value(&c.filter, i), t = v * (plain[e] + I * plain[e + 1]);
          double complex p = v * (in[e] + I * in[e + 1]);
          error += pow(cabs(got[e] + I * got[e + 1] - t), 2);
          size += pow(cabs(t), 2);
          product[e] = creal(p), product[e + 1] = cimag(p);
        }
  CHECK(error <= 1e-30 * size, "%s: filter %d forward is off by %g", backend, which, sqrt(error / size));
  for (int64_t e = 0; e < 2 * s.count; e++) /* the elements between those of the layout */
    if (plain[e] == in[e]) CHECK(got[e] == in[e], "%s: element %lld outside the layout was written", backend, (long long)e);

  memset(back, 0, sizeof back);
  memset(want, 0, sizeof want);
  memcpy(back, spectrum, in_place ? sizeof back : 0);
  memcpy(want, product, in_place ? sizeof want : 0);
  execute(plan, MFFT_BACKWARD, in_place ? want : product, bytes, want, bytes, NULL);
  CHECK_OK(mfft_plan_set_filter(plan, MFFT_BACKWARD, &c.filter));
  execute(plan, MFFT_BACKWARD, in_place ? back : spectrum, bytes, back, bytes, in_place ? NULL : after);
  error = size = 0;
  for (int64_t b = 0; b < B; b++)
    for (i[0] = 0; i[0] < NX; i[0]++)
      for (i[1] = 0; i[1] < NY; i[1]++)
        for (i[2] = 0; i[2] < NZ; i[2]++) {
          int64_t e = 2 * at(&s, b, i);
          error += pow(cabs(back[e] - want[e] + I * (back[e + 1] - want[e + 1])), 2);
          size += pow(cabs(want[e] + I * want[e + 1]), 2);
        }
  CHECK(error <= 1e-30 * size, "%s: filter %d backward is off by %g", backend, which, sqrt(error / size));
  if (!in_place && !destroys)
    CHECK(memcmp(after, spectrum, bytes) == 0, "%s: filter %d: the spectrum has changed", backend, which);
  mfft_plan_destroy(plan);
}

/* Tables in any unit of length: only their ratio must be representable in single precision. */
static void units(double unit) {
  enum { N = 8 };
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  double k[N];
  float in[2 * N] = {0}, out[2 * N];
  void *array = NULL;
  mfft_filter f;
  mfft_filter_init(&f);
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = 1;
  d.n[0] = N;
  d.precision = MFFT_SINGLE;
  d.placement = MFFT_IN_PLACE;
  options.backend = backend;
  options.effort = MFFT_ESTIMATE;
  d.filtered = 1 << MFFT_FORWARD;
  for (int i = 0; i < N; i++) k[i] = unit * (2 * i > N ? i - N : i) * (2 * i > N ? i - N : i);
  f.divisor[0] = k;
  f.factor[0] = k;
  f.singular = 1;
  in[0] = 1; /* an impulse: its spectrum is 1 */
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  CHECK_OK(mfft_plan_set_filter(plan, MFFT_FORWARD, &f));
  CHECK_OK(mfft_memory_alloc(backend, sizeof in, &array));
  CHECK_OK(mfft_memory_upload(backend, array, in, sizeof in));
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, array, array));
  CHECK_OK(mfft_plan_synchronize(plan));
  CHECK_OK(mfft_memory_download(backend, out, array, sizeof out));
  for (int i = 0; i < N; i++)
    CHECK(fabsf(out[2 * i] - 1) < 1e-6f && out[2 * i + 1] == 0, "%s: unit %g, k = %d: %g %+gi", backend, unit, i, out[2 * i],
          out[2 * i + 1]);
  CHECK_OK(mfft_memory_free(backend, array));
  mfft_plan_destroy(plan);
}

/* Arrays so large that a device filters them part by part: for a spectrum of ones the filtered transform is the product of
 * the transforms of the factors of each axis. */
static void large(int rank, const int64_t *n, int64_t batch, mfft_kind kind, int destroys) {
  enum { MOST = 512 };
  static double factor[3][MOST], g[3][MOST];
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_filter f;
  mfft_filter_init(&f);
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = rank;
  d.kind = kind;
  d.batch = batch;
  d.precision = MFFT_SINGLE;
  d.allow_destroy_input = destroys;
  options.backend = backend;
  d.filtered = 3;
  double rms = 1;
  for (int a = 0; a < rank; a++) {
    d.n[a] = n[a];
    for (int64_t k = 0; k < n[a]; k++) factor[a][k] = 1 + (k < n[a] - k ? k : n[a] - k) % 13;
    for (int64_t i = 0; i < n[a]; i++) {
      g[a][i] = 0;
      for (int64_t k = 0; k < n[a]; k++) g[a][i] += factor[a][k] * cos(6.283185307179586477 * (double)(i * k % n[a]) / n[a]);
    }
    double square = 0;
    for (int64_t i = 0; i < n[a]; i++) square += g[a][i] * g[a][i] / (double)n[a];
    rms *= sqrt(square);
    f.factor[a] = factor[a];
  }
  size_t bytes[2], at;
  void *array[2];
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  for (int side = 0; side < 2; side++) {
    CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &bytes[side]));
    CHECK_OK(mfft_memory_alloc(backend, bytes[side], &array[side]));
  }
  enum { BLOCK = 1 << 20 };
  static float block[2 * BLOCK];
  for (int i = 0; i < BLOCK; i++) block[2 * i] = 1;
  for (at = 0; at < bytes[1]; at += sizeof block)
    CHECK_OK(mfft_memory_upload(backend, (char *)array[1] + at, block,
                                bytes[1] - at < sizeof block ? bytes[1] - at : sizeof block));
  CHECK_OK(mfft_plan_set_filter(plan, MFFT_BACKWARD, &f));
  for (int run = destroys; run < 2; run++) CHECK_OK(mfft_execute(plan, MFFT_BACKWARD, array[1], array[0]));
  CHECK_OK(mfft_plan_synchronize(plan));
  const int parts = kind == MFFT_C2C ? 2 : 1;
  const int64_t row = n[rank - 1], rows = (int64_t)(bytes[0] / sizeof(float)) / parts / row;
  double error = 0, count = 0;
  for (int64_t r = 0; r < rows; r += 97) {
    float got[2 * MOST];
    int64_t y = r % n[rank - 2], x = rank == 3 ? r / n[1] % n[0] : 0;
    CHECK_OK(mfft_memory_download(backend, got, (char *)array[0] + (size_t)(r * row * parts) * sizeof(float),
                                  (size_t)(row * parts) * sizeof(float)));
    for (int64_t z = 0; z < row; z++, count++)
      error += pow(got[parts * z] - g[rank - 2][y] * g[rank - 1][z] * (rank == 3 ? g[0][x] : 1), 2);
  }
  error = sqrt(error / count) / rms;
  CHECK(error < 3e-6, "%s: %lld x %lld ... is off by %g", backend, (long long)n[0], (long long)n[1], error);
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_memory_free(backend, array[side]));
  mfft_plan_destroy(plan);
}

static void refusals(void) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_filter f;
  double table[4] = {1, 1, NAN, 1};
  char text[4096];
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = 1;
  d.n[0] = 4;
  options.backend = "fftw";
  d.filtered = 4;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_ARG, "filtered is 4");
  d.filtered = 1 << MFFT_BACKWARD;
  d.scrambled = 1;
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_UNSUPPORTED, "set scrambled = 0");
  d.scrambled = 0;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  CHECK_OK(mfft_plan_describe(plan, text, sizeof text, NULL));
  CHECK(strstr(text, "FILTER") && strstr(text, "product"), "%s", text);
  mfft_filter_init(&f);
  CHECK_OK(mfft_plan_set_filter(plan, MFFT_BACKWARD, &f));
  CHECK_FAILS(mfft_plan_set_filter(NULL, MFFT_BACKWARD, &f), MFFT_ERR_ARG, "plan is NULL");
  CHECK_FAILS(mfft_plan_set_filter(plan, (mfft_direction)2, &f), MFFT_ERR_ARG, "direction is 2");
  CHECK_FAILS(mfft_plan_set_filter(plan, MFFT_FORWARD, &f), MFFT_ERR_STATE, "desc.filtered");
  f.factor[0] = table;
  CHECK_FAILS(mfft_plan_set_filter(plan, MFFT_BACKWARD, &f), MFFT_ERR_ARG, "filter.factor[0][2] is nan");
  f.factor[0] = NULL;
  f.quarter_turns = 4;
  CHECK_FAILS(mfft_plan_set_filter(plan, MFFT_BACKWARD, &f), MFFT_ERR_ARG, "quarter_turns is 4");
  f.quarter_turns = 0;
  f.scale = INFINITY;
  CHECK_FAILS(mfft_plan_set_filter(plan, MFFT_BACKWARD, &f), MFFT_ERR_ARG, "scale is inf");
  f.struct_size = 8;
  CHECK_FAILS(mfft_plan_set_filter(plan, MFFT_BACKWARD, &f), MFFT_ERR_ARG, "struct_size is 8");
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; mfft_backend_name(i); i++) {
    backend = mfft_backend_name(i);
    if (!mfft_backend_usable(backend, NULL, 0)) continue;
    for (int which = 0; which < FILTER_CASES; which++)
      for (int placement = 0; placement < 3; placement++) strided(which, placement == 1, placement == 2);
    static const double unit[] = {1, 1e-60, 1e60, 3e-30};
    for (int u = 0; u < 4; u++) units(unit[u]);
    if ((strcmp(backend, "cuda") && argc < 2) || !strcmp(backend, "ref"))
      continue; /* on hosts only if requested, since it takes long */
    large(3, (const int64_t[]){256, 256, 512}, 1, MFFT_R2C, 0);
    large(3, (const int64_t[]){256, 256, 512}, 1, MFFT_R2C, 1);
    large(2, (const int64_t[]){256, 256}, 600, MFFT_C2C, 0);
  }
  refusals();
  return test_end();
}
