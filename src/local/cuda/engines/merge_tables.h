/* merge_tables.h: the twiddles of register butterflies, and of the ends of a pass. */
#ifndef MFFT_CUDA_MERGE_TABLES_H
#define MFFT_CUDA_MERGE_TABLES_H

#include "local/cuda/planner/pass.h"
#include "local/cuda/planner/roots.h"

/* Merge by merge, for q = 1 .. r-1, for p < n/(s r): W_(n/s)^(p q), s the product of the radices before.  Of odd lines, for
 * those q, or p, whose elements are held.  Where a kernel takes roots of two parts each is followed by what it lacks, as are
 * those of a half spectrum. */
mfft_status mfft_table_merges(const mfft_kernel *kernel, mfft_table *table);

/* Inter-pass twiddles of some order, in two levels; also tells the pass how they are read. */
mfft_status mfft_table_outer(mfft_pass *pass, int64_t order, mfft_table table[MFFT_TABLES]);

/* What the ends of a pass need: the roots that unpack a half spectrum, and inter-pass twiddles. */
mfft_status mfft_table_ends(mfft_pass *pass, mfft_table table[MFFT_TABLES]);

/* All tables of a chain of butterflies. */
mfft_status mfft_table_chain(mfft_pass *pass, mfft_table table[MFFT_TABLES]);

#endif
