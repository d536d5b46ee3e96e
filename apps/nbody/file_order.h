/* file_order.h: particles in the order of the input file of a run, in equal shares of the ranks. */
#ifndef MFFT_APPS_FILE_ORDER_H
#define MFFT_APPS_FILE_ORDER_H

#include "mfft.h"
#include "nbody/bodies.h"

typedef struct mfft_file_order {
  mfft_particle_exchange exchange;
  int64_t first, count; /* this rank's share: the particles with index first to first + count - 1 */
  int64_t arriving;
  uint64_t *place;   /* [arriving] position of each arriving particle in the share */
  uint64_t *arrived; /* [arriving] receive buffer of one array */
} mfft_file_order;

/* n: cells of the plan; all: particles of all ranks.  create is collective; destroy is not, and accepts a zeroed object. */
mfft_status mfft_file_order_create(mfft_plan plan, const int64_t n[3], mfft_particle_mesh mesh, const mfft_bodies *bodies,
                                   int64_t all, mfft_file_order *order);
void mfft_file_order_destroy(mfft_file_order *order);

/* Sends one array of the bodies to ordered[stride * i], i < count, in the order of the file; stride in 8-byte numbers.
 * Collective. */
mfft_status mfft_file_order_take(mfft_file_order *order, const void *array, void *ordered, int64_t stride);

#endif
