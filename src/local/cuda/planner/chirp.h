/* chirp.h: the tables of Bluestein's algorithm (bluestein.h). */
#ifndef MFFT_CUDA_CHIRP_H
#define MFFT_CUDA_CHIRP_H

#include "local/cuda/planner/pass.h"
#include "local/cuda/planner/roots.h"

/* Makes the tables of the chirp and of its spectrum, if the pass multiplies by them.  Angles are j^2 modulo 2 n in exact
 * integers; the spectrum is computed in extended precision and rounded once. */
mfft_status mfft_table_bluestein(mfft_pass *pass, mfft_table table[MFFT_TABLES]);

#endif
