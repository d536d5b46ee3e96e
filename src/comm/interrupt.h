/* interrupt.h: a condition that ends a wait for other ranks early.
 *
 * An interrupt is attached to a communicator as an MPI attribute.  A wait on that communicator (watchdog.h) polls the
 * interrupt once it has lasted some time, and ends with the interrupt's status if that is an error.  The wait thus learns
 * that a peer will never answer, without depending on the module that attached the interrupt (dist/failure.h, for
 * executes that fail on one rank). */
#ifndef MFFT_COMM_INTERRUPT_H
#define MFFT_COMM_INTERRUPT_H

#include <mpi.h>

#include "base/status.h"

/* The first member of a struct of the module that attaches it. */
typedef struct mfft_interrupt mfft_interrupt;
struct mfft_interrupt {
  mfft_status (*poll)(mfft_interrupt *interrupt); /* MFFT_SUCCESS: continue to wait */
};

/* Attaches an interrupt, at most one to each communicator; it must outlive its attachment.  Not collective. */
mfft_status mfft_interrupt_attach(MPI_Comm comm, mfft_interrupt *interrupt);
void mfft_interrupt_detach(MPI_Comm comm); /* no effect if none is attached */

/* The interrupt of a communicator, or NULL. */
mfft_interrupt *mfft_interrupt_find(MPI_Comm comm);

/* Polls the interrupt of a communicator; MFFT_SUCCESS if it has none. */
mfft_status mfft_interrupt_poll(MPI_Comm comm);

#endif
