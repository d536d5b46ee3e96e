// TEST labels=dist
/* Routes of all ranks, executed in one process: every element arrives, pieces of both ends match one to one, and nothing is
 * written outside the boxes. */
#include "check.h"
#include "dist/route.h"
#include "dist/topology.h"

enum { MOST = 9 };

typedef struct world {
  mfft_layout from, to;
  mfft_route route[MOST];
  unsigned char *in[MOST], *out[MOST], *send[MOST], *recv[MOST];
} world;

static uint64_t seed = 7;

static int64_t below(int64_t n) { return (int64_t)((test_random(&seed) + 0.5) * (double)n); }

/* A random tiling: pencils of a random axis and grid, assigned to ranks in a rotated order, in a random memory order. */
static void random_layout(const int64_t n[3], int ranks, mfft_layout *layout) {
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  int p = 1 + (int)below(ranks);
  while (ranks % p) p--;
  const int grid[2] = {p, ranks / p};
  mfft_layout pencils;
  CHECK_OK(mfft_layout_pencils(n, (int)below(3), grid, NULL, &pencils));
  CHECK_OK(mfft_layout_copy(&pencils, layout));
  int shift = (int)below(ranks), order = below(2) ? 0 : (int)below(6);
  for (int r = 0; r < ranks; r++) {
    layout->box[r] = pencils.box[(r + shift) % ranks];
    memcpy(layout->box[r].order, orders[order], sizeof orders[order]);
  }
  mfft_layout_free(&pencils);
}

static void copy_blocks(const mfft_block_list *list, int64_t element, const unsigned char *in, unsigned char *out) {
  for (int64_t b = 0; b < list->count; b++) {
    const mfft_block *k = &list->block[b];
    for (int64_t p = 0; p < k->n[0]; p++)
      for (int64_t q = 0; q < k->n[1]; q++)
        for (int64_t r = 0; r < k->n[2]; r++)
          for (int64_t s = 0; s < k->n[3]; s++)
            memcpy(out + element * (k->out_offset + p * k->os[0] + q * k->os[1] + r * k->os[2] + s * k->os[3]),
                   in + element * (k->in_offset + p * k->is[0] + q * k->is[1] + r * k->is[2] + s * k->is[3]),
                   (size_t)element);
  }
}

/* Message k from a to b is the k-th of a's list for b and of b's list for a. */
static void carry(world *w, int ranks, int c) {
  for (int a = 0; a < ranks; a++)
    for (int b = 0; b < ranks; b++) {
      const mfft_message_list *sends = &w->route[a].chunk[c].send, *recvs = &w->route[b].chunk[c].recv;
      int64_t j = 0;
      for (int64_t i = 0; i < sends->count; i++) {
        if (sends->message[i].peer != b) continue;
        while (j < recvs->count && recvs->message[j].peer != a) j++;
        CHECK(j < recvs->count, "rank %d sends more to %d than it expects", a, b);
        if (j >= recvs->count) return;
        const mfft_message *s = &sends->message[i], *r = &recvs->message[j++];
        CHECK(s->bytes == r->bytes, "%d bytes sent, %d expected", (int)s->bytes, (int)r->bytes);
        memcpy((r->where == MFFT_IN_AREA ? w->recv[b] : w->out[b]) + r->offset_bytes,
               (s->where == MFFT_IN_AREA ? w->send[a] : w->in[a]) + s->offset_bytes, (size_t)s->bytes);
      }
      while (j < recvs->count && recvs->message[j].peer != a) j++;
      CHECK(j >= recvs->count, "rank %d expects more from %d than it sends", b, a);
    }
}

/* A transport that sends from one buffer: all messages of a side are in the array, in whole cache lines, or all in the area.
 */
static void check_place(const mfft_route *route) {
  for (int end = 0; end < 2; end++) {
    int64_t in_array = 0, others = 0;
    for (int c = 0; c < route->chunks; c++) {
      const mfft_message_list *list = end ? &route->chunk[c].recv : &route->chunk[c].send;
      for (int64_t i = 0; i < list->count; i++) {
        const mfft_message *m = &list->message[i];
        others += m->where == MFFT_IN_AREA || m->offset_bytes % 64 || m->bytes % 64;
        in_array += m->where == MFFT_IN_ARRAY;
      }
    }
    CHECK(!in_array || !others, "%d messages of an array, %d others", (int)in_array, (int)others);
  }
}

