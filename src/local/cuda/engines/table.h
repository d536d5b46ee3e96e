/* table.h: the table of all kernel families, and the questions that the planner puts to the whole table. */
#ifndef MFFT_CUDA_TABLE_H
#define MFFT_CUDA_TABLE_H

#include "local/cuda/engines/engine.h"

/* The family of a kernel, and the options with which the kernel is compiled. */
const mfft_engine *mfft_engine_of(const mfft_kernel *kernel);
void mfft_engine_options(const mfft_kernel *kernel, mfft_compile_options *options);

/* The family that takes every line. */
const mfft_engine *mfft_engine_general(void);

/* for: the first family that suits a pass.  final: the family that takes over a draft whose loads and stores are set, or the
 * one that began it. */
mfft_engine_id mfft_engine_for(const mfft_pass_request *request);
mfft_engine_id mfft_engine_final(const mfft_pass_draft *draft);

/* hold: whether some family can hold such lines.  longest_part: the longest strided line of one of several passes that some
 * family can do. */
int mfft_engines_hold(const mfft_builder *b, int64_t n, int64_t whole, int strided);
int64_t mfft_engines_longest_part(const mfft_builder *b, int64_t whole);

/* Adds two line transforms as one pass, of the first family that can and was measured to be faster; sets *added. */
mfft_status mfft_engines_try_pair(mfft_builder *b, const mfft_pair_request *request, int *added);

/* A pass that packs or unpacks half spectra, and does nothing else. */
mfft_status mfft_engines_add_packing(mfft_builder *b, const mfft_pass_geometry *geometry);

#endif
