/* tables.h: the twiddle factors and matrices that a pass reads. */
#ifndef MFFT_CUDA_TABLES_H
#define MFFT_CUDA_TABLES_H

#include "local/cuda/planner/pass.h"
#include "local/cuda/planner/roots.h"

/* Makes the tables of a pass; also sets the words of its arguments that say how they are read. */
mfft_status mfft_tables_make(mfft_pass *pass, mfft_table table[MFFT_TABLES]);
void mfft_tables_free(mfft_table table[MFFT_TABLES]);

/* Tells a pass where its tables are, on the device that runs it. */
void mfft_tables_place(mfft_pass *pass, const void *const address[MFFT_TABLES]);

/* Lets a pass of the same merges and twiddles, over fewer lines, read the tables of another one. */
void mfft_tables_share(const mfft_pass *owner, mfft_pass *pass);

#endif
