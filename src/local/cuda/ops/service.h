/* service.h: kernels that are no passes: what stands around transforms, and between processes. */
#ifndef MFFT_CUDA_SERVICE_H
#define MFFT_CUDA_SERVICE_H

#include "local/cuda/runtime/load.h"

typedef enum mfft_service {
  MFFT_SERVICE_COPY = 0,      /* lists of blocks */
  MFFT_SERVICE_TWIDDLE,       /* four-step twiddle of a distributed transform */
  MFFT_SERVICE_SIGNAL,        /* flags between processes */
  MFFT_SERVICE_FILTER,        /* an array times a filter */
  MFFT_SERVICE_WIRE,          /* half-width messages */
  MFFT_SERVICE_SHELLS,        /* sums over shells */
  MFFT_SERVICE_RESIZE,        /* copies to and from half the width */
  MFFT_SERVICE_NORMAL,        /* white noise */
  MFFT_SERVICE_SUMS,          /* exact sums */
  MFFT_SERVICE_ROWS,          /* products of rows */
  MFFT_SERVICE_MODES,         /* white noise by wave number */
  MFFT_SERVICE_PRODUCT,       /* an array plus the product of two */
  MFFT_SERVICE_RADIAL,        /* an array times a function of |k| */
  MFFT_SERVICE_MULTIPLY,      /* a spectrum times that of a kernel */
  MFFT_SERVICE_TRIGONOMETRIC, /* between lines of cosines or sines and their DFT */
  MFFT_SERVICE_PARTICLE_SORT, /* particles by tiles: steps 0 and 1 */
  MFFT_SERVICE_PARTICLE_SCAN, /* the particles of tiles, added up */
  MFFT_SERVICE_DEPOSIT,       /* particles to the mesh */
  MFFT_SERVICE_GATHER,        /* the mesh at particles; step: fields at a time */
  MFFT_SERVICE_CELLS,         /* sums of a deposit: steps 0 to 2 */
  MFFT_SERVICE_DIFFERENCE,    /* of cells of a potential */
  MFFT_SERVICE_WEIGHTS,       /* weights of particles: steps 0 and 1 */
  MFFT_SERVICE_FOLD,          /* ghost cells added to own cells */
  MFFT_SERVICE_ARRANGE,       /* columns into another sequence of particles: steps 0 to 2 */
  MFFT_SERVICE_OWNERS,        /* the particles of each rank: steps 0 and 1 */
  MFFT_SERVICE_MOTION,        /* kicks and drifts of particles: steps 0 and 1 */
  MFFT_SERVICE_ENERGIES,      /* exact sums over particles */
  MFFT_SERVICES
} mfft_service;

/* What such a kernel is compiled for.  A service reads the fields that its comment names. */
typedef struct mfft_service_kernel {
  mfft_service service;
  mfft_precision precision; /* all but COPY and SIGNAL */
  int element_bytes;        /* COPY */
  int components;           /* WIRE: reals of an element */
  int sign;                 /* TWIDDLE: of the exponent */
  int sends;                /* SIGNAL: else it waits */
  int narrows;              /* WIRE, RESIZE: to half the width, else from there */
  int real;                 /* FILTER: of real numbers */
  int kind, by, stores;     /* TRIGONOMETRIC: mfft_axis_kind, mfft_fft_type of the DFT; behind it, else before it */
  int gathers;              /* SHELLS: the second launch, which adds up the sums of blocks */
  int step;                 /* kernels of particles, as does `order` */
  int order, low, high;     /* points of a window on an axis; ghost cells below and above a tile */
  int shared_bytes;         /* DEPOSIT, GATHER: dynamic shared memory */
} mfft_service_kernel;

void mfft_service_options(const mfft_service_kernel *kernel, mfft_compile_options *options);

mfft_status mfft_service_load(const mfft_cuda_current *current, const mfft_service_kernel *kernel, CUfunction *function);

#endif
