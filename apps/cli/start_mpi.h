/* start_mpi.h: starts MPI for the command. */
#ifndef MFFT_APPS_START_MPI_H
#define MFFT_APPS_START_MPI_H

/* Calls MPI_Init, and starts the GPU that the command line asks for beside it.  Where all ranks are on one node, as far as
 * Open MPI's mpirun says so, and where a process was started by itself, Open MPI is told to leave out what only several
 * nodes need.  A setting that the user has made in the environment stays. */
void mfft_app_start_mpi(int argc, char **argv);

#endif
