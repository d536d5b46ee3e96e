/* block_args.h: arguments of the kernels that copy blocks, and convert blocks to and from messages. */
#ifndef MFFT_KERNEL_BLOCK_ARGS_H
#define MFFT_KERNEL_BLOCK_ARGS_H

enum { MFFT_COPY_BLOCKS = 24 }; /* most blocks of one launch */

/* Blocks of one launch of a kernel that copies them: shapes as in mfft_block, with the addresses of both sides. */
typedef struct mfft_copy_args {
  const void *in[MFFT_COPY_BLOCKS];  /* [block] */
  void *out[MFFT_COPY_BLOCKS];       /* [block] */
  long long n[MFFT_COPY_BLOCKS][4];  /* [block][loop] lengths, from the outermost loop to the innermost */
  long long is[MFFT_COPY_BLOCKS][4]; /* [block][loop] strides of `in`, in elements */
  long long os[MFFT_COPY_BLOCKS][4]; /* [block][loop] strides of `out` */
} mfft_copy_args;

/* Blocks of one launch of wire.cu.  The loops go over the array in the order of the segment of a message. */
typedef struct mfft_wire_args {
  void *array[MFFT_COPY_BLOCKS];         /* [block] */
  void *segment[MFFT_COPY_BLOCKS];       /* [block] */
  long long n[MFFT_COPY_BLOCKS][4];      /* [block][loop] lengths, from the outermost loop to the innermost */
  long long stride[MFFT_COPY_BLOCKS][4]; /* [block][loop] strides of the array, in elements */
} mfft_wire_args;

#endif
