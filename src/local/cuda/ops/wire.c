/* wire.c: copies lists of blocks to and from half the width, by launches of kernels/service/wire.cu (messages) or of
 * kernels/service/resize.cu (arrays). */
#include "local/wire.h"

#include "local/cuda/kernels/args/block_args.h"
#include "local/cuda/ops/copy.h"
#include "local/cuda/ops/service.h"

enum { WIRE_THREADS = 256, WIRE_BLOCKS = 2048 }; /* most thread blocks of a launch, enough to fill any device */

/* Thread blocks of a launch whose largest block has `elements`; a thread block takes `step` of them at a time. */
static unsigned grid_for(int64_t elements, int64_t step) {
  const int64_t steps = (elements + step - 1) / step;
  return (unsigned)(steps < WIRE_BLOCKS ? steps : WIRE_BLOCKS);
}

mfft_status mfft_cuda_convert(const mfft_block *blocks, int64_t nblocks, mfft_precision precision, int components, int packs,
                              const void *in, void *out, void *stream) {
  mfft_cuda_current current;
  CUfunction function;
  MFFT_TRY(mfft_cuda_find_current(&current));
  const mfft_service_kernel kernel = {
      .service = MFFT_SERVICE_WIRE, .precision = precision, .components = components, .narrows = packs};
  MFFT_TRY(mfft_service_load(&current, &kernel, &function));
  for (int64_t first = 0; first < nblocks; first += MFFT_COPY_BLOCKS) {
    mfft_wire_args args;
    int64_t count = nblocks - first < MFFT_COPY_BLOCKS ? nblocks - first : MFFT_COPY_BLOCKS, most = 1;
    for (int64_t b = 0; b < count; b++) {
      const mfft_block *block = &blocks[first + b];
      const char *array = packs ? in : out, *segment = packs ? out : in;
      int64_t elements = 1;
      for (int d = 0; d < 4; d++) {
        args.n[b][d] = block->n[d];
        args.stride[b][d] = block->is[d];
        elements *= block->n[d];
      }
      args.array[b] = (void *)(uintptr_t)(array + block->in_offset * components * (int64_t)mfft_real_bytes(precision));
      args.segment[b] = (void *)(uintptr_t)(segment + block->out_offset);
      if (elements > most) most = elements;
    }
    MFFT_TRY(mfft_launch(current.driver, function, 0, grid_for(most, MFFT_WIRE_TILE), (unsigned)count, WIRE_THREADS, 0,
                         &args, stream, "launching a conversion"));
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_cuda_resize(const mfft_block *blocks, int64_t nblocks, mfft_precision precision, int narrows,
                             const void *in, void *out, void *stream) {
  enum { RESIZE_ELEMENTS = 1024 }; /* elements of a thread block and step, as in kernels/service/resize.cu */
  const int64_t whole = 2 * (int64_t)mfft_real_bytes(precision), in_bytes = narrows ? whole : whole / 2,
                out_bytes = narrows ? whole / 2 : whole;
  mfft_cuda_current current;
  CUfunction function;
  MFFT_TRY(mfft_cuda_find_current(&current));
  const mfft_service_kernel kernel = {.service = MFFT_SERVICE_RESIZE, .precision = precision, .narrows = narrows};
  MFFT_TRY(mfft_service_load(&current, &kernel, &function));
  for (int64_t first = 0; first < nblocks; first += MFFT_COPY_BLOCKS) {
    mfft_copy_args args;
    int64_t count = nblocks - first < MFFT_COPY_BLOCKS ? nblocks - first : MFFT_COPY_BLOCKS, most = 1;
    for (int64_t b = 0; b < count; b++) {
      const mfft_block *block = &blocks[first + b];
      int64_t elements = 1;
      for (int d = 0; d < 4; d++) {
        args.n[b][d] = block->n[d];
        args.is[b][d] = block->is[d];
        args.os[b][d] = block->os[d];
        elements *= block->n[d];
      }
      args.in[b] = (const char *)in + block->in_offset * in_bytes;
      args.out[b] = (char *)out + block->out_offset * out_bytes;
      if (elements > most) most = elements;
    }
    MFFT_TRY(mfft_launch(current.driver, function, 0, grid_for(most, RESIZE_ELEMENTS), (unsigned)count, WIRE_THREADS, 0,
                         &args, stream, "launching a change of width"));
  }
  return MFFT_SUCCESS;
}
