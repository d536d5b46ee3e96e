/* host_names.h: the names of the hosts that ranks run on, for messages.
 *
 * A rank learns them when a plan or an exchange is made, and knows them until the process ends: a message about a rank that
 * does not answer cannot ask it.  A name takes its bytes once, however many ranks the host has; beside that a rank takes
 * four bytes for each rank of MPI_COMM_WORLD. */
#ifndef MFFT_COMM_HOST_NAMES_H
#define MFFT_COMM_HOST_NAMES_H

#include <mpi.h>

enum { MFFT_HOST_NAME_BYTES = 64 }; /* of a name with its zero */

/* The name of the host that `rank` of the communicator runs on, "" where it is not known.  Not collective. */
const char *mfft_host_name_of(MPI_Comm comm, int rank);

/* The name of this process's own host, which is always known. */
const char *mfft_host_name_here(void);

/* For learn_host_names.c.  known: stores in world[ranks] the ranks of MPI_COMM_WORLD that rank[ranks] of the communicator
 * are, and returns whether the hosts of all are known.  note: stores their names, all[ranks][MFFT_HOST_NAME_BYTES]. */
int mfft_host_names_known(MPI_Comm comm, const int *rank, int ranks, int *world);
void mfft_host_names_record(const int *world, const char *all, int ranks);

/* Whether the ranks whose hosts are known run on more than one. */
int mfft_host_names_differ(void);

#endif
