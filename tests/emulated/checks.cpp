// checks.cpp: see checks.hpp.  Two accesses by different threads, one of them a store, need a barrier between them that both
// pass: the block's, or that of their warp.  (What nobody wrote may be read, by lines that only fill a block: it is NaN.)
#include "checks.hpp"

#include "run.hpp"

namespace emulated {

enum { CELL = 2 };  // bytes

void shadow_memory::prepare(size_t bytes, unsigned warps) {
  cells_.assign((bytes + CELL - 1) / CELL, cell());
  warp_epoch_.assign(warps, 1);
}

bool shadow_memory::unordered(const access &before, unsigned thread) const {
  if (before.afar) return before.cluster_epoch == cluster_epoch_;
  if (before.block_epoch != block_epoch_) return false;
  if (before.thread == thread && !before.several) return false;
  return before.thread / WARP != thread / WARP || before.warp_epoch == warp_epoch_[thread / WARP];
}

void shadow_memory::must_be_ordered(const access &before, const char *did, size_t offset, access_kind kind,
                                    unsigned thread) const {
  if (!unordered(before, thread) || (before.atomic && kind == ATOMIC)) return;
  fail_here("%s byte %zu of shared memory, which thread %u%s %s with no barrier between", kind == READS ? "reads" : "writes",
            offset, before.thread, before.afar ? " of another block" : "", did);
}

void shadow_memory::touch(const block_run &, size_t offset, size_t bytes, access_kind kind, unsigned thread) {
  const access mine = {block_epoch_, warp_epoch_[thread / WARP], cluster_epoch_, (uint16_t)thread, kind == ATOMIC};
  for (size_t c = offset / CELL; c <= (offset + bytes - 1) / CELL; c++) {
    cell &x = cells_[c];
    must_be_ordered(x.write, "wrote", c * CELL, kind, thread);
    if (kind == READS) {
      const bool fresh = x.read.block_epoch == block_epoch_;
      const bool same_warp = x.read.thread / WARP == thread / WARP;
      const bool several =
          fresh && same_warp && x.read.warp_epoch == mine.warp_epoch && (x.read.several || x.read.thread != thread);
      if (fresh && !same_warp) x.read_elsewhere = x.read;
      x.read = mine;
      x.read.several = several;
    } else {
      must_be_ordered(x.read, "read", c * CELL, kind, thread);
      must_be_ordered(x.read_elsewhere, "read", c * CELL, kind, thread);
      x.write = mine;
    }
  }
}

void shadow_memory::store_from_afar(const block_run &block, size_t offset, size_t bytes, bool own, unsigned thread) {
  if (own) return touch(block, offset, bytes, WRITES, thread);
  for (size_t c = offset / CELL; c <= (offset + bytes - 1) / CELL; c++) {
    cell &x = cells_[c];
    for (const access *before : {&x.write, &x.read, &x.read_elsewhere})
      if (before->cluster_epoch == cluster_epoch_)
        fail_here("stores at byte %zu of shared memory of another block, after thread %u with no barrier between", c * CELL,
                  before->thread);
    x.write = {block_epoch_, 0, cluster_epoch_, (uint16_t)thread, false, false, true};
  }
}

}  // namespace emulated
