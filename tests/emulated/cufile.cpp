// cufile.cpp: the calls of cuFile that the library makes, by pread and pwrite on the memory of the emulated GPU.
//
// MFFT_EMULATED_CUFILE says what the machine is: "" has direct transfers for all files, "compat" only copies on the host,
// which cuFile refuses to open with where they are forbidden, "refuse" has a driver but no file system for it, "pin" cannot
// pin arrays.  _FAIL is a byte of a file: a transfer that holds it fails with an input/output error, or, of minus that
// byte, by a number of cuFile; _LOSE is a byte of a file: the first write of this process that holds it
// is confirmed and not done.  _SHORT=1: transfers move a part, of at least a block, and less than
// what was asked for.  _OLD=1: cuFileSetParameterBool fails.  _LOG names a file that gets a line for every transfer.
//
// Transfers that real hardware would make slowly or not at all are errors here: those of files that are not open with
// O_DIRECT, of ranges of files that are not whole blocks, to or from memory that is not registered, and without a current
// context.
#include <cuda.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace {

constexpr int NO_DRIVER = 5001, NOT_SUPPORTED = 5008, NO_CONTEXT = 5015, NO_DIRECT = 5020, INVALID = 5022, REGISTERED = 5023,
              NOT_REGISTERED = 5024, NO_PINNING = 5036, IO_ERROR = 5044;
constexpr size_t BLOCK = 4096;

struct error {
  int err, cuda;
};
struct descriptor {
  int type;
  union {
    int fd;
    void *handle;
  } of;
  const void *operations;
};
struct file {
  int fd;
};

std::mutex gate;
std::map<const char *, size_t> arrays;  // registered
bool opened, compat_allowed = true;

std::string word(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}

// Whether [at, at + bytes) is in a registered array.
bool registered(const char *at, size_t bytes) {
  std::lock_guard<std::mutex> hold(gate);
  auto next = arrays.upper_bound(at);
  return next != arrays.begin() && (--next, at + bytes <= next->first + next->second);
}

ssize_t refuse(const char *why, int code) {
  fprintf(stderr, "emulated cuFile: %s\n", why);
  return -code;
}

void note(bool writes, size_t bytes, off_t offset) {
  if (const char *name = getenv("MFFT_EMULATED_CUFILE_LOG"))
    if (FILE *log = fopen(name, "a")) {
      fprintf(log, "%s %zu at %lld\n", writes ? "write" : "read", bytes, (long long)offset);
      fclose(log);
    }
}

bool loses(off_t offset, size_t bytes) {
  static std::atomic<bool> lost;
  const long long byte = atoll(word("MFFT_EMULATED_CUFILE_LOSE").c_str());
  return byte && offset <= byte && byte < offset + (off_t)bytes && !lost.exchange(true);
}

// Moves bytes as they lie; a part of them where that is asked for.
ssize_t transfer(void *handle, char *base, size_t bytes, off_t offset, off_t place, bool writes) {
  const file *f = (const file *)handle;
  char *at = base + place;
  CUcontext context = nullptr;
  const long long fails = atoll(word("MFFT_EMULATED_CUFILE_FAIL").c_str()), bad = fails < 0 ? -fails : fails;
  if (cuCtxGetCurrent(&context) != CUDA_SUCCESS || !context) return refuse("no context is current", NO_CONTEXT);
  if (!registered(at, bytes)) return refuse("the memory is not registered", NOT_REGISTERED);
  if (bytes % BLOCK || offset % (off_t)BLOCK) return refuse("a transfer of blocks that are not whole", INVALID);
  if (bad && offset <= bad && bad < offset + (off_t)bytes) return errno = EIO, fails < 0 ? -IO_ERROR : -1;
  if (!word("MFFT_EMULATED_CUFILE_SHORT").empty() && bytes > BLOCK) bytes = bytes / BLOCK / 2 * BLOCK;
  note(writes, bytes, offset);
  if (writes && loses(offset, bytes)) return (ssize_t)bytes;
  ssize_t done = 0;
  while ((size_t)done < bytes) {
    const ssize_t part = writes ? pwrite(f->fd, at + done, bytes - done, offset + done)
                                : pread(f->fd, at + done, bytes - done, offset + done);
    if (part < 0) return -1;
    if (part == 0) break;
    done += part;
  }
  return done;
}

}  // namespace

extern "C" {

error cuFileGetVersion(int *version) { return *version = 1200, error{0, 0}; }

error cuFileSetParameterBool(int parameter, bool value) {
  if (!word("MFFT_EMULATED_CUFILE_OLD").empty() || parameter != 1 || opened) return {INVALID, 0};
  compat_allowed = value;
  return {0, 0};
}

error cuFileDriverOpen() {
  if (word("CUFILE_ALLOW_COMPAT_MODE") == "false") compat_allowed = false;
  if (word("MFFT_EMULATED_CUFILE") == "compat" && !compat_allowed) return {NO_DRIVER, 0};
  opened = true;
  return {0, 0};
}

error cuFileHandleRegister(void **handle, descriptor *what) {
  const int flags = what->type == 1 ? fcntl(what->of.fd, F_GETFL) : -1;
  if (!opened || flags < 0) return {INVALID, 0};
  if (!(flags & O_DIRECT)) return {NO_DIRECT, 0};
  if (word("MFFT_EMULATED_CUFILE") == "refuse" && !compat_allowed) return {NOT_SUPPORTED, 0};
  // By the page cache: the memory of the emulated GPU is not aligned for the transfers of a disk.
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", what->of.fd);
  const int fd = open(name, (flags & O_ACCMODE) | O_CLOEXEC);
  if (fd < 0) return {INVALID, 0};
  *handle = new file{fd};
  return {0, 0};
}

void cuFileHandleDeregister(void *handle) {
  file *f = (file *)handle;
  close(f->fd);
  delete f;
}

error cuFileBufRegister(const void *base, size_t bytes, int) {
  CUcontext context = nullptr;
  unsigned type = 0;
  if (!opened || cuCtxGetCurrent(&context) != CUDA_SUCCESS || !context) return {NO_CONTEXT, 0};
  if (word("MFFT_EMULATED_CUFILE") == "pin") return {NO_PINNING, 0};
  if (cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)base) != CUDA_SUCCESS ||
      type != CU_MEMORYTYPE_DEVICE)
    return {INVALID, 0};
  std::lock_guard<std::mutex> hold(gate);
  return {arrays.emplace((const char *)base, bytes).second ? 0 : REGISTERED, 0};
}

error cuFileBufDeregister(const void *base) {
  std::lock_guard<std::mutex> hold(gate);
  return {arrays.erase((const char *)base) ? 0 : NOT_REGISTERED, 0};
}

ssize_t cuFileRead(void *handle, void *base, size_t bytes, off_t offset, off_t place) {
  return transfer(handle, (char *)base, bytes, offset, place, false);
}
ssize_t cuFileWrite(void *handle, const void *base, size_t bytes, off_t offset, off_t place) {
  return transfer(handle, (char *)base, bytes, offset, place, true);
}
}
