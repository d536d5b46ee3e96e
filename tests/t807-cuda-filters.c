// TEST labels=emulated timeout=300
/* Filters on the device: multiplied in the first pass or the last of a transform, and by the kernel that only multiplies;
 * compared with FFTW and with the host. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "local/cuda/backend.h"
#include "local/cuda/ops/service.h"
#include "local/cuda/planner/filter_fusion.h"
#include "local/host/host.h"
#include "schedule_case.h"

/* A filter for a spec: the mfft_pass_args of it, in doubles or floats, with offsets into the tables that are not zero, and
 * no value far from 1.  Divides the input by it, so that the transform of the product is that of the unchanged input; or
 * multiplies the truth. */
enum { FILTER_PAD = 3 };
static void *make_filter(const mfft_fft_spec *spec, int odd, transform_case *c, size_t *bytes) {
  const mfft_filter_shape *s = &spec->filter;
  int64_t reals = 0;
  for (int a = 0; a < 3; a++) reals += 2 * (s->n[a + 1] + FILTER_PAD);
  double *image = calloc(MFFT_FILTER_HEAD + (size_t)reals, sizeof *image), *head = image, *table = head + MFFT_FILTER_HEAD;
  *bytes = (MFFT_FILTER_HEAD + (size_t)reals) * sizeof *image;
  uint64_t state = 5;
  head[MFFT_FILTER_SCALE] = -2;
  head[MFFT_FILTER_SINGULAR] = 0.25;
  head[MFFT_FILTER_ODD] = odd;
  for (int64_t i = 0; i < reals; i++) table[i] = 1 + 0.5 * test_random(&state);
  for (int a = 0; a < 3; a++) table[2 * s->table[a] + 1] = 0; /* the first element is singular */
  if (spec->precision != MFFT_DOUBLE)
    for (int64_t i = 0; i < reals; i++) {
      float rounded = (float)table[i];
      /* in place: float i ends before the first double that is still to be read */
      memcpy((float *)table + i, &rounded, sizeof rounded);
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

static void prepare_filter(const mfft_fft_spec *spec, mfft_schedule *schedule, transform_case *c, case_extra *extra) {
  static int filters;
  mfft_pass_filter *f = &schedule->pass[spec->filtered == MFFT_FILTER_INPUT ? 0 : schedule->count - 1].args.filter;
  CHECK(mfft_filter_fuse(spec, schedule), "no filter in a pass");
  extra->host = make_filter(spec, filters & 1, c, &extra->bytes);
  if (filters++ % 3 == 2) f->narrow = 0; /* as for large arrays */
}
static void play_filtered(const mfft_fft_spec *spec, const mfft_device_limits *limits, int backwards) {
  case_extra extra = {.prepare = prepare_filter};
  play_with(spec, CASE_NOISE, limits, backwards, &extra);
}

/* The filter on the complex input or output of a spec. */
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
    char *tables = on_device(p == MFFT_DOUBLE ? doubles : floats, sizeof doubles), *from = on_device(in, sizeof in),
         *to = in_place ? from : on_device(got, sizeof got);
    unsigned blocks = mfft_cuda_filter_args(&s, tables, from, to, &args);
    const mfft_service_kernel kernel = {.service = MFFT_SERVICE_FILTER, .precision = p};
    mfft_cuda_current here;
    CUfunction function;
    CHECK_OK(mfft_cuda_find_current(&here));
    CHECK_OK(mfft_service_load(&here, &kernel, &function));
    choose_order(1 + (run & 1));
    /* As many blocks as it requests, and fewer, which then handle several rows. */
    CHECK_OK(mfft_launch(gpu, function, 0, run % 3 ? blocks : (blocks + 2) / 3, 1, MFFT_FILTER_THREADS, 0, &args, NULL,
                         "a filter"));
    gpu->copy_to_host(got, (CUdeviceptr)to, sizeof got);
    choose_order(0);
    mfft_backend_cuda.free(tables);
    mfft_backend_cuda.free(from);
    if (!in_place) mfft_backend_cuda.free(to);
    static const double bound[] = {1e-15, 5e-7, 1e-3, 8e-3}; /* [mfft_precision] */
    double error = 0, size = 0;
    for (int i = 0; i < (int)(ROOM * sizeof(double) / mfft_real_bytes(p)) && i < ROOM; i++) {
      double x = stored_value(p, got, i), y = stored_value(p, want, i);
      error += (x - y) * (x - y);
      size += y * y;
    }
    CHECK(error <= bound[p] * bound[p] * size, "run %d: off by %g", run, sqrt(error / size));
  }
}

/* Filters in the first pass or the last: lines and columns, short ones that are staged, axes of several passes, half
 * spectra, and boxes whose axes are in another order in memory. */
