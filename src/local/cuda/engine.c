/* engine.c: the backend table of the merging engine: memory, transforms, launches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "local/cuda/driver.h"
#include "local/cuda/load.h"
#include "local/cuda/tables.h"

/* The tables of one pass on the device. */
typedef struct pass_tables {
  CUdeviceptr merges, matrices, outer_fine, outer_coarse, real;
} pass_tables;

typedef struct cuda_fft {
  mfft_fft base;
  const mfft_cuda_driver *driver;
  CUcontext context;
  int arch;
  mfft_schedule schedule;
  CUfunction function[MFFT_MAX_PASSES];   /* [schedule.count] owned by the process, see load.h */
  pass_tables tables[MFFT_MAX_PASSES];    /* [schedule.count] */
} cuda_fft;

static mfft_status probe(void) {
  const mfft_cuda_driver *driver;
  const mfft_nvrtc *nvrtc;
  CUcontext context;
  mfft_device_limits limits;
  MFFT_TRY(mfft_cuda_device(&driver, &context, &limits));
  return mfft_nvrtc_open(&nvrtc);
}

static mfft_status cuda_alloc(size_t bytes, void **pointer) {
  const mfft_cuda_driver *driver;
  CUcontext context;
  mfft_device_limits limits;
  MFFT_TRY(mfft_cuda_device(&driver, &context, &limits));
  CUdeviceptr address = 0;
  CUresult result = driver->memory_alloc(&address, bytes ? bytes : 64);
  if (result != CUDA_SUCCESS) {
    mfft_cuda_failed(driver, result, "cuMemAlloc");
    return mfft_fail_context(MFFT_ERR_MEMORY, "%zu bytes of device memory", bytes);
  }
  *pointer = (void *)address;
  return MFFT_SUCCESS;
}

static void cuda_free(void *pointer) {
  const mfft_cuda_driver *driver;
  if (pointer && mfft_cuda_open(&driver) == MFFT_SUCCESS) driver->memory_free((CUdeviceptr)pointer);
}

/* Moves a host table to the device and frees it. */
static mfft_status upload(const mfft_cuda_driver *driver, mfft_table *table, CUdeviceptr *address) {
  mfft_status status = MFFT_SUCCESS;
  if (table->bytes) {
    MFFT_CUDA_GOTO(done, driver, "memory for twiddles", driver->memory_alloc(address, table->bytes));
    MFFT_CUDA_GOTO(done, driver, "copying twiddles", driver->copy_to_device(*address, table->data, table->bytes));
  }
done:
  free(table->data);
  memset(table, 0, sizeof *table);
  return status;
}

/* A tensor-core kernel computes its twiddles: circles are powers of two, an index is shifted to fill 32 bits and read as a
 * signed angle.  Its scale is shared out over the merges. */
static mfft_status make_tensor(cuda_fft *fft, mfft_pass *pass, pass_tables *on_device) {
  mfft_table table = {0};
  MFFT_TRY(mfft_table_matrices(&pass->kernel, &table));
  MFFT_TRY(upload(fft->driver, &table, &on_device->matrices));
  pass->args.matrices = (const void *)on_device->matrices;
  pass->args.merge_turn = (float)(pass->kernel.sign * 3.14159265358979323846 / 2147483648.0);
  pass->args.outer_shift = 32;
  for (int64_t n = pass->outer_length; n > 1; n /= 2) pass->args.outer_shift--;
  return MFFT_SUCCESS;
}

