// kernel.hpp: the interface between a compiled kernel and the machine that runs it.
#pragma once

#include <stddef.h>

namespace emulated {

struct place {
  unsigned x, y, z;
};

enum { WARP = 32, LAID = 16 };     // threads of a warp; numbers that a thread passes to the others at a time
enum { STACK_BYTES = 128 << 10 };  // of a thread
typedef const double (*lanes)[LAID];

enum access_kind { READS, WRITES, ATOMIC };

// The functions that the machine provides to the running thread; the same object for all kernels of a process.  Each
// kernel's library has its pointer `machine` to it (hooks.cpp).
struct services {
  place thread, block, grid, block_size;
  const char *stack;  // memory in this range belongs to this thread alone, and is not checked
  void (*sync_threads)();
  void (*sync_warp)();
  lanes (*exchange)(const double *mine, int words);  // [32] what every lane of the warp laid down
  void (*pause)();                                   // of a loop that waits for something
  void (*cluster_arrive)(bool stores);
  void (*cluster_wait)();
  unsigned char *(*shared)();                                                   // dynamic shared memory
  void (*store)(void *place, unsigned block, const void *value, size_t bytes);  // in the shared memory of a block
  void (*load)(const void *place, unsigned block, void *value, size_t bytes);
  void (*wait_for_previous)();
  void (*release_next)();
  unsigned long long (*nanoseconds)();
  void (*touch)(const volatile void *address, size_t bytes, access_kind kind, bool aligned);  // not in the stack
  void (*copy_later)(void *to, const void *from, size_t bytes);  // when the thread waits for its copies
  void (*end_group)();                                           // of copies
  void (*await_copies)(int but);                                 // of the last groups; all if it is negative
};

extern services *machine __attribute__((visibility("hidden")));

// A kernel, which its library exports as emulated_kernel.
struct kernel {
  size_t args_bytes;
  unsigned most_threads;  // as __launch_bounds__ has it
  void (*run)(const void *args);
  services **machine;
  char *statics, *statics_end;  // static shared memory
  size_t smallest;              // bytes that it stores in shared memory at once
};

}  // namespace emulated
