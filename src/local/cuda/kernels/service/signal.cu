// signal.cu: counters in memory that processes share (local/device.h).  SIGNAL_SENDS: raise the flags of peers; else wait
// for one's own, and after SIGNAL_NOTICE_S seconds say so; give up where a rank has failed, since its host then tells so.
// One block.
#include "args.h"
#include "ptx.cuh"

namespace mfft {

typedef unsigned long long u64;

constexpr unsigned LOOKS_AT_HOST = 64;  // looks at a flag for one at memory of the host, which takes a microsecond

// Tells the host, which warns (1) or ends the job (2), and goes on waiting.
__device__ void alarm(const mfft_signal_args &a, int i, int rung) {
  if (*(volatile int *)&a.alarm->rung >= rung) return;
  a.alarm->peer = a.peer[i];
  a.alarm->what = a.what;
  __threadfence_system();
  *(volatile int *)&a.alarm->rung = rung;
}

extern "C" __global__ void __launch_bounds__(32) mfft_pass(const __grid_constant__ mfft_signal_args a) {
  wait_for_previous();
  u64 value = *(volatile u64 *)a.counter + 1;
  __syncwarp();
#if SIGNAL_SENDS
  __threadfence_system();  // what kernels and copies before this one wrote to peers
  for (int i = threadIdx.x; i < a.count; i += 32) store_release((u64 *)a.flag[i], value);
#else
  constexpr u64 notice_ns = SIGNAL_NOTICE_S * 1000000000ull;
  u64 begin = nanoseconds();
  for (int i = threadIdx.x; i < a.count; i += 32) {
    int rung = 0;
    for (unsigned looks = 1; load_acquire((const u64 *)a.flag[i]) < value; looks++) {
      __nanosleep(64);
      if (looks % LOOKS_AT_HOST == 0 && a.failed && *(const volatile u64 *)a.failed) break;
      const u64 waited = nanoseconds() - begin;
      const int rings = a.limit_ns && waited > a.limit_ns ? 2 : waited > notice_ns;
      if (rings > rung || rings == 2) alarm(a, i, rings), rung = rings;  // a 1 from elsewhere may fall on a 2
    }
  }
#endif
  __syncwarp();
  if (threadIdx.x == 0 && a.last) *a.counter = value;
}

}  // namespace mfft