static void cut_along_two(mfft_cut *cut) {
  cut->axis = (int)below(3);
  cut->late_axis = (cut->axis + 1 + (int)below(2)) % 3;
  cut->target = 0;
  cut->early = 1 + (int)below(3);
  cut->chunks = cut->early + 1 + (int)below(3);
  cut->split = 1 + (int)below(15);
}

/* Every element of each pair of boxes is sent once; none before it is computed, and each element of a target box that may be
 * used after a chunk has arrived exactly once. */
static void check_order(const world *w, const mfft_cut *cut, int64_t batch) {
  enum { NONE = -1 };
  static int made[MOST][3 * 729], here[MOST][3 * 729]; /* [rank][batch, element of the box] the chunk of it */
  int64_t i[3], wrong = 0, taken = 0, all = 0;
  const mfft_layout *from = &w->from, *to = &w->to;
  memset(made, NONE, sizeof made);
  memset(here, NONE, sizeof here);
#define REGION(region)                                                   \
  for (int64_t b = (region).batch_lo; b < (region).batch_hi; b++)        \
    for (i[0] = (region).box.lo[0]; i[0] < (region).box.hi[0]; i[0]++)   \
      for (i[1] = (region).box.lo[1]; i[1] < (region).box.hi[1]; i[1]++) \
        for (i[2] = (region).box.lo[2]; i[2] < (region).box.hi[2]; i[2]++)
#define AT(list, box) list[b * mfft_box_count(box) + mfft_box_offset(box, i)]
  for (int c = 0; c < cut->chunks; c++) {
    for (int a = 0; a < from->ranks && !cut->target; a++) {
      mfft_region before = mfft_cut_before(&from->box[a], batch, cut, c);
      REGION(before) wrong += AT(made[a], &from->box[a]) != NONE, AT(made[a], &from->box[a]) = c;
    }
    for (int a = 0; a < from->ranks; a++)
      for (int z = 0; z < to->ranks; z++) {
        mfft_region part = mfft_cut_part(&from->box[a], &to->box[z], batch, cut, c);
        REGION(part) {
          wrong += !cut->target && AT(made[a], &from->box[a]) == NONE;
          wrong += AT(here[z], &to->box[z]) != NONE;
          AT(here[z], &to->box[z]) = c;
        }
      }
    for (int z = 0; z < to->ranks && (cut->early || cut->target); z++) {
      mfft_region behind = mfft_cut_after(&to->box[z], batch, cut, c);
      REGION(behind) wrong += AT(here[z], &to->box[z]) == NONE, taken++;
    }
  }
  for (int z = 0; z < to->ranks; z++) all += batch * mfft_box_count(&to->box[z]);
  CHECK(wrong == 0, "%d wrong", (int)wrong);
  CHECK(taken == all || !(cut->early || cut->target), "%d of %d taken", (int)taken, (int)all);
}

