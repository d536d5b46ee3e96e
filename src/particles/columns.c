/* columns.c: moves columns of particles to their owners and back.
 *
 * Elements that other ranks own are packed in the order of the owners, a share of each in a round, and messages are received
 * at their final place at the owner.  On the return the owner sends from its array, and the elements that arrive are written
 * to the places of the particles.  Particles that this rank owns are copied from array to array.  Arrays in the memory of a
 * device are packed there and go by the messages of device memory (dist/dynamic.h); if an array of any rank is elsewhere,
 * all go through host memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "particles/exchange_state.h"
#include "particles/staging.h"
#include "plan/distribution.h"
#include "plan/plan.h"

typedef struct column_move {
  mfft_particle_exchange x;
  mfft_memory memory;
  int64_t bytes; /* of an element */
  char *mine;    /* [count] in the order of this rank's particles: read, or on the return written */
  char *theirs;  /* [arriving] at the owners */
  int back;
  int64_t rounds, round;
  char *packed; /* elements for other ranks, on a device in the area; on the return those that arrive from them */
} column_move;

/* ---- Copies in the order of the owners ---------------------------------------------------------------------------- */

typedef struct reordering {
  const uint32_t *order;
  int64_t count, bytes, chunks;
  mfft_particle_exchange x;
  int direction;
  const char *in;
  char *out;
} reordering;

static void copy_element(char *to, const char *from, int64_t bytes) {
  if (bytes == 8)
    memcpy(to, from, 8); /* the compiler makes one instruction of it */
  else
    memcpy(to, from, (size_t)bytes);
}

static mfft_status reorder_chunk(void *context, int64_t chunk, int worker) {
  const reordering *r = context;
  const int64_t end = mfft_part(r->count, chunk + 1, r->chunks);
  (void)worker;
  for (int64_t i = mfft_part(r->count, chunk, r->chunks); i < end; i++) {
    const int64_t packed = i * r->bytes, own = (int64_t)r->order[i] * r->bytes;
    const int into = r->direction == MFFT_INTO_ORDER;
    copy_element(r->out + (into ? packed : own), r->in + (into ? own : packed), r->bytes);
  }
  return MFFT_SUCCESS;
}

/* Copies particles [first, end) of the order between the caller's array and `packed`. */
static mfft_status reorder(const column_move *t, int64_t first, int64_t end, char *packed) {
  const mfft_particle_mesh mesh = t->x->mesh;
  const uint32_t *order = t->x->order[t->memory] + first;
  const int direction = t->back ? MFFT_OUT_OF_ORDER : MFFT_INTO_ORDER;
  const char *in = t->back ? packed : t->mine;
  char *out = t->back ? t->mine : packed;
  if (end == first) return MFFT_SUCCESS;
  if (t->memory == MFFT_MEMORY_DEVICE)
    return mesh->calls->reorder(order, end - first, t->bytes, direction, in, out, mesh->plan->stream);
  const int64_t chunks = end - first > 4096 ? mfft_workers_count(mesh->workers) : 1;
  reordering r = {order, end - first, t->bytes, chunks, t->x, direction, in, out};
  return mfft_pm_run(mesh->workers, chunks, reorder_chunk, &r);
}

/* ---- Rounds ------------------------------------------------------------------------------------------------------- */

/* The particles of a list [first[rank], first[rank + 1]) that move in a round. */
typedef struct range {
  int64_t first, end;
} range;
static range part_of(const column_move *t, const int64_t *first, int rank, int64_t round) {
  const int64_t count = first[rank + 1] - first[rank];
  return (range){first[rank] + mfft_part(count, round, t->rounds), first[rank] + mfft_part(count, round + 1, t->rounds)};
}

/* Particles of other ranks that move in a round. */
static int64_t count_round(const column_move *t, const int64_t *first, int64_t round) {
  int64_t count = 0;
  for (int r = 0; r < t->x->mesh->ranks; r++) {
    const range part = part_of(t, first, r, round);
    if (r != t->x->mesh->rank) count += part.end - part.first;
  }
  return count;
}

/* Packs or unpacks the elements of the round; ranges of the order that follow each other are copied at once. */
static mfft_status reorder_round(const column_move *t) {
  const mfft_particle_exchange x = t->x;
  const int ranks = x->mesh->ranks, self = x->mesh->rank;
  char *at = t->packed;
  for (int r = 0, next; r < ranks; r = next) {
    next = r + 1;
    if (r == self) continue;
    range run = part_of(t, x->first, r, t->round);
    for (; next < ranks && next != self && part_of(t, x->first, next, t->round).first == run.end; next++)
      run.end = part_of(t, x->first, next, t->round).end;
    MFFT_TRY(reorder(t, run.first, run.end, at));
    at += (run.end - run.first) * t->bytes;
  }
  return MFFT_SUCCESS;
}

