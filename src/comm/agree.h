/* agree.h: all ranks fail together.
 *
 * Collective creation does its local work, then calls mfft_agree with what it has got.  Where one rank failed every rank
 * gets the status and the story of the lowest failing one. */
#ifndef MFFT_COMM_AGREE_H
#define MFFT_COMM_AGREE_H

#include <mpi.h>

#include "base/status.h"

mfft_status mfft_agree(MPI_Comm comm, mfft_status mine);

/* An argument that must be the same on all ranks: `value` is compared, and the message of a mismatch says it in words. */
typedef enum mfft_agree_kind { MFFT_AGREE_INTEGER = 0, MFFT_AGREE_REAL, MFFT_AGREE_TEXT } mfft_agree_kind;
typedef struct mfft_agree_item {
  const char *name; /* the same on all ranks */
  int64_t value;    /* an integer; the bits of a double; the hash of a text */
  mfft_agree_kind kind;
  const char *word; /* the text itself, NULL: there is none; of an integer its name, NULL: it has only digits */
} mfft_agree_item;

mfft_agree_item mfft_agree_integer(const char *name, int64_t value);
mfft_agree_item mfft_agree_choice(const char *name, int64_t value, const char *const *words /* [count] */, int count);
mfft_agree_item mfft_agree_switch(const char *name, int on);
mfft_agree_item mfft_agree_real(const char *name, double value);
mfft_agree_item mfft_agree_text(const char *name, const char *text);
mfft_agree_item mfft_agree_word(const char *name, const char *word); /* a text that a message has without quotes */

/* Compares arguments across ranks; MFFT_ERR_MISMATCH on every rank, with one message: the first argument that differs, and
 * which rank gave what, as in "desc.precision differs between ranks: single on rank 1, double on ranks 0, 2". */
mfft_status mfft_agree_values(MPI_Comm comm, const mfft_agree_item *items, int count);

/* Turns an MPI error code into a status with the story "CALL: MPI's own words". */
mfft_status mfft_mpi_status(int code, const char *call);
#define MFFT_MPI_TRY(call) MFFT_TRY(mfft_mpi_status((call), #call))

#endif
