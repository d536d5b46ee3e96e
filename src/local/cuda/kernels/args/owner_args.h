/* owner_args.h: arguments of the kernels that find the rank of each particle, and that rearrange columns. */
#ifndef MFFT_KERNEL_OWNER_ARGS_H
#define MFFT_KERNEL_OWNER_ARGS_H

#include "particle_args.h"

/* A column whose elements are copied into another sequence of particles (arrange.cu), in words of 1, 4 or 8 bytes. */
typedef struct mfft_arrange_args {
  const void *record; /* [count] records of sorted particles, NULL if the list is in their sequence; or 32-bit indices */
  const void *in;     /* [count][words] */
  void *out;          /* [count][words] */
  int type;           /* mfft_position_type of the records */
  int word_bytes;
  unsigned words;           /* words of an element */
  unsigned long long count; /* particles */
} mfft_arrange_args;

/* The particles of each rank (local/particles.h).  A warp takes consecutive particles, and has a row of the table: how many
 * of them each rank owns, then where the next of them goes in `order`. */
enum { MFFT_OWNERS_WARPS = MFFT_PARTICLE_THREADS / 32 }; /* warps of a thread block */
typedef struct mfft_owners_args {
  const void *position[3]; /* [axis][count][stride] */
  long long stride;
  int type; /* mfft_position_type */
  int ranks;
  unsigned long long count; /* particles, at most 2^32 - 1 */
  long long n[3];           /* cells of the whole mesh */
  double scale[3];          /* cells in a unit of length */
  const long long *edge[3]; /* [axis][edges[axis]] cells where boxes of ranks begin, and n */
  int edges[3];
  const int *rank;        /* [edges[0] - 1][edges[1] - 1][edges[2] - 1] */
  unsigned warps, *table; /* [warps][ranks] */
  unsigned *order;        /* [count] */
  mfft_particle_words *words;
} mfft_owners_args;

#endif
