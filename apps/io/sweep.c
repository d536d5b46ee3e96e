#include "io/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/phases.h"
#include "cli/report.h"
#include "mfft_array.h"
#include "mfft_memory.h"

const mfft_cli_option mfft_sweep_options_table[] = {
    {"part", 0, MFFT_CLI_REAL, offsetof(mfft_sweep_options, part_mib), "MIB",
     "size of the parts in which a field is read, copied to and from a GPU, and written; a GPU takes two page-locked "
     "buffers of that size",
     .fallback = "32", .min = 1e-4, .max = 65536},
    {"io-threads", 0, MFFT_CLI_INT, offsetof(mfft_sweep_options, io_threads), "N",
     "threads of each rank that read, write, add up and check fields; 0: MFFT_IO_THREADS, else the rank's share of the "
     "cores of its node",
     .fallback = "0", .min = 0, .max = 1024},
    {0}};

static mfft_status no_memory(mfft_status status, const char *what, size_t bytes, const char *where) {
  if (status != MFFT_ERR_MEMORY) return status;
  return mfft_app_fail(status,
                       "%s needs %zu bytes of %s memory on rank %d, which are not there; use more ranks or a smaller mesh",
                       what, bytes, where, mfft_app_rank());
}

mfft_status mfft_plan_array(mfft_plan plan, size_t bytes, const char *what, void **pointer) {
  const char *backend;
  mfft_memory memory;
  mfft_status status = mfft_plan_backend(plan, &backend);
  if (status == MFFT_SUCCESS) status = mfft_plan_memory(plan, &memory);
  if (status != MFFT_SUCCESS) return status;
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_MEMORY);
  status = mfft_memory_alloc(backend, bytes, pointer);
  mfft_phase_enter(before);
  return no_memory(status, what, bytes, memory == MFFT_MEMORY_DEVICE ? "device" : "host");
}

/* ---- Parts: some planes of the box, or where one is too large some rows of it, or one row ---- */

static int64_t at_most(int64_t value, int64_t most) { return value < most ? value : most; }

/* The number of planes, and of rows of a plane, in a part. */
static void part_shape(const mfft_swept *s, int64_t shape[2]) {
  const int64_t rows = mfft_box_side(&s->box, 1), row_bytes = mfft_box_side(&s->box, 2) * (int64_t)s->element_bytes;
  const int64_t fit = row_bytes ? (int64_t)s->part_bytes / row_bytes : 1;
  shape[0] = fit >= rows && rows ? at_most(fit / rows, mfft_box_side(&s->box, 0)) : 1;
  shape[1] = at_most(fit > 1 ? fit : 1, rows);
}

static int64_t part_count(const mfft_swept *s) {
  int64_t shape[2]; /* [planes, rows of one] */
  if (!mfft_box_cells(&s->box)) return 0;
  part_shape(s, shape);
  return (mfft_box_side(&s->box, 0) + shape[0] - 1) / shape[0] * ((mfft_box_side(&s->box, 1) + shape[1] - 1) / shape[1]);
}

static mfft_box part_at(const mfft_swept *s, int64_t i) {
  int64_t shape[2]; /* [planes, rows of one] */
  mfft_box part = s->box;
  part_shape(s, shape);
  const int64_t across = (mfft_box_side(&s->box, 1) + shape[1] - 1) / shape[1], step[2] = {i / across, i % across};
  for (int a = 0; a < 2; a++) {
    part.lo[a] = s->box.lo[a] + step[a] * shape[a];
    part.hi[a] = at_most(part.lo[a] + shape[a], s->box.hi[a]);
  }
  return part;
}

static void *place(const mfft_swept *s, const mfft_box *part) {
  const int64_t row = (part->lo[0] - s->box.lo[0]) * mfft_box_side(&s->box, 1) + part->lo[1] - s->box.lo[1];
  return (char *)s->plan + (size_t)(row * mfft_box_side(&s->box, 2)) * s->element_bytes;
}

/* ---- Building ---- */

