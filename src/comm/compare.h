/* compare.h: arguments that must be the same on all ranks. */
#ifndef MFFT_COMM_COMPARE_H
#define MFFT_COMM_COMPARE_H

#include <mpi.h>

#include "base/status.h"

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

/* The same for one text (NULL counts as ""); `what` names it. */
mfft_status mfft_agree_same_text(MPI_Comm comm, const char *text, const char *what);

#endif
