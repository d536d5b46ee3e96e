/* poisson_solver.h: laplacian(phi) = c F (rho - mean) on a mesh over all ranks, periodic, between walls or open, and
 * force = -gradient(phi), by one forward transform and one backward transform for each output.  The force along an axis with
 * walls has a plan of its own (wall.h), that along an open axis a kernel of its own (open.h).
 *
 *     create;  sweep rho into mfft_poisson_field();  centre;  source;
 *     output(-1): phi is in the field, to be written and inspected (inspect.h);  output(0): force_x;  ...;  verify
 *
 * The plan applies Green function, filter and gradient as its own filter, so that the spectrum of the source is never
 * rewritten.
 *
 * Memory of a rank, in local arrays of the precision of the field (a real array and a half spectrum are one array each):
 * the field, the spectrum, and the plan's workspace of at most one array, or two with a gradient; with a gradient and open
 * axes also the product of the spectrum and a kernel, and what wall.h and open.h need.  With a gradient in host memory there
 * is a second field if memory suffices, so that one output is written while the next one is computed.  If the plan takes
 * device memory, all of these are on the device, and the host accesses the field through two buffers (io/sweep.h).  16-bit
 * fields are read and written through an array of singles on the host.
 *
 * 16-bit transforms are scaled by 1/sqrt(N) in both directions, and source and outputs are scaled such that neither a
 * single plane wave of the spectrum nor a single cell can overflow: |x| <= rms sqrt(N) on both sides. */
#ifndef MFFT_APPS_POISSON_SOLVER_H
#define MFFT_APPS_POISSON_SOLVER_H

#include "io/sweep.h"
#include "mfft_mpi.h"
#include "poisson/greens.h"
#include "poisson/open.h"
#include "poisson/residual.h"
#include "poisson/wall.h"

typedef struct mfft_poisson_options {
  mfft_greens_spec greens;
  double coefficient;         /* c */
  mfft_open_kind open_kernel; /* Green function of open boundaries */
  int check;                  /* 1: project the source and phi, for the residual */
  mfft_sweep_options sweep;
  int buffered;  /* as in mfft_swept_create */
  int one_array; /* 1: no second field; kernels of open axes not in memory of a GPU (open.h) */
  int outline;   /* 1: make the plan and count the bytes of the arrays, but allocate none */
} mfft_poisson_options;

typedef struct mfft_poisson_moments mfft_poisson_moments; /* solver_pass.h */

typedef struct mfft_poisson {
  mfft_poisson_options options;
  mfft_precision precision; /* of the transforms */
  mfft_plan plan;
  mfft_box box, modes; /* this rank's box of the field and of its spectrum */
  mfft_greens greens;
  mfft_open open;   /* open boundaries only, otherwise zeros */
  mfft_walls walls; /* walls with a gradient only, otherwise zeros; they own the spectrum */
  mfft_residual residual;
  mfft_swept real; /* the field */
  void *spectrum;  /* in memory of the plan */
  void *product;   /* [modes] what an output of open boundaries is made of; NULL: the spectrum */
  void *spare;     /* [real.bytes] second field, exchanged with the first by mfft_poisson_swap_arrays; NULL: none */
  int device;      /* 1: the plan takes device memory */
  float *wide;     /* [cells of box] a 16-bit field as singles; NULL for other precisions */
  mfft_swept wide_field;
  size_t bytes;                            /* bytes of all arrays and the workspace of this rank */
  size_t host_bytes;                       /* the part of `bytes` in host memory if the plan takes device memory */
  double cells;                            /* cells of the whole mesh */
  double points;                           /* factor of a forward and a backward transform together */
  double mean, rms;                        /* mean of the source as read, and its rms without that mean */
  double rounding;                         /* largest rounding error of the file for values as large as the mean */
  int uniform;                             /* 1: the source varies by rounding alone, and has been set to 0 */
  double source_scale;                     /* the transformed array is the source times this factor */
  double phi_rms;                          /* rms of phi / |c| */
  double open_s;                           /* seconds in which the kernels of open axes were made; 0: there are none */
  double power[4];                         /* [axis + 1] sum of squares of each 16-bit output before it is scaled */
  mfft_projection source_share, phi_share; /* this rank's projections, in the units of the field */
} mfft_poisson;

/* Makes the plan, the arrays and the Green function.  desc: only the precision is used; how: options of the plan.
 * Collective over all ranks.  destroy accepts half-built and zeroed objects. */
mfft_status mfft_poisson_create(const mfft_poisson_options *options, const mfft_desc *desc, const mfft_options *how,
                                mfft_poisson *poisson);
void mfft_poisson_destroy(mfft_poisson *poisson);

/* Prepares the solver for another field of the same mesh and precision, with another coefficient. */
void mfft_poisson_reset(mfft_poisson *poisson, double coefficient);

/* The array of the field on this rank, for sweeps: first the source, later an output.  Single or double precision. */
mfft_swept *mfft_poisson_field(mfft_poisson *poisson, mfft_precision *precision);

/* Subtracts left[0] + left[1] from the field and measures the rms of the result.  The two numbers are the mean, except for
 * walls where phi is 0; two are needed so that the differences keep their digits however large the mean is.  mean, stored:
 * the mean of the field and the precision of its file; a field that varies by no more than the rounding of values as large
 * as its mean is set to 0 (poisson->uniform).  The coefficient may still be changed afterwards.  Collective; once. */
mfft_status mfft_poisson_centre(mfft_poisson *poisson, double mean, const double left[2], mfft_precision stored);

/* Transforms the centred field.  Collective; once, after mfft_poisson_centre. */
mfft_status mfft_poisson_source(mfft_poisson *poisson);

/* Computes an output into the field: axis -1 is phi, 0 to 2 a component of the force (with a gradient only).  Without a
 * gradient this destroys the spectrum, so that phi can be computed once.  Collective. */
mfft_status mfft_poisson_output(mfft_poisson *poisson, int axis);

/* Exchanges the field and the second field, so that an output can be written from one while the next is computed into the
 * other. */
void mfft_poisson_swap_arrays(mfft_poisson *poisson);

/* Estimate of the rms of phi (derivatives 0) or of a component of the force (1), without a filter: right for a source like
 * white noise, a lower bound for a smoother one. */
double mfft_poisson_expected_rms(const mfft_poisson *poisson, int derivatives);

/* The residual |laplacian(phi) - rhs| / |rhs| of an inspected phi, both sides divided by c, and the residual that rounding
 * explains: the operator multiplies the rounding error of phi by a typical eigenvalue, and a filter removes less of the
 * rounding error of the source than of the source.  A residual several times larger means a wrong solution: passed is then
 * 0.  Collective; once. */
typedef struct mfft_poisson_check {
  double residual, explained;
  int passed;
} mfft_poisson_check;
mfft_poisson_check mfft_poisson_verify(mfft_poisson *poisson);

#endif
