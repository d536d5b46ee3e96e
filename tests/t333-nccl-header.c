// TEST labels=dist needs=nccl.h+cuda_runtime_api.h
/* The declarations and constants of src/dist/nccl_comm.h are those of nccl.h, if that is installed, and the library has the
 * functions. */
#if __has_include(<nccl.h>) && __has_include(<cuda_runtime_api.h>)
#include <nccl.h>

#include "check.h"
#include "dist/nccl_comm.h"

#define IS(function, type) CHECK(_Generic(&function, type : 1, default : 0), #function)

int main(void) {
  CHECK(sizeof(ncclUniqueId) == sizeof(mfft_nccl_id) && sizeof(ncclResult_t) == sizeof(int) &&
        sizeof(ncclDataType_t) == sizeof(int));
  CHECK((int)ncclSuccess == MFFT_NCCL_SUCCESS && (int)ncclInProgress == MFFT_NCCL_IN_PROGRESS &&
        (int)ncclInt8 == MFFT_NCCL_BYTES);
  IS(ncclGetVersion, ncclResult_t(*)(int *));
  IS(ncclGetUniqueId, ncclResult_t(*)(ncclUniqueId *));
  IS(ncclCommInitRank, ncclResult_t(*)(ncclComm_t *, int, ncclUniqueId, int));
  IS(ncclCommAbort, ncclResult_t(*)(ncclComm_t));
  IS(ncclGetErrorString, const char *(*)(ncclResult_t));
  IS(ncclSend, ncclResult_t(*)(const void *, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t));
  IS(ncclRecv, ncclResult_t(*)(void *, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t));
  IS(ncclGroupStart, ncclResult_t(*)(void));
  IS(ncclGroupEnd, ncclResult_t(*)(void));
  ncclResult_t (*async)(ncclComm_t, ncclResult_t *) = NULL;
  IS(ncclCommGetAsyncError, __typeof__(async));
#if NCCL_VERSION_CODE >= 21400
  const ncclConfig_t theirs = NCCL_CONFIG_INITIALIZER;
  const mfft_nccl_config ours = MFFT_NCCL_NONBLOCKING;
#define SAME_PLACE(field) CHECK(offsetof(ncclConfig_t, field) == offsetof(mfft_nccl_config, field), #field)
  SAME_PLACE(size);
  SAME_PLACE(magic);
  SAME_PLACE(version);
  SAME_PLACE(blocking);
  CHECK(sizeof theirs >= sizeof ours && theirs.magic == ours.magic && theirs.version >= ours.version &&
        theirs.blocking == ours.unset);
  IS(ncclCommInitRankConfig, ncclResult_t(*)(ncclComm_t *, int, ncclUniqueId, int, ncclConfig_t *));
#endif

  /* The library, if it is found at run time, exports all of them. */
  const mfft_nccl *nccl;
  int version = 0;
  mfft_status status = mfft_nccl_open(&nccl);
  if (status == MFFT_ERR_UNSUPPORTED)
    printf("%s\n", mfft_last_error());
  else
    CHECK(status == MFFT_SUCCESS && nccl->version(&version) == 0 && version >= NCCL_VERSION(2, 7, 0), "%d", version);
  return test_end();
}
#else
int main(void) { return 77; }
#endif
