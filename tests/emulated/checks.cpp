// checks.cpp: see checks.hpp.  Two accesses by different threads, one of them a store, need a barrier between them that both
// pass: the block's, or that of their warp.  (Words that no thread wrote may be read, by lines that only fill a block: they
// are NaN.)
#include "checks.hpp"

#include "run.hpp"

namespace emulated {

void shadow_memory::prepare(size_t bytes, size_t cell_bytes, unsigned warps) {
  shift_ = cell_bytes == 2 ? 1 : 2;
  if (cells_.size() << shift_ < bytes + cell_bytes) cells_.resize((bytes >> shift_) + 1);
  warp_epoch_.assign(warps, 1);
  cluster_began_ = ++epoch_;
}

bool shadow_memory::unordered_in_epoch(const access &before, unsigned thread) const {
  if (before.how & REMOTE) return before.epoch >= cluster_began_;
  if (before.thread == thread && !(before.how & SEVERAL)) return false;
  return before.thread / WARP != thread / WARP || before.warp_epoch == warp_epoch_[thread / WARP];
}

void shadow_memory::complain_of(const access &before, const char *did, size_t cell, access_kind kind) const {
  if ((before.how & ATOMICALLY) && kind == ATOMIC) return;
  fail_here("%s byte %zu of shared memory, which thread %u%s %s with no barrier between", kind == READS ? "reads" : "writes",
            cell << shift_, before.thread, before.how & REMOTE ? " of another block" : "", did);
}

void shadow_memory::touch(size_t offset, size_t bytes, access_kind kind, unsigned thread) {
  access mine;
  mine.epoch = epoch_;
  mine.warp_epoch = warp_epoch_[thread / WARP];
  mine.thread = thread & 0xfff;
  mine.how = kind == ATOMIC ? ATOMICALLY : 0;
  for (size_t c = offset >> shift_; c <= (offset + bytes - 1) >> shift_; c++) {
    cell &x = cells_[c];
    if (unordered(x.write, thread)) complain_of(x.write, "wrote", c, kind);
    if (kind == READS) {
      const bool fresh = x.read.epoch == epoch_, same_warp = x.read.thread / WARP == thread / WARP;
      const bool several =
          fresh && same_warp && x.read.warp_epoch == mine.warp_epoch && ((x.read.how & SEVERAL) || x.read.thread != thread);
      if (fresh && !same_warp) x.read_elsewhere = x.read;
      x.read = mine;
      if (several) x.read.how = SEVERAL;
    } else {
      if (unordered(x.read, thread)) complain_of(x.read, "read", c, kind);
      if (unordered(x.read_elsewhere, thread)) complain_of(x.read_elsewhere, "read", c, kind);
      x.write = mine;
    }
  }
}

void shadow_memory::store_remote(size_t offset, size_t bytes, unsigned thread) {
  for (size_t c = offset >> shift_; c <= (offset + bytes - 1) >> shift_; c++) {
    cell &x = cells_[c];
    for (const access *before : {&x.write, &x.read, &x.read_elsewhere})
      if (before->epoch >= cluster_began_)
        fail_here("stores at byte %zu of shared memory of another block, after thread %u with no barrier between",
                  c << shift_, before->thread);
    x.write.epoch = epoch_;
    x.write.thread = thread & 0xfff;
    x.write.how = REMOTE;
  }
}

void shadow_memory::load_remote(size_t offset, size_t bytes, unsigned thread) {
  for (size_t c = offset >> shift_; c <= (offset + bytes - 1) >> shift_; c++) {
    cell &x = cells_[c];
    if (x.write.epoch >= cluster_began_)
      fail_here("loads from byte %zu of shared memory of another block, after thread %u wrote it with no barrier between",
                c << shift_, x.write.thread);
    x.read_elsewhere.epoch = epoch_;
    x.read_elsewhere.thread = thread & 0xfff;
    x.read_elsewhere.how = REMOTE;
  }
}

}  // namespace emulated
