/* interrupt.c: see interrupt.h. */
#include "comm/interrupt.h"

#include <pthread.h>

#include "comm/mpi_status.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared_key = MPI_KEYVAL_INVALID; /* guarded by lock */

static int find_key(void) {
  pthread_mutex_lock(&lock);
  const int key = shared_key;
  pthread_mutex_unlock(&lock);
  return key;
}

mfft_status mfft_interrupt_attach(MPI_Comm comm, mfft_interrupt *interrupt) {
  pthread_mutex_lock(&lock);
  int code = MPI_SUCCESS;
  if (shared_key == MPI_KEYVAL_INVALID)
    code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &shared_key, NULL);
  pthread_mutex_unlock(&lock);
  MFFT_TRY(mfft_mpi_status(code, "MPI_Comm_create_keyval"));
  return mfft_mpi_status(MPI_Comm_set_attr(comm, find_key(), interrupt), "MPI_Comm_set_attr");
}

void mfft_interrupt_detach(MPI_Comm comm) {
  if (mfft_interrupt_find(comm)) MPI_Comm_delete_attr(comm, find_key());
}

mfft_interrupt *mfft_interrupt_find(MPI_Comm comm) {
  mfft_interrupt *interrupt = NULL;
  int found = 0;
  const int key = find_key();
  if (key != MPI_KEYVAL_INVALID) MPI_Comm_get_attr(comm, key, &interrupt, &found);
  return found ? interrupt : NULL;
}

mfft_status mfft_interrupt_poll(MPI_Comm comm) {
  mfft_interrupt *interrupt = mfft_interrupt_find(comm);
  return interrupt ? interrupt->poll(interrupt) : MFFT_SUCCESS;
}
