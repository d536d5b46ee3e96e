/* particle_calls.h: the calls of a plan's backend for particles on a mesh in device memory, for src/particles. */
#ifndef MFFT_PLAN_PARTICLE_CALLS_H
#define MFFT_PLAN_PARTICLE_CALLS_H

#include "local/particles.h"
#include "plan/array_calls.h"

/* NULL for a plan in host memory, whose particles the host's own loops process. */
static inline const mfft_particle_calls *mfft_plan_particle_calls(mfft_plan plan) {
  return plan->backend->host_memory ? NULL : plan->backend->particles;
}

#endif
