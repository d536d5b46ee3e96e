/* exchange.c: sends particles to the ranks that own their cells, and returns results.
 *
 * The exchange stores the owner of each particle.  A column is sent in rounds of as many of this rank's particles as are
 * packed at a time: ranks exchange the counts of the round, and messages are received at their final position, after the
 * particles that the same rank has sent in earlier rounds. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "comm/compare.h"
#include "comm/mpi_status.h"
#include "mfft_mpi.h"
#include "particles/mesh.h"
#include "particles/messages.h"
#include "particles/owner.h"
#include "particles/staging.h"

struct mfft_particle_exchange_s {
  mfft_particle_mesh mesh;
  int64_t count, arriving;
  int32_t *owner;           /* [count] rank of each particle */
  int64_t *sent;            /* [ranks] number of this rank's particles that each rank owns */
  int64_t *start;           /* [ranks + 1] first of the arriving particles from each rank */
  int64_t *round;           /* [4][ranks] counts sent and received in a round, and both totals of the preceding rounds */
  mfft_pm_message *message; /* [2][ranks] */
  void *packed;             /* room for packed particles, if the mesh is on a device */
  size_t packed_bytes;
};

/* ---- Creation -------------------------------------------------------------------------------------------------------- */

typedef struct search {
  mfft_particle_exchange exchange;
  const mfft_particles *particles;
  const mfft_pm_owner *owners;
} search;

static mfft_status find_owners(void *context, int64_t chunk, int worker) {
  const search *s = context;
  const mfft_pm_grid *grid = &s->exchange->mesh->grid;
  const int64_t chunks = mfft_workers_count(s->exchange->mesh->workers);
  const int64_t end = mfft_part(s->particles->count, chunk + 1, chunks);
  double g[3][MFFT_PM_BATCH];
  int last = 0;
  (void)worker;
  for (int64_t i = mfft_part(s->particles->count, chunk, chunks); i < end; i += MFFT_PM_BATCH) {
    const int count = (int)(end - i < MFFT_PM_BATCH ? end - i : MFFT_PM_BATCH);
    const int64_t bad = mfft_pm_locate(grid, s->particles, i, count, g);
    if (bad >= 0) return mfft_pm_refuse_position(s->particles, bad, bad);
    for (int k = 0; k < count; k++) {
      const int64_t cell[3] = {(int64_t)g[0][k], (int64_t)g[1][k], (int64_t)g[2][k]};
      last = mfft_pm_owner_of(s->owners, cell, last);
      s->exchange->owner[i + k] = last;
    }
  }
  return MFFT_SUCCESS;
}

/* Sends to[peer] to each peer, and receives from[peer] from each.  Collective. */
static mfft_status swap_counts(mfft_particle_mesh mesh, const int64_t *to, int64_t *from) {
  if (mesh->comm == MPI_COMM_NULL) {
    from[0] = to[0];
    return MFFT_SUCCESS;
  }
  MPI_Request request;
  MFFT_MPI_TRY(MPI_Ialltoall(to, 1, MPI_INT64_T, from, 1, MPI_INT64_T, mesh->comm, &request));
  return mfft_wait(mesh->comm, &request, NULL, 1, "counting the particles of an exchange");
}

static mfft_status allocate(mfft_particle_exchange x) {
  const size_t ranks = (size_t)x->mesh->ranks;
  x->owner = malloc((size_t)x->count * sizeof *x->owner + 1);
  x->sent = calloc(ranks, sizeof *x->sent);
  x->start = calloc(ranks + 1, sizeof *x->start);
  x->round = calloc(4 * ranks, sizeof *x->round);
  x->message = calloc(2 * ranks, sizeof *x->message);
  if (x->owner && x->sent && x->start && x->round && x->message) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_MEMORY, "no memory for the owners of %" PRId64 " particles", x->count);
}

static mfft_status find_all(mfft_particle_exchange x, const mfft_particles *particles) {
  mfft_pm_owner *owners = NULL;
  MFFT_TRY(allocate(x));
  MFFT_TRY(mfft_pm_owner_create(x->mesh->box, x->mesh->ranks, x->mesh->grid.n, &owners));
  search s = {x, particles, owners};
  mfft_status status = mfft_pm_run(x->mesh->workers, mfft_workers_count(x->mesh->workers), find_owners, &s);
  mfft_pm_owner_destroy(owners);
  for (int64_t i = 0; i < x->count && status == MFFT_SUCCESS; i++) x->sent[x->owner[i]]++;
  return status;
}

/* The same for a mesh on a device: positions in its memory are looked at in a copy. */
static mfft_status find_fetched(mfft_particle_exchange x, const mfft_particles *particles) {
  mfft_particles fetched;
  void *memory = NULL;
  if (!particles->count || !mfft_pm_on_device(x->mesh, particles->position[0])) return find_all(x, particles);
  mfft_status status = mfft_pm_fetch_positions(x->mesh, particles, &fetched, &memory);
  if (status == MFFT_SUCCESS) status = find_all(x, &fetched);
  free(memory);
  return status;
}

