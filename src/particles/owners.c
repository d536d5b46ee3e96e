/* owners.c: finds the ranks that own the particles of an exchange, and lists the particles by them, on the host and on a
 * device. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "particles/device.h"
#include "particles/exchange_state.h"
#include "particles/owner.h"
#include "particles/staging.h"

/* ---- On the host: a stable counting sort, each chunk of particles by one thread -------------------------------------- */

typedef struct search {
  mfft_particle_exchange exchange;
  const mfft_particles *particles;
  const mfft_pm_owner *owners;
  int64_t chunks;
  int32_t *owner; /* [count] rank that owns each particle */
  int64_t *next; /* [chunks][ranks] number of particles that each rank owns; then the place of the next of them in `order` */
} search;

/* Finds the owners of a chunk of particles, and counts the particles of each. */
static mfft_status find_chunk(void *context, int64_t chunk, int worker) {
  const search *s = context;
  const mfft_pm_grid *grid = &s->exchange->mesh->grid;
  const int64_t end = mfft_part(s->particles->count, chunk + 1, s->chunks);
  int64_t *count = s->next + chunk * s->exchange->mesh->ranks;
  double g[3][MFFT_PM_BATCH]; /* [axis][particle] in cells */
  int last = 0;
  (void)worker;
  for (int64_t i = mfft_part(s->particles->count, chunk, s->chunks); i < end; i += MFFT_PM_BATCH) {
    const int some = (int)(end - i < MFFT_PM_BATCH ? end - i : MFFT_PM_BATCH);
    const int64_t bad = mfft_pm_locate(grid, s->particles, i, some, g);
    if (bad >= 0) return mfft_pm_refuse_position(s->particles, bad, bad);
    for (int k = 0; k < some; k++) {
      const int64_t cell[3] = {(int64_t)g[0][k], (int64_t)g[1][k], (int64_t)g[2][k]}; /* [axis] */
      last = mfft_pm_owner_of(s->owners, cell, last);
      s->owner[i + k] = last;
      count[last]++;
    }
  }
  return MFFT_SUCCESS;
}

/* Writes the particles of a chunk to their places in `order`. */
static mfft_status list_chunk(void *context, int64_t chunk, int worker) {
  const search *s = context;
  const int64_t end = mfft_part(s->particles->count, chunk + 1, s->chunks);
  int64_t *next = s->next + chunk * s->exchange->mesh->ranks;
  uint32_t *order = s->exchange->order[MFFT_MEMORY_HOST];
  (void)worker;
  for (int64_t i = mfft_part(s->particles->count, chunk, s->chunks); i < end; i++) order[next[s->owner[i]]++] = (uint32_t)i;
  return MFFT_SUCCESS;
}

/* Replaces the counts of all chunks by places, and stores `first`. */
static void add_up(const search *s) {
  const int ranks = s->exchange->mesh->ranks;
  int64_t at = 0;
  for (int r = 0; r < ranks; r++) {
    s->exchange->first[r] = at;
    for (int64_t chunk = 0; chunk < s->chunks; chunk++) {
      const int64_t count = s->next[chunk * ranks + r];
      s->next[chunk * ranks + r] = at;
      at += count;
    }
  }
  s->exchange->first[ranks] = at;
}

static mfft_status make_host_order(mfft_particle_exchange x) {
  x->order[MFFT_MEMORY_HOST] = malloc((size_t)x->count * sizeof(uint32_t) + 1);
  if (x->order[MFFT_MEMORY_HOST]) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_MEMORY, "no memory for the order of %" PRId64 " particles", x->count);
}

static mfft_status find_on_host(mfft_particle_exchange x, const mfft_particles *particles, const mfft_pm_owner *owners) {
  const mfft_workers workers = x->mesh->workers;
  search s = {.exchange = x, .particles = particles, .owners = owners, .chunks = mfft_workers_count(workers)};
  MFFT_TRY(make_host_order(x));
  s.owner = malloc((size_t)x->count * sizeof *s.owner + 1);
  s.next = calloc((size_t)s.chunks * (size_t)x->mesh->ranks, sizeof *s.next);
  mfft_status status = s.owner && s.next
                           ? MFFT_SUCCESS
                           : mfft_fail(MFFT_ERR_MEMORY, "no memory for the owners of %" PRId64 " particles", x->count);
  if (status == MFFT_SUCCESS) status = mfft_pm_run(workers, s.chunks, find_chunk, &s);
  if (status == MFFT_SUCCESS) add_up(&s);
  if (status == MFFT_SUCCESS) status = mfft_pm_run(workers, s.chunks, list_chunk, &s);
  free(s.owner);
  free(s.next);
  return status;
}

/* ---- Memory of a device ------------------------------------------------------------------------------------------- */

/* Takes memory for `order` on the device: that of an earlier exchange, if it is large enough. */
static mfft_status take_order(mfft_particle_exchange x) {
  mfft_particle_mesh mesh = x->mesh;
  void *made = NULL;
  if (mesh->spare_order && mesh->spare_capacity >= x->count) {
    x->order[MFFT_MEMORY_DEVICE] = mesh->spare_order;
    x->order_capacity = mesh->spare_capacity;
    mesh->spare_order = NULL;
    return MFFT_SUCCESS;
  }
  x->order_capacity = x->count + x->count / 16 + 64; /* counts change from step to step */
  MFFT_TRY(mesh->plan->backend->alloc((size_t)x->order_capacity * sizeof(uint32_t), &made));
  x->order[MFFT_MEMORY_DEVICE] = made;
  return MFFT_SUCCESS;
}

