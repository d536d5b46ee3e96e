// signal.cu: signals by counters in memory that processes share (local/device.h).  With SIGNAL_SENDS the kernel increments
// the flags of peers; otherwise it waits for its own flags, raises an alarm after SIGNAL_NOTICE_S seconds, and ends without
// an alarm if a rank has failed, which the host reports.  One block.
#include "ptx.cuh"
#include "signal_args.h"

namespace mfft {

typedef unsigned long long u64;

constexpr unsigned HOST_POLL_EVERY = 64;  // polls of a flag for each poll of host memory, which takes a microsecond

// Raises an alarm at the host, which warns (1) or ends the job (2); the kernel goes on waiting.
__device__ void alarm(const mfft_signal_args &a, int i, int level) {
  if (*(volatile int *)&a.alarm->level >= level) return;
  a.alarm->peer = a.peer[i];
  a.alarm->what = a.what;
  __threadfence_system();
  *(volatile int *)&a.alarm->level = level;
}

extern "C" __global__ void __launch_bounds__(32) mfft_pass(const __grid_constant__ mfft_signal_args a) {
  wait_for_previous();
  u64 value = *(volatile u64 *)a.counter + 1;
  __syncwarp();
#if SIGNAL_SENDS
  __threadfence_system();  // for writes to peers by preceding kernels and copies
  for (int i = threadIdx.x; i < a.count; i += 32) store_release((u64 *)a.flag[i], value);
#else
  constexpr u64 notice_ns = SIGNAL_NOTICE_S * 1000000000ull;
  u64 begin = nanoseconds();
  for (int i = threadIdx.x; i < a.count; i += 32) {
    int level = 0;
    for (unsigned polls = 1; load_acquire((const u64 *)a.flag[i]) < value; polls++) {
      __nanosleep(64);
      if (polls % HOST_POLL_EVERY == 0 && a.failed && *(const volatile u64 *)a.failed) break;
      const u64 waited = nanoseconds() - begin;
      const int due = a.limit_ns && waited > a.limit_ns ? 2 : waited > notice_ns;
      if (due > level || due == 2)
        alarm(a, i, due), level = due;  // repeated at level 2, since another block may have overwritten it by 1
    }
  }
#endif
  __syncwarp();
  if (threadIdx.x == 0 && a.last) *a.counter = value;
}

}  // namespace mfft
