// queue.cpp: see queue.hpp.
#include "queue.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "driver.hpp"
#include "memory.hpp"

namespace emulated {

std::mutex &gate = *new std::mutex;
std::condition_variable &changed = *new std::condition_variable;
static std::condition_variable &arrived = *new std::condition_variable;
static auto &pending = *new std::vector<node_ptr>;  // guarded by gate, in order of arrival

void queue_forget_done(std::vector<node_ptr> *nodes) {
  nodes->erase(std::remove_if(nodes->begin(), nodes->end(), [](const node_ptr &n) { return n->done; }), nodes->end());
}

// Whether a node may begin.
static bool may_begin(node *n) {
  queue_forget_done(&n->before);
  if (!n->before.empty()) return false;
  if (!n->lets_begin || n->lets_begin->done) return true;
  return n->lets_begin->running && n->lets_begin->running->lets_next_begin();
}

static void finish(node *n) {
  n->done = true;
  n->when = nanoseconds();
  n->before.clear();
  n->lets_begin.reset();
  n->what = work();
}

// Runs a part of a node; false if it waits.  The gate is released meanwhile.
static bool advance(std::unique_lock<std::mutex> &held, node *n) {
  if (n->owner->error != CUDA_SUCCESS) {  // no operation runs on a device that has failed
    n->running.reset();
    finish(n);
    return true;
  }
  bool progress = true;
  if (n->what.kernel) {
    if (!n->running) n->running = std::make_unique<launch>(*n->what.kernel);
    if (n->lets_begin && !n->lets_begin->done)
      n->running->previous_is_not_done();
    else
      n->running->previous_is_done();
    held.unlock();
    progress = n->running->step();
    held.lock();
    if (!n->running->done()) return progress;
    if (n->running->failed()) n->owner->error = CUDA_ERROR_LAUNCH_FAILED;
    n->running.reset();
  } else if (n->what.call) {
    held.unlock();
    n->what.call();
    held.lock();
  } else if (n->what.step) {
    bool moved = false;
    held.unlock();
    const bool done = n->what.step(&moved);
    held.lock();
    if (!done) return moved;
  }
  finish(n);
  return true;
}

static void run_for_ever() {
  std::unique_lock<std::mutex> held(gate);
  for (unsigned idle = 0;;) {
    bool progress = false;
    const size_t count = pending.size(), start = count ? chance((unsigned)count) : 0;
    for (size_t k = 0; k < count && !progress; k++) {
      node_ptr n = pending[(start + k) % count];
      if (!n->running && !may_begin(n.get())) continue;
      progress = advance(held, n.get());
      if (!n->done) continue;
      pending.erase(std::find(pending.begin(), pending.end(), n));
      changed.notify_all();
      break;
    }
    if (pending.empty()) {
      idle = 0;
      memory_close(true);
      arrived.wait(held);
      memory_close(false);
    } else if (progress) {
      idle = 0;
    } else {  // what there is waits for other processes
      held.unlock();
      if (idle++ < 20)
        sched_yield();
      else
        usleep(std::min(20u * idle, 500u));
      held.lock();
    }
  }
}

void queue_add(const node_ptr &n) {
  static bool begun;
  if (!begun) std::thread(run_for_ever).detach();
  begun = true;
  pending.push_back(n);
  arrived.notify_one();
}

void queue_wait(std::unique_lock<std::mutex> &held, const node_ptr &n) {
  while (!n->done) changed.wait(held);
}

}  // namespace emulated
