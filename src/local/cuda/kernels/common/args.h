/* args.h: arguments of the kernels, for the C compiler and the device compiler.
 *
 * A pass works on lines.  A line is `n` elements (n is compiled in) at a distance of in_stride and out_stride; the lines are
 * counted by `nloops` loops, inner to outer, and the start of line l follows from its loop indices.  Distances count
 * elements of the array on that side: reals on the real side of a real transform, complexes otherwise. */
#ifndef MFFT_KERNEL_ARGS_H
#define MFFT_KERNEL_ARGS_H

enum { MFFT_PASS_LOOPS = 8, MFFT_PASS_SHARES = 16, MFFT_COPY_BLOCKS = 24 };

/* A filter by which a pass multiplies its input (output).  The index of an element on each axis follows from its distance to
 * the first element of the array. */
typedef struct mfft_pass_filter {
  const void *tables;
  long long base;               /* distance from the first element of the array to the first of the part */
  unsigned long long stride[4]; /* strides of the loops of the array, outermost first */
  long long table[4];           /* offset of the pairs of f and d of a loop; -1: the filter does not depend on it */
  int axis;                     /* the loop along which the lines of the pass run */
  unsigned step;                /* increment of that loop's index from element to element of a line */
  int narrow;                   /* 1: distances fit 32 bits */
} mfft_pass_filter;

/* An axis of n elements that is transformed by Bluestein's algorithm (planner/bluestein.h). */
typedef struct mfft_pass_bluestein {
  const void *chirp;    /* [n] exp(sign pi i j^2 / n) */
  const void *spectrum; /* [length of the convolution] spectrum of the conjugate chirp, divided by that length */
  unsigned n, stored;   /* elements of the axis; elements that the last pass stores, fewer for half spectra */
  unsigned step;        /* increment of the index on the padded axis from element to element of a line */
  long long unit;       /* input is a half spectrum: distance of neighbours of the axis */
} mfft_pass_bluestein;

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
  long long in_pair, out_pair; /* distances between the two reals of a packed complex */
  long long lines;
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
#if !defined(PASS_SHARES) || PASS_SHARES > 0 /* not for kernels that do not scatter */
  mfft_pass_scatter scatter;
#endif
} mfft_pass_args;

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

/* An alarm in host memory, written by a kernel that has waited too long. */
typedef struct mfft_alarm {
  int rung, peer;
  const char *what; /* copied from the arguments; a host pointer */
} mfft_alarm;

enum { MFFT_SIGNAL_FLAGS = 128 };

/* One use of an mfft_signal (local/device.h); a launch has at most MFFT_SIGNAL_FLAGS of its flags. */
typedef struct mfft_signal_args {
  unsigned long long *counter;
  unsigned long long *flag[MFFT_SIGNAL_FLAGS]; /* [count] */
  int peer[MFFT_SIGNAL_FLAGS];                 /* [count] */
  int count, last;                             /* last: 1: the last launch of this use, which increments the counter */
  unsigned long long limit_ns;                 /* 0: none */
  mfft_alarm *alarm;
  const unsigned long long *failed; /* failure flag in host memory; NULL: none */
  const char *what;
} mfft_signal_args;

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

/* Loops around single numbers (local/reals.h), from the farthest neighbours to the nearest. */
enum { MFFT_NUMBER_LOOPS = 5, MFFT_ARRAY_THREADS = 256 };

/* White noise; loops of the batch and the axes, the caller's last axis being loop 3. */
typedef struct mfft_normal_args {
  void *out;
  unsigned long long n[4];
  long long stride[4]; /* strides in numbers */
  long long lo[4];     /* first global index of each loop; loop 3: of the first number, counted along the whole axis */
  int components;      /* contiguous numbers of an element of loop 3 */
  unsigned key[2];
  double deviation;
} mfft_normal_args;

/* White noise by wave number: complex numbers of a box, of which stride counts, in a plan of n points. */
typedef struct mfft_modes_args {
  void *out;
  unsigned long long extent[3];
  long long stride[3], lo[3], n[3];
  unsigned key[2];
  const double *deviation; /* [squares] */
  long long squares;
} mfft_modes_args;

/* c = beta c + alpha a b of numbers in the same places. */
typedef struct mfft_product_args {
  const void *a, *b;
  void *c;
  unsigned long long n[MFFT_NUMBER_LOOPS];
  long long stride[MFFT_NUMBER_LOOPS];
  unsigned long long count;
  double alpha, beta;
} mfft_product_args;

