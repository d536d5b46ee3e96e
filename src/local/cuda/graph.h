/* graph.h: a transform of several launches, replayed as one CUDA graph.
 *
 * A transform launches the same kernels with the same arguments whenever it is run on the same arrays.  The first run on an
 * array launches them one by one; when the same pointers come again the launches are captured into a graph, and from then on
 * one call replays it.  A few graphs are kept, for callers that go round between arrays.  While the caller captures its own
 * stream, and where capturing fails, the launches are made one by one.
 *
 * As the plan it belongs to, a set of graphs is used by one thread at a time. */
#ifndef MFFT_CUDA_GRAPH_H
#define MFFT_CUDA_GRAPH_H

#include "local/backend.h"
#include "local/cuda/driver.h"

typedef struct mfft_graphs mfft_graphs;

/* What tells one run from another. */
typedef struct mfft_graph_arrays {
  const void *in;
  void *out, *work;
  void *const *to; /* [shares] of a scattered output */
  int shares;
} mfft_graph_arrays;

/* Makes the launches on a stream. */
typedef mfft_status mfft_graph_body(const void *object, const mfft_graph_arrays *arrays, void *stream);

mfft_status mfft_graphs_create(const mfft_cuda_driver *driver, mfft_graphs **graphs);
mfft_status mfft_graphs_run(mfft_graphs *graphs, const mfft_graph_arrays *arrays, void *stream, mfft_graph_body *body,
                            const void *object);
void mfft_graphs_destroy(mfft_graphs *graphs); /* accepts NULL */

#endif
