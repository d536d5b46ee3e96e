/* collective.h: messages between the ranks of the command, over MPI_COMM_WORLD.
 *
 * The command never calls MPI's blocking functions (tests/lint/symbols.sh checks it): every call here waits under the
 * library's watchdog (mfft_wait), so a rank that never makes a call ends the job with a message that names the call, `what`,
 * and not silently. A call returns only if it has succeeded.  All ranks make the same calls in the same sequence. */
#ifndef MFFT_APPS_COLLECTIVE_H
#define MFFT_APPS_COLLECTIVE_H

#include <mpi.h>
#include <stdint.h>

/* Called with 1 when a call here begins to wait, and with 0 when it ends; NULL, unless main.c has set it: nothing. */
extern void (*mfft_app_when_waiting)(int begins);

/* values[count] become their reduction over the ranks, on every rank; to_root: on rank 0, and elsewhere they are undefined.
 */
void mfft_app_reduce(void *values, int64_t count, MPI_Datatype type, MPI_Op op, const char *what);
void mfft_app_reduce_to_root(void *values, int64_t count, MPI_Datatype type, MPI_Op op, const char *what);

/* 1 on every rank where `here` is not 0 on any. */
int mfft_app_anywhere(int here);

/* Broadcasts bytes of rank `root`. */
void mfft_app_broadcast(void *data, int64_t bytes, int root, const char *what);

/* The bytes of each rank, in the sequence of ranks, on rank 0, where counts[r] come from rank r and begin at at[r]; the last
 * three are looked at on rank 0 only. */
void mfft_app_gather(const void *mine, int bytes, void *all, const int *counts /* [ranks] */, const int *at /* [ranks] */,
                     const char *what);

/* Returns when all ranks have called it. */
void mfft_app_barrier(const char *what);

/* A message from one rank to another; both return when its memory may be used again. */
void mfft_app_send(const void *data, int count, MPI_Datatype type, int to, const char *what);
void mfft_app_receive(void *data, int count, MPI_Datatype type, int from, const char *what);

#endif
