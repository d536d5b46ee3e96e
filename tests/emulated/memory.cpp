// memory.cpp: see memory.hpp.
#include "memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "machine.hpp"

namespace emulated {

static std::mutex lock;
static auto &all = *new std::map<const char *, allocation>;  // by base; guarded by lock, never destroyed
static std::map<int, size_t> used;                           // by device; guarded by lock
static std::atomic<unsigned> generation{1};                  // changes with `all`

static const size_t PAGE = 4096, ROUND = 256;
static const size_t MOST_FILLED = 64 << 20;  // later bytes stay untouched: an array may be larger than the host
static const char magic[8] = "emulate";

static size_t capacity() {
  const char *text = getenv("MFFT_EMULATED_BYTES");
  return text && *text ? (size_t)strtoull(text, nullptr, 10) : (size_t)1 << 30;
}

// Maps a file, or no file, between two inaccessible pages.  offset: of the first byte within the mapping.
static bool map_between(allocation *a, size_t offset) {
  const size_t mapped = (offset + a->bytes + PAGE - 1) / PAGE * PAGE;
  a->reserved_bytes = mapped + 2 * PAGE;
  void *made = mmap(nullptr, a->reserved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) return false;
  a->reserved = (char *)made;
  const int kind = a->file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  if (mmap(a->reserved + PAGE, mapped, PROT_READ | PROT_WRITE, kind | MAP_FIXED, a->file, 0) == MAP_FAILED) {
    munmap(made, a->reserved_bytes);
    return false;
  }
  a->base = a->reserved + PAGE + offset;
  return true;
}

// With MFFT_EMULATED_CLOSED=1 device memory can be accessed by kernels and copies alone, as that of a real GPU: while none
// runs its pages are closed.  Without it the emulated GPU has MPI and cuFile access its memory, as those made for CUDA do.
static bool closed;  // guarded by lock

static void protect(const allocation &a, int how) {
  if (a.kind == DEVICE || a.kind == PEER) mprotect(a.reserved + PAGE, a.reserved_bytes - 2 * PAGE, how);
}

void memory_close(bool close) {
  static const char *const word = getenv("MFFT_EMULATED_CLOSED");
  if (!word || strcmp(word, "1") != 0) return;
  std::lock_guard<std::mutex> hold(lock);
  if (closed == close) return;
  closed = close;
  for (const auto &known : all) protect(known.second, close ? PROT_NONE : PROT_READ | PROT_WRITE);
}

static const allocation *enter(const allocation &a) {
  if (closed) protect(a, PROT_NONE);
  generation++;
  return &(all[a.base] = a);
}

const allocation *memory_make(size_t bytes, memory_kind kind, int device) {
  std::lock_guard<std::mutex> hold(lock);
  allocation a;
  a.bytes = bytes;
  a.kind = kind;
  a.device = device;
  if (bytes > capacity() || (kind == DEVICE && used[device] + bytes > capacity())) return nullptr;
  const size_t round = (bytes + ROUND - 1) / ROUND * ROUND, pages = (round + PAGE - 1) / PAGE * PAGE, offset = pages - round;
  if (kind == DEVICE) {
    a.file = memfd_create("emulated-gpu", MFD_CLOEXEC);
    if (a.file < 0 || ftruncate(a.file, (off_t)pages) != 0) return nullptr;
  }
  if (!map_between(&a, offset)) {
    if (a.file >= 0) close(a.file);
    return nullptr;
  }
  if (!only_compiles()) memset(a.base, 0xff, std::min(round, MOST_FILLED));
  if (kind == DEVICE) used[device] += bytes;
  return enter(a);
}

bool memory_name(const char *at, memory_handle *handle) {
  const allocation *a = memory_find(at);
  if (!a || a->kind != DEVICE) return false;
  memset(handle, 0, sizeof *handle);
  memcpy(handle->magic, magic, sizeof magic);
  handle->process = getpid();
  handle->file = a->file;
  handle->device = a->device;
  handle->bytes = a->bytes;
  handle->offset = (uint64_t)(a->base - a->reserved) - PAGE;
  return true;
}

const allocation *memory_open(const memory_handle &handle) {
  if (memcmp(handle.magic, magic, sizeof magic) != 0 || handle.process == getpid()) return nullptr;
  std::lock_guard<std::mutex> hold(lock);
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", handle.process, handle.file);
  allocation a;
  a.file = open(path, O_RDWR | O_CLOEXEC);
  struct stat file;
  if (a.file < 0 || fstat(a.file, &file) != 0) return nullptr;
  for (auto &known : all) {
    if (known.second.kind != PEER || known.second.inode != file.st_ino) continue;
    close(a.file);
    known.second.opened++;
    return &known.second;
  }
  a.bytes = handle.bytes;
  a.kind = PEER;
  a.device = handle.device;
  a.inode = file.st_ino;
  a.opened = 1;
  if ((uint64_t)file.st_size < handle.offset + handle.bytes || !map_between(&a, handle.offset)) {
    close(a.file);
    return nullptr;
  }
  return enter(a);
}

bool memory_register(char *base, size_t bytes) {
  std::lock_guard<std::mutex> hold(lock);
  if (all.count(base)) return false;
  allocation a;
  a.base = base;
  a.bytes = bytes;
  a.kind = REGISTERED;
  enter(a);
  return true;
}

bool memory_free(const char *base, memory_kind kind) {
  std::lock_guard<std::mutex> hold(lock);
  auto found = all.find(base);
  if (found == all.end() || found->second.kind != kind) return false;
  allocation &a = found->second;
  if (kind == PEER && --a.opened > 0) return true;
  if (kind == DEVICE) used[a.device] -= a.bytes;
  if (a.file >= 0) close(a.file);
  /* The addresses stay reserved, so that a use of an old pointer is detected. */
  if (kind != REGISTERED)
    mmap(a.reserved, a.reserved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  all.erase(found);
  generation++;
  return true;
}

const allocation *memory_find(const void *at) {
  std::lock_guard<std::mutex> hold(lock);
  auto after = all.upper_bound((const char *)at);
  if (after == all.begin()) return nullptr;
  const allocation &a = std::prev(after)->second;
  return (const char *)at < a.base + std::max(a.bytes, (size_t)1) ? &a : nullptr;
}

bool memory_allows(const char *at, size_t bytes, bool, int device, char *why, size_t size) {
  static std::vector<allocation> known;  // by base
  static unsigned known_generation;
  static size_t last;
  if (known_generation != generation) {
    std::lock_guard<std::mutex> hold(lock);
    known.clear();
    for (auto &a : all) known.push_back(a.second);
    known_generation = generation;
    last = 0;
  }
  auto holds = [&](const allocation &a) { return at >= a.base && at + bytes <= a.base + a.bytes; };
  if (last >= known.size() || !holds(known[last])) {
    auto after =
        std::upper_bound(known.begin(), known.end(), at, [](const char *x, const allocation &a) { return x < a.base; });
    if (after == known.begin() || !holds(*std::prev(after))) {
      snprintf(why, size, "not memory of a device");
      for (const allocation &a : known)
        if (at + bytes > a.base - PAGE && at < a.base + a.bytes + PAGE)
          snprintf(why, size, "%td of an allocation of %zu bytes", at - a.base, a.bytes);
      return false;
    }
    last = (size_t)(std::prev(after) - known.begin());
  }
  if (known[last].kind != DEVICE || known[last].device == device) return true;
  snprintf(why, size, "memory of device %d, to which device %d has no access", known[last].device, device);
  return false;
}

}  // namespace emulated
