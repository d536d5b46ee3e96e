// queue.hpp: what streams do, and in which order.
//
// Everything is a node: a launch, a copy, a mark.  A node runs when those before it are done; what may run is chosen by
// chance, by one thread for all devices of the process.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "machine.hpp"

namespace emulated {

// What a node does: a kernel, a function, one that is called again until it is done, or nothing.
struct work {
  std::shared_ptr<const launch_config> kernel;
  std::function<void()> call;
  std::function<bool(bool *progress)> step;  // whether it is done
};

struct context;

struct node {
  work what;
  context *owner = nullptr;
  std::vector<std::shared_ptr<node>> before;
  std::shared_ptr<node> lets_begin;  // a kernel that this one may overlap, as far as it allows
  std::unique_ptr<launch> running;
  bool done = false;
  unsigned long long when = 0;  // it was done
};
typedef std::shared_ptr<node> node_ptr;

extern std::mutex &gate;                  // guards all that the driver knows
extern std::condition_variable &changed;  // some node is done

// All with the gate held.
void queue_add(const node_ptr &n);
void queue_wait(std::unique_lock<std::mutex> &held, const node_ptr &n);
void queue_forget_done(std::vector<node_ptr> *nodes);

}  // namespace emulated
