/* mfft_spectrum.h: work on a spectrum: filters that are part of a transform, and sums over shells of wave numbers.
 *
 * Both work on the OUT array of a plan, the spectrum that forward writes and backward reads, local or distributed.  Their
 * functions of the wave number are made of tables of one axis each, indexed by the index k of the OUT array along that axis:
 * k = 0 to n - 1 of a whole axis, k = 0 to n/2 of the halved axis of an R2C plan.  The tables are in double precision, in
 * host memory, and belong to the caller.  They span whole axes on every rank, whatever part of the spectrum the rank holds.
 * The signed wave number of index k is m = k for k <= n/2, else k - n.
 */
#ifndef MFFT_SPECTRUM_H
#define MFFT_SPECTRUM_H

#include "mfft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Where modes lie in scrambled order ------------------------------------------------------------------------------
 *
 * The factors of a rank-1 plan in four steps (Bailey 1990): n = n1*n2, n1 <= n2 the divisors nearest its square root.  In
 * scrambled order mode k1 + n1*k2 lies at position k1*n2 + k2.  MFFT_ERR_ARG for plans of other ranks, and for local ones in
 * natural order. */
MFFT_API mfft_status mfft_plan_four_step(mfft_plan plan, int64_t *n1, int64_t *n2);

/* ---- Filters ---------------------------------------------------------------------------------------------------------
 *
 * A plan can multiply the spectrum by a function of the wave numbers as part of a transform: forward multiplies what it
 * writes, backward what it reads.  Backward leaves the caller's spectrum unchanged (unless the plan is in place or
 * allow_destroy_input is set), so that one forward transform serves several filtered backward ones.  The function is
 *
 *     value(k) = scale * i^turns * f0[k0] f1[k1] f2[k2] / (d0[k0] + d1[k1] + d2[k2])
 *
 * with tables f_a and d_a of each axis a, such as, in a periodic box with sides of length L_a:
 *
 *     Poisson's Green function   d_a[k] = (2 pi m / L_a)^2, scale = -1 (Hockney and Eastwood 1988)
 *     derivative along axis x    f0[k] = 2 pi m / L_0, turns = 1
 *     Gaussian smoothing         f_a[k] = exp(-(2 pi m s / L_a)^2 / 2)
 *     deconvolution              f_a[k] = 1 / window(k), the window of a mass assignment for one (Jing 2005)
 *
 * and all products of these.  All arrays of a batch are multiplied by the same function.  A filtered C2R transform wants a
 * product with the symmetry of a real array's spectrum, as without a filter: an odd derivative is zero at m = n/2.
 *
 * desc.filtered says at planning which directions may be filtered.  It may cost workspace, at most one array of the OUT
 * side.  One dimension in scrambled order cannot be filtered. */
typedef struct mfft_filter {
  size_t struct_size;       /* set by mfft_filter_init */
  const double *factor[3];  /* [axis][length of the OUT array on that axis] f; NULL: all 1 */
  const double *divisor[3]; /* [axis][the same] d; NULL: all 0; three NULLs: nothing is divided */
  double scale;             /* [1] */
  double singular;          /* what stands for f0 f1 f2 / (d0 + d1 + d2) where the divisor is 0 [0] */
  int turns;                /* 0 to 3: multiply by 1, i, -1, -i [0] */
} mfft_filter;

/* Fills the filter with the defaults above: the function that is 1 everywhere.  Never fails. */
MFFT_API void mfft_filter_init_sized(mfft_filter *filter, size_t struct_size);
static inline void mfft_filter_init(mfft_filter *filter) { mfft_filter_init_sized(filter, sizeof(mfft_filter)); }

/* Gives a direction its filter, for every execute from now on; NULL takes it away, as at the beginning.  Copies the tables,
 * rounded to the precision of the arithmetic on devices.  Not collective, but all ranks must give the same filter.  Cheap
 * enough to be called between executes; on a device it is ordered on the plan's stream and does not block.  Errors:
 * MFFT_ERR_STATE where desc.filtered lacks the direction, MFFT_ERR_ARG for a value that is no finite number. */
MFFT_API mfft_status mfft_plan_set_filter(mfft_plan plan, mfft_direction direction, const mfft_filter *filter);

/* ---- Shells ----------------------------------------------------------------------------------------------------------
 *
 * Sums of the power of a spectrum over shells of wave numbers, of which power spectra are made:
 *
 *     r(k) = sqrt(r0[k0]^2 + r1[k1]^2 + r2[k2]^2)        w(k) = w0[k0] w1[k1] w2[k2]
 *     shell b: edge[b] <= r < edge[b + 1]                 sums of 1, r and w |X|^2 over its modes
 *
 * The unit of r and of the edges is the caller's, such as h/Mpc.  An R2C spectrum counts as the whole one: an element whose
 * mirror image is not stored counts twice.  Arrays of a batch are added up. */
typedef struct mfft_shells {
  size_t struct_size;      /* set by mfft_shells_init */
  int64_t count;           /* shells, at least 1 */
  const double *edge;      /* [count + 1] ascending */
  const double *radius[3]; /* [axis][length of the OUT array on that axis] r; NULL: all 0 */
  const double *weight[3]; /* [axis][the same] w; NULL: all 1 */
} mfft_shells;

/* No shells, and the defaults above.  Never fails. */
MFFT_API void mfft_shells_init_sized(mfft_shells *shells, size_t struct_size);
static inline void mfft_shells_init(mfft_shells *shells) { mfft_shells_init_sized(shells, sizeof(mfft_shells)); }

/* Fills the sums over this process's part of an OUT array: `spectrum` lies in the memory of the plan's backend, the sums in
 * host memory.  `modes` are exact; `radius` and `power` are sums in double whose order depends on the plan's box and the
 * shells alone, so that they are the same every time.  Blocking: waits for the plan's stream.  Not collective: add up over
 * ranks.  Errors: MFFT_ERR_ARG for edges that do not ascend and values that are no finite number, MFFT_ERR_UNSUPPORTED for
 * one dimension in scrambled order. */
MFFT_API mfft_status mfft_plan_shells(mfft_plan plan, const mfft_shells *shells, const void *spectrum,
                                      int64_t *modes /* [count] */, double *radius /* [count] */,
                                      double *power /* [count] */);

#ifdef __cplusplus
}
#endif
#endif