void mfft_pm_forget_order(mfft_particle_exchange x) {
  mfft_device_guard guard;
  mfft_particle_mesh mesh = x->mesh;
  uint32_t *spare = x->order[MFFT_MEMORY_DEVICE];
  free(x->order[MFFT_MEMORY_HOST]);
  if (!spare) return;
  if (!mesh->spare_order || mesh->spare_capacity < x->order_capacity) {
    spare = mesh->spare_order;
    mesh->spare_order = x->order[MFFT_MEMORY_DEVICE];
    mesh->spare_capacity = x->order_capacity;
  }
  if (!spare || mfft_device_guard_enter(&mesh->plan->context, &guard) != MFFT_SUCCESS) return;
  mesh->plan->backend->free(spare);
  mfft_device_guard_leave(&guard);
}

/* ---- On a device -------------------------------------------------------------------------------------------------- */

/* Places the memory of a search on the device: the tables of the owners, then the memory of the kernels. */
static mfft_status place_owners(mfft_particle_mesh mesh, const mfft_pm_owner *owners, mfft_particle_owners *placed,
                                void **memory) {
  const mfft_backend *backend = mesh->plan->backend;
  const size_t tables = (mfft_pm_owner_bytes(owners) + 255) / 256 * 256;
  MFFT_TRY(mfft_pm_reserve(mesh, MFFT_PM_WORK_OWNERS, tables + mesh->calls->owner_bytes(mesh->ranks)));
  char *at = mesh->work[MFFT_PM_WORK_OWNERS];
  *memory = at + tables;
  *placed = (mfft_particle_owners){.ranks = mesh->ranks};
  for (int a = 0; a < 3; a++) {
    const mfft_pm_owner_table table = mfft_pm_owner_table_of(owners, a);
    placed->edge[a] = (int64_t *)at;
    placed->edges[a] = (int)table.count;
    MFFT_TRY(backend->upload(at, table.edge, (size_t)table.count * sizeof(int64_t)));
    at += (size_t)table.count * sizeof(int64_t);
  }
  placed->rank = (int32_t *)at;
  return backend->upload(at, mfft_pm_owner_ranks(owners), mfft_pm_owner_cells(owners) * sizeof(int32_t));
}

static mfft_status find_on_device(mfft_particle_exchange x, const mfft_particles *particles, const mfft_pm_owner *owners) {
  const mfft_particle_mesh mesh = x->mesh;
  const int bytes = mfft_pm_position_bytes(particles->type);
  mfft_particle_list list = {
      .type = particles->type, .position_bytes = bytes, .stride = particles->stride, .count = particles->count};
  mfft_particle_owners placed;
  void *memory;
  int64_t bad = -1;
  MFFT_TRY(mfft_pm_device_check(mesh, particles, NULL, 0));
  MFFT_TRY(place_owners(mesh, owners, &placed, &memory));
  MFFT_TRY(take_order(x));
  for (int a = 0; a < 3; a++) list.position[a] = particles->position[a];
  MFFT_TRY(mesh->calls->order(&mesh->device.space, &list, &placed, memory, x->order[MFFT_MEMORY_DEVICE], x->first + 1, &bad,
                              mesh->plan->stream));
  if (bad >= 0) return mfft_pm_device_refuse(mesh, particles, bad);
  for (int r = 0; r < mesh->ranks; r++) x->first[r + 1] += x->first[r];
  return MFFT_SUCCESS;
}

/* Finds the owners of positions on a device from a copy on the host, for boxes so irregular that there is no table of
 * owners. */
static mfft_status find_in_copy(mfft_particle_exchange x, const mfft_particles *particles, const mfft_pm_owner *owners) {
  mfft_particles fetched;
  void *memory = NULL;
  mfft_status status = mfft_pm_fetch_positions(x->mesh, particles, &fetched, &memory);
  if (status == MFFT_SUCCESS) status = find_on_host(x, &fetched, owners);
  free(memory);
  return status;
}

/* ---- The calls ---------------------------------------------------------------------------------------------------- */

mfft_status mfft_pm_find_owners(mfft_particle_exchange x, const mfft_particles *particles) {
  const mfft_particle_mesh mesh = x->mesh;
  mfft_pm_owner *owners = NULL;
  if (x->count > UINT32_MAX)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "%" PRId64 " particles on rank %d are more than the 2^32 - 1 of an exchange; use more ranks", x->count,
                     mesh->rank);
  MFFT_TRY(mfft_pm_owner_create(mesh->box, mesh->ranks, &owners));
  const int there = x->count && mfft_pm_on_device(mesh, particles->position[0]);
  const mfft_status status = (!there                        ? find_on_host
                              : mfft_pm_owner_ranks(owners) ? find_on_device
                                                            : find_in_copy)(x, particles, owners);
  mfft_pm_owner_destroy(owners);
  return status;
}

mfft_status mfft_pm_exchange_order(mfft_particle_exchange x, mfft_memory memory) {
  const size_t bytes = (size_t)x->count * sizeof(uint32_t);
  if (x->order[memory]) return MFFT_SUCCESS;
  if (memory == MFFT_MEMORY_HOST) {
    MFFT_TRY(make_host_order(x));
    return mfft_pm_fetch(x->mesh, x->order[MFFT_MEMORY_HOST], x->order[MFFT_MEMORY_DEVICE], bytes);
  }
  MFFT_TRY(take_order(x));
  return mfft_pm_put(x->mesh, x->order[MFFT_MEMORY_DEVICE], x->order[MFFT_MEMORY_HOST], bytes);
}
