/* dynamic.h: messages between arrays in the memory of a device whose sizes and peers become known only when they are sent:
 * particles that have changed their ranks, and ghost cells of meshes.
 *
 * What a rank sends lies in an area of its own.  Where the transport of the plan is direct, the area is in a window, and
 * near peers copy from it, between two signals (handshake.h): all is queued on the stream.  All other messages are one
 * transfer of the transport that the plan has for them.  Data passes through host memory only if that transport stages it
 * there. */
#ifndef MFFT_DIST_DYNAMIC_H
#define MFFT_DIST_DYNAMIC_H

#include "dist/transport.h"

typedef struct mfft_dynamic mfft_dynamic;

typedef struct mfft_dynamic_message {
  int peer; /* another rank */
  void *data;
  int64_t bytes; /* the same on both ranks */
} mfft_dynamic_message;

/* For the ranks of a topology, which must outlive the object, as must the flow.  transport: that of the plan.  Not
 * collective.  destroy: collective, accepts NULL. */
mfft_status mfft_dynamic_create(const mfft_topology *topology, const mfft_transport *transport, mfft_flow *flow,
                                const char *what, mfft_dynamic **dynamic);
void mfft_dynamic_destroy(mfft_dynamic *dynamic);

/* Makes the area of this rank at least so large; its contents and its address are lost if that of any rank grows.
 * Waits for the stream then.  Collective; all ranks fail together. */
mfft_status mfft_dynamic_reserve(mfft_dynamic *dynamic, size_t bytes, void *stream);
void *mfft_dynamic_area(const mfft_dynamic *dynamic);
size_t mfft_dynamic_bytes(const mfft_dynamic *dynamic);

/* Sends after the work that is queued on the stream; work that is queued later finds all received, and the area free.  There
 * is one message at most to a peer and one from it; what is sent lies in the area, what is received in one array of device
 * memory outside of it.  Fails on all ranks if `mine` is the failure of any.  Collective. */
mfft_status mfft_dynamic_move(mfft_dynamic *dynamic, mfft_status mine, const mfft_dynamic_message *recv, int receives,
                              const mfft_dynamic_message *send, int sends, void *stream);

#endif
