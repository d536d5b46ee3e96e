/* workers.c: see workers.h. */
#include "base/workers.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 4096, ERROR_BYTES = 1024 };

/* The loop that is being run, guarded by the mutex of the pool. */
typedef struct loop {
  int64_t count, next; /* iterations; the lowest that no thread has taken */
  int busy;            /* threads that are running a task */
  mfft_workers_task *task;
  void *context;
  mfft_status status; /* status of `failed`, the lowest iteration that failed */
  int64_t failed;
  char error[ERROR_BYTES];
} loop;

struct mfft_workers_s {
  pthread_mutex_t mutex;
  pthread_cond_t work, done; /* work: iterations can be taken, or the pool ends; done: no thread runs a task any more */
  int ending;
  int threads;       /* the caller's included */
  pthread_t *thread; /* [threads - 1] */
  loop loop;
};

/* The loop of a NULL pool between start and wait. */
static _Thread_local loop alone;

/* Records the failure of the lowest iteration; no further iteration begins. */
static void note(loop *l, int64_t iteration, mfft_status status) {
  l->next = l->count;
  if (l->status != MFFT_SUCCESS && iteration > l->failed) return;
  l->status = status;
  l->failed = iteration;
  strncpy(l->error, mfft_last_error(), ERROR_BYTES - 1);
}

/* Runs iterations until all are taken.  The mutex is held at the call and on return. */
static void take(mfft_workers w, int worker) {
  loop *l = &w->loop;
  while (l->next < l->count) {
    const int64_t iteration = l->next++;
    l->busy++;
    pthread_mutex_unlock(&w->mutex);
    const mfft_status status = l->task(l->context, iteration, worker);
    pthread_mutex_lock(&w->mutex);
    l->busy--;
    if (status != MFFT_SUCCESS) note(l, iteration, status);
  }
  if (!l->busy) pthread_cond_broadcast(&w->done);
}

/* Argument of a new thread. */
typedef struct thread_argument {
  mfft_workers workers;
  int worker;
} thread_argument;

static void *work(void *given) {
  const thread_argument mine = *(thread_argument *)given;
  mfft_workers w = mine.workers;
  free(given);
  pthread_mutex_lock(&w->mutex);
  for (;;) {
    take(w, mine.worker);
    if (w->ending) break; /* the pool may have begun to end during a task, when this thread did not wait for `work` */
    pthread_cond_wait(&w->work, &w->mutex);
  }
  pthread_mutex_unlock(&w->mutex);
  return NULL;
}

/* Starts one more thread; returns 0 if that is not possible. */
static int start_thread(mfft_workers w) {
  thread_argument *mine = malloc(sizeof *mine);
  if (!mine) return 0;
  *mine = (thread_argument){w, w->threads};
  if (pthread_create(&w->thread[w->threads - 1], NULL, work, mine) != 0) {
    free(mine);
    return 0;
  }
  w->threads++;
  return 1;
}

mfft_workers mfft_workers_create(int threads) {
  if (threads > MOST_THREADS) threads = MOST_THREADS;
  if (threads < 2) return NULL;
  mfft_workers w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->threads = 1;
  w->thread = malloc((size_t)(threads - 1) * sizeof *w->thread);
  pthread_mutex_init(&w->mutex, NULL);
  pthread_cond_init(&w->work, NULL);
  pthread_cond_init(&w->done, NULL);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before); /* threads inherit the mask */
  pthread_mutex_lock(&w->mutex);             /* released when all threads have their number */
  while (w->thread && w->threads < threads && start_thread(w)) {
  }
  pthread_mutex_unlock(&w->mutex);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (w->threads > 1) return w;
  mfft_workers_destroy(w);
  return NULL;
}

void mfft_workers_destroy(mfft_workers w) {
  if (!w) return;
  pthread_mutex_lock(&w->mutex);
  w->ending = 1;
  w->loop.next = w->loop.count;
  pthread_cond_broadcast(&w->work);
  pthread_mutex_unlock(&w->mutex);
  for (int i = 0; i + 1 < w->threads; i++) pthread_join(w->thread[i], NULL);
  pthread_cond_destroy(&w->done);
  pthread_cond_destroy(&w->work);
  pthread_mutex_destroy(&w->mutex);
  free(w->thread);
  free(w);
}

int mfft_workers_count(mfft_workers w) { return w ? w->threads : 1; }

void mfft_workers_start(mfft_workers w, int64_t count, mfft_workers_task *task, void *context) {
  const loop begun = {.count = count, .task = task, .context = context};
  if (!w) {
    alone = begun;
    return;
  }
  pthread_mutex_lock(&w->mutex);
  w->loop = begun;
  pthread_cond_broadcast(&w->work);
  pthread_mutex_unlock(&w->mutex);
}

mfft_status mfft_workers_wait(mfft_workers w) {
  if (!w) {
    const loop mine = alone; /* a copy, since a task may start a loop of its own */
    mfft_status status = MFFT_SUCCESS;
    for (int64_t i = 0; i < mine.count && status == MFFT_SUCCESS; i++) status = mine.task(mine.context, i, 0);
    return status;
  }
  pthread_mutex_lock(&w->mutex);
  take(w, 0);
  while (w->loop.busy) pthread_cond_wait(&w->done, &w->mutex);
  w->loop.count = 0;
  const mfft_status status = w->loop.status;
  pthread_mutex_unlock(&w->mutex);
  return status;
}

mfft_status mfft_workers_run(mfft_workers w, int64_t count, mfft_workers_task *task, void *context) {
  mfft_workers_start(w, count, task, context);
  return mfft_workers_wait(w);
}

const char *mfft_workers_error(mfft_workers w) { return w ? w->loop.error : mfft_last_error(); }
