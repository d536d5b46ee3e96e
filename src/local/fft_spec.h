/* fft_spec.h: one strided, batched transform as a backend gets it, in the form of FFTW's guru interface: a tensor of
 * transformed axes and a tensor of loops around them. */
#ifndef MFFT_LOCAL_FFT_SPEC_H
#define MFFT_LOCAL_FFT_SPEC_H

#include "base/precision.h"
#include "local/filter_shape.h"
#include "mfft.h"

enum { MFFT_MAX_LOOPS = 4 }; /* the batch and up to three axes that are not transformed */

/* One dimension: length, and strides of input and output in elements of that array. */
typedef struct mfft_dim {
  int64_t n, is, os;
} mfft_dim;

/* Joins each of dim[dims], outer to inner, with the one before it where that one's strides are those that follow from it on
 * both sides.  Returns how many are left. */
static inline int mfft_join_dims(mfft_dim *dim, int dims) {
  int joined = 0;
  for (int i = 0; i < dims; i++) {
    const mfft_dim inner = dim[i];
    mfft_dim *outer = joined ? &dim[joined - 1] : 0;
    if (outer && outer->is == inner.n * inner.is && outer->os == inner.n * inner.os)
      *outer = (mfft_dim){outer->n * inner.n, inner.is, inner.os};
    else
      dim[joined++] = inner;
  }
  return joined;
}

/* One direction of one local transform.  C2R and R2C halve the last axis: axis[naxes-1].n is the logical (real) length,
 * and the complex side has n/2 + 1 elements.  R2R has real elements on both sides. */
typedef enum mfft_fft_type { MFFT_FFT_C2C = 0, MFFT_FFT_R2C = 1, MFFT_FFT_C2R = 2, MFFT_FFT_R2R = 3 } mfft_fft_type;

/* Real numbers in an element of the input or the output of a transform. */
static inline int mfft_fft_parts(mfft_fft_type type, int output) {
  return type == MFFT_FFT_R2R || type == (output ? MFFT_FFT_C2R : MFFT_FFT_R2C) ? 1 : 2;
}

/* The tables of a filter: MFFT_FILTER_HEAD doubles, then pairs of real numbers, f and d of each index, axis by axis; doubles
 * for double precision and in host memory, else floats.  The positions of its shape (local/filter_shape.h) count pairs. */
enum { MFFT_FILTER_SCALE = 0, MFFT_FILTER_SINGULAR, MFFT_FILTER_ODD, MFFT_FILTER_HEAD = 8 };
typedef enum mfft_filtered {
  MFFT_FILTER_NONE = 0,
  MFFT_FILTER_INPUT,
  MFFT_FILTER_OUTPUT,
  MFFT_FILTER_BETWEEN /* of a convolved spec; the filter has the strides of the input, and all elements of the axis */
} mfft_filtered;

/* A C2C of one axis forward, times factors, and backward, as one transform; the result is multiplied by `scale`.
 * BY_ARRAY: fft->factors is an array with one factor for each element of the input, with its strides, those of loops over a
 *   batch included.
 * BY_CONJUGATE: the factors are the conjugates of such an array.
 * BY_FILTER: the factors are the filter of MFFT_FILTER_BETWEEN.
 * The transform may be in place, out of place or scattered.  With `given`, which is in place only, so many elements of the
 * axis are loaded and stored; the others are zeros. */
typedef enum mfft_convolved {
  MFFT_CONVOLVED_NOT = 0,
  MFFT_CONVOLVED_BY_ARRAY,
  MFFT_CONVOLVED_BY_CONJUGATE,
  MFFT_CONVOLVED_BY_FILTER,
  MFFT_CONVOLVED_KINDS /* the number of kinds */
} mfft_convolved;

/* A scattered output: the last pass stores into `count` separate arrays, possibly in memory of peers.  The index along
 * one output axis, of length n, decides: share s has the indices from mfft_part(n, s, count) on (base/box.h), and strides
 * of its own. */
enum { MFFT_MAX_SHARES = 16 };
typedef struct mfft_scatter {
  int count;                                           /* 0: the output is one array */
  int axis;                                            /* index in mfft_fft_spec.axis */
  int64_t stride[MFFT_MAX_SHARES][3 + MFFT_MAX_LOOPS]; /* [count][naxes, then nloops] elements */
} mfft_scatter;

