/* mfft_array.h: white noise in, exact sums over, and products of, arrays of a plan and their rows, in host or device memory.
 *
 * The calls take the array of one side of a plan, MFFT_IN or MFFT_OUT, local or distributed, in the layout that an execute
 * requires, in the memory of the plan's backend.  All arrays of a batch are included.  The calls work on the numbers of the
 * array: real numbers, or the real and imaginary parts of complex numbers.  Precisions narrower than double are widened, the
 * arithmetic is in double, on long double in that, and a stored result is rounded once.
 *
 * All calls are blocking: they wait for the plan's stream and are complete when they return.  None is collective: each
 * process works on its part, and the caller combines results over processes.  Errors of all: MFFT_ERR_ARG for a NULL pointer
 * and for numbers that are not finite, MFFT_ERR_STATE if the plan runs in another thread, MFFT_ERR_MEMORY, MFFT_ERR_CUDA.
 *
 * On host backends `threads` threads share the work [0: as many as the plan has]; results have the same bits for any
 * number. */
#ifndef MFFT_ARRAY_H
#define MFFT_ARRAY_H

#include "mfft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- White noise -----------------------------------------------------------------------------------------------------
 *
 * Independent numbers of a normal distribution of mean 0, as used for Gaussian initial conditions.  Each is a function of
 * the seed and the global indices of its element alone, to the last bit, whatever the number of processes, the process grid,
 * the layout and the backend: Philox4x32-10 (Salmon, Moraes, Dror and Shaw, SC11) and the transform of Box and Muller
 * (1958), in operations that all processors round alike.  Magnitudes are below 8.6 standard deviations.
 *
 * Numbers 2 j and 2 j + 1 along the last axis are the cosine and the sine of the pair that Philox makes from the key `seed`
 * and the counter (j, index on the axis before, index on the axis before that, array of the batch); a complex number is such
 * a pair.  MFFT_ERR_UNSUPPORTED for a length above 2^32. */
typedef struct mfft_normal {
  size_t struct_size; /* set by mfft_normal_init */
  uint64_t seed;      /* [0] */
  double deviation;   /* standard deviation of each number, rounded after the noise is multiplied by it [1] */
  int threads;        /* [0] */
} mfft_normal;

MFFT_API void mfft_normal_init_sized(mfft_normal *normal, size_t struct_size);
static inline void mfft_normal_init(mfft_normal *normal) { mfft_normal_init_sized(normal, sizeof(mfft_normal)); }

/* Fills this process's part of the array; memory between the elements of a strided layout is not changed.  normal = NULL:
 * the defaults. */
MFFT_API mfft_status mfft_plan_fill_normal(mfft_plan plan, mfft_side side, const mfft_normal *normal, void *array);

/* ---- White noise by wave number -----------------------------------------------------------------------------------------
 *
 * Modes of a Gaussian random field, each a function of the seed and its wave number m alone, to the last bit on every
 * backend: a finer mesh has all waves of a coarser one.  Mode m, of rms deviation[m.m], is the pair that Philox makes from
 * the key `seed` and the counter (m2, m1, m0, 1), over sqrt(2); mode -m is its conjugate.  Modes with m = 0, at n/2 of an
 * even n, and those beyond the table are 0. */
typedef struct mfft_mode_noise {
  size_t struct_size;      /* set by mfft_mode_noise_init */
  uint64_t seed;           /* [0] */
  const double *deviation; /* [squares] host memory: the root mean square of |mode| by m.m */
  int64_t squares;         /* [0] */
  int threads;             /* [0] */
} mfft_mode_noise;

MFFT_API void mfft_mode_noise_init_sized(mfft_mode_noise *noise, size_t struct_size);
static inline void mfft_mode_noise_init(mfft_mode_noise *noise) {
  mfft_mode_noise_init_sized(noise, sizeof(mfft_mode_noise));
}

/* Fills this process's part of the OUT array of an R2C plan of rank 3; MFFT_ERR_UNSUPPORTED for other plans. */
MFFT_API mfft_status mfft_plan_fill_modes(mfft_plan plan, const mfft_mode_noise *noise, void *array);

/* ---- Products of arrays -------------------------------------------------------------------------------------------------
 *
 * c = beta c + alpha a b for each number of three arrays of one side, a and b being the same array or two; c may be one of
 * them.  With beta = 0 the values of c are not read.  On a complex side real parts meet real parts, and imaginary parts
 * imaginary parts: a spectrum is scaled mode by mode by an array that has each factor twice. */
MFFT_API mfft_status mfft_plan_multiply_add(mfft_plan plan, mfft_side side, double alpha, const void *a, const void *b,
                                            double beta, void *c);

/* ---- Exact sums ------------------------------------------------------------------------------------------------------
 *
 * A sum of doubles as a fixed-point number wide enough for any of them: the small superaccumulator of R. M. Neal (Fast
 * exact summation using small and large superaccumulators, arXiv:1505.05571, 2015).  The sum is never rounded, and thus
 * does not depend on the order of its terms, the number of processes or threads, or the backend.  A zeroed struct is the
 * sum 0. */
enum { MFFT_EXACT_LIMBS = 68 }; /* 2098 bits hold all finite doubles, the rest sums of 2^64 of them */
enum { MFFT_EXACT_NUMBERS = MFFT_EXACT_LIMBS + 3 };
typedef struct mfft_exact_sum {
  int64_t limb[MFFT_EXACT_LIMBS]; /* the sum is that of limb[i] 2^(32 i - 1074) over i */
  int64_t infinite[2], nan;       /* numbers of infinities, [positive, negative], and of NaNs added */
  int pending;                    /* additions since carries were last propagated */
} mfft_exact_sum;

