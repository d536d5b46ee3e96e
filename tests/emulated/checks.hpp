// checks.hpp: what is known of each half word of a block's shared memory: who wrote and who read it since which barrier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel.hpp"

namespace emulated {

struct block_run;

class shadow_memory {
 public:
  void prepare(size_t bytes, unsigned warps);
  void block_barrier() { block_epoch_++; }
  void warp_barrier(unsigned warp) { warp_epoch_[warp]++; }
  void cluster_barrier() { block_epoch_++, cluster_epoch_++; }
  void touch(const block_run &block, size_t offset, size_t bytes, access_kind kind, unsigned thread);
  void store_from_afar(const block_run &block, size_t offset, size_t bytes, bool own, unsigned thread);

 private:
  struct access {
    uint32_t block_epoch = 0, warp_epoch = 0, cluster_epoch = 0;  // 0: never
    uint16_t thread = 0;
    bool atomic = false, several = false, afar = false;
  };
  struct cell {
    access write, read, read_elsewhere;  // the last reader, and one of another warp
  };
  bool unordered(const access &before, unsigned thread) const;
  void must_be_ordered(const access &before, const char *did, size_t offset, access_kind kind, unsigned thread) const;
  std::vector<cell> cells_;  // [bytes / 2]
  std::vector<uint32_t> warp_epoch_;
  uint32_t block_epoch_ = 1, cluster_epoch_ = 1;
};

}  // namespace emulated
