/* predict.c: compares the process grids of a machine by predictions, and predicts several ranks on the best. */
#include "info/predict.h"

#include <math.h>
#include <stdlib.h>

#include "cli/report.h"
#include "io/save.h"

static int by_bound(const void *a, const void *b) {
  const mfft_predict_grid *x = a, *y = b;
  if (x->bound_s != y->bound_s) return x->bound_s < y->bound_s ? -1 : 1;
  return y->grid[0] - x->grid[0]; /* more slabs first */
}

/* Orders grids by time; those that were left out come last. */
static int by_time(const void *a, const void *b) {
  const mfft_predict_grid *x = a, *y = b;
  const double s = isnan(x->time_s) ? INFINITY : x->time_s, t = isnan(y->time_s) ? INFINITY : y->time_s;
  return s != t ? (s < t ? -1 : 1) : by_bound(a, b);
}

/* The grids that the options leave, with their bounds. */
static mfft_status list_grids(const mfft_options *options, const mfft_desc *desc, const mfft_cluster *cluster,
                              mfft_predict_result *result) {
  const int ranks = cluster->nodes * cluster->node_ranks, *asked = options->grid;
  mfft_options one = *options;
  for (int p = ranks; p >= 1 && result->grids < MFFT_PREDICT_GRIDS; p--) {
    if (ranks % p || (asked[0] && asked[0] != p) || (asked[1] && asked[1] != ranks / p)) continue;
    mfft_predict_grid *g = &result->grid[result->grids];
    int fullest;
    one.grid[0] = g->grid[0] = p;
    one.grid[1] = g->grid[1] = ranks / p;
    const mfft_status status = mfft_predict_fullest(desc, &one, cluster, &fullest, &g->bound_s);
    if (status != MFFT_SUCCESS) return status;
    result->grids++;
    if (desc->rank == 1) break; /* one dimension has no grid to choose */
  }
  if (result->grids) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_ARG, "--grid %dx%d does not make %d ranks; give factors of it, or 0", asked[0], asked[1],
                       ranks);
}

/* Predicts the first, the fullest and the last rank of a grid: the last has more than others where lengths do not divide. */
static mfft_status time_grid(const mfft_predict_request *request, const mfft_cluster *cluster, mfft_predict_grid *g) {
  mfft_options one = *request->options;
  int rank[3] = {0, 0, cluster->nodes * cluster->node_ranks - 1};
  one.grid[0] = g->grid[0];
  one.grid[1] = g->grid[1];
  mfft_status status = mfft_predict_fullest(request->desc, &one, cluster, &rank[1], NULL);
  g->time_s = 0;
  for (int i = 0; i < 3 && status == MFFT_SUCCESS; i++) {
    mfft_prediction p;
    if ((i == 1 && !rank[1]) || (i == 2 && (!rank[2] || rank[2] == rank[1]))) continue;
    status = mfft_predict(request->desc, &one, cluster, rank[i], &p);
    if (status != MFFT_SUCCESS || mfft_predict_time(&p, request->run) <= g->time_s) continue;
    g->time_s = mfft_predict_time(&p, request->run);
    g->prediction = p;
  }
  return status;
}

/* A grid whose transforms alone take longer than the best prediction cannot be better, and is left out. */
static mfft_status compare_grids(const mfft_predict_request *request, const mfft_cluster *cluster,
                                 mfft_predict_result *result) {
  const int directions = request->run == 0 ? 2 : 1;
  double best = INFINITY;
  mfft_status status = MFFT_SUCCESS;
  qsort(result->grid, (size_t)result->grids, sizeof *result->grid, by_bound);
  for (int i = 0; i < result->grids && status == MFFT_SUCCESS; i++) {
    mfft_predict_grid *g = &result->grid[i];
    g->time_s = NAN;
    if (directions * g->bound_s > best) continue;
    status = time_grid(request, cluster, g);
    best = fmin(best, g->time_s);
  }
  qsort(result->grid, (size_t)result->grids, sizeof *result->grid, by_time);
  return status;
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* The first, a middle, the last and the fullest rank, each once. */
static mfft_status predict_ranks(const mfft_predict_request *request, const mfft_cluster *cluster,
                                 mfft_predict_result *result) {
  const int ranks = cluster->nodes * cluster->node_ranks;
  mfft_options one = *request->options;
  int who[MFFT_PREDICT_RANKS] = {0, ranks / 2, ranks - 1, 0};
  double slowest = -1;
  one.grid[0] = result->grid[0].grid[0];
  one.grid[1] = result->grid[0].grid[1];
  mfft_status status = mfft_predict_fullest(request->desc, &one, cluster, &who[3], NULL);
  qsort(who, MFFT_PREDICT_RANKS, sizeof *who, ascending);
  for (int i = 0; i < MFFT_PREDICT_RANKS && status == MFFT_SUCCESS; i++) {
    if (i && who[i] == who[i - 1]) continue;
    mfft_prediction *p = &result->of[result->ranks];
    status = mfft_predict(request->desc, &one, cluster, who[i], p);
    if (status == MFFT_SUCCESS && mfft_predict_time(p, request->run) > slowest) {
      slowest = mfft_predict_time(p, request->run);
      result->slowest = result->ranks;
    }
    result->rank[result->ranks++] = who[i];
  }
  return status;
}

mfft_status mfft_predict_run(const mfft_predict_request *request) {
  mfft_predict_result *result = calloc(1, sizeof *result);
  if (!result) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a prediction");
  mfft_cluster cluster = {&result->machine.machine, request->nodes[0], request->nodes[1], 0};
  const int *grid = request->options->grid;
  cluster.cyclic = request->map && (grid[0] || grid[1]); /* a plan that chooses its grid orders ranks by node */
  mfft_status status = mfft_machine_load(request->machine, &result->machine);
  if (status == MFFT_SUCCESS) status = list_grids(request->options, request->desc, &cluster, result);
  if (status == MFFT_SUCCESS) status = compare_grids(request, &cluster, result);
  if (status == MFFT_SUCCESS) status = predict_ranks(request, &cluster, result);
  if (status == MFFT_SUCCESS && !request->quiet) mfft_predict_print(request, result);
  if (status == MFFT_SUCCESS && request->json) status = mfft_predict_write(request, result);
  free(result);
  return status;
}
