/* steps.h: transforms of arrays of which a mesh divides as many axes as an exchange moves, in local steps and exchanges.
 *
 * A mesh of D dimensions divides D axes, so that one of the first D + 1 is whole.  In layout k, from 0 to D, that is axis
 * D - k: the axes before it are divided by the dimension of their own number, those behind it by the one before.  Layout 0
 * is the natural array of the program, layout D the transposed one.  From layout k to k + 1 axis D - k is divided and axis
 * D - k - 1 becomes whole, by an exchange among the processes that differ in dimension D - k - 1 alone.  A transform visits
 * all layouts, from that of its input to that of its output, and transforms the whole axis when it comes to a layout for the
 * first time; at layout 0 also the axes after axis D (Pippig 2013, PFFT: An extension of FFTW to massively parallel
 * architectures).  From natural to natural order it goes to layout D and back. */
#ifndef MFFT_DROPIN_STEPS_H
#define MFFT_DROPIN_STEPS_H

#include <mpi.h>

#include "mfft_mpi.h"
#include "request.h"

enum { MFFT_DROPIN_MOST_STEPS = 3 * MFFT_DROPIN_MOST_DIMS + 1 };

/* A local transform, or an exchange; both NULL where this rank has nothing to do. */
typedef struct mfft_dropin_step {
  mfft_plan plan;
  mfft_exchange exchange;
} mfft_dropin_step;

/* The steps in the sequence of execution.  The first reads the program's input and the last writes its output; between them
 * transforms are in place and exchanges lead from one array to the other. */
typedef struct mfft_dropin_steps {
  int count;
  mfft_dropin_step step[MFFT_DROPIN_MOST_STEPS]; /* [count] */
  int moves[MFFT_DROPIN_MOST_STEPS];             /* [count] 1: an exchange, also on ranks without one */
  size_t array_bytes;                            /* of each of the two arrays between the steps */
} mfft_dropin_steps;

/* Makes the steps of a shape, for its direction, in a zeroed object.  options: of the local transforms.  On failure, of
 * which other ranks may not know, the message is mfft_last_error, and destroy accepts the object.  Collective. */
mfft_status mfft_dropin_steps_create(MPI_Comm comm, const mfft_dropin_shape *shape, int rank, const mfft_options *options,
                                     mfft_dropin_steps *steps);
void mfft_dropin_steps_destroy(mfft_dropin_steps *steps); /* collective */

/* Executes the steps, with `spare`, two arrays of array_bytes, between them.  Collective. */
mfft_status mfft_dropin_steps_run(const mfft_dropin_steps *steps, mfft_direction direction, void *in, void *out,
                                  void *spare);

/* Waits for the steps on a GPU. */
mfft_status mfft_dropin_steps_synchronize(const mfft_dropin_steps *steps);

#endif
