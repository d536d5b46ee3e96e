// queue.hpp: the operations of streams, and their order.
//
// Every operation is a node: a launch, a copy, an event.  A node runs when those that it depends on are done; among nodes
// that may run one is chosen at random, by one thread for all devices of the process.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "machine.hpp"

namespace emulated {

// The operation of a node: a kernel, a function, a function that is called again until it is done, or none.
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
  std::shared_ptr<node> lets_begin;  // a kernel that this one may overlap, as far as that kernel allows
  std::unique_ptr<launch> running;
  bool done = false;
  unsigned long long when = 0;  // it was done
};
typedef std::shared_ptr<node> node_ptr;

extern std::mutex &gate;                  // guards all state of the driver
extern std::condition_variable &changed;  // some node is done

// All of them are called with the gate held.
void queue_add(const node_ptr &n);
void queue_wait(std::unique_lock<std::mutex> &held, const node_ptr &n);
void queue_forget_done(std::vector<node_ptr> *nodes);

}  // namespace emulated
