/* open.h: Poisson's equation for masses that are isolated along the open axes of a box, by a convolution on a mesh of twice
 * the cells along these axes.
 *
 * The source lies in the first half of each open axis and the rest is 0, so that the periodic convolution with a kernel of
 * distances up to half the period is that of free space (Hockney and Eastwood 1988). The plan has the field alone: the zeros
 * are those of desc.given (mfft_convolution.h). The transform of the kernel is real and even along each axis: a rank has one
 * number for all modes of its part that differ by signs of wave numbers. */
#ifndef MFFT_APPS_OPEN_H
#define MFFT_APPS_OPEN_H

#include "mfft_mpi.h"
#include "poisson/open_kernel.h"

typedef struct mfft_open {
  mfft_open_mesh mesh;
  mfft_precision precision;
  mfft_box modes;      /* of this rank, of the spectrum */
  mfft_plan plan;      /* not owned; NULL: no open boundaries */
  const char *backend; /* of the plan */
  void *spectrum;      /* [modes] not owned, in memory of the plan */
  mfft_box waves;      /* magnitudes of the wave numbers of the modes */
  double *kernel;      /* [waves] the transform of the kernel; NULL: `modal` is there */
  void *modal;         /* [modes][2] the same for each mode, twice, in the precision and memory of a plan on a device */
} mfft_open;

/* Computes the kernel, on the host. plan: of the doubled mesh, of which the field is given, R2C, single or double. Of a plan
 * on a device the kernel becomes an array of the size of the spectrum there, and leaves the host. Collective. destroy
 * accepts zeroed and half-built objects. */
mfft_status mfft_open_create(mfft_open_kind kind, const mfft_open_mesh *mesh, mfft_plan plan, mfft_precision precision,
                             void *spectrum, mfft_open *open);
void mfft_open_destroy(mfft_open *open);

/* Multiplies the spectrum by factor and the kernel, where it lies, so that it becomes that of the convolution. */
mfft_status mfft_open_multiply(mfft_open *open, double factor);

#endif