/* Sums of a block: limbs as in mfft_exact_sum, without carries; numbers of infinities, of NaNs and of all that are not
 * finite; index of the first of those in the order of the loops, or the largest integer; range of the finite numbers. */
enum { MFFT_SUM_LIMBS = 68, MFFT_SUM_TILE = 16 }; /* MFFT_SUM_TILE: numbers of a thread in a tile */
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
  unsigned long long count; /* number of all numbers */
  int squares;
  double centre, centre_rest;
} mfft_sums_args;

/* Rows, as mfft_rows; loops of the batch and the axes before the last. */
enum { MFFT_ROW_VECTORS_MOST = 8 };
typedef struct mfft_rows_args {
  void *array;
  const double *vector;         /* [vectors][length] */
  double *result;               /* [count][vectors + 2] */
  unsigned long long *checksum; /* [count] of base/checksum.h; NULL: none */
  unsigned long long first, count, length;
  unsigned long long n[3];
  unsigned long long index, weight[3]; /* index of the first number of all rows in the whole array; that from row to row */
  long long stride[3], step;           /* step: from number to number of a row */
  double shift[2], factor;
  int store, vectors;
} mfft_rows_args;

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

/* What stands before or behind a DFT that computes cosines or sines of real lines: between an array and lines in the
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

typedef struct mfft_twiddle_args_device {
  void *data;
  long long n[3], row0, col0, length;
} mfft_twiddle_args_device;

/* Particles on a mesh (local/particles.h).  Particles are sorted by tiles of 2^LOG own cells.  A block processes an item: at
 * most MFFT_PARTICLE_ITEM particles of one tile, so that tiles with many particles are shared by several blocks. */
enum {
  MFFT_PARTICLE_LOG_X = 3,
  MFFT_PARTICLE_LOG_Y = 3,
  MFFT_PARTICLE_LOG_Z = 5,
  MFFT_PARTICLE_THREADS = 256,
  MFFT_PARTICLE_SCAN_THREADS = 1024,
  MFFT_PARTICLE_SCAN_EACH = 4, /* tiles of a thread in a step of the scan */
  MFFT_PARTICLE_ITEM = 8192,
  MFFT_GATHER_FIELDS = 3, /* most fields of one launch */
  MFFT_PARTICLE_REACH = 2 /* cells on either side that a difference of four points reads */
};

/* Cells have indices relative to the first own cell.  A ghost cell is in the first rim whose axis it is beyond the own cells
 * of: rim 2a below, 2a + 1 above. */
typedef struct mfft_particle_cells {
  long long n[3], lo[3]; /* cells of the whole mesh; first own cell */
  int extent[3];         /* own cells */
  int tiles[3];
  long long stride[3]; /* elements of the own array */
  long long rim_start[6], rim_stride[6][3];
  double scale[3], shift; /* cells in a unit of length; position of mesh point 0 in cells */
} mfft_particle_cells;

/* Words that kernels change by atomics, all 0 at first. */
typedef struct mfft_particle_words {
  unsigned long long nonfinite, foreign; /* complement of the least index of such a particle or weight; 0: none */
  unsigned long long items;              /* of the sort */
  unsigned long long largest;            /* bits of the largest magnitude */
  unsigned long long total;              /* sum of integers modulo 2^64 */
  unsigned long long infinite;           /* number of cells */
  unsigned long long changes;            /* neighbours in a warp that are in different tiles */
} mfft_particle_words;

typedef struct mfft_particle_sort_args {
  mfft_particle_cells cells;
  const void *position[3];
  long long stride;
  int type;                   /* mfft_position_type */
  unsigned count, tile_count; /* count: at most 2^30 */
  unsigned *tile_particles;   /* [tile_count] */
  unsigned *start;            /* [tile_count + 1] */
  unsigned *rank;             /* [count] index of a particle among those of its tile; the largest integer: refused */
  unsigned *item;             /* [items][2] tile; number of the item in the tile */
  void *record;               /* [count][4] of 4 or 8 bytes: position, index in the list */
  mfft_particle_words *words;
} mfft_particle_sort_args;

