// TEST ranks=1,2,3 labels=dist
/* Threads of a rank that each have a communicator and plans of their own make and execute them at the same time, on every
 * transport of the host, if MPI allows calls from any thread. */
#include <pthread.h>

#include "check.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"

enum { WORKERS = 3, ROUNDS = 20 };

static const char *const transports[WORKERS] = {"pairwise", "p2p", "alltoallv"};

typedef struct worker {
  pthread_t thread;
  MPI_Comm comm;
  const char *transport;
  double worst; /* error of a round trip; NAN where a call failed */
  char message[256];
} worker;

static void *work(void *argument) {
  worker *w = argument;
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  size_t bytes[2]; /* [side] */
  double *field = NULL, *modes = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = 12, d.n[1] = 10, d.n[2] = 9;
  options.backend = "fftw";
  options.effort = MFFT_ESTIMATE;
  options.transport = w->transport;
  d.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  w->worst = NAN;
  if (mfft_plan_create_mpi(w->comm, &d, &options, &plan) != MFFT_SUCCESS) goto failed;
  for (int side = 0; side < 2; side++)
    if (mfft_plan_bytes(plan, (mfft_side)side, &bytes[side]) != MFFT_SUCCESS) goto failed;
  if (mfft_alloc(bytes[MFFT_IN], (void **)&field) != MFFT_SUCCESS) goto failed;
  if (mfft_alloc(bytes[MFFT_OUT], (void **)&modes) != MFFT_SUCCESS) goto failed;
  double worst = 0;
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t state = (uint64_t)round;
    for (size_t i = 0; i < bytes[MFFT_IN] / sizeof *field; i++) field[i] = test_random(&state);
    if (mfft_execute(plan, MFFT_FORWARD, field, modes) != MFFT_SUCCESS) goto failed;
    memset(field, 0, bytes[MFFT_IN]);
    if (mfft_execute(plan, MFFT_BACKWARD, modes, field) != MFFT_SUCCESS) goto failed;
    mfft_box box;
    if (mfft_plan_box(plan, MFFT_IN, &box) != MFFT_SUCCESS) goto failed;
    const int64_t held = 2 * (box.hi[0] - box.lo[0]) * (box.hi[1] - box.lo[1]) * (box.hi[2] - box.lo[2]);
    state = (uint64_t)round;
    for (int64_t i = 0; i < held; i++) worst = fmax(worst, fabs(field[i] - test_random(&state)));
  }
  w->worst = worst;
failed:
  if (isnan(w->worst)) snprintf(w->message, sizeof w->message, "%s", mfft_last_error());
  mfft_free(field);
  mfft_free(modes);
  mfft_plan_destroy(plan);
  return NULL;
}

int main(int argc, char **argv) {
  int provided;
  worker workers[WORKERS];
  setenv("MFFT_WATCHDOG_S", "20", 0);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) return MPI_Finalize(), TEST_SKIPPED;
  for (int i = 0; i < WORKERS; i++) {
    workers[i] = (worker){.transport = transports[i]};
    MPI_Comm_dup(MPI_COMM_WORLD, &workers[i].comm);
  }
  for (int i = 0; i < WORKERS; i++) CHECK(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0, "thread %d", i);
  for (int i = 0; i < WORKERS; i++) {
    pthread_join(workers[i].thread, NULL);
    CHECK(workers[i].worst < 1e-15, "%s: %g %s", workers[i].transport, workers[i].worst, workers[i].message);
    MPI_Comm_free(&workers[i].comm);
  }
  MPI_Finalize();
  return test_end();
}