static mfft_status make_tables(cuda_fft *fft, int i) {
  mfft_pass *pass = &fft->schedule.pass[i];
  const mfft_kernel *kernel = &pass->kernel;
  pass_tables *on_device = &fft->tables[i];
  mfft_table table = {0};
  if (kernel->engine == MFFT_ENGINE_TENSOR) return make_tensor(fft, pass, on_device);
  if (kernel->engine == MFFT_ENGINE_BUTTERFLY) {
    MFFT_TRY(mfft_table_merges(kernel, &table));
    MFFT_TRY(upload(fft->driver, &table, &on_device->merges));
  }
  int whole = pass->real_length && kernel->engine != MFFT_ENGINE_REAL;
  int64_t circle = whole ? pass->outer_length : pass->outer_length ? pass->outer_length : pass->real_length;
  if (whole) {
    MFFT_TRY(mfft_table_roots(kernel, pass->real_length, kernel->n / 2 + 1, 1, &table));
    MFFT_TRY(upload(fft->driver, &table, &on_device->real));
  }
  if (circle) {
    int shift = mfft_outer_shift(circle);
    int64_t step = (int64_t)1 << shift;
    pass->args.outer_shift = (unsigned)shift;
    MFFT_TRY(mfft_table_roots(kernel, circle, step, 1, &table));
    MFFT_TRY(upload(fft->driver, &table, &on_device->outer_fine));
    MFFT_TRY(mfft_table_roots(kernel, circle, circle / step + 1, step, &table));
    MFFT_TRY(upload(fft->driver, &table, &on_device->outer_coarse));
  }
  pass->args.merge_table = (const void *)on_device->merges;
  pass->args.outer_fine = (const void *)on_device->outer_fine;
  pass->args.outer_coarse = (const void *)on_device->outer_coarse;
  pass->args.real_table = (const void *)on_device->real;
  return MFFT_SUCCESS;
}

static void destroy(mfft_fft *base) {
  cuda_fft *fft = (cuda_fft *)base;
  if (!fft) return;
  for (int i = 0; i < fft->schedule.count; i++) {
    const pass_tables *t = &fft->tables[i];
    const CUdeviceptr all[] = {t->merges, t->matrices, t->outer_fine, t->outer_coarse, t->real};
    for (int k = 0; k < 5; k++)
      if (all[k]) fft->driver->memory_free(all[k]);
  }
  free(fft);
}

static mfft_status create(const mfft_fft_spec *spec, mfft_fft **out) {
  mfft_status status = MFFT_SUCCESS;
  mfft_device_limits limits;
  cuda_fft *fft = calloc(1, sizeof *fft);
  if (!fft) return mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory for a plan of %zu bytes", sizeof *fft);
  fft->base.backend = &mfft_backend_cuda;
  MFFT_GOTO(fail, mfft_cuda_device(&fft->driver, &fft->context, &limits));
  fft->arch = limits.arch;
  MFFT_GOTO(fail, mfft_schedule_make(spec, &limits, &fft->schedule));
  fft->base.work_bytes = fft->schedule.work_bytes;
  for (int i = 0; i < fft->schedule.count; i++) {
    const mfft_kernel *kernel = &fft->schedule.pass[i].kernel;
    MFFT_GOTO(fail, make_tables(fft, i));
    MFFT_GOTO(fail, mfft_load_kernel(fft->driver, fft->context, kernel, 0, limits.arch, &fft->function[i]));
  }
  *out = &fft->base;
  return MFFT_SUCCESS;
fail:
  destroy(&fft->base);
  return status;
}

static mfft_status launch(const mfft_cuda_driver *driver, CUfunction function, int arch, unsigned blocks, unsigned blocks_y,
                          unsigned threads, unsigned shared, void *args, void *stream, const char *what) {
  CUlaunchAttribute early = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
                             .value = {.programmaticStreamSerializationAllowed = 1}};
  CUlaunchConfig config = {.gridDimX = blocks,
                           .gridDimY = blocks_y,
                           .gridDimZ = 1,
                           .blockDimX = threads,
                           .blockDimY = 1,
                           .blockDimZ = 1,
                           .sharedMemBytes = shared,
                           .hStream = (CUstream)stream,
                           .attrs = &early,
                           .numAttrs = arch >= 90 ? 1 : 0};
  void *arguments[] = {args};
  MFFT_CUDA_TRY(driver, what, driver->launch(&config, function, arguments, NULL));
  return MFFT_SUCCESS;
}

static int wide(int bytes, const void *pointer) { return bytes && (uintptr_t)pointer % (uintptr_t)bytes == 0; }

static mfft_status run(const cuda_fft *fft, const void *const place[MFFT_PLACES], void *stream) {
  for (int i = 0; i < fft->schedule.count; i++) {
    const mfft_pass *pass = &fft->schedule.pass[i];
    mfft_pass_args args = pass->args;
    args.in = place[pass->src];
    args.out = (void *)place[pass->dst];
    args.vector = (wide(pass->vector_in, args.in) ? 1 : 0) | (wide(pass->vector_out, args.out) ? 2 : 0) | (pass->groups_of_four ? 4 : 0);
    MFFT_TRY(launch(fft->driver, fft->function[i], fft->arch, (unsigned)pass->blocks, 1,
                    (unsigned)(pass->kernel.lines * pass->kernel.threads), (unsigned)pass->kernel.shared_bytes, &args, stream,
                    "launching a pass"));
  }
  return MFFT_SUCCESS;
}

