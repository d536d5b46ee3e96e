// TEST args=butterfly timeout=600
// TEST args=pairs timeout=600
// TEST args=tensor timeout=600
// TEST args=filter timeout=300
// TEST args=sixteen timeout=600
// TEST args=scatter timeout=300
/* Kernels as they are, on the CPU: compiled by the C++ compiler beside emulate.hpp and run thread
 * by thread, whole schedules at a time, compared with FFTW.  This holds the device code itself to account without a GPU:
 * index maps, barriers (threads take turns in two orders), shared memory, sentinels.
 *
 *   t803-cuda-emulated [type n0 n1 n2 batch in_place precision compute]     one transform only, with its error */
#include "transform_case.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include <dlfcn.h>
#include <unistd.h>

#include "core/box.h"
#include "local/cuda/compile.h"
#include "local/cuda/filter.h"
#include "local/cuda/load.h"
#include "local/cuda/pass.h"
#include "local/cuda/tables.h"
#include "local/host.h"

typedef int emulator(const void *args, unsigned blocks, unsigned cluster, unsigned threads, size_t shared_bytes,
                     int backwards);

enum { MOST_KERNELS = 512 };
static struct {
  mfft_options options;
  emulator *run;
} kernel[MOST_KERNELS]; /* [kernels] */
static int kernels;
static char folder[] = "/tmp/mergefft-test-XXXXXX";

/* The kernel as host code, compiled once. */
static emulator *load(const mfft_kernel *k) {
  mfft_options options;
  mfft_kernel_options(k, 0, &options);
  for (int i = 0; i < kernels; i++)
    if (!memcmp(&kernel[i].options, &options, sizeof options)) return kernel[i].run;
  const char *source = getenv("MFFT_TEST_SOURCE"), *compiler = getenv("CXX");
  static char command[8192], library[256];
  snprintf(library, sizeof library, "%s/%d.so", folder, kernels);
  int used =
      snprintf(command, sizeof command,
               "%s -std=c++17 -O1 -w -fPIC -shared %s -I%s/src/local/cuda/kernels -include %s/tests/emulate.hpp -x c++ "
               "%s/src/local/cuda/kernels/%s -o %s",
               compiler ? compiler : "c++", k->engine == MFFT_ENGINE_FILTER ? "-DEMULATED_ARGS=mfft_filter_args" : "",
               source, source, source, options.file, library);
  for (int i = 0; i < options.count; i++)
    used += snprintf(command + used, sizeof command - (size_t)used, " %s", options.text[i]);
  void *handle = system(command) ? NULL : dlopen(library, RTLD_NOW | RTLD_LOCAL), *symbol = NULL; /* NOLINT(cert-env33-c) */
  if (handle) symbol = dlsym(handle, "mfft_emulate");
  CHECK(symbol != NULL && kernels < MOST_KERNELS, "%s", command);
  if (!symbol || kernels == MOST_KERNELS) return NULL;
  kernel[kernels].options = options;
  memcpy(&kernel[kernels].run, &symbol, sizeof symbol);
  return kernel[kernels++].run;
}

static void run_pass(mfft_pass *pass, char *const place[MFFT_PLACES], int backwards) {
  emulator *run = load(&pass->kernel);
  mfft_table table[MFFT_TABLES];
  const void *address[MFFT_TABLES];
  CHECK_OK(mfft_tables_make(pass, table));
  for (int i = 0; i < MFFT_TABLES; i++) address[i] = table[i].data;
  mfft_tables_place(pass, address);
  pass->args.in = place[pass->src];
  pass->args.out = place[pass->dst];
  pass->args.middle = place[pass->middle];
  if (run)
    CHECK(run(&pass->args, (unsigned)pass->blocks, pass->kernel.cluster ? (unsigned)pass->kernel.cluster : 1,
              (unsigned)(pass->kernel.lines * pass->kernel.threads), (size_t)pass->kernel.shared_bytes, backwards),
          "beyond its shared memory");
  mfft_tables_free(table);
}

/* Packed lines of n1 n2 complexes of `bytes` each from natural to scrambled order. */
static void scramble(void *data, int64_t n, int64_t n1, int64_t batch, size_t bytes) {
  char *natural = malloc((size_t)(n * batch) * bytes), *to = data;
  memcpy(natural, data, (size_t)(n * batch) * bytes);
  for (int64_t b = 0; b < batch; b++)
    for (int64_t k = 0; k < n; k++)
      memcpy(to + (size_t)(b * n + k % n1 * (n / n1) + k / n1) * bytes, natural + (size_t)(b * n + k) * bytes, bytes);
  free(natural);
}

/* A filter for a spec: what mfft_pass_args wants, in doubles or floats, with places of the tables that are not at their
 * beginnings, and no value far from 1.  Divides the input by it, so that the transform of the product is that of the input
 * as it was; or multiplies the truth. */
