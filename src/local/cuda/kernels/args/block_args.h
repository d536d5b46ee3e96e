/* block_args.h: arguments of the kernels that copy blocks, and convert blocks to and from messages. */
#ifndef MFFT_KERNEL_BLOCK_ARGS_H
#define MFFT_KERNEL_BLOCK_ARGS_H

enum { MFFT_COPY_BLOCKS = 24 }; /* most blocks of one launch */

/* Blocks of one launch of the copy kernel: shapes as in mfft_block, with the addresses of both sides. */
typedef struct mfft_copy_args {
  const void *in[MFFT_COPY_BLOCKS];
  void *out[MFFT_COPY_BLOCKS];
  long long n[MFFT_COPY_BLOCKS][4];
  long long is[MFFT_COPY_BLOCKS][4];
  long long os[MFFT_COPY_BLOCKS][4];
} mfft_copy_args;

/* Blocks of one launch of the wire kernel.  n, stride: loops over the array in the order of the segment. */
typedef struct mfft_wire_args {
  void *array[MFFT_COPY_BLOCKS];
  void *segment[MFFT_COPY_BLOCKS];
  long long n[MFFT_COPY_BLOCKS][4];
  long long stride[MFFT_COPY_BLOCKS][4];
} mfft_wire_args;

#endif
