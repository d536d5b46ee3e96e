/* node_messages.c: see node_messages.h. */
#include "dist/node_messages.h"

#include <stdlib.h>
#include <string.h>

#include "base/cache_line.h"

/* The ranks of each node; nodes by their lowest ranks. */
typedef struct node_list {
  int *index; /* [ranks] node of a rank */
  int *begin; /* [nodes + 1] */
  int *rank;  /* [ranks] those of node i from begin[i] to begin[i + 1] */
} node_list;

static mfft_status list_nodes(const mfft_topology *topology, node_list *list) {
  const size_t ranks = (size_t)topology->ranks;
  int nodes = 0;
  list->index = malloc(ranks * sizeof *list->index);
  list->begin = calloc(ranks + 2, sizeof *list->begin);
  list->rank = malloc(ranks * sizeof *list->rank);
  if (!list->index || !list->begin || !list->rank)
    return mfft_fail(MFFT_ERR_MEMORY, "no memory for the nodes of %d ranks", topology->ranks);
  for (int r = 0; r < topology->ranks; r++) {
    list->index[r] = topology->node_of[r] == r ? nodes++ : list->index[topology->node_of[r]];
    list->begin[list->index[r] + 2]++;
  }
  for (int node = 0; node < nodes; node++) list->begin[node + 2] += list->begin[node + 1];
  for (int r = 0; r < topology->ranks; r++) list->rank[list->begin[list->index[r] + 1]++] = r;
  return MFFT_SUCCESS;
}

static void free_nodes(node_list *list) {
  free(list->index);
  free(list->begin);
  free(list->rank);
}

static int ranks_of(const node_list *list, int node) { return list->begin[node + 1] - list->begin[node]; }

/* The ranks of two nodes between which a piece goes.  Those of the two directions differ wherever one node has two ranks. */
static void leaders_of(const node_list *list, int mine, int other, int outgoing, int piece, int *leader, int *peer) {
  const int low = mine < other ? mine : other, high = mine < other ? other : mine; /* both nodes compute the same */
  const int back = (mine == low) != outgoing, ranks = ranks_of(list, low);
  const int at_low = list->rank[list->begin[low] + (high + piece + (back && ranks > 1)) % ranks];
  const int at_high = list->rank[list->begin[high] + (low + piece + (back && ranks == 1)) % ranks_of(list, high)];
  *leader = mine == low ? at_low : at_high;
  *peer = mine == low ? at_high : at_low;
}

int mfft_node_pieces(int64_t bytes, int ranks) {
  const int64_t pieces = bytes / MFFT_NODE_PIECE_BYTES;
  return pieces < 1 ? 1 : pieces < ranks ? (int)pieces : ranks;
}

/* Orders parts by transfer, direction, other node, sender and receiver, which gives the same sequence on both nodes. */
static int compare(const void *one, const void *other) {
  const mfft_node_part *a = one, *b = other;
  const int a_from = a->outgoing ? a->here : a->there, a_to = a->outgoing ? a->there : a->here;
  const int b_from = b->outgoing ? b->here : b->there, b_to = b->outgoing ? b->there : b->here;
  const int difference[] = {a->transfer - b->transfer, a->outgoing - b->outgoing, a->leader - b->leader, a_from - b_from,
                            a_to - b_to};
  for (int i = 0; i < 5; i++)
    if (difference[i]) return difference[i];
  return 0;
}

/* Lists the pieces of part[count], which are all that one node sends to the other in a transfer: a part belongs to the piece
 * in which it begins, on both nodes alike. */
static void list_pieces(const mfft_topology *topology, const node_list *list, mfft_node_part *part, int64_t first,
                        int64_t count, mfft_node_messages *messages) {
  const int mine = list->index[topology->rank], other = part[first].leader;
  const int here = ranks_of(list, mine), there = ranks_of(list, other);
  int64_t all = 0, at = 0;
  int leader, peer;
  for (int64_t i = first; i < first + count; i++) all += mfft_line_bytes(part[i].bytes);
  const int pieces = mfft_node_pieces(all, here < there ? here : there);
  mfft_node_message *m = NULL;
  for (int64_t i = first, last = -1; i < first + count; i++) {
    const int64_t bytes = mfft_line_bytes(part[i].bytes);
    const int piece = all ? (int)((double)at / (double)all * pieces) : 0;
    leaders_of(list, mine, other, part[i].outgoing, piece, &leader, &peer);
    int64_t *reserved = &messages->bytes[topology->node_place[leader]];
    if (piece != last) {
      m = &messages->message[messages->count++];
      *m = (mfft_node_message){.transfer = part[i].transfer,
                               .outgoing = part[i].outgoing,
                               .leader = leader,
                               .peer = peer,
                               .first = i,
                               .offset_bytes = *reserved};
    }
    last = piece;
    part[i].leader = leader;
    part[i].offset_bytes = *reserved;
    *reserved += bytes;
    m->bytes += bytes;
    m->count++;
    at += bytes;
  }
}

/* Lists the messages of sorted parts whose `leader` is still the other node. */
static void list_messages(const mfft_topology *topology, const node_list *list, mfft_node_part *part, int64_t count,
                          mfft_node_messages *messages) {
  for (int64_t i = 0, end; i < count; i = end) {
    const mfft_node_part *p = &part[i];
    for (end = i + 1; end < count && part[end].transfer == p->transfer && part[end].outgoing == p->outgoing &&
                      part[end].leader == p->leader;)
      end++;
    list_pieces(topology, list, part, i, end - i, messages);
  }
}

mfft_status mfft_node_messages_make(const mfft_topology *topology, mfft_node_part *part, int64_t count,
                                    mfft_node_messages *messages) {
  node_list list = {0};
  *messages = (mfft_node_messages){0};
  mfft_status status = list_nodes(topology, &list);
  if (status == MFFT_SUCCESS) {
    messages->message = malloc(((size_t)count + 1) * sizeof *messages->message);
    messages->bytes = calloc((size_t)topology->node_ranks, sizeof *messages->bytes);
    if (!messages->message || !messages->bytes)
      status = mfft_fail(MFFT_ERR_MEMORY, "no memory for the messages of a node: %lld parts", (long long)count);
  }
  if (status == MFFT_SUCCESS) {
    for (int64_t i = 0; i < count; i++) part[i].leader = list.index[part[i].there];
    qsort(part, (size_t)count, sizeof *part, compare);
    list_messages(topology, &list, part, count, messages);
  }
  free_nodes(&list);
  return status;
}

void mfft_node_messages_free(mfft_node_messages *messages) {
  free(messages->message);
  free(messages->bytes);
  memset(messages, 0, sizeof *messages);
}
