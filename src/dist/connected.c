/* connected.c: see connected.h. */
#include "dist/connected.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "dist/box_index.h"

static int find_root(int *parent, int rank) {
  while (parent[rank] != rank) rank = parent[rank] = parent[parent[rank]];
  return rank;
}

/* Joins two ranks; the lowest rank of a group is its root. */
static void join(int *color, int one, int other) {
  const int a = find_root(color, one), b = find_root(color, other);
  color[a > b ? a : b] = a < b ? a : b;
}

/* Senders by the cells of receivers that they meet: a hash table of ranks, open addressing. */
typedef struct sender_table {
  const mfft_box_index *index;
  const mfft_layout *from;
  int *sender; /* [mask + 1] -1: free */
  uint64_t mask;
} sender_table;

/* Finds an earlier sender that meets the same receivers as `rank`; -1: there is none, and `rank` is added to the table.  On
 * a grid of P x Q ranks only P or Q senders differ in their receivers, and only for these are all receivers joined. */
static int find_equal(sender_table *s, int rank) {
  int64_t first[3], end[3], other_first[3], other_end[3]; /* [axis] */
  uint64_t hash = 0;
  if (!mfft_box_index_cells(s->index, &s->from->box[rank], first, end)) return -1;
  for (int axis = 0; axis < 3; axis++) hash = (hash * 1000003 + (uint64_t)first[axis]) * 1000003 + (uint64_t)end[axis];
  for (uint64_t at = (hash ^ hash >> 29) & s->mask;; at = (at + 1) & s->mask) {
    if (s->sender[at] < 0) {
      s->sender[at] = rank;
      return -1;
    }
    mfft_box_index_cells(s->index, &s->from->box[s->sender[at]], other_first, other_end);
    if (memcmp(first, other_first, sizeof first) == 0 && memcmp(end, other_end, sizeof end) == 0) return s->sender[at];
  }
}

mfft_status mfft_layout_groups(const mfft_layout *from, const mfft_layout *to, int *color) {
  mfft_status status = MFFT_SUCCESS;
  mfft_box_index index = {0};
  sender_table seen = {.index = &index, .from = from, .mask = 1};
  while (seen.mask < 2 * (uint64_t)from->ranks) seen.mask = 2 * seen.mask + 1;
  int *peer = malloc((size_t)to->ranks * sizeof *peer); /* [peers] */
  seen.sender = malloc((seen.mask + 1) * sizeof *seen.sender);
  if (!peer || !seen.sender) MFFT_GOTO(done, mfft_fail(MFFT_ERR_MEMORY, "no memory for groups of %d ranks", to->ranks));
  MFFT_GOTO(done, mfft_box_index_make(to, &index));
  memset(seen.sender, -1, (seen.mask + 1) * sizeof *seen.sender);
  for (int rank = 0; rank < from->ranks; rank++) color[rank] = rank;
  for (int sender = 0; sender < from->ranks; sender++) {
    const int equal = find_equal(&seen, sender);
    const int peers = equal < 0 ? mfft_box_index_find(&index, &from->box[sender], peer) : 0;
    if (equal >= 0) join(color, sender, equal);
    for (int i = 0; i < peers; i++) join(color, sender, peer[i]);
  }
  for (int rank = 0; rank < from->ranks; rank++) color[rank] = find_root(color, rank);
done:
  mfft_box_index_free(&index);
  free(seen.sender);
  free(peer);
  return status;
}
