/* compare.h: arguments that must be the same on all ranks. */
#ifndef MFFT_COMM_COMPARE_H
#define MFFT_COMM_COMPARE_H

#include <mpi.h>

#include "base/status.h"

/* An argument that must be the same on all ranks.  `value` is compared; the message of a mismatch prints it as text. */
typedef enum mfft_agree_kind { MFFT_AGREE_INTEGER = 0, MFFT_AGREE_REAL, MFFT_AGREE_TEXT } mfft_agree_kind;
typedef struct mfft_agree_item {
  const char *name; /* name in the message; the same on all ranks */
  int64_t value;    /* the integer, the bits of the double, or the hash of the text */
  mfft_agree_kind kind;
  const char *word; /* the text itself (NULL: none); for an integer its name (NULL: it has none and is printed in digits) */
} mfft_agree_item;

mfft_agree_item mfft_agree_integer(const char *name, int64_t value);
mfft_agree_item mfft_agree_choice(const char *name, int64_t value, const char *const *words /* [count] */, int count);
mfft_agree_item mfft_agree_switch(const char *name, int on);
mfft_agree_item mfft_agree_real(const char *name, double value);
mfft_agree_item mfft_agree_text(const char *name, const char *text);
mfft_agree_item mfft_agree_word(const char *name, const char *word); /* a text that is printed without quotes */

/* Compares arguments across ranks.  MFFT_ERR_MISMATCH on every rank, with one message that names the first argument that
 * differs and the ranks of each value, as in "desc.precision differs between ranks: single on rank 1, double on ranks 0,
 * 2". */
mfft_status mfft_agree_values(MPI_Comm comm, const mfft_agree_item *items, int count);

/* mfft_agree, and then that, by one reduction where no rank failed and there are few items. */
mfft_status mfft_agree_and_compare(MPI_Comm comm, mfft_status mine, const mfft_agree_item *items, int count);

/* Compares one text, named `what`, across ranks; NULL counts as "". */
mfft_status mfft_agree_same_text(MPI_Comm comm, const char *text, const char *what);

#endif
