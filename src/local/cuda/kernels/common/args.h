/* args.h: what the host hands to a kernel, read by the C compiler and by the device compiler alike.
 *
 * A pass works on lines.  A line is `n` elements (n is compiled in) at a distance of in_stride and out_stride; the lines are
 * counted by `nloops` loops, inner to outer, and line l starts where its loop indices say.  Distances count elements of the
 * array on that side: reals for the real side of a real transform, complexes otherwise. */
#ifndef MFFT_KERNEL_ARGS_H
#define MFFT_KERNEL_ARGS_H

enum { MFFT_PASS_LOOPS = 8, MFFT_PASS_SHARES = 16, MFFT_COPY_BLOCKS = 24 };

/* A filter that a pass multiplies what it reads (writes) by: where an element stands on each axis of the array, from its
 * distance to the array's first. */
typedef struct mfft_pass_filter {
  const void *tables;
  long long base;               /* from the first of the array to the first of the part */
  unsigned long long stride[4]; /* from the farthest to the nearest loop of the array */
  long long table[4];           /* pairs of f and d; -1: this loop has none */
  int axis;                     /* the loop that the pass runs along ... */
  unsigned step;                /* ... by so many indices from element to element of a line */
  int narrow;                   /* distances fit 32 bits */
} mfft_pass_filter;

/* An axis of n elements that is transformed by Bluestein's algorithm (planner/bluestein.h). */
typedef struct mfft_pass_bluestein {
  const void *chirp;    /* [n] exp(sign pi i j^2 / n) */
  const void *spectrum; /* [length of the convolution] of the conjugate chirp, divided by that length */
  unsigned n, stored;   /* elements of the axis; those that the last pass stores, fewer of half spectra */
  unsigned step;        /* from element to element of a line, along the padded axis */
  long long unit;       /* distance of neighbours of the axis in the input, where that is a half spectrum */
} mfft_pass_bluestein;

/* A scattered output: each share has a place and distances of its own.  `out` is where element 0 of a line would lie, if the
 * share began there. */
typedef struct mfft_pass_scatter {
  void *out[MFFT_PASS_SHARES];
  long long stride[MFFT_PASS_SHARES];
  long long loop[MFFT_PASS_SHARES][MFFT_PASS_LOOPS];
} mfft_pass_scatter;

typedef struct mfft_pass_args {
  const void *in;
  void *out;
  long long in_stride, out_stride;
  long long in_pair, out_pair; /* between the two reals of a packed complex */
  long long lines;
  unsigned long long loop_n[MFFT_PASS_LOOPS]; /* [nloops] inner to outer */
  long long loop_in[MFFT_PASS_LOOPS];
  long long loop_out[MFFT_PASS_LOOPS];
  long long line_in, line_out; /* of a cluster pass: from line to line of a transform */
  const void *merge_table;     /* twiddles inside the pass, merge by merge: see tables.h */
  const void *second_table;    /* of a cluster pass: the same for its second chain of merges */
  const void *outer_fine;      /* twiddles between passes: W^i, i < 2^outer_shift */
  const void *outer_coarse;    /* W^(i 2^outer_shift) */
  const void *matrices;        /* of a tensor-core kernel, merge by merge: see tables.c */
  const void *real_table;      /* W_2n^i for packed real transforms, i <= n/2: see tables.h */
  unsigned outer_shift;
  unsigned outer_first, outer_step; /* of the twiddle loop: the first index of a part; steps of a second twiddle loop */
  unsigned inner_step;              /* of a cluster pass: steps of the outer twiddle order in one of its inner one */
  float merge_angle;                /* of a tensor-core kernel: 2 pi / 2^32 with the sign of the direction */
  float merge_scale[8]; /* of a tensor-core kernel: what each merge but the last multiplies by, that nothing overflows */
  double scale;
  mfft_pass_filter filter;
  mfft_pass_bluestein bluestein;
#if !defined(PASS_SHARES) || PASS_SHARES > 0 /* other kernels have nothing to do with it */
  mfft_pass_scatter scatter;
#endif
} mfft_pass_args;

/* Blocks of one launch of the copy kernel: shape as mfft_block, each from and to where it begins. */
typedef struct mfft_copy_args {
  const void *in[MFFT_COPY_BLOCKS];
  void *out[MFFT_COPY_BLOCKS];
  long long n[MFFT_COPY_BLOCKS][4];
  long long is[MFFT_COPY_BLOCKS][4];
  long long os[MFFT_COPY_BLOCKS][4];
} mfft_copy_args;

