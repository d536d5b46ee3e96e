/* utilities.h: what PFFT offers around its transforms, without precision. */
#ifndef MFFT_PFFT_UTILITIES_H
#define MFFT_PFFT_UTILITIES_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

#include "plan.h"

/* Calls a function of FFTW-MPI without arguments, if the program has that library: one that this library brought along would
 * be the FFTW of plugins too, which have their own. */
void mfft_pfft_call(const char *name);

/* A Cartesian communicator of `dims` dimensions, periodic, whose ranks are those of comm: programs rely on their sequence.
 * 0, or not if the mesh does not have as many processes as comm.  Collective. */
int mfft_pfft_create_mesh(int dims, MPI_Comm comm, const int *np, MPI_Comm *comm_cart);

/* Replaces each value by the largest of all ranks.  Collective. */
void mfft_pfft_largest(double *value /* [count] */, int count, MPI_Comm comm);

/* Rank 0 prints the executes of a plan and the average seconds of one, on the slowest rank: to stdout, or at the end of the
 * file `name`.  Nothing for a plan that is NULL.  Collective. */
void mfft_pfft_print_times(const mfft_dropin_plan *plan, const char *name, MPI_Comm comm);

/* Rank 0 prints. */
void mfft_pfft_print(MPI_Comm comm, FILE *stream, const char *format, va_list list);

/* Reads the `count` values that follow the argument `name`, of one of PFFT's types; a switch is set to 1. */
void mfft_pfft_read_arguments(int argc, char **argv, const char *name, int count, unsigned type, void *values);

#endif