static void try_route(int run) {
  enum { GUARD = 64 };
  int ranks = 1 + (int)below(MOST);
  const int64_t most[3] = {9, run % 4 < 2 ? 9 : 81, run % 4 < 2 ? 9 : 1}; /* 729 elements in all; long slices too */
  const int64_t n[3] = {1 + below(most[run % 3]), 1 + below(most[(run + 1) % 3]), 1 + below(most[(run + 2) % 3])};
  const int64_t batch = 1 + below(3), element = 1 + below(5);
  world w;
  random_layout(n, ranks, &w.from);
  random_layout(n, ranks, &w.to);
  mfft_route_spec spec = {.from = &w.from,
                          .to = &w.to,
                          .batch = batch,
                          .element_bytes = element,
                          .cut = {.chunks = 1 + (int)below(4), .axis = (int)below(4), .target = (int)below(2)},
                          .run_bytes = below(3) ? below(60) : 32768,
                          .messages = (mfft_messages)below(4),
                          .pack_all = (int)below(2),
                          .unpack_all = (int)below(2)};
  if (run % 2) cut_along_two(&spec.cut);
  check_order(&w, &spec.cut, batch);
  spec.self_from = spec.pack_all ? MFFT_IN_AREA : MFFT_IN_ARRAY;
  spec.self_to = spec.unpack_all ? MFFT_IN_AREA : MFFT_IN_ARRAY;
  for (int r = 0; r < ranks; r++) {
    spec.rank = r;
    CHECK_OK(mfft_route_build(&spec, &w.route[r]));
    if (spec.messages == MFFT_FROM_ONE_BUFFER) check_place(&w.route[r]);
    size_t in = (size_t)(batch * element * mfft_box_count(&w.from.box[r])),
           out = (size_t)(batch * element * mfft_box_count(&w.to.box[r]));
    w.in[r] = malloc(in + GUARD);
    w.out[r] = malloc(out + GUARD);
    w.send[r] = malloc((size_t)w.route[r].send_bytes + GUARD);
    w.recv[r] = malloc((size_t)w.route[r].recv_bytes + GUARD);
    memset(w.out[r], 0xee, out + GUARD);
    memset(w.send[r], 0xdd, (size_t)w.route[r].send_bytes + GUARD);
    memset(w.recv[r], 0xcc, (size_t)w.route[r].recv_bytes + GUARD);
  }
  int64_t i[3];
#define EACH(box)                                            \
  for (int64_t b = 0; b < batch; b++)                        \
    for (i[0] = (box).lo[0]; i[0] < (box).hi[0]; i[0]++)     \
      for (i[1] = (box).lo[1]; i[1] < (box).hi[1]; i[1]++)   \
        for (i[2] = (box).lo[2]; i[2] < (box).hi[2]; i[2]++) \
          for (int64_t e = 0; e < element; e++)
#define VALUE (unsigned char)(1 + (b * 7 + i[0] * 50 + i[1] * 11 + i[2] * 3 + e * 29) % 200)
  for (int r = 0; r < ranks; r++) EACH(w.from.box[r])
  w.in[r][element * (b * mfft_box_count(&w.from.box[r]) + mfft_box_offset(&w.from.box[r], i)) + e] = VALUE;

  for (int c = 0; c < spec.cut.chunks; c++) {
    for (int r = 0; r < ranks; r++) {
      mfft_chunk *chunk = &w.route[r].chunk[c];
      copy_blocks(&chunk->pack, element, w.in[r], w.send[r]);
      copy_blocks(&chunk->self, element, spec.pack_all ? w.send[r] : w.in[r], spec.unpack_all ? w.recv[r] : w.out[r]);
    }
    carry(&w, ranks, c);
    for (int r = 0; r < ranks; r++) copy_blocks(&w.route[r].chunk[c].unpack, element, w.recv[r], w.out[r]);
  }
  int64_t wrong = 0;
  for (int r = 0; r < ranks; r++) {
    EACH(w.to.box[r])
    wrong += w.out[r][element * (b * mfft_box_count(&w.to.box[r]) + mfft_box_offset(&w.to.box[r], i)) + e] != VALUE;
    size_t out = (size_t)(batch * element * mfft_box_count(&w.to.box[r]));
    for (int g = 0; g < GUARD; g++)
      wrong += w.out[r][out + (size_t)g] != 0xee || w.send[r][w.route[r].send_bytes + g] != 0xdd ||
               w.recv[r][w.route[r].recv_bytes + g] != 0xcc;
  }
  CHECK(wrong == 0, "run %d: %d bytes are wrong", run, (int)wrong);
  for (int r = 0; r < ranks; r++) {
    mfft_route_free(&w.route[r]);
    free(w.in[r]);
    free(w.out[r]);
    free(w.send[r]);
    free(w.recv[r]);
  }
  mfft_layout_free(&w.from);
  mfft_layout_free(&w.to);
}

/* The guarantee of the header: slabs exchange data without any copy. */
static void slabs_need_no_copy(void) {
  const int64_t n[3] = {64, 64, 64};
  const int grid[2] = {4, 1};
  mfft_layout from, to;
  CHECK_OK(mfft_layout_pencils(n, 1, grid, NULL, &from));
  CHECK_OK(mfft_layout_pencils(n, 0, grid, NULL, &to));
  mfft_route_spec spec = {
      .from = &from, .to = &to, .rank = 1, .batch = 1, .element_bytes = 16, .cut = {.chunks = 2}, .run_bytes = 16384};
  mfft_route route;
  CHECK_OK(mfft_route_build(&spec, &route));
  CHECK(!route.packs && !route.unpacks && route.send_bytes == 0 && route.recv_bytes == 0);
  CHECK(route.chunk[0].send.count == 3 * 8, "%d messages", (int)route.chunk[0].send.count);
  mfft_route_free(&route);
  mfft_layout_free(&from);
  mfft_layout_free(&to);
}

