/* ghost_blocks.c: see ghost_blocks.h. */
#include "ghost_blocks.h"

#include <stdlib.h>
#include <string.h>

static int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

void mfft_pfft_division_part(const mfft_pfft_division *d, int rank, int64_t *lo, int64_t *hi) {
  mfft_dropin_mesh_part(&d->mesh, d->transposed, d->axes, d->n, d->block, rank, lo, hi);
}

int64_t mfft_pfft_block_count(const mfft_pfft_block *block, int axes) {
  int64_t count = 1;
  for (int i = 0; i < axes; i++) count *= block->n[i];
  return count;
}

static int append(mfft_pfft_block **list, int *count, const mfft_pfft_block *block) {
  mfft_pfft_block *longer = realloc(*list, (size_t)(*count + 1) * sizeof *longer);
  if (!longer) return -1;
  *list = longer;
  longer[(*count)++] = *block;
  return 0;
}

/* The parts of receiver and owner on an axis, and the periodic images of the owner's part that overlap the receiver's. */
typedef struct overlap {
  int64_t from, to;    /* the receiver's part with ghost cells */
  int64_t lo, hi;      /* the owner's part */
  int64_t first, last; /* range of the images: shifts of the owner's part, in lengths of the axis */
} overlap;

static overlap find_overlap(const mfft_pfft_division *d, int axis, const int64_t receiver[2], const int64_t owner[2]) {
  overlap o = {.from = receiver[0] - d->below[axis], .to = receiver[1] + d->above[axis], .lo = owner[0], .hi = owner[1]};
  o.first = floor_divide(o.from - o.hi, d->n[axis]) + 1;
  o.last = floor_divide(o.to - 1 - o.lo, d->n[axis]);
  return o;
}

/* The block of an image. */
static mfft_pfft_block block_of(const mfft_pfft_division *d, const overlap *axis, const int64_t *image, int of_owner) {
  mfft_pfft_block b;
  memset(&b, 0, sizeof b);
  for (int i = 0; i < d->axes; i++) {
    const overlap *o = &axis[d->order[i]];
    const int64_t shift = image[d->order[i]] * d->n[d->order[i]];
    const int64_t lo = o->lo + shift > o->from ? o->lo + shift : o->from;
    const int64_t hi = o->hi + shift < o->to ? o->hi + shift : o->to;
    b.at[i] = of_owner ? lo - shift - o->lo + d->below[d->order[i]] : lo - o->from;
    b.n[i] = hi - lo;
  }
  return b;
}

int mfft_pfft_find_blocks(const mfft_pfft_division *d, int receiver, int owner, int of_owner, mfft_pfft_block **list,
                          int *count) {
  int64_t rlo[MFFT_DROPIN_MOST_AXES], rhi[MFFT_DROPIN_MOST_AXES], olo[MFFT_DROPIN_MOST_AXES], ohi[MFFT_DROPIN_MOST_AXES];
  int64_t image[MFFT_DROPIN_MOST_AXES];
  overlap axis[MFFT_DROPIN_MOST_AXES];
  mfft_pfft_division_part(d, receiver, rlo, rhi);
  mfft_pfft_division_part(d, owner, olo, ohi);
  for (int a = 0; a < d->axes; a++) {
    axis[a] = find_overlap(d, a, (int64_t[]){rlo[a], rhi[a]}, (int64_t[]){olo[a], ohi[a]});
    image[a] = axis[a].first;
    if (ohi[a] <= olo[a] || axis[a].first > axis[a].last) return 0;
  }
  for (int a = 0; a >= 0;) {
    int own = receiver == owner; /* 1: the unshifted part is no ghost cells, but its images are */
    for (int i = 0; i < d->axes; i++) own &= image[i] == 0;
    const mfft_pfft_block b = block_of(d, axis, image, of_owner);
    if (!own && append(list, count, &b)) return -1;
    for (a = d->axes - 1; a >= 0 && ++image[a] > axis[a].last; a--) image[a] = axis[a].first;
  }
  return 0;
}
