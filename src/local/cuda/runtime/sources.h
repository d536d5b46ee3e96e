/* sources.h: the files of kernels/ and a hash of their names and texts, which embed.cmake generates. */
#ifndef MFFT_CUDA_SOURCES_H
#define MFFT_CUDA_SOURCES_H

extern const int mfft_kernel_file_count;
extern const char *const mfft_kernel_file_names[]; /* [mfft_kernel_file_count] */
extern const char *const mfft_kernel_file_texts[]; /* [mfft_kernel_file_count] */
extern const char mfft_kernel_files_hash[];

#endif
