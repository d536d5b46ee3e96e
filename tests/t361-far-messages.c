// TEST ranks=4 labels=dist+once
/* Messages between the nodes of an exchange of host memory: beside copies within the nodes they are those that their
 * transport would send alone, from array to array where runs are long; a small exchange is over when its messages have
 * arrived, without calls of MPI for the acknowledgements of long ones; the hierarchical transport sends one message between
 * two nodes; all ranks of uneven nodes divide an exchange alike; and rows of
 * a grid that a plan chooses stay inside nodes, however ranks are numbered. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <limits.h>

#include "dist.h"
#include "dist/node_messages.h"
#include "plan/distribution.h"

static int probes; /* calls of MPI_Iprobe */

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  int (*real)(int, int, MPI_Comm, int *, MPI_Status *);
  *(void **)&real = dlsym(RTLD_NEXT, "MPI_Iprobe");
  probes++;
  return real(source, tag, comm, flag, status);
}

static const int *node_of; /* [ranks of MPI_COMM_WORLD] the nodes of a test; NULL: as MFFT_NODE_RANKS divides them */

/* The one call with ranks as keys and nodes as colors is that of topology.c. */
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
  int (*real)(MPI_Comm, int, int, MPI_Comm *);
  *(void **)&real = dlsym(RTLD_NEXT, "MPI_Comm_split");
  return real(comm, node_of ? node_of[key] : color, key, made);
}

static mfft_plan make(const int64_t n[3], const char *transport) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  memcpy(d.n, n, sizeof d.n);
  options.backend = "fftw";
  options.effort = MFFT_ESTIMATE;
  options.transport = transport;
  options.chunks = 1;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  if (!plan) exit(1);
  return plan;
}

/* Messages of all exchanges forward, and stages that pack or unpack. */
static void count(mfft_plan plan, int64_t *messages, int *copies) {
  const mfft_program *program = &plan->program[MFFT_FORWARD];
  *messages = *copies = 0;
  for (int i = 0; i < program->count; i++) {
    const mfft_stage *s = &program->stage[i];
    if (s->kind == MFFT_STAGE_START) *messages += s->transfer->messages;
    *copies += s->kind == MFFT_STAGE_COPY && (strncmp(s->label, "pack", 4) == 0 || strncmp(s->label, "unpack", 6) == 0);
  }
}

/* Planes of 8 x 16 complex numbers, 2048 bytes, are runs for every other rank: two planes for each of three peers, of which
 * two are far. */
static void same_messages(void) {
  const int64_t n[3] = {8, 32, 16};
  int64_t alone, both;
  int packs, packs_both;
  setenv("MFFT_RUN_BYTES", "1024", 1);
  mfft_plan plan = make(n, "pairwise");
  count(plan, &alone, &packs);
  mfft_plan_destroy(plan);
  plan = make(n, "p2p+pairwise");
  count(plan, &both, &packs_both);
  mfft_plan_destroy(plan);
  CHECK(alone > 6 && both * 3 == alone * 2, "%d messages, of which %d are far", (int)alone, (int)both);
  CHECK(packs == 0 && packs_both == 0, "%d and %d stages copy", packs, packs_both);
  unsetenv("MFFT_RUN_BYTES");
}

/* Of many executes one at least finds all messages arrived; its waits then call MPI_Iprobe a few times at most. */
static void few_probes(void) {
  const int64_t n[3] = {8, 8, 8};
  mfft_plan plan = make(n, "pairwise");
  double in[2 * 8 * 8 * 8] = {0}, out[2 * 8 * 8 * 8];
  int least = INT_MAX;
  for (int run = 0; run < 200; run++) {
    probes = 0;
    CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out));
    if (probes < least) least = probes;
  }
  CHECK(least < 64, "%d calls of MPI_Iprobe", least);
  mfft_plan_destroy(plan);
}

/* Two nodes of two ranks: pairwise sends two far messages from each rank in each exchange; the hierarchical transport one
 * from each node.  */
