/* stop_spec.h: the local transform of a stop. */
#ifndef MFFT_PLAN_STOP_SPEC_H
#define MFFT_PLAN_STOP_SPEC_H

#include "plan/emitter.h"

/* The transform over one region of the array of a stop (before the transform): its spec, and the places that it reads and
 * writes.  Whether it multiplies by the filter, and reads or stores half the width, is what the emitter says. */
mfft_fft_spec mfft_stop_spec(const mfft_emitter *e, const mfft_stop *s, const mfft_region *region, const mfft_array *in,
                             const mfft_array *out, mfft_place *from, mfft_place *to);

#endif
