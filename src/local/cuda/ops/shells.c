/* shells.c: adds up the power of an array in shells: uploads the tables, makes two launches and downloads the sums. */
#include "local/cuda/ops/shells.h"

#include <stdlib.h>
#include <string.h>

#include "local/cuda/kernels/args/spectrum_args.h"
#include "local/cuda/ops/memory.h"
#include "local/cuda/ops/service.h"

/* Each thread block has sums of its own; those of all blocks take at most PARTIAL_BYTES. */
enum { MOST_BLOCKS = 4096, PARTIAL_BYTES = 1 << 26 };

/* Offsets, in bytes, in one allocation: the tables, the edges, the sums of blocks, the result; and its bytes. */
typedef struct layout {
  size_t index, edge, partial, result, bytes;
} layout;

static layout make_layout(const mfft_shell_sums *s, unsigned blocks) {
  const size_t set = 3 * (size_t)s->count * sizeof(double);
  layout r = {.index = 0};
  r.edge = r.index + (size_t)s->indices * sizeof *s->index;
  r.partial = r.edge + (size_t)(s->count + 1) * sizeof(double);
  r.result = r.partial + blocks * set;
  r.bytes = r.result + set;
  return r;
}

/* Divides the rows among thread blocks by the shape and the number of shells alone, so that the rounding of sums does not
 * depend on the device. */
static void share_rows(const mfft_shell_sums *s, mfft_shells_args *args) {
  const unsigned long long rows = args->n[0] * args->n[1] * args->n[2];
  unsigned long long blocks = PARTIAL_BYTES / (3 * sizeof(double)) / (unsigned long long)s->count;
  if (blocks > MOST_BLOCKS) blocks = MOST_BLOCKS;
  if (blocks > rows) blocks = rows;
  if (blocks < 1) blocks = 1;
  args->rows = (rows + blocks - 1) / blocks;
  args->blocks = (unsigned)((rows + args->rows - 1) / args->rows);
}

static mfft_status launch(const mfft_cuda_current *current, mfft_precision precision, int gathers, unsigned blocks,
                          mfft_shells_args *args, void *stream) {
  const mfft_service_kernel kernel = {.service = MFFT_SERVICE_SHELLS, .precision = precision, .gathers = gathers};
  CUfunction function;
  MFFT_TRY(mfft_service_load(current, &kernel, &function));
  return mfft_launch(current->driver, function, 0, blocks, 1, MFFT_SHELL_THREADS, 0, args, stream, "adding up shells");
}

mfft_status mfft_cuda_shells(mfft_precision precision, const mfft_shell_sums *s, const void *in, void *stream) {
  mfft_cuda_current current;
  mfft_shells_args args = {.in = in, .count = s->count};
  void *memory = NULL;
  double *sums = NULL; /* [3][count] */
  mfft_status status = MFFT_SUCCESS;
  MFFT_TRY(mfft_cuda_find_current(&current));
  for (int i = 0; i < 4; i++) {
    args.n[i] = (unsigned long long)s->shape.n[i];
    args.stride[i] = s->shape.stride[i];
  }
  for (int a = 0; a < 3; a++) args.table[a] = s->shape.table[a];
  share_rows(s, &args);

  const layout at = make_layout(s, args.blocks);
  const size_t set = at.bytes - at.result;
  sums = malloc(set);
  if (!sums) return mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory for %zu bytes of sums", set);
  MFFT_GOTO(done, mfft_cuda_alloc(at.bytes, &memory));
  MFFT_GOTO(done, mfft_cuda_upload((char *)memory + at.index, s->index, at.edge - at.index));
  MFFT_GOTO(done, mfft_cuda_upload((char *)memory + at.edge, s->edge, at.partial - at.edge));
  args.index = (const double *)((char *)memory + at.index);
  args.edge = (const double *)((char *)memory + at.edge);
  args.partial = (double *)((char *)memory + at.partial);
  args.result = (double *)((char *)memory + at.result);
  MFFT_GOTO(done, launch(&current, precision, 0, args.blocks, &args, stream));
  const int64_t threads = 3 * s->count, block = MFFT_SHELL_THREADS;
  MFFT_GOTO(done, launch(&current, precision, 1, (unsigned)((threads + block - 1) / block), &args, stream));
  MFFT_GOTO(done, mfft_cuda_synchronize(stream));
  MFFT_GOTO(done, mfft_cuda_download(sums, args.result, set));
  memcpy(s->modes, sums, (size_t)s->count * sizeof *s->modes);
  memcpy(s->radius, sums + s->count, (size_t)s->count * sizeof *s->radius);
  memcpy(s->power, sums + 2 * s->count, (size_t)s->count * sizeof *s->power);
done:
  if (memory) mfft_cuda_free(memory);
  free(sums);
  return status;
}
