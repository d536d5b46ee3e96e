// yield.cpp: preloaded, so that a rank that waits for another sleeps.  MPI and mergefft call sched_yield() between two
// polls.  A rank that compiles a kernel makes the others wait for half a second, in which their polling would take processor
// time from it, and from tests that run at the same time.
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

static long now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000 + t.tv_nsec;
}

extern "C" int sched_yield() noexcept {
  const long busy = 20'000, short_wait = 5'000'000, longest_sleep = 5'000'000;  // nanoseconds
  static thread_local long begin, last;                                         // of a wait
  if (now() - last > busy) begin = now();
  const long waited = now() - begin;
  if (waited < short_wait) {
    syscall(SYS_sched_yield);
  } else {
    timespec t = {0, std::min(waited / 8, longest_sleep)};
    nanosleep(&t, nullptr);
  }
  last = now();
  return 0;
}
