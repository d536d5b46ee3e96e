/* ghost.c: see ghost.h. */
#include "ghost.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ghost_blocks.h"
#include "layout.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"
#include "pfft.h"
#include "world.h"

enum { TAG = 71 };

static int refused; /* 1: a plan of ghost cells was refused */

/* ---- Geometry -------------------------------------------------------------------------------------------------------- */

/* One side of an exchange: the own cells that other ranks have as ghost cells, or the ghost cells that other ranks own. */
typedef struct side {
  int blocks, peers;
  mfft_pfft_block *block; /* [blocks] the blocks of a peer are adjacent */
  int *peer, *first;      /* [peers] ranks; [peers + 1] index of the first block of each */
  int64_t *start;         /* [peers + 1] position in the buffer, in units */
  char *buffer;
} side;

typedef struct ghosts {
  mfft_dropin_world *world;
  mfft_precision precision;
  int axes;
  size_t unit; /* bytes of an element with its tuple */
  int64_t own[MFFT_DROPIN_MOST_AXES], low[MFFT_DROPIN_MOST_AXES],
      whole[MFFT_DROPIN_MOST_AXES]; /* [axis in memory] own cells, ghost cells below them, all cells */
  side mine, theirs;                /* own cells, ghost cells */
  MPI_Request *request;             /* [peers of both sides] */
  int *waits;                       /* [peers of both sides] the rank for which each request waits */
  MPI_Datatype type;                /* MPI type of a unit */
  char *data;
} ghosts;

static ptrdiff_t cells(const ptrdiff_t *wanted, int axis) { return wanted ? wanted[axis] : 0; }

ptrdiff_t mfft_pfft_ghost_size(int rank, const ptrdiff_t *n, const ptrdiff_t *start, ptrdiff_t howmany,
                               const ptrdiff_t *below, const ptrdiff_t *above, ptrdiff_t *ngc, ptrdiff_t *gc_start) {
  ptrdiff_t count = howmany;
  for (int a = 0; a < rank; a++) {
    ngc[a] = cells(below, a) + n[a] + cells(above, a);
    gc_start[a] = start[a] - cells(below, a);
    count *= ngc[a];
  }
  return count;
}

/* Finds the blocks of one side, and allocates their buffer.  -1 if memory is exhausted, or if a message has more units than
 * an int of MPI counts. */
static int find_side(const mfft_pfft_division *division, const ghosts *plan, int of_owner, side *s) {
  const int ranks = plan->world->ranks, me = plan->world->rank;
  s->peer = calloc((size_t)ranks, sizeof *s->peer);
  s->first = calloc((size_t)ranks + 1, sizeof *s->first);
  s->start = calloc((size_t)ranks + 1, sizeof *s->start);
  if (!s->peer || !s->first || !s->start) return -1;
  for (int r = 0; r < ranks; r++) {
    const int before = s->blocks;
    if (mfft_pfft_find_blocks(division, of_owner ? r : me, of_owner ? me : r, of_owner, &s->block, &s->blocks)) return -1;
    if (s->blocks == before) continue;
    int64_t count = 0;
    for (int b = before; b < s->blocks; b++) count += mfft_pfft_block_count(&s->block[b], division->axes);
    if (count > INT_MAX) return -1;
    s->peer[s->peers++] = r;
    s->first[s->peers] = s->blocks;
    s->start[s->peers] = s->start[s->peers - 1] + count;
  }
  return mfft_alloc((size_t)s->start[s->peers] * plan->unit + 1, (void **)&s->buffer) == MFFT_SUCCESS ? 0 : -1;
}

/* ---- Copies ---------------------------------------------------------------------------------------------------------- */

static void copy_out(mfft_precision precision, char *array, char *buffer, size_t bytes) {
  (void)precision;
  memcpy(buffer, array, bytes);
}

static void copy_in(mfft_precision precision, char *array, char *buffer, size_t bytes) {
  (void)precision;
  memcpy(array, buffer, bytes);
}