mfft_swept mfft_swept_over(void *array, const mfft_box *box, size_t element_bytes, double part_mib) {
  const size_t row = (size_t)mfft_box_side(box, 2) * element_bytes, part = (size_t)(part_mib * 0x1p20);
  return (mfft_swept){.plan = array, .box = *box, .element_bytes = element_bytes, .part_bytes = part > row ? part : row};
}

mfft_status mfft_swept_create(mfft_plan plan, mfft_side side, double part_mib, int buffered, const char *what,
                              mfft_swept *s) {
  return mfft_swept_share(plan, side, NULL, part_mib, buffered, what, s);
}

mfft_status mfft_swept_share(mfft_plan plan, mfft_side side, void *array, double part_mib, int buffered, const char *what,
                             mfft_swept *s) {
  mfft_memory memory;
  mfft_box box;
  size_t bytes, complexes;
  int64_t elements;
  memset(s, 0, sizeof *s);
  mfft_status status = mfft_plan_memory(plan, &memory);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(plan, side, &box);
  if (status == MFFT_SUCCESS) status = mfft_plan_bytes(plan, side, &bytes);
  if (status == MFFT_SUCCESS) status = mfft_plan_count(plan, side, &elements);
  if (status != MFFT_SUCCESS) return status;
  complexes = elements ? bytes / (size_t)elements : 1;
  *s = mfft_swept_over(array, &box, complexes, part_mib);
  s->shared = array != NULL;
  s->bytes = bytes;
  s->on_device = memory == MFFT_MEMORY_DEVICE ? plan : NULL;
  s->side = side;
  status = mfft_plan_backend(plan, &s->backend);
  if (status == MFFT_SUCCESS && !array) status = mfft_plan_array(plan, bytes, what, &s->plan);
  if (status != MFFT_SUCCESS || (memory == MFFT_MEMORY_HOST && !buffered)) return status;
  const size_t whole = (size_t)mfft_box_cells(&box) * s->element_bytes;
  if (s->part_bytes > whole) s->part_bytes = whole;
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_MEMORY);
  for (int i = 0; i < 2 && status == MFFT_SUCCESS; i++)
    status = no_memory(mfft_memory_alloc_host(s->backend, s->part_bytes, &s->buffer[i]), what, 2 * s->part_bytes,
                       "page-locked host");
  mfft_phase_enter(before);
  return status == MFFT_SUCCESS ? mfft_copies_create(s->backend, &s->copies) : status;
}

void mfft_swept_destroy(mfft_swept *s) {
  mfft_direct_destroy(s->direct);
  mfft_copies_destroy(s->copies);
  for (int i = 0; i < 2; i++)
    if (s->buffer[i]) mfft_memory_free_host(s->backend, s->buffer[i]);
  if (s->backend && s->plan && !s->shared) mfft_memory_free(s->backend, s->plan); /* else it is the caller's */
  memset(s, 0, sizeof *s);
}

double mfft_swept_copy_s(const mfft_swept *s) {
  double seconds = 0;
  if (s->copies) mfft_copies_seconds(s->copies, &seconds);
  return seconds;
}

double mfft_swept_overlap(double copy_s, double wait_s) { return copy_s > 0 ? fmax(0, 1 - wait_s / copy_s) : NAN; }

/* ---- Sweeping ---- */

static mfft_status sweep_in_place(mfft_swept *s, mfft_sweep_step *step, void *context) {
  mfft_status status = MFFT_SUCCESS;
  for (int64_t i = 0, parts = part_count(s); i < parts && status == MFFT_SUCCESS; i++) {
    const mfft_box part = part_at(s, i);
    status = step(context, &part, place(s, &part));
  }
  return status;
}

/* Copies part i to (up) or from the device, through the buffer of its parity. */
static mfft_status start(mfft_swept *s, int64_t i, int up, int64_t request[2]) {
  const mfft_box part = part_at(s, i);
  void *there = place(s, &part), *here = s->buffer[i % 2];
  return mfft_copies_start(s->copies, up ? there : here, up ? here : there, (size_t)mfft_box_cells(&part) * s->element_bytes,
                           &request[i % 2]);
}