static mfft_status execute(const mfft_fft *base, const void *in, void *out, void *work, void *stream) {
  const cuda_fft *fft = (const cuda_fft *)base;
  const void *place[MFFT_PLACES] = {in, out, work, (char *)work + fft->schedule.work2_offset_bytes};
  CUcontext now = NULL;
  MFFT_CUDA_TRY(fft->driver, "the current context", fft->driver->context_current(&now));
  if (now != fft->context) MFFT_CUDA_TRY(fft->driver, "making the plan's context current", fft->driver->context_set(fft->context));
  mfft_status status = run(fft, place, stream);
  if (now && now != fft->context) fft->driver->context_set(now);
  return status;
}

static void print(const mfft_fft *base, char *text, size_t size) {
  const cuda_fft *fft = (const cuda_fft *)base;
  int used = snprintf(text, size, "cuda %d passes: ", fft->schedule.count);
  if (used > 0 && (size_t)used < size) mfft_schedule_print(&fft->schedule, text + used, size - (size_t)used);
}

static mfft_status copy(const mfft_block *blocks, int64_t nblocks, int64_t element_bytes, const void *in, void *out, void *stream) {
  const mfft_cuda_driver *driver;
  CUcontext context;
  mfft_device_limits limits;
  MFFT_TRY(mfft_cuda_device(&driver, &context, &limits));
  if (element_bytes != 2 && element_bytes != 4 && element_bytes != 8 && element_bytes != 16)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: copies of elements of %lld bytes; 2, 4, 8 and 16 are possible", (long long)element_bytes);
  const mfft_kernel kernel = {.engine = MFFT_ENGINE_COPY};
  CUfunction function;
  MFFT_TRY(mfft_load_kernel(driver, context, &kernel, (int)element_bytes, limits.arch, &function));
  for (int64_t first = 0; first < nblocks; first += MFFT_COPY_BLOCKS) {
    mfft_copy_args args = {.in = in, .out = out};
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
      args.in_offset[b] = block->in_offset;
      args.out_offset[b] = block->out_offset;
      if (elements > most) most = elements;
    }
    int64_t grid = (most + 1023) / 1024;
    MFFT_TRY(launch(driver, function, 0, (unsigned)(grid < 65535 ? grid : 65535), (unsigned)count, 256, 0, &args, stream, "launching a copy"));
  }
  return MFFT_SUCCESS;
}

static mfft_status twiddle(mfft_precision precision, mfft_direction direction, const int64_t n[3], int64_t row0, int64_t col0,
                           int64_t length, void *data, void *stream) {
  const mfft_cuda_driver *driver;
  CUcontext context;
  mfft_device_limits limits;
  MFFT_TRY(mfft_cuda_device(&driver, &context, &limits));
  mfft_kernel kernel = {.engine = MFFT_ENGINE_TWIDDLE,
                        .precision = precision,
                        .n = 1,
                        .merges = 1,
                        .lines = 1,
                        .threads = 256,
                        .loops = 1,
                        .sign = direction == MFFT_FORWARD ? -1 : 1,
                        .min_blocks = 1};
  for (int i = 0; i < MFFT_MAX_MERGES; i++) kernel.radix[i] = 1;
  CUfunction function;
  MFFT_TRY(mfft_load_kernel(driver, context, &kernel, 0, limits.arch, &function));
  mfft_twiddle_args_device args = {data, {n[0], n[1], n[2]}, row0, col0, length};
  int64_t grid = (n[0] * n[1] * n[2] + 1023) / 1024;
  if (grid == 0) return MFFT_SUCCESS;
  return launch(driver, function, 0, (unsigned)(grid < 1 << 20 ? grid : 1 << 20), 1, 256, 0, &args, stream, "launching a twiddle");
}

const mfft_backend mfft_backend_cuda = {
    .name = "cuda",
    .summary = "one NVIDIA GPU, kernels compiled when a plan is made",
    .host_memory = 0,
    .probe = probe,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .fft_create = create,
    .fft_execute = execute,
    .fft_print = print,
    .fft_destroy = destroy,
    .copy = copy,
    .twiddle = twiddle,
};
