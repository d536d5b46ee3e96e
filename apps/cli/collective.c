/* collective.c: see collective.h. */
#include "cli/collective.h"

#include <stdio.h>

#include "mfft_mpi.h"

enum { MOST_AT_ONCE = 1 << 26 }; /* bytes or values of one MPI call, whose counts are int */

void (*mfft_app_when_waiting)(int begins);

/* Ends the job after a failure of MPI or of a wait: the other ranks are in other calls, so that none could go on. */
static void end_job(const char *what, const char *why) {
  fprintf(stderr, "mergefft: error: %s: %s\n", what, why);
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Waits for a request.  code: the result of the call that made it; peer NULL: a collective call. */
static void finish(int code, MPI_Request *request, const int *peer, const char *what) {
  if (mfft_app_when_waiting) mfft_app_when_waiting(1);
  if (code != MPI_SUCCESS)
    end_job(what, "MPI failed");
  else if (mfft_wait(MPI_COMM_WORLD, request, peer, 1, what) != MFFT_SUCCESS)
    end_job(what, mfft_last_error());
  if (mfft_app_when_waiting) mfft_app_when_waiting(0);
}

void mfft_app_reduce(void *values, int64_t count, MPI_Datatype type, MPI_Op op, const char *what) {
  MPI_Aint least, bytes;
  MPI_Type_get_extent(type, &least, &bytes);
  for (int64_t done = 0; done < count; done += MOST_AT_ONCE) {
    const int64_t part = count - done < MOST_AT_ONCE ? count - done : MOST_AT_ONCE;
    MPI_Request request;
    finish(MPI_Iallreduce(MPI_IN_PLACE, (char *)values + done * bytes, (int)part, type, op, MPI_COMM_WORLD, &request),
           &request, NULL, what);
  }
}

void mfft_app_reduce_to_root(void *values, int64_t count, MPI_Datatype type, MPI_Op op, const char *what) {
  MPI_Aint least, bytes;
  int rank = 0;
  MPI_Type_get_extent(type, &least, &bytes);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int64_t done = 0; done < count; done += MOST_AT_ONCE) {
    const int64_t part = count - done < MOST_AT_ONCE ? count - done : MOST_AT_ONCE;
    char *from = (char *)values + done * bytes;
    MPI_Request request;
    finish(MPI_Ireduce(rank ? from : MPI_IN_PLACE, rank ? NULL : from, (int)part, type, op, 0, MPI_COMM_WORLD, &request),
           &request, NULL, what);
  }
}

int mfft_app_anywhere(int here) {
  int anywhere = here != 0;
  mfft_app_reduce(&anywhere, 1, MPI_INT, MPI_MAX, "asking whether a rank failed");
  return anywhere;
}

void mfft_app_broadcast(void *data, int64_t bytes, int root, const char *what) {
  for (int64_t done = 0; done < bytes; done += MOST_AT_ONCE) {
    const int64_t part = bytes - done < MOST_AT_ONCE ? bytes - done : MOST_AT_ONCE;
    MPI_Request request;
    finish(MPI_Ibcast((char *)data + done, (int)part, MPI_BYTE, root, MPI_COMM_WORLD, &request), &request, NULL, what);
  }
}

void mfft_app_gather(const void *mine, int bytes, void *all, const int *counts, const int *at, const char *what) {
  MPI_Request request;
  finish(MPI_Igatherv(mine, bytes, MPI_BYTE, all, counts, at, MPI_BYTE, 0, MPI_COMM_WORLD, &request), &request, NULL, what);
}

void mfft_app_barrier(const char *what) {
  MPI_Request request;
  finish(MPI_Ibarrier(MPI_COMM_WORLD, &request), &request, NULL, what);
}

void mfft_app_send(const void *data, int count, MPI_Datatype type, int to, const char *what) {
  MPI_Request request;
  finish(MPI_Isend(data, count, type, to, 0, MPI_COMM_WORLD, &request), &request, &to, what);
}

void mfft_app_receive(void *data, int count, MPI_Datatype type, int from, const char *what) {
  MPI_Request request;
  finish(MPI_Irecv(data, count, type, from, 0, MPI_COMM_WORLD, &request), &request, &from, what);
}
