/* twiddle_args.h: the argument of the kernel for the four-step twiddle of a distributed line. */
#ifndef MFFT_KERNEL_TWIDDLE_ARGS_H
#define MFFT_KERNEL_TWIDDLE_ARGS_H

typedef struct mfft_twiddle_args_device {
  void *data;
  long long n[3], row0, col0, length;
} mfft_twiddle_args_device;

#endif
