/* places.h: where the arrays and areas of a direction lie in its buffers. */
#ifndef MFFT_PLAN_PLACES_H
#define MFFT_PLAN_PLACES_H

#include "plan/emitter.h"

/* Room for the areas of a route, one behind the other. */
int64_t mfft_areas_bytes(const mfft_route *route);

/* What fits in DATA on some rank. */
int64_t mfft_data_room(const mfft_emitter *e, int rank);

/* The place of an array or area in the buffer that an assignment means here: raises the sizes of the workspace and of the
 * caller's array. */
mfft_place mfft_place_of(mfft_emitter *e, mfft_assignment to, int64_t offset, int64_t bytes);

/* The place of an area beside the arrays. */
mfft_place mfft_area_of(mfft_emitter *e, int64_t offset, int64_t bytes);

#endif
