/* direct_file.c: see direct_file.h. */
#define _GNU_SOURCE /* O_DIRECT */
#include "field/direct_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/box.h"
#include "field/pieces.h"
#include "field/posix.h"

enum {
  BLOCK = 4096,         /* bytes that storage reads and writes whole */
  SPAN_BYTES = 1 << 24, /* of one move by a thread, as many as nvidia-fs moves in one request */
  RUN_BYTES = 1 << 16   /* shorter runs are faster through the page cache */
};

mfft_status mfft_direct_file_open(mfft_direct_array direct, const char *path, int plain, int writes,
                                  mfft_direct_file *file) {
  if (file->direct == direct) return MFFT_SUCCESS;
  mfft_direct_file_close(file);
  const int fd = open(path, (writes ? O_RDWR : O_RDONLY) | O_DIRECT | O_CLOEXEC);
  if (fd < 0)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: no direct transfers, since it does not open with O_DIRECT: %s", path,
                     mfft_posix_reason(errno));
  void *handle;
  const mfft_status status = direct->calls->open(direct, fd, path, &handle);
  if (status != MFFT_SUCCESS) {
    close(fd);
    return status;
  }
  *file = (mfft_direct_file){.direct = direct, .fd = fd, .plain = plain, .handle = handle, .path = path};
  return MFFT_SUCCESS;
}

void mfft_direct_file_close(mfft_direct_file *file) {
  if (file->direct) {
    file->direct->calls->close(file->direct, file->handle);
    close(file->fd);
  }
  *file = (mfft_direct_file){.direct = NULL};
}

mfft_status mfft_direct_part_check(mfft_direct_array direct, const mfft_direct_part *part) {
  const mfft_runs runs = mfft_runs_of(&part->box, part->n);
  const int64_t place = (const char *)part->data - direct->array, run_bytes = runs.length * part->element_bytes;
  const int64_t bytes = mfft_box_count(&part->box) * part->element_bytes;
  for (int a = 0; a < 3; a++)
    if (part->box.order[a] != a)
      return mfft_fail(MFFT_ERR_UNSUPPORTED, "a box whose memory order is not C order has no direct transfers");
  if (place < 0 || bytes > direct->bytes - place)
    return mfft_fail(MFFT_ERR_ARG,
                     "data is %p with %" PRId64 " bytes, not within the array of direct, %" PRId64 " bytes at %p",
                     part->data, bytes, direct->bytes, (void *)direct->array);
  if (run_bytes < RUN_BYTES)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "rows of %" PRId64 " bytes in the file are too short for direct transfers",
                     run_bytes);
  return MFFT_SUCCESS;
}

typedef struct move_job {
  const mfft_direct_file *file;
  const mfft_direct_part *part;
  mfft_runs runs;
  int64_t run_bytes, place; /* of the part in the array */
  int64_t spans;            /* of a run */
} move_job;

/* Moves bytes of one block that is not whole, through host memory. */
static mfft_status move_ragged(const move_job *job, const mfft_direct_range *range) {
  const mfft_direct_file *file = job->file;
  mfft_direct_array direct = file->direct;
  char block[BLOCK];
  if (range->writes) {
    MFFT_TRY(direct->calls->copy(direct, range->place, block, range->bytes, 1));
    return mfft_posix_write(file->plain, block, range->bytes, range->offset, file->path);
  }
  MFFT_TRY(mfft_posix_read(file->plain, block, range->bytes, range->offset, file->path));
  return direct->calls->copy(direct, range->place, block, range->bytes, 0);
}

/* Moves the range of the file from `from` to `to`, whose first byte is at `place` of the array: the blocks that it fills,
 * and its ends. */
static mfft_status move_range(const move_job *job, int64_t place, int64_t from, int64_t to) {
  mfft_direct_array direct = job->file->direct;
  const int64_t first = (from + BLOCK - 1) / BLOCK * BLOCK, last = to / BLOCK * BLOCK;
  const int64_t ends[4] = {from, first < to ? first : to, last > first ? last : first, to};
  for (int i = 0; i < 3; i++) {
    const mfft_direct_range range = {
        .place = place + ends[i] - from, .offset = ends[i], .bytes = ends[i + 1] - ends[i], .writes = job->part->writes};
    if (range.bytes <= 0) continue;
    MFFT_TRY(i == 1 ? direct->calls->move(direct, job->file->handle, &range, job->file->path) : move_ragged(job, &range));
  }
  return MFFT_SUCCESS;
}

/* Moves one span of a run.  Spans end at multiples of SPAN_BYTES of the file, so that only the ends of a run do not fill
 * blocks. */
static mfft_status move_span(void *context, int64_t iteration, int worker) {
  (void)worker;
  const move_job *job = context;
  const mfft_runs *runs = &job->runs;
  const int64_t run = iteration / job->spans, span = iteration % job->spans;
  const int64_t i = run / runs->count[1], j = run % runs->count[1];
  const int64_t start = job->part->offset + (runs->start + i * runs->step[0] + j * runs->step[1]) * job->part->element_bytes;
  const int64_t edge = (start / SPAN_BYTES + span) * SPAN_BYTES;
  const int64_t from = span ? edge : start, to = edge + SPAN_BYTES, end = start + job->run_bytes;
  if (from >= end) return MFFT_SUCCESS;
  return move_range(job, job->place + run * job->run_bytes + from - start, from, to < end ? to : end);
}

mfft_status mfft_direct_part_move(const mfft_direct_file *file, const mfft_direct_part *part, mfft_pool *pool) {
  move_job job = {.file = file, .part = part, .runs = mfft_runs_of(&part->box, part->n)};
  job.run_bytes = job.runs.length * part->element_bytes;
  job.place = (const char *)part->data - file->direct->array;
  job.spans = job.run_bytes / SPAN_BYTES + 2;
  return mfft_pool_run(pool, job.runs.count[0] * job.runs.count[1] * job.spans, move_span, &job);
}
