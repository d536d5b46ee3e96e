/* device.h: what exchanges ask of a device beyond transforms: queues and events, pinned memory, memory that other processes
 * of the node can map, and signals in it.
 *
 * A part of the backend's table (backend.h).  On a GPU every call is queued on a stream and returns at once.  The host has
 * one too, whose queue is the calling thread: the same transports then move data through memory shared by the processes.
 *
 * Signals are counters in shared memory.  A mfft_signal has a counter of its own in this process's memory; each use raises
 * it by one and takes its new value, so sender and receiver agree on the number of the use without a word, also when a CUDA
 * graph replays them. */
#ifndef MFFT_LOCAL_DEVICE_H
#define MFFT_LOCAL_DEVICE_H

#include "mfft.h"

enum { MFFT_HANDLE_BYTES = 128, MFFT_SIGNAL_PEERS = 512 };

/* A name for a piece of memory that another process can open.  Plain bytes: it travels in messages. */
typedef struct mfft_handle {
  unsigned char bytes[MFFT_HANDLE_BYTES];
} mfft_handle;

/* One way of one synchronisation: send writes the new count to every flag, await waits until every flag has it. */
typedef struct mfft_signal {
  uint64_t *counter; /* in memory of the device, this process's own */
  int count;
  uint64_t *flag[MFFT_SIGNAL_PEERS]; /* [count] in memory of peers (send) or here (await) */
  const uint64_t *failed;            /* await on a device gives up where this is not 0; NULL: never */
  int peer[MFFT_SIGNAL_PEERS];       /* [count] ranks, for messages */
} mfft_signal;

struct mfft_block;

typedef struct mfft_device {
  /* Makes ready what exchanges of elements of these bytes launch; wire: also conversions.  Execution compiles nothing. */
  mfft_status (*prepare)(mfft_precision precision, int wire);
  /* Proposes a device for this process where it has chosen none: number `rank`, of this rank among those of its node, modulo
   * the number of devices. */
  void (*prefer)(int rank);
  /* The context that is current in the calling thread; makes another current; and gives back what was current before
   * (device_guard.h).  NULL: a device without contexts. */
  mfft_status (*current)(void **context);
  mfft_status (*enter)(void *context, void **before);
  void (*leave)(void *context, void *before);
  /* Text that is equal for two processes of a node where they share a card; "" on the host. */
  mfft_status (*identity)(char *text, size_t size);
  /* What kind of device it is, for wisdom: "NVIDIA H200"; "" on the host. */
  mfft_status (*model)(char *text, size_t size);
  /* What joins it to the other devices of its kind that this process sees, likewise: "nvlink", "pcie", "mixed", "none". */
  mfft_status (*links)(char *text, size_t size);

  /* Queues.  wait orders what follows on a stream behind an event; done asks without waiting. */
  mfft_status (*stream_create)(void **stream);
  void (*stream_destroy)(void *stream); /* accepts NULL */
  mfft_status (*stream_synchronize)(void *stream);
  mfft_status (*event_create)(void **event);
  void (*event_destroy)(void *event); /* accepts NULL */
  mfft_status (*event_record)(void *event, void *stream);
  mfft_status (*event_wait)(void *event, void *stream);
  mfft_status (*event_done)(void *event, int *done);

  /* Timers: events that know when the stream passed them.  elapsed answers MFFT_ERR_STATE where one has not been passed. */
  mfft_status (*timer_create)(void **timer);
  void (*timer_destroy)(void *timer); /* accepts NULL */
  mfft_status (*timer_record)(void *timer, void *stream);
  mfft_status (*timer_elapsed)(void *from, void *to, double *seconds);

  /* A name for what the calling thread queues between the two, for the tools that watch a device. */
  void (*range_begin)(const char *name);
  void (*range_end)(void);

  /* Host memory that copies reach at full speed, and such a copy, either way. */
  mfft_status (*pinned_alloc)(size_t bytes, void **pointer);
  void (*pinned_free)(void *pointer); /* accepts NULL */
  mfft_status (*copy_bytes)(void *to, const void *from, size_t bytes, void *stream);

  /* Makes pages of host memory, whole ones, reachable by the device, at an address of its own.  NULL: it reaches all. */
  mfft_status (*map_host)(void *memory, size_t bytes, void **mapped);
  void (*unmap_host)(void *memory);

  /* Memory that peers map.  alloc gives zeroed memory; open maps that of another process of this node; close undoes it. */
  mfft_status (*shared_alloc)(size_t bytes, void **pointer, mfft_handle *handle);
  void (*shared_free)(void *pointer); /* accepts NULL; peers have closed it */
  mfft_status (*shared_open)(const mfft_handle *handle, void **pointer);
  void (*shared_close)(void *pointer); /* accepts NULL */

  /* What was queued before send is seen by what follows await.  await names a peer that has not signalled yet, for the
   * caller to ask again, or -1 where all have, or where the stream waits by itself; `what` names the wait for the watchdog
   * of the device. */
  mfft_status (*send)(const mfft_signal *signal, void *stream);
  mfft_status (*await)(const mfft_signal *signal, const char *what, int *missing, void *stream);

  /* Copies block i from in[i] to out[i].  most_blocks: thread blocks that the copy may take, few where the links are the
   * limit or others are to have the device; 0: any number. */
  mfft_status (*copy_lists)(const struct mfft_block *blocks, const void *const *in, void *const *out, int64_t count,
                            int64_t element_bytes, int most_blocks, void *stream);
} mfft_device;

extern const mfft_device mfft_device_host, mfft_device_cuda;

#endif
