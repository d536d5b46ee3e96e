/* mesh.c: see mesh.h. */
#include "mesh.h"

#include <stdlib.h>

static int64_t divide_up(int64_t n, int64_t by) { return n / by + (n % by != 0); }

/* Finds P2 = Q0 Q1 as PFFT does: among the divisors Q1 up to the square root of P2, the one for which P0 Q0 and P1 Q1 differ
 * least.  The difference must be less than that of (P2, 1); if no divisor achieves that, the pair is (1, P2), even if its
 * difference is larger. */
static void split_last(const mfft_dropin_mesh *mesh, int q[2]) {
  const int64_t p0 = mesh->n[0], p1 = mesh->n[1];
  const int last = mesh->n[2];
  int64_t least = llabs(p0 * last - p1);
  q[0] = 1, q[1] = last;
  for (int q1 = 1; (int64_t)q1 * q1 <= last; q1++) {
    const int64_t difference = llabs(p0 * (last / q1) - p1 * q1);
    if (last % q1 || difference >= least) continue;
    least = difference;
    q[0] = last / q1, q[1] = q1;
  }
}

void mfft_dropin_mesh_flat(const mfft_dropin_mesh *mesh, mfft_dropin_mesh *flat) {
  int q[2]; /* {P, Q} */
  *flat = *mesh;
  if (!mesh->bricks) return;
  split_last(mesh, q);
  *flat = (mfft_dropin_mesh){2, 0, {mesh->n[0] * q[0], mesh->n[1] * q[1], 1}};
}

int mfft_dropin_mesh_divides(const mfft_dropin_mesh *mesh, int transposed, int *first) {
  *first = !!transposed;
  return transposed && mesh->bricks ? 2 : mesh->dims;
}

void mfft_dropin_mesh_blocks(const mfft_dropin_mesh *mesh, int transposed, const int64_t *n,
                             const ptrdiff_t given[MFFT_DROPIN_MOST_DIMS], int64_t block[MFFT_DROPIN_MOST_DIMS]) {
  mfft_dropin_mesh flat;
  int first, q[2]; /* {P, Q} */
  const int count = mfft_dropin_mesh_divides(mesh, transposed, &first);
  mfft_dropin_mesh_flat(mesh, &flat);
  for (int d = 0; d < MFFT_DROPIN_MOST_DIMS; d++) block[d] = 0;
  if (mesh->bricks && !transposed) {
    split_last(mesh, q);
    for (int d = 0; d < 2; d++) block[d] = divide_up(n[d], flat.n[d]) * q[d];
    block[2] = divide_up(n[2], mesh->n[2]);
    return;
  }
  for (int d = 0; d < count; d++) block[d] = given[d] ? given[d] : divide_up(n[first + d], flat.n[d]);
}

/* The process of a dimension that `rank` is, in the mesh that divides the array. */
static void find_coordinates(const mfft_dropin_mesh *mesh, int transposed, int rank, int c[MFFT_DROPIN_MOST_DIMS]) {
  for (int d = mesh->dims - 1; d >= 0; d--) {
    c[d] = rank % mesh->n[d];
    rank /= mesh->n[d];
  }
  if (!transposed || !mesh->bricks) return;
  int q[2]; /* {P, Q} */
  split_last(mesh, q);
  c[0] = c[0] * q[0] + c[2] / q[1];
  c[1] = c[1] * q[1] + c[2] % q[1];
}

int mfft_dropin_mesh_covers(const mfft_dropin_mesh *mesh, int transposed, const int64_t *n,
                            const int64_t block[MFFT_DROPIN_MOST_DIMS]) {
  mfft_dropin_mesh flat;
  int first, covers = 1;
  const int count = mfft_dropin_mesh_divides(mesh, transposed, &first);
  mfft_dropin_mesh_flat(mesh, &flat);
  for (int d = 0; d < count; d++)
    covers &= block[d] > 0 && divide_up(n[first + d], block[d]) <= (count == 3 ? mesh->n[d] : flat.n[d]);
  return covers;
}

void mfft_dropin_mesh_part(const mfft_dropin_mesh *mesh, int transposed, int axes, const int64_t *n,
                           const int64_t block[MFFT_DROPIN_MOST_DIMS], int rank, int64_t *lo, int64_t *hi) {
  int first, c[MFFT_DROPIN_MOST_DIMS];
  const int count = mfft_dropin_mesh_divides(mesh, transposed, &first);
  find_coordinates(mesh, transposed, rank, c);
  for (int a = 0; a < axes; a++) {
    const int d = a - first;
    const int divided = d >= 0 && d < count;
    lo[a] = !divided ? 0 : c[d] < divide_up(n[a], block[d]) ? c[d] * block[d] : n[a];
    hi[a] = !divided || n[a] - lo[a] < block[d] ? n[a] : lo[a] + block[d];
  }
}

void mfft_dropin_mesh_order(const mfft_dropin_mesh *mesh, int transposed, int axes, int *order) {
  int first;
  const int count = mfft_dropin_mesh_divides(mesh, transposed, &first);
  for (int a = 0; a < axes; a++) order[a] = !transposed || a > count ? a : a < count ? a + 1 : 0;
}
