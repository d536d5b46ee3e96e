// TEST ranks=1,2,3,5 labels=dist
/* The transport nccl against an NCCL of this file, of a version so old that it blocks: its calls on host memory, implemented
 * with MPI, with NCCL's rules checked.  Which messages are sent where, communicators that are found again, failures,
 * refusals.  A real NCCL and GPUs are in t310-dist. */
#include <unistd.h>

#include "check.h"
#include "dist/nccl_comm.h"
#include "dist/transport.h"

/* ---- An NCCL --------------------------------------------------------------------------------------------------------- */

#define EXPORT __attribute__((visibility("default")))
enum { MOST = 64, INTERNAL_ERROR = 3, INVALID_USAGE = 5 };
typedef struct operation {
  void *buffer;
  size_t bytes;
  int peer, sends;
  MPI_Comm comm;
} operation;
static operation queue[MOST];
static int queued, depth, inits, aborts, refuse_sends, report_error;
static MPI_Comm topology_comm; /* which ncclCommInitRank is to span */

EXPORT int ncclGetVersion(int *version) { return *version = 21304, 0; }
EXPORT int ncclGetUniqueId(mfft_nccl_id *id) {
  static int made;
  snprintf(id->bytes, sizeof id->bytes, "identity %d of process %ld", made++, (long)getpid());
  return 0;
}
EXPORT int ncclCommInitRank(void **comm, int ranks, mfft_nccl_id id, int rank) {
  int size, place;
  char first[128];
  MPI_Comm *made = malloc(sizeof *made);
  MPI_Comm_dup(topology_comm, made);
  MPI_Comm_size(*made, &size);
  MPI_Comm_rank(*made, &place);
  memcpy(first, id.bytes, sizeof first);
  MPI_Bcast(first, sizeof first, MPI_BYTE, 0, *made);
  if (size != ranks || place != rank || memcmp(first, id.bytes, sizeof first)) return INVALID_USAGE;
  *comm = made;
  inits++;
  return 0;
}
EXPORT int ncclCommAbort(void *comm) { return (void)comm, aborts++, 0; }
EXPORT int ncclCommGetAsyncError(void *comm, int *error) { return (void)comm, *error = report_error, 0; }
EXPORT const char *ncclGetErrorString(int error) { return error == INTERNAL_ERROR ? "internal error" : "invalid usage"; }
static int add(void *buffer, size_t count, int type, int peer, void *comm, int sends) {
  int ranks;
  MPI_Comm_size(*(MPI_Comm *)comm, &ranks);
  if (!depth || type != 0 || peer < 0 || peer >= ranks || queued == MOST) return INVALID_USAGE;
  queue[queued++] = (operation){buffer, count, peer, sends, *(MPI_Comm *)comm};
  return 0;
}
EXPORT int ncclSend(const void *buffer, size_t count, int type, int peer, void *comm, void *stream) {
  (void)stream;
  return refuse_sends ? INTERNAL_ERROR : add((void *)(uintptr_t)buffer, count, type, peer, comm, 1);
}
EXPORT int ncclRecv(void *buffer, size_t count, int type, int peer, void *comm, void *stream) {
  (void)stream;
  return add(buffer, count, type, peer, comm, 0);
}
EXPORT int ncclGroupStart(void) { return depth++, 0; }
EXPORT int ncclGroupEnd(void) {
  MPI_Request request[MOST];
  if (--depth) return INVALID_USAGE;
  if (refuse_sends) return queued = 0, INTERNAL_ERROR;
  for (int i = 0; i < queued; i++) {
    const operation *o = &queue[i];
    if (o->sends)
      MPI_Isend(o->buffer, (int)o->bytes, MPI_BYTE, o->peer, 0, o->comm, &request[i]);
    else
      MPI_Irecv(o->buffer, (int)o->bytes, MPI_BYTE, o->peer, 0, o->comm, &request[i]);
  }
  MPI_Waitall(queued, request, MPI_STATUSES_IGNORE);
  return queued = 0;
}

/* ---- Tests ----------------------------------------------------------------------------------------------------------- */

static int rank, ranks;

static mfft_status topology_of(MPI_Comm comm, const mfft_device *device, mfft_topology *topology) {
  topology_comm = comm;
  MFFT_TRY(mfft_topology_make(comm, topology));
  topology->device = device;
  return MFFT_SUCCESS;
}

static int64_t part_bytes(int from, int to) { return 1 + 17 * from + 5 * to; }

