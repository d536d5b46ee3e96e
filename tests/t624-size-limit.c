// TEST labels=core
/* A write beyond the limit of file sizes fails with EFBIG while its signal is blocked, and the handling of signals by the
 * program is unchanged: its own handler, a signal that it has blocked and waits for, and other threads. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/system.h"
#include "check.h"

static volatile sig_atomic_t handled;
static void handle(int number) { handled += number == SIGXFSZ; }

static int is_pending(void) {
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
}

/* Writes beyond the limit; returns whether it failed as it should. */
static int write_beyond(void) {
  mfft_posix_signals signals;
  mfft_posix_quiet(&signals);
  const int fd = open("beyond", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const ssize_t put = pwrite(fd, "x", 1, 4096);
  const int right = put < 0 && errno == EFBIG;
  close(fd);
  mfft_posix_restore(&signals);
  return right;
}

static void *write_often(void *failures) {
  for (int i = 0; i < 2000; i++) *(int *)failures += !write_beyond();
  return NULL;
}

int main(void) {
  const struct rlimit limit = {4096, RLIM_INFINITY};
  CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  CHECK(write_beyond() && !is_pending(), "the default, which ends the process");

  /* Threads that begin and end at any time. */
  pthread_t thread[4];
  int failures[4] = {0};
  for (int i = 0; i < 4; i++) CHECK(pthread_create(&thread[i], NULL, write_often, &failures[i]) == 0);
  for (int i = 0; i < 4; i++) CHECK(pthread_join(thread[i], NULL) == 0 && failures[i] == 0, "%d failures", failures[i]);

  struct sigaction own = {.sa_handler = handle}, after;
  CHECK(sigaction(SIGXFSZ, &own, NULL) == 0);
  CHECK(write_beyond() && !handled, "the program's handler was called for a write of ours");
  CHECK(sigaction(SIGXFSZ, NULL, &after) == 0 && after.sa_handler == handle, "the handler has changed");
  CHECK(raise(SIGXFSZ) == 0 && handled == 1, "the handler is no longer called");

  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  CHECK(raise(SIGXFSZ) == 0 && is_pending());
  CHECK(write_beyond() && is_pending() && handled == 1, "a signal that the program waits for was taken");
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  CHECK(handled == 2, "the signal did not arrive");
  unlink("beyond");
  return test_end();
}
