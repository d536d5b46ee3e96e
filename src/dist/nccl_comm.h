/* nccl_comm.h: the NCCL library, opened when it is first asked for, and one communicator for each set of ranks.
 *
 * Nothing of NCCL is needed to build.  A process that has NCCL loaded already keeps its own; otherwise libnccl.so.2 is
 * looked for where the system looks for libraries. */
#ifndef MFFT_DIST_NCCL_COMM_H
#define MFFT_DIST_NCCL_COMM_H

#include <stddef.h>

#include "dist/reach.h"

typedef struct mfft_nccl_id {
  char bytes[128];
} mfft_nccl_id;

enum { MFFT_NCCL_SUCCESS = 0, MFFT_NCCL_IN_PROGRESS = 7, MFFT_NCCL_BYTES = 0 /* ncclInt8 */ };

/* X(result, name, symbol, arguments), as nccl.h has them; t333-nccl-header compares */
#define MFFT_NCCL_FUNCTIONS(X)                                                                 \
  X(int, version, ncclGetVersion, (int *))                                                     \
  X(int, unique_id, ncclGetUniqueId, (mfft_nccl_id *))                                         \
  X(int, comm_init, ncclCommInitRank, (void **comm, int ranks, mfft_nccl_id id, int rank))     \
  X(int, async_error, ncclCommGetAsyncError, (void *comm, int *error))                         \
  X(const char *, error_string, ncclGetErrorString, (int))                                     \
  X(int, send, ncclSend, (const void *, size_t, int type, int peer, void *comm, void *stream)) \
  X(int, receive, ncclRecv, (void *, size_t, int type, int peer, void *comm, void *stream))    \
  X(int, group_start, ncclGroupStart, (void))                                                  \
  X(int, group_end, ncclGroupEnd, (void))

#define MFFT_X(result, name, symbol, arguments) result(*name) arguments;
typedef struct mfft_nccl {
  MFFT_NCCL_FUNCTIONS(MFFT_X)
} mfft_nccl;
#undef MFFT_X

/* The table, or MFFT_ERR_UNSUPPORTED with the reason. */
mfft_status mfft_nccl_open(const mfft_nccl **nccl);

/* Turns an answer of NCCL into a status; `doing` is for the message. */
mfft_status mfft_nccl_status(const mfft_nccl *nccl, int answer, const char *doing);
#define MFFT_NCCL_TRY(nccl, doing, call) MFFT_TRY(mfft_nccl_status(nccl, call, doing))

/* The communicator of these ranks on their devices, made where there is none; its ranks are those of reach->comm.
 * Collective; all ranks fail together.  It stays as long as the process: making one takes a good part of a second. */
mfft_status mfft_nccl_join(const mfft_reach *reach, void **comm);

/* The same for ranks that have joined; not collective. */
mfft_status mfft_nccl_find(const mfft_reach *reach, void **comm);

#endif
