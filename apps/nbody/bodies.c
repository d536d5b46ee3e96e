/* bodies.c: see bodies.h. */
#include "nbody/bodies.h"

#include <string.h>

#include "cli/collective.h"
#include "cli/report.h"
#include "mfft_memory.h"

/* The share of neighbours in different tiles above which particles are arranged.  Steps take longer in proportion to the
 * share; at this one, arranging takes about as long as the next few steps lose without it (docs/lab/particles-gpu.md). */
#define MOST_DISORDER 0.2

static mfft_status allocate(const mfft_bodies *b, int64_t capacity, void **array) {
  if (!b->placed) return mfft_app_alloc(capacity, 8, "the particles", array);
  const mfft_status status = mfft_memory_alloc(b->device, (size_t)capacity * 8, array);
  if (status != MFFT_ERR_MEMORY) return status;
  return mfft_app_fail(status,
                       "the particles need %zu bytes of device memory on rank %d, which are not there; use more GPUs, or "
                       "--backend fftw",
                       (size_t)capacity * 8, mfft_app_rank());
}

static void free_array(const mfft_bodies *b, void *array) {
  if (b->placed)
    mfft_memory_free(b->device, array);
  else
    mfft_free(array);
}

mfft_status mfft_bodies_reserve(mfft_bodies *b, int64_t count) {
  /* A rank without particles has arrays too, since a force is asked for by their addresses. */
  if (b->capacity && count <= b->capacity) return MFFT_SUCCESS;
  const int64_t capacity = count + count / 16 + 64; /* some more, since counts change from step to step */
  for (int i = 0; i < MFFT_BODY_ARRAYS; i++) {
    const size_t bytes = (size_t)b->count * 8;
    void *larger = NULL;
    if (!b->wants[i]) continue;
    mfft_status status = allocate(b, capacity, &larger);
    if (status == MFFT_SUCCESS && i < MFFT_BODY_MOVED && bytes)
      status = mfft_memory_copy(b->placed ? b->device : "fftw", larger, b->array[i], bytes);
    if (status != MFFT_SUCCESS) {
      free_array(b, larger);
      return status;
    }
    free_array(b, b->array[i]);
    b->array[i] = larger;
  }
  b->capacity = capacity;
  return MFFT_SUCCESS;
}

void mfft_bodies_free(mfft_bodies *b) {
  for (int i = 0; i < MFFT_BODY_ARRAYS; i++) free_array(b, b->array[i]);
  memset(b, 0, sizeof *b);
}

mfft_particles mfft_bodies_positions(const mfft_bodies *b) {
  mfft_particles p;
  mfft_particles_init(&p);
  p.count = b->count;
  p.type = MFFT_POSITION_FIXED64;
  for (int a = 0; a < 3; a++) p.position[a] = b->array[MFFT_BODY_X + a];
  return p;
}

mfft_motion mfft_bodies_motion(const mfft_bodies *b) {
  mfft_motion m;
  mfft_motion_init(&m);
  m.count = b->count;
  m.mass = b->array[MFFT_BODY_MASS];
  m.potential = b->array[MFFT_BODY_PHI];
  for (int a = 0; a < 3; a++) {
    m.position[a] = b->array[MFFT_BODY_X + a];
    m.momentum[a] = b->array[MFFT_BODY_P + a];
    m.force[a] = b->array[MFFT_BODY_G + a];
    m.first[a] = b->array[MFFT_BODY_S1 + a];
    m.second[a] = b->array[MFFT_BODY_S2 + a];
  }
  return m;
}

mfft_status mfft_bodies_place(mfft_bodies *b) {
  if (!b->device || b->placed) return MFFT_SUCCESS;
  mfft_bodies there = *b;
  mfft_status status = MFFT_SUCCESS;
  there.placed = 1;
  memset(there.array, 0, sizeof there.array);
  for (int i = 0; i < MFFT_BODY_ARRAYS && status == MFFT_SUCCESS; i++) {
    if (!b->wants[i]) continue;
    status = allocate(&there, b->capacity, &there.array[i]);
    if (status == MFFT_SUCCESS && i < MFFT_BODY_MOVED && b->count)
      status = mfft_memory_upload(b->device, there.array[i], b->array[i], (size_t)b->count * 8);
    mfft_free(b->array[i]); /* one by one, since the host may not have memory for more */
    b->array[i] = NULL;
  }
  *b = there;
  return status;
}

mfft_status mfft_bodies_fetch(const mfft_bodies *b, int array, int64_t first, int64_t count, void *host) {
  const char *from = (const char *)b->array[array] + 8 * first;
  return count ? mfft_memory_download(b->placed ? b->device : "fftw", host, from, (size_t)count * 8) : MFFT_SUCCESS;
}

/* Sends each array into that of a force component, which is computed anew later, and exchanges the two pointers. */
static mfft_status send_all(mfft_bodies *b, mfft_particle_exchange exchange, int64_t arriving) {
  for (int i = 0; i < MFFT_BODY_MOVED; i++) {
    if (!b->wants[i]) continue;
    void *spare = b->array[MFFT_BODY_G];
    const mfft_particle_column column = {8, b->array[i], spare};
    const mfft_status status = mfft_particle_exchange_send(exchange, &column, 1);
    if (status != MFFT_SUCCESS) return status;
    b->array[MFFT_BODY_G] = b->array[i];
    b->array[i] = spare;
  }
  b->count = arriving;
  return MFFT_SUCCESS;
}

mfft_status mfft_bodies_move(mfft_bodies *b, mfft_particle_mesh mesh) {
  const mfft_particles positions = mfft_bodies_positions(b);
  mfft_particle_exchange exchange = NULL;
  int64_t arriving = 0, staying = 0;
  if (mfft_app_ranks() == 1) return MFFT_SUCCESS;
  mfft_status status = mfft_particle_exchange_create(mesh, &positions, &exchange);
  if (status != MFFT_SUCCESS) return status;
  mfft_particle_exchange_count(exchange, &arriving, &staying);
  if (mfft_app_anywhere(staying != b->count)) {
    status = mfft_app_agree(mfft_bodies_reserve(b, arriving));
    if (status == MFFT_SUCCESS) status = send_all(b, exchange, arriving);
  }
  mfft_particle_exchange_destroy(exchange);
  return status;
}

mfft_status mfft_bodies_arrange(mfft_bodies *b, mfft_particle_mesh mesh) {
  double disorder = 0;
  const mfft_particles positions = mfft_bodies_positions(b);
  mfft_particle_column column[MFFT_BODY_MOVED];
  void *spare = b->array[MFFT_BODY_G]; /* each array is arranged into the memory of the one before */
  int columns = 0;
  mfft_status status = mfft_particle_mesh_disorder(mesh, &disorder);
  if (status != MFFT_SUCCESS || !b->placed || disorder <= MOST_DISORDER) return status;
  for (int i = 0; i < MFFT_BODY_MOVED; i++) {
    if (!b->wants[i]) continue;
    void *from = b->array[i];
    column[columns++] = (mfft_particle_column){8, from, spare};
    b->array[i] = spare;
    spare = from;
  }
  b->array[MFFT_BODY_G] = spare;
  return mfft_particles_arrange(mesh, &positions, column, columns);
}
