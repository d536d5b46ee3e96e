/* graph.h: a transform of several launches, replayed as one CUDA graph.
 *
 * When a plan is made its launches are recorded once, with pointers that stand for the arrays, and instantiated as a few
 * executable graphs.  An execute on arrays that one of these has replays it by one call.  Other arrays are set into one
 * (cuGraphExecKernelNodeSetParams), which changes the arguments of its kernels and allocates nothing: into one that has had
 * none yet, else into the one that was used least recently.  Launches are made one by one where setting a graph would not
 * pay, which is for few launches on arrays that seldom come; where the driver cannot set arguments; while the caller
 * captures its own stream; and for arrays whose alignment wants other kernels than were recorded.
 *
 * As the plan that it belongs to, a set of graphs is used by one thread at a time. */
#ifndef MFFT_CUDA_GRAPH_H
#define MFFT_CUDA_GRAPH_H

#include "local/backend.h"
#include "local/cuda/runtime/driver.h"

typedef struct mfft_graphs mfft_graphs;

/* What tells one run from another. */
typedef struct mfft_graph_arrays {
  const void *in;
  void *out, *work;
  void *const *to; /* [shares] of a scattered output */
  int shares;
  const void *tables; /* of a filter */
} mfft_graph_arrays;

/* A kernel and its grid; see mfft_launch_clusters in load.h. */
typedef struct mfft_graph_kernel {
  CUfunction function;
  int arch, cluster;
  unsigned blocks, threads, shared;
} mfft_graph_kernel;

/* Makes the launches of a transform, each by mfft_graphs_launch, and in the same order whenever it is called. */
typedef mfft_status mfft_graph_body(const void *object, const mfft_graph_arrays *arrays, void *stream);

/* launches: how many the body makes; shares: of its arrays. */
mfft_status mfft_graphs_create(const mfft_cuda_driver *driver, int launches, int shares, mfft_graphs **graphs);

/* Records the launches of the body.  Where that cannot be done they are made one by one, and the status is a success. */
mfft_status mfft_graphs_record(mfft_graphs *graphs, mfft_graph_body *body, const void *object);

mfft_status mfft_graphs_run(mfft_graphs *graphs, const mfft_graph_arrays *arrays, void *stream, mfft_graph_body *body,
                            const void *object);

/* One launch of a body: on the stream, or into the graph that is being recorded or set.  args: [args_bytes], copied. */
mfft_status mfft_graphs_launch(mfft_graphs *graphs, const mfft_cuda_driver *driver, const mfft_graph_kernel *kernel,
                               void *args, size_t args_bytes, void *stream);

/* 1 while a graph is set to other arrays: the body then leaves streams and events alone. */
int mfft_graphs_setting(const mfft_graphs *graphs); /* accepts NULL */

void mfft_graphs_destroy(mfft_graphs *graphs); /* accepts NULL */

#endif
