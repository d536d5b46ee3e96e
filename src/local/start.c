/* start.c: starts a device in a thread of its own while the caller does something else. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "local/backend.h"
#include "mfft_memory.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int running; /* guarded by lock */
static pthread_t thread;

static void *probe(void *backend) {
  ((const mfft_backend *)backend)->probe();
  return NULL;
}

/* Waits for the thread before the process ends, since the exit handlers of a driver must not run while it is started. */
static void join(void) {
  pthread_mutex_lock(&lock);
  if (running) pthread_join(thread, NULL);
  running = 0;
  pthread_mutex_unlock(&lock);
}

mfft_status mfft_backend_start(const char *name) {
  const char *wanted = name ? name : mfft_env_string(MFFT_ENV_BACKEND);
  const mfft_backend *found = NULL;
  for (int i = 0; mfft_backends[i] && !found; i++) {
    const mfft_backend *b = mfft_backends[i];
    if (wanted && *wanted ? !strcmp(wanted, b->name) : !b->host_memory) found = b;
  }
  if (!found && wanted && *wanted) return mfft_backend_find(wanted, &found); /* fails with a message on unknown names */
  if (!found || !found->placed || !found->placed()) return MFFT_SUCCESS;
  sigset_t all, before;
  pthread_mutex_lock(&lock);
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before); /* the thread inherits the mask, so that it handles no signals */
  if (!running && !pthread_create(&thread, NULL, probe, (void *)found)) running = !atexit(join) || !pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_mutex_unlock(&lock);
  return MFFT_SUCCESS;
}
