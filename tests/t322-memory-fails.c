// TEST ranks=1,2,3 labels=dist timeout=120
/* Memory that runs out on one rank: each allocation of the library fails in turn while plans and exchanges are made, on
 * every transport of the host.  All ranks fail together, with the story of that rank, and nothing hangs or crashes; the call
 * works when there is memory again. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "check.h"
#include "mfft_mpi.h"

#if defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__)
int main(void) { return TEST_SKIPPED; } /* which has its own malloc */
#else

/* ---- Memory that runs out: calls from this program, which holds the library, not from MPI or FFTW
 * ---------------------------- */

extern char __executable_start, etext; /* of the linker */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
static int64_t fails_at = -1, calls; /* the call that fails; calls so far */

static int fails(const void *caller) {
  const char *c = caller;
  return fails_at >= 0 && c >= &__executable_start && c < &etext && calls++ == fails_at;
}
void *malloc(size_t bytes) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes); }
void *calloc(size_t n, size_t bytes) { return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, bytes); }
void *realloc(void *p, size_t bytes) { return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, bytes); }
int posix_memalign(void **pointer, size_t alignment, size_t bytes) {
  extern void *__libc_memalign(size_t, size_t);
  if (fails(__builtin_return_address(0))) return 12; /* ENOMEM */
  *pointer = __libc_memalign(alignment, bytes);
  return *pointer ? 0 : 12;
}

/* ---- Tests
 * ------------------------------------------------------------------------------------------------------------------- */

static int rank, ranks;

typedef struct subject {
  mfft_desc plan;
  mfft_exchange_desc exchange;
} subject;

static mfft_status make_plan(const subject *s) {
  mfft_plan plan = NULL;
  const mfft_status status = mfft_plan_create_mpi(MPI_COMM_WORLD, &s->plan, &plan);
  mfft_plan_destroy(plan);
  return status;
}

static mfft_status make_exchange(const subject *s) {
  mfft_exchange exchange = NULL;
  const mfft_status status = mfft_exchange_create(MPI_COMM_WORLD, &s->exchange, &exchange);
  mfft_exchange_destroy(exchange);
  return status;
}

/* Fails the first allocation of the rank, then the second, until the call makes no more of them. */
static void run_out(mfft_status (*make)(const subject *), const subject *s, int poor, const char *what) {
  CHECK(make(s) == MFFT_SUCCESS, "%s: %s", what, mfft_last_error());
  int64_t most = 2000;
  for (int64_t at = 0; at < most; at++) {
    if (rank == poor) fails_at = at, calls = 0;
    const mfft_status status = make(s);
    int spent = calls > at;
    fails_at = -1;
    MPI_Bcast(&spent, 1, MPI_INT, poor, MPI_COMM_WORLD);
    if (!spent) {
      CHECK(status == MFFT_SUCCESS && at > 10, "%s: %d allocations, %s", what, (int)at, mfft_last_error());
      return;
    }
    /* A candidate or a transport may do without what it lacks. */
    int worst = (int)status, least = (int)status;
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    CHECK(worst == least, "%s: allocation %d: %d on this rank, %d to %d on all", what, (int)at, (int)status, least, worst);
    CHECK(status == MFFT_SUCCESS || status == MFFT_ERR_MEMORY, "%s: allocation %d: %s", what, (int)at, mfft_last_error());
  }
  CHECK(0, "%s: no end after %d allocations", what, (int)most);
}

int main(int argc, char **argv) {
  setenv("MFFT_WATCHDOG_S", "10", 0);
  setenv("MFFT_LOG", "0", 1);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static const char *const transports[] = {"pairwise", "alltoallv", "p2p"};
  for (int t = 0; t < 3; t++) {
    subject s = {0};
    mfft_desc_init(&s.plan);
    s.plan.n[0] = 6, s.plan.n[1] = 5, s.plan.n[2] = 8;
    s.plan.kind = MFFT_R2C;
    s.plan.backend = "fftw";
    s.plan.effort = MFFT_ESTIMATE;
    s.plan.transport = transports[t];
    s.plan.filtered = 3;
    run_out(make_plan, &s, ranks - 1, transports[t]);

    mfft_exchange_desc_init(&s.exchange);
    s.exchange.from = (mfft_box){{6 * rank / ranks, 0, 0}, {6 * (rank + 1) / ranks, 5, 8}, {0, 1, 2}};
    s.exchange.to = (mfft_box){{0, 0, 8 * rank / ranks}, {6, 5, 8 * (rank + 1) / ranks}, {0, 1, 2}};
    s.exchange.transport = transports[t];
    s.exchange.element_bytes = 8;
    run_out(make_exchange, &s, 0, transports[t]);
  }
  MPI_Finalize();
  return test_end();
}
#endif
