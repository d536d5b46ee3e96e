/* pass_args.h: the argument of a pass, for the C compiler and the device compiler.
 *
 * A pass works on lines.  A line is `n` elements (n is compiled in) at a distance of in_stride and out_stride; the lines are
 * counted by `nloops` loops, inner to outer, and the start of line l follows from its loop indices.  Distances count
 * elements of the array on that side: reals on the real side of a real transform, complexes otherwise. */
#ifndef MFFT_KERNEL_PASS_ARGS_H
#define MFFT_KERNEL_PASS_ARGS_H

enum { MFFT_PASS_LOOPS = 8, MFFT_PASS_SHARES = 16 };

/* A filter by which a pass multiplies its input (output).  The index of an element on each axis follows from its distance to
 * the first element of the array. */
typedef struct mfft_pass_filter {
  const void *tables;           /* of the filter; or of a convolved axis the array of factors, which alone is set then */
  long long base;               /* distance from the first element of the array to the first of the part */
  unsigned long long stride[4]; /* strides of the loops of the array, outermost first */
  long long table[4];           /* offset of the pairs of f and d of a loop; -1: the filter does not depend on it */
  int axis;                     /* the loop along which the lines of the pass run */
  unsigned step;                /* increment of that loop's index from element to element of a line */
  int narrow;                   /* 1: distances fit 32 bits */
} mfft_pass_filter;

/* An axis of n elements that is transformed by Bluestein's algorithm (planner/bluestein.h), or by Rader's
 * (planner/rader.h). */
typedef struct mfft_pass_bluestein {
  const void *chirp;    /* [n] exp(sign pi i j^2 / n) */
  const void *spectrum; /* [length of the convolution] spectrum of the conjugate chirp, divided by that length; of the
                           roots of Rader's algorithm */
  const int *order;     /* [n - 1] of Rader's algorithm: the powers of a generator, modulo n */
  unsigned n, stored;   /* elements of the axis; elements that the last pass stores, fewer for half spectra */
  unsigned step;        /* increment of the index on the padded axis from element to element of a line */
  long long unit;       /* input is a half spectrum: distance of neighbours of the axis */
} mfft_pass_bluestein;

/* Rows (x, y) whose second halves are stored in rows (-x, -y): x counts planes, y rows of a plane, each at that distance.
 * first: x of the first line of the pass, beside outer_first. */
typedef struct mfft_pass_mirror {
  unsigned planes, rows, first;
  long long plane, row;
} mfft_pass_mirror;

/* A scattered output: each share has an address and strides of its own.  out: address of element 0 of the first line, as if
 * the share began with element 0. */
typedef struct mfft_pass_scatter {
  void *out[MFFT_PASS_SHARES];
  long long stride[MFFT_PASS_SHARES];
  long long loop[MFFT_PASS_SHARES][MFFT_PASS_LOOPS];
} mfft_pass_scatter;

typedef struct mfft_pass_args {
  const void *in;
  void *out;
  long long in_stride, out_stride;
  long long in_pair, out_pair; /* distances between the two reals of a packed complex, or the lines of a pair */
  long long lines;
  unsigned long long real_lines;              /* lines of the loop over pairs of real lines: if odd, the last pair has one */
  unsigned long long loop_n[MFFT_PASS_LOOPS]; /* [nloops] inner to outer */
  long long loop_in[MFFT_PASS_LOOPS];
  long long loop_out[MFFT_PASS_LOOPS];
  long long line_in, line_out;     /* cluster passes: distances from line to line of a transform */
  const void *merge_table;         /* twiddles between the merges, merge by merge: see tables.h */
  const void *second_table;        /* cluster passes: the same for the second chain of merges */
  const void *outer_fine;          /* twiddles between passes: W^i, i < 2^outer_shift */
  const void *outer_coarse;        /* W^(i 2^outer_shift) */
  const void *matrices;            /* tensor-core kernels: matrices, merge by merge: see tables.c */
  const void *trigonometric_table; /* roots of cosines and sines: see planner/trigonometric.h */
  const void *real_table;          /* W_2n^i for packed real transforms, i <= n/2: see tables.h */
  const void *ends;                /* [lines][2] elements 0 and n of half spectra, where they lie apart from the others */
  unsigned outer_shift;
  unsigned outer_first, outer_step; /* twiddle loop: first index of a part; increment by a second twiddle loop */
  unsigned inner_step;              /* cluster passes: outer twiddle order divided by the inner one */
  unsigned given;                   /* elements of a line that exist, where some do not (mfft_padding) */
  float merge_angle;                /* tensor-core kernels: 2 pi / 2^32 with the sign of the direction */
  float merge_scale[8];             /* tensor-core kernels: factor of each merge except the last, which prevents overflow */
  double scale;
  mfft_pass_filter filter;
  mfft_pass_bluestein bluestein;
  mfft_pass_mirror mirror;
#if !defined(PASS_SHARES) || PASS_SHARES > 0 /* not for kernels that do not scatter */
  mfft_pass_scatter scatter;
#endif
} mfft_pass_args;

#endif