/* One run per peer: nothing is copied for transports with one message per peer either, if it consists of whole cache lines
 * for those that send from one buffer. */
static void one_run_needs_no_copy(void) {
  for (int messages = MFFT_ANY_MESSAGES; messages <= MFFT_FROM_AREAS; messages++)
    for (int element = 4; element <= 16; element *= 4) {
      mfft_box box[2][3]; /* [side][rank] */
      for (int r = 0; r < 3; r++) {
        box[0][r] = (mfft_box){{r, 0, 0}, {r + 1, 3, 4}, {0, 1, 2}};
        box[1][r] = (mfft_box){{0, r, 0}, {3, r + 1, 4}, {0, 1, 2}};
      }
      const mfft_layout from = {.ranks = 3, .box = box[0]}, to = {.ranks = 3, .box = box[1]};
      const mfft_route_spec spec = {.from = &from,
                                    .to = &to,
                                    .rank = 1,
                                    .batch = 1,
                                    .element_bytes = element,
                                    .cut = {.chunks = 1},
                                    .run_bytes = 1 << 20,
                                    .messages = (mfft_messages)messages};
      mfft_route route;
      CHECK_OK(mfft_route_build(&spec, &route));
      const int copies = messages == MFFT_FROM_AREAS || (messages == MFFT_FROM_ONE_BUFFER && element == 4);
      CHECK(route.packs == copies && route.unpacks == copies, "messages %d, elements of %d bytes", messages, element);
      CHECK(route.chunk[0].send.count == 2 && route.chunk[0].recv.count == 2);
      mfft_route_free(&route);
    }
}

/* Slices of 512 planes with an overlap split of 5/16: none has 59 planes, a length that cannot be divided into equal parts
 * that fit a cache. */
static void long_slices_are_round(void) {
  const mfft_box box = {{1024, 0, 0}, {1536, 8, 8}, {0, 1, 2}};
  const mfft_cut cut = {.chunks = 12, .axis = 1, .early = 6, .late_axis = 0, .split = 5};
  int64_t at = box.lo[0];
  for (int c = cut.early - 1; c < cut.chunks; c++) {
    const mfft_region slice = mfft_cut_after(&box, 1, &cut, c);
    const int64_t planes = mfft_box_extent(&slice.box, 0);
    CHECK(slice.box.lo[0] == at && planes % 4 == 0, "slice %d: %d planes from %d on, and %d were taken", c, (int)planes,
          (int)slice.box.lo[0], (int)at);
    CHECK(c < cut.early ? planes == 160 : planes == 56 || planes == 60, "slice %d: %d planes", c, (int)planes);
    at = slice.box.hi[0];
  }
  CHECK(at == box.hi[0], "%d planes were taken", (int)(at - box.lo[0]));
}

/* The choice of chunks to pack depends on the memory: on a device a message costs as much as packing a long run, and each
 * chunk costs a launch. */
static void check_sizes(void) {
  const mfft_topology host = {.host_memory = 1}, device = {.host_memory = 0};
  const double mebibyte = 1 << 20;
  setenv("MFFT_RUN_BYTES", "0", 1);
  CHECK(mfft_topology_run_bytes(&host) == 32768 && mfft_topology_run_bytes(&device) == 8 << 20);
  setenv("MFFT_RUN_BYTES", "400", 1);
  CHECK(mfft_topology_run_bytes(&host) == 400 && mfft_topology_run_bytes(&device) == 400);
  unsetenv("MFFT_RUN_BYTES");
  CHECK(mfft_topology_chunks(&device, mebibyte, 8) == 1 && mfft_topology_chunks(&device, 384 * mebibyte, 8) == 3);
  CHECK(mfft_topology_chunks(&device, 8192 * mebibyte, 8) == 8 && mfft_topology_chunks(&device, 8192 * mebibyte, 12) == 12);
  CHECK(mfft_topology_chunks(&host, 12 * mebibyte, 8) == 3 && mfft_topology_chunks(&host, 8192 * mebibyte, 8) == 16);
}

int main(void) {
  check_sizes();
  for (int run = 0; run < 400; run++) try_route(run);
  slabs_need_no_copy();
  one_run_needs_no_copy();
  long_slices_are_round();
  return test_end();
}
