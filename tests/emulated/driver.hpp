// driver.hpp: contexts, streams, events and graphs of the emulated driver.
#pragma once

#include <cuda.h>
#include <deque>

#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "queue.hpp"

namespace emulated {

struct stream;

struct context {
  int device = 0;
  CUresult error = CUDA_SUCCESS;  // remains set: only a new process can use the device again
  std::set<stream *> streams;     // with the default stream
  stream *standard = nullptr;
};

// The operations that a capture records.
struct graph_node {
  work what;
  std::vector<size_t> before;
  int lets_begin = -1;
};
struct node_name {  // what a handle of a node points to
  size_t number;
  std::shared_ptr<const launch_config> kernel;
  void *args[1];
};
struct graph {
  std::vector<graph_node> nodes;
  std::deque<node_name> names;
};
struct capture {
  graph made;
  stream *origin = nullptr;
  bool broken = false;
};

struct stream {
  context *owner = nullptr;
  bool blocking = true;        // is ordered with the default stream
  std::vector<node_ptr> tail;  // what the next operation comes after
  node_ptr last;               // the last of them, where it is a kernel
  std::shared_ptr<capture> captured;
  std::vector<size_t> captured_tail;
  int captured_last = -1;
};

struct event {
  context *owner = nullptr;
  bool timed = true;
  node_ptr recorded;
  std::shared_ptr<capture> captured;
  std::vector<size_t> captured_tail;
};

// Queues a function on a stream of the current context, to be called until it is done: for libraries other than the driver.
extern "C" CUresult emulated_launch_steps(CUstream on, std::function<bool(bool *progress)> step);

struct graph_exec {
  std::shared_ptr<graph> what;
  node_ptr last;  // runs one at a time
};

struct function {
  std::shared_ptr<module> what;
  context *owner = nullptr;
  size_t most_shared = PLAIN_SHARED;
  bool large_clusters = false;
};

// Whether a device can do what a launch asks for; compiles the kernel where that has not been done.
CUresult check_launch(const launch_config &config);

// The current context; an error if there is none, or if it has failed.
CUresult current_context(context **found);

// A stream by its handle; NULL is the default stream of the current context.
CUresult find_stream(CUstream handle, stream **found);

// Queues work on a stream, or adds it to the graph that the stream captures.  overlaps: a kernel that may begin before the
// preceding one ends.
CUresult put(stream *s, work what, bool overlaps, node_ptr *made);

// Waits for all work of a context, or of a stream; returns the error of the context.
CUresult finish_context(std::unique_lock<std::mutex> &held, context *c);
CUresult finish_stream(std::unique_lock<std::mutex> &held, stream *s);

// The nodes that an operation on a stream depends on.
std::vector<node_ptr> before_on(stream *s);

// Handles that were returned to the caller; all others are refused.
template <class T>
std::set<T *> &handles() {
  static auto &all = *new std::set<T *>;
  return all;
}
template <class T, class H>
T *from_handle(H handle) {
  T *object = reinterpret_cast<T *>(handle);
  return handles<T>().count(object) ? object : nullptr;
}
template <class T>
T *hand_out(T *object) {
  handles<T>().insert(object);
  return object;
}
template <class T>
void take_back(T *object) {
  handles<T>().erase(object);
  delete object;
}

// A call that destroys the object of a handle; `unknown` if there is none.
template <class T, class H>
CUresult destroy(H handle, CUresult unknown) {
  std::lock_guard<std::mutex> hold(gate);
  T *object = from_handle<T>(handle);
  if (!object) return unknown;
  take_back(object);
  return CUDA_SUCCESS;
}

}  // namespace emulated
