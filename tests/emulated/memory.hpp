// memory.hpp: the memory of devices, and page-locked memory of the host.
//
// An allocation is between two inaccessible pages, ends where the second begins (except for rounding to 256 bytes), and is
// filled with NaN.  Device memory is an anonymous file, which other processes open by the id of this one.
// Addresses are not used again for as long as the process lives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace emulated {

// PEER: device memory of another process.  REGISTERED: the caller's host memory, which kernels may access.
enum memory_kind { DEVICE, PEER, PINNED, REGISTERED };

struct allocation {
  char *base = nullptr;
  size_t bytes = 0;  // as requested
  memory_kind kind = DEVICE;
  int device = 0, file = -1, opened = 0;
  char *reserved = nullptr;
  size_t reserved_bytes = 0;
  uint64_t inode = 0;  // of a PEER's file
};

// The content of a handle (CUipcMemHandle has 64 bytes).
struct memory_handle {
  char magic[8];
  int32_t process, file, device;
  uint64_t bytes, offset;  // of the allocation; offset of its first byte in the file
};

// NULL if there is not enough memory: MFFT_EMULATED_BYTES per device.
const allocation *memory_make(size_t bytes, memory_kind kind, int device);
const allocation *memory_open(const memory_handle &handle);
bool memory_register(char *base, size_t bytes);  // false: it has been already
bool memory_name(const char *base, memory_handle *handle);
void memory_close(bool close);  // device memory is inaccessible from now on, if tests ask for that, or no longer
bool memory_free(const char *base, memory_kind kind);  // false: no allocation of this kind begins there
const allocation *memory_find(const void *at);         // the allocation that holds a byte, or NULL

// Whether a kernel on a device may access these bytes, and if not, the reason.  Only for the machine.
bool memory_allows(const char *at, size_t bytes, bool writes, int device, char *why, size_t size);

}  // namespace emulated
