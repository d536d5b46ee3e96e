// TEST labels=cuda timeout=300 args=--small
/* Cosines or sines beside a real transform of the same shape on a GPU: DCT-II forward and DCT-III backward of every axis, or
 * another kind and its inverse, and R2C and C2R, out of place, each plan with its defaults, in one process.
 *
 *     t836-trigonometric-bench [--small] [--kind dct1|...|dst4] [--only SHAPE]
 *
 * Lines of type I have one number more (cosines) or less (sines), so that the period is twice the length of the shape.
 * MFFT_TEST_COMPILE=part/parts: only makes the plans of a part of the shapes, so that several processes compile at once.
 * Times are medians of rounds in which both plans take turns, each round of as many transforms as take some milliseconds.
 * Both directions restore the array to rounding, or the program fails. */
#include <math.h>

#include "base/clock.h"
#include "base/trigonometric.h"
#include "check.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

enum { ROUNDS = 9, COSINES = 0, WAVES = 1 };

static mfft_axis_kind kind = MFFT_DCT2;

typedef struct contender {
  mfft_plan plan;
  void *in, *out;
  double took[2][ROUNDS]; /* [direction][round] seconds of one transform */
} contender;

static void make(contender *c, const mfft_desc *shape, int which) {
  mfft_desc desc = *shape;
  mfft_options options;
  size_t bytes[2];
  mfft_options_init(&options);
  options.backend = "cuda";
  desc.kind = which == COSINES ? MFFT_R2R : MFFT_R2C;
  for (int a = 0; a < desc.rank && which == COSINES; a++)
    desc.axis_kind[a] = kind, desc.n[a] += kind == MFFT_DCT1 ? 1 : kind == MFFT_DST1 ? -1 : 0;
  desc.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  desc.allow_destroy_input = 1;
  CHECK_OK(mfft_plan_create(&desc, &options, &c->plan));
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_plan_bytes(c->plan, (mfft_side)side, &bytes[side]));
  CHECK_OK(mfft_memory_alloc("cuda", bytes[MFFT_IN], &c->in));
  CHECK_OK(mfft_memory_alloc("cuda", bytes[MFFT_OUT], &c->out));
}

static double run(contender *c, mfft_direction direction, int times) {
  const double begin = mfft_now();
  for (int i = 0; i < times; i++) {
    CHECK_OK(direction == MFFT_FORWARD ? mfft_execute(c->plan, direction, c->in, c->out)
                                       : mfft_execute(c->plan, direction, c->out, c->in));
  }
  CHECK_OK(mfft_plan_synchronize(c->plan));
  return (mfft_now() - begin) / times;
}

