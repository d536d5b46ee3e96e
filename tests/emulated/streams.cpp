// streams.cpp: streams and events of the emulated driver.
#include <algorithm>

#include "driver.hpp"

#undef cuEventElapsedTime  // cuda.h maps the names to _v2, the library uses those of the first version

using namespace emulated;

CUresult emulated::find_stream(CUstream handle, stream **found) {
  context *c;
  CUresult result = current_context(&c);
  if (result != CUDA_SUCCESS) return result;
  stream *s = handle == nullptr || handle == CU_STREAM_LEGACY ? c->standard : from_handle<stream>(handle);
  if (!s || s->owner != c) {
    complain("a stream that is none, or of another context than the current one");
    return CUDA_ERROR_INVALID_HANDLE;
  }
  *found = s;
  return CUDA_SUCCESS;
}

std::vector<node_ptr> emulated::before_on(stream *s) {
  context *c = s->owner;
  std::vector<node_ptr> before = s->tail;
  for (stream *other : c->streams) {
    const bool orders = s == c->standard ? other->blocking : s->blocking && other == c->standard;
    if (other == s || !orders) continue;
    queue_forget_done(&other->tail);
    before.insert(before.end(), other->tail.begin(), other->tail.end());
  }
  queue_forget_done(&before);
  return before;
}

static CUresult capture_work(stream *s, work what, bool overlaps) {
  if (s->captured->broken) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  graph_node n;
  n.what = std::move(what);
  const bool kernel = n.what.kernel != nullptr;
  auto &nodes = s->captured->made.nodes;
  const int number = (int)nodes.size();
  if (overlaps && s->captured_last >= 0) {
    n.lets_begin = s->captured_last;
    s->captured_tail.push_back((size_t)number);
  } else {
    n.before = s->captured_tail;
    s->captured_tail = {(size_t)number};
  }
  s->captured_last = kernel ? number : -1;
  nodes.push_back(std::move(n));
  return CUDA_SUCCESS;
}

CUresult emulated::put(stream *s, work what, bool overlaps, node_ptr *made) {
  if (s->captured) return capture_work(s, std::move(what), overlaps);
  if (s == s->owner->standard)
    for (const stream *other : s->owner->streams)
      if (other->captured && other->blocking) {
        complain("the default stream is used while a stream that waits for it is captured");
        other->captured->broken = true;
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
      }
  auto n = std::make_shared<node>();
  const bool kernel = what.kernel != nullptr;
  n->what = std::move(what);
  n->owner = s->owner;
  queue_forget_done(&s->tail);
  std::vector<node_ptr> before = before_on(s);
  if (overlaps && s->last && !s->last->done && before.size() == s->tail.size()) {
    n->lets_begin = s->last;
    s->tail.push_back(n);
  } else {
    n->before = std::move(before);
    s->tail = {n};
  }
  s->last = kernel ? n : nullptr;
  queue_add(n);
  if (made) *made = n;
  return CUDA_SUCCESS;
}

static bool is_captured(const context *c) {
  return std::any_of(c->streams.begin(), c->streams.end(), [](const stream *s) { return s->captured && s->blocking; });
}