enum { FILTER_PAD = 3 };
static void *make_filter(const mfft_fft_spec *spec, int odd, transform_case *c) {
  const mfft_filter_shape *s = &spec->filter;
  int64_t reals = 0;
  for (int a = 0; a < 3; a++) reals += 2 * (s->n[a + 1] + FILTER_PAD);
  double *image = calloc(MFFT_FILTER_HEAD + (size_t)reals, sizeof *image), *head = image, *table = head + MFFT_FILTER_HEAD;
  uint64_t state = 5;
  head[MFFT_FILTER_SCALE] = -2;
  head[MFFT_FILTER_SINGULAR] = 0.25;
  head[MFFT_FILTER_ODD] = odd;
  for (int64_t i = 0; i < reals; i++) table[i] = 1 + 0.5 * test_random(&state);
  for (int a = 0; a < 3; a++) table[2 * s->table[a] + 1] = 0; /* the first element is singular */
  if (spec->precision != MFFT_DOUBLE)
    for (int64_t i = 0; i < reals; i++) {
      float rounded = (float)table[i];
      memcpy((float *)table + i, &rounded, sizeof rounded); /* in place: floats never overtake doubles */
    }
  for (int64_t b = 0; b < s->n[0]; b++)
    for (int64_t x = 0; x < s->n[1]; x++)
      for (int64_t y = 0; y < s->n[2]; y++)
        for (int64_t z = 0; z < s->n[3]; z++) {
          const int64_t k[3] = {x, y, z},
                        at = 2 * (b * s->stride[0] + x * s->stride[1] + y * s->stride[2] + z * s->stride[3]);
          double f = 1, d = 0;
          for (int a = 0; a < 3; a++) {
            f *= stored_value(spec->precision, table, 2 * (s->table[a] + k[a]));
            d += stored_value(spec->precision, table, 2 * (s->table[a] + k[a]) + 1);
          }
          const double value = -2 * (d == 0 ? 0.25 : f / d);
          const int input = spec->filtered == MFFT_FILTER_INPUT;
          const mfft_precision p = input ? spec->precision : MFFT_DOUBLE;
          void *array = input ? c->in : (void *)c->truth;
          const double scale = input ? 1 / value : value, turn = odd ? (input ? -1 : 1) : 0;
          const double re = stored_value(p, array, at) * scale, im = stored_value(p, array, at + 1) * scale;
          store_value(p, array, at, odd ? -turn * im : re);
          store_value(p, array, at + 1, odd ? turn * re : im);
        }
  return image;
}

static double play_of(const mfft_fft_spec *spec, case_input input, const mfft_device_limits *limits, int backwards) {
  mfft_schedule schedule;
  transform_case c;
  CHECK_OK(mfft_schedule_make(spec, limits, &schedule));
  if (backwards) mfft_schedule_in_parts(spec, &schedule);
  CHECK(case_make_of(&c, spec, input, 42), "FFTW");
  if (spec->scrambled) {
    int forward = spec->direction == MFFT_FORWARD;
    scramble(forward ? c.truth : c.in, spec->axis[0].n, spec->scrambled, spec->loop[0].n,
             forward ? 16 : 2 * stored_bytes(spec->precision));
  }
  void *filter = NULL;
  static int filters;
  if (spec->filtered) {
    mfft_pass_filter *f = &schedule.pass[spec->filtered == MFFT_FILTER_INPUT ? 0 : schedule.count - 1].args.filter;
    CHECK(mfft_cuda_fuse_filter(spec, &schedule), "no filter in a pass");
    filter = make_filter(spec, filters & 1, &c);
    f->tables = filter;
    if (filters++ % 3 == 2) f->narrow = 0; /* as for large arrays */
  }
  char *work = malloc(2 * schedule.work_bytes + 64);
  memset(work, 0xff, 2 * schedule.work_bytes + 64);
  size_t in_bytes = (size_t)c.in_reals * stored_bytes(spec->precision);
  void *before = malloc(in_bytes);
  memcpy(before, c.in, in_bytes);
  char *place[MFFT_PLACES] = {c.in, c.out, work, work + schedule.work2_offset_bytes};
  for (int i = 0; i < schedule.count; i++) run_pass(&schedule.pass[i], place, backwards);
  double error = case_error(&c, c.out);
  char text[512];
  mfft_schedule_print(&schedule, text, sizeof text);
  CHECK(error <= (filter ? 2 : 1) * case_bound(spec) + case_spacing(&c),
        "type %d n %lld %lld %lld in place %d precision %d input %d: error %.2e by %s", spec->type,
        (long long)spec->axis[0].n, (long long)spec->axis[1].n, (long long)spec->axis[2].n, spec->in_place, spec->precision,
        (int)input, error, text);
  if (!spec->in_place && !spec->destroy_input) CHECK(!memcmp(before, c.in, in_bytes), "the input of %s was changed", text);
  if (getenv("MFFT_TEST_VERBOSE")) printf("%.2e of %.2e %s\n", error, case_bound(spec), text);
  free(filter);
  free(before);
  free(work);
  case_free(&c);
  return error;
}

static double play(const mfft_fft_spec *spec, const mfft_device_limits *limits, int backwards) {
  return play_of(spec, CASE_NOISE, limits, backwards);
}

/* A packed batch of rank-dimensional arrays. */
static mfft_compute compute;
static mfft_fft_spec packed(mfft_fft_type type, int rank, const int64_t *n, int64_t batch, int in_place,
                            mfft_precision precision) {
  mfft_fft_spec s = {.type = type,
                     .compute = compute,
                     .direction = type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD,
                     .precision = precision,
                     .scale = 0.5,
                     .naxes = rank,
                     .nloops = 1,
                     .in_place = in_place};
  int64_t half = n[rank - 1] / 2 + 1, real_row = in_place ? 2 * half : n[rank - 1], is = 1, os = 1;
  for (int a = rank - 1; a >= 0; a--) {
    s.axis[a] = (mfft_dim){n[a], is, os};
    is *= a < rank - 1 || type == MFFT_FFT_C2C ? n[a] : type == MFFT_FFT_R2C ? real_row : half;
    os *= a < rank - 1 || type == MFFT_FFT_C2C ? n[a] : type == MFFT_FFT_R2C ? half : real_row;
  }
  s.loop[0] = (mfft_dim){batch, is, os};
  return s;
}

