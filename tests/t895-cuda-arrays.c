// TEST labels=cuda
/* The cost of an execute of one small transform that alternates among so many pairs of arrays: graphs whose arrays are
 * changed, and single launches.  Prints a table; only that everything runs is checked. */
#include <time.h>

#include "check.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

enum { MOST = 64, RUNS = 2000 };
static const int pairs[] = {1, 2, 8, 9, 32, 33, 64};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Microseconds of one execute, the best of a few samples. */
static double time_pairs(mfft_plan plan, void *const in[MOST], void *const out[MOST], int count) {
  double least = 1e9;
  for (int sample = 0; sample < 5; sample++) {
    CHECK_OK(mfft_plan_synchronize(plan));
    const double begin = now();
    for (int i = 0; i < RUNS; i++) CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in[i % count], out[i % count]));
    CHECK_OK(mfft_plan_synchronize(plan));
    const double each = 1e6 * (now() - begin) / RUNS;
    if (each < least) least = each;
  }
  return least;
}

static void table(const mfft_desc *d, const mfft_options *options, const char *what) {
  void *in[MOST], *out[MOST];
  mfft_plan plan[2] = {NULL, NULL}; /* [with graphs] */
  size_t bytes = 0;
  for (int graphs = 0; graphs < 2; graphs++) {
    setenv("MFFT_GRAPHS", graphs ? "1" : "0", 1);
    CHECK_OK(mfft_plan_create(d, options, &plan[graphs]));
  }
  CHECK_OK(mfft_plan_bytes(plan[0], MFFT_OUT, &bytes));
  for (int i = 0; i < MOST; i++) {
    CHECK_OK(mfft_memory_alloc("cuda", bytes, &in[i]));
    CHECK_OK(mfft_memory_alloc("cuda", bytes, &out[i]));
  }
  printf("%s, us of one execute\npairs of arrays   graphs   launches\n", what);
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    printf("%15d   %6.2f   %8.2f\n", pairs[i], time_pairs(plan[1], in, out, pairs[i]),
           time_pairs(plan[0], in, out, pairs[i]));
  for (int i = 0; i < MOST; i++) mfft_memory_free("cuda", in[i]), mfft_memory_free("cuda", out[i]);
  mfft_plan_destroy(plan[0]);
  mfft_plan_destroy(plan[1]);
}

int main(void) {
  if (!mfft_backend_usable("cuda", NULL, 0)) return TEST_SKIPPED;
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  options.backend = "cuda";
  options.effort = MFFT_ESTIMATE;
  d.precision = MFFT_SINGLE;
  d.n[0] = d.n[1] = d.n[2] = 64;
  table(&d, &options, "64^3 single");
  d.n[0] = d.n[1] = d.n[2] = 160;
  table(&d, &options, "160^3 single");
  return test_end();
}
