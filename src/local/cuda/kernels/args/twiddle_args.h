/* twiddle_args.h: the argument of the kernel for the four-step twiddle of a distributed line. */
#ifndef MFFT_KERNEL_TWIDDLE_ARGS_H
#define MFFT_KERNEL_TWIDDLE_ARGS_H

typedef struct mfft_twiddle_args_device {
  void *data; /* [n[0]][n[1]][n[2]] contiguous: batch, rows, columns */
  long long n[3];
  long long row0, col0; /* indices of the first row and column in the whole matrix */
  long long length;     /* elements of the line, the order of the roots of unity */
} mfft_twiddle_args_device;

#endif