/* The particles that this rank owns itself. */
static mfft_status reorder_own(const column_move *t) {
  const mfft_particle_exchange x = t->x;
  const int self = x->mesh->rank;
  return reorder(t, x->first[self], x->first[self + 1], t->theirs + x->start[self] * t->bytes);
}

/* Copies the elements that the owner returns to its area, from which peers can copy; on the host they are sent from the
 * array. */
static mfft_status fill_area(const column_move *t, mfft_pm_message *message, int count) {
  const mfft_plan plan = t->x->mesh->plan;
  char *at = mfft_dynamic_area(t->x->mesh->dynamic);
  for (int i = 0; i < count; i++) {
    MFFT_TRY(plan->dist->topology.device->copy_bytes(at, message[i].data, (size_t)message[i].bytes, plan->stream));
    message[i].data = at;
    at += message[i].bytes;
  }
  return MFFT_SUCCESS;
}

static mfft_status move_messages(const column_move *t, mfft_status packed, mfft_pm_message *send, int sends,
                                 mfft_pm_message *recv, int receives) {
  static const char what[] = "moving particles to their owners";
  const mfft_particle_mesh mesh = t->x->mesh;
  if (t->memory == MFFT_MEMORY_HOST) {
    MFFT_TRY(packed);
    return mfft_pm_messages(mesh->comm, recv, receives, send, sends, what);
  }
  if (packed == MFFT_SUCCESS && t->back) packed = fill_area(t, send, sends);
  return mfft_dynamic_move(mesh->dynamic, packed, recv, receives, send, sends, mesh->plan->stream);
}

