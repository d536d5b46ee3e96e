/* preserved_input.h: C2R of two and three axes that preserves its input without space for a second half spectrum.
 *
 * The data between the passes has n/2 + 1 complexes for a row of n reals of the result, one more than fits into that row.
 * Elements 0 and n/2 of each row, its ends, are therefore in the workspace, pair by pair, in the order of the rows of the
 * output, and the others in their row of the output.  If the output is aligned to complexes, a row has element 0 too, so
 * that rows are whole sectors of memory; else it begins with element 1, one real further.  Each number is computed as with
 * room for all of them. */
#ifndef MFFT_CUDA_PRESERVED_INPUT_H
#define MFFT_CUDA_PRESERVED_INPUT_H

#include "local/cuda/planner/phase.h"

/* Makes the phases of a large C2R that preserves its input: the ends along all axes but the last; then, for outputs of both
 * alignments, the slow axis of the other elements, from the input to the output, and all other axes there, the rows of reals
 * last, which take the ends from the workspace.  Leaves phases->count 0 for other transforms, and where the rows take
 * several passes. */
mfft_status mfft_preserved_input_try(const mfft_device_limits *limits, const mfft_fft_spec *spec, mfft_phases *phases);

#endif
