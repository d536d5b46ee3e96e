/* poisson_solver.h: laplacian(phi) = c F (rho - mean) on a mesh over all ranks, periodic or between walls, and force =
 * -gradient(phi), from one forward transform and one backward transform an output.
 *
 *     create;  sweep rho into mfft_poisson_field();  centre;  source;  output(-1) -> phi in the field, which is looked at as
 * it is written;  output(0) -> force_x
 *
 * Green function, filter and gradient are the plan's own filter, so the spectrum of the source is never written again.
 *
 * Memory of a rank, in local arrays of the field's precision (a real array and a half spectrum are one array each): the
 * field, the spectrum, and the plan's workspace of at most one, or two with a gradient; and with a gradient, on hosts where
 * there is room enough, a second field, so that an output is written while the next one is computed.  Where the plan's
 * memory is a device's, that is where they are, and the host sees the field through two buffers (sweep.h).  16-bit fields
 * are read and written through an array of singles on the host.
 *
 * 16-bit transforms are scaled by 1/sqrt(N) each way, and source and outputs are brought to such a size that neither a
 * single plane wave of the spectrum nor a single cell can overflow: |x| <= rms sqrt(N) on both sides. */
#ifndef MFFT_APPS_POISSON_SOLVER_H
#define MFFT_APPS_POISSON_SOLVER_H

#include "io/sweep.h"
#include "mfft_mpi.h"
#include "poisson/greens.h"
#include "poisson/open.h"
#include "poisson/residual.h"

typedef struct mfft_poisson_options {
  mfft_greens_spec greens;
  double coefficient;         /* c */
  mfft_open_kind open_kernel; /* of open boundaries */
  int check;                  /* 1: project the source and phi, for the residual */
  mfft_sweep_options sweep;
  int buffered;  /* of mfft_swept_create */
  int one_array; /* 1: no spare one */
  int outline;   /* 1: no arrays: only the plan, and how many bytes they would have */
} mfft_poisson_options;

typedef struct mfft_poisson {
  mfft_poisson_options options;
  mfft_precision precision;
  mfft_plan plan;
  mfft_box box, modes; /* what this rank holds of the field and of its spectrum */
  mfft_greens greens;
  mfft_open open; /* of open boundaries, else zeros */
  mfft_residual residual;
  mfft_swept real;
  void *spectrum; /* in memory of the plan */
  void *spare;    /* [real.bytes] takes turns with that of `real`; NULL where there is no room for it, or no use */
  int device;     /* that is a device's */
  float *wide;    /* [cells of box] a 16-bit field as singles; NULL otherwise */
  mfft_swept wide_field;
  size_t bytes;                            /* of all arrays and the workspace, this rank */
  size_t host_bytes;                       /* of them on the host where the plan is a device's */
  double cells;                            /* of the whole mesh */
  double points;                           /* what a forward and a backward transform multiply by */
  double mean, rms;                        /* of the source before its mean was removed, and after */
  double rounding;                         /* that values of the size of the mean have in the file, at most */
  int uniform;                             /* 1: the source varies by no more than that, and has been made 0 */
  double source_scale;                     /* the transformed array is the source times this */
  double phi_rms;                          /* of phi / |c| */
  double power[4];                         /* [axis + 1] of 16-bit outputs before they are scaled */
  mfft_projection source_share, phi_share; /* this rank's, in the units of the field */
} mfft_poisson;

/* `desc` says the precision, `how` how its transforms are planned; the rest is filled in.  Collective over all
 * ranks.  destroy accepts half-built and zeroed objects. */
mfft_status mfft_poisson_create(const mfft_poisson_options *options, const mfft_desc *desc, const mfft_options *how,
                                mfft_poisson *poisson);
void mfft_poisson_destroy(mfft_poisson *poisson);

/* Makes it ready for another field of the same mesh and precision, with another coefficient. */
void mfft_poisson_reset(mfft_poisson *poisson, double coefficient);

/* The array of the field on this rank, to be swept: the source before, an output after.  Single or double. */
mfft_swept *mfft_poisson_field(mfft_poisson *poisson, mfft_precision *precision);

/* Subtracts left[0] + left[1] from the field, which is its mean but for walls where phi is 0, so that what varies about it
 * keeps its digits however large the mean is, and measures what is left.  mean, stored: of the field and the precision of
 * its file; one that varies by no more than the rounding of values as large as that is made 0 (poisson->uniform).  The
 * coefficient may still be changed afterwards. Collective; once. */
mfft_status mfft_poisson_centre(mfft_poisson *poisson, double mean, const double left[2], mfft_precision stored);

/* Transforms the source, which is the field without its mean.  Collective; once, after mfft_poisson_centre. */
mfft_status mfft_poisson_source(mfft_poisson *poisson);

/* Leaves an output in the field: axis -1 phi, 0 to 2 a component of the force (with a gradient only).  Without a gradient
 * the spectrum is used up and phi can be had once.  Collective. */
mfft_status mfft_poisson_output(mfft_poisson *poisson, int axis);

/* Changes the array of the field for the spare one, so that an output may still be written from the first while the next one
 * is computed. */
void mfft_poisson_turn(mfft_poisson *poisson);

/* Looks at an output as it is written, piece by piece and by several threads: for its largest magnitude, and at phi for its
 * size and the residual.  begin: threads of numbers below `threads` will look.  look: at a piece in C order, of whole rows
 * or of parts of them; a visitor of mfft_field_put_visit.  end: collective; `status` is that of writing, which all ranks
 * agree on; *largest over all ranks, INFINITY where a value is NaN. */
typedef struct mfft_poisson_found mfft_poisson_found;
typedef struct mfft_poisson_looking {
  mfft_poisson *poisson;
  mfft_precision precision;
  int project; /* 1: phi, for the residual */
  double factor;
  int threads;
  int beside;                    /* 1: in the background, so that no phase of the main thread has the time that it takes */
  mfft_poisson_found *of_thread; /* [threads] */
} mfft_poisson_looking;
mfft_status mfft_poisson_look_begin(mfft_poisson *poisson, int axis, int threads, mfft_poisson_looking *look);
mfft_status mfft_poisson_look(void *look, int thread, const mfft_box *piece, void *values);
void mfft_poisson_look_drop(mfft_poisson_looking *look); /* in the place of end; also of a zeroed object */
mfft_status mfft_poisson_look_end(mfft_poisson_looking *look, mfft_status status, double *largest);

/* The rms, as to its size, of phi (derivatives 0) or of a component of the force (1) for a source like white noise, and at
 * least that for a smoother one, without a filter. */
double mfft_poisson_expected_rms(const mfft_poisson *poisson, int derivatives);

/* After phi has been looked at, once: |laplacian(phi) - rhs| / |rhs|, both over c, whose size plays no part, and what of it
 * rounding explains: the operator multiplies the rounding of phi by a typical eigenvalue, and a filter leaves of the
 * rounding of the source more than of the source.  More than a few times that is a wrong solution.  Collective. */
typedef struct mfft_poisson_check {
  double residual, explained;
  int passed;
} mfft_poisson_check;
mfft_poisson_check mfft_poisson_verify(mfft_poisson *poisson);

#endif
