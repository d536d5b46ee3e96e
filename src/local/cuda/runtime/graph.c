/* graph.c: see graph.h. */
#include "local/cuda/runtime/graph.h"

#include <stdlib.h>
#include <string.h>

#include "local/cuda/runtime/load.h"

/* A set has several executable graphs, for callers that alternate between arrays and for the chunks of an exchange. */
enum { MOST_GRAPHS = 8, MOST_NODES = 64 };

/* For a graph of at most this many launches, setting its arguments takes as long as its replay saves. */
enum { FEW_LAUNCHES = 4 };

typedef struct known {
  mfft_graph_arrays arrays;
  void *to[MFFT_MAX_SHARES]; /* [arrays.shares] copy of arrays.to, whose memory is the caller's */
  int is_set;
} known;

typedef struct ready {
  CUgraphExec exec;
  known has;     /* the arrays in the arguments of its kernels */
  int refused;   /* 1: the driver refused to set these arrays, so their launches are made one by one */
  uint64_t used; /* number of the run that used it last */
} ready;

typedef struct recorded {
  CUgraphNode node;
  CUfunction function;
  size_t args_bytes;
  char *args; /* [args_bytes] freed when its node is found */
} recorded;

typedef enum mode { DIRECT, RECORD, SET } mode;

struct mfft_graphs {
  const mfft_cuda_driver *driver;
  CUstream capture; /* a stream of its own, since the caller's may be the default stream, which cannot be captured */
  CUgraph graph;    /* owns the nodes */
  recorded *launch; /* [launches] */
  int launches, shares;
  ready ready[MOST_GRAPHS];  /* [count] */
  int count;                 /* 0: launches are made one by one */
  known missed[MOST_GRAPHS]; /* [MOST_GRAPHS] ring of the last arrays that no graph had */
  int next;                  /* index in missed that is overwritten next */
  uint64_t runs;
  mode mode;
  int at;         /* RECORD, SET: index of the next launch */
  int failed;     /* RECORD, SET: 1: a launch could not be recorded or set */
  CUgraphExec to; /* SET: the executable graph whose arguments are set */
};

mfft_status mfft_graphs_create(const mfft_cuda_driver *driver, int launches, int shares, mfft_graphs **out) {
  mfft_status status = MFFT_SUCCESS;
  mfft_graphs *graphs = calloc(1, sizeof *graphs);
  if (!graphs) return mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory for graphs, %zu bytes", sizeof *graphs);
  graphs->driver = driver;
  graphs->launches = launches;
  graphs->shares = shares;
  graphs->launch = calloc((size_t)launches, sizeof *graphs->launch);
  if (!graphs->launch) {
    status = mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory for a graph of %d launches", launches);
    goto fail;
  }
  MFFT_CUDA_GOTO(fail, driver, "a stream", driver->stream_create(&graphs->capture, CU_STREAM_NON_BLOCKING));
  *out = graphs;
  return MFFT_SUCCESS;
fail:
  mfft_graphs_destroy(graphs);
  return status;
}

/* ---- Launches -------------------------------------------------------------------------------------------------------- */

/* Stores the function and the arguments of a launch, by which its node is found in the graph. */
static void record(mfft_graphs *graphs, CUfunction function, const void *args, size_t args_bytes) {
  recorded *r = &graphs->launch[graphs->at];
  r->function = function;
  r->args_bytes = args_bytes;
  r->args = malloc(args_bytes);
  if (r->args) memcpy(r->args, args, args_bytes);
  graphs->failed |= !r->args;
}

/* Sets the arguments of the node of a launch. */
static void set(mfft_graphs *graphs, const mfft_graph_kernel *kernel, void *args) {
  const recorded *r = &graphs->launch[graphs->at];
  void *arguments[] = {args};
  const CUDA_KERNEL_NODE_PARAMS params = {.func = kernel->function,
                                          .gridDimX = kernel->blocks,
                                          .gridDimY = 1,
                                          .gridDimZ = 1,
                                          .blockDimX = kernel->threads,
                                          .blockDimY = 1,
                                          .blockDimZ = 1,
                                          .sharedMemBytes = kernel->shared,
                                          .kernelParams = arguments};
  graphs->failed |=
      r->function != kernel->function || graphs->driver->graph_set_kernel(graphs->to, r->node, &params) != CUDA_SUCCESS;
}

