/* mfft_spectrum.h: work on a spectrum: filters that are part of a transform, functions of |k|, and sums over shells.
 *
 * They work on the OUT array of a plan, the spectrum that forward writes and backward reads, local or distributed.  Their
 * functions of the wave number are made of tables of one axis each, indexed by the index k of the OUT array along that axis:
 * k = 0 to n - 1 of a whole axis, k = 0 to n/2 of the halved axis of an R2C plan.  The tables are in double precision, in
 * host memory, and belong to the caller.  They span whole axes on every rank, whatever part of the spectrum the rank holds.
 * The signed wave number of index k is m = k for k <= n/2, else k - n. */
#ifndef MFFT_SPECTRUM_H
#define MFFT_SPECTRUM_H

#include "mfft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Positions of modes in scrambled order ---------------------------------------------------------------------------
 *
 * The factors of a rank-1 plan by the four-step method (Bailey 1990): n = n1*n2, n1 <= n2 the divisors of n nearest to its
 * square root.  In scrambled order mode k1 + n1*k2 is at position k1*n2 + k2.  MFFT_ERR_ARG for plans of other ranks, and
 * for local plans in natural order. */
MFFT_API mfft_status mfft_plan_four_step(mfft_plan plan, int64_t *n1, int64_t *n2);

/* ---- Filters ---------------------------------------------------------------------------------------------------------
 *
 * A plan can multiply the spectrum by a function of the wave numbers as part of a transform: forward multiplies what it
 * writes, backward what it reads.  Backward leaves the caller's spectrum unchanged (unless the plan is in place or
 * allow_destroy_input is set), so that one forward transform serves several filtered backward ones.  The function is
 *
 *     value(k) = scale * i^quarter_turns * f0[k0] f1[k1] f2[k2] / (d0[k0] + d1[k1] + d2[k2])
 *
 * with tables f_a and d_a of each axis a, such as, in a periodic box with sides of length L_a:
 *
 *     Poisson's Green function   d_a[k] = (2 pi m / L_a)^2, scale = -1 (Hockney and Eastwood 1988)
 *     derivative along axis x    f0[k] = 2 pi m / L_0, quarter_turns = 1
 *     Gaussian smoothing         f_a[k] = exp(-(2 pi m s / L_a)^2 / 2)
 *     deconvolution              f_a[k] = 1 / window(k), the window of a mass assignment for one (Jing 2005)
 *
 * and all products of these.  Along an axis of cosines or sines (mfft_kind.h) index k stands for the wave number of its
 * definition: pi k / L for a DCT2, pi (k + 1) / L for a DST2 of n cells that fill the length L.  All arrays of a batch are
 * multiplied by the same function.  A filtered C2R transform needs a product with the symmetry of a real array's spectrum,
 * as without a filter: an odd derivative is zero at m = n/2.
 *
 * desc.filtered says at planning which directions may be filtered.  It may cost workspace, at most one array of the OUT
 * side.  One dimension in scrambled order cannot be filtered. */
typedef struct mfft_filter {
  size_t struct_size;       /* set by mfft_filter_init */
  const double *factor[3];  /* [axis][length of the OUT array along that axis] f; NULL: all 1 */
  const double *divisor[3]; /* [axis][likewise] d; NULL: all 0; three NULLs: no division */
  double scale;             /* [1] */
  double singular;          /* replaces f0 f1 f2 / (d0 + d1 + d2) if the divisor is 0 [0] */
  int quarter_turns;        /* 0 to 3: a factor 1, i, -1, -i; an R2R plan takes 0 and 2 [0] */
} mfft_filter;

/* Fills the filter with the defaults above: the function that is 1 everywhere.  Never fails. */
MFFT_API void mfft_filter_init_sized(mfft_filter *filter, size_t struct_size);
static inline void mfft_filter_init(mfft_filter *filter) { mfft_filter_init_sized(filter, sizeof(mfft_filter)); }

/* Sets the filter of a direction for all later executes; NULL removes it.  Copies the tables, on devices rounded to the
 * precision of the arithmetic.  Not collective, but all ranks must set the same filter.  Fast enough to be called between
 * executes; on a device it is ordered on the plan's stream and does not block.  Errors: MFFT_ERR_STATE if desc.filtered
 * lacks the direction, MFFT_ERR_ARG for a value that is not finite. */
