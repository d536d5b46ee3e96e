/* placed.h: arrays of particles that the functions of mfft_particles.h take in the memory of a plan.
 *
 * Commands read, exchange and write particles in host memory.  Where the plan takes host memory a placed array is the array
 * of the host itself, and nothing is copied; on a device it is a second one of the same size. */
#ifndef MFFT_APPS_PLACED_H
#define MFFT_APPS_PLACED_H

#include "mfft_memory.h"

typedef struct mfft_placed {
  void *data;         /* the array that the functions get */
  void *host;         /* the array of the host, which belongs to the caller */
  const char *device; /* name of the backend; NULL: data is host */
} mfft_placed;

/* The backend of a plan on a device; NULL where plans take host memory. */
const char *mfft_placed_device(mfft_plan plan);

/* Makes space for a host array of `count` elements; `host` may be NULL, and then data is too.  free accepts zeroed objects.
 * No call is collective. */
mfft_status mfft_placed_create(const char *device, void *host, int64_t count, size_t element_bytes, const char *what,
                               mfft_placed *placed);
void mfft_placed_free(mfft_placed *placed);

/* Copy so many bytes from the host's array to the placed one, and back.  The plan is at rest. */
mfft_status mfft_placed_put(const mfft_placed *placed, size_t bytes);
mfft_status mfft_placed_fetch(const mfft_placed *placed, size_t bytes);

#endif
