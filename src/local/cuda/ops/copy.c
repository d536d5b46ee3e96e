/* copy.c: copies lists of blocks by launches of one kernel (kernels/service/copy.cu). */
#include "local/cuda/ops/copy.h"

#include "local/cuda/kernels/args/block_args.h"
#include "local/cuda/ops/service.h"

enum { COPY_THREADS = 256, COPY_FLIGHT = 8 }; /* as in kernels/service/copy.cu */

void mfft_cuda_nest(const mfft_block *block, int64_t element_bytes, const void *in, const void *out, mfft_nest *nest) {
  mfft_dim loop[4]; /* [count] fast to slow */
  int count = 0;
  for (int i = 3; i >= 0; i--) {
    mfft_dim d = {block->n[i], block->is[i], block->os[i]}, *inner = count ? &loop[count - 1] : NULL;
    if (d.n == 1) continue;
    if (inner && d.is == inner->n * inner->is && d.os == inner->n * inner->os)
      inner->n *= d.n;
    else
      loop[count++] = d;
  }
  /* The unit is the widest one that divides contiguous runs, strides and addresses. */
  int64_t unit = element_bytes;
  if (count && loop[0].is == 1 && loop[0].os == 1)
    for (int64_t wide = 16; wide > element_bytes && unit == element_bytes; wide /= 2) {
      if (wide % element_bytes) continue;
      int fits = loop[0].n * element_bytes % wide == 0 && (uintptr_t)in % (uintptr_t)wide == 0 &&
                 (uintptr_t)out % (uintptr_t)wide == 0;
      for (int i = 1; i < count; i++)
        fits &= loop[i].is * element_bytes % wide == 0 && loop[i].os * element_bytes % wide == 0;
      if (fits) unit = wide;
    }
  int64_t elements = unit / element_bytes;
  *nest = (mfft_nest){{1, 1, 1, 1}, {0}, {0}, (int)unit};
  for (int i = 0; i < count; i++) {
    nest->n[3 - i] = i ? loop[i].n : loop[i].n / elements;
    nest->is[3 - i] = i ? loop[i].is / elements : loop[i].is;
    nest->os[3 - i] = i ? loop[i].os / elements : loop[i].os;
  }
}

typedef struct block_batch {
  mfft_cuda_current current;
  mfft_copy_args args; /* blocks of one unit, which the next launch copies */
  int count, unit;
  int64_t most;    /* units of the largest of them */
  int most_blocks; /* most thread blocks of a launch; 0: any number */
  void *stream;
} block_batch;

static mfft_status flush(block_batch *c) {
  if (!c->count) return MFFT_SUCCESS;
  const mfft_service_kernel kernel = {.service = MFFT_SERVICE_COPY, .element_bytes = c->unit};
  CUfunction function;
  MFFT_TRY(mfft_service_load(&c->current, &kernel, &function));
  int64_t grid = (c->most + COPY_THREADS * COPY_FLIGHT - 1) / (COPY_THREADS * COPY_FLIGHT);
  int count = c->count;
  if (c->most_blocks && grid * count > c->most_blocks) grid = (c->most_blocks + count - 1) / count;
  c->count = 0;
  c->most = 1;
  return mfft_launch(c->current.driver, function, 0, (unsigned)(grid < 65535 ? grid : 65535), (unsigned)count, COPY_THREADS,
                     0, &c->args, c->stream, "launching a copy");
}

static mfft_status add(block_batch *c, const mfft_block *block, int64_t element_bytes, const void *in, void *out) {
  const char *from = (const char *)in + block->in_offset * element_bytes;
  char *to = (char *)out + block->out_offset * element_bytes;
  mfft_nest nest;
  mfft_cuda_nest(block, element_bytes, from, to, &nest);
  if (c->count == MFFT_COPY_BLOCKS || (c->count && c->unit != nest.bytes)) MFFT_TRY(flush(c));
  int64_t units = 1;
  int b = c->count++;
  c->unit = nest.bytes;
  c->args.in[b] = from;
  c->args.out[b] = to;
  for (int d = 0; d < 4; d++) {
    c->args.n[b][d] = nest.n[d];
    c->args.is[b][d] = nest.is[d];
    c->args.os[b][d] = nest.os[d];
    units *= nest.n[d];
  }
  if (units > c->most) c->most = units;
  return MFFT_SUCCESS;
}

static mfft_status begin(block_batch *c, int64_t element_bytes, int most_blocks, void *stream) {
  MFFT_TRY(mfft_cuda_find_current(&c->current));
  c->count = 0;
  c->most = 1;
  c->most_blocks = most_blocks;
  c->stream = stream;
  if (element_bytes != 2 && element_bytes != 4 && element_bytes != 8 && element_bytes != 16)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: copies of elements of %lld bytes; 2, 4, 8 and 16 are possible",
                     (long long)element_bytes);
  return MFFT_SUCCESS;
}

mfft_status mfft_cuda_copy(const mfft_block *blocks, int64_t count, int64_t element_bytes, const void *in, void *out,
                           void *stream) {
  block_batch c;
  MFFT_TRY(begin(&c, element_bytes, 0, stream));
  for (int64_t i = 0; i < count; i++) MFFT_TRY(add(&c, &blocks[i], element_bytes, in, out));
  return flush(&c);
}

mfft_status mfft_cuda_copy_lists(const mfft_block *blocks, const void *const *in, void *const *out, int64_t count,
                                 int64_t element_bytes, int most_blocks, void *stream) {
  block_batch c;
  MFFT_TRY(begin(&c, element_bytes, most_blocks, stream));
  for (int64_t i = 0; i < count; i++) MFFT_TRY(add(&c, &blocks[i], element_bytes, in[i], out[i]));
  return flush(&c);
}
