/* particle_cells.c: see particle_cells.h. */
#include "local/cuda/ops/particle_cells.h"

#include <string.h>

#include "local/cuda/kernels/args/block_args.h"
#include "local/cuda/kernels/args/particle_args.h"
#include "local/cuda/ops/particle_kernels.h"

/* ---- Weights --------------------------------------------------------------------------------------------------------- */

static mfft_status sweep_weights(const mfft_particle_values *weight, int64_t count, const double unit[2], int step,
                                 void *tables, mfft_particle_words *words, void *stream) {
  const mfft_service_kernel kernel = mfft_cuda_particle_kernel(MFFT_SERVICE_WEIGHTS, NULL, step);
  mfft_weights_args args = {.value = weight->value,
                            .value_double = weight->precision == MFFT_DOUBLE,
                            .value_stride = weight->stride,
                            .count = (unsigned long long)count,
                            .unit = {unit[0], unit[1]},
                            .words = tables};
  MFFT_TRY(mfft_cuda_words_clear(tables, stream));
  MFFT_TRY(mfft_cuda_particle_launch(&kernel, count, &args, stream, "adding up weights"));
  return mfft_cuda_words_read(tables, words, stream);
}

mfft_status mfft_cuda_weights_largest(const mfft_particle_values *weight, int64_t count, void *tables, double *largest,
                                      int64_t *bad, void *stream) {
  mfft_particle_words words;
  MFFT_TRY(sweep_weights(weight, count, (const double[2]){1, 1}, 0, tables, &words, stream));
  memcpy(largest, &words.largest, sizeof *largest);
  *bad = words.nonfinite ? (int64_t)~words.nonfinite : -1;
  return MFFT_SUCCESS;
}

mfft_status mfft_cuda_weights_magnitudes(const mfft_particle_values *weight, int64_t count, const double unit[2],
                                         void *tables, int64_t *total, void *stream) {
  mfft_particle_words words;
  MFFT_TRY(sweep_weights(weight, count, unit, 1, tables, &words, stream));
  *total = (int64_t)words.total;
  return MFFT_SUCCESS;
}

mfft_status mfft_cuda_weights_integers(const mfft_particle_values *weight, int64_t count, const double to[2], void *tables,
                                       int64_t *total, void *stream) {
  mfft_particle_words words;
  MFFT_TRY(sweep_weights(weight, count, to, 2, tables, &words, stream));
  *total = (int64_t)words.total;
  return MFFT_SUCCESS;
}

/* ---- Sums of cells --------------------------------------------------------------------------------------------------- */

/* Joins the axes slower and faster in memory, of which the faster has no gaps between its rows. */
static void join_axes(mfft_sums_of_cells_args *args, int slower, int faster) {
  if (args->stride[slower] != args->n[faster] * args->stride[faster]) return;
  args->n[faster] *= args->n[slower];
  args->n[slower] = 1;
}

static mfft_status launch_cells(const mfft_particle_space *space, int step, mfft_sums_of_cells_args *args, void *stream) {
  const mfft_service_kernel kernel = mfft_cuda_particle_kernel(MFFT_SERVICE_CELLS, space, step);
  for (int i = 0; i < 3; i++) {
    args->n[i] = space->extent[space->memory[i]];
    args->stride[i] = space->stride[space->memory[i]];
  }
  join_axes(args, 1, 2);
  join_axes(args, 0, args->n[1] == 1 ? 2 : 1);
  args->segments = (unsigned long long)(args->n[2] + MFFT_PARTICLE_CELLS - 1) / MFFT_PARTICLE_CELLS;
  const int64_t segments = args->n[0] * args->n[1] * (int64_t)args->segments;
  return mfft_cuda_particle_launch(&kernel, segments * MFFT_PARTICLE_THREADS, args, stream,
                                   "sweeping over the sums of a deposit");
}

mfft_status mfft_cuda_cells_clear(const mfft_particle_space *space, void *sums, void *stream) {
  mfft_sums_of_cells_args args = {.out = sums};
  return launch_cells(space, 0, &args, stream);
}

mfft_status mfft_cuda_cells_store(const mfft_particle_space *space, const void *sums, int64_t mean, const double from[2],
                                  int add, void *mesh, void *tables, int64_t *infinite, void *stream) {
  mfft_sums_of_cells_args args = {.sums = sums,
                                  .out = mesh,
                                  .mean = mean,
                                  .from = {from[0], from[1]},
                                  .single = space->precision == MFFT_SINGLE,
                                  .add = add != 0};
  mfft_particle_words words;
  args.words = tables;
  MFFT_TRY(mfft_cuda_words_clear(tables, stream));
  MFFT_TRY(launch_cells(space, 1, &args, stream));
  MFFT_TRY(mfft_cuda_words_read(tables, &words, stream));
  *infinite = (int64_t)words.infinite;
  return MFFT_SUCCESS;
}

/* ---- Ghost cells ----------------------------------------------------------------------------------------------------- */

static mfft_status flush(mfft_copy_args *args, int count, int64_t most, void *stream) {
  const mfft_service_kernel kernel = mfft_cuda_particle_kernel(MFFT_SERVICE_FOLD, NULL, 0);
  const int64_t blocks = (most + MFFT_PARTICLE_THREADS - 1) / MFFT_PARTICLE_THREADS;
  mfft_cuda_current current;
  CUfunction function;
  MFFT_TRY(mfft_cuda_find_current(&current));
  MFFT_TRY(mfft_service_load(&current, &kernel, &function));
  return mfft_launch(current.driver, function, 0, (unsigned)(blocks < 4096 ? blocks : 4096), (unsigned)count,
                     MFFT_PARTICLE_THREADS, 0, args, stream, "adding ghost cells");
}

mfft_status mfft_cuda_cells_fold(const mfft_block *blocks, int64_t nblocks, const void *in, void *out, void *stream) {
  mfft_copy_args args;
  int64_t most = 0;
  int count = 0;
  for (int64_t i = 0; i < nblocks; i++) {
    const mfft_block *b = &blocks[i];
    int64_t cells = 1;
    args.in[count] = (const int64_t *)in + b->in_offset;
    args.out[count] = (int64_t *)out + b->out_offset;
    for (int d = 0; d < 4; d++) {
      args.n[count][d] = b->n[d];
      args.is[count][d] = b->is[d];
      args.os[count][d] = b->os[d];
      cells *= b->n[d];
    }
    if (cells > most) most = cells;
    if (++count < MFFT_COPY_BLOCKS && i + 1 < nblocks) continue;
    MFFT_TRY(flush(&args, count, most, stream));
    count = 0;
    most = 0;
  }
  return MFFT_SUCCESS;
}
