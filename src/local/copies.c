/* copies.c: asynchronous copies between host and device, on one stream.  Each copy lies between two timers of a ring. */
#include <sched.h>
#include <stdlib.h>

#include "base/status.h"
#include "local/backend.h"
#include "local/device.h"
#include "local/device_guard.h"
#include "mfft_memory.h"

enum { RING = 8 }; /* most unfinished copies; two buffers, each of which is filled and emptied, need four */

struct mfft_copies_s {
  const mfft_device *device;
  mfft_device_context context;
  void *stream;
  void *begin[RING], *end[RING]; /* timers of copy i at index i modulo RING */
  int64_t started, finished;     /* copies */
  double seconds;                /* seconds of the finished copies */
};

mfft_status mfft_copies_create(const char *backend, mfft_copies *copies) {
  const mfft_backend *found = NULL;
  mfft_copies made = NULL;
  mfft_status status;
  if (!copies) return mfft_fail(MFFT_ERR_ARG, "copies is NULL; pass the address of a variable for the result");
  MFFT_TRY(mfft_backend_find(backend, &found));
  made = calloc(1, sizeof *made);
  if (!made) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a queue of copies");
  made->device = found->host_memory ? &mfft_device_host : found->device;
  MFFT_GOTO(fail, mfft_device_context_find(made->device, &made->context));
  MFFT_GOTO(fail, made->device->stream_create(&made->stream));
  for (int i = 0; i < RING; i++) {
    MFFT_GOTO(fail, made->device->timer_create(&made->begin[i]));
    MFFT_GOTO(fail, made->device->timer_create(&made->end[i]));
  }
  *copies = made;
  return MFFT_SUCCESS;
fail:
  mfft_copies_destroy(made);
  return status;
}

void mfft_copies_destroy(mfft_copies copies) {
  mfft_device_guard guard;
  if (!copies) return;
  (void)mfft_device_guard_enter(&copies->context, &guard);
  if (copies->started > copies->finished) copies->device->stream_synchronize(copies->stream);
  for (int i = 0; i < RING; i++) {
    copies->device->timer_destroy(copies->begin[i]);
    copies->device->timer_destroy(copies->end[i]);
  }
  copies->device->stream_destroy(copies->stream);
  mfft_device_guard_leave(&guard);
  free(copies);
}

static mfft_status queue(mfft_copies copies, int64_t slot, void *to, const void *from, size_t bytes) {
  MFFT_TRY(copies->device->timer_record(copies->begin[slot], copies->stream));
  if (bytes) MFFT_TRY(copies->device->copy_bytes(to, from, bytes, copies->stream));
  return copies->device->timer_record(copies->end[slot], copies->stream);
}

mfft_status mfft_copies_start(mfft_copies copies, void *to, const void *from, size_t bytes, int64_t *request) {
  if (!copies || !request) return mfft_fail(MFFT_ERR_ARG, "%s is NULL", copies ? "request" : "copies");
  if (bytes && (!to || !from))
    return mfft_fail(MFFT_ERR_ARG, "%s is NULL; %zu bytes are to be copied", to ? "from" : "to", bytes);
  const int64_t mine = copies->started;
  if (mine - copies->finished == RING) MFFT_TRY(mfft_copies_wait(copies, mine - RING));
  mfft_device_guard guard;
  MFFT_TRY(mfft_device_guard_enter(&copies->context, &guard));
  const mfft_status status = queue(copies, mine % RING, to, from, bytes);
  mfft_device_guard_leave(&guard);
  MFFT_TRY(status);
  copies->started = mine + 1;
  *request = mine;
  return MFFT_SUCCESS;
}

mfft_status mfft_copies_wait(mfft_copies copies, int64_t request) {
  if (!copies) return mfft_fail(MFFT_ERR_ARG, "copies is NULL");
  if (request >= copies->started)
    return mfft_fail(MFFT_ERR_ARG, "request is %lld; %lld copies have been started", (long long)request,
                     (long long)copies->started);
  for (; copies->finished <= request; copies->finished++) {
    const int64_t i = copies->finished % RING;
    double seconds;
    int done = 0;
    for (;;) {
      MFFT_TRY(copies->device->event_done(copies->end[i], &done));
      if (done) break;
      sched_yield();
    }
    MFFT_TRY(copies->device->timer_elapsed(copies->begin[i], copies->end[i], &seconds));
    copies->seconds += seconds;
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_copies_seconds(mfft_copies copies, double *seconds) {
  if (!copies || !seconds) return mfft_fail(MFFT_ERR_ARG, "%s is NULL", copies ? "seconds" : "copies");
  *seconds = copies->seconds;
  return MFFT_SUCCESS;
}
