// checks.hpp: the state of each word of a block's shared memory: which thread wrote it and which read it since which
// barrier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel.hpp"

namespace emulated {

// Epochs count barriers: of the block, continued from one use of this object to the next, and of each warp.
class shadow_memory {
 public:
  void prepare(size_t bytes, size_t cell_bytes, unsigned warps);
  void block_barrier() { epoch_++; }
  void warp_barrier(unsigned warp) { warp_epoch_[warp]++; }
  void cluster_barrier() { cluster_began_ = ++epoch_; }
  void touch(size_t offset, size_t bytes, access_kind kind, unsigned thread);
  void store_remote(size_t offset, size_t bytes, unsigned thread);  // by a thread of another block
  void load_remote(size_t offset, size_t bytes, unsigned thread);

 private:
  enum { ATOMICALLY = 1, SEVERAL = 2, REMOTE = 4 };
  struct access {
    uint32_t epoch = 0;
    uint16_t warp_epoch = 0;
    uint16_t thread : 12, how : 4;
  };
  struct cell {
    access write, read, read_elsewhere;  // the last reader, and one of another warp
  };
  bool unordered(const access &before, unsigned thread) const {
    if (before.epoch != epoch_ && !(before.how & REMOTE)) return false;
    return unordered_in_epoch(before, thread);
  }
  bool unordered_in_epoch(const access &before, unsigned thread) const;
  void complain_of(const access &before, const char *did, size_t cell, access_kind kind) const;
  std::vector<cell> cells_;  // [bytes / cell_bytes]
  std::vector<uint16_t> warp_epoch_;
  unsigned shift_ = 2;  // of cell_bytes
  uint32_t epoch_ = 0, cluster_began_ = 0;
};

}  // namespace emulated