mfft_status mfft_graphs_launch(mfft_graphs *graphs, const mfft_cuda_driver *driver, const mfft_graph_kernel *kernel,
                               void *args, size_t args_bytes, void *stream) {
  const mode now = graphs ? graphs->mode : DIRECT;
  if (now != DIRECT) {
    if (graphs->at >= graphs->launches) graphs->failed = 1;
    if (!graphs->failed && now == RECORD) record(graphs, kernel->function, args, args_bytes);
    if (!graphs->failed && now == SET) set(graphs, kernel, args);
    graphs->at++;
    if (now == SET) return MFFT_SUCCESS;
  }
  return mfft_launch_clusters(driver, kernel->function, kernel->arch, kernel->cluster, kernel->blocks, 1, kernel->threads,
                              kernel->shared, args, stream, "launching a pass");
}

int mfft_graphs_setting(const mfft_graphs *graphs) { return graphs && graphs->mode == SET; }

/* ---- Recording ------------------------------------------------------------------------------------------------------- */

static int is_of(const CUDA_KERNEL_NODE_PARAMS *params, const recorded *r) {
  return r->args && params->func == r->function && params->kernelParams &&
         !memcmp(params->kernelParams[0], r->args, r->args_bytes);
}

/* Finds the launch of a node.  The search begins at `first` and wraps around, since nodes mostly have the order of their
 * launches. */
static int find_launch(const mfft_graphs *graphs, const CUDA_KERNEL_NODE_PARAMS *params, int first) {
  for (int i = 0; i < graphs->launches; i++) {
    const int k = (first + i) % graphs->launches;
    if (!graphs->launch[k].node && is_of(params, &graphs->launch[k])) return k;
  }
  return -1;
}

/* Finds the node of each launch by its arguments, since the driver lists the nodes of a graph without their launches. */
static int find_nodes(mfft_graphs *graphs) {
  const mfft_cuda_driver *driver = graphs->driver;
  size_t count = (size_t)graphs->launches;
  CUgraphNode *node = calloc(count + 1, sizeof *node); /* [count + 1] one more, to notice that there are more nodes */
  int found = node != NULL;
  size_t listed = count + 1;
  found = found && driver->graph_nodes(graphs->graph, node, &listed) == CUDA_SUCCESS && listed == count;
  for (size_t i = 0; found && i < count; i++) {
    CUDA_KERNEL_NODE_PARAMS params;
    memset(&params, 0, sizeof params);
    found = driver->graph_kernel(node[i], &params) == CUDA_SUCCESS;
    const int k = found ? find_launch(graphs, &params, (int)i) : -1;
    found = k >= 0;
    if (found) graphs->launch[k].node = node[i];
  }
  free(node);
  return found;
}

/* Captures the launches of the body; nothing runs on the device. */
static int capture(mfft_graphs *graphs, mfft_graph_body *body, const void *object) {
  const mfft_cuda_driver *driver = graphs->driver;
  /* Placeholders for the arrays: addresses of no memory, distinct and aligned for the widest accesses. */
  enum { AREAS = 3 };
  const uintptr_t distance = (uintptr_t)1 << 44;
  void *to[MFFT_MAX_SHARES];
  for (int s = 0; s < MFFT_MAX_SHARES; s++) to[s] = (void *)((uintptr_t)(AREAS + 1 + s) * distance);
  const mfft_graph_arrays arrays = {.in = (void *)distance,
                                    .out = (void *)(2 * distance),
                                    .work = (void *)(3 * distance),
                                    .to = to,
                                    .shares = graphs->shares};
  if (driver->capture_begin(graphs->capture, CU_STREAM_CAPTURE_MODE_RELAXED) != CUDA_SUCCESS) return 0;
  graphs->mode = RECORD;
  graphs->at = graphs->failed = 0;
  const mfft_status status = body(object, &arrays, graphs->capture);
  graphs->mode = DIRECT;
  const int ended = driver->capture_end(graphs->capture, &graphs->graph) == CUDA_SUCCESS;
  return ended && status == MFFT_SUCCESS && !graphs->failed && graphs->at == graphs->launches;
}

mfft_status mfft_graphs_record(mfft_graphs *graphs, mfft_graph_body *body, const void *object) {
  const mfft_cuda_driver *driver = graphs->driver;
  if (!driver->graph_nodes || !driver->graph_kernel || !driver->graph_set_kernel) return MFFT_SUCCESS;
  int wanted = MOST_NODES / graphs->launches;
  if (wanted > MOST_GRAPHS) wanted = MOST_GRAPHS;
  if (wanted < 1) wanted = 1;
  if (capture(graphs, body, object) && find_nodes(graphs))
    while (graphs->count < wanted &&
           driver->graph_instantiate(&graphs->ready[graphs->count].exec, graphs->graph, 0) == CUDA_SUCCESS)
      graphs->count++;
  for (int i = 0; i < graphs->launches; i++) {
    free(graphs->launch[i].args);
    graphs->launch[i].args = NULL;
  }
  return MFFT_SUCCESS;
}