static void all_types(int rank, const int64_t *n, int64_t batch, const mfft_device_limits *limits) {
  static int count;
  for (int type = 0; type < 3; type++, count++) {
    mfft_fft_spec s = packed((mfft_fft_type)type, rank, n, batch, count & 1, count % 5 < 3 ? MFFT_SINGLE : MFFT_DOUBLE);
    play(&s, limits, count % 3 == 1);
  }
}

/* Lines and planes in clusters of every size, one chain or several before and after the exchange. */
static void clusters(void) {
  static const struct {
    int64_t n[2];
    int cluster, first, values;
    mfft_precision precision;
  } cases[] = {{{1 << 14, 0}, 2, 0, 0, MFFT_DOUBLE},  {{1 << 14, 0}, 4, 32, 32, MFFT_SINGLE},
               {{1 << 15, 0}, 8, 0, 16, MFFT_SINGLE}, {{1 << 15, 0}, 16, 256, 0, MFFT_SINGLE},
               {{64, 128}, 1, 0, 0, MFFT_SINGLE},     {{128, 64}, 2, 0, 0, MFFT_DOUBLE},
               {{64, 256}, 8, 0, 16, MFFT_SINGLE}}; /* [7] */
  for (int i = 0; i < 7; i++) {
    mfft_fft_spec s = packed(MFFT_FFT_C2C, cases[i].n[1] ? 2 : 1, cases[i].n, 2, i & 1, cases[i].precision);
    s.cluster = cases[i].cluster;
    s.cluster_first = (int)cases[i].first;
    s.cluster_values = cases[i].values;
    if (i % 3 == 1) s.direction = MFFT_BACKWARD;
    mfft_schedule schedule;
    CHECK_OK(mfft_schedule_make(&s, &mfft_limits_sm90, &schedule));
    CHECK(schedule.count == 1 && schedule.pass[0].kernel.cluster == s.cluster, "case %d takes no cluster", i);
    play(&s, &mfft_limits_sm90, i % 2);
  }
}

/* Lines and planes in relays of one part, a few, and a last one that is not full. */
static void relays(void) {
  static const struct {
    int64_t n[2], batch, bytes;
    mfft_precision precision;
  } cases[] = {{{1 << 12, 0}, 5, 2 << 15, MFFT_SINGLE}, {{1 << 13, 0}, 2, 1 << 17, MFFT_DOUBLE},
               {{1 << 15, 0}, 3, 1 << 18, MFFT_SINGLE}, {{64, 64}, 7, 3 << 15, MFFT_SINGLE},
               {{256, 64}, 3, 1 << 20, MFFT_DOUBLE},    {{32, 128}, 4, 1, MFFT_DOUBLE}}; /* [6] */
  for (int i = 0; i < 6; i++) {
    mfft_fft_spec s = packed(MFFT_FFT_C2C, cases[i].n[1] ? 2 : 1, cases[i].n, cases[i].batch, i % 2, cases[i].precision);
    s.relay_bytes = cases[i].bytes;
    if (i % 3 == 1) s.direction = MFFT_BACKWARD;
    mfft_schedule schedule;
    CHECK_OK(mfft_schedule_make(&s, &mfft_limits_sm90, &schedule));
    CHECK(schedule.count == 1 && schedule.pass[0].kernel.engine == MFFT_ENGINE_RELAY, "case %d takes no relay", i);
    play(&s, &mfft_limits_sm90, i % 2);
  }
}

/* Long lines side by side in clusters: columns of planes, the last of which fill no tile, and lines of two passes, which
 * turn and lie apart in the output of the first.  Blocks take one tile, or several in turn on a device of one
 * multiprocessor; one whose segments are long counts shorter lines as long ones. */
static void columns(void) {
  static const struct {
    int64_t n[2];
    int blocks, ahead, segment, first; /* whether the first pass is of columns too */
    mfft_precision precision;
  } cases[] = {{{2048, 20}, 8, 0, 128, 0, MFFT_DOUBLE},   {{1024, 40}, 4, 1, 128, 0, MFFT_SINGLE},
               {{4096, 11}, 16, 1, 64, 0, MFFT_DOUBLE},   {{1024, 50}, 2, 0, 128, 0, MFFT_SINGLE},
               {{512, 70}, 1, 1, 192, 0, MFFT_SINGLE},    {{1 << 18, 0}, 1, 0, 256, 1, MFFT_SINGLE},
               {{1 << 18, 0}, 2, 1, 256, 1, MFFT_DOUBLE}, {{1 << 16, 0}, 8, 1, 512, 0, MFFT_DOUBLE}}; /* [8] */
  for (int i = 0; i < 8; i++) {
    mfft_fft_spec s = packed(MFFT_FFT_C2C, cases[i].n[1] ? 2 : 1, cases[i].n, 2, i % 3 == 1, cases[i].precision);
    mfft_device_limits few = mfft_limits_sm90;
    few.segment_bytes = cases[i].segment;
    few.sms = 1;
    s.columns = cases[i].blocks;
    s.ahead = cases[i].ahead;
    if (i % 3 == 2) s.direction = MFFT_BACKWARD;
    mfft_schedule schedule;
    CHECK_OK(mfft_schedule_make(&s, &few, &schedule));
    CHECK(schedule.count == 2, "case %d takes %d passes", i, schedule.count);
    for (int p = !cases[i].first; p < 2; p++)
      CHECK(schedule.pass[p].kernel.cluster == s.columns && schedule.pass[p].kernel.columns > 1, "case %d, pass %d", i, p);
    play(&s, &few, i % 2);
  }
  int64_t n = 1024 * 20; /* columns that turn, in scrambled order */
  for (int i = 0; i < 2; i++) {
    mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &n, 1, 0, (mfft_precision)i);
    s.scrambled = 1024;
    s.columns = 4;
    s.ahead = i;
    play(&s, &mfft_limits_sm90, i);
  }
}

