// TEST
/* Pools of threads: every iteration runs once, threads share the iterations, the failure of the lowest iteration is
 * returned, a pool of one thread works, and a pool ends that runs a loop which nobody waits for. */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"
#include "base/workers.h"
#include "check.h"

enum { ITERATIONS = 10000 };

typedef struct state {
  _Atomic int times[ITERATIONS]; /* that an iteration has run */
  _Atomic int threads[64];       /* [worker] iterations */
  _Atomic int inside, most;      /* threads in the task at once */
  int64_t fail_from;             /* the first iteration that fails */
} state;

static mfft_status count(void *context, int64_t i, int worker) {
  state *s = context;
  s->times[i]++;
  s->threads[worker]++;
  if (i >= s->fail_from) return mfft_fail(MFFT_ERR_IO, "iteration %d failed", (int)i);
  return MFFT_SUCCESS;
}

/* Makes two threads meet: an iteration ends when another has begun, or after ten seconds. */
static mfft_status meet(void *context, int64_t i, int worker) {
  state *s = context;
  (void)i, (void)worker;
  s->inside++;
  for (int waited = 0; s->inside < 2 && waited < 10000; waited++) nanosleep(&(struct timespec){0, 1000000}, NULL);
  s->most = s->inside > s->most ? s->inside : s->most;
  return MFFT_SUCCESS;
}

static void loops(mfft_workers workers) {
  static state s;
  for (int loop = 0; loop < 50; loop++) {
    memset(&s, 0, sizeof s);
    s.fail_from = ITERATIONS;
    CHECK_OK(mfft_workers_run(workers, ITERATIONS, count, &s));
    int wrong = 0, sum = 0;
    for (int i = 0; i < ITERATIONS; i++) wrong += s.times[i] != 1;
    for (int i = 0; i < 64; i++) sum += s.threads[i];
    CHECK(!wrong && sum == ITERATIONS, "%d of %d iterations ran, %d not once", sum, ITERATIONS, wrong);
  }
  CHECK_OK(mfft_workers_run(workers, 0, count, &s));
}

static void failures(mfft_workers workers) {
  static state s;
  for (int loop = 0; loop < 50; loop++) {
    memset(&s, 0, sizeof s);
    s.fail_from = 100 + loop;
    char words[64];
    snprintf(words, sizeof words, "iteration %d failed", 100 + loop);
    mfft_workers_start(workers, ITERATIONS, count, &s);
    CHECK(mfft_workers_wait(workers) == MFFT_ERR_IO);
    CHECK(!strcmp(mfft_workers_error(workers), words), "the message is \"%s\"", mfft_workers_error(workers));
    CHECK(!s.times[ITERATIONS - 1], "iterations go on after a failure");
  }
  s.fail_from = ITERATIONS;
  CHECK_OK(mfft_workers_run(workers, 10, count, &s));
}

/* Lets the pool begin to end while this iteration runs. */
static mfft_status linger(void *context, int64_t i, int worker) {
  state *s = context;
  (void)worker;
  s->times[i]++;
  s->inside++;
  nanosleep(&(struct timespec){0, 50000000}, NULL);
  s->inside--;
  return MFFT_SUCCESS;
}

static void end_at_work(int threads) {
  static state s;
  memset(&s, 0, sizeof s);
  mfft_workers workers = mfft_workers_create(threads);
  alarm(20); /* ends the test if the pool does not end */
  mfft_workers_start(workers, ITERATIONS, linger, &s);
  for (int waited = 0; workers && s.inside == 0 && waited < 10000; waited++) nanosleep(&(struct timespec){0, 1000000}, NULL);
  mfft_workers_destroy(workers);
  alarm(0);
  CHECK(s.inside == 0 && !s.times[ITERATIONS - 1], "iterations go on after the end of a pool of %d", threads);
}

int main(void) {
  static const int threads[] = {0, 1, 2, 3, 8};
  for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
    mfft_workers workers = mfft_workers_create(threads[i]);
    CHECK(mfft_workers_count(workers) == (threads[i] > 1 ? threads[i] : 1));
    loops(workers);
    failures(workers);
    if (threads[i] > 1) {
      static state s;
      memset(&s, 0, sizeof s);
      CHECK_OK(mfft_workers_run(workers, 2, meet, &s));
      CHECK(s.most >= 2, "two iterations did not run at the same time");
    }
    mfft_workers_destroy(workers);
    end_at_work(threads[i]);
  }
  return test_end();
}