static void one_message_a_pair(void) {
  const int64_t n[3] = {8, 8, 8};
  int64_t messages = 0;
  int copies, rank;
  mfft_plan plan = make(n, "hierarchical");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int exchanges = 0;
  for (int i = 0; i < plan->program[MFFT_FORWARD].count; i++)
    exchanges += plan->program[MFFT_FORWARD].stage[i].kind == MFFT_STAGE_START;
  count(plan, &messages, &copies);
  CHECK(exchanges == 2 && messages <= exchanges, "%d exchanges, %d messages of rank %d", exchanges, (int)messages, rank);
  MPI_Allreduce(MPI_IN_PLACE, &messages, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  CHECK(messages == 2 * exchanges, "%d messages of two nodes in %d exchanges", (int)messages, exchanges);
  mfft_plan_destroy(plan);

  mfft_desc d; /* 1 MiB each way goes in two pieces */
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = d.n[1] = d.n[2] = 64;
  options.backend = "fftw";
  options.transport = "hierarchical";
  options.chunks = 1;
  dist_check(MPI_COMM_WORLD, &d, &options, "pieces");
}

/* Three nodes of 2, 1 and 3 ranks, seen from rank 4 of the last: parts go by sender and receiver, from whole cache lines on,
 * through leaders that are taken in turn. */
static void parts_of_a_node(void) {
  int node_of[] = {0, 0, 2, 3, 3, 3}, place[] = {-1, -1, -1, 0, 1, 2};
  const mfft_topology topology = {
      .rank = 4, .ranks = 6, .node_ranks = 3, .node_rank = 1, .node_place = place, .node_of = node_of};
  mfft_node_part part[] = {{.outgoing = 1, .here = 5, .there = 0, .bytes = 10},
                           {.outgoing = 1, .here = 3, .there = 1, .bytes = 65},
                           {.outgoing = 1, .here = 3, .there = 0, .bytes = 64},
                           {.outgoing = 1, .here = 4, .there = 2, .bytes = 1},
                           {.outgoing = 0, .here = 4, .there = 1, .bytes = 7}};
  mfft_node_messages m;
  CHECK_OK(mfft_node_messages_make(&topology, part, 5, &m));
  CHECK(m.count == 3, "%d messages", (int)m.count);
  CHECK(m.message[0].leader == 3 && m.message[0].peer == 0 && m.message[0].bytes == 64, "received: %d from %d",
        m.message[0].leader, m.message[0].peer); /* node 0 is this one's first, node 2 its first one's third */
  CHECK(m.message[1].leader == 3 && m.message[1].peer == 1 && m.message[1].bytes == 256 && m.message[1].offset_bytes == 64,
        "sent to node 0: %lld bytes at %lld", (long long)m.message[1].bytes, (long long)m.message[1].offset_bytes);
  CHECK(m.message[2].leader == 5 && m.message[2].peer == 2 && m.message[2].offset_bytes == 0, "to node 1: %d to %d",
        m.message[2].leader, m.message[2].peer);
  CHECK(part[1].here == 3 && part[1].there == 0 && part[2].there == 1 && part[3].here == 5, "the sequence of parts");
  CHECK(part[1].offset_bytes == 64 && part[2].offset_bytes == 128 && part[3].offset_bytes == 256, "offsets of parts");
  CHECK(m.bytes[0] == 320 && m.bytes[1] == 0 && m.bytes[2] == 64, "buffers");
  mfft_node_messages_free(&m);
}

/* Two nodes of two ranks that send each other 4 x 300 KB: two pieces each way, between the four pairs of ranks, which both
 * nodes list alike. */
static void pieces_of_a_message(void) {
  enum { BYTES = 300000 };
  int node_of[] = {0, 0, 2, 2}, place[2][4] = {{0, 1, -1, -1}, {-1, -1, 0, 1}}; /* [node][rank] */
  int uses[4][4] = {{0}};                                                       /* [from][to] */
  for (int node = 0; node < 2; node++) {
    const mfft_topology topology = {
        .rank = 2 * node, .ranks = 4, .node_ranks = 2, .node_place = place[node], .node_of = node_of};
    mfft_node_part part[8];
    for (int i = 0; i < 8; i++)
      part[i] = (mfft_node_part){
          .outgoing = i & 1, .here = 2 * node + (i >> 1 & 1), .there = 2 - 2 * node + (i >> 2), .bytes = BYTES};
    mfft_node_messages m;
    CHECK_OK(mfft_node_messages_make(&topology, part, 8, &m));
    CHECK(m.count == 4, "%d messages", (int)m.count);
    for (int64_t i = 0; i < m.count; i++) {
      const mfft_node_message *one = &m.message[i];
      CHECK(one->count == 2 && one->bytes >= 2 * BYTES && one->bytes < 2 * BYTES + 128, "%d parts", (int)one->count);
      uses[one->outgoing ? one->leader : one->peer][one->outgoing ? one->peer : one->leader]++;
    }
    mfft_node_messages_free(&m);
  }
  for (int a = 0; a < 2; a++)
    for (int b = 2; b < 4; b++)
      CHECK(uses[a][b] + uses[b][a] == 2 && uses[a][b] % 2 == 0, "%d and %d: %d and %d", a, b, uses[a][b], uses[b][a]);
}

/* Nodes of three ranks and of one, in so many chunks that ranks need different ones first, and the part of rank 0 in its
 * node differs from that of others. */
static void uneven_nodes(void) {
  static const char *const transports[] = {"p2p+pairwise", "hierarchical"};
  mfft_desc d;
  mfft_options options;
  setenv("MFFT_CHUNK_BYTES", "600", 1);
  for (int run = 0; run < 16; run++) {
    mfft_desc_init(&d);
    mfft_options_init(&options);
    d.n[0] = run & 4 ? 3 : 20, d.n[1] = 11, d.n[2] = 18;
    d.kind = run & 2 ? MFFT_R2C : MFFT_C2C;
    d.order = run & 1 ? MFFT_ORDER_TRANSPOSED : MFFT_ORDER_NATURAL;
    d.placement = run & 8 ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
    options.backend = "fftw";
    for (int t = 0; t < 2; t++) {
      options.transport = transports[t];
      dist_check(MPI_COMM_WORLD, &d, &options, transports[t]);
    }
  }
  unsetenv("MFFT_CHUNK_BYTES");
}

/* Ranks that are not numbered node by node: pencils of a plan that chooses its grid have rows inside nodes where that is
 * possible, those on a grid of the caller are where he expects them, and all transforms are right. */
static void by_node(void) {
  static const struct {
    int node_of[4], far, far_given; /* messages between nodes of all ranks in the two exchanges */
  } maps[] = {{{0, 1, 1, 0}, 4, 8}, {{0, 1, 0, 1}, 4, 4}, {{0, 1, 0, 0}, 4, 4}};
  const int64_t n[3] = {2, 2, 12};
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (size_t m = 0; m < sizeof maps / sizeof *maps; m++)
    for (int given = 0; given < 2; given++) {
      mfft_desc d;
      mfft_options options;
      mfft_plan plan = NULL;
      mfft_desc_init(&d);
      mfft_options_init(&options);
      memcpy(d.n, n, sizeof n);
      d.order = MFFT_ORDER_TRANSPOSED;
      options.backend = "fftw";
      options.effort = MFFT_ESTIMATE;
      options.transport = "p2p+pairwise";
      options.chunks = 1;
      if (given) options.grid[0] = options.grid[1] = 2;
      node_of = maps[m].node_of;
      dist_check(MPI_COMM_WORLD, &d, &options, "ranks by node");
      CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
      node_of = NULL;
      if (!plan) exit(1);
      int64_t far;
      int copies;
      count(plan, &far, &copies);
      MPI_Allreduce(MPI_IN_PLACE, &far, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
      CHECK(far == (given ? maps[m].far_given : maps[m].far), "map %d, grid %s: %d messages between nodes", (int)m,
            given ? "given" : "chosen", (int)far);
      const mfft_box *in = &plan->dist->boxes[MFFT_IN].box[rank];
      CHECK(!given || (in->lo[0] == rank / 2 && in->lo[1] == rank % 2), "rank %d is at %d, %d", rank, (int)in->lo[0],
            (int)in->lo[1]);
      mfft_plan_destroy(plan);
    }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  setenv("MFFT_NODE_RANKS", "2", 1);
  same_messages();
  few_probes();
  one_message_a_pair();
  parts_of_a_node();
  pieces_of_a_message();
  by_node();
  setenv("MFFT_NODE_RANKS", "3", 1);
  uneven_nodes();
  MPI_Finalize();
  return test_end();
}
