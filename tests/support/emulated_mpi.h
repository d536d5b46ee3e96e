/* emulated_mpi.h: whether MPI accepts device memory, for tests of messages: the emulated GPU's memory is host memory, which
 * every MPI accepts; for a real GPU the MPI here is asked. */
#ifndef MFFT_TESTS_EMULATED_MPI_H
#define MFFT_TESTS_EMULATED_MPI_H

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static inline int is_emulated(void) { return getenv("MFFT_EMULATED_BYTES") != NULL; }

__attribute__((visibility("default"))) int MPIX_Query_cuda_support(void);
int MPIX_Query_cuda_support(void) {
  int (*known)(void) = NULL;
  void *symbol = dlsym(RTLD_NEXT, "MPIX_Query_cuda_support");
  memcpy(&known, &symbol, sizeof known);
  return is_emulated() || (known && known());
}

#endif
