/* shared.c: see shared.h. */
#define _GNU_SOURCE /* memfd_create */
#include "local/host/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The content of a handle: the process that has the file open, its descriptor there, and its length. */
typedef struct name {
  long process;
  int file;
  size_t bytes;
  uint64_t device, inode; /* of the file, since numbers of processes and files are reused, and differ in a container */
} name;

/* Mappings of this process, allocated or opened; munmap needs their lengths. */
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
  (void)madvise(made, bytes, MADV_HUGEPAGE); /* only a hint, as in memory.c */
#endif
  pthread_mutex_lock(&lock);
  *m = (mapping){all, made, bytes, own ? file : -1};
  all = m;
  pthread_mutex_unlock(&lock);
  *pointer = made;
  return MFFT_SUCCESS;
}

void mfft_host_shared_unmap(void *pointer) {
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

/* The available memory as the kernel estimates it. */
static size_t available_bytes(void) {
  char line[128];
  long long kib = -1;
  FILE *file = fopen("/proc/meminfo", "r");
  while (file && kib < 0 && fgets(line, sizeof line, file))
    if (sscanf(line, "MemAvailable: %lld", &kib) != 1) kib = -1;
  if (file) fclose(file);
  return kib < 0 ? SIZE_MAX : (size_t)kib * 1024;
}

/* Allocates all pages of the file now, since a page that cannot be allocated at its first access ends the process by a
 * signal.  The available memory is checked before, since Linux would allocate until no memory is left and then kill a
 * process.  Checks and allocations go in steps, so that ranks which allocate at the same time see each other's pages. */
static mfft_status reserve(int file, size_t bytes) {
  enum { STEP = 256 << 20 };
  for (size_t at = 0; at < bytes; at += STEP) {
    const size_t rest = bytes - at, left = available_bytes();
    if (rest > left - left / 16)
      return mfft_fail(MFFT_ERR_MEMORY,
                       "%zu bytes of shared memory, of which %zu are still wanted and the machine has %zu left; use smaller "
                       "arrays, fewer ranks a node, or another transport than p2p",
                       bytes, rest, left);
    const int error = posix_fallocate(file, (off_t)at, (off_t)(rest < STEP ? rest : STEP));
    if (error) return mfft_fail(MFFT_ERR_MEMORY, "%zu bytes of shared memory: %s", bytes, strerror(error));
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_host_shared_alloc(size_t bytes, void **pointer, mfft_handle *handle) {
  _Static_assert(sizeof(name) <= MFFT_HANDLE_BYTES, "a handle holds a name");
  if (!bytes) bytes = 1;
  int file = memfd_create("mergefft", MFD_CLOEXEC);
  if (file < 0) return mfft_fail(MFFT_ERR_UNSUPPORTED, "memory to share with other processes: %s", strerror(errno));
  mfft_status status = reserve(file, bytes);
  if (status == MFFT_SUCCESS) status = map_file(file, bytes, 1, pointer);
  if (status != MFFT_SUCCESS) {
    close(file);
    return status;
  }
  struct stat facts;
  if (fstat(file, &facts) != 0) {
    status = mfft_fail(MFFT_ERR_UNSUPPORTED, "memory to share with other processes: %s", strerror(errno));
    mfft_host_shared_unmap(*pointer);
    return status;
  }
  const name mine = {(long)getpid(), file, bytes, (uint64_t)facts.st_dev, (uint64_t)facts.st_ino};
  memset(handle, 0, sizeof *handle);
  memcpy(handle->bytes, &mine, sizeof mine);
  return MFFT_SUCCESS;
}

mfft_status mfft_host_shared_open(const mfft_handle *handle, void **pointer) {
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
