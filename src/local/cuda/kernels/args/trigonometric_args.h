/* trigonometric_args.h: the argument of the kernels before and after the DFT that computes cosines or sines. */
#ifndef MFFT_KERNEL_TRIGONOMETRIC_ARGS_H
#define MFFT_KERNEL_TRIGONOMETRIC_ARGS_H

/* A kernel before or behind a DFT that computes cosines or sines of real lines, between an array and lines in the
 * workspace. */
enum { MFFT_TRIGONOMETRIC_LOOPS = 8, MFFT_TRIGONOMETRIC_THREADS = 256 };
typedef struct mfft_trigonometric_args {
  const void *in;
  void *out;
  const void *fine, *coarse; /* roots, root j being coarse[j >> root_shift] fine[j & (2^root_shift - 1)]; coarse NULL: 1 */
  long long n, stride;       /* numbers of a line, and their distance in the array */
  long long count;           /* elements of a line in the workspace */
  long long element, line;   /* distances there: of elements, and of lines */
  long long first, lines;    /* the lines of this launch, counted by the loops */
  unsigned long long n_loop[MFFT_TRIGONOMETRIC_LOOPS]; /* [loops] around lines in the array, inner to outer */
  long long stride_loop[MFFT_TRIGONOMETRIC_LOOPS];
  unsigned root_shift;
  int loops;
  int shift, by_line; /* 2^shift neighbouring threads go along lines, if by_line, or else along a line */
} mfft_trigonometric_args;

#endif
