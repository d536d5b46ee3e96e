// hooks.cpp: the functions that -fsanitize=thread calls for the loads and stores of a kernel, which the machine checks. They
// are compiled once and linked to every kernel, since compiling them takes a sixth of the time that a kernel takes.
#include "kernel.hpp"

namespace emulated {
services *machine;
}

extern "C" {
#define EMULATED_HOOK(name, arguments, bytes, kind, aligned)                                     \
  void __tsan_##name arguments;                                                                  \
  void __tsan_##name arguments {                                                                 \
    if ((size_t)((const volatile char *)at - emulated::machine->stack) >= emulated::STACK_BYTES) \
      emulated::machine->touch(at, bytes, emulated::kind, aligned);                              \
  }
#define EMULATED_HOOKS(bytes)                                                          \
  EMULATED_HOOK(read##bytes, (const volatile void *at), bytes, READS, true)            \
  EMULATED_HOOK(write##bytes, (const volatile void *at), bytes, WRITES, true)          \
  EMULATED_HOOK(unaligned_read##bytes, (const volatile void *at), bytes, READS, false) \
  EMULATED_HOOK(unaligned_write##bytes, (const volatile void *at), bytes, WRITES, false)
EMULATED_HOOKS(1)
EMULATED_HOOKS(2)
EMULATED_HOOKS(4)
EMULATED_HOOKS(8)
EMULATED_HOOKS(16)
EMULATED_HOOK(read_range, (const volatile void *at, size_t bytes), bytes, READS, false)
EMULATED_HOOK(write_range, (const volatile void *at, size_t bytes), bytes, WRITES, false)
void __tsan_init();
void __tsan_init() {}
void __tsan_func_entry(void *);
void __tsan_func_entry(void *) {}
void __tsan_func_exit();
void __tsan_func_exit() {}
}
