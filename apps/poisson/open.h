/* open.h: Poisson's equation for isolated masses, by a convolution on a mesh of twice the cells along each axis.
 *
 * The source lies in the first half of each axis and the rest is 0, so that the periodic convolution with a kernel of
 * distances up to half the period is that of free space (Hockney and Eastwood 1988). The plan has the field alone: the zeros
 * are those of desc.given (mfft_convolution.h). The transform of the kernel is real, so half of a convolution's is kept. */
#ifndef MFFT_APPS_OPEN_H
#define MFFT_APPS_OPEN_H

#include "mfft_mpi.h"
#include "poisson/open_kernel.h"

typedef struct mfft_open {
  mfft_plan plan; /* of the doubled mesh, of which the field is given, R2C, of host memory; not owned */
  mfft_precision precision;
  mfft_box modes; /* of this rank, of the spectrum */
  void *spectrum; /* [modes] not owned */
  double *kernel; /* [modes] the transform of the kernel, which is real; NULL: no open boundaries */
} mfft_open;

/* Computes the kernel. desc, options: those of the plan; precision single or double. Overwrites the spectrum. Collective.
 * destroy accepts zeroed and half-built objects. */
mfft_status mfft_open_create(mfft_open_kind kind, const double spacing[3], const mfft_desc *desc,
                             const mfft_options *options, mfft_plan plan, void *spectrum, mfft_open *open);
void mfft_open_destroy(mfft_open *open);

/* Multiplies the spectrum by factor and the kernel, so that it becomes that of the convolution. */
mfft_status mfft_open_multiply(mfft_open *open, double factor);

#endif
