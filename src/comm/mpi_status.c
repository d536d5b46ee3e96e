/* mpi_status.c: see mpi_status.h. */
#include "comm/mpi_status.h"

mfft_status mfft_mpi_status(int code, const char *call) {
  if (code == MPI_SUCCESS) return MFFT_SUCCESS;
  char text[MPI_MAX_ERROR_STRING] = "unknown MPI error";
  int length;
  MPI_Error_string(code, text, &length);
  return mfft_fail(MFFT_ERR_MPI, "%s: %s", call, text);
}

int mfft_mpi_is_over(void) {
  int over = 0;
  MPI_Finalized(&over);
  return over;
}