/* Every rank sends to every other, parts of different lengths, from the array to the area, and again. */
static void all_to_all(const mfft_topology *topology) {
  enum { CAPACITY = 4096 };
  unsigned char array[CAPACITY], area[CAPACITY];
  mfft_message send[8], recv[8];
  mfft_chunk chunk = {.send.message = send, .recv.message = recv};
  mfft_transfer *transfer = NULL;
  int64_t out = 0, in = 3, sent = 0;
  for (int peer = 0; peer < topology->ranks; peer++) {
    if (peer == topology->rank) continue;
    send[chunk.send.count++] = (mfft_message){peer, MFFT_IN_ARRAY, out, part_bytes(topology->rank, peer)};
    recv[chunk.recv.count++] = (mfft_message){peer, MFFT_IN_AREA, in, part_bytes(peer, topology->rank)};
    out += part_bytes(topology->rank, peer);
    in += part_bytes(peer, topology->rank) + 1;
    sent += part_bytes(topology->rank, peer);
  }
  const mfft_transfer_spec spec = {.chunk = &chunk, .what = "all to all", .topology = topology, .element_bytes = 1};
  CHECK_OK(mfft_transport_nccl.create(&spec, &transfer));
  if (!transfer) return;
  CHECK(transfer->sent_bytes == sent, "%lld", (long long)transfer->sent_bytes);
  const mfft_ends ends = {.from = {array, NULL}, .to = {NULL, area}};
  for (int round = 0; round < 2; round++) {
    memset(area, 0xee, sizeof area);
    for (int64_t m = 0; m < chunk.send.count; m++)
      for (int64_t i = 0; i < send[m].bytes; i++)
        array[send[m].offset_bytes + i] = (unsigned char)(topology->rank * 31 + send[m].peer * 7 + i + round);
    CHECK_OK(transfer->start(transfer, &ends, NULL));
    CHECK_OK(transfer->wait(transfer, NULL));
    for (int64_t m = 0; m < chunk.recv.count; m++) {
      const unsigned char *part = area + recv[m].offset_bytes;
      for (int64_t i = 0; i < recv[m].bytes; i++)
        CHECK(part[i] == (unsigned char)(recv[m].peer * 31 + topology->rank * 7 + i + round), "byte %lld from %d",
              (long long)i, recv[m].peer);
      CHECK(part[-1] == 0xee && part[recv[m].bytes] == 0xee, "a byte outside the part of %d", recv[m].peer);
    }
  }
  if (topology->ranks > 1) { /* a failure of NCCL is returned, and the group is closed */
    refuse_sends = 1;
    CHECK_FAILS(transfer->start(transfer, &ends, NULL), MFFT_ERR_CUDA, "NCCL, all to all: internal error");
    refuse_sends = 0;
    CHECK(depth == 0);
    MPI_Barrier(topology->comm);
  }
  transfer->destroy(transfer);
}

/* The transport of messages to other nodes, and within a node without mapped memory: the named one, else MPI if it accepts
 * the memory, NCCL, and staged last. */
static int cuda_aware;
static mfft_device tried;
static mfft_status map_nothing(const mfft_handle *handle, void **pointer) {
  (void)handle, (void)pointer;
  return mfft_fail(MFFT_ERR_UNSUPPORTED, "nothing can be mapped");
}
EXPORT int MPIX_Query_cuda_support(void) { return cuda_aware; }

static void check_choice(const char *name, const char *wanted) {
  mfft_topology topology;
  const mfft_transport *named, *chosen = NULL;
  CHECK_OK(topology_of(MPI_COMM_WORLD, &tried, &topology));
  CHECK_OK(mfft_transport_find(name, &named));
  CHECK_OK(mfft_transport_choose(&topology, named, &chosen));
  CHECK(chosen && !strcmp(chosen->name, wanted), "%s is %s, not %s", name, chosen ? chosen->name : "none", wanted);
  CHECK(chosen && !chosen->far == !strchr(wanted, '+'), "%s", name);
  mfft_topology_free(&topology);
}

