/* bodies.c: see bodies.h. */
#include "nbody/bodies.h"

#include <string.h>

#include "cli/collective.h"
#include "cli/report.h"
#include "mfft_memory.h"

enum { PART = 1 << 15 }; /* particles of one iteration of mfft_bodies_run */

mfft_status mfft_bodies_reserve(mfft_bodies *b, int64_t count) {
  if (count <= b->room) return MFFT_SUCCESS;
  const int64_t room = count + count / 16 + 64; /* some more, since counts change from step to step */
  for (int i = 0; i < MFFT_BODY_ARRAYS; i++) {
    void *larger = NULL;
    mfft_placed_free(&b->placed[i]);
    if (!b->wants[i]) continue;
    const mfft_status status = mfft_app_alloc(room, 8, "the particles", &larger);
    if (status != MFFT_SUCCESS) return status;
    if (i < MFFT_BODY_MOVED && b->count) memcpy(larger, b->array[i], (size_t)b->count * 8);
    mfft_free(b->array[i]);
    b->array[i] = larger;
  }
  b->room = room;
  return MFFT_SUCCESS;
}

void mfft_bodies_free(mfft_bodies *b) {
  for (int i = 0; i < MFFT_BODY_ARRAYS; i++) {
    mfft_placed_free(&b->placed[i]);
    mfft_free(b->array[i]);
  }
  mfft_workers_destroy(b->workers);
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

/* What a force or a deposit reads, and what it writes. */
static int is_read(int i) { return i < MFFT_BODY_X + 3 || i == MFFT_BODY_MASS; }
static int is_written(int i) { return i >= MFFT_BODY_G; }

/* Points placed[i] at array i, which an exchange may have changed.  reserve frees what has too little room. */
static mfft_status place_one(mfft_bodies *b, int i) {
  mfft_placed *p = &b->placed[i];
  if (!p->device) return mfft_placed_create(b->device, b->array[i], b->room, 8, "the particles", p);
  p->host = b->array[i];
  return MFFT_SUCCESS;
}

mfft_status mfft_bodies_place(mfft_bodies *b, int results, mfft_particles *particles) {
  mfft_status status = MFFT_SUCCESS;
  for (int i = 0; i < MFFT_BODY_ARRAYS && status == MFFT_SUCCESS; i++) {
    if (!is_read(i) && !(results && is_written(i))) continue;
    status = place_one(b, i);
    if (status == MFFT_SUCCESS && is_read(i)) status = mfft_placed_put(&b->placed[i], (size_t)b->count * 8);
  }
  *particles = mfft_bodies_positions(b);
  for (int a = 0; a < 3; a++) particles->position[a] = b->placed[MFFT_BODY_X + a].data;
  return status;
}

mfft_status mfft_bodies_take_back(mfft_bodies *b) {
  mfft_status status = MFFT_SUCCESS;
  for (int i = 0; i < MFFT_BODY_ARRAYS && status == MFFT_SUCCESS; i++)
    if (is_written(i)) status = mfft_placed_fetch(&b->placed[i], (size_t)b->count * 8);
  return status;
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

typedef struct parts {
  const mfft_bodies *bodies;
  mfft_bodies_part *part;
  void *context;
} parts;

static mfft_status run_part(void *context, int64_t iteration, int worker) {
  const parts *p = context;
  const int64_t first = iteration * PART, end = first + PART;
  p->part(p->context, first, end < p->bodies->count ? end : p->bodies->count, worker);
  return MFFT_SUCCESS;
}

void mfft_bodies_run(const mfft_bodies *b, mfft_bodies_part *part, void *context) {
  parts p = {b, part, context};
  mfft_workers_run(b->workers, (b->count + PART - 1) / PART, run_part, &p);
}
