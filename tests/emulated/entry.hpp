// entry.hpp: the entry point of a kernel's library, and the functions that -fsanitize=thread calls for its loads and stores,
// which the machine checks.  It is appended to the source; compile.cpp defines emulated_most_threads before it.
#pragma once

namespace emulated {

template <class A>
constexpr size_t bytes_of(void (*)(A)) {
  return sizeof(A);
}
template <class A>
static void call(void (*entry)(A), const void *args) {
  entry(*(const A *)args);
}
EMULATED_BLIND static void run(const void *args) { call(&mfft::mfft_pass, args); }

}  // namespace emulated

#if PASS_PRECISION >= 2  // 16-bit numbers
#define EMULATED_SMALLEST 2
#else
#define EMULATED_SMALLEST 4
#endif

extern "C" {
extern char __start_emulated_shared[] __attribute__((weak, visibility("hidden")));
extern char __stop_emulated_shared[] __attribute__((weak, visibility("hidden")));
#define EMULATED_EXPORT extern __attribute__((visibility("default")))
EMULATED_EXPORT const char *const emulated_name;
const char *const emulated_name = EMULATED_NAME;
EMULATED_EXPORT const emulated::kernel emulated_kernel;
const emulated::kernel emulated_kernel = {
    emulated::bytes_of(&mfft::mfft_pass),
    mfft::emulated_most_threads,
    emulated::run,
    &emulated::machine,
    __start_emulated_shared,
    __stop_emulated_shared,
    EMULATED_SMALLEST,
};

#define EMULATED_HOOK(name, arguments, bytes, kind, aligned)                                     \
  EMULATED_BLIND void __tsan_##name arguments;                                                   \
  EMULATED_BLIND void __tsan_##name arguments {                                                  \
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
EMULATED_BLIND void __tsan_init();
EMULATED_BLIND void __tsan_init() {}
EMULATED_BLIND void __tsan_func_entry(void *);
EMULATED_BLIND void __tsan_func_entry(void *) {}
EMULATED_BLIND void __tsan_func_exit();
EMULATED_BLIND void __tsan_func_exit() {}
}