static mfft_status await(mfft_swept *s, int64_t request) {
  if (request < 0) return MFFT_SUCCESS;
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_COPY);
  const double begin = mfft_app_time();
  const mfft_status status = mfft_copies_wait(s->copies, request);
  s->wait_s += mfft_app_time() - begin;
  mfft_phase_enter(before);
  return status;
}

/* Sweeps through two buffers.  Copies run in the order in which they are started, so part i+1 may be fetched to a buffer
 * while part i-1 is still being copied from it to the device. */
static mfft_status sweep_buffered(mfft_swept *s, int does, mfft_sweep_step *step, void *context) {
  const int64_t parts = part_count(s);
  int64_t request[2] = {-1, -1}; /* of the last copy from or to each buffer */
  mfft_status status = MFFT_SUCCESS;
  if (does & MFFT_SWEEP_READS && parts) status = start(s, 0, 0, request);
  for (int64_t i = 0; i < parts && status == MFFT_SUCCESS; i++) {
    const mfft_box part = part_at(s, i);
    const int64_t mine = request[i % 2];
    if (does & MFFT_SWEEP_READS && i + 1 < parts) status = start(s, i + 1, 0, request);
    if (status == MFFT_SUCCESS) status = await(s, mine);
    if (status == MFFT_SUCCESS) status = step(context, &part, s->buffer[i % 2]);
    if (status == MFFT_SUCCESS && does & MFFT_SWEEP_WRITES) status = start(s, i, 1, request);
  }
  for (int i = 0; i < 2; i++) { /* also after a failure: the buffers are to be free */
    const mfft_status last = await(s, request[i]);
    if (status == MFFT_SUCCESS) status = last;
  }
  return status;
}

mfft_status mfft_sweep(mfft_swept *s, int does, mfft_sweep_step *step, void *context) {
  return s->copies ? sweep_buffered(s, does, step, context) : sweep_in_place(s, step, context);
}

/* ---- Checksums of arrays on a device ---- */

mfft_status mfft_swept_row_sums(const mfft_swept *s, mfft_swept_take_sums *take, void *context) {
  enum { ROWS = 1 << 16, NUMBERS = 3 }; /* rows of a call, and the numbers that it gives of each */
  const int64_t all = mfft_box_cells(&s->box) ? mfft_box_side(&s->box, 0) * mfft_box_side(&s->box, 1) : 0;
  void *numbers = NULL; /* [ROWS][2] results, then [ROWS] checksums */
  mfft_rows rows;
  mfft_rows_init(&rows);
  mfft_status status = mfft_app_alloc(all < ROWS ? all : ROWS, NUMBERS * sizeof(double), "checksums of rows", &numbers);
  rows.result = numbers;
  if (numbers) rows.checksum = (uint64_t *)(void *)(rows.result + 2 * at_most(all, ROWS));
  for (; rows.first < all && status == MFFT_SUCCESS; rows.first += rows.count) {
    rows.count = at_most(ROWS, all - rows.first);
    status = mfft_plan_rows(s->on_device, s->side, s->plan, &rows);
    if (status == MFFT_SUCCESS) status = take(context, rows.first, rows.count, rows.checksum);
  }
  mfft_free(numbers);
  return status;
}

static mfft_status add_sums(void *context, int64_t first, int64_t count, const uint64_t *checksum) {
  uint64_t *sum = context;
  (void)first;
  for (int64_t r = 0; r < count; r++) *sum += checksum[r];
  return MFFT_SUCCESS;
}

mfft_status mfft_swept_checksum(const mfft_swept *s, uint64_t *checksum) {
  *checksum = 0;
  return mfft_swept_row_sums(s, add_sums, checksum);
}

mfft_status mfft_swept_compare(const char *name, uint64_t on_device, uint64_t on_host) {
  if (on_device == on_host) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_CORRUPT,
                       "%s was damaged between host and GPU: on rank %d it has checksum %016" PRIx64
                       " in the memory of the GPU, %016" PRIx64
                       " in that of the host; run again without this GPU, and have it tested",
                       name, mfft_app_rank(), on_device, on_host);
}
