// nccl.cpp: what mergefft calls of NCCL, for processes of one host on emulated devices: messages go through memory that the
// processes share, piece by piece.
//
// As with NCCL, a group waits on its stream and its caller does not wait, groups of a communicator run in sequence on any
// streams, every rank has a device of its own, and what one rank sends another has to receive in a group of as many bytes.
// A nonblocking communicator is not made, and its group not queued, until ncclCommGetAsyncError has been called LOOKS times.
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "driver.hpp"

namespace {

enum { SUCCESS = 0, SYSTEM_ERROR = 2, INVALID_ARGUMENT = 4, INVALID_USAGE = 5, IN_PROGRESS = 7 };
constexpr size_t CAPACITY = 1 << 16;
constexpr int LOOKS = 5;  // calls of ncclCommGetAsyncError that return ncclInProgress

struct identity {
  char bytes[128];
};

// The state of messages from one rank to another; in zeroed memory.
struct pipe_of_two {
  std::atomic<unsigned long long> written, read;
  char data[CAPACITY];
};

struct message;
typedef std::vector<message> messages;

struct communicator {
  int ranks, rank;
  std::atomic<int> *arrived;  // ranks
  pipe_of_two *pipe;          // [from][to]
  identity id;
  int groups = 0;  // that were begun
  std::atomic<int> through{0};
  std::atomic<bool> aborted{false};
  bool blocking = true;
  std::shared_ptr<messages> under_way{};  // to `stream`
  CUstream stream = nullptr;
  int looks = 0;
};

struct message {
  communicator *comm;
  int peer;
  bool sends;
  char *data;
  size_t left;
};

thread_local int depth;
thread_local messages group;
thread_local CUstream group_stream;

// Copies the next part of a message, as far as possible.
bool advance(message *m) {
  const int from = m->sends ? m->comm->rank : m->peer, to = m->sends ? m->peer : m->comm->rank;
  pipe_of_two &p = m->comm->pipe[from * m->comm->ranks + to];
  const unsigned long long written = p.written.load(), read = p.read.load(), at = m->sends ? written : read;
  const size_t ready = m->sends ? CAPACITY - (size_t)(written - read) : (size_t)(written - read);
  const size_t bytes = std::min({m->left, ready, CAPACITY - (size_t)(at % CAPACITY)});
  if (!bytes) return false;
  if (m->sends)
    memcpy(p.data + at % CAPACITY, m->data, bytes);
  else
    memcpy(m->data, p.data + at % CAPACITY, bytes);
  (m->sends ? p.written : p.read) += bytes;
  m->data += bytes;
  m->left -= bytes;
  return true;
}

// Whether no other operation precedes it in the same pipe.
bool is_next(const messages &all, const message &m) {
  for (const message &other : all) {
    if (&other == &m) return true;
    if (other.left && other.comm == m.comm && other.peer == m.peer && other.sends == m.sends) return false;
  }
  return true;
}

int add(const void *data, size_t count, int type, int peer, void *comm, CUstream stream, bool sends) {
  auto *c = static_cast<communicator *>(comm);
  if (!depth || type != 0 || peer < 0 || peer >= c->ranks || *c->arrived < c->ranks) return INVALID_USAGE;
  group.push_back({c, peer, sends, static_cast<char *>(const_cast<void *>(data)), count});
  group_stream = stream;
  return SUCCESS;
}

int launch(communicator *c) {
  const int number = c->groups++;
  const auto step = [all = std::move(c->under_way), c, number](bool *progress) {
    bool left = false;
    if (c->aborted) return true;
    if (c->through < number) return false;
    for (message &m : *all) {
      *progress |= m.left && is_next(*all, m) && advance(&m);
      left |= m.left > 0;
    }
    c->through += !left;
    return !left;
  };
  return emulated::emulated_launch_steps(c->stream, step) == CUDA_SUCCESS ? SUCCESS : SYSTEM_ERROR;
}

int begin(communicator **made, int ranks, const identity &id, int rank) {
  if (ranks < 1 || rank < 0 || rank >= ranks) return INVALID_ARGUMENT;
  const size_t header_bytes = 64, bytes = header_bytes + (size_t)(ranks * ranks) * sizeof(pipe_of_two);
  const int file = shm_open(id.bytes, O_RDWR | O_CREAT, 0600);
  if (file < 0) return SYSTEM_ERROR;
  void *memory =
      ftruncate(file, (off_t)bytes) ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return SYSTEM_ERROR;
  auto *pipes = reinterpret_cast<pipe_of_two *>(static_cast<char *>(memory) + header_bytes);
  *made = new communicator{ranks, rank, static_cast<std::atomic<int> *>(memory), pipes, id};
  if (++*(*made)->arrived == ranks) shm_unlink(id.bytes);
  return SUCCESS;
}

}  // namespace

extern "C" {

int ncclGetVersion(int *version) { return *version = 22203, SUCCESS; }

const char *ncclGetErrorString(int error) {
  return error == SYSTEM_ERROR ? "unhandled system error" : error == INVALID_ARGUMENT ? "invalid argument" : "invalid usage";
}

int ncclGetUniqueId(identity *id) {
  static int made;
  snprintf(id->bytes, sizeof id->bytes, "/mfft-emulated-nccl-%ld-%d", (long)getpid(), made++);
  return SUCCESS;
}

int ncclCommInitRank(void **made, int ranks, identity id, int rank) {
  communicator *c = nullptr;
  const int result = begin(&c, ranks, id, rank);
  while (result == SUCCESS && *c->arrived < ranks) sched_yield();
  return *made = c, result;
}

struct configuration {
  size_t size;
  unsigned magic, version;
  int blocking;
};

int ncclCommInitRankConfig(void **made, int ranks, identity id, int rank, configuration *how) {
  if (how->size < sizeof *how || how->magic != 0xcafebeef || how->version < 21400) return INVALID_ARGUMENT;
  if (how->blocking) return ncclCommInitRank(made, ranks, id, rank);
  communicator *c = nullptr;
  const int result = begin(&c, ranks, id, rank);
  if (c) c->blocking = false;
  return *made = c, result == SUCCESS ? IN_PROGRESS : result;
}

int ncclCommGetAsyncError(void *comm, int *error) {
  auto *c = static_cast<communicator *>(comm);
  *error = *c->arrived < c->ranks || (c->under_way && ++c->looks <= LOOKS) ? IN_PROGRESS
           : c->under_way                                                  ? launch(c)
                                                                           : SUCCESS;
  return SUCCESS;
}

// The communicator is not freed: operations on streams complete without it.
int ncclCommAbort(void *comm) {
  auto *c = static_cast<communicator *>(comm);
  c->aborted = true;
  shm_unlink(c->id.bytes);
  return SUCCESS;
}

int ncclSend(const void *data, size_t count, int type, int peer, void *comm, CUstream stream) {
  return add(data, count, type, peer, comm, stream, true);
}

int ncclRecv(void *data, size_t count, int type, int peer, void *comm, CUstream stream) {
  return add(data, count, type, peer, comm, stream, false);
}

int ncclGroupStart(void) { return depth++, SUCCESS; }

int ncclGroupEnd(void) {
  if (!depth) return INVALID_USAGE;
  if (--depth || group.empty()) return SUCCESS;
  communicator *c = group.front().comm;
  if (c->under_way) return group.clear(), INVALID_USAGE;
  c->under_way = std::make_shared<messages>(std::move(group));
  group.clear();
  c->stream = group_stream;
  c->looks = 0;
  return c->blocking ? launch(c) : IN_PROGRESS;
}
}
