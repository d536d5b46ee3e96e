/* file_order.c: see file_order.h.  mfft_particle_exchange sends a particle to the owner of its position, so that a rank is
 * addressed by a position in a cell that it owns. */
#include "nbody/file_order.h"

#include <inttypes.h>
#include <string.h>

#include "cli/report.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"

/* The ranks that own cells, and the first cell of each rank's box, as a position. */
typedef struct receivers {
  int count;
  int *rank;           /* [count] */
  uint64_t (*cell)[3]; /* [count][axis] fixed point */
} receivers;

static uint64_t middle_of(int64_t cell, int64_t n) { return (uint64_t)(((double)cell + 0.5) / (double)n * 0x1p53) << 11; }

static mfft_status find_receivers(mfft_plan plan, const int64_t n[3], receivers *r) {
  void *rank = NULL, *cell = NULL;
  const int ranks = mfft_app_ranks();
  mfft_status status = mfft_app_alloc(ranks, sizeof *r->rank, "a list of ranks", &rank);
  if (status == MFFT_SUCCESS) status = mfft_app_alloc(ranks, sizeof *r->cell, "a list of ranks", &cell);
  r->rank = rank;
  r->cell = cell;
  for (int i = 0; i < ranks && status == MFFT_SUCCESS; i++) {
    mfft_box box;
    status = mfft_plan_box_of(plan, MFFT_IN, i, &box);
    int empty = 0;
    for (int a = 0; a < 3; a++) empty |= box.hi[a] <= box.lo[a];
    if (status != MFFT_SUCCESS || empty) continue;
    for (int a = 0; a < 3; a++) r->cell[r->count][a] = middle_of(box.lo[a], n[a]);
    r->rank[r->count++] = i;
  }
  return status;
}

/* The receiver i whose share [all*i/count, all*(i + 1)/count) contains a particle. */
static int receiver_of(int64_t all, int count, uint64_t index) {
  int i = (int)((double)index / (double)all * count);
  i = i < 0 ? 0 : i >= count ? count - 1 : i;
  while (i > 0 && (int64_t)index < all * i / count) i--;
  while (i < count - 1 && (int64_t)index >= all * (i + 1) / count) i++;
  return i;
}

/* Makes the exchange of particles, addressed by positions of their receivers. */
static mfft_status create_exchange(mfft_particle_mesh mesh, const mfft_bodies *b, const receivers *r, int64_t all,
                                   mfft_file_order *order) {
  mfft_particles positions = mfft_bodies_positions(b);
  void *memory = NULL;
  mfft_status status = mfft_app_alloc(3 * b->count, 8, "the order of particles", &memory);
  /* The last third has the indices, until the cell of the same or a later particle overwrites them. */
  uint64_t *cell = memory, *index = memory ? cell + 2 * b->count : NULL; /* [count][3] */
  if (status == MFFT_SUCCESS) status = mfft_bodies_fetch(b, MFFT_BODY_INDEX, 0, b->count, index);
  status = mfft_app_agree(status);
  if (status != MFFT_SUCCESS) {
    mfft_free(memory);
    return status;
  }
  positions.stride = 3;
  for (int a = 0; a < 3; a++) positions.position[a] = cell + a;
  for (int64_t i = 0; i < b->count; i++)
    memcpy(cell + 3 * i, r->cell[receiver_of(all, r->count, index[i])], 3 * sizeof *cell);
  for (int i = 0; i < r->count; i++)
    if (r->rank[i] == mfft_app_rank()) {
      order->first = all * i / r->count;
      order->count = all * (i + 1) / r->count - order->first;
    }
  status = mfft_particle_exchange_create(mesh, &positions, &order->exchange);
  mfft_free(memory);
  return status;
}

static mfft_status find_places(const mfft_bodies *b, mfft_file_order *order) {
  void *place = NULL, *arrived = NULL;
  mfft_particle_exchange_count(order->exchange, &order->arriving, NULL);
  mfft_status status = mfft_app_alloc(order->arriving, 8, "the order of particles", &place);
  if (status == MFFT_SUCCESS) status = mfft_app_alloc(order->arriving, 8, "the order of particles", &arrived);
  order->place = place;
  order->arrived = arrived;
  status = mfft_app_agree(status);
  if (status != MFFT_SUCCESS) return status;
  const mfft_particle_column column = {8, b->array[MFFT_BODY_INDEX], place};
  status = mfft_particle_exchange_send(order->exchange, &column, 1);
  if (status != MFFT_SUCCESS) return status;
  for (int64_t i = 0; i < order->arriving; i++) order->place[i] -= (uint64_t)order->first;
  if (order->arriving != order->count)
    status = mfft_app_fail(MFFT_ERR_INTERNAL, "%" PRId64 " particles arrived for the numbers %" PRId64 " to %" PRId64,
                           order->arriving, order->first, order->first + order->count);
  return mfft_app_agree(status);
}

mfft_status mfft_file_order_create(mfft_plan plan, const int64_t n[3], mfft_particle_mesh mesh, const mfft_bodies *bodies,
                                   int64_t all, mfft_file_order *order) {
  receivers r = {0};
  memset(order, 0, sizeof *order);
  mfft_status status = mfft_app_agree(find_receivers(plan, n, &r));
  if (status == MFFT_SUCCESS) status = create_exchange(mesh, bodies, &r, all, order);
  if (status == MFFT_SUCCESS) status = find_places(bodies, order);
  mfft_free(r.rank);
  mfft_free(r.cell);
  return status;
}

void mfft_file_order_destroy(mfft_file_order *order) {
  mfft_particle_exchange_destroy(order->exchange);
  mfft_free(order->place);
  mfft_free(order->arrived);
  memset(order, 0, sizeof *order);
}

mfft_status mfft_file_order_take(mfft_file_order *order, const void *array, void *ordered, int64_t stride) {
  const mfft_particle_column column = {8, array, order->arrived};
  const mfft_status status = mfft_particle_exchange_send(order->exchange, &column, 1);
  uint64_t *to = ordered;
  if (status == MFFT_SUCCESS)
    for (int64_t i = 0; i < order->arriving; i++) to[stride * (int64_t)order->place[i]] = order->arrived[i];
  return status;
}
