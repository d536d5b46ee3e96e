// emulate.hpp: enough of CUDA to run a kernel on the CPU.  It is put before the kernel's source and
// compiled with the words of a pass; mfft_emulate then runs a launch cluster by cluster.  Threads are coroutines that give
// way at barriers, in an order that can be turned round, so that a missing barrier shows; of the blocks of a cluster the
// first that can go on does, so that it runs ahead of the others as far as barriers let it.
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
#define MFFT_EMULATED  // ptx.cuh leaves clusters to this file
#define __align__(n) __attribute__((aligned(n)))
#define asm(...)  // instructions that a kernel under emulation does not reach
#define volatile(...) ("")

namespace emulated {
struct place {
  unsigned x, y, z;
};
enum { STACK_BYTES = 128 << 10, MOST_THREADS = 16384, SHARED_BYTES = 1 << 18, MOST_TURNS = 256, MOST_COPIES = 64 };
static place thread_index, block_index, grid;
static ucontext_t scheduler, thread[MOST_THREADS];
static bool done[MOST_THREADS];
static bool waits[MOST_THREADS];                                    // for something that has not come yet
static unsigned now;                                                // the thread that runs, counted through the cluster
static unsigned all;                                                // threads of the cluster
static unsigned arrived[MOST_TURNS];                                // threads at the cluster's barrier, each time it is used
static unsigned char arrivals[MOST_THREADS], waited[MOST_THREADS];  // how often a thread has
static unsigned resident;                                           // the block whose shared memory is in place
static unsigned char *memory;                                       // [blocks of a cluster][SHARED_BYTES] of the others
static void give_way() { swapcontext(&thread[now], &scheduler); }
template <class F>
static void wait_until(F over) {
  while (!over()) {
    waits[now] = true;
    give_way();
  }
}
}  // namespace emulated

#define threadIdx emulated::thread_index
#define blockIdx  emulated::block_index
#define gridDim   emulated::grid
static inline void __syncthreads() { emulated::give_way(); }
static inline void __syncwarp() { emulated::give_way(); }
struct float2 {
  float x, y;
};
struct double2 {
  double x, y;
};
template <class T>
static inline T __ldcs(const T *from) {
  return *from;
}
template <class T>
static inline void __stcs(T *to, T v) {
  *to = v;
}
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

struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
static inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
static inline void emulated_sincos(float x, float *s, float *c) { *s = std::sin(x), *c = std::cos(x); }
#define __sincosf emulated_sincos  // the name is taken by the C library
using std::max;
using std::min;
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
static inline float bfloat_value(u32 bits) { return __uint_as_float(bits << 16); }
static inline u32 greater_bfloats(u32 x, u32 y) {
  return pack_bfloat(max(bfloat_value(x & 0xffff), bfloat_value(y & 0xffff)),
                     max(bfloat_value(x >> 16), bfloat_value(y >> 16)));
}

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
static inline void mma(double (&d)[4], const double (&a)[4], double b0, double b1, bool first) {
  const double mine[6] = {a[0], a[1], a[2], a[3], b0, b1};
  product<8>(d, first, mine, 4, eight_deep_a, eight_deep_b);
}
}  // namespace mfft

#include "args.h"

namespace mfft {
alignas(16) unsigned char shared[emulated::SHARED_BYTES];  // what the kernel calls its dynamic shared memory
typedef unsigned int u32;
static inline void cluster_arrive(bool) {
  emulated::arrived[emulated::arrivals[emulated::now]++]++;
  emulated::give_way();  // so that blocks that have waited for this may go ahead
}
static inline void cluster_wait() {
  unsigned turn = emulated::waited[emulated::now]++;
  emulated::wait_until([turn] { return emulated::arrived[turn] == emulated::all; });
}
template <class V, class T>
static inline void store_in_block(V *place, u32 block, T re, T im) {
  size_t offset = (size_t)((unsigned char *)place - shared);
  bool here = block == emulated::resident;
  T *to = (T *)((here ? shared : emulated::memory + (size_t)block * emulated::SHARED_BYTES) + offset);
  to[0] = re;
  to[1] = im;
}
// Copies are made when they are waited for, as late as a device may.
struct pending_copy {
  void *to;
  const void *from;
  unsigned bytes;
};
static pending_copy pending[emulated::MOST_THREADS][emulated::MOST_COPIES];
static unsigned char pending_copies[emulated::MOST_THREADS];
static inline void await_copies() {
  for (unsigned i = 0; i < pending_copies[emulated::now]; i++)
    memcpy(pending[emulated::now][i].to, pending[emulated::now][i].from, pending[emulated::now][i].bytes);
  pending_copies[emulated::now] = 0;
}
template <class T, class S>
static inline void copy_to_shared(T *to, const S *from) {
  static_assert(sizeof(T) == sizeof(S) && (sizeof(T) == 8 || sizeof(T) == 16), "");
  pending[emulated::now][pending_copies[emulated::now]++] = {to, from, sizeof(T)};
}
static inline void publish(u32 *counter) { ++*counter; }
static inline void wait_for(const u32 *counter, u32 count) {
  emulated::wait_until([=] { return *counter >= count; });
}
static inline u32 take_turn(u32 *counter) { return (*counter)++; }
static inline void wait_for_previous() {}
static inline void release_next() {}
static inline float reciprocal(float x) { return 1 / x; }
}  // namespace mfft
#ifndef EMULATED_ARGS  // what the kernel takes
#define EMULATED_ARGS mfft_pass_args
#endif
extern "C" void mfft_pass(const EMULATED_ARGS a);

