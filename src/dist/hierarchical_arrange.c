/* hierarchical_arrange.c: see hierarchical_arrange.h. */
#include "dist/hierarchical_arrange.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "comm/agree.h"
#include "comm/collective.h"
#include "dist/hierarchical_transfer.h"

enum { FIRST_TAG = 2 }; /* failure.c has 1; tags tell transfers apart, as leaders send when others are ready */

/* The numbers that each rank of a node shares with the others. */
typedef struct rank_parts {
  int64_t parts, offset_bytes; /* offset of the buffers from the start of the arrays */
} rank_parts;

/* Lists the messages of this rank in all transfers: part [parts]. */
static void list_own(const mfft_topology *topology, mfft_transfer **transfers, int count, mfft_node_part *list) {
  for (int i = 0; i < count; i++)
    for (int sent = 0; sent < 2; sent++) {
      const mfft_message_list *own = &((const mfft_hierarchical *)transfers[i])->own[sent];
      for (int64_t k = 0; k < own->count; k++)
        *list++ = (mfft_node_part){.transfer = i,
                                   .outgoing = sent,
                                   .here = topology->rank,
                                   .there = own->message[k].peer,
                                   .index = (int)k,
                                   .bytes = own->message[k].bytes};
    }
}

/* Collects the parts of all ranks of the node: *all [*total]; rank [node_ranks].  Collective over all ranks. */
static mfft_status collect(const mfft_topology *topology, mfft_transfer **transfers, int count, rank_parts *rank,
                           mfft_node_part **all, int64_t *total) {
  int64_t most = 0;
  for (int r = 0; r < topology->node_ranks; r++) most = rank[r].parts > most ? rank[r].parts : most;
  mfft_node_part *mine = calloc((size_t)most + 1, sizeof *mine);
  *all = malloc(((size_t)most * (size_t)topology->node_ranks + 1) * sizeof **all);
  mfft_status status =
      mine && *all ? MFFT_SUCCESS
                   : mfft_fail(MFFT_ERR_MEMORY, "no memory for the messages of a node: %lld a rank", (long long)most);
  status = mfft_agree(topology->comm, status);
  if (status == MFFT_SUCCESS) {
    list_own(topology, transfers, count, mine);
    status =
        mfft_collective_allgather(topology->node, mine, (size_t)most * sizeof *mine, *all, "sharing messages of a node");
  }
  *total = 0;
  for (int r = 0; status == MFFT_SUCCESS && r < topology->node_ranks; r++) {
    memmove(*all + *total, *all + r * most, (size_t)rank[r].parts * sizeof **all);
    *total += rank[r].parts;
  }
  free(mine);
  return status;
}

static mfft_status allocate(mfft_hierarchical *t, int messages) {
  const size_t parts = (size_t)(t->own[0].count + t->own[1].count) + 1, node = (size_t)t->topology->node_ranks;
  t->received = (int)t->own[0].count;
  t->parts = t->received + (int)t->own[1].count;
  t->part = malloc(parts * sizeof *t->part);
  t->block = malloc(parts * sizeof *t->block);
  t->in = malloc(parts * sizeof *t->in);
  t->out = malloc(parts * sizeof *t->out);
  t->message = malloc(((size_t)messages + 1) * sizeof *t->message);
  t->request = malloc(((size_t)messages + 1) * sizeof *t->request);
  int all = t->part && t->block && t->in && t->out && t->message && t->request;
  for (int k = 0; k < MFFT_HIERARCHICAL_PEERS; k++) all &= (t->peer[k] = malloc(node * sizeof *t->peer[k])) != NULL;
  return all ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for what %s sends between nodes", t->what);
}

static void add_peer(mfft_hierarchical *t, mfft_hierarchical_peer kind, int rank) {
  if (rank == t->topology->rank) return; /* its own steps are in sequence without signals */
  for (int i = 0; i < t->peers[kind]; i++)
    if (t->peer[kind][i] == rank) return;
  t->peer[kind][t->peers[kind]++] = rank;
}

