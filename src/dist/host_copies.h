/* host_copies.h: copies between a program's arrays in host memory and their copies in the memory of a device, part by part,
 * on two streams of their own: one for each direction of the link.
 *
 * A part is a transfer (transfer.h).  An upload is queued by its start, and work that is queued after its wait finds it
 * complete.  A download is ordered after the work queued before its start, and is queued by its wait: a copy to memory that
 * is not page-locked blocks the thread until it is complete, so waits stand at the end of a program.  The wait of the last
 * download also orders the stream after all of them.  The first upload waits for the work queued before it, which may still
 * use the arrays on the device. */
#ifndef MFFT_DIST_HOST_COPIES_H
#define MFFT_DIST_HOST_COPIES_H

#include "base/extent.h"
#include "dist/transfer.h"

typedef struct mfft_host_copies mfft_host_copies;

typedef enum mfft_link_direction { MFFT_HOST_UPLOAD = 0, MFFT_HOST_DOWNLOAD = 1 } mfft_link_direction;

/* A part of an array.  edge: it is the first upload, or the last download, of its program. */
typedef struct mfft_host_part {
  mfft_link_direction direction;
  mfft_extent extent;
  int edge;
} mfft_host_part;

mfft_status mfft_host_copies_create(const mfft_device *device, mfft_host_copies **copies);
void mfft_host_copies_destroy(mfft_host_copies *copies); /* waits for the copies; accepts NULL */

/* Adds a transfer, which the object owns.  Its ends are the two whole arrays; they must stay until the copy is complete. */
mfft_status mfft_host_copies_add(mfft_host_copies *copies, const mfft_host_part *part, mfft_transfer **transfer);

#endif
