/* direct.c: see direct.h. */
#include "io/direct.h"

#include "cli/progress.h"
#include "cli/timing.h"
#include "io/prefetch.h"
#include "mfft_field_direct.h"

/* Threads share a part, so that it is to hold what many of them move at a time. */
static const double part_mib = 512;

static int failed; /* a transfer of this process has */
static int reads;  /* the last field came directly */

int mfft_direct_reads(void) { return reads; }

typedef struct transfer {
  mfft_swept *array;
  mfft_field_reading reading; /* or */
  mfft_field_file file;
  int64_t moved; /* bytes */
} transfer;

static mfft_status move_part(void *context, const mfft_box *part, void *data) {
  transfer *t = context;
  const mfft_status status = t->reading ? mfft_field_read_direct(t->reading, t->array->direct, part, data)
                                        : mfft_field_put_direct(t->file, t->array->direct, part, data);
  if (status != MFFT_SUCCESS) return status;
  t->moved += mfft_box_cells(part) * (int64_t)t->array->element_bytes;
  if (t->reading) mfft_progress_step(part->hi[0] - t->array->box.lo[0]);
  return status;
}

/* Registers the array, unless it has been already: MFFT_ERR_UNSUPPORTED where that is not possible. */
static mfft_status attach(mfft_swept *array) {
  if (failed) return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "a transfer by GPUDirect Storage has failed before");
  if (array->direct) return MFFT_SUCCESS;
  return mfft_direct_create(array->backend, array->plan, array->bytes, &array->direct);
}

/* Moves all parts.  A refusal, which can only come before the first of them, is no failure. */
static mfft_status move_all(transfer *t, int *done) {
  mfft_swept *array = t->array;
  *done = 0;
  if (!array->on_device || !mfft_box_cells(&array->box)) return MFFT_SUCCESS;
  mfft_swept parts = mfft_swept_over(array->plan, &array->box, array->element_bytes, part_mib);
  mfft_status status = attach(array);
  if (status == MFFT_SUCCESS && t->reading) mfft_prefetch_stop(); /* the disk would read the file twice */
  if (status == MFFT_SUCCESS) status = mfft_sweep(&parts, MFFT_SWEEP_READS | MFFT_SWEEP_WRITES, move_part, t);
  if (status == MFFT_ERR_UNSUPPORTED && !t->moved) {
    mfft_timing_direct(0, 0, mfft_app_message());
    return MFFT_SUCCESS;
  }
  failed |= status != MFFT_SUCCESS;
  *done = 1;
  mfft_timing_direct(t->reading ? (double)t->moved : 0, t->reading ? 0 : (double)t->moved, NULL);
  return status;
}

static mfft_status pass_sums(void *context, int64_t first, int64_t count, const uint64_t *checksum) {
  const transfer *t = context;
  return t->reading ? mfft_field_read_row_sums(t->reading, first, count, checksum)
                    : mfft_field_put_row_sums(t->file, first, count, checksum);
}

mfft_status mfft_direct_read(mfft_swept *array, mfft_field_reading reading, int *done) {
  transfer t = {.array = array, .reading = reading};
  const mfft_status status = move_all(&t, done);
  reads = *done && status == MFFT_SUCCESS;
  return status;
}

mfft_status mfft_direct_read_sums(const mfft_swept *array, mfft_field_reading reading) {
  transfer t = {.reading = reading};
  return mfft_swept_row_sums(array, pass_sums, &t);
}

mfft_status mfft_direct_write(mfft_swept *array, mfft_field_file file, int *done) {
  transfer t = {.array = array, .file = file};
  const mfft_status status = move_all(&t, done);
  return status == MFFT_SUCCESS && *done ? mfft_swept_row_sums(array, pass_sums, &t) : status;
}
