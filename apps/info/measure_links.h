/* measure_links.h: measures the speed of packing, and of the links within nodes and between them. */
#ifndef MFFT_APPS_MEASURE_LINKS_H
#define MFFT_APPS_MEASURE_LINKS_H

#include "cli/nodes.h"
#include "mfft_predict.h"

typedef struct mfft_measure_setup {
  const char *backend;
  int host_memory;
  double seconds; /* for the samples of one number */
  const mfft_app_nodes *nodes;
} mfft_measure_setup;

/* Fills in copy_bandwidth, the near numbers if nodes have several ranks, and the far ones if there are several nodes.
 *
 * Within a node every rank sends to every other. Between nodes every rank sends to all ranks of the next node, as in the
 * exchanges of a transform: TCP by Open MPI sends and receives by one connection of two processes as if one after the other,
 * so that a single pair of ranks a node could not fill the link.  A bandwidth is measured with more and more bytes until it
 * no longer changes, which takes latency and what a limited link lets pass at once out of it.  Collective. */
mfft_status mfft_measure_links(const mfft_measure_setup *setup, mfft_machine *machine);

#endif