/* Takes what concerns this rank of one message between nodes. */
static void take(mfft_hierarchical *t, const mfft_node_message *m, const mfft_node_part *parts, const rank_parts *rank) {
  const int64_t buffers = rank[t->topology->node_place[m->leader]].offset_bytes;
  const int is_leader = m->leader == t->topology->rank;
  for (const mfft_node_part *p = parts + m->first; p < parts + m->first + m->count; p++) {
    if (is_leader) add_peer(t, m->outgoing ? MFFT_GATHERS_FROM : MFFT_SCATTERS_TO, p->here);
    if (p->here != t->topology->rank) continue;
    const mfft_message *own = &t->own[m->outgoing].message[p->index];
    t->part[p->index + (m->outgoing ? t->received : 0)] =
        (mfft_hierarchical_part){.where = own->where,
                                 .leader = m->leader,
                                 .offset_bytes = own->offset_bytes,
                                 .bytes = own->bytes,
                                 .leader_offset_bytes = buffers + p->offset_bytes};
    add_peer(t, m->outgoing ? MFFT_SENDS_TO : MFFT_RECEIVES_FROM, m->leader);
  }
  if (!is_leader) return;
  t->request[t->messages] = MPI_REQUEST_NULL;
  t->message[t->messages++] = (mfft_hierarchical_message){m->peer, buffers + m->offset_bytes, m->bytes};
  t->receives += !m->outgoing;
  t->base.messages += m->outgoing;
}

/* Gives each transfer its part of the messages, which are sorted by transfer. */
static mfft_status distribute(mfft_transfer **transfers, int count, const mfft_node_messages *messages,
                              const mfft_node_part *parts, const rank_parts *rank) {
  int64_t next = 0;
  for (int i = 0; i < count; i++) {
    mfft_hierarchical *t = (mfft_hierarchical *)transfers[i];
    int64_t end = next;
    while (end < messages->count && messages->message[end].transfer == i) end++;
    t->tag = FIRST_TAG + i;
    MFFT_TRY(allocate(t, (int)(end - next)));
    for (; next < end; next++) {
      const mfft_node_message *m = &messages->message[next];
      if (m->bytes > INT_MAX)
        return mfft_fail(MFFT_ERR_UNSUPPORTED,
                         "%s has a message of %lld bytes between two nodes; use more chunks, or transport p2p", t->what,
                         (long long)m->bytes);
      take(t, m, parts, rank);
    }
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_hierarchical_arrange(const mfft_topology *topology, mfft_transfer **transfers, int count,
                                      int64_t offset_bytes, int64_t *bytes) {
  mfft_node_part *parts = NULL;
  mfft_node_messages messages = {0};
  int64_t total = 0;
  rank_parts mine = {0, topology->host_memory ? offset_bytes : 0},
             *rank = malloc((size_t)topology->node_ranks * sizeof *rank); /* [node_ranks] */
  for (int i = 0; i < count; i++)
    for (int sent = 0; sent < 2; sent++) mine.parts += ((const mfft_hierarchical *)transfers[i])->own[sent].count;
  mfft_status status =
      rank ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for %d ranks of a node", topology->node_ranks);
  MFFT_GOTO(done, mfft_agree(topology->comm, status));
  MFFT_GOTO(done, mfft_collective_allgather(topology->node, &mine, sizeof mine, rank, "counting messages of a node"));
  MFFT_GOTO(done, collect(topology, transfers, count, rank, &parts, &total));
  status = mfft_node_messages_make(topology, parts, total, &messages);
  if (status == MFFT_SUCCESS) status = distribute(transfers, count, &messages, parts, rank);
  status = mfft_agree(topology->comm, status);
  if (status == MFFT_SUCCESS && topology->host_memory)
    *bytes = messages.bytes[topology->node_rank];
  else if (status == MFFT_SUCCESS && count)
    status = mfft_window_open_beside(((mfft_hierarchical *)transfers[0])->window, messages.bytes);
done:
  mfft_node_messages_free(&messages);
  free(parts);
  free(rank);
  return status;
}
