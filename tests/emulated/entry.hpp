// entry.hpp: the entry point of a kernel's library.  It is appended to the source; compile.cpp defines emulated_most_threads
// before it.
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
}
