/* open.h: Poisson's equation for isolated masses, by a convolution on a mesh of twice the cells along each axis.
 *
 * The source is in the first half of each axis and the rest is 0, so that the periodic convolution with a kernel of
 * distances up to half the period is the convolution in free space (Hockney and Eastwood 1988). A rank has the rows of the
 * field that are in its box of the doubled mesh; ranks whose box is beyond the first half have none. */
#ifndef MFFT_APPS_OPEN_H
#define MFFT_APPS_OPEN_H

#include "mfft_mpi.h"
#include "poisson/open_kernel.h"

typedef struct mfft_open {
  mfft_plan plan; /* of the doubled mesh, R2C, of host memory; not owned */
  mfft_precision precision;
  mfft_box padded, modes, field; /* this rank's box of the doubled mesh, of its spectrum, of the field */
  void *array;                   /* [padded] */
  void *spectrum;                /* [modes] not owned */
  double *kernel;                /* [modes] the transform of the kernel, which is real */
} mfft_open;

/* The box of the field on a rank with the box `padded` of the doubled mesh. */
mfft_box mfft_open_box(const mfft_box *padded, const int64_t n[3]);

/* Allocates the doubled array, and computes the transform of the kernel. precision: single or double. Collective. destroy
 * accepts zeroed and half-built objects. */
mfft_status mfft_open_create(mfft_open_kind kind, const int64_t n[3], const double spacing[3], mfft_precision precision,
                             mfft_plan plan, void *spectrum, mfft_open *open);
void mfft_open_destroy(mfft_open *open);

/* forward: transforms the padded field to `spectrum`. backward: writes factor times its convolution with the kernel to the
 * field, and destroys the spectrum. Collective. */
mfft_status mfft_open_forward(mfft_open *open, const void *field);
mfft_status mfft_open_backward(mfft_open *open, double factor, void *field);

#endif
