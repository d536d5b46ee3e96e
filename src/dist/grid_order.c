/* grid_order.c: see grid_order.h. */
#include "dist/grid_order.h"

#include <stdlib.h>
#include <string.h>

/* Pairs of ranks of different nodes among rank[first + i * step], i < n; count [ranks] is zero before and after. */
static double far_pairs(const int *node_of, const int *rank, int first, int step, int n, int *count) {
  double near = 0;
  for (int i = 0; i < n; i++) near += 2.0 * count[node_of[rank[first + i * step]]]++ + 1; /* adds up to the squares */
  for (int i = 0; i < n; i++) count[node_of[rank[first + i * step]]] = 0;
  return (double)n * n - near;
}

/* A rank sends each rank of its row 1/Q of its data, and each of its column 1/P. */
static double far_share(const int *node_of, const int grid[2], const int *rank, int *count) {
  double far = 0;
  for (int p = 0; p < grid[0]; p++) far += far_pairs(node_of, rank, p * grid[1], 1, grid[1], count) / grid[1];
  for (int q = 0; q < grid[1]; q++) far += far_pairs(node_of, rank, q, grid[1], grid[0], count) / grid[0];
  return far / ((double)grid[0] * grid[1]);
}

/* Lists ranks node by node, nodes by their lowest ranks; count [ranks] is zero before and after. */
static void list_by_node(const int *node_of, int ranks, int *list, int *count) {
  int next = 0;
  for (int r = 0; r < ranks; r++) count[node_of[r]]++;
  for (int r = 0; r < ranks; r++) {
    const int here = count[r];
    count[r] = next;
    next += here;
  }
  for (int r = 0; r < ranks; r++) list[count[node_of[r]]++] = r;
  memset(count, 0, (size_t)ranks * sizeof *count);
}

mfft_status mfft_grid_order(const int *node_of, const int grid[2], int *rank, int *own, double *far) {
  enum { OWN, ROW_BY_ROW, COLUMN_BY_COLUMN, ORDERS };
  const int ranks = grid[0] * grid[1];
  int *list = malloc((size_t)ranks * sizeof *list), *count = calloc((size_t)ranks, sizeof *count), best = OWN;
  if (!list || !count) {
    free(list);
    free(count);
    return mfft_fail(MFFT_ERR_MEMORY, "no memory for the places of %d ranks in a grid", ranks);
  }
  list_by_node(node_of, ranks, list, count);
  for (int o = OWN; o <= ORDERS; o++) { /* the best one again at the end */
    const int order = o < ORDERS ? o : best;
    for (int p = 0, place = 0; p < grid[0]; p++)
      for (int q = 0; q < grid[1]; q++, place++)
        rank[place] = order == OWN ? place : list[order == ROW_BY_ROW ? place : q * grid[0] + p];
    const double share = far_share(node_of, grid, rank, count);
    if (o == OWN || share < *far - 1e-9) {
      *far = share;
      best = order;
    }
  }
  *own = best == OWN;
  free(list);
  free(count);
  return MFFT_SUCCESS;
}