static int one(char **word) {
  const int64_t n[3] = {atoll(word[1]), atoll(word[2]), atoll(word[3])};
  mfft_fft_spec s = packed((mfft_fft_type)atoi(word[0]),
                           n[2]   ? 3
                           : n[1] ? 2
                                  : 1,
                           n, atoll(word[4]), atoi(word[5]), (mfft_precision)atoi(word[6]));
  mfft_schedule schedule;
  char text[512];
  CHECK_OK(mfft_schedule_make(&s, &mfft_limits_sm90, &schedule));
  mfft_schedule_print(&schedule, text, sizeof text);
  printf("%.2e of %.2e by %s\n", play(&s, &mfft_limits_sm90, 0), case_bound(&s), text);
  return test_end();
}

/* A device with little shared memory splits lengths that a test can afford: 1024 elements of double, 2048 of single. */
static mfft_device_limits small_device(void) {
  mfft_device_limits small = mfft_limits_sm90;
  small.shared_bytes = 8192 + 17 * 16 * 64;
  return small;
}

/* The filter over the complex input or output of a spec. */
static mfft_fft_spec with_filter(mfft_fft_spec s, mfft_filtered which) {
  int64_t start = FILTER_PAD;
  const int input = which == MFFT_FILTER_INPUT;
  s.filtered = which;
  s.filter = (mfft_filter_shape){.n = {1, 1, 1, 1}, .stride = {input ? s.loop[0].is : s.loop[0].os, 1, 1, 1}};
  s.filter.n[0] = s.loop[0].n;
  for (int a = 0; a < s.naxes; a++) {
    int halved = s.type != MFFT_FFT_C2C && a == s.naxes - 1;
    s.filter.n[a + 1] = halved ? s.axis[a].n / 2 + 1 : s.axis[a].n;
    s.filter.stride[a + 1] = input ? s.axis[a].is : s.axis[a].os;
  }
  for (int a = 0; a < 3; a++) {
    s.filter.table[a] = start;
    start += s.filter.n[a + 1];
  }
  return s;
}

/* The kernel that only multiplies, against the one of the host: rows of all lengths, boxes in another order of memory with
 * gaps and a batch, in place and not, every type. */
static void filter_alone(void) {
  static const int64_t n[][4] = {{2, 5, 7, 300}, {1, 3, 40, 2}, {3, 1, 1, 1}, {1, 2000, 2, 3}}; /* [4] */
  enum { ROOM = 2 * 60000, TABLE = 2 * 2400 };
  static double in[ROOM], got[ROOM], want[ROOM], doubles[MFFT_FILTER_HEAD + TABLE], floats[MFFT_FILTER_HEAD + TABLE];
  for (int run = 0; run < 16; run++) {
    const int64_t *m = n[run / 4];
    const mfft_precision p = (mfft_precision)(run % 4);
    mfft_filter_shape s = {.n = {m[0], m[1], m[2], m[3]}, .table = {0, m[1] + 1, m[1] + m[2] + 3}};
    if (run & 1) /* axis 0 is the nearest */
      s.stride[1] = 1, s.stride[3] = m[1] + 2, s.stride[2] = s.stride[3] * m[3], s.stride[0] = s.stride[2] * m[2];
    else
      s.stride[3] = 1, s.stride[2] = m[3], s.stride[1] = m[2] * m[3] + 1, s.stride[0] = s.stride[1] * m[1];
    uint64_t state = 9 + (uint64_t)run;
    doubles[MFFT_FILTER_SCALE] = floats[MFFT_FILTER_SCALE] = 1.5;
    doubles[MFFT_FILTER_SINGULAR] = floats[MFFT_FILTER_SINGULAR] = -0.5;
    doubles[MFFT_FILTER_ODD] = floats[MFFT_FILTER_ODD] = run / 2 % 2;
    for (int i = 0; i < TABLE; i++) {
      float value = (float)(1 + test_random(&state));
      for (int a = 0; a < 3; a++)
        if (i == 2 * s.table[a] + 1) value = 0; /* the first element is singular */
      doubles[MFFT_FILTER_HEAD + i] = value;
      memcpy((float *)(floats + MFFT_FILTER_HEAD) + i, &value, sizeof value);
    }
    for (int i = 0; i < ROOM; i++) store_value(p, in, i, test_random(&state));
    int in_place = run / 4 % 2;
    memcpy(got, in, sizeof in);
    memcpy(want, in, sizeof in);
    CHECK_OK(mfft_host_filter(p, &s, doubles, in, want, NULL));
    mfft_filter_args args;
    unsigned blocks = mfft_cuda_filter_args(&s, p == MFFT_DOUBLE ? doubles : floats, in_place ? got : in, got, &args);
    mfft_kernel kernel = mfft_plain_kernel(MFFT_ENGINE_FILTER, p);
    emulator *launch = load(&kernel);
    if (!launch) continue;
    /* As many blocks as it wants, and fewer, which then take several rows. */
    CHECK(launch(&args, run % 3 ? blocks : (blocks + 2) / 3, 1, MFFT_FILTER_THREADS, 0, run & 1), "shared memory");
    static const double bound[] = {1e-15, 5e-7, 1e-3, 8e-3}; /* [mfft_precision] */
    double error = 0, size = 0;
    for (int i = 0; i < (int)(ROOM * sizeof(double) / stored_bytes(p)) && i < ROOM; i++) {
      double x = stored_value(p, got, i), y = stored_value(p, want, i);
      error += (x - y) * (x - y);
      size += y * y;
    }
    CHECK(error <= bound[p] * bound[p] * size, "run %d: off by %g", run, sqrt(error / size));
  }
}

