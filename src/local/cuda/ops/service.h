/* service.h: the kernels other than passes: those that work on arrays before, after and beside transforms, and on the
 * signals between processes. */
#ifndef MFFT_CUDA_SERVICE_H
#define MFFT_CUDA_SERVICE_H

#include "local/cuda/runtime/load.h"

typedef enum mfft_service {
  MFFT_SERVICE_COPY = 0,      /* copies lists of blocks */
  MFFT_SERVICE_TWIDDLE,       /* four-step twiddle of a distributed transform */
  MFFT_SERVICE_SIGNAL,        /* flags between processes */
  MFFT_SERVICE_FILTER,        /* multiplies an array by a filter */
  MFFT_SERVICE_WIRE,          /* converts to and from half-width messages */
  MFFT_SERVICE_SHELLS,        /* adds up the power in shells */
  MFFT_SERVICE_RESIZE,        /* copies between an array and one of half the width */
  MFFT_SERVICE_NORMAL,        /* white noise */
  MFFT_SERVICE_SUMS,          /* exact sums */
  MFFT_SERVICE_ROWS,          /* shifts and scales rows, and sums their products with vectors */
  MFFT_SERVICE_MODES,         /* white noise by wave number */
  MFFT_SERVICE_PRODUCT,       /* adds the product of two arrays to a third */
  MFFT_SERVICE_RADIAL,        /* multiplies an array by a function of |k| */
  MFFT_SERVICE_MULTIPLY,      /* multiplies a spectrum by that of a convolution kernel */
  MFFT_SERVICE_TRIGONOMETRIC, /* converts between lines of cosines or sines and the input or output of their DFT */
  MFFT_SERVICE_PARTICLE_SORT, /* sorts particles by tiles: steps 0 and 1; 2 and 3 for no order */
  MFFT_SERVICE_PARTICLE_SCAN, /* prefix sums of the particles of tiles */
  MFFT_SERVICE_SEQUENCE,      /* tables of particles that are in the sequence of the tiles: steps 0 and 1 */
  MFFT_SERVICE_DEPOSIT,       /* deposits particles on the mesh */
  MFFT_SERVICE_DIRECT,        /* the same in the order in which the caller gives them */
  MFFT_SERVICE_GATHER,        /* reads fields of the mesh at particles; step: number of fields */
  MFFT_SERVICE_SLOPES,        /* the same for differences of one field, which is loaded into shared memory first */
  MFFT_SERVICE_SLOPES_APART,  /* the same, each difference from device memory, if shared memory is too small for that */
  MFFT_SERVICE_CELLS,         /* clears and converts the sums of a deposit: steps 0 and 1 */
  MFFT_SERVICE_WEIGHTS,       /* largest, summed magnitudes and summed integers of the weights of particles: steps 0 to 2 */
  MFFT_SERVICE_FOLD,          /* adds ghost cells to own cells */
  MFFT_SERVICE_ARRANGE,       /* reorders columns of particles: steps 0 to 2 */
  MFFT_SERVICE_OWNERS,        /* lists particles by the ranks that own them: steps 0 and 1 */
  MFFT_SERVICE_MOTION,        /* kicks and drifts of particles: steps 0 and 1 */
  MFFT_SERVICE_ENERGIES,      /* exact sums over particles */
  MFFT_SERVICES
} mfft_service;

/* The parameters for which a service kernel is compiled.  A comment begins with the services that read the field. */
typedef struct mfft_service_kernel {
  mfft_service service;
  mfft_precision precision;   /* all but COPY and SIGNAL */
  int element_bytes;          /* COPY */
  int components;             /* WIRE: real numbers of an element */
  int sign;                   /* TWIDDLE: sign of the exponent */
  int sends;                  /* SIGNAL: 1: sends; 0: waits */
  int narrows;                /* WIRE, RESIZE: 1: to half the width; 0: from it */
  int real;                   /* FILTER: 1: the elements are real numbers */
  int kind, dft_type, stores; /* TRIGONOMETRIC: mfft_axis_kind; mfft_fft_type of the DFT; 1: after it, 0: before it */
  int gathers;                /* SHELLS: 1: the second launch, which adds up the sums of blocks */
  int step;                   /* services for particles */
  int order, low,
      high;         /* DEPOSIT, GATHER, both SLOPES: points of the window on an axis; ghost cells below and above a tile */
  int shared_bytes; /* DEPOSIT, GATHER, both SLOPES: dynamic shared memory */
} mfft_service_kernel;

void mfft_service_options(const mfft_service_kernel *kernel, mfft_compile_options *options);

mfft_status mfft_service_load(const mfft_cuda_current *current, const mfft_service_kernel *kernel, CUfunction *function);

#endif
