/* poisson_solver.h: laplacian(phi) = c F (rho - mean) on a periodic mesh over all ranks, and force = -gradient(phi), from
 * one forward transform and one backward transform an output.
 *
 *     create;  sweep rho into mfft_poisson_field();  centre;  source;  output(-1) -> phi in the field;  output(0) -> force_x
 *
 * Green function, filter and gradient are the plan's own filter, so the spectrum of the source is never written again.
 *
 * Memory of a rank, in local arrays of the field's precision (a real array and a half spectrum are one array each): the
 * field, the spectrum, and the plan's workspace of at most one, or two with a gradient.  Where the plan's memory is a
 * device's, that is where they are, and the host sees the field through two buffers (sweep.h).  16-bit fields are read and
 * written through an array of singles on the host.
 *
 * 16-bit transforms are scaled by 1/sqrt(N) each way, and source and outputs are brought to such a size that neither a
 * single plane wave of the spectrum nor a single cell can overflow: |x| <= rms sqrt(N) on both sides. */
#ifndef MFFT_APPS_POISSON_SOLVER_H
#define MFFT_APPS_POISSON_SOLVER_H

#include "io/sweep.h"
#include "mfft_mpi.h"
#include "poisson/greens.h"
#include "poisson/residual.h"

typedef struct mfft_poisson_options {
  mfft_greens_spec greens;
  double coefficient; /* c */
  int check;          /* 1: project the source and phi, for the residual */
  mfft_sweep_options sweep;
  int buffered; /* of mfft_swept_create */
} mfft_poisson_options;

typedef struct mfft_poisson {
  mfft_poisson_options options;
  mfft_precision precision;
  mfft_plan plan;
  mfft_box box, modes; /* what this rank holds of the field and of its spectrum */
  mfft_greens greens;
  mfft_residual residual;
  mfft_swept real;
  void *spectrum; /* in memory of the plan */
  int device;     /* that is a device's */
  float *wide;    /* [cells of box] a 16-bit field as singles; NULL otherwise */
  mfft_swept wide_field;
  size_t bytes;                            /* of all arrays and the workspace, this rank */
  double cells;                            /* of the whole mesh */
  double mean, rms;                        /* of the source before its mean was removed, and after */
  double rounding;                         /* that values of the size of the mean have in the file, at most */
  int uniform;                             /* 1: the source varies by no more than that, and has been made 0 */
  double source_scale;                     /* the transformed array is the source times this */
  double phi_rms;                          /* of phi / |c| */
  double power[4];                         /* [axis + 1] of 16-bit outputs before they are scaled */
  mfft_projection source_share, phi_share; /* this rank's, in the units of the field */
  double green_s, check_s;                 /* seconds in making filters and in the check */
  double transform_s;                      /* in transforms */
} mfft_poisson;

/* `desc` says the precision, `how` how its transforms are planned; the rest is filled in.  Collective over all
 * ranks.  destroy accepts half-built and zeroed objects. */
mfft_status mfft_poisson_create(const mfft_poisson_options *options, const mfft_desc *desc, const mfft_options *how,
                                mfft_poisson *poisson);
void mfft_poisson_destroy(mfft_poisson *poisson);

/* The array of the field on this rank, to be swept: the source before, an output after.  Single or double. */
mfft_swept *mfft_poisson_field(mfft_poisson *poisson, mfft_precision *precision);

/* Removes the mean of the field, left[0] + left[1], so that what varies about it keeps its digits however large the mean is,
 * and measures what is left.  mean, stored: of the field and the precision of its file; one that varies by no more than the
 * rounding of values as large as that is made 0 (poisson->uniform).  The coefficient may still be changed afterwards.
 * Collective; once. */
mfft_status mfft_poisson_centre(mfft_poisson *poisson, double mean, const double left[2], mfft_precision stored);

/* Transforms the source, which is the field without its mean.  Collective; once, after mfft_poisson_centre. */
mfft_status mfft_poisson_source(mfft_poisson *poisson);

/* Leaves an output in the field: axis -1 phi, 0 to 2 a component of the force (with a gradient only).  Without a gradient
 * the spectrum is used up and phi can be had once.  Collective. */
mfft_status mfft_poisson_output(mfft_poisson *poisson, int axis);

/* The rms, as to its size, of phi (derivatives 0) or of a component of the force (1) for a source like white noise, and at
 * least that for a smoother one, without a filter. */
double mfft_poisson_expected_rms(const mfft_poisson *poisson, int derivatives);

/* After phi: |laplacian(phi) - rhs| / |rhs|, both over c, whose size plays no part, and what of it rounding explains: the
 * operator multiplies the rounding of phi by a typical eigenvalue, and a filter leaves of the rounding of the source more
 * than of the source.  More than a few times that is a wrong solution.  Collective. */
typedef struct mfft_poisson_check {
  double residual, explained;
  int passed;
} mfft_poisson_check;
mfft_poisson_check mfft_poisson_verify(const mfft_poisson *poisson);

#endif
