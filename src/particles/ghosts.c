/* ghosts.c: see ghosts.h. */
#include "particles/ghosts.h"

#include <stdlib.h>
#include <string.h>

#include "base/precision.h"
#include "comm/agree.h"
#include "particles/messages.h"
#include "plan/distribution.h"
#include "plan/plan.h"

/* A box of cells of one part (own cells or a rim) of this rank, in C order. */
typedef struct block {
  int peer;            /* the rank that it is exchanged with */
  int part;            /* 0: own cells of this rank, otherwise one of its rims */
  int64_t n[3], lo[3]; /* extents; its first cell */
  int64_t at;          /* the offset of that in its array */
} block;

typedef struct block_list {
  block *block; /* [count] by peer, in the same order on both ranks */
  int64_t count, capacity;
  int64_t cells;
} block_list;

struct mfft_pm_ghosts {
  MPI_Comm comm;
  int rank;
  mfft_pm_parts parts;
  /* boxes of the rims of this rank that `peer` owns; boxes of own cells that are in rims of `peer` */
  block_list rims, owned;
  int64_t *packed[2];          /* [rims.cells], [owned.cells] packed cells of at most 8 bytes */
  mfft_pm_message *message[2]; /* [messages] one for each peer, of cells of 8 bytes: packed rims, packed own cells */
  int messages[2];
  mfft_pm_message *placed[2]; /* [messages] the messages of a transfer */
  mfft_plan plan;             /* NULL: cells are in host memory */
  mfft_dynamic *dynamic;      /* of device memory, with several ranks; what is sent lies in its area */
  int64_t *staged;            /* [cells of the longer list] packed cells, in the memory of the device */
  mfft_block *moved;          /* [the longer list] */
};

/* ---- Geometry -------------------------------------------------------------------------------------------------------- */

static mfft_status append(block_list *list, int peer, int part, const mfft_pm_part *in, const mfft_box *region) {
  if (list->count == list->capacity) {
    const int64_t capacity = list->capacity ? 2 * list->capacity : 16;
    block *grown = realloc(list->block, (size_t)capacity * sizeof *grown);
    if (!grown) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %lld blocks of ghost cells", (long long)capacity);
    list->block = grown;
    list->capacity = capacity;
  }
  block *b = &list->block[list->count++];
  *b = (block){.peer = peer, .part = part, .at = in->start};
  for (int a = 0; a < 3; a++) {
    b->n[a] = region->hi[a] - region->lo[a];
    b->lo[a] = region->lo[a];
    b->at += (region->lo[a] - in->box.lo[a]) * in->stride[a];
  }
  list->cells += b->n[0] * b->n[1] * b->n[2];
  return MFFT_SUCCESS;
}

/* The periodic images of the mesh that a rim overlaps on each axis: [lo, hi) in units of n. */
static void images(const mfft_box *rim, const int64_t n[3], int64_t lo[3], int64_t hi[3]) {
  for (int a = 0; a < 3; a++) {
    lo[a] = rim->lo[a] >= 0 ? rim->lo[a] / n[a] : -((-rim->lo[a] + n[a] - 1) / n[a]);
    hi[a] = rim->hi[a] > 0 ? (rim->hi[a] + n[a] - 1) / n[a] : 1 - (1 - rim->hi[a] + n[a] - 1) / n[a];
  }
}

/* Lists the blocks between the rims of one rank and the box of another, in an order that both ranks compute.  rims_here: 1:
 * the rims are this rank's; 0: the box is. */
static mfft_status meet(block_list *list, const mfft_pm_grid *grid, const mfft_pm_parts *rims, const mfft_box *box, int peer,
                        int rims_here, const mfft_pm_part *own) {
  for (int p = 1; p < MFFT_PM_PARTS; p++) {
    const mfft_pm_part *rim = &rims->part[p];
    if (mfft_box_empty(&rim->box) || mfft_box_empty(box)) continue;
    int64_t lo[3], hi[3], k[3]; /* [axis] */
    images(&rim->box, grid->n, lo, hi);
    for (k[0] = lo[0]; k[0] < hi[0]; k[0]++)
      for (k[1] = lo[1]; k[1] < hi[1]; k[1]++)
        for (k[2] = lo[2]; k[2] < hi[2]; k[2]++) {
          mfft_box image = *box;
          for (int a = 0; a < 3; a++) image.lo[a] += k[a] * grid->n[a], image.hi[a] += k[a] * grid->n[a];
          mfft_box both = mfft_box_intersect(&rim->box, &image);
          if (mfft_box_empty(&both)) continue;
          for (int a = 0; a < 3 && !rims_here; a++) both.lo[a] -= k[a] * grid->n[a], both.hi[a] -= k[a] * grid->n[a];
          MFFT_TRY(append(list, peer, rims_here ? p : 0, rims_here ? rim : own, &both));
        }
  }
  return MFFT_SUCCESS;
}