static void add_in(mfft_precision precision, char *array, char *buffer, size_t bytes) {
  if (precision == MFFT_DOUBLE)
    for (size_t i = 0; i < bytes / sizeof(double); i++) ((double *)array)[i] += ((double *)buffer)[i];
  else
    for (size_t i = 0; i < bytes / sizeof(float); i++) ((float *)array)[i] += ((float *)buffer)[i];
}

typedef void (*row_function)(mfft_precision precision, char *array, char *buffer, size_t bytes);

/* Passes each row of a block of an array of lengths n and of the buffer to a function; returns the end of the buffer. */
static char *visit_rows(const ghosts *plan, const mfft_pfft_block *b, char *buffer, row_function function) {
  const int last = plan->axes - 1;
  const size_t bytes = (size_t)b->n[last] * plan->unit;
  const int64_t rows = mfft_pfft_block_count(b, last);
  for (int64_t row = 0; row < rows; row++) {
    int64_t rest = row, at = b->at[last], stride = plan->whole[last];
    for (int i = last - 1; i >= 0; i--) {
      at += (b->at[i] + rest % b->n[i]) * stride;
      rest /= b->n[i];
      stride *= plan->whole[i];
    }
    function(plan->precision, plan->data + (size_t)at * plan->unit, buffer, bytes);
    buffer += bytes;
  }
  return buffer;
}

static void visit_peer(const ghosts *plan, const side *s, int peer, char *buffer, row_function function) {
  for (int b = s->first[peer]; b < s->first[peer + 1]; b++) buffer = visit_rows(plan, &s->block[b], buffer, function);
}

/* Moves the own cells, in the same memory, between an array without ghost cells and one with them.  Rows move to the array
 * with ghost cells from the last one on, so that none is overwritten before it is moved.  Returns the bytes of the array
 * without ghost cells. */
static size_t move_own(const ghosts *plan, int to_ghosts) {
  const int last = plan->axes - 1;
  const size_t bytes = (size_t)plan->own[last] * plan->unit;
  int64_t rows = 1;
  for (int i = 0; i < last; i++) rows *= plan->own[i];
  for (int64_t i = 0; i < rows && bytes; i++) {
    const int64_t row = to_ghosts ? rows - 1 - i : i;
    int64_t rest = row, at = plan->low[last], stride = plan->whole[last];
    for (int axis = last - 1; axis >= 0; axis--) {
      at += (plan->low[axis] + rest % plan->own[axis]) * stride;
      rest /= plan->own[axis];
      stride *= plan->whole[axis];
    }
    char *ghosted = plan->data + (size_t)at * plan->unit, *packed = plan->data + (size_t)row * bytes;
    memmove(to_ghosts ? ghosted : packed, to_ghosts ? packed : ghosted, bytes);
  }
  return (size_t)rows * bytes;
}

/* ---- Exchanges ------------------------------------------------------------------------------------------------------- */

static char *place_of(const ghosts *plan, const side *s, int peer) {
  return s->buffer + (size_t)s->start[peer] * plan->unit;
}

/* Sends one side to the peers, and passes the messages that arrive for the other side to a function, peer after peer. */
static mfft_status transfer(const ghosts *plan, const side *from, const side *to, row_function arrive, const char *what) {
  const int me = plan->world->rank;
  char *itself = NULL; /* the part of the buffer that this rank sends to itself */
  int requests = 0;
  for (int p = 0; p < to->peers; p++) {
    const int count = (int)(to->start[p + 1] - to->start[p]);
    if (to->peer[p] == me) continue;
    plan->waits[requests] = to->peer[p];
    if (MPI_Irecv(place_of(plan, to, p), count, plan->type, to->peer[p], TAG, plan->world->comm, &plan->request[requests++]))
      return MFFT_ERR_MPI;
  }
  for (int p = 0; p < from->peers; p++) {
    const int count = (int)(from->start[p + 1] - from->start[p]);
    char *buffer = place_of(plan, from, p);
    visit_peer(plan, from, p, buffer, copy_out);
    if (from->peer[p] == me) {
      itself = buffer;
      continue;
    }
    plan->waits[requests] = from->peer[p];
    if (MPI_Isend(buffer, count, plan->type, from->peer[p], TAG, plan->world->comm, &plan->request[requests++]))
      return MFFT_ERR_MPI;
  }
  const mfft_status status = mfft_wait(plan->world->comm, plan->request, plan->waits, requests, what);
  for (int p = 0; p < to->peers && status == MFFT_SUCCESS; p++)
    visit_peer(plan, to, p, to->peer[p] == me ? itself : place_of(plan, to, p), arrive);
  return status;
}