/* One round: packs and sends, or receives and unpacks. */
static mfft_status move_round(const column_move *t) {
  mfft_particle_exchange x = t->x;
  const int ranks = x->mesh->ranks;
  mfft_pm_message *at_mine = x->message, *at_theirs = x->message + ranks;
  int mines = 0, theirs = 0;
  char *packed = t->packed;
  for (int r = 0; r < ranks; r++) {
    const range mine = part_of(t, x->first, r, t->round), other = part_of(t, x->start, r, t->round);
    const int64_t bytes = (mine.end - mine.first) * t->bytes, arriving = (other.end - other.first) * t->bytes;
    if (r == x->mesh->rank) continue;
    if (bytes) at_mine[mines++] = (mfft_pm_message){r, packed, bytes};
    if (arriving) at_theirs[theirs++] = (mfft_pm_message){r, t->theirs + other.first * t->bytes, arriving};
    packed += bytes;
  }
  const mfft_status ready = t->back ? MFFT_SUCCESS : reorder_round(t);
  if (ranks > 1)
    MFFT_TRY(t->back ? move_messages(t, ready, at_theirs, theirs, at_mine, mines)
                     : move_messages(t, ready, at_mine, mines, at_theirs, theirs));
  return t->back ? reorder_round(t) : ready;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------- */

static mfft_status reserve_on_host(mfft_particle_exchange x, size_t bytes, char **packed) {
  if (!x->mesh->calls) {
    MFFT_TRY(mfft_pm_reserve(x->mesh, MFFT_PM_WORK_STAGING, bytes));
    *packed = x->mesh->work[MFFT_PM_WORK_STAGING];
    return MFFT_SUCCESS;
  }
  if (bytes > x->packed_bytes) {
    free(x->packed);
    x->packed = malloc(bytes);
    x->packed_bytes = x->packed ? bytes : 0;
  }
  *packed = x->packed;
  if (bytes && !x->packed) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %zu bytes of packed particles", bytes);
  return MFFT_SUCCESS;
}

/* Allocates memory for the largest round: the area to send from, and on the return the elements received. */
static mfft_status reserve(column_move *t) {
  mfft_particle_exchange x = t->x;
  int64_t mine = 0, theirs = 0;
  for (int64_t round = 0; round < t->rounds; round++) {
    const int64_t sent = count_round(t, x->first, round), got = count_round(t, x->start, round);
    mine = sent > mine ? sent : mine;
    theirs = got > theirs ? got : theirs;
  }
  const size_t packed = (size_t)(mine * t->bytes), returned = (size_t)(theirs * t->bytes);
  if (t->memory == MFFT_MEMORY_HOST) return mfft_pm_agree(x->mesh, reserve_on_host(x, packed, &t->packed));
  MFFT_TRY(mfft_pm_agree(x->mesh, t->back ? mfft_pm_reserve(x->mesh, MFFT_PM_WORK_STAGING, packed) : MFFT_SUCCESS));
  MFFT_TRY(mfft_dynamic_reserve(x->mesh->dynamic, t->back ? returned : packed, x->mesh->plan->stream));
  t->packed = t->back ? x->mesh->work[MFFT_PM_WORK_STAGING] : mfft_dynamic_area(x->mesh->dynamic);
  return MFFT_SUCCESS;
}

/* Chooses the number of rounds, the same on all ranks: as many as the rank with the most particles to send or receive needs.
 */
static mfft_status choose_rounds(column_move *t) {
  const mfft_particle_exchange x = t->x;
  const int self = x->mesh->rank;
  const int64_t staying = x->first[self + 1] - x->first[self], most = x->count > x->arriving ? x->count : x->arriving;
  const double least = 1024.0 * (double)t->bytes, scratch = (double)x->mesh->scratch_bytes;
  double rounds = ceil((double)(most - staying) * (double)t->bytes / (scratch > least ? scratch : least));
  MFFT_TRY(mfft_pm_largest(x->mesh, MFFT_SUCCESS, &rounds, 1));
  t->rounds = rounds > 1 ? (int64_t)rounds : 1;
  return MFFT_SUCCESS;
}

/* ---- The call ----------------------------------------------------------------------------------------------------- */

static mfft_status move_column(mfft_particle_exchange x, const mfft_particle_column *column, int back, mfft_memory memory) {
  column_move t = {.x = x, .memory = memory, .bytes = column->element_bytes, .back = back, .rounds = 1};
  t.mine = back ? column->out : (char *)(uintptr_t)column->in;
  t.theirs = back ? (char *)(uintptr_t)column->in : column->out;
  MFFT_TRY(mfft_pm_agree(x->mesh, mfft_pm_exchange_order(x, memory)));
  if (x->mesh->ranks > 1) {
    MFFT_TRY(choose_rounds(&t));
    MFFT_TRY(reserve(&t));
  }
  MFFT_TRY(mfft_pm_agree(x->mesh, reorder_own(&t)));
  for (; x->mesh->ranks > 1 && t.round < t.rounds; t.round++) MFFT_TRY(move_round(&t));
  return memory == MFFT_MEMORY_DEVICE ? mfft_pm_agree(x->mesh, x->mesh->plan->backend->synchronize(x->mesh->plan->stream))
                                      : MFFT_SUCCESS;
}

/* Moves a column of a mesh on a device through copies in host memory. */
static mfft_status move_fetched(mfft_particle_exchange x, const mfft_particle_column *column, int back) {
  const int64_t in = back ? x->arriving : x->count, out = back ? x->count : x->arriving;
  const size_t in_bytes = (size_t)(in * column->element_bytes), out_bytes = (size_t)(out * column->element_bytes);
  const int fetches = mfft_pm_on_device(x->mesh, column->in), puts = mfft_pm_on_device(x->mesh, column->out);
  char *from = fetches ? malloc(in_bytes + 1) : NULL, *to = puts ? malloc(out_bytes + 1) : NULL;
  mfft_particle_column fetched = *column;
  mfft_status status = MFFT_SUCCESS;
  if ((fetches && !from) || (puts && !to))
    status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %zu bytes of a column on the host", in_bytes + out_bytes);
  if (status == MFFT_SUCCESS && fetches) status = mfft_pm_fetch(x->mesh, from, column->in, in_bytes);
  if (fetches) fetched.in = from;
  if (puts) fetched.out = to;
  status = mfft_pm_agree(x->mesh, status);
  if (status == MFFT_SUCCESS) status = move_column(x, &fetched, back, MFFT_MEMORY_HOST);
  if (status == MFFT_SUCCESS)
    status = mfft_pm_agree(x->mesh, puts ? mfft_pm_put(x->mesh, column->out, to, out_bytes) : MFFT_SUCCESS);
  free(from);
  free(to);
  return status;
}

/* Whether the arrays of all ranks are in the memory of the device. */
static mfft_status are_on_device(mfft_particle_exchange x, const mfft_particle_column *column, int back, int *there) {
  const int64_t in = back ? x->arriving : x->count, out = back ? x->count : x->arriving;
  double elsewhere = (in && !mfft_pm_on_device(x->mesh, column->in)) || (out && !mfft_pm_on_device(x->mesh, column->out));
  MFFT_TRY(mfft_pm_largest(x->mesh, MFFT_SUCCESS, &elsewhere, 1));
  *there = !elsewhere;
  return MFFT_SUCCESS;
}

mfft_status mfft_pm_move_column(mfft_particle_exchange x, const mfft_particle_column *column, int back) {
  mfft_device_guard guard;
  int there = 0;
  if (!x->mesh->calls) return move_column(x, column, back, MFFT_MEMORY_HOST);
  MFFT_TRY(are_on_device(x, column, back, &there));
  if (!there) return move_fetched(x, column, back);
  MFFT_TRY(mfft_pm_enter(x->mesh, &guard));
  const mfft_status status = move_column(x, column, back, MFFT_MEMORY_DEVICE);
  mfft_pm_leave(x->mesh, &guard);
  return status;
}