/* Half the width without an extra pass: the first pass reads complex numbers of half their width, or the last pass stores
 * them into the shares of a scattered output.  Strides count elements as ever. */
typedef enum mfft_wired { MFFT_WIRED_INPUT = 1, MFFT_WIRED_SHARES = 2 } mfft_wired;

/* How a thread block of register butterflies is shaped, for trials; 0: the backend chooses. */
enum { MFFT_TRIAL_MERGES = 6 };
typedef struct mfft_block_trial {
  int rank;     /* chain of merges: 1 is the one of least estimated cost, 2 the next */
  int threads;  /* most threads of a block */
  int prefetch; /* 1 + distance of prefetching, in blocks of each multiprocessor */
  int last_use; /* bits, beside a prefetch: contiguous complex lines are loaded (1), stored (2) with the cache hint "last
                   use" */
  int staging;  /* 1 + bits: contiguous lines are loaded (1), stored (2) through shared memory */
  int segment;  /* bytes of adjacent strided lines that a block takes */
  int compact;  /* 1: without a bound of registers; 2: with one */
  int early;    /* 1: twiddles of a merge are loaded before the exchange that precedes it; 2: after its butterflies;
                   3: those of all merges but the first are copied to shared memory */
  int products; /* 1 + how many twiddles are products (mfft_products) */
  int radix[MFFT_TRIAL_MERGES]; /* [merges, then 0] the chain of merges itself, in place of a rank */
  int line_threads, lines;      /* threads of a line of that chain, and lines of a block */
  int blocks;                   /* blocks of a multiprocessor for which registers are bounded, in place of `compact` */
  /* The passes that are shaped so, where not all are. */
  int n;       /* of lines of this length; 0: any */
  int strided; /* 1: contiguous lines; 2: strided ones */
  int reach;   /* 1: of parts that stay in the cache; 2: of the whole array */
} mfft_block_trial;

