/* host_device.c: the host as a device: its queue is the calling thread, and processes of a node share memory through
 * anonymous files, which no /dev/shm limits and which vanish with their last user. */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "local/device.h"
#include "local/host.h"

/* ---- Queues: everything is done when its call returns ---- */

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

/* ---- Timers: the clock ---- */

static mfft_status create_timer(void **timer) {
  double *made = calloc(1, sizeof *made); /* seconds; 0: never passed */
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
  if (a == 0 || b == 0) return mfft_fail(MFFT_ERR_STATE, "what is to be timed has not run");
  *seconds = b - a;
  return MFFT_SUCCESS;
}

static void range_begin(const char *name) { (void)name; }
static void range_end(void) {}

static mfft_status copy_bytes(void *to, const void *from, size_t bytes, void *stream) {
  memcpy(to, from, bytes);
  return finish_nothing(stream);
}

/* ---- Memory that processes share ---- */

/* What a handle holds. */
typedef struct name {
  long process;
  int file;
  size_t bytes;
  uint64_t device, inode; /* of the file: numbers of processes and files are used again, and mean others in a container */
} name;

/* Mappings of this process, made or opened: munmap wants their lengths. */
typedef struct mapping {
  struct mapping *next;
  void *pointer;
  size_t bytes;
  int file; /* -1: opened from another process */
} mapping;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mapping *all; /* guarded by lock */

static mfft_status map_file(int file, size_t bytes, int own, void **pointer) {
  mapping *m = malloc(sizeof *m);
  if (!m) return mfft_fail(MFFT_ERR_MEMORY, "no memory to list a mapping");
  void *made = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (made == MAP_FAILED) {
    free(m);
    return mfft_fail(MFFT_ERR_MEMORY, "mapping %zu bytes of shared memory: %s", bytes, strerror(errno));
  }
#ifdef MADV_HUGEPAGE
  (void)madvise(made, bytes, MADV_HUGEPAGE); /* a wish, as in host.c */
#endif
  pthread_mutex_lock(&lock);
  *m = (mapping){all, made, bytes, own ? file : -1};
  all = m;
  pthread_mutex_unlock(&lock);
  *pointer = made;
  return MFFT_SUCCESS;
}

static void unmap(void *pointer) {
  pthread_mutex_lock(&lock);
  mapping **link = &all, *m;
  while (*link && (*link)->pointer != pointer) link = &(*link)->next;
  m = *link;
  if (m) *link = m->next;
  pthread_mutex_unlock(&lock);
  if (!m) return;
  munmap(m->pointer, m->bytes);
  if (m->file >= 0) close(m->file);
  free(m);
}

static mfft_status shared_alloc(size_t bytes, void **pointer, mfft_handle *handle) {
  _Static_assert(sizeof(name) <= MFFT_HANDLE_BYTES, "a handle holds a name");
  if (!bytes) bytes = 1;
  int file = memfd_create("mergefft", MFD_CLOEXEC);
  if (file < 0) return mfft_fail(MFFT_ERR_UNSUPPORTED, "memory to share with other processes: %s", strerror(errno));
  int error = posix_fallocate(file, 0, (off_t)bytes); /* now, not by a signal at the first touch */
  mfft_status status = error ? mfft_fail(MFFT_ERR_MEMORY, "%zu bytes of shared memory: %s", bytes, strerror(error))
                             : map_file(file, bytes, 1, pointer);
  if (status != MFFT_SUCCESS) {
    close(file);
    return status;
  }
  struct stat facts;
  if (fstat(file, &facts) != 0) {
    status = mfft_fail(MFFT_ERR_UNSUPPORTED, "memory to share with other processes: %s", strerror(errno));
    unmap(*pointer);
    return status;
  }
  const name mine = {(long)getpid(), file, bytes, (uint64_t)facts.st_dev, (uint64_t)facts.st_ino};
  memset(handle, 0, sizeof *handle);
  memcpy(handle->bytes, &mine, sizeof mine);
  return MFFT_SUCCESS;
}

static mfft_status shared_open(const mfft_handle *handle, void **pointer) {
  name theirs;
  memcpy(&theirs, handle->bytes, sizeof theirs);
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/fd/%d", theirs.process, theirs.file);
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "opening shared memory of process %ld (%s): %s; use another transport than p2p",
                     theirs.process, path, strerror(errno));
  struct stat facts;
  const int same =
      fstat(file, &facts) == 0 && (uint64_t)facts.st_dev == theirs.device && (uint64_t)facts.st_ino == theirs.inode;
  mfft_status status = same ? map_file(file, theirs.bytes, 0, pointer)
                            : mfft_fail(MFFT_ERR_UNSUPPORTED,
                                        "%s is not the memory that a peer shares: it is gone, or the ranks see other "
                                        "processes (containers of their own); use another transport than p2p",
                                        path);
  close(file);
  return status;
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
    .shared_alloc = shared_alloc,
    .shared_free = unmap,
    .shared_open = shared_open,
    .shared_close = unmap,
    .send = send_signal,
    .await = await_signal,
    .copy_lists = copy_lists,
};
