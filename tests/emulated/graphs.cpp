// graphs.cpp: captures and graphs of the emulated driver.
#include "driver.hpp"

using namespace emulated;

extern "C" {

CUresult cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus *status) {
  std::lock_guard<std::mutex> hold(gate);
  stream *s;
  CUresult result = find_stream(handle, &s);
  if (result != CUDA_SUCCESS) return result;
  *status = !s->captured          ? CU_STREAM_CAPTURE_STATUS_NONE
            : s->captured->broken ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                  : CU_STREAM_CAPTURE_STATUS_ACTIVE;
  return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture_v2(CUstream handle, CUstreamCaptureMode) {
  std::lock_guard<std::mutex> hold(gate);
  stream *s;
  CUresult result = find_stream(handle, &s);
  if (result != CUDA_SUCCESS) return result;
  if (s == s->owner->standard) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (s->captured) return CUDA_ERROR_ILLEGAL_STATE;
  s->captured = std::make_shared<capture>();
  s->captured->origin = s;
  s->captured_tail.clear();
  s->captured_last = -1;
  return CUDA_SUCCESS;
}

/* Whether every node precedes one of the last nodes. */
static bool all_joined(const graph &g, const std::vector<size_t> &tail) {
  std::vector<bool> reached(g.nodes.size());
  for (size_t t : tail) reached[t] = true;
  for (size_t i = g.nodes.size(); i-- > 0;) {
    if (!reached[i]) continue;
    for (size_t b : g.nodes[i].before) reached[b] = true;
    if (g.nodes[i].lets_begin >= 0) reached[(size_t)g.nodes[i].lets_begin] = true;
  }
  for (bool r : reached)
    if (!r) return false;
  return true;
}

CUresult cuStreamEndCapture(CUstream handle, CUgraph *made) {
  std::lock_guard<std::mutex> hold(gate);
  stream *s;
  CUresult result = find_stream(handle, &s);
  if (result != CUDA_SUCCESS) return result;
  *made = nullptr;
  std::shared_ptr<capture> c = s->captured;
  if (!c) return CUDA_ERROR_ILLEGAL_STATE;
  if (c->origin != s) return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  const std::vector<size_t> tail = s->captured_tail;
  for (stream *other : s->owner->streams)
    if (other->captured == c) {
      other->captured = nullptr;
      other->captured_tail.clear();
    }
  if (c->broken) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (!all_joined(c->made, tail)) {
    complain("the end of a capture, which not all its streams have joined");
    return CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
  }
  *made = reinterpret_cast<CUgraph>(hand_out(new graph(c->made)));
  return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *made, CUgraph handle, unsigned long long) {
  std::lock_guard<std::mutex> hold(gate);
  const graph *g = from_handle<graph>(handle);
  if (!g) return CUDA_ERROR_INVALID_VALUE;
  auto *exec = hand_out(new graph_exec);
  exec->what = std::make_shared<graph>(*g);
  *made = reinterpret_cast<CUgraphExec>(exec);
  return CUDA_SUCCESS;
}

CUresult cuGraphGetNodes(CUgraph handle, CUgraphNode *nodes, size_t *count) {
  std::lock_guard<std::mutex> hold(gate);
  graph *g = from_handle<graph>(handle);
  if (!g) return CUDA_ERROR_INVALID_VALUE;
  const size_t capacity = *count, there = g->nodes.size();
  *count = there;
  if (!nodes) return CUDA_SUCCESS;
  // In an order that a program may not rely on: the last node comes first.
  for (size_t i = 0; i < capacity && i < there; i++) {
    const size_t number = there - 1 - i;
    g->names.push_back({number, g->nodes[number].what.kernel, {nullptr}});
    nodes[i] = reinterpret_cast<CUgraphNode>(&g->names.back());
  }
  *count = std::min(capacity, there);
  return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode handle, CUDA_KERNEL_NODE_PARAMS *params) {
  std::lock_guard<std::mutex> hold(gate);
  auto *name = reinterpret_cast<node_name *>(handle);
  if (!name->kernel) return CUDA_ERROR_INVALID_VALUE;
  const launch_config &config = *name->kernel;
  name->args[0] = const_cast<char *>(config.args.data());
  *params = {};
  params->func = static_cast<CUfunction>(config.function);
  params->gridDimX = config.grid.x;
  params->blockDimX = config.block.x;
  params->kernelParams = name->args;
  return CUDA_SUCCESS;
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec handle, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  std::lock_guard<std::mutex> hold(gate);
  auto *exec = from_handle<graph_exec>(handle);
  const auto *name = reinterpret_cast<const node_name *>(node);
  if (!exec || name->number >= exec->what->nodes.size()) return CUDA_ERROR_INVALID_VALUE;
  work &what = exec->what->nodes[name->number].what;
  if (!what.kernel || params->func != what.kernel->function || !params->kernelParams) return CUDA_ERROR_INVALID_VALUE;
  auto config = std::make_shared<launch_config>(*what.kernel);  // launches that wait keep the old one
  config->grid.x = params->gridDimX;
  config->block.x = params->blockDimX;
  const char *args = (const char *)params->kernelParams[0];
  config->args.assign(args, args + config->args.size());
  what.kernel = std::move(config);
  return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph handle) { return destroy<graph>(handle, CUDA_ERROR_INVALID_VALUE); }

CUresult cuGraphExecDestroy(CUgraphExec handle) { return destroy<graph_exec>(handle, CUDA_ERROR_INVALID_VALUE); }

CUresult cuGraphLaunch(CUgraphExec handle, CUstream on) {
  std::lock_guard<std::mutex> hold(gate);
  stream *s;
  CUresult result = find_stream(on, &s);
  if (result != CUDA_SUCCESS) return result;
  auto *exec = from_handle<graph_exec>(handle);
  if (!exec) return CUDA_ERROR_INVALID_VALUE;
  if (s->captured) return CUDA_ERROR_NOT_SUPPORTED; /* graphs in graphs are not emulated */
  for (const graph_node &g : exec->what->nodes) {
    if (g.what.kernel) result = check_launch(*g.what.kernel);
    if (result != CUDA_SUCCESS) {
      complain("%s: a launch of a graph is refused", g.what.kernel->what->name.c_str());
      return result;
    }
  }
  if (exec->last && !exec->last->done) s->tail.push_back(exec->last);
  node_ptr begin;
  result = put(s, work(), false, &begin);
  std::vector<node_ptr> made;
  for (const graph_node &g : exec->what->nodes) {
    auto n = std::make_shared<node>();
    n->what = g.what;
    n->owner = s->owner;
    for (size_t b : g.before) n->before.push_back(made[b]);
    if (g.before.empty() && g.lets_begin < 0) n->before.push_back(begin);
    if (g.lets_begin >= 0) n->lets_begin = made[(size_t)g.lets_begin];
    made.push_back(n);
    queue_add(n);
  }
  s->tail.insert(s->tail.end(), made.begin(), made.end());
  s->last = nullptr;
  return result == CUDA_SUCCESS ? put(s, work(), false, &exec->last) : result;
}
}
