/* cut.h: the chunks of an exchange, which can be sent at different times.  Pure geometry.
 *
 * An exchange is divided into chunks along an axis of the source boxes, along an axis of the target boxes, along the batch,
 * or along two axes.  Of two axes the first is one along which the transform before the exchange can be divided, the second
 * one along which the transform after it can be divided.  The early chunks are slices along the first axis, restricted to
 * the first `split` sixteenths of the second axis; they are sent while the transform before the exchange goes on.  The late
 * chunks are slices of the remainder along the second axis, whole along the first; while they are sent, the transform after
 * the exchange handles the early part and then one late chunk after the other.  Both transforms thus overlap the exchange,
 * except for the first slice and the last. */
#ifndef MFFT_DIST_CUT_H
#define MFFT_DIST_CUT_H

#include "base/box.h"

enum { MFFT_CUT_BATCH = 3 };
enum { MFFT_SPLIT_PARTS = 16 }; /* the unit of mfft_cut.split */

typedef struct mfft_cut {
  int chunks;    /* >= 1 */
  int axis;      /* 0 to 2, or MFFT_CUT_BATCH */
  int target;    /* 1: chunk c is range c of every target box; 0: of every source box */
  int early;     /* number of early chunks if a second axis is divided; else 0 */
  int late_axis; /* second axis: 0 to 2, of the target boxes; `axis` is then of the source boxes */
  int split;     /* overlap split: sixteenths of late_axis that the early chunks hold */
} mfft_cut;

/* A box and a range of the batch; empty if any hi <= lo. */
typedef struct mfft_region {
  mfft_box box;
  int64_t batch_lo, batch_hi;
} mfft_region;

/* The part of the intersection of two boxes that chunk c contains. */
mfft_region mfft_cut_part(const mfft_box *from, const mfft_box *to, int64_t batch, const mfft_cut *cut, int c);

/* before: the region of a source box that the transform before the exchange must have computed for chunk c.  after: the
 * region of a target box that the transform after the exchange can use once chunk c has arrived.  Regions of earlier
 * chunks are excluded. */
mfft_region mfft_cut_before(const mfft_box *from, int64_t batch, const mfft_cut *cut, int c);
mfft_region mfft_cut_after(const mfft_box *to, int64_t batch, const mfft_cut *cut, int c);

#endif
