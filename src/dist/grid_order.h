/* grid_order.h: which rank is at which place of a process grid, so that as little as possible goes between nodes.  Pure
 * arithmetic without MPI calls.
 *
 * One exchange of pencils on a grid P x Q is among the Q ranks of a row, one among the P ranks of a column.  Ranks that are
 * listed node by node fill the grid row by row, so that rows stay inside nodes where Q divides the ranks of each, or column
 * by column; ranks in their own order do so only if they are numbered node by node. */
#ifndef MFFT_DIST_GRID_ORDER_H
#define MFFT_DIST_GRID_ORDER_H

#include "base/status.h"

/* Chooses among these orders the one with the least data between nodes, their own first.  node_of [ranks]: the lowest rank
 * of the node of each, as in topology.h.  rank [P][Q]: the rank at each place; *own: 1 if it is p*Q + q.  *far: the share of
 * its data that a rank sends to other nodes, on average, added up over both exchanges. */
mfft_status mfft_grid_order(const int *node_of, const int grid[2], int *rank, int *own, double *far);

#endif
