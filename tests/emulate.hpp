// emulate.hpp: enough of CUDA to run a kernel of register butterflies on the CPU.  It is put before the kernel's source and
// compiled with the words of a pass; mfft_emulate then runs a launch block by block.  The threads of a block are coroutines
// that give way at barriers, in an order that can be turned round, so that a missing barrier shows.
#pragma once

#include <sys/mman.h>
#include <ucontext.h>

#include <cstdlib>
#include <cstring>

#define __device__
#define __host__
#define __global__
#define __shared__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define asm(...)  // instructions that a kernel under emulation does not reach
#define volatile(...) ("")

namespace emulated {
struct place {
  unsigned x, y, z;
};
enum { STACK_BYTES = 128 << 10, MOST_THREADS = 1024 };
static place thread_index, block_index;
static ucontext_t scheduler, thread[MOST_THREADS];
static bool done[MOST_THREADS];
static void give_way() { swapcontext(&thread[thread_index.x], &scheduler); }
}  // namespace emulated

#define threadIdx emulated::thread_index
#define blockIdx  emulated::block_index
static inline void __syncthreads() { emulated::give_way(); }
static inline void __syncwarp() { emulated::give_way(); }
static inline float __uint_as_float(unsigned bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}
static inline unsigned __float_as_uint(float f) {
  unsigned bits;
  memcpy(&bits, &f, 4);
  return bits;
}

#include "args.h"

namespace mfft {
alignas(16) unsigned char shared[1 << 18];  // what the kernel calls its dynamic shared memory
}
extern "C" void mfft_pass(const mfft_pass_args a);

static const mfft_pass_args *launch_args;
static void run_thread() {
  mfft_pass(*launch_args);
  emulated::done[emulated::thread_index.x] = true;
  emulated::give_way();
}

// Runs a launch.  backwards: threads take their turns from the last to the first.  False where the kernel wrote beyond
// shared_bytes of shared memory, which starts full of NaN.
extern "C" bool mfft_emulate(const mfft_pass_args *args, unsigned blocks, unsigned threads, size_t shared_bytes,
                             int backwards) {
  using namespace emulated;
  static char *stacks = (char *)mmap(NULL, (size_t)STACK_BYTES * MOST_THREADS, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  launch_args = args;
  for (unsigned b = 0; b < blocks; b++) {
    block_index = {b, 0, 0};
    memset(mfft::shared, 0xff, sizeof mfft::shared);
    for (unsigned i = 0; i < threads; i++) {
      getcontext(&thread[i]);
      thread[i].uc_stack.ss_sp = stacks + (size_t)STACK_BYTES * i;
      thread[i].uc_stack.ss_size = STACK_BYTES;
      thread[i].uc_link = NULL;
      makecontext(&thread[i], run_thread, 0);
      done[i] = false;
    }
    for (unsigned left = threads; left;)
      for (unsigned i = 0; i < threads; i++) {
        unsigned turn = backwards ? threads - 1 - i : i;
        if (done[turn]) continue;
        thread_index = {turn, 0, 0};
        swapcontext(&scheduler, &thread[turn]);
        left -= done[turn];
      }
    for (size_t i = shared_bytes; i < sizeof mfft::shared; i++)
      if (mfft::shared[i] != 0xff) return false;
  }
  return true;
}
