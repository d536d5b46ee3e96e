/* mismatch.c: see mismatch.h. */
#include "comm/mismatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "comm/agree.h"
#include "comm/collective.h"

/* The argument of one rank. */
typedef struct answer {
  int64_t value;
  char word[MFFT_MISMATCH_WORD_BYTES];
} answer;

void mfft_mismatch_ranks(const int *group, int ranks, int wanted, char *text, size_t size) {
  enum { MOST_RANGES = 8 };
  int ranges = 0, members = 0, named = 0;
  size_t used = 0;
  for (int r = 0; r < ranks; r++) members += group[r] == wanted;
  used += (size_t)snprintf(text, size, members == 1 ? "rank" : "ranks");
  for (int r = 0, end; r < ranks && ranges < MOST_RANGES && used < size; r = end) {
    for (end = r; end < ranks && group[end] == wanted;) end++;
    if (end == r) {
      end = r + 1;
      continue;
    }
    used += (size_t)snprintf(text + used, size - used, ranges++ ? ", %d" : " %d", r);
    if (end == r + 2) end = r + 1; /* a range of two ranks is printed as two ranks */
    if (end > r + 1 && used < size) used += (size_t)snprintf(text + used, size - used, "-%d", end - 1);
    named += end - r;
  }
  if (named < members && used < size) snprintf(text + used, size - used, " and %d more", members - named);
}

/* Numbers the groups in the sequence of their first ranks: group[rank] is the group of a rank, size[group] the number of
 * its ranks.  Returns the number of groups. */
static int find_groups(const answer *all, int ranks, int *group, int *size) {
  int groups = 0;
  for (int r = 0; r < ranks; r++) {
    int first = 0;
    while (all[first].value != all[r].value) first++;
    group[r] = first == r ? groups : group[first];
    if (first == r) size[groups++] = 0;
    size[group[r]]++;
  }
  return groups;
}

static void add_group(mfft_text *text, const answer *all, const int *group, int ranks, int wanted) {
  char names[128];
  int first = 0;
  while (group[first] != wanted) first++;
  mfft_mismatch_ranks(group, ranks, wanted, names, sizeof names);
  mfft_text_add(text, "%s%s on %s", text->length ? ", " : "", all[first].word, names);
}

static mfft_status describe_groups(const char *name, const answer *all, int ranks, int *group, int *size) {
  enum { MOST_GROUPS = 3 };
  mfft_text text = {NULL, 0, 0, 0};
  const int groups = find_groups(all, ranks, group, size);
  for (int named = 0; named < groups && named < MOST_GROUPS; named++) {
    int least = 0;
    for (int g = 1; g < groups; g++)
      if (size[g] < size[least]) least = g;
    add_group(&text, all, group, ranks, least);
    size[least] = ranks + 1; /* never the least again */
  }
  if (groups > MOST_GROUPS) mfft_text_add(&text, ", and %d other values", groups - MOST_GROUPS);
  const mfft_status status = mfft_fail(MFFT_ERR_MISMATCH, "%s differs between ranks: %s; give every rank the same", name,
                                       text.data ? text.data : "no memory to say how");
  mfft_text_free(&text);
  return status;
}

mfft_status mfft_mismatch(MPI_Comm comm, const char *name, int64_t value, const char *word) {
  const size_t ranks = (size_t)mfft_comm_size(comm);
  answer mine = {.value = value};
  answer *all = malloc(ranks * sizeof *all);                                      /* [ranks] */
  int *group = calloc(ranks, sizeof *group), *size = calloc(ranks, sizeof *size); /* [ranks] [groups] */
  mfft_status status = all && group && size ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory to compare %s", name);
  strncat(mine.word, word, sizeof mine.word - 1);
  MFFT_GOTO(done, mfft_agree(comm, status));
  MFFT_GOTO(done, mfft_collective_allgather(comm, &mine, sizeof mine, all, "collecting an argument that differs"));
  status = describe_groups(name, all, (int)ranks, group, size);
done:
  free(all);
  free(group);
  free(size);
  return status;
}