void mfft_pfft_ghost_exchange(void *handle, int reduce) {
  const ghosts *plan = handle;
  const char *what = reduce ? "pfft_reduce" : "pfft_exchange", *why = NULL;
  if (!plan && !refused) return;
  if (!plan) {
    why = "the plan for ghost cells was refused, and without them results would be wrong";
  } else {
    size_t bytes = plan->unit;
    for (int i = 0; i < plan->axes; i++) bytes *= (size_t)plan->whole[i];
    if (!reduce) move_own(plan, 1);
    if (transfer(plan, reduce ? &plan->theirs : &plan->mine, reduce ? &plan->mine : &plan->theirs, reduce ? add_in : copy_in,
                 what))
      why = mfft_last_error();
    if (reduce) {
      const size_t packed = move_own(plan, 0);
      memset(plan->data + packed, 0, bytes - packed);
    }
  }
  if (!why) return;
  fprintf(stderr, "mergefft: error: %s: %s\n", what, why);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- Plans ----------------------------------------------------------------------------------------------------------- */

static void free_side(side *s) {
  free(s->block);
  free(s->peer);
  free(s->first);
  free(s->start);
  mfft_free(s->buffer);
}

static void free_plan(ghosts *plan) {
  int over = 0;
  MPI_Finalized(&over);
  if (plan->type != MPI_DATATYPE_NULL && !over) MPI_Type_free(&plan->type);
  free_side(&plan->mine);
  free_side(&plan->theirs);
  free(plan->request);
  free(plan->waits);
  free(plan);
}

void mfft_pfft_ghost_destroy(void *handle) {
  ghosts *plan = handle;
  if (!plan) return;
  mfft_dropin_world_leave(plan->world);
  free_plan(plan);
}

/* Fills in the division of a request.  Returns NULL, or the reason why the request is wrong. */
static const char *find_division(const mfft_pfft_ghost_request *r, mfft_pfft_division *division) {
  ptrdiff_t given[MFFT_DROPIN_MOST_DIMS] = {0};
  memset(division, 0, sizeof *division);
  const char *why = mfft_pfft_find_mesh(r->comm, r->rank, &division->mesh);
  if (why) return why;
  if (r->rank < 1 || r->rank > MFFT_DROPIN_MOST_AXES || division->mesh.dims > r->rank)
    return "the array has one to four axes, and no fewer than the mesh";
  if (r->howmany < 1) return "howmany must be 1 or more";
  division->transposed = !!(r->flags & PFFT_GC_TRANSPOSED);
  division->axes = r->rank;
  if (division->transposed && division->mesh.dims == r->rank && r->rank != 3)
    return "a transposed array has more axes than the mesh dimensions";
  for (int a = 0; a < r->rank; a++) {
    division->n[a] = r->n[a];
    division->below[a] = cells(r->below, a);
    division->above[a] = cells(r->above, a);
    if (division->n[a] < 1) return "a length is not positive";
    if (division->below[a] < 0 || division->above[a] < 0) return "a number of ghost cells is negative";
  }
  if (r->numbers == 1 && r->flags & PFFT_GC_PADDED && !division->mesh.bricks)
    division->n[r->rank - 1] = 2 * (division->n[r->rank - 1] / 2 + 1);
  if (r->numbers == 2 && r->flags & PFFT_GC_R2C) division->n[r->rank - 1] = division->n[r->rank - 1] / 2 + 1;
  for (int d = 0; d < division->mesh.dims; d++) given[d] = r->block ? r->block[d] : 0;
  mfft_dropin_mesh_blocks(&division->mesh, division->transposed, division->n, given, division->block);
  mfft_dropin_mesh_order(&division->mesh, division->transposed, division->axes, division->order);
  return mfft_dropin_mesh_covers(&division->mesh, division->transposed, division->n, division->block)
             ? NULL
             : "the blocks need more ranks than there are";
}

static int fill(const mfft_pfft_ghost_request *r, const mfft_pfft_division *division, ghosts *plan) {
  int64_t lo[MFFT_DROPIN_MOST_AXES], hi[MFFT_DROPIN_MOST_AXES];
  plan->type = MPI_DATATYPE_NULL;
  plan->data = r->data;
  plan->precision = r->precision;
  plan->axes = division->axes;
  plan->unit = (size_t)r->howmany * (size_t)r->numbers * (r->precision == MFFT_DOUBLE ? sizeof(double) : sizeof(float));
  mfft_pfft_division_part(division, plan->world->rank, lo, hi);
  for (int i = 0; i < division->axes; i++) {
    const int a = division->order[i];
    plan->own[i] = hi[a] - lo[a];
    plan->low[i] = division->below[a];
    plan->whole[i] = division->below[a] + plan->own[i] + division->above[a];
  }
  if (plan->unit > INT_MAX || find_side(division, plan, 1, &plan->mine) || find_side(division, plan, 0, &plan->theirs))
    return -1;
  const size_t peers = (size_t)(plan->mine.peers + plan->theirs.peers) + 1;
  plan->request = calloc(peers, sizeof *plan->request);
  plan->waits = calloc(peers, sizeof *plan->waits);
  if (!plan->request || !plan->waits) return -1;
  return MPI_Type_contiguous((int)plan->unit, MPI_BYTE, &plan->type) || MPI_Type_commit(&plan->type) ? -1 : 0;
}

/* Whether all ranks request the same ghost cells of the same array. */
static int agree(mfft_dropin_world *world, const mfft_pfft_division *division, ptrdiff_t howmany) {
  enum { VALUES = 3 * MFFT_DROPIN_MOST_AXES + 3, BOTH = 2 * VALUES };
  int64_t value[BOTH] = {division->axes, division->transposed, howmany};
  for (int a = 0; a < MFFT_DROPIN_MOST_AXES; a++) {
    value[3 + 3 * a] = division->n[a];
    value[4 + 3 * a] = division->below[a];
    value[5 + 3 * a] = division->above[a];
  }
  for (int i = 0; i < VALUES; i++) value[VALUES + i] = -value[i];
  if (mfft_dropin_least(world, value, BOTH, "the arguments of a plan for ghost cells")) return 0;
  for (int i = 0; i < VALUES; i++)
    if (value[i] != -value[VALUES + i]) return 0;
  return 1;
}

static const char *create(const mfft_pfft_ghost_request *r, ghosts **plan) {
  mfft_pfft_division division;
  const char *why = find_division(r, &division);
  mfft_dropin_world *world = mfft_dropin_world_of(r->comm);
  if (!world) return "no memory, or MPI failed";
  int64_t sound = !why;
  if (mfft_dropin_least(world, &sound, 1, "the arguments of a plan for ghost cells")) return "MPI failed";
  if (!sound) return why ? why : "another rank cannot have its ghost cells";
  if (!agree(world, &division, r->howmany)) return "ranks request different ghost cells";
  ghosts *made = calloc(1, sizeof *made);
  if (made) made->world = world;
  sound = made && fill(r, &division, made) == 0;
  if (!mfft_dropin_least(world, &sound, 1, "memory for a plan for ghost cells") && sound) {
    mfft_dropin_world_use(world);
    *plan = made;
    return NULL;
  }
  if (made) free_plan(made);
  return "no memory, or more ghost cells of one rank than MPI counts";
}

void *mfft_pfft_ghost_plan(const mfft_pfft_ghost_request *r) {
  ghosts *plan = NULL;
  int wanted = 0, mine = 0;
  for (int a = 0; a < r->rank; a++) wanted |= cells(r->below, a) != 0 || cells(r->above, a) != 0;
  if (!wanted) return NULL;
  mfft_dropin_watch_finalize();
  const char *why = create(r, &plan);
  if (!why) return plan;
  refused = 1;
  MPI_Comm_rank(r->comm, &mine);
  if (mine == 0) fprintf(stderr, "mergefft: error: no plan for ghost cells: %s\n", why);
  return NULL;
}
