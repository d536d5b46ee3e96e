/* move_box.c: see move_box.h. */
#include "mesh/move_box.h"

mfft_status mfft_move_box(int64_t element_bytes, const mfft_box *from, const void *in, const mfft_box *to, void *out) {
  mfft_exchange exchange = NULL;
  mfft_exchange_desc desc;
  mfft_exchange_desc_init(&desc);
  desc.element_bytes = element_bytes;
  desc.from = *from;
  desc.to = *to;
  mfft_status status = mfft_exchange_create(MPI_COMM_WORLD, &desc, NULL, &exchange);
  if (status == MFFT_SUCCESS) status = mfft_exchange_execute(exchange, in, out);
  mfft_exchange_destroy(exchange);
  return status;
}
