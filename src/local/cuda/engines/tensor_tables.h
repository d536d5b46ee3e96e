/* tensor_tables.h: the matrices and twiddles of 16-bit merges on tensor cores, in the order of the lanes that load them. */
#ifndef MFFT_CUDA_TENSOR_TABLES_H
#define MFFT_CUDA_TENSOR_TABLES_H

#include "local/cuda/planner/pass.h"
#include "local/cuda/planner/roots.h"

/* The tables of passes of tensor.cu, and of resident tiles. */
mfft_status mfft_tensor_tables(mfft_pass *pass, mfft_table table[MFFT_TABLES]);
mfft_status mfft_resident_tables(mfft_pass *pass, mfft_table table[MFFT_TABLES]);

#endif
