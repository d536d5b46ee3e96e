/* agree.c: status and arguments compared across ranks. */
#include "dist/agree.h"

#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "dist/mismatch.h"
#include "dist/together.h"

mfft_status mfft_mpi_status(int code, const char *call) {
  if (code == MPI_SUCCESS) return MFFT_SUCCESS;
  char text[MPI_MAX_ERROR_STRING] = "unknown MPI error";
  int length;
  MPI_Error_string(code, text, &length);
  return mfft_fail(MFFT_ERR_MPI, "%s: %s", call, text);
}

mfft_status mfft_agree(MPI_Comm comm, mfft_status mine) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);

  int first = mine == MFFT_SUCCESS ? size : rank;
  MFFT_TRY(mfft_together_reduce(comm, &first, 1, MPI_INT, MPI_MIN, "agreeing on a status"));
  if (first == size) return MFFT_SUCCESS;

  struct {
    int status;
    char story[MFFT_ERROR_TEXT_BYTES];
  } verdict = {(int)mine, ""};
  if (rank == first) {
    mfft_fail_context(mine, "rank %d of %d", rank, size);
    memcpy(verdict.story, mfft_last_error(), sizeof verdict.story - 1);
  }
  MFFT_TRY(mfft_together_share(comm, &verdict, sizeof verdict, first, "sharing an error"));
  return mfft_fail((mfft_status)verdict.status, "%s", verdict.story);
}

mfft_agree_item mfft_agree_integer(const char *name, int64_t value) {
  return (mfft_agree_item){name, value, MFFT_AGREE_INTEGER, NULL};
}

mfft_agree_item mfft_agree_choice(const char *name, int64_t value, const char *const *words, int count) {
  return (mfft_agree_item){name, value, MFFT_AGREE_INTEGER, value >= 0 && value < count ? words[value] : NULL};
}

mfft_agree_item mfft_agree_switch(const char *name, int on) {
  static const char *const words[] = {"no", "yes"};
  return mfft_agree_choice(name, on != 0, words, 2);
}

mfft_agree_item mfft_agree_real(const char *name, double value) {
  mfft_agree_item item = {name, 0, MFFT_AGREE_REAL, NULL};
  memcpy(&item.value, &value, sizeof item.value);
  return item;
}

mfft_agree_item mfft_agree_text(const char *name, const char *text) {
  return (mfft_agree_item){name, text ? (int64_t)mfft_text_hash(text, strlen(text)) : 0, MFFT_AGREE_TEXT, text};
}

mfft_status mfft_agree_values(MPI_Comm comm, const mfft_agree_item *items, int count) {
  int64_t *extremes = malloc(2 * (size_t)count * sizeof *extremes); /* [2][count] greatest of value, greatest of ~value */
  mfft_status status = extremes ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory to compare %d arguments", count);
  MFFT_GOTO(done, mfft_agree(comm, status));

  for (int i = 0; i < count; i++) {
    extremes[i] = items[i].value;
    extremes[count + i] = ~items[i].value; /* falls as the value rises, and has no overflow as its negative has */
  }
  MFFT_GOTO(done, mfft_together_reduce(comm, extremes, 2 * count, MPI_INT64_T, MPI_MAX, "comparing arguments"));
  for (int i = 0; i < count && status == MFFT_SUCCESS; i++)
    if (extremes[i] != ~extremes[count + i]) status = mfft_mismatch(comm, &items[i]);
done:
  free(extremes);
  return status;
}
