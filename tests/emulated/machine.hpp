// machine.hpp: launches of kernels, run thread by thread.
//
// One thread of the host runs all kernels of a process, so that what happens is decided by a seed and not by chance: blocks
// take turns, from barrier to barrier; so do launches that may overlap.  Threads run one after another, in either order,
// each as far as barriers let it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernel.hpp"

namespace emulated {

enum { PLAIN_SHARED = 49152, MOST_THREADS = 1024, SM_BLOCKS = 32, PORTABLE_CLUSTER = 8 };

// An environment variable that is a number.
int number_of(const char *name, int otherwise);

// The other limits of a device, but for the number of multiprocessors: those of an H200, or of a GPU of the architecture
// that MFFT_EMULATED_ARCH names.
struct device_model {
  int arch;
  unsigned most_shared, sm_shared, sm_threads;  // bytes of a block and of a multiprocessor
  unsigned most_cluster;                        // 0: there are none
};
const device_model &model();
int multiprocessors();  // of a device: MFFT_EMULATED_SMS

// Whether MFFT_EMULATED_ONLY_COMPILES=1 is set: kernels and copies do nothing, and modules are accepted whatever is in them.
// A program then compiles, with the NVRTC that it finds, all kernels that it would launch on a GPU.
bool only_compiles();

// A kernel, which is compiled and brought into memory when it, or a graph of it, is first launched.
struct module {
  std::string description;       // for compile()
  const kernel *code = nullptr;  // [1], or NULL until load() succeeds
  void *library = nullptr;
  const char *begin = nullptr, *end = nullptr;  // where its data may lie
  std::string name;                             // for messages
  bool load();
  ~module();
};

// The configuration of a launch; graphs keep it.
struct launch_config {
  std::shared_ptr<module> what;
  void *function = nullptr;  // the handle that was launched
  std::vector<char> args;
  place grid, block;
  unsigned cluster = 1;
  size_t shared_bytes = 0;
  size_t most_shared = PLAIN_SHARED;  // as the function allowed when it was launched
  bool large_clusters = false;
  int device = 0;
  bool overlaps = false;  // may begin before the preceding kernel has ended
};

struct cluster_run;

// A launch under way.
class launch {
 public:
  explicit launch(const launch_config &config);
  ~launch();
  // Goes on for a while; false where everything waits for something outside.
  bool step();
  bool done() const { return failed_ || (finished_ == clusters_ && running_.empty()); }
  bool failed() const { return failed_; }
  int most_clusters() const { return (int)capacity_; }  // that a device holds at a time
  bool lets_next_begin() const;                         // all blocks have said so, or have ended
  void previous_is_done() { previous_done_ = true; }
  void previous_is_not_done() { previous_done_ = false; }
  const launch_config config;

 private:
  friend struct block_run;
  void begin_cluster();
  std::vector<std::unique_ptr<cluster_run>> running_;
  uint64_t clusters_, begun_ = 0, finished_ = 0, released_ = 0;
  unsigned window_, capacity_;
  bool backwards_, previous_done_ = true, failed_ = false;
};

// The services of the machine that every kernel calls.
services *machine_services();
unsigned long long nanoseconds();

// Numbers by chance, from MFFT_EMULATED_SEED: below `limit`.
unsigned chance(unsigned limit);

// The order of threads and blocks from now on: 0 by chance, 1 forwards, 2 backwards.
extern "C" void emulated_choose_order(int order);

// Says what went wrong.
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace emulated