/* Filters in the first pass or the last: lines and columns, short ones that are staged, axes of several passes, half
 * spectra, and boxes whose axes lie in another order in memory. */
static void filters(void) {
  mfft_device_limits small = small_device();
  static const struct {
    int rank;
    int64_t n[3];
    int small;
  } shapes[] = {{1, {10, 0, 0}, 0},  {1, {256, 0, 0}, 0}, {1, {4096, 0, 0}, 0}, {1, {9600, 0, 0}, 1},
                {2, {64, 40, 0}, 0}, {2, {1, 30, 0}, 0},  {2, {4096, 6, 0}, 1}, {3, {16, 5, 12}, 0},
                {3, {12, 1, 64}, 0}, {3, {1, 1, 48}, 0},  {3, {256, 4, 6}, 0},  {3, {4, 3, 4096}, 1}}; /* [12] */
  int count = 0;
  for (int i = 0; i < 12; i++)
    for (int kind = 0; kind < 4; kind++, count++) {
      static const mfft_fft_type type[] = {MFFT_FFT_C2C, MFFT_FFT_C2R, MFFT_FFT_C2C, MFFT_FFT_R2C};
      mfft_fft_spec s = packed(type[kind], shapes[i].rank, shapes[i].n, i < 3 ? 21 : 2, count % 3 == 1,
                               count % 5 < 4 ? MFFT_SINGLE : MFFT_DOUBLE);
      s.direction = kind < 2 ? MFFT_BACKWARD : MFFT_FORWARD;
      s = with_filter(s, kind < 2 ? MFFT_FILTER_INPUT : MFFT_FILTER_OUTPUT);
      play(&s, shapes[i].small ? &small : &mfft_limits_sm90, count % 2);
    }
  /* One axis of a box whose other two are loops, from memory in another order. */
  for (int run = 0; run < 6; run++) {
    const int axis = run % 3;
    const int64_t n[3] = {30, 20, 12}, stride[3] = {20, 1, 30 * 20};
    mfft_fft_spec s = {.direction = MFFT_BACKWARD, .precision = MFFT_SINGLE, .scale = 1, .naxes = 1};
    s.axis[0] = (mfft_dim){n[axis], stride[axis], stride[axis]};
    s.filtered = run < 3 ? MFFT_FILTER_INPUT : MFFT_FILTER_OUTPUT;
    s.filter = (mfft_filter_shape){.n = {1, n[0], n[1], n[2]}, .stride = {1, stride[0], stride[1], stride[2]}};
    for (int a = 0, start = 1; a < 3; start += (int)n[a], a++) {
      s.filter.table[a] = start;
      if (a != axis) s.loop[s.nloops++] = (mfft_dim){n[a], stride[a], stride[a]};
    }
    play(&s, &mfft_limits_sm90, 0);
  }
}

/* ---- Scattered outputs ---- */

/* Lengths of the complex output of a spec, axes then loops. */
static void out_lengths(const mfft_fft_spec *s, int64_t n[3 + MFFT_MAX_LOOPS]) {
  for (int d = 0; d < s->naxes + s->nloops; d++) n[d] = d < s->naxes ? s->axis[d].n : s->loop[d - s->naxes].n;
  if (s->type == MFFT_FFT_R2C) n[s->naxes - 1] = n[s->naxes - 1] / 2 + 1;
}

/* Lays the shares out behind one another, packed, their dimensions slow to fast as `order` says, with a gap before each;
 * first [count + 1] in elements.  What a share does not hold of the axis that is cut another does. */
enum { GAP = 24 };
static void lay_out_shares(mfft_fft_spec *s, int count, const int *order, int64_t *first) {
  int64_t n[3 + MFFT_MAX_LOOPS], at = GAP;
  out_lengths(s, n);
  s->scatter.count = count;
  for (int i = 0; i < count; i++) {
    int64_t stride = 1;
    first[i] = at;
    for (int d = s->naxes + s->nloops - 1; d >= 0; d--) {
      const int dim = order[d];
      s->scatter.stride[i][dim] = stride;
      stride *= dim != s->scatter.axis ? n[dim] : mfft_part(n[dim], i + 1, count) - mfft_part(n[dim], i, count);
    }
    at += stride + GAP;
  }
  first[count] = at;
}