mfft_status mfft_particle_exchange_create(mfft_particle_mesh mesh, const mfft_particles *given,
                                          mfft_particle_exchange *exchange) {
  mfft_particles particles;
  MFFT_TRY(mfft_pm_check(mesh));
  mfft_status status = mfft_pm_take_particles(given, &particles);
  mfft_particle_exchange x = calloc(1, sizeof *x);
  if (status == MFFT_SUCCESS && !exchange)
    status = mfft_fail(MFFT_ERR_ARG, "the result is NULL; pass the address of an mfft_particle_exchange");
  if (status == MFFT_SUCCESS && !x) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for an exchange of particles");
  MFFT_GOTO(fail, mfft_pm_agree(mesh, status));
  x->mesh = mesh;
  x->count = particles.count;
  MFFT_GOTO(fail, mfft_pm_agree(mesh, (mesh->calls ? find_fetched : find_all)(x, &particles)));
  MFFT_GOTO(fail, swap_counts(mesh, x->sent, x->start + 1));
  for (int r = 0; r < mesh->ranks; r++) x->start[r + 1] += x->start[r];
  x->arriving = x->start[mesh->ranks];
  *exchange = x;
  return MFFT_SUCCESS;
fail:
  mfft_particle_exchange_destroy(x);
  return status;
}

void mfft_particle_exchange_destroy(mfft_particle_exchange x) {
  if (!x) return;
  free(x->owner);
  free(x->sent);
  free(x->start);
  free(x->round);
  free(x->message);
  free(x->packed);
  free(x);
}

static mfft_status check(mfft_particle_exchange x) {
  if (x) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "the exchange is NULL; make one with mfft_particle_exchange_create");
}

mfft_status mfft_particle_exchange_count(mfft_particle_exchange x, int64_t *arriving, int64_t *staying) {
  MFFT_TRY(check(x));
  if (arriving) *arriving = x->arriving;
  if (staying) *staying = x->sent[x->mesh->rank];
  return MFFT_SUCCESS;
}

/* ---- Rounds ---------------------------------------------------------------------------------------------------------- */

/* The exchange of one column: from this rank's particles to their owners, or back. */
typedef struct column_move {
  mfft_particle_exchange x;
  int64_t bytes; /* bytes of an element */
  char *mine;    /* [count] in the order of this rank's particles: read, or on the return written */
  char *theirs;  /* [arriving] at the owners */
  int back;
  int64_t first, end; /* this rank's particles in the round */
  char *packed;       /* the particles that other ranks own, by rank */
} column_move;

/* Copies the particles of a round between the caller's array and the packed array; particles that this rank owns, between
 * the caller's two arrays.  place[rank]: address of the next particle of each rank. */
static void pack(const column_move *t, char **place) {
  const size_t bytes = (size_t)t->bytes;
  for (int64_t i = t->first; i < t->end; i++) {
    char *mine = t->mine + i * t->bytes, *other = place[t->x->owner[i]];
    memcpy(t->back ? mine : other, t->back ? other : mine, bytes);
    place[t->x->owner[i]] = other + bytes;
  }
}

/* Computes round[0] and round[1]: the number of particles sent to and received from each rank in this round. */
static mfft_status count_round(const column_move *t) {
  int64_t *sent = t->x->round, *got = sent + t->x->mesh->ranks;
  memset(sent, 0, (size_t)t->x->mesh->ranks * sizeof *sent);
  for (int64_t i = t->first; i < t->end; i++) sent[t->x->owner[i]]++;
  return swap_counts(t->x->mesh, sent, got);
}

/* One round: packs, sends, and adds the counts to the totals. */
static mfft_status move_round(const column_move *t, char **place) {
  mfft_particle_exchange x = t->x;
  const int ranks = x->mesh->ranks, self = x->mesh->rank;
  int64_t *sent = x->round, *got = sent + ranks,
          *before = got + ranks; /* before: particles of `theirs` received in earlier rounds, by rank */
  mfft_pm_message *out = x->message, *in = out + ranks;
  int outs = 0, ins = 0;
  char *packed = t->packed;
  MFFT_TRY(count_round(t));
  for (int r = 0; r < ranks; r++) {
    char *arrived = t->theirs + (x->start[r] + before[r]) * t->bytes;
    place[r] = r == self ? arrived : packed;
    if (r != self && sent[r]) out[outs++] = (mfft_pm_message){r, packed, sent[r] * t->bytes};
    if (r != self && got[r]) in[ins++] = (mfft_pm_message){r, arrived, got[r] * t->bytes};
    if (r != self) packed += sent[r] * t->bytes;
    before[r] += got[r];
  }
  if (!t->back) pack(t, place);
  if (ranks > 1)
    MFFT_TRY(mfft_pm_messages(x->mesh->comm, t->back ? out : in, t->back ? outs : ins, t->back ? in : out,
                              t->back ? ins : outs, "moving particles to their owners"));
  if (t->back) pack(t, place);
  return MFFT_SUCCESS;
}

