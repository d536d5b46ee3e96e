/* step_spec.h: the local transform of a step. */
#ifndef MFFT_PLAN_STEP_SPEC_H
#define MFFT_PLAN_STEP_SPEC_H

#include "plan/emitter.h"

/* The transform over one region of the input array of a step: returns its spec, and the places that it reads and writes.
 * The emitter says whether it applies the filter, and whether it reads or stores half the width. */
mfft_fft_spec mfft_step_spec(const mfft_emitter *e, const mfft_step *s, const mfft_region *region, const mfft_array *in,
                             const mfft_array *out, mfft_place *from, mfft_place *to);

#endif