/* ---- Running --------------------------------------------------------------------------------------------------------- */

static int is_same(const known *k, const mfft_graph_arrays *b) {
  const mfft_graph_arrays *a = &k->arrays;
  return k->is_set && a->in == b->in && a->out == b->out && a->work == b->work && a->tables == b->tables &&
         a->shares == b->shares && (!a->shares || !memcmp(a->to, b->to, (size_t)a->shares * sizeof *a->to));
}

static void remember(known *k, const mfft_graph_arrays *arrays) {
  k->arrays = *arrays;
  for (int s = 0; s < arrays->shares; s++) k->to[s] = arrays->to[s];
  if (arrays->to) k->arrays.to = k->to;
  k->is_set = 1;
}

/* Sets a graph to these arrays.  Earlier launches of the graph are not affected. */
static mfft_status set_to(mfft_graphs *graphs, ready *r, const mfft_graph_arrays *arrays, mfft_graph_body *body,
                          const void *object) {
  graphs->mode = SET;
  graphs->to = r->exec;
  graphs->at = graphs->failed = 0;
  const mfft_status status = body(object, arrays, NULL);
  graphs->mode = DIRECT;
  remember(&r->has, arrays);
  r->refused = graphs->failed || graphs->at != graphs->launches;
  return status;
}

/* Whether these arrays are among the last that no graph had; if they are not, they are added. */
static int comes_again(mfft_graphs *graphs, const mfft_graph_arrays *arrays) {
  for (int i = 0; i < MOST_GRAPHS; i++)
    if (is_same(&graphs->missed[i], arrays)) {
      graphs->missed[i].is_set = 0;
      return 1;
    }
  remember(&graphs->missed[graphs->next++ % MOST_GRAPHS], arrays);
  return 0;
}

/* Whether a graph should be set to arrays that no graph has.  Setting a graph of few launches saves time only if the same
 * arrays are used again soon.  Setting one of many launches saves time at the first replay, even for the chunks of an
 * exchange, of which there may be more than graphs. */
static int pays(mfft_graphs *graphs, const ready *oldest, const mfft_graph_arrays *arrays) {
  return !oldest->used || graphs->launches > FEW_LAUNCHES || comes_again(graphs, arrays);
}

/* Finds the graph that has these arrays, or sets the least recently used one to them; NULL: launches one by one are
 * faster. */
static mfft_status choose(mfft_graphs *graphs, const mfft_graph_arrays *arrays, mfft_graph_body *body, const void *object,
                          ready **chosen) {
  ready *oldest = &graphs->ready[0];
  for (int i = 0; i < graphs->count; i++) {
    ready *r = &graphs->ready[i];
    if (is_same(&r->has, arrays)) {
      *chosen = r->refused ? NULL : r;
      r->used = ++graphs->runs;
      return MFFT_SUCCESS;
    }
    if (r->used < oldest->used) oldest = r;
  }
  *chosen = NULL;
  if (!pays(graphs, oldest, arrays)) return MFFT_SUCCESS;
  MFFT_TRY(set_to(graphs, oldest, arrays, body, object));
  oldest->used = ++graphs->runs;
  if (!oldest->refused) *chosen = oldest;
  return MFFT_SUCCESS;
}

mfft_status mfft_graphs_run(mfft_graphs *graphs, const mfft_graph_arrays *arrays, void *stream, mfft_graph_body *body,
                            const void *object) {
  const mfft_cuda_driver *driver = graphs->driver;
  CUstreamCaptureStatus capturing = CU_STREAM_CAPTURE_STATUS_NONE;
  CUresult asked = driver->stream_is_capturing((CUstream)stream, &capturing);
  if (!graphs->count || asked != CUDA_SUCCESS || capturing != CU_STREAM_CAPTURE_STATUS_NONE)
    return body(object, arrays, stream);
  ready *r;
  MFFT_TRY(choose(graphs, arrays, body, object, &r));
  if (!r) return body(object, arrays, stream);
  MFFT_CUDA_TRY(driver, "launching a graph", driver->graph_launch(r->exec, (CUstream)stream));
  return MFFT_SUCCESS;
}

void mfft_graphs_destroy(mfft_graphs *graphs) {
  if (!graphs) return;
  for (int i = 0; i < graphs->count; i++) graphs->driver->graph_exec_destroy(graphs->ready[i].exec);
  if (graphs->graph) graphs->driver->graph_destroy(graphs->graph);
  if (graphs->capture) graphs->driver->stream_destroy(graphs->capture);
  free(graphs->launch);
  free(graphs);
}
