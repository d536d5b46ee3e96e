/* merge_tables.h: the twiddles of register butterflies, and of the ends of a pass. */
#ifndef MFFT_CUDA_MERGE_TABLES_H
#define MFFT_CUDA_MERGE_TABLES_H

#include "local/cuda/planner/pass.h"
#include "local/cuda/planner/roots.h"

/* Makes the twiddles between merges: merge by merge, for q = 1 .. r-1, for p < n/(s r), W_(n/s)^(p q), where s is the
 * product of the radices before.  For odd real lines only those q, or p, are there whose elements are computed
 * (kernels/butterfly/odd.cu).  If twiddles have two parts (MFFT_EXACT_PARTS), each is followed by its rounding error. */
mfft_status mfft_table_merges(const mfft_kernel *kernel, mfft_table *table);

/* Inter-pass twiddles of some order, as a coarse and a fine table whose entries are multiplied; also sets the arguments of
 * the pass that say how they are read. */
mfft_status mfft_table_outer(mfft_pass *pass, int64_t order, mfft_table table[MFFT_TABLES]);

/* The tables for loading and storing: the roots that pack or unpack a half spectrum, and inter-pass twiddles. */
mfft_status mfft_table_ends(mfft_pass *pass, mfft_table table[MFFT_TABLES]);

/* All tables of a chain of butterflies. */
mfft_status mfft_table_chain(mfft_pass *pass, mfft_table table[MFFT_TABLES]);

#endif
