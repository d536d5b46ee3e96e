/* open.h: Poisson's equation for masses that are isolated along the open axes of a box, by a convolution on a mesh of twice
 * the cells along these axes.
 *
 * The source lies in the first half of each open axis and the rest is 0, so that the periodic convolution with a kernel of
 * distances up to half the period is that of free space (Hockney and Eastwood 1988). The plan has the field alone: the zeros
 * are those of desc.given (mfft_convolution.h). The transform of the kernel of phi is real and even along each axis: a rank
 * has one number for all modes of its part that differ by signs of wave numbers.
 *
 * A component of the force along an open axis is the convolution with a kernel of its own, whose transform is i times
 * numbers that are odd along its axis. Along a periodic axis it is the derivative of phi by the filter of the plan, which
 * also has the factor i of the others. */
#ifndef MFFT_APPS_OPEN_H
#define MFFT_APPS_OPEN_H

#include "mfft_mpi.h"
#include "poisson/open_kernel.h"

/* One kernel of a rank. */
typedef struct mfft_open_part {
  mfft_box waves; /* magnitudes of the wave numbers of the modes where it is not 0 */
  double *value;  /* [waves] its transform on the host; NULL: `modal` is there instead */
  void *modal;    /* [modes][2] the same for each mode, twice, in the precision and memory of a plan on a device */
} mfft_open_part;

enum { MFFT_OPEN_PARTS = 4 }; /* of phi, and of the components of the force */

typedef struct mfft_open {
  mfft_open_mesh mesh;
  mfft_open_kind kind;
  mfft_gradient gradient;
  mfft_precision precision;
  mfft_box modes;                       /* of this rank, of the spectrum */
  mfft_plan plan;                       /* not owned; NULL: no open boundaries */
  const char *backend;                  /* of the plan */
  int device;                           /* 1: the plan takes device memory */
  int one_array;                        /* 1: kernels stay on the host, and each output uploads its own to the product */
  const void *spectrum;                 /* [modes] of the source; not owned, in memory of the plan */
  void *product;                        /* [modes] of an output; the spectrum itself without a gradient; not owned */
  mfft_open_part part[MFFT_OPEN_PARTS]; /* [axis + 1] of phi, and with a gradient of the open axes; otherwise zeros */
} mfft_open;

/* The request for open boundaries.  plan: R2C of the doubled mesh, of which the field is given, in single or double. */
typedef struct mfft_open_request {
  mfft_open_mesh mesh;
  mfft_open_kind kind;
  mfft_gradient gradient;
  mfft_precision precision;
  mfft_plan plan;
  int one_array; /* 1: a gradient takes no memory of a device for its kernels, and time to upload one for each output */
} mfft_open_request;

/* Fills the object with what is not computed: all fields up to one_array, and the boxes of the kernels.  Fails if a kernel
 * has no mesh (mfft_open_kernel_check).  Not collective. */
mfft_status mfft_open_begin(const mfft_open_request *request, mfft_open *open);

/* The bytes of workspace that this rank needs to make one kernel: the most of all kernels. */
size_t mfft_open_making_bytes(const mfft_open *open);

/* The bytes that this rank needs for kernels: on the host, with the workspace to make them, and in the memory of a device.
 */
mfft_status mfft_open_bytes(const mfft_open *open, size_t *host, size_t *device);

/* Computes the kernels, on the host.  Of a plan on a device each becomes an array of the size of the spectrum there, and
 * leaves the host, but for one_array.  Collective.  destroy accepts zeroed and half-built objects. */
mfft_status mfft_open_create(const void *spectrum, void *product, mfft_open *open);
void mfft_open_destroy(mfft_open *open);

/* Sets the product to that of the spectrum, factor and the kernel of an output (axis -1: phi, 0 to 2: the force), so that a
 * backward transform with the filter of mfft_open_filter computes it. */
mfft_status mfft_open_multiply(mfft_open *open, int axis, double factor);

/* gradient: [axis][n[axis]] symbols of first derivatives, to which the filter points. */
mfft_filter mfft_open_filter(const mfft_open *open, int axis, double *const gradient[3]);

#endif
