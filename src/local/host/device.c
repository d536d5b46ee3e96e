/* device.c: the table of device.h for the host: the calling thread is the stream, and every call is complete when it
 * returns.  shared.c has the calls for shared memory. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "local/device.h"
#include "local/host/host.h"
#include "local/host/shared.h"

/* ---- Streams and events ---- */

static mfft_status prepare(mfft_precision precision, int wire) {
  (void)precision;
  (void)wire;
  return MFFT_SUCCESS;
}

static void prefer(int place) { (void)place; }

static mfft_status no_name(char *text, size_t size) {
  if (size) text[0] = '\0';
  return MFFT_SUCCESS;
}

static mfft_status create_nothing(void **object) {
  *object = NULL;
  return MFFT_SUCCESS;
}
static void destroy_nothing(void *object) { (void)object; }
static mfft_status finish_nothing(void *object) {
  (void)object;
  return MFFT_SUCCESS;
}
static mfft_status order_nothing(void *event, void *stream) {
  (void)stream;
  return finish_nothing(event);
}

static mfft_status event_done(void *event, int *done) {
  *done = 1;
  return finish_nothing(event);
}

/* ---- Timers ---- */

static mfft_status create_timer(void **timer) {
  double *made = calloc(1, sizeof *made); /* time of the clock in seconds; 0: not recorded yet */
  if (!made) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a timer");
  *timer = made;
  return MFFT_SUCCESS;
}

static mfft_status timer_record(void *timer, void *stream) {
  *(double *)timer = mfft_now();
  return finish_nothing(stream);
}

static mfft_status timer_elapsed(void *from, void *to, double *seconds) {
  const double a = *(const double *)from, b = *(const double *)to;
  if (a == 0 || b == 0) return mfft_fail(MFFT_ERR_STATE, "the timed work has not run; call mfft_plan_synchronize first");
  *seconds = b - a;
  return MFFT_SUCCESS;
}

static void range_begin(const char *name) { (void)name; }
static void range_end(void) {}

static mfft_status copy_bytes(void *to, const void *from, size_t bytes, void *stream) {
  memcpy(to, from, bytes);
  return finish_nothing(stream);
}

static mfft_status copy_rows(void *to, const void *from, size_t row_bytes, size_t rows, size_t stride_bytes, void *stream) {
  for (size_t i = 0; i < rows; i++) memcpy((char *)to + i * stride_bytes, (const char *)from + i * stride_bytes, row_bytes);
  return finish_nothing(stream);
}

/* ---- Signals ---- */

typedef _Atomic uint64_t flag;

static mfft_status send_signal(const mfft_signal *s, void *stream) {
  uint64_t value = ++*s->counter;
  for (int i = 0; i < s->count; i++) atomic_store_explicit((flag *)s->flag[i], value, memory_order_release);
  return finish_nothing(stream);
}

static mfft_status await_signal(const mfft_signal *s, const char *what, int *missing, void *stream) {
  (void)what;
  uint64_t value = *s->counter + 1;
  *missing = -1;
  for (int i = 0; i < s->count && *missing < 0; i++)
    if (atomic_load_explicit((flag *)s->flag[i], memory_order_acquire) < value) *missing = s->peer[i];
  if (*missing < 0) *s->counter = value;
  return finish_nothing(stream);
}

static mfft_status copy_lists(const mfft_block *blocks, const void *const *in, void *const *out, int64_t count,
                              int64_t element_bytes, int most_blocks, void *stream) {
  (void)most_blocks;
  for (int64_t i = 0; i < count; i++) MFFT_TRY(mfft_host_copy(&blocks[i], 1, element_bytes, in[i], out[i], stream));
  return MFFT_SUCCESS;
}

const mfft_device mfft_device_host = {
    .prepare = prepare,
    .prefer = prefer,
    .identity = no_name,
    .model = no_name,
    .links = no_name,
    .stream_create = create_nothing,
    .stream_destroy = destroy_nothing,
    .stream_synchronize = finish_nothing,
    .event_create = create_nothing,
    .event_destroy = destroy_nothing,
    .event_record = order_nothing,
    .event_wait = order_nothing,
    .event_done = event_done,
    .timer_create = create_timer,
    .timer_destroy = free,
    .timer_record = timer_record,
    .timer_elapsed = timer_elapsed,
    .range_begin = range_begin,
    .range_end = range_end,
    .pinned_alloc = mfft_host_alloc,
    .pinned_free = mfft_host_free,
    .copy_bytes = copy_bytes,
    .copy_rows = copy_rows,
    .shared_alloc = mfft_host_shared_alloc,
    .shared_free = mfft_host_shared_unmap,
    .shared_open = mfft_host_shared_open,
    .shared_close = mfft_host_shared_unmap,
    .send = send_signal,
    .await = await_signal,
    .copy_lists = copy_lists,
};