static void choices(void) {
  const mfft_transport *named;
  const int alone = ranks == 1;
  tried = mfft_device_host;
  check_choice("p2p", "p2p");
  check_choice("p2p+nccl", "p2p"); /* no rank is far */
  setenv("MFFT_NODE_RANKS", "1", 1);
  check_choice("p2p", alone ? "p2p" : "p2p+nccl");
  check_choice("p2p-store", alone ? "p2p-store" : "p2p-store+nccl");
  check_choice("p2p+staged", alone ? "p2p" : "p2p+staged");
  cuda_aware = 1;
  check_choice("p2p", alone ? "p2p" : "p2p+pairwise");
  check_choice("p2p+nccl", alone ? "p2p" : "p2p+nccl");
  check_choice("p2p+mpi", alone ? "p2p" : "p2p+pairwise");
  cuda_aware = 0;
  refuse_sends = 1;
  check_choice("p2p", alone ? "p2p" : "p2p+staged");
  refuse_sends = 0;
  CHECK_FAILS(mfft_transport_find("p2p+p2p", &named), MFFT_ERR_ARG, "p2p+nccl and the like");
  unsetenv("MFFT_NODE_RANKS");
  check_choice("", "p2p");
  tried.shared_open = map_nothing;
  check_choice("", alone ? "p2p" : "nccl");
  refuse_sends = 1;
  check_choice("", alone ? "p2p" : "staged");
  refuse_sends = 0;
  cuda_aware = 1;
  check_choice("", alone ? "p2p" : "pairwise");
  cuda_aware = 0;
}

static mfft_status same_card(char *text, size_t size) { return snprintf(text, size, "GPU 1"), MFFT_SUCCESS; }

/* An event that is not complete yet: errors that NCCL reports meanwhile end the wait. */
static mfft_status never(void *event, int *done) { return (void)event, *done = 0, MFFT_SUCCESS; }

static void errors(void) {
  mfft_topology topology;
  mfft_device device = mfft_device_host;
  mfft_transfer *transfer = NULL;
  mfft_message to_self = {rank, MFFT_IN_ARRAY, 0, 8};
  unsigned char bytes[16] = {0};
  const mfft_chunk chunk = {.send = {&to_self, 1, 1}, .recv = {&to_self, 1, 1}};
  const mfft_ends ends = {.from = {bytes}, .to = {bytes + 8}};
  device.event_done = never;
  CHECK_OK(topology_of(MPI_COMM_WORLD, &device, &topology));
  const mfft_transfer_spec spec = {.chunk = &chunk, .what = "forward z", .topology = &topology, .element_bytes = 1};
  CHECK_OK(mfft_transport_nccl.create(&spec, &transfer));
  CHECK_OK(transfer->start(transfer, &ends, NULL));
  report_error = INTERNAL_ERROR;
  CHECK_FAILS(transfer->wait(transfer, NULL), MFFT_ERR_CUDA, "NCCL, forward z: internal error");
  report_error = 0;
  CHECK(aborts == 1, "%d", aborts);
  CHECK_FAILS(transfer->start(transfer, &ends, NULL), MFFT_ERR_STATE, "make the plan again");
  transfer->destroy(transfer);
  mfft_topology_free(&topology);
}

int main(int argc, char **argv) {
  mfft_topology world, half, shared;
  mfft_device one_card = mfft_device_host;
  mfft_nccl_comm *comm[2];
  MPI_Comm part;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  CHECK_OK(topology_of(MPI_COMM_WORLD, &mfft_device_host, &world));
  CHECK_FAILS(mfft_nccl_find(&world, &comm[0]), MFFT_ERR_INTERNAL, "have not joined");
  CHECK_OK(mfft_transport_nccl.probe(&world));
  all_to_all(&world);

  /* A communicator is made once for the same ranks, and another for others. */
  CHECK_OK(mfft_nccl_join(&world, &comm[0]));
  CHECK_OK(mfft_nccl_join(&world, &comm[1]));
  CHECK(inits == 1 && comm[0] == comm[1], "%d", inits);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
  CHECK_OK(topology_of(part, &mfft_device_host, &half));
  CHECK_OK(mfft_transport_nccl.probe(&half));
  CHECK(inits == (ranks > 1 ? 2 : 1), "%d", inits);
  all_to_all(&half);
  errors();
  choices();

  one_card.identity = same_card;
  CHECK_OK(topology_of(MPI_COMM_WORLD, &one_card, &shared));
  if (ranks > 1) CHECK_FAILS(mfft_transport_nccl.probe(&shared), MFFT_ERR_UNSUPPORTED, "a GPU for each rank");

  /* NCCL refuses host memory. */
  const mfft_transport *nccl, *chosen;
  world.host_memory = 1;
  CHECK_OK(mfft_transport_find("nccl", &nccl));
  CHECK_FAILS(mfft_transport_choose(&world, nccl, &chosen), MFFT_ERR_UNSUPPORTED, "is for device memory");
  mfft_topology_free(&world);
  mfft_topology_free(&half);
  mfft_topology_free(&shared);
  MPI_Comm_free(&part);
  MPI_Finalize();
  return test_end();
}