/* Blocks of one launch of the wire kernel: n and stride walk the array in the order of the segment. */
typedef struct mfft_wire_args {
  void *array[MFFT_COPY_BLOCKS];
  void *segment[MFFT_COPY_BLOCKS];
  long long n[MFFT_COPY_BLOCKS][4];
  long long stride[MFFT_COPY_BLOCKS][4];
} mfft_wire_args;

/* Written by a kernel that waited too long, in memory of the host. */
typedef struct mfft_alarm {
  int rung, peer;
  const char *what; /* as the args have it: a pointer of the host */
} mfft_alarm;

enum { MFFT_SIGNAL_FLAGS = 128 };

/* One use of an mfft_signal (local/device.h), or of as many of its flags as a launch takes. */
typedef struct mfft_signal_args {
  unsigned long long *counter;
  unsigned long long *flag[MFFT_SIGNAL_FLAGS]; /* [count] */
  int peer[MFFT_SIGNAL_FLAGS];                 /* [count] */
  int count, last;                             /* launch of this use, which raises the counter */
  unsigned long long limit_ns;                 /* 0: none */
  mfft_alarm *alarm;
  const unsigned long long *failed; /* in memory of the host; NULL: none */
  const char *what;
} mfft_signal_args;

/* A filter over an array: as mfft_filter_shape, loops from the outermost to the innermost. */
typedef struct mfft_filter_args {
  const void *in, *tables;
  void *out;
  unsigned long long n[4];
  long long stride[4];
  long long table[4]; /* pairs of f and d; -1: this loop has none */
  int shift;
} mfft_filter_args;

enum { MFFT_SHELL_THREADS = 32 };

/* Sums over shells: as mfft_shell_sums, loops of the batch and the three axes.  A block adds up `rows` rows along the last
 * loop in a set of sums of its own: [3][count] of modes (as integers), radius and power; sets are added up in their order.
 */
typedef struct mfft_shells_args {
  const void *in;
  const double *index; /* [..][3] radius, weight, modes */
  const double *edge;  /* [count + 1] */
  double *partial;     /* [blocks][3][count] */
  double *result;      /* [3][count] */
  unsigned long long n[4];
  long long stride[4];
  long long table[3]; /* in indices */
  long long count;
  unsigned long long rows;
  unsigned blocks;
} mfft_shells_args;

/* Loops around single numbers (local/reals.h), from the farthest neighbours to the nearest. */
enum { MFFT_NUMBER_LOOPS = 5, MFFT_ARRAY_THREADS = 256 };

/* White noise: element (i, j, k, l) of the batch and the axes up to the caller's last one, which is loop 3. */
typedef struct mfft_normal_args {
  void *out;
  unsigned long long n[4];
  long long stride[4]; /* in numbers */
  long long lo[4];     /* global index of the first of each loop; of loop 3 the first number, counting all of the axis */
  int components;      /* numbers of an element of loop 3, which are neighbours */
  unsigned key[2];
  double deviation;
} mfft_normal_args;

/* What a block has added up: limbs as in mfft_exact_sum, not carried, then infinities, NaNs, numbers that are not finite,
 * the first of those, counted in the sequence of the loops, or the largest integer, and the range of the others. */
enum { MFFT_SUM_LIMBS = 68, MFFT_SUM_TILE = 16 }; /* numbers of a thread that are added up together */
typedef struct mfft_block_sums {
  long long limb[MFFT_SUM_LIMBS];
  long long infinite[2], nan, nonfinite, first;
  double min, max;
} mfft_block_sums;
typedef struct mfft_sums_args {
  const void *in;
  mfft_block_sums *result; /* [blocks] */
  unsigned long long n[MFFT_NUMBER_LOOPS];
  long long stride[MFFT_NUMBER_LOOPS];
  unsigned long long count; /* of all numbers */
  int squares;
  double centre, centre_rest;
} mfft_sums_args;

/* A function of |k|, as mfft_radial_product: loops from the outermost to the innermost. */
typedef struct mfft_radial_args {
  const void *in;
  void *out;
  const double *square, *value;
  unsigned long long n[4];
  long long stride[4];
  long long table[4]; /* entries of square; -1: this loop has none */
  long long count;
  double per_log, at_zero;
  int shift;
} mfft_radial_args;

typedef struct mfft_twiddle_args_device {
  void *data;
  long long n[3], row0, col0, length;
} mfft_twiddle_args_device;

#endif
