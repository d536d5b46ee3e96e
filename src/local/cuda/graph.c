/* graph.c: see graph.h. */
#include "local/cuda/graph.h"

#include <stdlib.h>
#include <string.h>

enum { GRAPHS = 32 }; /* the chunks of an exchange, which share a transform, times the arrays of a caller */

typedef struct graph {
  mfft_graph_arrays arrays;
  void *to[MFFT_MAX_SHARES]; /* [arrays.shares] arrays.to */
  CUgraphExec ready;         /* NULL until these arrays came twice */
  int used, refused;         /* the entry holds arrays; they cannot be captured */
} graph;

struct mfft_graphs {
  const mfft_cuda_driver *driver;
  CUstream capture;     /* the caller's may be the default stream, which cannot be captured */
  graph graphs[GRAPHS]; /* [GRAPHS] replaced in turn */
  unsigned next;
};

mfft_status mfft_graphs_create(const mfft_cuda_driver *driver, mfft_graphs **out) {
  mfft_status status = MFFT_SUCCESS;
  mfft_graphs *graphs = calloc(1, sizeof *graphs);
  if (!graphs) return mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory for graphs, %zu bytes", sizeof *graphs);
  graphs->driver = driver;
  MFFT_CUDA_GOTO(fail, driver, "a stream", driver->stream_create(&graphs->capture, CU_STREAM_NON_BLOCKING));
  *out = graphs;
  return MFFT_SUCCESS;
fail:
  mfft_graphs_destroy(graphs);
  return status;
}

static int is_same(const graph *g, const mfft_graph_arrays *b) {
  const mfft_graph_arrays *a = &g->arrays;
  return a->in == b->in && a->out == b->out && a->work == b->work && a->shares == b->shares &&
         (!a->shares || !memcmp(a->to, b->to, (size_t)a->shares * sizeof *a->to));
}

/* The entry of these arrays, NULL where they are new; the oldest then remembers them. */
static graph *find(mfft_graphs *graphs, const mfft_graph_arrays *arrays) {
  for (int i = 0; i < GRAPHS; i++) {
    graph *g = &graphs->graphs[i];
    if (g->used && is_same(g, arrays)) return g;
  }
  graph *oldest = &graphs->graphs[graphs->next++ % GRAPHS];
  if (oldest->ready) graphs->driver->graph_exec_destroy(oldest->ready); /* a replay under way is let finish */
  *oldest = (graph){.arrays = *arrays, .used = 1};
  for (int s = 0; s < arrays->shares; s++) oldest->to[s] = arrays->to[s];
  if (arrays->to) oldest->arrays.to = oldest->to; /* the caller's own list need not live on */
  return NULL;
}

static void capture(mfft_graphs *graphs, graph *g, mfft_graph_body *body, const void *object) {
  const mfft_cuda_driver *driver = graphs->driver;
  CUgraph made = NULL;
  g->refused = 1;
  if (driver->capture_begin(graphs->capture, CU_STREAM_CAPTURE_MODE_RELAXED) != CUDA_SUCCESS) return;
  mfft_status status = body(object, &g->arrays, graphs->capture);
  if (driver->capture_end(graphs->capture, &made) != CUDA_SUCCESS) return;
  if (status == MFFT_SUCCESS && driver->graph_instantiate(&g->ready, made, 0) == CUDA_SUCCESS) g->refused = 0;
  driver->graph_destroy(made);
}

mfft_status mfft_graphs_run(mfft_graphs *graphs, const mfft_graph_arrays *arrays, void *stream, mfft_graph_body *body,
                            const void *object) {
  const mfft_cuda_driver *driver = graphs->driver;
  CUstreamCaptureStatus capturing = CU_STREAM_CAPTURE_STATUS_NONE;
  CUresult asked = driver->stream_is_capturing((CUstream)stream, &capturing);
  graph *g = asked == CUDA_SUCCESS && capturing == CU_STREAM_CAPTURE_STATUS_NONE ? find(graphs, arrays) : NULL;
  if (g && !g->ready && !g->refused) capture(graphs, g, body, object);
  if (!g || g->refused) return body(object, arrays, stream);
  MFFT_CUDA_TRY(driver, "launching a graph", driver->graph_launch(g->ready, (CUstream)stream));
  return MFFT_SUCCESS;
}

void mfft_graphs_destroy(mfft_graphs *graphs) {
  if (!graphs) return;
  for (int i = 0; i < GRAPHS; i++)
    if (graphs->graphs[i].ready) graphs->driver->graph_exec_destroy(graphs->graphs[i].ready);
  if (graphs->capture) graphs->driver->stream_destroy(graphs->capture);
  free(graphs);
}
