/* spectrum_args.h: arguments of the kernels that multiply a spectrum, and of those that sum its power over shells. */
#ifndef MFFT_KERNEL_SPECTRUM_ARGS_H
#define MFFT_KERNEL_SPECTRUM_ARGS_H

/* A filter over an array, as mfft_filter_shape; loops from the outermost to the innermost. */
typedef struct mfft_filter_args {
  const void *in, *tables;
  void *out;
  unsigned long long n[4];
  long long stride[4];
  long long table[4]; /* offset of the pairs of f and d of a loop; -1: the filter does not depend on it */
  int shift;
} mfft_filter_args;

/* A spectrum times that of a kernel: loops from the outermost to the innermost. */
typedef struct mfft_multiply_args {
  const void *kernel;
  void *array;
  unsigned long long n[4];
  long long stride[4], kernel_stride[4];
  int shift, conjugate;
} mfft_multiply_args;

enum { MFFT_SHELL_THREADS = 32 };

/* Sums over shells, as mfft_shell_sums; loops of the batch and the three axes.  A block adds up `rows` rows along the last
 * loop in a set of sums of its own, [3][count]: modes (as integers), radius and power.  Sets are added up in their order. */
typedef struct mfft_shells_args {
  const void *in;
  const double *index; /* [..][3] radius, weight, modes */
  const double *edge;  /* [count + 1] */
  double *partial;     /* [blocks][3][count] */
  double *result;      /* [3][count] */
  unsigned long long n[4];
  long long stride[4];
  long long table[3]; /* offset of the indices of an axis */
  long long count;
  unsigned long long rows;
  unsigned blocks;
} mfft_shells_args;

/* A function of |k|, as mfft_radial_product; loops from the outermost to the innermost. */
typedef struct mfft_radial_args {
  const void *in;
  void *out;
  const double *square, *value;
  unsigned long long n[4];
  long long stride[4];
  long long table[4]; /* offset of the entries of `square` of a loop; -1: the function does not depend on it */
  long long count;
  double per_log, at_zero;
  int shift;
} mfft_radial_args;

#endif
