/* places.h: the buffers and offsets of the arrays and areas of a direction. */
#ifndef MFFT_PLAN_PLACES_H
#define MFFT_PLAN_PLACES_H

#include "plan/emitter.h"

/* Bytes of both areas of a route, one after the other. */
int64_t mfft_areas_bytes(const mfft_route *route);

/* Capacity of DATA on a rank, in bytes. */
int64_t mfft_data_capacity(const mfft_emitter *e, int rank);

/* The place that an assignment means; raises the sizes of the workspace and of the caller's array to what it needs. */
mfft_place mfft_place_of(mfft_emitter *e, mfft_buffer_assignment to, int64_t offset, int64_t bytes);

/* The place of an area beside the arrays; raises the size of that buffer. */
mfft_place mfft_area_of(mfft_emitter *e, int64_t offset, int64_t bytes);

#endif