typedef struct mfft_fft_spec {
  mfft_fft_type type;
  mfft_direction direction; /* sign of the exponent; R2C is always forward, C2R always backward */
  mfft_precision precision;
  double scale;                  /* factor of the result, applied in the arithmetic of the transform; 1: none */
  double scale_rest;             /* long double: what the factor has beyond `scale` (mfft_fft_scale); else 0 */
  int naxes;                     /* 1 to 3 */
  mfft_dim axis[3];              /* [naxes] slow to fast, except that a halved axis is always the last */
  mfft_axis_kind kind[3];        /* [naxes] the kind that this direction computes; R2R: none is MFFT_DFT */
  int64_t given[3];              /* [naxes] elements that exist, see mfft_fft_length; 0: all */
  int nloops;                    /* 0 to MFFT_MAX_LOOPS */
  mfft_dim loop[MFFT_MAX_LOOPS]; /* [nloops] outer to inner */
  int in_place;                  /* in == out at execution; the layouts allow it (see plan/plan_local.c) */
  int destroy_input;             /* an out-of-place transform may overwrite its input */
  mfft_effort effort;
  double deadline; /* end of timing candidates, by mfft_now; 0: limited by the effort only */
  int threads;
  mfft_compute compute;
  int reproducible;  /* 1: the bits of a line depend on its own values alone, if the backend reproduces */
  int64_t scrambled; /* see mfft_backend.scrambles: n1 of the output (forward) or input (backward); 0: natural order */

  /* Parameters for trials of a backend with thread block clusters; 0: the backend chooses. */
  int cluster;        /* thread blocks of the cluster that holds a transform; -1: no clusters */
  int cluster_values; /* elements that a thread holds */
  int cluster_first;  /* length of the first of the two transforms that make a long line */
  int columns;        /* thread blocks of a cluster that holds as many long lines as fill a memory segment; -1: none */
  int64_t tile_bytes; /* shared memory of a thread block in which `cluster` blocks merge 16-bit lines in place; -1: none */
  int tile_double_buffered; /* 1: a second buffer is loaded while the first one is merged */
  int64_t part_bytes; /* bytes of a part of a long axis that stays in the cache between passes; 0: by the device; -1: none */
  int part_alone;     /* length of the pass of a long line that runs over the whole array instead of part by part */
  mfft_block_trial block;
  /* The half spectra between the passes of a C2R that preserves its input are in the workspace (-1), in the output but for
   * their ends (1), or where the backend chooses (0). */
  int preserved_between;

  /* The inter-pass twiddle, for one of the axes into which a backend factors a long one: 1 + index of the loop over lines
   * l of m; result k is multiplied by exp(sign 2 pi i k l / (n m)).  0: none. */
  int twiddle_loop;
  int64_t twiddle_lines; /* m; the loop may be a part of it */

  /* For the phases of a long real axis (local/cuda/planner/long_lines.c).  pairs: the complex numbers of the input (1) or
   * the output (2) are pairs of real numbers, with the alignment of a real number; 0: none.  piece: the transform is only
   * the pass of an even real axis that reads or writes the half spectrum, of this many elements, and the other side has
   * packed complex numbers; 0: a whole transform. */
  int pairs;
  int64_t piece;

  int in_pairs; /* 1: a real line alone is transformed as one of a pair, as others of its array are
                   (local/cuda/planner/bluestein.h) */
  struct {
    int64_t here, usual; /* of the last part of a loop, which has fewer indices: its own, and those of the other parts, by
                            which blocks are chosen, so that all parts have the same merges; 0: it is no such part */
  } rest;

  /* The elements 0 and n/2 that the pass over the rows of a C2R takes from an array of their own, the ends
   * (local/cuda/planner/preserved_input.h): 1: the input has elements 0 to n/2 - 1 of the half spectrum; 2: elements 1 to
   * n/2 - 1; 0: all, and there are no ends. */
  int ends;

  /* A C2C of planes y, z whose rows are those of a half spectrum along x, for a backend that begins an R2C with its slow
   * axis (local/cuda/planner/slow_reals.h): elements 0 to n/2 of each row (x, y) of the result are stored there, and the
   * conjugates of elements n/2 to n of it as elements n/2 to 0 of row (-x, -y).  n: planes of the whole array, and their
   * distance; first: the first of the planes of the last loop.  n 0: none of that. */
  struct {
    int64_t n, stride, first;
  } mirrored_planes;

  /* A DFT that computes cosines or sines of lines of the arrays, which are of real numbers, as do all strides: the kind
   * (local/cuda/planner/trigonometric.h); the length of the one axis is that of the DFT.  MFFT_DFT: none of that. */
  mfft_axis_kind trigonometric;
  int64_t line_pair[2]; /* distance of the two lines of a pair in the input and output; 0: lines are transformed singly */

  /* If the backend fuses: the array that is read or written is multiplied by a filter, whose shape is that of this array. */
  mfft_filtered filtered;
  mfft_filter_shape filter;

  mfft_convolved convolved; /* if the backend convolves; MFFT_ERR_UNSUPPORTED if it does not fit in one pass */

  mfft_scatter scatter; /* if the backend can; `out` with its strides then holds intermediate results */

  int wire; /* mfft_wired, or both; if the backend fuses them */

  const char *radices[3]; /* [naxes] radices of an axis as in mfft_options, up to an x; NULL: the backend chooses */
} mfft_fft_spec;

/* Return and set the factor of the result. */
static inline long double mfft_fft_scale(const mfft_fft_spec *s) { return (long double)s->scale + s->scale_rest; }
static inline void mfft_fft_set_scale(mfft_fft_spec *s, double scale, double rest) {
  s->scale = scale;
  s->scale_rest = rest;
}

/* Whether an axis is one of cosines or sines. */
static inline int mfft_fft_has_kinds(const mfft_fft_spec *s) {
  for (int a = 0; a < s->naxes; a++)
    if (s->kind[a] != MFFT_DFT) return 1;
  return 0;
}

/* Whether zeros follow the elements of an axis (forward), or the last ones are not wanted (backward). */
static inline int mfft_fft_pads(const mfft_fft_spec *s) { return s->given[0] || s->given[1] || s->given[2]; }

/* Elements along axis a in memory, of the input or of the output.  R2C and C2R halve the last axis of the complex side.  If
 * an axis has `given` elements, the input of a forward transform has this many and zeros are appended, and the output of a
 * backward transform has the first ones of its result.  Such a transform works in place only if it has one axis, with the
 * same strides on both sides. */
static inline int64_t mfft_fft_length(const mfft_fft_spec *s, int a, int output) {
  const int halved = s->type == (output ? MFFT_FFT_R2C : MFFT_FFT_C2R) && a == s->naxes - 1;
  if (s->given[a] && output == (s->direction == MFFT_BACKWARD)) return s->given[a];
  return halved ? s->axis[a].n / 2 + 1 : s->axis[a].n;
}

#endif
