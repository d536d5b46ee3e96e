// TEST ranks=1 labels=dist+once timeout=300
/* Predictions for 65,536 ranks in one process, which plan as a rank of a job does: each takes less than a second, also
 * where it chooses the grid, and less than 50 MB beyond what the process has when MPI has begun, and the bytes of all ranks
 * of an exchange are those of the array. */
#include <sys/resource.h>
#include <time.h>

#include "check.h"
#include "mfft_mpi.h"
#include "mfft_predict.h"

#ifdef TEST_ADDRESS_SANITIZER
static const double most_s = 20, most_bytes = 1e9;
#else
static const double most_s = 1, most_bytes = 50e6;
#endif

static double cpu_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double bytes_before; /* of the process, before the first plan */

/* The most memory that the process had so far. */
static double peak_bytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * (double)usage.ru_maxrss - bytes_before;
}

static void predict(int64_t n, int p, int q, int rank, int host) {
  mfft_machine m;
  mfft_machine_init(&m);
  m.host_memory = host;
  m.memory_bandwidth = 1e12;
  m.near_bandwidth = 1e11;
  m.far_bandwidth = 1e10;
  const mfft_cluster cluster = {&m, 8192, 8, 0};
  mfft_desc desc;
  mfft_options options;
  mfft_prediction result;
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  desc.n[0] = desc.n[1] = desc.n[2] = n;
  desc.kind = MFFT_R2C;
  options.grid[0] = p;
  options.grid[1] = q;
  const double begin = cpu_s();
  CHECK_OK(mfft_predict(&desc, &options, &cluster, rank, &result));
  const double spent = cpu_s() - begin, peak = peak_bytes();
  CHECK(spent < most_s, "rank %d of %d x %d: %.2f s", rank, p, q, spent);
  CHECK(peak < most_bytes, "rank %d of %d x %d: %.0f MB", rank, p, q, peak / 1e6);
  const mfft_predicted *d = &result.direction[MFFT_FORWARD];
  CHECK((d->far_messages > 0) == (result.array_bytes[MFFT_IN] > 0), "rank %d has %lld bytes and sends %lld messages", rank,
        (long long)result.array_bytes[MFFT_IN], (long long)d->far_messages);
}

/* On a grid that divides the lengths each rank has an even share: of pencils, (P-1)/P and (Q-1)/Q of it leave. */
static void even_shares(void) {
  mfft_machine m;
  mfft_machine_init(&m);
  m.memory_bandwidth = m.near_bandwidth = m.far_bandwidth = 1e12;
  const mfft_cluster cluster = {&m, 8192, 8, 0};
  mfft_desc desc;
  mfft_options options;
  mfft_prediction p;
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  desc.n[0] = desc.n[1] = desc.n[2] = 4096;
  desc.order = MFFT_ORDER_TRANSPOSED;
  options.grid[0] = options.grid[1] = 256;
  CHECK_OK(mfft_predict(&desc, &options, &cluster, 40000, &p));
  const int64_t bytes = INT64_C(4096) * 4096 * 4096 / 65536 * 16, leaves = 2 * (bytes - bytes / 256);
  const mfft_predicted *d = &p.direction[MFFT_FORWARD];
  CHECK(p.array_bytes[MFFT_IN] == bytes && p.array_bytes[MFFT_OUT] == bytes, "%lld bytes",
        (long long)p.array_bytes[MFFT_IN]);
  CHECK(d->near_bytes + d->far_bytes == leaves, "%lld bytes leave, not %lld", (long long)(d->near_bytes + d->far_bytes),
        (long long)leaves);
  CHECK(d->near_bytes == bytes / 256 * 7, "%lld bytes to near ranks", (long long)d->near_bytes); /* of its row of 256 */
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  bytes_before = peak_bytes();
  for (int host = 0; host < 2; host++)
    for (int rank = 0; rank < 65536; rank += 21845) {
      predict(16384, 256, 256, rank, host);
      predict(16384, 65536, 1, rank, host); /* four ranks a plane: three of them have none */
    }
  predict(16384, 0, 0, 21845, 1); /* the grid is chosen among 17 */
  predict(100, 0, 0, 65535, 0);   /* the grid is chosen; more ranks than lines */
  even_shares();
  MPI_Finalize();
  return test_end();
}
