/* padded.h: transforms of axes that end in zeros, for backends that have none: the array is copied into one of full lengths
 * in the workspace, or out of it, and all of that is transformed. */
#ifndef MFFT_LOCAL_PADDED_H
#define MFFT_LOCAL_PADDED_H

#include "local/backend.h"

/* Creates the transform of a spec on a backend: by the backend itself, unless an axis has `given` that the backend leaves to
 * this file.  MFFT_ERR_UNSUPPORTED for more than four dimensions then. */
mfft_status mfft_fft_make(const mfft_backend *backend, const mfft_fft_spec *spec, mfft_fft **fft);

#endif