/* Moves the shares to the one array that the truth is compared with, and leaves `empty` in their places. */
static void gather(const mfft_fft_spec *s, char *shares, const int64_t *first, char *out, const char *empty) {
  const size_t bytes = 2 * stored_bytes(s->precision);
  const int dims = s->naxes + s->nloops, cut = s->scatter.axis;
  int64_t n[3 + MFFT_MAX_LOOPS], all = 1;
  out_lengths(s, n);
  for (int d = 0; d < dims; d++) all *= n[d];
  for (int64_t i = 0; i < all; i++) {
    int64_t rest = i, index[3 + MFFT_MAX_LOOPS], to = 0, from;
    int share = 0;
    for (int d = dims - 1; d >= 0; d--) {
      index[d] = rest % n[d];
      rest /= n[d];
      to += index[d] * (d < s->naxes ? s->axis[d].os : s->loop[d - s->naxes].os);
    }
    while (mfft_part(n[cut], share + 1, s->scatter.count) <= index[cut]) share++;
    from = first[share];
    index[cut] -= mfft_part(n[cut], share, s->scatter.count);
    for (int d = 0; d < dims; d++) from += index[d] * s->scatter.stride[share][d];
    memcpy(out + (size_t)to * bytes, shares + (size_t)from * bytes, bytes);
    memcpy(shares + (size_t)from * bytes, empty, bytes);
  }
}

static void play_scattered(mfft_fft_spec *s, int count, const int *order, int backwards) {
  const size_t bytes = 2 * stored_bytes(s->precision);
  const int cut = s->scatter.axis;
  int64_t first[MFFT_MAX_SHARES + 1], n[3 + MFFT_MAX_LOOPS];
  mfft_schedule schedule;
  transform_case c;
  char text[512];
  out_lengths(s, n);
  lay_out_shares(s, count, order, first);
  CHECK_OK(mfft_schedule_make(s, &mfft_limits_sm90, &schedule));
  mfft_schedule_print(&schedule, text, sizeof text);
  CHECK(strstr(text, " shares"), "%s", text);
  CHECK(case_make_of(&c, s, CASE_NOISE, 42), "FFTW");
  const size_t room = (size_t)first[count] * bytes, out_bytes = (size_t)c.out_reals * stored_bytes(s->precision);
  char *shares = aligned_alloc(64, (room + 63) / 64 * 64), *empty = malloc(bytes), *work = malloc(schedule.work_bytes + 64);
  memset(shares, 0x5a, room);
  memset(empty, 0x5a, bytes);
  mfft_pass *last = &schedule.pass[schedule.count - 1];
  for (int i = 0; i < count; i++)
    last->args.scatter.out[i] =
        shares + (first[i] - mfft_part(n[cut], i, count) * s->scatter.stride[i][cut]) * (int64_t)bytes;
  char *place[MFFT_PLACES] = {c.in, c.out, work, work + schedule.work2_offset_bytes, NULL};
  for (int i = 0; i < schedule.count; i++) run_pass(&schedule.pass[i], place, backwards);
  if (!s->in_place)
    for (size_t i = 0; i < out_bytes / stored_bytes(s->precision); i++)
      store_value(s->precision, c.out, (int64_t)i, 0.125); /* what lay between passes */
  gather(s, shares, first, c.out, empty);
  const double error = case_error(&c, c.out);
  size_t touched = 0;
  for (size_t i = 0; i < room; i++) touched += shares[i] != 0x5a;
  CHECK(error <= case_bound(s) + case_spacing(&c) && !touched, "%d shares, type %d, precision %d: error %.2e, %zu by %s",
        count, s->type, s->precision, error, touched, text);
  if (getenv("MFFT_TEST_VERBOSE")) printf("%.2e of %.2e %s\n", error, case_bound(s), text);
  free(work);
  free(empty);
  free(shares);
  case_free(&c);
}

/* The last pass before an exchange stores into arrays that lie apart: of slabs (planes of which the slow axis is cut, and
 * columns), of pencils (lines that are cut themselves), half spectra, in other orders of memory; shares that are alike and
 * not, of powers of two and not, some of them empty. */