static const EMULATED_ARGS *launch_args;
static void run_thread() {
  mfft_pass(*launch_args);
  emulated::done[emulated::now] = true;
  emulated::give_way();
}

// Brings the shared memory of a block of the cluster into place.
static void make_resident(unsigned block) {
  using namespace emulated;
  if (block == resident) return;
  memcpy(memory + (size_t)resident * SHARED_BYTES, mfft::shared, SHARED_BYTES);
  memcpy(mfft::shared, memory + (size_t)block * SHARED_BYTES, SHARED_BYTES);
  resident = block;
}

// Lets every thread of a block that can run go to its next barrier.  Returns how many ran.
static unsigned run_block(unsigned block, unsigned threads, unsigned first_block, int backwards) {
  using namespace emulated;
  unsigned ran = 0;
  for (unsigned i = 0; i < threads; i++) {
    unsigned turn = backwards ? threads - 1 - i : i;
    now = block * threads + turn;
    if (done[now]) continue;
    make_resident(block);
    waits[now] = false;
    thread_index = {turn, 0, 0};
    block_index = {first_block + block, 0, 0};
    swapcontext(&scheduler, &thread[now]);
    ran += !waits[now];
  }
  return ran;
}

// Runs a launch.  backwards: threads and blocks take their turns from the last to the first.  False where the kernel wrote
// beyond shared_bytes of shared memory, which starts full of NaN, or where all wait for each other.
extern "C" bool mfft_emulate(const EMULATED_ARGS *args, unsigned blocks, unsigned cluster, unsigned threads,
                             size_t shared_bytes, int backwards) {
  using namespace emulated;
  static char *stacks = (char *)mmap(NULL, (size_t)STACK_BYTES * MOST_THREADS, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  static unsigned char *others = (unsigned char *)malloc((size_t)SHARED_BYTES * 16);
  launch_args = args;
  grid = {blocks, 1, 1};
  memory = others;
  all = cluster * threads;
  for (unsigned b = 0; b < blocks; b += cluster) {
    memset(mfft::shared, 0xff, sizeof mfft::shared);
    memset(memory, 0xff, (size_t)SHARED_BYTES * cluster);
    memset(arrived, 0, sizeof arrived);
    resident = 0;
    for (unsigned i = 0; i < all; i++) {
      getcontext(&thread[i]);
      thread[i].uc_stack.ss_sp = stacks + (size_t)STACK_BYTES * i;
      thread[i].uc_stack.ss_size = STACK_BYTES;
      thread[i].uc_link = NULL;
      makecontext(&thread[i], run_thread, 0);
      done[i] = false;
      arrivals[i] = waited[i] = 0;
    }
    for (unsigned ran = 1; ran;) {
      ran = 0;
      for (unsigned k = 0; k < cluster && !ran; k++) ran = run_block(backwards ? cluster - 1 - k : k, threads, b, backwards);
    }
    for (unsigned i = 0; i < all; i++)
      if (!done[i]) return false;
    for (unsigned k = 0; k < cluster; k++) {
      make_resident(k);
      for (size_t i = shared_bytes; i < sizeof mfft::shared; i++)
        if (mfft::shared[i] != 0xff) return false;
    }
  }
  return true;
}