static mfft_status find_blocks(mfft_pm_ghosts *g, int ranks, const mfft_box *box, const mfft_pm_grid *grid) {
  for (int peer = 0; peer < ranks; peer++) {
    mfft_pm_grid theirs = *grid;
    mfft_pm_parts parts;
    theirs.own = box[peer];
    mfft_pm_parts_make(&theirs, &parts);
    MFFT_TRY(meet(&g->rims, grid, &g->parts, &box[peer], peer, 1, NULL));
    MFFT_TRY(meet(&g->owned, grid, &parts, &grid->own, peer, 0, &g->parts.part[0]));
  }
  return MFFT_SUCCESS;
}

/* Makes one message for each peer: its blocks are consecutive in the packed cells. */
static void make_messages(mfft_pm_ghosts *g, const block_list *list, int list_index) {
  int64_t at = 0;
  for (int64_t i = 0; i < list->count; i++) {
    const block *b = &list->block[i];
    const int64_t cells = b->n[0] * b->n[1] * b->n[2];
    int *count = &g->messages[list_index];
    if (b->peer != g->rank) {
      if (!*count || g->message[list_index][*count - 1].peer != b->peer)
        g->message[list_index][(*count)++] = (mfft_pm_message){.peer = b->peer, .data = g->packed[list_index] + at};
      g->message[list_index][*count - 1].bytes += cells * (int64_t)sizeof(int64_t);
    }
    at += cells;
  }
}

mfft_status mfft_pm_ghosts_create(MPI_Comm comm, int rank, int ranks, const mfft_box *box, const mfft_pm_grid *grid,
                                  const mfft_pm_parts *parts, mfft_pm_ghosts **ghosts) {
  mfft_status status;
  mfft_pm_ghosts *g = calloc(1, sizeof *g);
  if (!g) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the exchange of ghost cells");
  g->comm = comm;
  g->rank = rank;
  g->parts = *parts;
  MFFT_GOTO(fail, find_blocks(g, ranks, box, grid));
  const block_list *list[2] = {&g->rims, &g->owned}; /* {rims, own cells} */
  for (int list_index = 0; list_index < 2; list_index++) {
    g->packed[list_index] = malloc((size_t)list[list_index]->cells * sizeof(int64_t) + 1);
    g->message[list_index] = malloc((size_t)ranks * sizeof(mfft_pm_message));
    g->placed[list_index] = malloc((size_t)ranks * sizeof(mfft_pm_message));
    status = g->packed[list_index] && g->message[list_index] && g->placed[list_index]
                 ? MFFT_SUCCESS
                 : mfft_fail(MFFT_ERR_MEMORY, "no memory for %lld ghost cells", (long long)list[list_index]->cells);
    MFFT_GOTO(fail, status);
    make_messages(g, list[list_index], list_index);
  }
  *ghosts = g;
  return MFFT_SUCCESS;
fail:
  mfft_pm_ghosts_destroy(g);
  return status;
}

mfft_status mfft_pm_ghosts_on_device(mfft_pm_ghosts *g, mfft_plan plan, mfft_dynamic *dynamic) {
  const int64_t most = g->rims.count > g->owned.count ? g->rims.count : g->owned.count;
  g->plan = plan;
  g->dynamic = dynamic;
  const int64_t cells = g->rims.cells > g->owned.cells ? g->rims.cells : g->owned.cells;
  void *staged = NULL;
  g->moved = malloc((size_t)most * sizeof *g->moved + 1);
  if (!g->moved) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %lld blocks of ghost cells", (long long)most);
  MFFT_TRY(plan->backend->alloc((size_t)cells * sizeof(int64_t), &staged));
  g->staged = staged;
  return MFFT_SUCCESS;
}

