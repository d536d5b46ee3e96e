/* nccl_comm.h: the NCCL library, opened when it is first asked for, and one communicator for each set of ranks.
 *
 * Nothing of NCCL is needed to build.  A process that has NCCL loaded already keeps its own; otherwise libnccl.so.2 is
 * looked for where the system looks for libraries.
 *
 * NCCL waits for other ranks where it makes a communicator, and where it connects those that send to each other for the
 * first time: on a network that it reads wrongly without end.  So communicators are made not to block: a call answers
 * MFFT_NCCL_IN_PROGRESS, a thread of NCCL's goes on with it, and the caller asks under the watchdog whether it is done.
 * NCCL before 2.14, or told by NCCL_COMM_BLOCKING=1, blocks, and nobody watches it. */
#ifndef MFFT_DIST_NCCL_COMM_H
#define MFFT_DIST_NCCL_COMM_H

#include <limits.h>
#include <stddef.h>

#include "comm/watchdog.h"
#include "dist/topology.h"

typedef struct mfft_nccl_id {
  char bytes[128];
} mfft_nccl_id;

/* ncclConfig_t as it was in NCCL 2.14: later ones have more behind it, and read as much as `size` says. */
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

/* X(result, name, symbol, arguments), as nccl.h has them; t333-nccl-header compares */
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

/* NULL before NCCL 2.14 */
#define MFFT_NCCL_LATER_FUNCTIONS(X) \
  X(int, comm_init_config, ncclCommInitRankConfig, (void **comm, int ranks, mfft_nccl_id id, int rank, mfft_nccl_config *))

#define MFFT_X(result, name, symbol, arguments) result(*name) arguments;
typedef struct mfft_nccl {
  MFFT_NCCL_FUNCTIONS(MFFT_X)
  MFFT_NCCL_LATER_FUNCTIONS(MFFT_X)
} mfft_nccl;
#undef MFFT_X

/* The table, or MFFT_ERR_UNSUPPORTED with the reason. */
mfft_status mfft_nccl_open(const mfft_nccl **nccl);

/* Turns an answer of NCCL into a status; what is in progress has not failed.  `doing` is for the message. */
mfft_status mfft_nccl_status(const mfft_nccl *nccl, int answer, const char *doing);
#define MFFT_NCCL_TRY(nccl, doing, call) MFFT_TRY(mfft_nccl_status(nccl, call, doing))

/* Of what a plan may do without. */
extern const mfft_limit mfft_nccl_limit;

/* A communicator.  It stays as long as the process: making one takes a good part of a second. */
typedef struct mfft_nccl_comm mfft_nccl_comm;

/* That of these ranks on their devices, made where there is none; its ranks are those of topology->comm.  MFFT_ERR_TIMEOUT
 * where NCCL has not made it in MFFT_NCCL_S; the same ranks are then not tried again.  Collective; all ranks fail together.
 */
mfft_status mfft_nccl_join(const mfft_topology *topology, mfft_nccl_comm **comm);

/* The same for ranks that have joined; not collective. */
mfft_status mfft_nccl_find(const mfft_topology *topology, mfft_nccl_comm **comm);

/* NCCL's own handle; MFFT_ERR_STATE where the communicator has been given up. */
mfft_status mfft_nccl_handle(const mfft_nccl_comm *comm, void **handle);

/* What NCCL has found out about a communicator meanwhile, and whether it is still busy with the last call on it. */
mfft_status mfft_nccl_look(const mfft_nccl_comm *comm, const char *doing, int *busy);

/* Ends what is under way in a communicator that has failed: its kernels would hold the device for ever.  `hopeless`: these
 * ranks shall not try again.  Not collective. */
void mfft_nccl_give_up(mfft_nccl_comm *comm, int hopeless);

#endif
