// emulate.hpp: enough of CUDA to run a kernel on the CPU.  It is put before the kernel's source and
// compiled with the words of a pass; mfft_emulate then runs a launch block by block.  The threads of a block are coroutines
// that give way at barriers, in an order that can be turned round, so that a missing barrier shows.
#pragma once

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cmath>
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

struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
using std::max;

// Instructions of a warp: each lane lays its operands down, gives way, and finds those of the others in the next turn.  Two
// sets of places serve in turn, since lanes may be one turn apart.
namespace emulated {
enum { WORDS = 16 };
static double laid[2][MOST_THREADS][WORDS];
static unsigned turns[MOST_THREADS];
template <class T>
static const double (*exchange(const T *mine, int words))[WORDS] {
  unsigned me = thread_index.x, set = turns[me]++ & 1;
  for (int i = 0; i < words; i++) laid[set][me][i] = (double)mine[i];
  give_way();
  return &laid[set][me & ~31u];
}
}  // namespace emulated
static inline unsigned __shfl_xor_sync(unsigned, unsigned x, unsigned mask) {
  unsigned me = threadIdx.x & 31;
  return (unsigned)emulated::exchange(&x, 1)[me ^ mask][0];
}
static inline unsigned __reduce_max_sync(unsigned, unsigned x) {
  const double(*all)[emulated::WORDS] = emulated::exchange(&x, 1);
  double most = 0;
  for (int lane = 0; lane < 32; lane++) most = max(most, all[lane][0]);
  return (unsigned)most;
}
static inline unsigned atomicMax(unsigned *at, unsigned x) {
  unsigned before = *at;
  *at = max(before, x);
  return before;
}

#define MFFT_EMULATED 1
namespace mfft {
typedef unsigned u32;
static inline float half_to_float(unsigned short bits) {
  _Float16 h;
  memcpy(&h, &bits, 2);
  return (float)h;
}
static inline u32 pack_half(float lo, float hi) {
  _Float16 both[2] = {(_Float16)lo, (_Float16)hi};
  u32 bits;
  memcpy(&bits, both, 4);
  return bits;
}
static inline u32 pack_bfloat(float lo, float hi) {
  u32 bits[2] = {__float_as_uint(lo), __float_as_uint(hi)};
  for (int i = 0; i < 2; i++) bits[i] = (bits[i] + 0x7fff + (bits[i] >> 16 & 1)) >> 16;
  return bits[0] | bits[1] << 16;
}
static inline u32 round_tf32(float x) { return (__float_as_uint(x) + 0x1000) & ~0x1fffu; }

// A sum as tensor cores make it: terms are cut off at the last bit of a float as large as the largest, and so is the result.
static inline float cut_sum(const double *term, int count) {
  int most = -1000;
  for (int i = 0; i < count; i++)
    if (term[i] != 0 && std::isfinite(term[i])) most = max(most, std::ilogb(term[i]));
  double unit = std::ldexp(1, most - 24), sum = 0;
  for (int i = 0; i < count; i++)
    sum += most > -1000 && std::isfinite(term[i]) ? std::trunc(term[i] / unit) * unit : term[i];
  float near = (float)sum;
  return std::fabs((double)near) > std::fabs(sum) ? std::nextafter(near, 0.0f) : near;
}

// D += A B with the layouts of mma.cuh.  B of a lane: k t, t + 4, ... of column g, in the order of `b`.
template <int DEPTH, class T, class A, class B>
static inline void product(T (&d)[4], bool first, const double *mine, int a_words, A a_at, B b_at) {
  unsigned me = threadIdx.x & 31;
  const double(*all)[emulated::WORDS] = emulated::exchange(mine, a_words + DEPTH / 4);
  for (int i = 0; i < 4; i++) {
    unsigned row = me / 4 + i / 2 * 8, column = 2 * (me % 4) + i % 2;
    if (first) d[i] = 0;
    double term[DEPTH + 1] = {(double)d[i]};
    for (unsigned k = 0; k < DEPTH; k++) term[k + 1] = a_at(all, row, k) * b_at(all, k, column);
    if (sizeof(T) == 8)
      for (int k = 0; k < DEPTH; k++) d[i] += (T)term[k + 1];
    else
      d[i] = (T)cut_sum(term, DEPTH + 1);
  }
}
typedef const double (*lanes)[emulated::WORDS];
static inline double eight_deep_a(lanes all, unsigned row, unsigned k) {
  return all[row % 8 * 4 + k % 4][row / 8 + k / 4 * 2];
}
static inline double eight_deep_b(lanes all, unsigned k, unsigned column) { return all[column * 4 + k % 4][4 + k / 4]; }
static inline void mma(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1, bool first) {
  double mine[12];
  const u32 word[6] = {a[0], a[1], a[2], a[3], b0, b1};
  for (int i = 0; i < 12; i++) mine[i] = half_to_float((unsigned short)(word[i / 2] >> i % 2 * 16));
  product<16>(
      d, first, mine, 8,
      [](lanes all, unsigned row, unsigned k) { return all[row % 8 * 4 + k % 8 / 2][2 * (row / 8 + k / 8 * 2) + k % 2]; },
      [](lanes all, unsigned k, unsigned column) { return all[column * 4 + k % 8 / 2][8 + 2 * (k / 8) + k % 2]; });
}
static inline void mma_tf32(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1, bool first) {
  const u32 word[6] = {a[0], a[1], a[2], a[3], b0, b1};
  double mine[6];
  for (int i = 0; i < 6; i++) mine[i] = __uint_as_float(word[i] & ~0x1fffu);
  product<8>(d, first, mine, 4, eight_deep_a, eight_deep_b);
}
static inline void mma(double (&d)[4], const double (&a)[4], double b0, double b1, bool first) {
  const double mine[6] = {a[0], a[1], a[2], a[3], b0, b1};
  product<8>(d, first, mine, 4, eight_deep_a, eight_deep_b);
}
}  // namespace mfft

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
