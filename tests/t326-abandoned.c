// TEST ranks=2 labels=dist
/* A transfer that is destroyed before its messages have arrived, as after a failure: later messages are discarded, and are
 * not stored into an array that its owner uses again. */
#include "check.h"
#include "dist/transport.h"

enum { BYTES = 1000 };

int main(int argc, char **argv) {
  int rank;
  MPI_Comm comm;
  mfft_topology topology;
  mfft_transfer *transfer = NULL;
  unsigned char sent[BYTES], got[BYTES];
  setenv("MFFT_WATCHDOG_S", "20", 0);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  CHECK_OK(mfft_topology_make(comm, &topology));
  topology.device = &mfft_device_host;
  topology.host_memory = 1;
  int ranks[2] = {0, 1};
  const mfft_group group = {comm, ranks};
  mfft_message out = {.peer = 1 - rank, .where = MFFT_IN_ARRAY, .bytes = BYTES}, in = out;
  const mfft_chunk chunk = {.send = {&out, 1, 1}, .recv = {&in, 1, 1}};
  const mfft_transfer_spec spec = {
      .group = &group, .chunk = &chunk, .what = "an exchange that is given up", .topology = &topology, .element_bytes = 1};
  const mfft_ends ends = {.from = {sent}, .to = {got}};
  memset(sent, 7, sizeof sent);
  memset(got, 1, sizeof got);
  CHECK_OK(mfft_transport_pairwise.create(&spec, &transfer));
  if (rank == 0) { /* gives up, and uses its array for other data */
    CHECK_OK(transfer->start(transfer, &ends, NULL));
    transfer->destroy(transfer);
    memset(got, 2, sizeof got);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    CHECK_OK(transfer->start(transfer, &ends, NULL));
    CHECK_OK(transfer->wait(transfer, NULL));
    transfer->destroy(transfer);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int there = 0; /* the message has arrived, and was discarded */
  for (double begin = MPI_Wtime(); rank == 0 && !there && MPI_Wtime() - begin < 2;)
    MPI_Iprobe(1, MPI_ANY_TAG, comm, &there, MPI_STATUS_IGNORE);
  for (int i = 0; i < BYTES; i++) CHECK(got[i] == (rank == 0 ? 2 : 7), "byte %d is %d", i, got[i]);
  CHECK(rank == 1 || there, "the message did not come");
  mfft_topology_free(&topology);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return test_end();
}
