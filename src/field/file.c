/* file.c: abandons a file, or what a failed creation has made of it. */
#include "field/file.h"

#include <stdlib.h>
#include <unistd.h>

#include "comm/collective.h"

void mfft_file_leave(MPI_Comm *comm) {
  if (*comm == MPI_COMM_NULL) return;
  (void)mfft_collective_barrier(*comm, "closing a field");
  mfft_comm_free(comm);
}

void mfft_file_destroy(mfft_field_file file) {
  if (!file) return;
  mfft_pool_close(&file->pool);
  if (file->fd >= 0) close(file->fd);
  mfft_partial_end(&file->partial);
  mfft_file_leave(&file->comm);
  free(file->name);
  free(file->dataset);
  free(file->extent);
  free(file->sums);
  free(file->done);
  free(file);
}

void mfft_field_abandon(mfft_field_file *file) {
  if (!file) return;
  mfft_file_destroy(*file);
  *file = NULL;
}
