// run.hpp: clusters, blocks and threads of a launch under way.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "checks.hpp"
#include "fiber.hpp"
#include "machine.hpp"

namespace emulated {

enum { USES = 4 };  // USES: uses of a cluster's barrier that may be in progress at once

enum thread_state { READY, AT_WARP, AT_BLOCK, AT_CLUSTER, PREVIOUS, PAUSED, ENDED };

struct copy_run {
  void *to;
  const void *from;
  size_t bytes;
  int group;
};

struct thread_run {
  fiber context;
  char *stack = nullptr;
  thread_state state = READY;
  unsigned exchanges = 0, arrivals = 0, waits = 0;  // at the cluster's barrier
  std::vector<copy_run> copies;                     // to be waited for
  int groups = 0;                                   // of copies, ended
  bool exchanging = false, stored_away = false, released = false;
};

struct block_run {
  block_run(launch *of, cluster_run *cluster, place where);
  ~block_run();
  bool step(bool backwards);  // runs every thread until it waits at a barrier; false if none made progress
  bool released() const;
  bool previous_done() const;

  launch *owner;
  cluster_run *mates;
  place at;
  std::vector<thread_run> threads;
  std::vector<unsigned char> shared;
  std::vector<char> statics;
  std::vector<std::array<double, LAID>> laid;  // [2][threads]
  shadow_memory shadow;
  unsigned live = 0;  // threads that have not ended
  bool failed = false;

 private:
  void run(unsigned number);
  bool ready(const thread_run &t) const;
  bool release_warp(unsigned first, unsigned last);
  bool wrong(unsigned number, const char *what);
  void check_stuck();
};

struct cluster_run {
  std::vector<std::unique_ptr<block_run>> blocks;
  unsigned all = 0;             // threads
  uint64_t arrived[USES] = {};  // when the cluster's barrier is used for the time k, k + USES, k + 2 USES ...
  bool complete(unsigned use) const { return arrived[use % USES] >= (use / USES + 1) * (uint64_t)all; }
  bool step(bool backwards);
};

// Ends the running kernel with a message that names the running thread.
void fail_here(const char *format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace emulated