static void scattered(void) {
  static const struct {
    mfft_fft_type type;
    int naxes, cut, sixteen;  /* 16 bits too */
    int64_t n[3];             /* axes, then loops */
    int before[3], shares[3]; /* order in memory, slow to fast */
  } shapes[] = {{MFFT_FFT_C2C, 2, 0, 0, {64, 32, 3}, {2, 0, 1}, {2, 0, 1}},
                {MFFT_FFT_C2C, 2, 0, 0, {60, 20, 2}, {2, 0, 1}, {2, 0, 1}},
                {MFFT_FFT_C2C, 1, 0, 1, {128, 5, 24}, {0, 1, 2}, {0, 1, 2}},
                {MFFT_FFT_C2C, 1, 0, 1, {256, 3, 5}, {1, 2, 0}, {1, 2, 0}},
                {MFFT_FFT_C2C, 1, 0, 1, {512, 2, 33}, {1, 0, 2}, {1, 0, 2}},
                {MFFT_FFT_C2C, 1, 0, 1, {1024, 2, 3}, {1, 2, 0}, {1, 2, 0}},
                {MFFT_FFT_C2C, 1, 0, 1, {64, 4, 20}, {1, 2, 0}, {1, 0, 2}},
                {MFFT_FFT_C2C, 1, 0, 0, {90, 4, 5}, {1, 0, 2}, {1, 0, 2}},
                {MFFT_FFT_C2C, 1, 0, 0, {5, 7, 40}, {1, 2, 0}, {1, 2, 0}},
                {MFFT_FFT_C2C, 1, 0, 0, {13, 7, 40}, {0, 1, 2}, {0, 1, 2}},
                {MFFT_FFT_R2C, 2, 0, 0, {64, 30, 3}, {2, 0, 1}, {2, 0, 1}},
                {MFFT_FFT_R2C, 1, 0, 0, {48, 5, 9}, {1, 2, 0}, {1, 2, 0}},
                {MFFT_FFT_R2C, 1, 0, 0, {512, 2, 2}, {1, 2, 0}, {1, 2, 0}},
                {MFFT_FFT_C2C, 2, 1, 1, {24, 128, 3}, {0, 1, 2}, {0, 1, 2}},
                {MFFT_FFT_C2C, 3, 1, 0, {6, 20, 10}, {0, 1, 2}, {0, 1, 2}}}; /* [15] */
  static const int counts[] = {8, 3, 2, 16, 7, 4, 1, 8, 6, 4};               /* [10] */
  int run = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int k = 0; k < (shapes[i].sixteen ? 4 : 2); k++, run++) {
      mfft_fft_spec s = {.type = shapes[i].type,
                         .precision = (mfft_precision)(shapes[i].sixteen ? 3 - k : k),
                         .scale = 0.5,
                         .naxes = shapes[i].naxes,
                         .nloops = 3 - shapes[i].naxes,
                         .scatter.axis = shapes[i].cut};
      int64_t is = 1, os = 1;
      for (int d = 2; d >= 0; d--) {
        const int dim = shapes[i].before[d], halved = s.type == MFFT_FFT_R2C && dim == s.naxes - 1;
        const int64_t n = shapes[i].n[dim];
        *(dim < s.naxes ? &s.axis[dim] : &s.loop[dim - s.naxes]) = (mfft_dim){n, is, os};
        is *= n;
        os *= halved ? n / 2 + 1 : n;
      }
      if (s.type == MFFT_FFT_C2C && run % 4 == 1) s.direction = MFFT_BACKWARD;
      play_scattered(&s, counts[run % 10], shapes[i].shares, run & 1);
    }

  /* What cannot. */
  const int64_t n = 1 << 15;
  mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &n, 2, 0, MFFT_SINGLE);
  s.scatter.count = 2;
  mfft_schedule none;
  CHECK_FAILS(mfft_schedule_make(&s, &mfft_limits_sm90, &none), MFFT_ERR_UNSUPPORTED, "shares");
  s = packed(MFFT_FFT_C2R, 1, &n, 2, 0, MFFT_SINGLE);
  s.scatter.count = 2;
  CHECK_FAILS(mfft_schedule_make(&s, &mfft_limits_sm90, &none), MFFT_ERR_UNSUPPORTED, "shares");
}

static void butterflies(void) {
  static const int64_t lengths[] = {2, 6, 10, 16, 30, 64, 90, 105, 128, 250, 1000, 2048, 4096}; /* [13] */
  for (int i = 0; i < 13; i++) all_types(1, &lengths[i], lengths[i] > 1000 ? 2 : 35, &mfft_limits_sm90);

  mfft_device_limits small = small_device();
  static const int64_t longer[] = {4096, 4374, 6000, 8192, 9600, 1 << 15}; /* [6] */
  for (int i = 0; i < 6; i++) all_types(1, &longer[i], 2, &small);
  static const int64_t shapes[][3] = {{20, 30, 1}, {64, 256, 1}, {5, 4096, 1}}; /* [3] */
  for (int i = 0; i < 3; i++) all_types(2, shapes[i], 2, &small);
  static const int64_t cube[3] = {6, 8, 60};
  all_types(3, cube, 2, &mfft_limits_sm90);

  /* Batch innermost, and everything spread out. */
  for (int type = 1; type < 3; type++)
    for (int64_t n = 64; n <= 4096; n *= 64) {
      mfft_fft_spec s = packed((mfft_fft_type)type, 1, &n, 21, 0, MFFT_SINGLE);
      s.axis[0].is = 21, s.axis[0].os = 24;
      s.loop[0].is = s.loop[0].os = 1;
      play(&s, n > 64 ? &small : &mfft_limits_sm90, 0);
    }

  /* Scrambled order, both directions; columns too long for a pass are refused, and left to stages of the plan. */
  for (int i = 0; i < 8; i++) {
    const int64_t n = i < 4 ? 4096 : 15 * 64;
    mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &n, 3, i / 2 % 2, i % 3 ? MFFT_SINGLE : MFFT_DOUBLE);
    s.direction = (mfft_direction)(i % 2);
    s.scrambled = i < 4 ? 64 : 30;
    play(&s, &small, i % 2);
  }
  int64_t tall = 1 << 18;
  mfft_fft_spec columns = packed(MFFT_FFT_C2C, 1, &tall, 1, 0, MFFT_DOUBLE);
  columns.scrambled = 512;
  mfft_schedule none;
  CHECK_FAILS(mfft_schedule_make(&columns, &small, &none), MFFT_ERR_UNSUPPORTED, "scrambled");
}

/* Tensor cores: powers of two, batches that fill no block, shapes, several passes, strides, and inputs that halves are too
 * narrow for. */
