/* compare.c: see compare.h. */
#include "comm/compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/mismatch.h"
#include "mfft_mpi.h"

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

mfft_agree_item mfft_agree_word(const char *name, const char *word) {
  mfft_agree_item item = mfft_agree_text(name, word);
  if (word) item.kind = MFFT_AGREE_INTEGER;
  return item;
}

/* Prints the value of an item. */
static void print_value(const mfft_agree_item *item, char word[MFFT_MISMATCH_WORD_BYTES]) {
  enum { SIZE = MFFT_MISMATCH_WORD_BYTES };
  double real;
  memcpy(&real, &item->value, sizeof real);
  if (item->kind == MFFT_AGREE_REAL)
    snprintf(word, SIZE, "%.17g", real);
  else if (item->kind == MFFT_AGREE_TEXT && item->word)
    snprintf(word, SIZE, "\"%.*s\"", SIZE - 3, item->word);
  else if (item->kind == MFFT_AGREE_TEXT)
    snprintf(word, SIZE, "none");
  else if (item->word)
    snprintf(word, SIZE, "%s", item->word);
  else
    snprintf(word, SIZE, "%" PRId64, item->value);
}

enum { PIECE = MFFT_AGREE_NUMBERS / 2 }; /* items of one reduction */

static mfft_status compare_piece(MPI_Comm comm, mfft_status mine, const mfft_agree_item *items, int count) {
  int64_t extremes[2 * PIECE]; /* [2][count] maxima of value and of ~value */
  for (int i = 0; i < count; i++) {
    extremes[i] = items[i].value;
    extremes[count + i] =
        ~items[i].value; /* decreases as the value increases; unlike the negative value, it cannot overflow */
  }
  MFFT_TRY(mfft_agree_largest_integers(comm, mine, extremes, 2 * count, "comparing arguments"));
  for (int i = 0; i < count; i++) {
    if (extremes[i] == ~extremes[count + i]) continue;
    char word[MFFT_MISMATCH_WORD_BYTES];
    print_value(&items[i], word);
    return mfft_mismatch(comm, items[i].name, items[i].value, word);
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_agree_and_compare(MPI_Comm comm, mfft_status mine, const mfft_agree_item *items, int count) {
  for (int first = 0; first < count || !first; first += PIECE)
    MFFT_TRY(compare_piece(comm, mine, items + first, count - first < PIECE ? count - first : PIECE));
  return MFFT_SUCCESS;
}

mfft_status mfft_agree_values(MPI_Comm comm, const mfft_agree_item *items, int count) {
  return mfft_agree_and_compare(comm, MFFT_SUCCESS, items, count);
}

mfft_status mfft_agree_same_text(MPI_Comm comm, const char *text, const char *what) {
  const mfft_agree_item item = mfft_agree_text(what, text ? text : "");
  return mfft_agree_values(comm, &item, 1);
}

static mfft_status compare_texts(MPI_Comm comm, const char *const *name, const char *const *text, int count) {
  const mfft_agree_item number = mfft_agree_integer("the number of texts", count);
  MFFT_TRY(mfft_agree_values(comm, &number, 1));
  mfft_status status = MFFT_SUCCESS;
  mfft_agree_item *items = count > 0 && name && text ? malloc((size_t)count * sizeof *items) : NULL; /* [count] */
  if (count < 0)
    status = mfft_fail(MFFT_ERR_ARG, "the number of texts is %d; pass 0 or more", count);
  else if (count > 0 && (!name || !text))
    status = mfft_fail(MFFT_ERR_ARG, "the array of %s is NULL; pass %d of each", name ? "texts" : "names", count);
  else if (count > 0 && !items)
    status = mfft_fail(MFFT_ERR_MEMORY, "no memory to compare %d texts", count);
  MFFT_GOTO(done, mfft_agree(comm, status));
  for (int i = 0; i < count; i++) items[i] = mfft_agree_word(name[i], text[i]);
  if (count) status = mfft_agree_values(comm, items, count);
done:
  free(items);
  return status;
}

mfft_status mfft_compare_texts(MPI_Comm comm, const char *const *name, const char *const *text, int count) {
  MPI_Comm own; /* a duplicate, since collectives of the caller may be under way on `comm` */
  MFFT_TRY(mfft_comm_duplicate(comm, &own));
  mfft_status status = compare_texts(own, name, text, count);
  mfft_comm_free(&own);
  return status;
}