static void filters(void) {
  mfft_device_limits small = small_device();
  static const struct {
    int rank;
    int64_t n[3];
    int small;
  } shapes[] = {{1, {10, 0, 0}, 0},  {1, {256, 0, 0}, 0},  {1, {4096, 0, 0}, 0}, {1, {9600, 0, 0}, 1}, {2, {64, 40, 0}, 0},
                {2, {1, 30, 0}, 0},  {2, {4096, 6, 0}, 1}, {3, {16, 5, 12}, 0},  {3, {12, 1, 64}, 0},  {3, {1, 1, 48}, 0},
                {3, {256, 4, 6}, 0}, {3, {4, 3, 4096}, 1}, {3, {41, 4, 6}, 0}}; /* [13] */
  int count = 0;
  for (int i = 0; i < 13; i++)
    for (int kind = 0; kind < 4; kind++, count++) {
      if (i % 3 && kind % 2 != i % 2) continue; /* one half of the kinds, and all of some shapes */
      static const mfft_fft_type type[] = {MFFT_FFT_C2C, MFFT_FFT_C2R, MFFT_FFT_C2C, MFFT_FFT_R2C};
      mfft_fft_spec s = packed(type[kind], shapes[i].rank, shapes[i].n, i < 3 ? 21 : 2, count % 3 == 1,
                               count % 5 < 4 ? MFFT_SINGLE : MFFT_DOUBLE);
      s.direction = kind < 2 ? MFFT_BACKWARD : MFFT_FORWARD;
      s = with_filter(s, kind < 2 ? MFFT_FILTER_INPUT : MFFT_FILTER_OUTPUT);
      play_filtered(&s, shapes[i].small ? &small : &mfft_limits_sm90, count % 2);
    }
  /* One axis of a box whose other two are loops, for memory in another order. */
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
    play_filtered(&s, &mfft_limits_sm90, 0);
  }
}

/* Planes of 12 x 10 of which a batch of 4 is the nearest loop, or is between the axes; none is left out. */
static void batch_inside(void) {
  static const int64_t stride[][3] = {{40, 4, 1}, {40, 1, 10}, {1, 48, 12}, {4, 48, 1}}; /* [][axis 0, axis 1, batch] */
  for (int run = 0; run < 4; run++) {
    const int64_t *at = stride[run];
    mfft_fft_spec s = {.precision = MFFT_DOUBLE, .scale = 1, .naxes = 2, .nloops = 1};
    s.direction = run % 2 ? MFFT_BACKWARD : MFFT_FORWARD;
    for (int a = 0; a < 2; a++) s.axis[a] = (mfft_dim){a ? 10 : 12, at[a], at[a]};
    s.loop[0] = (mfft_dim){4, at[2], at[2]};
    s = with_filter(s, run % 2 ? MFFT_FILTER_INPUT : MFFT_FILTER_OUTPUT);
    play_filtered(&s, &mfft_limits_sm90, 0);
  }
}

/* Strided lines of lengths that have a measured block (tuned/filter_rules.h), on a device that few of them keep busy. */
static void measured_blocks(void) {
  enum { Y = 12, Z = 9, SMS = 2 };
  static const struct {
    mfft_precision precision;
    int n, radix, lines; /* radix: of the first merge */
  } cases[] = {{MFFT_SINGLE, 432, 18, 16}, {MFFT_DOUBLE, 540, 20, 8}};
  mfft_device_limits few = mfft_limits_sm90;
  few.sms = SMS;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int64_t n = cases[i].n;
    const mfft_fft_spec s = {
        .direction = MFFT_BACKWARD,
        .precision = cases[i].precision,
        .scale = 1,
        .naxes = 1,
        .nloops = 2,
        .axis = {{n, Y * Z, Y * Z}},
        .loop = {{Y, Z, Z}, {Z, 1, 1}},
        .filtered = MFFT_FILTER_INPUT,
        .filter = {.n = {1, n, Y, Z}, .stride = {n * Y * Z, Y * Z, Z, 1}, .table = {0, n + 1, n + Y + 2}}};
    mfft_schedule schedule;
    CHECK_OK(mfft_schedule_make(&s, &few, &schedule));
    const mfft_chain *chain = &schedule.pass[0].kernel.chain;
    CHECK(chain->radix[0] == cases[i].radix && chain->lines == cases[i].lines, "%d: first radix %d, %d lines", chain->n,
          chain->radix[0], chain->lines);
    play_filtered(&s, &few, 0);
  }
}

/* Runs all of some cases, where others are sampled. */
static void run_all(void (*cases)(void)) {
  const int all = test_all();
  setenv("MFFT_TEST_ALL", "1", 1);
  cases();
  if (!all) unsetenv("MFFT_TEST_ALL");
}

int main(void) {
  if (!gpu_here()) return TEST_SKIPPED;
  run_all(batch_inside);
  run_all(measured_blocks);
  filters();
  filter_alone();
  return test_end();
}
#endif