void mfft_pm_ghosts_destroy(mfft_pm_ghosts *g) {
  if (!g) return;
  if (g->staged) g->plan->backend->free(g->staged);
  free(g->moved);
  free(g->rims.block);
  free(g->owned.block);
  for (int list_index = 0; list_index < 2; list_index++) {
    free(g->packed[list_index]);
    free(g->message[list_index]);
    free(g->placed[list_index]);
  }
  free(g);
}

size_t mfft_pm_ghosts_bytes(const mfft_pm_ghosts *g) {
  return (size_t)(g->rims.cells + g->owned.cells) * sizeof(int64_t) +
         (size_t)(g->rims.capacity + g->owned.capacity) * sizeof(block);
}

/* ---- Copies ---------------------------------------------------------------------------------------------------------- */

/* An operation on a row of cells of a block and the corresponding packed cells. */
typedef void move_row(char *cells, int64_t stride, char *packed, int64_t count);

static void pack8(char *cells, int64_t stride, char *packed, int64_t count) {
  for (int64_t i = 0; i < count; i++) memcpy(packed + 8 * i, cells + 8 * i * stride, 8);
}
static void unpack8(char *cells, int64_t stride, char *packed, int64_t count) {
  for (int64_t i = 0; i < count; i++) memcpy(cells + 8 * i * stride, packed + 8 * i, 8);
}
static void pack4(char *cells, int64_t stride, char *packed, int64_t count) {
  for (int64_t i = 0; i < count; i++) memcpy(packed + 4 * i, cells + 4 * i * stride, 4);
}
static void unpack4(char *cells, int64_t stride, char *packed, int64_t count) {
  for (int64_t i = 0; i < count; i++) memcpy(cells + 4 * i * stride, packed + 4 * i, 4);
}

/* Copies all blocks of a list between their arrays and the packed cells, of `bytes` each.  The offset of a message is the
 * same for cells of 4 and of 8 bytes. */
static void move(const mfft_pm_ghosts *g, const block_list *list, const mfft_pm_arrays *arrays, int64_t bytes, char *packed,
                 move_row *row) {
  char *to = packed;
  int64_t cells = 0;
  for (int64_t i = 0; i < list->count; i++) {
    const block *b = &list->block[i];
    const int64_t *stride = g->parts.part[b->part].stride;
    if (!i || b->peer != list->block[i - 1].peer) to = packed + cells * (int64_t)sizeof(int64_t);
    char *first = (char *)(b->part ? arrays->rims : arrays->own) + b->at * bytes;
    for (int64_t x = 0; x < b->n[0]; x++)
      for (int64_t y = 0; y < b->n[1]; y++, to += b->n[2] * bytes)
        row(first + (x * stride[0] + y * stride[1]) * bytes, stride[2], to, b->n[2]);
    cells += b->n[0] * b->n[1] * b->n[2];
  }
}

/* Blocks of rims that this rank owns itself: they are the same in both lists, in the same order.  Where they begin in both
 * lists of packed cells, and how many cells they are. */
static int64_t find_own(const mfft_pm_ghosts *g, int64_t at[2]) {
  const block_list *list[2] = {&g->rims, &g->owned}; /* {rims, own cells} */
  int64_t cells = 0;
  for (int list_index = 0; list_index < 2; list_index++) {
    at[list_index] = 0;
    for (int64_t i = 0; i < list[list_index]->count; i++) {
      const block *b = &list[list_index]->block[i];
      const int64_t count = b->n[0] * b->n[1] * b->n[2];
      if (b->peer < g->rank) at[list_index] += count;
      if (b->peer == g->rank && list_index == 0) cells += count;
    }
  }
  return cells;
}

/* Lists the messages of packed cells at an address, for cells of `bytes` bytes; their offsets stay those of 8. */
static const mfft_pm_message *place_messages(mfft_pm_ghosts *g, int list_index, int64_t *cells, int64_t bytes) {
  for (int i = 0; i < g->messages[list_index]; i++) {
    const mfft_pm_message *m = &g->message[list_index][i];
    g->placed[list_index][i] = (mfft_pm_message){m->peer, cells + ((int64_t *)m->data - g->packed[list_index]),
                                                 m->bytes / (int64_t)sizeof(int64_t) * bytes};
  }
  return g->placed[list_index];
}

