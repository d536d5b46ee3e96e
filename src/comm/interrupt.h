/* interrupt.h: what ends a wait for other ranks early.
 *
 * An interrupt is attached to a communicator as an MPI attribute.  Waits on that communicator (watchdog.h) poll it once they
 * have lasted some time, and end with its status where that is an error.  So a wait can learn that a peer will never answer
 * without knowing who attached the interrupt and why (dist/failure.h does, for executes that fail on one rank). */
#ifndef MFFT_COMM_INTERRUPT_H
#define MFFT_COMM_INTERRUPT_H

#include <mpi.h>

#include "base/status.h"

/* The first member of the object that it belongs to. */
typedef struct mfft_interrupt mfft_interrupt;
struct mfft_interrupt {
  mfft_status (*poll)(mfft_interrupt *interrupt); /* MFFT_SUCCESS: the wait goes on */
};

/* One a communicator; it must outlive its attachment.  Not collective. */
mfft_status mfft_interrupt_attach(MPI_Comm comm, mfft_interrupt *interrupt);
void mfft_interrupt_detach(MPI_Comm comm); /* nothing where none is attached */

/* The interrupt of a communicator; NULL: it has none. */
mfft_interrupt *mfft_interrupt_find(MPI_Comm comm);

/* Polls it; MFFT_SUCCESS where there is none. */
mfft_status mfft_interrupt_poll(MPI_Comm comm);

#endif