MFFT_API mfft_status mfft_plan_set_filter(mfft_plan plan, mfft_direction direction, const mfft_filter *filter);

/* ---- Functions of |k| ------------------------------------------------------------------------------------------------
 *
 * Multiplies a spectrum by a function of the wave number's length that no product of tables of one axis has: a transfer
 * function, the square root of a power spectrum, a window.  It is given as a table in ln r and read by cubic interpolation:
 *
 *     r(k) = sqrt(r0[k0]^2 + r1[k1]^2 + r2[k2]^2)         r_i = lo (hi / lo)^(i / (count - 1)), 0 <= i < count
 *     value(k) = the cubic in ln r through the four values nearest r(k); at_zero where r(k) = 0
 *
 * A wave number below lo or above hi has the first or the last value.  The unit of r, lo and hi is the caller's. */
typedef struct mfft_radial {
  size_t struct_size;      /* set by mfft_radial_init */
  const double *radius[3]; /* [axis][length of the OUT array on that axis] r; NULL: all 0 */
  int64_t count;           /* values, at least 4 */
  const double *value;     /* [count] */
  double lo, hi;           /* r of the first and the last value, 0 < lo < hi */
  double at_zero;          /* [0] */
  int threads;             /* on host backends [0: as many as the plan has]; the bits are the same for any number */
} mfft_radial;

/* No values, and the defaults above.  Never fails. */
MFFT_API void mfft_radial_init_sized(mfft_radial *radial, size_t struct_size);
static inline void mfft_radial_init(mfft_radial *radial) { mfft_radial_init_sized(radial, sizeof(mfft_radial)); }

/* Multiplies this process's part of an OUT array, from `in` to `out` or in place (in == out), in the memory of the plan's
 * backend.  The value is computed in double, the product rounded once; host and device agree to a relative 1e-14.  Blocking:
 * waits for the plan's stream.  Not collective.  Errors: MFFT_ERR_ARG for what is said above and for values that are no
 * finite number, MFFT_ERR_UNSUPPORTED for one dimension in scrambled order and for plans with an axis of cosines
 * or sines. */
MFFT_API mfft_status mfft_plan_multiply_radial(mfft_plan plan, const mfft_radial *radial, const void *in, void *out);

/* ---- Shells ----------------------------------------------------------------------------------------------------------
 *
 * Sums of the power of a spectrum over shells of wave numbers, from which power spectra are computed:
 *
 *     r(k) = sqrt(r0[k0]^2 + r1[k1]^2 + r2[k2]^2)        w(k) = w0[k0] w1[k1] w2[k2]
 *     shell b: edge[b] <= r < edge[b + 1]                 sums of 1, r and w |X|^2 over its modes
 *
 * The unit of r and of the edges is the caller's, such as h/Mpc.  An R2C spectrum counts as the whole one: an element whose
 * mirror image is not stored counts twice.  Arrays of a batch are added up. */
typedef struct mfft_shells {
  size_t struct_size;      /* set by mfft_shells_init */
  int64_t count;           /* number of shells, at least 1 */
  const double *edge;      /* [count + 1] ascending */
  const double *radius[3]; /* [axis][length of the OUT array along that axis] r; NULL: all 0 */
  const double *weight[3]; /* [axis][likewise] w; NULL: all 1 */
} mfft_shells;

/* No shells, and the defaults above.  Never fails. */
MFFT_API void mfft_shells_init_sized(mfft_shells *shells, size_t struct_size);
static inline void mfft_shells_init(mfft_shells *shells) { mfft_shells_init_sized(shells, sizeof(mfft_shells)); }

/* Computes the sums over this process's part of an OUT array: `spectrum` is in the memory of the plan's backend, the sums in
 * host memory.  `modes` are exact; `radius` and `power` are sums in double whose order depends only on the plan's box and
 * the shells, so they are reproducible.  Blocking: waits for the plan's stream.  Not collective: the caller adds up over
 * ranks.  Errors: MFFT_ERR_ARG for edges that do not ascend and for values that are not finite, MFFT_ERR_UNSUPPORTED for one
 * dimension in scrambled order, and for plans with an axis of cosines or sines. */
MFFT_API mfft_status mfft_plan_shells(mfft_plan plan, const mfft_shells *shells, const void *spectrum,
                                      int64_t *modes /* [count] */, double *radius /* [count] */,
                                      double *power /* [count] */);

#ifdef __cplusplus
}
#endif
#endif
