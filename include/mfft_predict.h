/* mfft_predict.h: what a distributed transform would take on a machine that is not at hand.
 *
 * A prediction plans one rank of many as mfft_plan_create_mpi would, with the same boxes, routes, chunks, buffers and
 * stages, and then adds up times along its program from the measured numbers of a machine.  The geometry (bytes, messages,
 * memory) is that of the plan; the times are a model:
 *
 * - A local transform of one axis takes passes(axis) reads and writes of its array at memory_bandwidth, or its operations
 *   (5 N log2 N, half of it for reals) at `flops`, whichever the machine gives; the longer of two.
 * - Packing, unpacking and copies on a rank are one read and one write at copy_bandwidth.
 * - A link carries the chunks of a rank one after another, each in near_message_s or far_message_s a message and its bytes
 *   at the bandwidth of the link, and no earlier than near_latency_s or far_latency_s after its start.  All ranks send at
 * the same time, so that the ranks of a node share its network.
 * - On a GPU copies to near peers and messages run beside the stream.  While a near link is busy, near_memory times its
 * bandwidth is taken from memory_bandwidth: 2 is what it reads for peers and what they store.  On a CPU copies between ranks
 * of a node are made by the processor, and messages progress while a rank computes only if far_overlaps is 1.
 * - All ranks reach each stage at the same time.  Noise, contention within a network beyond far_share, and MPI's own
 *   buffers and memory are not modelled.
 *
 * No rank other than the caller takes part in any call.  MPI must be initialized. */
#ifndef MFFT_PREDICT_H
#define MFFT_PREDICT_H

#include "mfft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The cost of one axis in a local transform, in reads and writes of the array: at lengths up to n.  Between two lengths of a
 * list the logarithm of the length interpolates, beyond its ends the nearest holds. */
enum { MFFT_MACHINE_PASSES = 16 };
typedef struct mfft_machine_pass {
  int64_t n;
  double passes;
} mfft_machine_pass;

/* The numbers of a machine, for one rank while all ranks of its node do the same.  Bandwidths are bytes per second, times
 * are seconds; a copy that reads and writes b bytes each counts 2 b.  Fields without a default in brackets must be above 0.
 */
typedef struct mfft_machine {
  size_t struct_size;      /* set by mfft_machine_init */
  int host_memory;         /* 1: a rank is a process on CPUs; 0: it has a GPU of its own [0] */
  double memory_bytes;     /* memory of a rank, for a warning [0: unknown] */
  double memory_bandwidth; /* of a copy within memory, bytes read and written */
  double copy_bandwidth;   /* of packing and unpacking, likewise [0: memory_bandwidth] */
  double flops[2];         /* [double, narrower] operations a second of local transforms; long double: 1/16 [0: no bound] */
  double real_rows;        /* GPUs: factor on transforms of R2C plans, for rows of n/2 + 1 [0: 1] */
  double scatter;          /* factor on transforms that store to two arrays, what stays apart from what is sent [0: 1] */
  double stage_s;          /* time of a stage besides its bytes: launches, signals [0] */
  int contiguous_count, strided_count;               /* lengths in the lists; 0: one pass for every length */
  mfft_machine_pass contiguous[MFFT_MACHINE_PASSES]; /* [contiguous_count] ascending n: axes with stride 1 */
  mfft_machine_pass strided[MFFT_MACHINE_PASSES];    /* [strided_count] ascending n: other axes */
  double near_bandwidth; /* out of a rank to the others of its node [needed from 2 ranks a node on] */
  double near_message_s; /* time of one copy or message besides its bytes [0] */
  double near_memory;    /* GPUs: bytes that memory moves beside transforms for a byte to or from near ranks [0: 2] */
  double near_latency_s; /* from the start of a transfer to its first byte; transfers that follow each other hide it [0] */
  double far_bandwidth;  /* out of a rank to other nodes, if it alone sends [needed from 2 nodes on] */
  double node_bandwidth; /* out of a node [0: the sum of its ranks] */
  double far_message_s, far_latency_s; /* as near_ [0] */
  double far_share;                    /* share of these that an exchange among many nodes reaches [0: 1] */
  int far_overlaps;                    /* host memory: 1: messages progress while the rank computes [0] */
} mfft_machine;

MFFT_API void mfft_machine_init_sized(mfft_machine *machine, size_t struct_size);
static inline void mfft_machine_init(mfft_machine *machine) { mfft_machine_init_sized(machine, sizeof(mfft_machine)); }

/* One direction of one rank. */
typedef struct mfft_predicted {
  double time_s;       /* of the whole direction */
  double transforms_s; /* the processor or stream transforms, filters and multiplies by twiddles */
  double copies_s;     /* the processor or stream packs, unpacks, converts, and copies what stays */
  double near_s;       /* the links within the node are busy; host memory: the processor, with copies to near ranks */
  double far_s;        /* the network of this rank is busy */
  double hidden_s;     /* of these four times, what runs beside another: their sum less time_s, waits counted as 0 */
  int64_t self_bytes, near_bytes, far_bytes; /* sent to itself, to ranks of its node, to ranks of other nodes */
  int64_t near_messages, far_messages;       /* copies or messages that these are sent in */
} mfft_predicted;

typedef struct mfft_prediction {
  mfft_predicted direction[2]; /* [mfft_direction] */
  int grid[2];                 /* process grid P x Q */
  int chunks;                  /* the most of an exchange */
  const char *transport;       /* belongs to the library */
  int64_t array_bytes[2];      /* [side] arrays of the caller on this rank */
  int64_t workspace_bytes;     /* windows, areas and workspace of this rank */
} mfft_prediction;

/* The part of a machine that runs the plan: nodes x node_ranks ranks.  Ranks that follow each other share a node or, if
 * `cyclic` is 1, ranks are dealt to the nodes in turn, as mpirun --map-by node does. */
typedef struct mfft_cluster {
  const mfft_machine *machine;
  int nodes, node_ranks; /* >= 1 */
  int cyclic;
} mfft_cluster;

/* Predicts what `rank` of the cluster does in a plan of desc and options (may be NULL).  options.grid 0 lets the rule of
 * mfft_plan_create_mpi choose a grid; options.transport NULL is "p2p", with "+pairwise" to other nodes, for GPUs, and
 * "pairwise" for host memory; options.backend and effort do not count, since the numbers of the machine stand for local
 * transforms.  Memory: some 600 bytes a rank of the cluster, and the routes of one rank.  Errors: MFFT_ERR_ARG for a field
 * that is out of range, MFFT_ERR_UNSUPPORTED for boxes of the caller, strides and radices, and as mfft_plan_create_mpi.
 * Not collective. */
MFFT_API mfft_status mfft_predict(const mfft_desc *desc, const mfft_options *options, const mfft_cluster *cluster, int rank,
                                  mfft_prediction *prediction);

/* The rank of the cluster that holds the most elements in the grid of the options, added up over the arrays of all steps,
 * and the lowest of these: it is the one to ask for, besides the first and the last.  bound_s (may be NULL) gets a time that
 * no plan on this grid is faster than in one direction: the transforms of the fullest ranks alone.  Errors as mfft_predict.
 * Not collective. */
MFFT_API mfft_status mfft_predict_fullest(const mfft_desc *desc, const mfft_options *options, const mfft_cluster *cluster,
                                          int *rank, double *bound_s);

#ifdef __cplusplus
}
#endif
#endif
