/* nccl_comm.h: the NCCL library, loaded when it is first needed, and one NCCL communicator for each set of ranks.
 *
 * The build needs nothing of NCCL.  A process that has loaded NCCL already uses that one; otherwise libnccl.so.2 is
 * loaded from the system's library path.
 *
 * NCCL waits for other ranks when it creates a communicator, and when ranks that send to each other for the first time
 * are connected; on a network that it misjudges these waits do not end.  Communicators are therefore created in
 * nonblocking mode: a call returns MFFT_NCCL_IN_PROGRESS, a thread of NCCL continues it, and the caller polls its
 * completion under the watchdog.  NCCL before 2.14, and any NCCL with NCCL_COMM_BLOCKING=1, blocks outside of the
 * watchdog. */
#ifndef MFFT_DIST_NCCL_COMM_H
#define MFFT_DIST_NCCL_COMM_H

#include <limits.h>
#include <stddef.h>

#include "comm/watchdog.h"
#include "dist/topology.h"

typedef struct mfft_nccl_id {
  char bytes[128];
} mfft_nccl_id;

/* ncclConfig_t of NCCL 2.14.  Later versions append fields, and read only as many bytes as `size` says. */
typedef struct mfft_nccl_config {
  size_t size;
  unsigned magic, version;
  int blocking, unset;
} mfft_nccl_config;

enum {
  MFFT_NCCL_SUCCESS = 0,
  MFFT_NCCL_IN_PROGRESS = 7,
  MFFT_NCCL_BYTES = 0 /* ncclInt8 */
};
#define MFFT_NCCL_NONBLOCKING ((mfft_nccl_config){sizeof(mfft_nccl_config), 0xcafebeef, 21400, 0, INT_MIN})

/* X(result, name, symbol, arguments) with the declarations of nccl.h; test t333-nccl-header compares them. */
#define MFFT_NCCL_FUNCTIONS(X)                                                                 \
  X(int, version, ncclGetVersion, (int *))                                                     \
  X(int, unique_id, ncclGetUniqueId, (mfft_nccl_id *))                                         \
  X(int, comm_init, ncclCommInitRank, (void **comm, int ranks, mfft_nccl_id id, int rank))     \
  X(int, comm_abort, ncclCommAbort, (void *comm))                                              \
  X(int, async_error, ncclCommGetAsyncError, (void *comm, int *error))                         \
  X(const char *, error_string, ncclGetErrorString, (int))                                     \
  X(int, send, ncclSend, (const void *, size_t, int type, int peer, void *comm, void *stream)) \
  X(int, receive, ncclRecv, (void *, size_t, int type, int peer, void *comm, void *stream))    \
  X(int, group_start, ncclGroupStart, (void))                                                  \
  X(int, group_end, ncclGroupEnd, (void))

/* Functions that are NULL before NCCL 2.14. */
#define MFFT_NCCL_LATER_FUNCTIONS(X) \
  X(int, comm_init_config, ncclCommInitRankConfig, (void **comm, int ranks, mfft_nccl_id id, int rank, mfft_nccl_config *))

#define MFFT_X(result, name, symbol, arguments) result(*name) arguments;
typedef struct mfft_nccl {
  MFFT_NCCL_FUNCTIONS(MFFT_X)
  MFFT_NCCL_LATER_FUNCTIONS(MFFT_X)
} mfft_nccl;
#undef MFFT_X

/* The table of functions, or MFFT_ERR_UNSUPPORTED with the reason. */
mfft_status mfft_nccl_open(const mfft_nccl **nccl);

/* Converts a result of NCCL to a status; an operation in progress counts as success.  `doing` names the operation in the
 * message. */
mfft_status mfft_nccl_status(const mfft_nccl *nccl, int answer, const char *doing);
#define MFFT_NCCL_TRY(nccl, doing, call) MFFT_TRY(mfft_nccl_status(nccl, call, doing))

/* The time limit of steps that a plan can do without. */
extern const mfft_limit mfft_nccl_limit;

/* A communicator.  It exists as long as the process, since creating one takes a good part of a second. */
typedef struct mfft_nccl_comm mfft_nccl_comm;

/* The communicator of these ranks on their devices, with the ranks of topology->comm; it is created if there is none.
 * MFFT_ERR_TIMEOUT: NCCL has not created it within MFFT_NCCL_S seconds, and the same ranks are not tried again.
 * Collective; all ranks fail together. */
mfft_status mfft_nccl_join(const mfft_topology *topology, mfft_nccl_comm **comm);

/* The same for ranks that have joined already; not collective. */
mfft_status mfft_nccl_find(const mfft_topology *topology, mfft_nccl_comm **comm);

/* NCCL's own handle; MFFT_ERR_STATE if the communicator has been given up. */
mfft_status mfft_nccl_handle(const mfft_nccl_comm *comm, void **handle);

/* Polls the asynchronous error of a communicator; *busy: NCCL has not finished the last call on it. */
mfft_status mfft_nccl_look(const mfft_nccl_comm *comm, const char *doing, int *busy);

/* Aborts the operations of a communicator that has failed, whose kernels would occupy the device for ever.  `permanent`:
 * these ranks do not try NCCL again.  Not collective. */
void mfft_nccl_give_up(mfft_nccl_comm *comm, int permanent);

#endif