typedef struct mfft_deposit_args {
  mfft_particle_cells cells;
  const unsigned *start, *item;
  const void *record;
  int type;
  const void *value; /* weight of the particle with index 0; NULL: all 1 */
  int value_double;
  long long value_stride;
  double to[2];                   /* factors from a weight to an integer */
  unsigned long long *own, *rims; /* NULL: shares of such cells are left out */
  long long own_start;            /* element of `own` that the first own cell has, or would have */
  int axis, lo, hi;               /* tiles that begin at own cells [lo, hi) of this axis are processed */
} mfft_deposit_args;

/* A deposit of particles that are not sorted. */
typedef struct mfft_direct_args {
  mfft_particle_cells cells;
  const void *position[3];
  long long stride;
  int type; /* mfft_position_type */
  unsigned count;
  const void *value; /* weights; NULL: all 1 */
  int value_double;
  long long value_stride;
  double to[2]; /* factors from a weight to an integer */
  unsigned long long *own, *rims;
  mfft_particle_words *words;
} mfft_direct_args;

typedef struct mfft_gather_args {
  mfft_particle_cells cells;
  const unsigned *start, *item;
  const void *record;
  int type;
  const void *own[MFFT_GATHER_FIELDS], *rims[MFFT_GATHER_FIELDS];
  void *value[MFFT_GATHER_FIELDS];
  int value_double[MFFT_GATHER_FIELDS], add[MFFT_GATHER_FIELDS];
  long long value_stride[MFFT_GATHER_FIELDS];
  int axis[MFFT_GATHER_FIELDS]; /* of differences of the first field, of which `cells` has the rims; -1: the field itself */
  double factor[MFFT_GATHER_FIELDS];
} mfft_gather_args;

/* Sums of own cells, from the slowest axis in memory to the fastest. */
typedef struct mfft_sums_of_cells_args {
  long long n[3], stride[3];
  const unsigned long long *sums;
  void *out;
  long long mean;
  double from[2]; /* factors from an integer to a weight */
  int single, add;
  mfft_particle_words *words;
} mfft_sums_of_cells_args;

typedef struct mfft_weights_args {
  const void *value;
  int value_double;
  long long value_stride;
  unsigned long long count;
  double unit[2]; /* or the factors from a weight to an integer */
  mfft_particle_words *words;
} mfft_weights_args;

/* Elements of a column into the sequence of a list of indices, or out of it; counted in words of 1, 4 or 8 bytes. */
typedef struct mfft_arrange_args {
  const void *record, *in; /* records of sorted particles, or a list of 32-bit indices */
  void *out;
  int type; /* mfft_position_type of the records */
  int word_bytes;
  unsigned words;           /* of an element */
  unsigned long long count; /* particles */
} mfft_arrange_args;

/* The particles of each rank (local/particles.h).  A warp takes consecutive particles, and has a row of the table: how many
 * of them each rank owns, then where the next of them goes in `order`. */
enum { MFFT_OWNERS_WARPS = MFFT_PARTICLE_THREADS / 32 }; /* in a block */
typedef struct mfft_owners_args {
  const void *position[3];
  long long stride;
  int type; /* mfft_position_type */
  int ranks;
  unsigned long long count; /* particles, at most 2^32 - 1 */
  long long n[3];
  double scale[3];
  const long long *edge[3]; /* [edges[axis]] */
  int edges[3];
  const int *rank;        /* [edges[0] - 1][edges[1] - 1][edges[2] - 1] */
  unsigned warps, *table; /* [warps][ranks] */
  unsigned *order;        /* [count] */
  mfft_particle_words *words;
} mfft_owners_args;

/* Kicks and drifts (mfft_motion.h): p = keep p + kick (g - pull . s), x += (drift p + growth . s)/length; and the terms of
 * energies, whose momentum is p + push . s.  A sum s of MFFT_MOTION_SUMS is made by the blocks with blockIdx.y = s. */
enum { MFFT_MOTION_BLOCKS = 128 }; /* most blocks of one sum */
typedef struct mfft_motion_args {
  unsigned long long count;
  unsigned long long *position[3];
  double *momentum[3];
  const double *force[3], *mass, *potential;   /* mass NULL: all 1 */
  const double *first[3], *second[3];          /* displacements s of LPT; NULL: none */
  double keep, kick, drift, lpt[2], length[3]; /* lpt: pull, growth or push */
  mfft_block_sums *result;                     /* [sums][blocks] */
} mfft_motion_args;

#endif
