/* padded.h: transforms of axes that end in zeros, for backends that do not have them: a forward transform copies the array
 * into one of full lengths in the workspace, a backward one copies the elements that are wanted from there, and the whole
 * array is transformed. */
#ifndef MFFT_LOCAL_PADDED_H
#define MFFT_LOCAL_PADDED_H

#include "local/backend.h"

/* Creates the transform of a spec on a backend: by the backend itself, unless an axis has `given` and the backend does not
 * pad.  In that case MFFT_ERR_UNSUPPORTED is returned for more than four dimensions. */
mfft_status mfft_fft_make(const mfft_backend *backend, const mfft_fft_spec *spec, mfft_fft **fft);

#endif
