/* pruned.h: transforms of arrays that end in zeros, or of whose results only the first are wanted (mfft_fft_spec.given).
 *
 * Forward an axis loads the points that are given and takes the others for zeros; until then its zeros exist nowhere, so
 * that the axes transformed before have fewer lines.  Backward an axis stores the points that are wanted, and the axes
 * transformed after it have fewer lines (Markel 1971).  Each such axis is one pass of butterflies. */
#ifndef MFFT_CUDA_PRUNED_H
#define MFFT_CUDA_PRUNED_H

#include "local/cuda/planner/builder.h"

/* Adds all passes of a spec with `given`, whose dimensions the builder has.  row: elements of a row of the workspace.
 * MFFT_ERR_UNSUPPORTED if an axis with `given` takes several passes, and for ends of half the width and shares. */
mfft_status mfft_pruned_build(mfft_builder *b, int64_t row);

#endif