CUresult emulated::finish_stream(std::unique_lock<std::mutex> &held, stream *s) {
  if (s->captured || (s == s->owner->standard && is_captured(s->owner))) {
    complain("a stream is waited for while it is captured");
    if (s->captured) s->captured->broken = true;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  for (const node_ptr &n : before_on(s)) queue_wait(held, n);
  return s->owner->error;
}

CUresult emulated::finish_context(std::unique_lock<std::mutex> &held, context *c) {
  std::vector<node_ptr> all;
  for (const stream *s : c->streams) all.insert(all.end(), s->tail.begin(), s->tail.end());
  for (const node_ptr &n : all) queue_wait(held, n);
  return c->error;
}

extern "C" {

static CUresult make_stream(CUstream *made, unsigned flags) {
  std::lock_guard<std::mutex> hold(gate);
  context *c;
  CUresult result = current_context(&c);
  if (result != CUDA_SUCCESS) return result;
  if (flags & ~(unsigned)CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
  stream *s = hand_out(new stream);
  s->owner = c;
  s->blocking = !(flags & CU_STREAM_NON_BLOCKING);
  c->streams.insert(s);
  *made = reinterpret_cast<CUstream>(s);
  return CUDA_SUCCESS;
}
CUresult cuStreamCreate(CUstream *made, unsigned flags) { return make_stream(made, flags); }
CUresult cuStreamCreateWithPriority(CUstream *made, unsigned flags, int) { return make_stream(made, flags); }

CUresult cuStreamDestroy_v2(CUstream handle) {
  std::unique_lock<std::mutex> held(gate);
  stream *s = from_handle<stream>(handle);
  if (!s || s == s->owner->standard) return CUDA_ERROR_INVALID_HANDLE;
  /* Operations on it are still running; others that wait for the context must take them into account. */
  stream *standard = s->owner->standard;
  standard->tail.insert(standard->tail.end(), s->tail.begin(), s->tail.end());
  standard->last = nullptr;
  s->owner->streams.erase(s);
  take_back(s);
  return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream handle) {
  std::unique_lock<std::mutex> held(gate);
  stream *s;
  CUresult result = find_stream(handle, &s);
  return result == CUDA_SUCCESS ? finish_stream(held, s) : result;
}

CUresult cuStreamWaitEvent(CUstream handle, CUevent awaited, unsigned) {
  std::lock_guard<std::mutex> hold(gate);
  stream *s;
  CUresult result = find_stream(handle, &s);
  if (result != CUDA_SUCCESS) return result;
  event *e = from_handle<event>(awaited);
  if (!e) return CUDA_ERROR_INVALID_HANDLE;
  if (e->captured) {
    if (s->captured && s->captured != e->captured) return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    s->captured = e->captured;
    s->captured_tail.insert(s->captured_tail.end(), e->captured_tail.begin(), e->captured_tail.end());
    s->captured_last = -1;
    return CUDA_SUCCESS;
  }
  if (s->captured && e->recorded) {
    complain("a stream that is captured waits for an event that is not");
    s->captured->broken = true;
    return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  }
  if (!e->recorded || e->recorded->done) return CUDA_SUCCESS;
  s->tail.push_back(e->recorded);
  return put(s, work(), false, nullptr);
}

CUresult cuLaunchHostFunc(CUstream handle, CUhostFn function, void *data) {
  std::lock_guard<std::mutex> hold(gate);
  stream *s;
  CUresult result = find_stream(handle, &s);
  if (result != CUDA_SUCCESS) return result;
  work what;
  what.call = [=] { function(data); };
  return put(s, what, false, nullptr);
}

CUresult emulated::emulated_launch_steps(CUstream handle, std::function<bool(bool *progress)> step) {
  std::lock_guard<std::mutex> hold(gate);
  stream *s;
  CUresult result = find_stream(handle, &s);
  if (result != CUDA_SUCCESS) return result;
  work what;
  what.step = std::move(step);
  return put(s, what, false, nullptr);
}

CUresult cuEventCreate(CUevent *made, unsigned flags) {
  std::lock_guard<std::mutex> hold(gate);
  context *c;
  CUresult result = current_context(&c);
  if (result != CUDA_SUCCESS) return result;
  event *e = hand_out(new event);
  e->owner = c;
  e->timed = !(flags & CU_EVENT_DISABLE_TIMING);
  *made = reinterpret_cast<CUevent>(e);
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent handle) { return destroy<event>(handle, CUDA_ERROR_INVALID_HANDLE); }

CUresult cuEventRecord(CUevent handle, CUstream on) {
  std::lock_guard<std::mutex> hold(gate);
  stream *s;
  CUresult result = find_stream(on, &s);
  if (result != CUDA_SUCCESS) return result;
  event *e = from_handle<event>(handle);
  if (!e || e->owner != s->owner) return CUDA_ERROR_INVALID_HANDLE;
  e->captured = s->captured;
  e->captured_tail = s->captured_tail;
  if (s->captured) return CUDA_SUCCESS;
  return put(s, work(), false, &e->recorded);
}

CUresult cuEventQuery(CUevent handle) {
  std::lock_guard<std::mutex> hold(gate);
  const event *e = from_handle<event>(handle);
  if (!e) return CUDA_ERROR_INVALID_HANDLE;
  if (e->captured) return CUDA_ERROR_CAPTURED_EVENT;
  if (e->recorded && !e->recorded->done) return CUDA_ERROR_NOT_READY;
  return e->owner->error;
}

CUresult cuEventSynchronize(CUevent handle) {
  std::unique_lock<std::mutex> held(gate);
  const event *e = from_handle<event>(handle);
  if (!e) return CUDA_ERROR_INVALID_HANDLE;
  if (e->captured) return CUDA_ERROR_CAPTURED_EVENT;
  const context *c = e->owner;
  if (e->recorded) queue_wait(held, node_ptr(e->recorded));
  return c->error;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to) {
  std::lock_guard<std::mutex> hold(gate);
  const event *a = from_handle<event>(from), *b = from_handle<event>(to);
  if (!a || !b || !a->timed || !b->timed || !a->recorded || !b->recorded) return CUDA_ERROR_INVALID_HANDLE;
  if (!a->recorded->done || !b->recorded->done) return CUDA_ERROR_NOT_READY;
  *milliseconds = (float)(1e-6 * ((double)b->recorded->when - (double)a->recorded->when));
  return a->owner->error;
}
}