/* Room for packed particles, in host memory. */
static mfft_status reserve_packed(mfft_particle_exchange x, size_t bytes, char **packed) {
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

/* Moves a column in rounds of `each` particles of this rank; all ranks do the same number of rounds. */
static mfft_status move_column(mfft_particle_exchange x, const mfft_particle_column *column, int back, char **place) {
  const size_t scratch = x->mesh->scratch_bytes;
  int64_t each = (int64_t)(scratch / (size_t)column->element_bytes);
  if (each < 1024) each = 1024;
  if (each > x->count) each = x->count;
  const int64_t mine = each ? (x->count + each - 1) / each : 0;
  double rounds = (double)mine; /* largest number of all ranks */
  char *packed = NULL;
  MFFT_TRY(mfft_pm_agree(x->mesh, reserve_packed(x, (size_t)(each * column->element_bytes), &packed)));
  MFFT_TRY(mfft_pm_largest(x->mesh, &rounds, 1));
  memset(x->round, 0, 4 * (size_t)x->mesh->ranks * sizeof *x->round);
  column_move t = {.x = x, .bytes = column->element_bytes, .back = back, .packed = packed};
  t.mine = back ? column->out : (char *)(uintptr_t)column->in;
  t.theirs = back ? (char *)(uintptr_t)column->in : column->out;
  for (int64_t round = 0; round < (int64_t)rounds; round++) {
    t.first = t.end;
    t.end = t.first + each < x->count ? t.first + each : x->count;
    MFFT_TRY(move_round(&t, place));
  }
  return MFFT_SUCCESS;
}

/* The same for a mesh on a device: an array in its memory is moved by a copy in host memory. */
static mfft_status move_fetched(mfft_particle_exchange x, const mfft_particle_column *column, int back, char **place) {
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
  if (status == MFFT_SUCCESS) status = move_column(x, &fetched, back, place);
  if (status == MFFT_SUCCESS)
    status = mfft_pm_agree(x->mesh, puts ? mfft_pm_put(x->mesh, column->out, to, out_bytes) : MFFT_SUCCESS);
  free(from);
  free(to);
  return status;
}

/* ---- The calls ------------------------------------------------------------------------------------------------------- */

static mfft_status check_columns(mfft_particle_exchange x, const mfft_particle_column *column, int columns, int back) {
  if (columns < 0 || (columns && !column))
    return mfft_fail(MFFT_ERR_ARG, "%d columns at %p; give an array", columns, (const void *)column);
  for (int c = 0; c < columns; c++) {
    const mfft_particle_column *one = &column[c];
    const int64_t in = back ? x->arriving : x->count, out = back ? x->count : x->arriving;
    if (one->element_bytes < 1 || one->element_bytes > 4096)
      return mfft_fail(MFFT_ERR_ARG, "column[%d].element_bytes is %" PRId64 "; use 1 to 4096", c, one->element_bytes);
    if ((in && !one->in) || (out && !one->out))
      return mfft_fail(MFFT_ERR_ARG, "column[%d].%s is NULL, for %" PRId64 " particles; give an array", c,
                       in && !one->in ? "in" : "out", in && !one->in ? in : out);
    if (in && out && one->in == one->out)
      return mfft_fail(MFFT_ERR_ARG, "column[%d].in and out are the same array; give another for the result", c);
  }
  return MFFT_SUCCESS;
}

static mfft_status agree_columns(mfft_particle_mesh mesh, const mfft_particle_column *column, int columns) {
  if (mesh->comm == MPI_COMM_NULL) return MFFT_SUCCESS;
  const mfft_agree_item count = mfft_agree_integer("columns", columns);
  MFFT_TRY(mfft_agree_values(mesh->comm, &count, 1));
  for (int c = 0; c < columns; c++) {
    const mfft_agree_item size = mfft_agree_integer("column[].element_bytes", column[c].element_bytes);
    MFFT_TRY(mfft_agree_values(mesh->comm, &size, 1));
  }
  return MFFT_SUCCESS;
}

static mfft_status move_all(mfft_particle_exchange x, const mfft_particle_column *column, int columns, int back) {
  MFFT_TRY(check(x));
  char **place = malloc((size_t)x->mesh->ranks * sizeof *place);
  mfft_status status = check_columns(x, column, columns, back);
  if (status == MFFT_SUCCESS && !place) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %d ranks", x->mesh->ranks);
  status = mfft_pm_agree(x->mesh, status);
  if (status == MFFT_SUCCESS) status = agree_columns(x->mesh, column, columns);
  for (int c = 0; c < columns && status == MFFT_SUCCESS; c++)
    status = (x->mesh->calls ? move_fetched : move_column)(x, &column[c], back, place);
  free(place);
  return status;
}

mfft_status mfft_particle_exchange_send(mfft_particle_exchange exchange, const mfft_particle_column *column, int columns) {
  return move_all(exchange, column, columns, 0);
}

mfft_status mfft_particle_exchange_return(mfft_particle_exchange exchange, const mfft_particle_column *column, int columns) {
  return move_all(exchange, column, columns, 1);
}
