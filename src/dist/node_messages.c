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

/* The rank of a node that carries messages between it and another one. */
static int carrier_of(const node_list *list, int node, int other) {
  const int ranks = list->begin[node + 1] - list->begin[node];
  return list->rank[list->begin[node] + other % ranks];
}

/* By transfer, direction, other node, sender, receiver: the same sequence on both nodes. */
static int compare(const void *one, const void *other) {
  const mfft_node_part *a = one, *b = other;
  const int a_from = a->outgoing ? a->here : a->there, a_to = a->outgoing ? a->there : a->here;
  const int b_from = b->outgoing ? b->here : b->there, b_to = b->outgoing ? b->there : b->here;
  const int difference[] = {a->transfer - b->transfer, a->outgoing - b->outgoing, a->carrier - b->carrier, a_from - b_from,
                            a_to - b_to};
  for (int i = 0; i < 5; i++)
    if (difference[i]) return difference[i];
  return 0;
}

/* Lists the messages of sorted parts whose `carrier` is still the other node. */
static void list_messages(const mfft_topology *topology, const node_list *list, mfft_node_part *part, int64_t count,
                          mfft_node_messages *messages) {
  const int mine = list->index[topology->rank];
  for (int64_t i = 0, end; i < count; i = end) {
    const int other = part[i].carrier, carrier = carrier_of(list, mine, other);
    int64_t *reserved = &messages->bytes[topology->node_place[carrier]];
    mfft_node_message *m = &messages->message[messages->count++];
    *m = (mfft_node_message){.transfer = part[i].transfer,
                             .outgoing = part[i].outgoing,
                             .carrier = carrier,
                             .peer = carrier_of(list, other, mine),
                             .first = i,
                             .offset_bytes = *reserved};
    for (end = i;
         end < count && part[end].transfer == m->transfer && part[end].outgoing == m->outgoing && part[end].carrier == other;
         end++) {
      part[end].offset_bytes = *reserved;
      *reserved += mfft_line_bytes(part[end].bytes);
    }
    for (int64_t k = i; k < end; k++) part[k].carrier = carrier;
    m->count = end - i;
    m->bytes = *reserved - m->offset_bytes;
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
    for (int64_t i = 0; i < count; i++) part[i].carrier = list.index[part[i].there];
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
