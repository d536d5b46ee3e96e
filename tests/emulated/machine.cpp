// machine.cpp: see machine.hpp.
#include "machine.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "checks.hpp"
#include "fiber.hpp"
#include "memory.hpp"
#include "run.hpp"

namespace emulated {

int number_of(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text && *text ? atoi(text) : otherwise;
}

const device_model &model() {
  static const device_model models[] = {{90, 232448, 233472, 2048, 16},
                                        {80, 166912, 167936, 2048, 0},
                                        {86, 101376, 102400, 1536, 0},
                                        {89, 101376, 102400, 1536, 0},
                                        {120, 101376, 102400, 1536, 8}};
  static const int arch = number_of("MFFT_EMULATED_ARCH", 90);
  for (const device_model &m : models)
    if (m.arch == arch) return m;
  return models[0];
}

int multiprocessors() {
  static const int count = std::max(1, number_of("MFFT_EMULATED_SMS", 4));
  return count;
}

bool only_compiles() {
  static const bool set = number_of("MFFT_EMULATED_ONLY_COMPILES", 0) == 1;
  return set;
}

unsigned chance(unsigned limit) {
  static uint64_t state = 0x9e3779b97f4a7c15u * (uint64_t)(1 + number_of("MFFT_EMULATED_SEED", 0));
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (unsigned)((state >> 33) % limit);
}

static int order;
extern "C" void emulated_choose_order(int wanted) { order = wanted; }

void complain(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fputs("emulated GPU: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  fflush(stderr);
  va_end(list);
}

module::~module() {
  if (library) dlclose(library);
}

// ---- Threads ----

static fiber scheduler;
static block_run *now;       // the block that runs
static unsigned now_thread;  // and its thread
static services offered;

static thread_run *me;

static thread_run &self() { return *me; }

// Lets the scheduler run other threads until this one may go on from `state`.
static void yield_as(thread_state state) {
  self().state = state;
  emulated_fiber_switch(&self().context, &scheduler);
}

static void body() {
  const launch_config &config = now->owner->config;
  config.what->code->run(config.args.data());
  yield_as(ENDED);
  abort();
}

void fail_here(const char *format, ...) {
  char text[400];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  complain("%s: thread %u of block (%u, %u): %s", now->owner->config.what->name.c_str(), now_thread, now->at.x, now->at.y,
           text);
  now->failed = true;
  yield_as(ENDED);
}

// ---- What kernels ask for ----

static void sync_threads() { yield_as(AT_BLOCK); }
static void sync_warp() { yield_as(AT_WARP); }
static void pause_thread() { yield_as(PAUSED); }
static unsigned char *shared() { return now->shared.data(); }

static lanes exchange(const double *mine, int words) {
  if (now->laid.empty()) now->laid.resize(2 * now->threads.size() + WARP);
  auto *set = &now->laid[(self().exchanges++ & 1) * now->threads.size()];
  memcpy(&set[now_thread], mine, (size_t)words * sizeof *mine);
  self().exchanging = true;
  yield_as(AT_WARP);
  self().exchanging = false;
  return (lanes)&set[now_thread / WARP * WARP];
}

static void cluster_arrive(bool stores) {
  if (self().stored_away && !stores)
    fail_here("arrives at the cluster's barrier without releasing what it stored into other blocks");
  self().stored_away = false;
  unsigned use = self().arrivals++;
  now->mates->arrived[use % USES]++;
  if (now->mates->complete(use))
    for (const auto &b : now->mates->blocks) b->shadow.cluster_barrier();
}
static void cluster_wait() {
  if (self().waits == self().arrivals) fail_here("waits at the cluster's barrier, where it has not arrived");
  self().waits++;
  yield_as(AT_CLUSTER);
}

// Where a block of the cluster has what lies at `place` in this one's shared memory.
static block_run *find_block(const void *place, unsigned block, size_t bytes, const char *does, size_t *offset) {
  *offset = (size_t)((const unsigned char *)place - now->shared.data());
  if (block >= now->mates->blocks.size())
    fail_here("%s block %u of a cluster of %zu", does, block, now->mates->blocks.size());
  if (*offset + bytes > now->shared.size())
    fail_here("%s %zu bytes at %zu of %zu bytes of shared memory of block %u", does, bytes, *offset, now->shared.size(),
              block);
  if (*offset % bytes) fail_here("%s %zu bytes at %zu: not aligned", does, bytes, *offset);
  return now->mates->blocks[block].get();
}
static void load(const void *place, unsigned block, void *value, size_t bytes) {
  size_t offset;
  block_run *from = find_block(place, block, bytes, "loads from", &offset);
  if (from == now)
    from->shadow.touch(offset, bytes, READS, now_thread);
  else
    from->shadow.load_remote(offset, bytes, now_thread);
  memcpy(value, from->shared.data() + offset, bytes);
}
static void store(void *place, unsigned block, const void *value, size_t bytes) {
  size_t offset;
  block_run *to = find_block(place, block, bytes, "stores into", &offset);
  if (to == now)
    to->shadow.touch(offset, bytes, WRITES, now_thread);
  else
    to->shadow.store_remote(offset, bytes, now_thread);
  memcpy(to->shared.data() + offset, value, bytes);
  if (to != now) self().stored_away = true;
}

static void wait_for_previous() {
  if (!now->previous_done()) yield_as(PREVIOUS);
}
static void release_next() { self().released = true; }

unsigned long long nanoseconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (unsigned long long)t.tv_sec * 1000000000ull + (unsigned long long)t.tv_nsec;
}

// bytes: a power of two where they are to be aligned.
static void touch(const volatile void *address, size_t bytes, access_kind kind, bool aligned) {
  const char *at = (const char *)address;
  if (aligned && ((uintptr_t)at & (bytes - 1)))
    fail_here("%s %zu bytes at %p: not aligned", kind == READS ? "reads" : "writes", bytes, (const void *)at);
  const char *own = (const char *)now->shared.data();
  if (at >= own && at + bytes <= own + now->shared.size()) {
    now->shadow.touch((size_t)(at - own), bytes, kind, now_thread);
    return;
  }
  const launch_config &config = now->owner->config;
  const kernel *code = config.what->code;
  if (at >= code->statics && at < code->statics_end) {
    now->shadow.touch(now->shared.size() + (size_t)(at - code->statics), bytes, kind, now_thread);
    return;
  }
  if (at >= (const char *)&offered && at < (const char *)(&offered + 1)) return;
  if (!now->laid.empty() && at >= (const char *)now->laid.data() && at < (const char *)(now->laid.data() + now->laid.size()))
    return;
  if (at >= config.what->begin && at < config.what->end) return;
  char why[200];
  if (memory_allows(at, bytes, kind != READS, config.device, why, sizeof why)) return;
  if (at >= own - 4096 && at < own + now->shared.size() + 65536)
    snprintf(why, sizeof why, "%td of %zu bytes of shared memory", at - own, now->shared.size());
  fail_here("%s %zu bytes at %p: %s", kind == READS ? "reads" : "writes", bytes, (const void *)at, why);
}

static void copy_later(void *to, const void *from, size_t bytes) {
  self().copies.push_back({to, from, bytes, self().groups});
}
static void end_group() { self().groups++; }
static void await_copies(int but) {  // all, or all groups but so many of the last
  std::vector<copy_run> &copies = self().copies, later;
  for (const copy_run &c : copies) {
    if (but >= 0 && c.group >= self().groups - but) {
      later.push_back(c);
      continue;
    }
    touch(c.from, c.bytes, READS, true);
    touch(c.to, c.bytes, WRITES, true);
    memcpy(c.to, c.from, c.bytes);
  }
  copies.swap(later);
}

services *machine_services() {
  if (!offered.touch)
    offered = {{},           {},          {},       {},           nullptr,
               sync_threads, sync_warp,   exchange, pause_thread, cluster_arrive,
               cluster_wait, shared,      store,    load,         wait_for_previous,
               release_next, nanoseconds, touch,    copy_later,   end_group,
               await_copies};
  return &offered;
}

// ---- Blocks ----

static std::vector<char *> free_stacks;
static char *take_stack() {
  if (free_stacks.empty()) {
    enum { TOGETHER = 256 };
    char *made = (char *)mmap(nullptr, (size_t)STACK_BYTES * TOGETHER, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) abort();
    for (int i = 0; i < TOGETHER; i++) free_stacks.push_back(made + (size_t)STACK_BYTES * i);
  }
  char *stack = free_stacks.back();
  free_stacks.pop_back();
  return stack;
}

static std::vector<shadow_memory> free_shadows;  // as large as the largest block, so used again

block_run::block_run(launch *of, cluster_run *cluster, place where) : owner(of), mates(cluster), at(where) {
  const launch_config &config = of->config;
  threads.resize(config.block.x * config.block.y * config.block.z);
  shared.assign(config.shared_bytes, 0xff);
  const kernel *code = config.what->code;
  statics.assign((size_t)(code->statics_end - code->statics), (char)0xff);
  if (!free_shadows.empty()) {
    shadow = std::move(free_shadows.back());
    free_shadows.pop_back();
  }
  shadow.prepare(config.shared_bytes + statics.size(), code->smallest, (unsigned)(threads.size() + WARP - 1) / WARP);
  for (thread_run &t : threads) {
    t.stack = take_stack();
    fiber_make(&t.context, t.stack, STACK_BYTES, body);
  }
  live = (unsigned)threads.size();
}

block_run::~block_run() {
  for (thread_run &t : threads) free_stacks.push_back(t.stack);
  free_shadows.push_back(std::move(shadow));
}

bool block_run::previous_done() const { return owner->previous_done_; }

void block_run::run(unsigned number) {
  thread_run &t = threads[number];
  now = this;
  now_thread = number;
  me = &t;
  offered.stack = t.stack;
  offered.block = at;
  offered.grid = owner->config.grid;
  offered.block_size = owner->config.block;
  const unsigned width = owner->config.block.x;
  offered.thread = {number % width, number / width, 0};
  t.state = READY;
  emulated_fiber_switch(&scheduler, &t.context);
  if (t.state == ENDED) live--;
}

// Whether a thread that waited may go on.
bool block_run::ready(const thread_run &t) const {
  if (t.state == PREVIOUS) return previous_done();
  if (t.state == AT_CLUSTER) return mates->complete(t.waits - 1);
  return t.state == READY || t.state == PAUSED;
}

// All threads of a warp that have not ended wait for each other.
bool block_run::release_warp(unsigned first, unsigned last) {
  unsigned waiting = 0, ended = 0, exchanging = 0;
  for (unsigned i = first; i < last; i++) {
    waiting += threads[i].state == AT_WARP;
    exchanging += threads[i].exchanging;
    ended += threads[i].state == ENDED;
  }
  if (!waiting || waiting + ended < last - first) return false;
  if (ended) return wrong(first, "some threads of a warp have ended and others wait for the warp");
  if (exchanging && exchanging < last - first)
    return wrong(first, "some threads of a warp exchange and others wait for the warp");
  for (unsigned i = first; i < last; i++) threads[i].state = READY;
  if (!exchanging) shadow.warp_barrier(first / WARP);
  return true;
}

bool block_run::wrong(unsigned number, const char *what) {
  complain("%s: thread %u of block (%u, %u): %s", owner->config.what->name.c_str(), number, at.x, at.y, what);
  failed = true;
  return true;
}

bool block_run::step(bool backwards) {
  const kernel *code = owner->config.what->code;
  const unsigned count = (unsigned)threads.size(), warps = (count + WARP - 1) / WARP;
  bool progress = false;
  if (!statics.empty()) memcpy(code->statics, statics.data(), statics.size());
  for (unsigned w = 0; w < warps && !failed; w++) {
    const unsigned first = (backwards ? warps - 1 - w : w) * WARP, last = std::min(first + WARP, count);
    for (bool ran = true, polled = false; ran && !failed; polled = true) {
      ran = false;
      for (unsigned i = first; i < last && !failed; i++) {
        const unsigned number = backwards ? first + last - 1 - i : i;
        if (!ready(threads[number]) || (polled && threads[number].state == PAUSED)) continue;
        run(number);
        ran |= threads[number].state != PAUSED;
      }
      if (!failed) ran |= release_warp(first, last);
      progress |= ran;
    }
  }
  unsigned waiting = 0;
  for (const thread_run &t : threads) waiting += t.state == AT_BLOCK;
  if (waiting && waiting == live && !failed) {
    if (live < count) wrong(0, "some threads of a block have ended and others wait at its barrier");
    for (thread_run &t : threads) t.state = READY;
    shadow.block_barrier();
    progress = true;
  }
  if (!progress && live && !failed && waiting) check_stuck();
  if (!statics.empty()) memcpy(statics.data(), code->statics, statics.size());
  return progress;
}

// Nothing moved: is there somebody who can be waited for?
void block_run::check_stuck() {
  for (const thread_run &t : threads)
    if (t.state == PAUSED || t.state == AT_CLUSTER || t.state == PREVIOUS) return;
  wrong(0, "threads wait at different barriers for ever");
}

bool block_run::released() const {
  for (const thread_run &t : threads)
    if (t.state != ENDED && !t.released) return false;
  return true;
}

// ---- Launches ----

launch::launch(const launch_config &c) : config(c) {
  clusters_ = (uint64_t)c.grid.x * c.grid.y * c.grid.z / c.cluster;
  const unsigned threads = c.block.x * c.block.y * c.block.z, each = (unsigned)c.shared_bytes + 1024;
  const unsigned blocks = std::min({(unsigned)SM_BLOCKS, model().sm_threads / threads, model().sm_shared / each});
  capacity_ = std::max(1u, (unsigned)multiprocessors() * blocks / c.cluster);
  window_ = order ? 1 : std::min(capacity_, 1 + chance(3));
  backwards_ = order ? order == 2 : chance(2);
}

launch::~launch() = default;

bool launch::lets_next_begin() const {
  if (begun_ < clusters_) return false;
  for (const auto &c : running_)
    for (const auto &b : c->blocks)
      if (!b->released()) return false;
  return true;
}

void launch::begin_cluster() {
  auto made = std::make_unique<cluster_run>();
  const uint64_t first = begun_++ * config.cluster;
  for (unsigned i = 0; i < config.cluster; i++) {
    const uint64_t number = first + i;
    const place at = {(unsigned)(number % config.grid.x), (unsigned)(number / config.grid.x % config.grid.y),
                      (unsigned)(number / config.grid.x / config.grid.y)};
    made->blocks.push_back(std::make_unique<block_run>(this, made.get(), at));
    made->all += made->blocks.back()->live;
  }
  running_.push_back(std::move(made));
}

bool cluster_run::step(bool backwards) {
  bool progress = false;
  for (size_t k = 0; k < blocks.size() && !progress; k++)
    progress = blocks[backwards ? blocks.size() - 1 - k : k]->step(backwards);
  return progress;
}

bool launch::step() {
  while (running_.size() < window_ && begun_ < clusters_) begin_cluster();
  bool progress = false;
  const size_t count = running_.size();
  for (size_t k = 0; k < count && !progress; k++) {
    const size_t i = backwards_ ? count - 1 - k : k;
    progress = running_[i]->step(backwards_);
    unsigned live = 0;
    for (const auto &b : running_[i]->blocks) {
      live += b->live;
      failed_ |= b->failed;
    }
    if (failed_) {
      running_.clear();
      return true;
    }
    if (live) continue;
    running_.erase(running_.begin() + (ptrdiff_t)i);
    finished_++;
    return true;
  }
  if (progress || begun_ == clusters_ || running_.size() >= capacity_) return progress;
  begin_cluster();  // those that run wait for later ones, or for others
  return true;
}

}  // namespace emulated
