/* utilities.h: PFFT's functions other than transforms, for both precisions. */
#ifndef MFFT_PFFT_UTILITIES_H
#define MFFT_PFFT_UTILITIES_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

#include "plan.h"

/* Calls a function of FFTW-MPI without arguments, if the program has that library.  This library does not load FFTW-MPI: its
 * symbols would then replace the FFTW of plugins. */
void mfft_pfft_call(const char *name);

/* Makes a periodic Cartesian communicator of `dims` dimensions with the rank order of comm, on which programs rely.  Returns
 * 0, or another value if the mesh does not have as many processes as comm.  Collective. */
int mfft_pfft_create_mesh(int dims, MPI_Comm comm, const int *np, MPI_Comm *comm_cart);

/* Replaces each value by the largest of all ranks.  Collective. */
void mfft_pfft_largest(double *value /* [count] */, int count, MPI_Comm comm);

/* Rank 0 prints the number of executes of a plan and their average seconds on the slowest rank: to stdout, or at the end of
 * the file `name`.  Does nothing if the plan is NULL.  Collective. */
void mfft_pfft_print_times(const mfft_dropin_plan *plan, const char *name, MPI_Comm comm);

/* Prints on rank 0. */
void mfft_pfft_print(MPI_Comm comm, FILE *stream, const char *format, va_list list);

/* Reads the `count` values after the argument `name`, which have one of PFFT's types; a switch is set to 1. */
void mfft_pfft_read_arguments(int argc, char **argv, const char *name, int count, unsigned type, void *values);

#endif