MFFT_API void mfft_exact_add(mfft_exact_sum *sum, const double *values /* [count] */, int64_t count);
MFFT_API void mfft_exact_merge(mfft_exact_sum *sum, const mfft_exact_sum *other); /* sum += other */

/* Propagates carries: every limb but the last is then in [0, 2^32), which makes the representation unique, and pending is 0.
 * The first MFFT_EXACT_NUMBERS 64-bit integers of up to 2^30 such sums may be added one by one, for example by MPI_SUM. */
MFFT_API void mfft_exact_carry(mfft_exact_sum *sum);

/* The double nearest to the sum, and in *rest the remainder, rounded to a double; infinite or NaN (and *rest 0) if such
 * values were added or the sum exceeds the range of a double.  rest may be NULL. */
MFFT_API double mfft_exact_value(const mfft_exact_sum *sum, double *rest);

/* The same for the sum divided by `count` < 2^53, also where the sum alone exceeds the range.  The relative error of the
 * mean and its rest is about 2^-100, and more below 1e-290, where rests underflow. */
MFFT_API double mfft_exact_mean(const mfft_exact_sum *sum, double count, double *rest);

/* ---- Sums over an array ----------------------------------------------------------------------------------------------
 *
 * The terms are the numbers x, or their squares about a centre, ((x - centre) - centre_rest)^2, each operation rounded to
 * double, or to long double.  A long double is added exactly too; one beyond the range of a double counts as infinite.  With
 * the mean and its rest from mfft_exact_mean this gives a variance without cancellation. */
typedef struct mfft_sums {
  size_t struct_size;         /* set by mfft_sums_init */
  int squares;                /* 1: squares about the centre [0] */
  double centre, centre_rest; /* [0] */
  int threads;                /* [0] */

  /* Results of mfft_plan_sums: */
  mfft_exact_sum sum; /* the exact sum; carries are propagated */
  double min, max;    /* of the finite numbers x; INFINITY and -INFINITY if there are none */
  int64_t count;      /* number of terms */
  int64_t nonfinite;  /* how many of them are infinite or NaN */
  int64_t first[4];   /* [batch, axis] global indices of an element with such a number; -1: none */
} mfft_sums;

MFFT_API void mfft_sums_init_sized(mfft_sums *sums, size_t struct_size);
static inline void mfft_sums_init(mfft_sums *sums) { mfft_sums_init_sized(sums, sizeof(mfft_sums)); }

/* Sums up this process's part of the array, which is read once.  If several numbers are not finite, `first` is the one at
 * the lowest address. */
MFFT_API mfft_status mfft_plan_sums(mfft_plan plan, mfft_side side, const void *array, mfft_sums *sums);

/* ---- Rows of a real array --------------------------------------------------------------------------------------------
 *
 * A row is what this process has of the array along the last axis of the descriptor.  Rows are counted in C order of the
 * batch and the axes before the last, from the first of this process.  In one pass over `count` rows every number x becomes
 *
 *     y = ((x - shift[0]) - shift[1]) * factor,   each operation rounded to double, or to long double,
 *
 * which is stored or not, and each row is multiplied by vectors.  With the mean and its rest as `shift` this removes the
 * mean; with random vectors it projects an array that is far too large to be copied to the host.
 *
 * The results of a row depend on its numbers and the vectors alone: not on the number of threads, on `first` and `count`,
 * or, if rows are whole, on the number of processes.  Backends add up the numbers of a row in different order. */
enum { MFFT_ROWS_VECTORS = 8 }; /* the largest number of vectors */
typedef struct mfft_rows {
  size_t struct_size;          /* set by mfft_rows_init */
  int64_t first, count;        /* rows [0, 0] */
  double shift[2], factor;     /* [0, 0, 1] */
  int store;                   /* 1: y, rounded to the precision of the array, replaces x [0] */
  int vectors;                 /* [0] */
  const double *const *vector; /* [vectors] host memory, each [length of the whole last axis] */
  int threads;                 /* [0] */
  double *result;              /* [count][vectors + 2] host memory */
  uint64_t *checksum;          /* [count] host memory [NULL: none] */
} mfft_rows;

MFFT_API void mfft_rows_init_sized(mfft_rows *rows, size_t struct_size);
static inline void mfft_rows_init(mfft_rows *rows) { mfft_rows_init_sized(rows, sizeof(mfft_rows)); }

/* Writes for each row: the products of its numbers, as the array has them afterwards, with the vectors; the sum of the
 * squares of y; the largest magnitude of its numbers as the array has them afterwards, INFINITY if one is infinite or NaN.
 * checksum: also that of the bits of its numbers, as the array has them afterwards, by the formula of docs/field-format.md
 * with the indices of the numbers in the whole array in C order, the batch before the axes.  Added modulo 2^64 over all rows
 * of all processes it is mfft_field_put_checksum() of a file that stores the array of one batch in its precision; numbers of
 * 16 bits count as those of 32.
 * MFFT_ERR_UNSUPPORTED for the complex side of a transform, and for checksums of long double; MFFT_ERR_ARG for rows that
 * this process does not have. */
MFFT_API mfft_status mfft_plan_rows(mfft_plan plan, mfft_side side, void *array, const mfft_rows *rows);

#ifdef __cplusplus
}
#endif
#endif