/* The largest change of an array of noise by both directions, relative to its largest number. */
static double round_trip(contender *c, size_t count, mfft_precision precision) {
  const size_t bytes = count * (precision == MFFT_SINGLE ? 4 : 8);
  void *values = malloc(bytes), *back = malloc(bytes);
  double most = 0;
  uint64_t state = 3;
  for (size_t i = 0; i < count; i++) {
    const double v = test_random(&state);
    if (precision == MFFT_SINGLE)
      ((float *)values)[i] = (float)v;
    else
      ((double *)values)[i] = v;
  }
  CHECK_OK(mfft_memory_upload("cuda", c->in, values, bytes));
  (void)run(c, MFFT_FORWARD, 1);
  (void)run(c, MFFT_BACKWARD, 1);
  CHECK_OK(mfft_memory_download("cuda", back, c->in, bytes));
  for (size_t i = 0; i < count; i++)
    most = fmax(most, precision == MFFT_SINGLE ? fabs(((float *)values)[i] - ((float *)back)[i])
                                               : fabs(((double *)values)[i] - ((double *)back)[i]));
  free(values);
  free(back);
  return 2 * most;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int compiles; /* 1: nothing runs */

static void compare(const mfft_desc *shape, const char *name) {
  contender c[2];
  size_t count = (size_t)shape->batch;
  for (int a = 0; a < shape->rank; a++) count *= (size_t)(shape->n[a] - (kind == MFFT_DST1));
  for (int which = 0; which < 2; which++) {
    make(&c[which], shape, which);
    const double error = compiles ? 0 : round_trip(&c[which], count, shape->precision);
    CHECK(error < (shape->precision == MFFT_SINGLE ? 1e-5 : 1e-13), "%s: a round trip is off by %g", name, error);
  }
  if (compiles) return;
  const int times = count < 1000000 ? 100 : 10;
  for (int round = 0; round < ROUNDS; round++)
    for (int turn = 0; turn < 4; turn++) {
      contender *one = &c[(round + turn) % 2];
      one->took[turn / 2][round] = run(one, turn / 2 ? MFFT_BACKWARD : MFFT_FORWARD, times);
    }
  for (int direction = 0; direction < 2; direction++) {
    for (int which = 0; which < 2; which++) qsort(c[which].took[direction], ROUNDS, sizeof(double), ascending);
    const double cosines = c[COSINES].took[direction][ROUNDS / 2], waves = c[WAVES].took[direction][ROUNDS / 2];
    printf("%-12s %s  %s %9.2f us  %s %9.2f us  ratio %.3f\n", name, shape->precision == MFFT_SINGLE ? "single" : "double",
           mfft_trigonometric_of[direction ? mfft_trigonometric_of[kind].inverse : kind].name, 1e6 * cosines,
           direction ? "C2R" : "R2C", 1e6 * waves, cosines / waves);
    fflush(stdout);
  }
  for (int which = 0; which < 2; which++) {
    mfft_memory_free("cuda", c[which].in);
    mfft_memory_free("cuda", c[which].out);
    mfft_plan_destroy(c[which].plan);
  }
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int rank;
    int64_t n[3], batch;
  } shapes[] = {{"64^3", 3, {64, 64, 64}, 1},       {"512 x 2^17", 1, {512}, 1 << 17}, {"4096 x 2^14", 1, {4096}, 1 << 14},
                {"4096^2", 2, {4096, 4096}, 1},     {"512^3", 3, {512, 512, 512}, 1},  {"500^3", 3, {500, 500, 500}, 1},
                {"1024^2 x 8", 2, {1024, 1024}, 8}, {"2048^2", 2, {2048, 2048}, 1},    {"8192^2", 2, {8192, 8192}, 1}};
  if (!mfft_backend_usable("cuda", NULL, 0)) return TEST_SKIPPED;
  const char *const share = getenv("MFFT_TEST_COMPILE"), *only = NULL;
  size_t count = sizeof shapes / sizeof *shapes;
  int part = 0, parts = 1, number = 0;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--small")) count = 1;
    if (!strcmp(argv[i], "--only") && i + 1 < argc) only = argv[i + 1];
    for (int k = MFFT_DCT1; k <= MFFT_DST4 && i + 1 < argc; k++)
      if (!strcmp(argv[i], "--kind") && !strcmp(argv[i + 1], mfft_trigonometric_of[k].name)) kind = (mfft_axis_kind)k;
  }
  if (share) {
    compiles = 1;
    CHECK(sscanf(share, "%d/%d", &part, &parts) == 2 && parts > 0, "MFFT_TEST_COMPILE is %s, not part/parts", share);
  }
  for (size_t i = 0; i < count; i++)
    for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++) {
      mfft_desc desc;
      if ((only && strcmp(only, shapes[i].name)) || number++ % parts != part) continue;
      mfft_desc_init(&desc);
      desc.rank = shapes[i].rank, desc.batch = shapes[i].batch, desc.precision = (mfft_precision)p;
      memcpy(desc.n, shapes[i].n, sizeof desc.n);
      compare(&desc, shapes[i].name);
    }
  return test_end();
}
