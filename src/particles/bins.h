/* bins.h: particles sorted by tiles of cells, so that a thread works on a part of the mesh that fits its cache.
 *
 * A counting sort in two sweeps: the first computes the tile of each particle and counts, the second copies positions, with
 * the index of their particle, to the range of their tile.  Threads process contiguous ranges of the particles. */
#ifndef MFFT_PARTICLES_BINS_H
#define MFFT_PARTICLES_BINS_H

#include <stdatomic.h>

#include "base/workers.h"
#include "particles/shares.h"

/* Binary logarithms of the own cells of a tile on each axis; tiles at the upper end may be smaller.  Tiles are wider than
 * the windows of mass assignment, so that tiles of one colour (deposit.c) have no cell in common. */
enum { MFFT_PM_TILE_LOG_X = 4, MFFT_PM_TILE_LOG_Y = 4, MFFT_PM_TILE_LOG_Z = 5 };
extern const int mfft_pm_tile_log[3]; /* [axis] */

typedef struct mfft_pm_bins {
  const mfft_pm_grid *grid;
  mfft_workers workers;
  int64_t tiles[3], tile_count; /* [axis] tiles along each axis; all tiles */
  int64_t first, count;         /* the batch of the caller's particles that is sorted */
  mfft_particles sorted;        /* [count] by tile; records of four elements: x, y, z, index of the particle */
  int64_t *start;               /* [tile_count + 1] first of the sorted particles of each tile */
  int64_t capacity;             /* particles for which memory is allocated */
  int wanted;                   /* 1: a gather after the deposit uses its sort */
  int valid;                    /* 1: the next sort, of the same batch, can be skipped */
  int scrambled;                /* 1: the last list was not in the sequence of the tiles, and none has been arranged since */
  int64_t pairs;                /* neighbours among the particles that were sorted last, all batches together */
  int64_t changes;              /* how many of them were in different tiles */
  /* private to bins.c */
  _Atomic int64_t found; /* changes in the sort that runs */
  mfft_particles from;   /* the caller's particles */
  int64_t chunks;        /* ranges of particles */
  int64_t *cursor;       /* [chunks][tile_count] particles in each tile; then the place of the next of them */
  uint32_t *key;         /* [capacity] tile of each particle */
  void *record;          /* [capacity][4] of 4 or 8 bytes */
  void *memory;          /* of keys and records, where no other is lent; NULL: none */
  size_t own_bytes;      /* of this memory */
} mfft_pm_bins;

mfft_status mfft_pm_bins_create(const mfft_pm_grid *grid, mfft_workers workers, mfft_pm_bins *bins);
void mfft_pm_bins_destroy(mfft_pm_bins *bins); /* accepts a zeroed object */
size_t mfft_pm_bins_bytes(const mfft_pm_bins *bins);

/* The number of particles that are sorted at a time in so many bytes of memory. */
int64_t mfft_pm_bins_capacity(const mfft_particles *particles, size_t bytes);

/* The least bytes of memory of a sort; with less the capacity is that of these bytes. */
size_t mfft_pm_bins_least_bytes(void);

/* Bytes that the bins occupy once mfft_pm_bins_reserve has been called with these arguments and no memory. */
size_t mfft_pm_bins_bytes_for(const mfft_pm_bins *bins, const mfft_particles *particles, size_t bytes);

/* Reserves memory for sorting all particles, or as many at a time as fit into `bytes`, at least mfft_pm_bins_least_bytes.
 * lent: memory at a multiple of 64 that sorts use until the next call; NULL: the bins allocate memory, and keep it. */
mfft_status mfft_pm_bins_reserve(mfft_pm_bins *bins, const mfft_particles *particles, void *lent, size_t bytes);

/* Frees the memory that the bins have allocated for sorts. */
void mfft_pm_bins_free(mfft_pm_bins *bins);

/* Sorts particles from `first` on, as many as fit.  MFFT_ERR_NONFINITE for a position that is not finite, MFFT_ERR_ARG for a
 * particle outside of the own box; the error message has the index of the particle. */
mfft_status mfft_pm_bins_sort(mfft_pm_bins *bins, const mfft_particles *particles, int64_t first);

/* Adds the changes and pairs of a sort from `first` on to those of the batches before it. */
void mfft_pm_bins_note(mfft_pm_bins *bins, int64_t first, int64_t changes, int64_t pairs);

/* The share of neighbours in different tiles among the particles that were sorted last; 0 if none were sorted. */
static inline double mfft_pm_bins_disorder(const mfft_pm_bins *bins) {
  return bins->pairs ? (double)bins->changes / (double)bins->pairs : 0;
}

/* The index in the batch of the particle that was sorted to place i. */
static inline int64_t mfft_pm_bins_index(const mfft_pm_bins *bins, int64_t i) {
  return bins->sorted.type == MFFT_POSITION_SINGLE || bins->sorted.type == MFFT_POSITION_FIXED32
             ? (int64_t)((const uint32_t *)bins->record)[4 * i + 3]
             : (int64_t)((const uint64_t *)bins->record)[4 * i + 3];
}

/* The own cells of tile t with its ghost cells. */
mfft_pm_tile mfft_pm_bins_tile(const mfft_pm_bins *bins, int64_t t);

/* The largest number of cells in the buffer of a tile. */
int64_t mfft_pm_bins_tile_cells(const mfft_pm_bins *bins);

#endif
