/* graph.h: a transform of several launches, replayed as one CUDA graph.
 *
 * When a plan is made, its launches are recorded once, with placeholders for the arrays, and instantiated as several
 * executable graphs.  An execute on arrays that one of the graphs has replays it by one call.  For other arrays the kernel
 * arguments of a graph are set (cuGraphExecKernelNodeSetParams), which allocates nothing; the graph is one that has no
 * arrays yet, otherwise the least recently used one.  Launches are made one by one in four cases: few launches on arrays
 * that are seldom used, for which setting a graph takes longer than it saves; a driver that cannot set arguments; a caller
 * that captures its own stream; arrays whose alignment requires other kernels than those that were recorded.
 *
 * A set of graphs is used by one thread at a time, like the plan that it belongs to. */
#ifndef MFFT_CUDA_GRAPH_H
#define MFFT_CUDA_GRAPH_H

#include "local/backend.h"
#include "local/cuda/runtime/driver.h"

typedef struct mfft_graphs mfft_graphs;

/* The arrays of a run, which identify it. */
typedef struct mfft_graph_arrays {
  const void *in;
  void *out, *work;
  void *const *to; /* [shares] of a scattered output */
  int shares;
  const void *tables; /* mfft_fft.factors */
} mfft_graph_arrays;

/* A kernel and its grid; see mfft_launch_clusters in load.h. */
typedef struct mfft_graph_kernel {
  CUfunction function;
  int arch, cluster;
  unsigned blocks, threads, shared;
} mfft_graph_kernel;

/* The body: makes all launches of a transform by mfft_graphs_launch, in the same order at every call. */
typedef mfft_status mfft_graph_body(const void *object, const mfft_graph_arrays *arrays, void *stream);

/* launches: number of launches of the body; shares: number of shares in its arrays. */
mfft_status mfft_graphs_create(const mfft_cuda_driver *driver, int launches, int shares, mfft_graphs **graphs);

/* Records the launches of the body.  If that is not possible, runs make the launches one by one, and the status is a
 * success. */
mfft_status mfft_graphs_record(mfft_graphs *graphs, mfft_graph_body *body, const void *object);

mfft_status mfft_graphs_run(mfft_graphs *graphs, const mfft_graph_arrays *arrays, void *stream, mfft_graph_body *body,
                            const void *object);

/* Makes one launch of a body: on the stream, or in the graph that is being recorded or set.  args: [args_bytes], copied. */
mfft_status mfft_graphs_launch(mfft_graphs *graphs, const mfft_cuda_driver *driver, const mfft_graph_kernel *kernel,
                               void *args, size_t args_bytes, void *stream);

/* 1 while a graph is set to other arrays; the body then makes no calls on streams and events. */
int mfft_graphs_setting(const mfft_graphs *graphs); /* accepts NULL */

void mfft_graphs_destroy(mfft_graphs *graphs); /* accepts NULL */

#endif