/* Sends packed rims, which arrive as packed own cells (from 0), or the reverse (from 1). */
static mfft_status send(mfft_pm_ghosts *g, int from, int64_t bytes, const char *what) {
  int64_t at[2]; /* {rims, own cells} */
  const int64_t cells = find_own(g, at);
  memcpy(g->packed[!from] + at[!from], g->packed[from] + at[from], (size_t)(cells * bytes));
  if (g->comm == MPI_COMM_NULL) return MFFT_SUCCESS;
  return mfft_pm_messages(g->comm, place_messages(g, !from, g->packed[!from], bytes), g->messages[!from],
                          place_messages(g, from, g->packed[from], bytes), g->messages[from], what);
}

/* ---- On a device ----------------------------------------------------------------------------------------------------- */

typedef enum action { PACK, UNPACK } action;

typedef struct block_end {
  int64_t offset, stride[4]; /* elements */
} block_end;

/* As `move`, between the memory of the device and `staged`, on the stream. */
static mfft_status move_staged(mfft_pm_ghosts *g, int list_index, const mfft_pm_arrays *arrays, int64_t bytes, void *staged,
                               action does) {
  const block_list *list = list_index ? &g->owned : &g->rims;
  void *array = list_index ? arrays->own : arrays->rims;
  int64_t cells = 0, at = 0;
  if (!list->count) return MFFT_SUCCESS;
  for (int64_t i = 0; i < list->count; i++) {
    const block *b = &list->block[i];
    const int64_t *stride = g->parts.part[b->part].stride, count = b->n[0] * b->n[1] * b->n[2];
    if (!i || b->peer != list->block[i - 1].peer) at = cells * (int64_t)sizeof(int64_t) / bytes;
    const block_end packed = {at, {0, b->n[1] * b->n[2], b->n[2], 1}};
    const block_end strided = {b->at, {0, stride[0], stride[1], stride[2]}};
    const block_end in = does == PACK ? strided : packed, out = does == PACK ? packed : strided;
    mfft_block *to = &g->moved[i];
    *to = (mfft_block){.n = {1, b->n[0], b->n[1], b->n[2]}, .in_offset = in.offset, .out_offset = out.offset};
    memcpy(to->is, in.stride, sizeof to->is);
    memcpy(to->os, out.stride, sizeof to->os);
    at += count;
    cells += count;
  }
  const mfft_backend *backend = g->plan->backend;
  if (does == PACK) return backend->copy(g->moved, list->count, bytes, array, staged, g->plan->stream);
  return backend->copy(g->moved, list->count, bytes, staged, array, g->plan->stream);
}

/* Packs list `from` in the area of this rank, and receives the cells of the other list in `staged`. */
static mfft_status send_staged(mfft_pm_ghosts *g, int from, const mfft_pm_arrays *arrays, int64_t bytes) {
  const mfft_plan plan = g->plan;
  const size_t most = (size_t)(g->rims.cells > g->owned.cells ? g->rims.cells : g->owned.cells) * sizeof(int64_t);
  int64_t at[2]; /* {rims, own cells} */
  MFFT_TRY(mfft_dynamic_reserve(g->dynamic, most, plan->stream));
  int64_t *area = mfft_dynamic_area(g->dynamic);
  const int64_t own = find_own(g, at);
  mfft_status status = move_staged(g, from, arrays, bytes, area, PACK);
  if (status == MFFT_SUCCESS && own)
    status =
        plan->dist->topology.device->copy_bytes(g->staged + at[!from], area + at[from], (size_t)(own * bytes), plan->stream);
  const mfft_pm_message *recv = place_messages(g, !from, g->staged, bytes), *send = place_messages(g, from, area, bytes);
  return mfft_dynamic_move(g->dynamic, status, recv, g->messages[!from], send, g->messages[from], plan->stream);
}

/* Packs list `from` and brings its cells to `staged`, in the sequence of the other list.  A single rank owns all of its
 * ghost cells, and both lists have the same blocks in the same sequence. */