static void tensor_cores(void) {
  compute = MFFT_COMPUTE_TENSOR;
  mfft_device_limits small = small_device();
  for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++) {
    for (int bits = 4; bits <= 13; bits++) {
      int64_t n = 1ll << bits;
      mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &n, bits < 10 ? 35 : 2, bits & 1, (mfft_precision)p);
      if (bits & 2) s.direction = MFFT_BACKWARD;
      play(&s, &mfft_limits_sm90, bits % 3 == 1);
    }
    int64_t n = 1 << 15;
    mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &n, 1, 1, (mfft_precision)p);
    play(&s, &small, 0);
    n = 256;
    s = packed(MFFT_FFT_C2C, 1, &n, 21, 0, (mfft_precision)p);
    s.axis[0].is = 21, s.axis[0].os = 24; /* batch innermost, odd distances */
    s.loop[0].is = s.loop[0].os = 1;
    play(&s, &mfft_limits_sm90, 1);
    s.axis[0].os = 1; /* turned */
    s.loop[0].os = 257;
    play(&s, &mfft_limits_sm90, 0);
  }
  static const int64_t shape[3] = {16, 32, 64};
  all_types(3, shape, 2, &mfft_limits_sm90);
  static const int64_t lengths[] = {32, 256, 2048}; /* [3] */
  for (int i = 0; i < 3; i++)
    for (int input = CASE_NOISE; input < CASE_INPUTS; input++) {
      mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &lengths[i], 5, 0, MFFT_SINGLE);
      play_of(&s, (case_input)input, &mfft_limits_sm90, 0);
    }
}

/* 16-bit numbers on tensor cores.  On one multiprocessor, so that blocks take several tiles: every length of one pass and
 * named merges, columns, turned and odd strides, several passes, bfloat16 beyond the range of half. */
static void sixteen_bits(void) {
  mfft_device_limits few = mfft_limits_sm90, small = small_device();
  few.sms = 1;
  few.segment_bytes = 64;
  small.shared_bytes = 8192; /* 2048 elements */
  for (int p = MFFT_HALF; p <= MFFT_BFLOAT16; p++) {
    mfft_precision precision = (mfft_precision)p;
    for (int bits = 4; bits <= 14; bits++) {
      int64_t n = 1ll << bits;
      mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &n, 20480 / n + 2, bits & 1, precision);
      if (bits & 2) s.direction = MFFT_BACKWARD;
      if (bits % 3) s.scale = 1;
      play(&s, &few, bits % 3 == 1);
    }
    static const char *const named[] = {"16,2", "16,16,2"}; /* [2] for 32 and 512 */
    for (int i = 0; i < 2; i++) {
      int64_t n = i ? 512 : 32;
      mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &n, 5, 0, precision);
      s.radices[0] = named[i];
      play(&s, &few, 0);
    }
    static const int64_t shapes[][2] = {{16, 64}, {32, 128}, {256, 96}, {512, 128}, {1024, 16}}; /* [5] */
    for (int i = 0; i < 5; i++) {
      mfft_fft_spec s = packed(MFFT_FFT_C2C, 2, shapes[i], 2, i & 1, precision);
      play(&s, &few, i & 1);
    }
    for (int64_t n = 16; n <= 1024; n *= 8) {
      mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &n, 37, 0, precision);
      s.axis[0].is = 37, s.axis[0].os = 40; /* batch innermost, odd distances */
      s.loop[0].is = s.loop[0].os = 1;
      play(&s, &mfft_limits_sm90, 1);
      s.axis[0].is = 1, s.loop[0].is = n; /* turned one way */
      play(&s, &mfft_limits_sm90, 0);
      s.axis[0] = (mfft_dim){n, 40, 1}; /* and the other */
      s.loop[0] = (mfft_dim){40, 1, n};
      play(&s, &mfft_limits_sm90, 0);
    }
    for (int64_t n = 4096; n <= 1 << 15; n *= 8) {
      mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &n, 2, 0, precision);
      play(&s, &small, 0);
    }
    for (int input = CASE_TINY; precision == MFFT_BFLOAT16 && input < CASE_DENORMAL; input++)
      for (int64_t n = 64; n <= 2048; n *= 32) {
        mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &n, 5, 0, precision);
        play_of(&s, (case_input)input, &few, 0);
      }
  }
}

int main(int argc, char **argv) {
  if (!getenv("MFFT_TEST_SOURCE") || system("${CXX:-c++} --version >/dev/null 2>&1")) { /* NOLINT(cert-env33-c) */
    printf("no C++ compiler, or MFFT_TEST_SOURCE is not set\n");
    return TEST_SKIPPED;
  }
  CHECK(mkdtemp(folder) != NULL, "%s", folder);
  if (argc > 8) compute = (mfft_compute)atoi(argv[8]);
  if (argc >= 8) return one(argv + 1);
  if (argc > 1 && !strcmp(argv[1], "tensor"))
    tensor_cores();
  else if (argc > 1 && !strcmp(argv[1], "pairs"))
    clusters(), columns(), relays();
  else if (argc > 1 && !strcmp(argv[1], "filter"))
    filters(), filter_alone();
  else if (argc > 1 && !strcmp(argv[1], "sixteen"))
    sixteen_bits();
  else if (argc > 1 && !strcmp(argv[1], "scatter"))
    scattered();
  else
    butterflies();
  char clean[64];
  snprintf(clean, sizeof clean, "rm -r %s", folder);
  CHECK(system(clean) == 0, "%s", clean); /* NOLINT(cert-env33-c) */
  return test_end();
}
#endif
