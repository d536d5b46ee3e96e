// TEST
// TEST labels=cuda args=cuda
// TEST labels=emulated args=cuda
/* Threads: four plan and execute different plans at once and get the results of one thread, on a device too; a plan of two
 * threads gives the result of a plan of one; one plan refuses to be executed twice at once. */
#include <pthread.h>

#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "transform.h"

enum { WORKERS = 4, ROUNDS = 12, RUNS = 20 };
static const char *backend = "fftw";

typedef struct worker {
  pthread_t thread;
  int index, failures;
} worker;

static void *work(void *argument) {
  worker *w = argument;
  for (int round = 0; round < ROUNDS; round++) {
    enum { N = 12 * 15 * 16 };
    mfft_desc d;
    mfft_options options;
    mfft_desc_init(&d);
    mfft_options_init(&options);
    d.n[0] = 12, d.n[1] = 15, d.n[2] = 8 + 4 * ((w->index + round) % 3);
    d.precision = round % 2 ? MFFT_SINGLE : MFFT_DOUBLE;
    d.kind = MFFT_R2C;
    options.backend = backend;
    options.effort = round % 4 ? MFFT_ESTIMATE : MFFT_MEASURE;
    d.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
    mfft_plan plan = NULL;
    double in[N] = {0}, back[N];
    void *array[3] = {NULL, NULL, NULL}; /* in, out, back, in the memory of the backend */
    const int64_t count = d.n[0] * d.n[1] * d.n[2];
    uint64_t state = (uint64_t)(208 + w->index);
    for (int64_t i = 0; i < count; i++) test_store(d.precision, in, i, test_random(&state));
    int failed = mfft_plan_create(&d, &options, &plan) != MFFT_SUCCESS;
    for (int i = 0; i < 3; i++) failed += mfft_memory_alloc(backend, 2 * sizeof in, &array[i]) != MFFT_SUCCESS;
    if (!failed) failed += mfft_memory_upload(backend, array[0], in, sizeof in) != MFFT_SUCCESS;
    for (int i = 0; i < RUNS && !failed; i++) {
      failed += mfft_execute(plan, MFFT_FORWARD, array[0], array[1]) != MFFT_SUCCESS;
      failed += mfft_execute(plan, MFFT_BACKWARD, array[1], array[2]) != MFFT_SUCCESS;
      failed += mfft_plan_synchronize(plan) != MFFT_SUCCESS;
      failed += mfft_memory_download(backend, back, array[2], sizeof back) != MFFT_SUCCESS;
      for (int64_t j = 0; j < count; j++)
        failed += !(fabsl(test_load(d.precision, back, j) - test_load(d.precision, in, j)) < 1e-6);
    }
    w->failures += failed;
    mfft_plan_destroy(plan);
    for (int i = 0; i < 3; i++) mfft_memory_free(backend, array[i]);
  }
  return NULL;
}

static void check_two_threads(void) {
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = 40, d.n[1] = 48, d.n[2] = 50;
  options.threads = 2;
  options.backend = "fftw";
  options.effort = MFFT_ESTIMATE;
  for (int kind = 0; kind < 2; kind++)
    for (int precision = 0; precision < MFFT_PRECISION_COUNT; precision++) {
      if (precision == MFFT_BFLOAT16) continue; /* as half */
      d.kind = (mfft_kind)kind;
      d.precision = (mfft_precision)precision;
      d.scale[0] = d.scale[1] = MFFT_SCALE_SQRT;
      test_both(&d, &options, 208, 0);
    }
}

static void *execute_on(void *argument) {
  void **a = argument;
  return (void *)(intptr_t)mfft_execute(a[0], MFFT_FORWARD, a[1], a[2]);
}

static void check_busy(void) {
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = 1;
  d.n[0] = 3000;
  options.backend = "ref"; /* slow enough to be met */
  mfft_plan plan = NULL;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  double *in = calloc(6000, sizeof *in), *out = calloc(12000, sizeof *out);
  int refused = 0, other = 0;
  for (int i = 0; i < 20 && !refused; i++) {
    pthread_t thread;
    void *arguments[] = {plan, in, out}, *result = NULL;
    pthread_create(&thread, NULL, execute_on, arguments);
    mfft_status mine = mfft_execute(plan, MFFT_FORWARD, in, out + 6000);
    pthread_join(thread, &result);
    const mfft_status theirs = (mfft_status)(intptr_t)result;
    refused += (mine == MFFT_ERR_STATE) + (theirs == MFFT_ERR_STATE);
    other += (mine != MFFT_SUCCESS && mine != MFFT_ERR_STATE) + (theirs != MFFT_SUCCESS && theirs != MFFT_ERR_STATE);
  }
  CHECK(refused > 0 && other == 0, "%d refused, %d failed otherwise", refused, other);
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out));
  free(in);
  free(out);
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  if (argc > 1) backend = argv[1];
  if (!mfft_backend_usable(backend, NULL, 0)) return TEST_SKIPPED;
  worker workers[WORKERS] = {0};
  for (int i = 0; i < WORKERS; i++) {
    workers[i].index = i;
    CHECK(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0, "no thread");
  }
  for (int i = 0; i < WORKERS; i++) {
    pthread_join(workers[i].thread, NULL);
    CHECK(workers[i].failures == 0, "thread %d: %d failures", i, workers[i].failures);
  }
  if (argc > 1) return test_end();
  check_two_threads();
  check_busy();
  return test_end();
}