static mfft_status bring_staged(mfft_pm_ghosts *g, int from, const mfft_pm_arrays *arrays, int64_t bytes) {
  if (g->dynamic) return send_staged(g, from, arrays, bytes);
  return move_staged(g, from, arrays, bytes, g->staged, PACK);
}

static mfft_status fill_on_device(mfft_pm_ghosts *g, const mfft_pm_arrays *arrays, int64_t bytes) {
  MFFT_TRY(bring_staged(g, 1, arrays, bytes));
  const mfft_status status = move_staged(g, 0, arrays, bytes, g->staged, UNPACK);
  return g->dynamic ? mfft_agree(g->comm, status) : status;
}

/* ---- Adding what has been collected ------------------------------------------------------------------------------- */

/* The part of a block, whose first collected cell is `at`, between two indices of an axis: from the collected cells to the
 * array of a part.  Returns whether there is any. */
static int clip(const block *b, int64_t at, const mfft_pm_part *part, int axis, int64_t lo, int64_t hi, mfft_block *copy) {
  const int64_t stride[3] = {b->n[1] * b->n[2], b->n[2], 1}; /* [axis] */
  *copy = (mfft_block){.n = {1, b->n[0], b->n[1], b->n[2]}, .in_offset = at, .out_offset = part->start};
  const int64_t first = b->lo[axis] > lo ? b->lo[axis] : lo, end = b->lo[axis] + b->n[axis];
  copy->n[1 + axis] = (end < hi ? end : hi) - first;
  copy->in_offset += (first - b->lo[axis]) * stride[axis];
  for (int a = 0; a < 3; a++) {
    copy->is[1 + a] = stride[a];
    copy->os[1 + a] = part->stride[a];
    copy->out_offset += ((a == axis ? first : b->lo[a]) - part->box.lo[a]) * part->stride[a];
  }
  return copy->n[1 + axis] > 0;
}

static void add_block(const mfft_block *b, const int64_t *from, int64_t *to) {
  for (int64_t x = 0; x < b->n[1]; x++)
    for (int64_t y = 0; y < b->n[2]; y++) {
      const int64_t *in = from + b->in_offset + x * b->is[1] + y * b->is[2];
      int64_t *out = to + b->out_offset + x * b->os[1] + y * b->os[2];
      for (int64_t z = 0; z < b->n[3]; z++) out[z * b->os[3]] += in[z];
    }
}

/* ---- The calls ------------------------------------------------------------------------------------------------------- */

mfft_status mfft_pm_ghosts_collect(mfft_pm_ghosts *g, void *rims) {
  const mfft_pm_arrays arrays = {NULL, rims};
  if (g->plan) return bring_staged(g, 0, &arrays, 8);
  move(g, &g->rims, &arrays, 8, (char *)g->packed[0], pack8);
  return send(g, 0, 8, "adding ghost cells");
}

mfft_status mfft_pm_ghosts_add(mfft_pm_ghosts *g, const mfft_pm_part *part, void *cells, int axis, int64_t lo, int64_t hi) {
  int64_t at = 0, count = 0;
  for (int64_t i = 0; i < g->owned.count; i++) {
    const block *b = &g->owned.block[i];
    mfft_block piece;
    if (clip(b, at, part, axis, lo, hi, &piece)) {
      if (g->plan)
        g->moved[count++] = piece;
      else
        add_block(&piece, g->packed[1], cells);
    }
    at += b->n[0] * b->n[1] * b->n[2];
  }
  if (!count) return MFFT_SUCCESS;
  return g->plan->backend->particles->fold(g->moved, count, g->staged, cells, g->plan->stream);
}

mfft_status mfft_pm_ghosts_fill(mfft_pm_ghosts *g, const mfft_pm_arrays *arrays, mfft_precision precision) {
  const int single = precision == MFFT_SINGLE;
  const int64_t bytes = (int64_t)mfft_real_bytes(precision);
  if (g->plan) return fill_on_device(g, arrays, bytes);
  move(g, &g->owned, arrays, bytes, (char *)g->packed[1], single ? pack4 : pack8);
  MFFT_TRY(send(g, 1, bytes, "fetching ghost cells"));
  move(g, &g->rims, arrays, bytes, (char *)g->packed[0], single ? unpack4 : unpack8);
  return MFFT_SUCCESS;
}
