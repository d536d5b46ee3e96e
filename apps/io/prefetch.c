/* prefetch.c: see prefetch.h.  A thread of its own gives the advice, since that may wait for the disk. */
#include "io/prefetch.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/report.h"

/* The system reads at most about this for one advice. */
enum { STEP_BYTES = 1 << 20 };

static struct {
  int running;
  pthread_t thread;
  atomic_int stop;
  int file;
  off_t from, to;
} prefetch;

static void *advise(void *unused) {
  for (off_t at = prefetch.from; at < prefetch.to && !atomic_load(&prefetch.stop); at += STEP_BYTES)
    posix_fadvise(prefetch.file, at, STEP_BYTES, POSIX_FADV_WILLNEED);
  close(prefetch.file);
  return unused;
}

void mfft_prefetch_stop(void) {
  if (!prefetch.running) return;
  atomic_store(&prefetch.stop, 1);
  pthread_join(prefetch.thread, NULL);
  prefetch.running = 0;
}

/* A thread that receives no signals: those go to the main thread.  0 if there is none. */
static int start_thread(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const int failed = pthread_create(&prefetch.thread, NULL, advise, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return !failed;
}

void mfft_prefetch_start(const char *path) {
  struct stat about;
  mfft_prefetch_stop();
  prefetch.file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (prefetch.file < 0) return;
  const int plain = !fstat(prefetch.file, &about) && S_ISREG(about.st_mode);
  const int64_t ranks = mfft_app_ranks(), rank = mfft_app_rank();
  prefetch.from = plain ? about.st_size / ranks * rank : 0;
  prefetch.to = plain ? (rank == ranks - 1 ? about.st_size : about.st_size / ranks * (rank + 1)) : 0;
  atomic_store(&prefetch.stop, 0);
  prefetch.running = plain && start_thread();
  if (!prefetch.running) close(prefetch.file);
}
