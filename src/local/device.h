/* device.h: the functions of a device that exchanges use besides transforms: streams and events, pinned memory, memory
 * that other processes of the node can map, and signals in it.
 *
 * This table is part of the backend's table (backend.h).  On a GPU every call is queued on a stream and returns at once.
 * The host has such a table too, in which the calling thread is the stream; the same transports then move data through
 * memory that processes share.
 *
 * Signals are counters in shared memory.  Each mfft_signal has a counter in this process's memory that every use
 * increments and whose new value it sends or awaits.  Sender and receiver thus agree on the number of the use without
 * communication, also when a CUDA graph replays them. */
#ifndef MFFT_LOCAL_DEVICE_H
#define MFFT_LOCAL_DEVICE_H

#include "mfft.h"

enum { MFFT_HANDLE_BYTES = 128, MFFT_SIGNAL_PEERS = 512 };

/* A name for an allocation that another process can open; plain bytes that can be sent in messages. */
typedef struct mfft_handle {
  unsigned char bytes[MFFT_HANDLE_BYTES];
} mfft_handle;

/* One direction of a synchronisation: send writes the new count to every flag, await waits until every flag has it. */
typedef struct mfft_signal {
  uint64_t *counter; /* in device memory of this process */
  int count;
  uint64_t *flag[MFFT_SIGNAL_PEERS]; /* [count] in memory of peers (send) or of this process (await) */
  const uint64_t *failed;            /* await on a device ends if this is not 0; NULL: never */
  int peer[MFFT_SIGNAL_PEERS];       /* [count] ranks, for messages */
} mfft_signal;

struct mfft_block;
struct mfft_direct_range;

/* Transfers between files and memory of the device with no copy in host memory (base/direct.h).  start is called before the
 * others, any number of times, and returns MFFT_ERR_UNSUPPORTED, with the reason, if the machine cannot do this.  attach
 * registers an array, open a file, both in the context of the array.  describe writes one line about the library and mode
 * that start has found. */
typedef struct mfft_device_files {
  mfft_status (*start)(void);
  void (*describe)(char *text, size_t size);
  mfft_status (*attach)(void *array, size_t bytes);
  void (*detach)(void *array);
  mfft_status (*open)(int fd, const char *path, void **file);
  void (*close)(void *file);
  mfft_status (*move)(void *file, void *array, const struct mfft_direct_range *range, const char *path);
} mfft_device_files;

typedef struct mfft_device {
  /* Prepares what exchanges of this precision launch, with `wire` also conversions; execution compiles nothing. */
  mfft_status (*prepare)(mfft_precision precision, int wire);
  /* Proposes a device if this process has chosen none: number `rank`, the index of this rank on its node, modulo the
   * number of devices. */
  void (*prefer)(int rank);
  /* current: the context that is current in the calling thread.  enter makes another one current, leave restores the one
   * before (device_guard.h).  NULL: a device without contexts. */
  mfft_status (*current)(void **context);
  mfft_status (*enter)(void *context, void **before);
  void (*leave)(void *context, void *before);
  /* A text that is equal for two processes of a node if they use the same GPU; "" on the host. */
  mfft_status (*identity)(char *text, size_t size);
  /* The model of the device, for wisdom: "NVIDIA H200"; "" on the host. */
  mfft_status (*model)(char *text, size_t size);
  /* The links to the other devices of its kind that this process sees, for wisdom: "nvlink", "pcie", "mixed", "none". */
  mfft_status (*links)(char *text, size_t size);

  /* Streams and events.  event_wait orders later work on a stream after the event; event_done asks without waiting. */
  mfft_status (*stream_create)(void **stream);
  void (*stream_destroy)(void *stream); /* accepts NULL */
  mfft_status (*stream_synchronize)(void *stream);
  mfft_status (*event_create)(void **event);
  void (*event_destroy)(void *event); /* accepts NULL */
  mfft_status (*event_record)(void *event, void *stream);
  mfft_status (*event_wait)(void *event, void *stream);
  mfft_status (*event_done)(void *event, int *done);

  /* Timers: events that record the time at which the stream reaches them.  elapsed returns MFFT_ERR_STATE if one has not
   * been reached. */
  mfft_status (*timer_create)(void **timer);
  void (*timer_destroy)(void *timer); /* accepts NULL */
  mfft_status (*timer_record)(void *timer, void *stream);
  mfft_status (*timer_elapsed)(void *from, void *to, double *seconds);

  /* A name for the work that the calling thread queues between the two calls, for profilers. */
  void (*range_begin)(const char *name);
  void (*range_end)(void);

  /* Page-locked host memory, which copies access at full speed, and a copy between it and the device in either direction. */
  mfft_status (*pinned_alloc)(size_t bytes, void **pointer);
  void (*pinned_free)(void *pointer); /* accepts NULL */
  mfft_status (*copy_bytes)(void *to, const void *from, size_t bytes, void *stream);
  /* Copies rows, which begin stride_bytes apart in both memories.  One row needs no stride. */
  mfft_status (*copy_rows)(void *to, const void *from, size_t row_bytes, size_t rows, size_t stride_bytes, void *stream);

  /* Maps whole pages of host memory into the address space of the device.  NULL: the device accesses all host memory. */
  mfft_status (*map_host)(void *memory, size_t bytes, void **mapped);
  void (*unmap_host)(void *memory);

  /* Memory that peers map.  shared_alloc returns zeroed memory; shared_open maps memory of another process of this node;
   * shared_close unmaps it. */
  mfft_status (*shared_alloc)(size_t bytes, void **pointer, mfft_handle *handle);
  void (*shared_free)(void *pointer); /* accepts NULL; peers have closed it */
  mfft_status (*shared_open)(const mfft_handle *handle, void **pointer);
  void (*shared_close)(void *pointer); /* accepts NULL */

  /* Work queued before send is visible to work queued after await.  await returns in *missing a peer that has not
   * signalled yet, and the caller polls again; or -1 if all have, or if the stream waits by itself.  `what` names the
   * wait for the device's watchdog. */
  mfft_status (*send)(const mfft_signal *signal, void *stream);
  mfft_status (*await)(const mfft_signal *signal, const char *what, int *missing, void *stream);

  /* Copies block i from in[i] to out[i].  most_blocks: most thread blocks of the copy; 0: any number.  Few are enough if
   * links limit the speed, and leave the device to other work. */
  mfft_status (*copy_lists)(const struct mfft_block *blocks, const void *const *in, void *const *out, int64_t count,
                            int64_t element_bytes, int most_blocks, void *stream);

  const mfft_device_files *files; /* NULL: none */
} mfft_device;

extern const mfft_device mfft_device_host, mfft_device_cuda;

#endif
