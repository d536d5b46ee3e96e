// TEST ranks=1,3 labels=dist timeout=120 needs=unsanitized
// TEST ranks=2 labels=emulated+nightly timeout=120 args=cuda needs=unsanitized
/* Memory is exhausted on one rank: each allocation of the library fails in turn while plans and exchanges are made, on every
 * transport, of the host or of the named backend.  All ranks fail together, with the message of that rank, and nothing hangs
 * or crashes; the call works when there is memory again. */
#include "failing_malloc.h"
#include "mfft_inspect.h"
#include "mfft_mpi.h"

#ifndef FAILING_MALLOC_WORKS
int main(void) { return TEST_SKIPPED; }
#else

typedef struct subject {
  mfft_desc plan;
  mfft_options options;
  mfft_exchange_desc exchange;
  mfft_exchange_options exchange_options;
} subject;

static mfft_status make_plan(const void *object) {
  const subject *s = object;
  mfft_plan plan = NULL;
  const mfft_status status = mfft_plan_create_mpi(MPI_COMM_WORLD, &s->plan, &s->options, &plan);
  mfft_plan_destroy(plan);
  return status;
}

static mfft_status make_local(const void *object) {
  const subject *s = object;
  mfft_plan plan = NULL;
  mfft_status status = mfft_plan_create(&s->plan, &s->options, &plan);
  mfft_plan_destroy(plan);
  int worst = (int)status;
  /* each_allocation_fails needs the same status on all ranks */
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return (mfft_status)worst;
}

static mfft_status make_exchange(const void *object) {
  const subject *s = object;
  mfft_exchange exchange = NULL;
  const mfft_status status = mfft_exchange_create(MPI_COMM_WORLD, &s->exchange, &s->exchange_options, &exchange);
  mfft_exchange_destroy(exchange);
  return status;
}

static mfft_status save_and_load(const void *path) {
  const mfft_status status = mfft_wisdom_save(MPI_COMM_WORLD, path);
  return status == MFFT_SUCCESS ? mfft_wisdom_load(MPI_COMM_WORLD, path) : status;
}

int main(int argc, char **argv) {
  int rank, ranks;
  setenv("MFFT_WATCHDOG_S", "10", 0);
  setenv("MFFT_LOG", "0", 1);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  subject s;
  mfft_desc_init(&s.plan);
  mfft_options_init(&s.options);
  s.plan.n[0] = 6, s.plan.n[1] = 5, s.plan.n[2] = 8;
  s.plan.kind = MFFT_R2C;
  s.options.backend = argc > 1 ? argv[1] : "fftw";
  if (!mfft_backend_usable(s.options.backend, NULL, 0)) return MPI_Finalize(), TEST_SKIPPED;
  s.options.effort = MFFT_ESTIMATE;
  s.plan.filtered = 3;
  mfft_exchange_desc_init(&s.exchange);
  mfft_exchange_options_init(&s.exchange_options);
  s.exchange.from = (mfft_box){{6 * rank / ranks, 0, 0}, {6 * (rank + 1) / ranks, 5, 8}, {0, 1, 2}};
  s.exchange.to = (mfft_box){{0, 0, 8 * rank / ranks}, {6, 5, 8 * (rank + 1) / ranks}, {0, 1, 2}};
  s.exchange.element_bytes = 8;
  s.exchange_options.backend = argc > 1 ? argv[1] : NULL;
  each_allocation_fails(make_local, &s, ranks - 1, "a local plan");
  for (int t = 0; t < mfft_transport_count(); t++) {
    s.options.transport = s.exchange_options.transport = mfft_transport_name(t);
    setenv("MFFT_NODE_RANKS", strcmp(s.options.transport, "hierarchical") ? "0" : "1", 1); /* it is for several nodes */
    const mfft_status first = make_plan(&s);
    if (first == MFFT_ERR_UNSUPPORTED) continue;                 /* not for this memory */
    if (first && !strcmp(s.options.transport, "nccl")) continue; /* which requires real GPUs */
    each_allocation_fails(make_plan, &s, ranks - 1, s.options.transport);
    if (make_exchange(&s) != MFFT_ERR_UNSUPPORTED) each_allocation_fails(make_exchange, &s, 0, s.options.transport);
  }
  unsetenv("MFFT_NODE_RANKS");
  s.options.transport = NULL;
  s.plan.placement = MFFT_IN_PLACE;
  s.options.wire = MFFT_WIRE_HALF;
  each_allocation_fails(make_plan, &s, 0, "half the width, in place");
  s.plan.placement = MFFT_OUT_OF_PLACE;
  s.options.wire = MFFT_WIRE_FULL;
  s.options.effort = MFFT_TUNE_MEASURE;
  setenv("MFFT_TUNE_S", "0.001", 1); /* one candidate */
  each_allocation_fails(make_plan, &s, 0, "tuning");
  char path[32];
  snprintf(path, sizeof path, "wisdom-%d.txt", ranks);
  each_allocation_fails(save_and_load, path, 0, "wisdom");
  MPI_Finalize();
  return test_end();
}
#endif
