/* file.c: abandons a file, or what a failed creation has made of it. */
#include "field/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comm/collective.h"
#include "field/convert.h"

void mfft_file_leave(MPI_Comm *comm) {
  if (*comm == MPI_COMM_NULL) return;
  (void)mfft_collective_barrier(*comm, "closing a field");
  mfft_comm_free(comm);
}

mfft_readback_dataset mfft_file_dataset(mfft_field_file file, int dataset) {
  mfft_readback_dataset found = {.comm = file->comm,
                                 .number = dataset,
                                 .path = file->name,
                                 .source = {.file_bytes = file->file_bytes,
                                            .offset = file->extent[dataset].offset,
                                            .element_bytes = mfft_value_bytes(file->precision),
                                            .slabs = file->slabs}};
  found.source.info.precision = file->precision;
  memcpy(found.source.info.n, file->n, sizeof file->n);
  memcpy(found.source.info.dataset, file->dataset[dataset], sizeof found.source.info.dataset);
  return found;
}

void mfft_file_destroy(mfft_field_file file) {
  if (!file) return;
  mfft_readback_close(&file->readback);
  mfft_workers_destroy(file->sync_worker);
  mfft_pool_close(&file->pool);
  mfft_direct_file_close(&file->direct);
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
