/* exchange_state.h: the struct that the files of the exchange of particles share.
 *
 * exchange.c has the calls, owners.c finds the owners, columns.c moves columns.  The exchange keeps a list of this rank's
 * particles by owner, `order`, and all else follows from it: a column is packed by reading it in that order, and a column
 * that returns is written in it. */
#ifndef MFFT_PARTICLES_EXCHANGE_STATE_H
#define MFFT_PARTICLES_EXCHANGE_STATE_H

#include "mfft_memory.h"
#include "particles/mesh.h"
#include "particles/messages.h"

struct mfft_particle_exchange_s {
  mfft_particle_mesh mesh;
  int64_t count, arriving; /* particles that this rank has, and that it gets, those that stay included */
  /* [mfft_memory][count] indices of this rank's particles by owner, those of an owner in sequence; NULL: there is no list in
   * that memory yet (mfft_pm_exchange_order) */
  uint32_t *order[2];
  int64_t order_capacity;   /* elements of the memory of the list on the device */
  int64_t *first;           /* [ranks + 1] where the particles of each owner begin in `order` */
  int64_t *start;           /* [ranks + 1] where the arriving particles from each rank begin */
  mfft_pm_message *message; /* [2][ranks] messages of a round: at the particles' ranks, and at the owners */
  void *packed;             /* [packed_bytes] packed particles in host memory, if the mesh is on a device */
  size_t packed_bytes;
};

/* Finds the owners of the particles: `order` where the positions are, and `first`.  Not collective. */
mfft_status mfft_pm_find_owners(mfft_particle_exchange exchange, const mfft_particles *particles);

/* Makes `order` in a memory, by a copy from the other one if it is not there.  Not collective. */
mfft_status mfft_pm_exchange_order(mfft_particle_exchange exchange, mfft_memory memory);

/* Moves a column to the owners or back.  Collective. */
mfft_status mfft_pm_move_column(mfft_particle_exchange exchange, const mfft_particle_column *column, int back);

/* Frees `order`; the mesh keeps memory of the device for the next exchange. */
void mfft_pm_forget_order(mfft_particle_exchange exchange);

#endif
