/* prune.c: see prune.h. */
#include "prune.h"

#include <stdlib.h>
#include <string.h>

#include "base/precision.h"
#include "mfft_memory.h"
#include "settings.h"

/* The box of the program's array in its own indices, with the padding of rows of reals, if they have any. */
static mfft_box find_program_box(const mfft_dropin_shape *s, mfft_side side, int rank, int64_t row) {
  int64_t n[MFFT_DROPIN_MOST_AXES], lo[MFFT_DROPIN_MOST_AXES], hi[MFFT_DROPIN_MOST_AXES];
  mfft_box box = {{0, 0, 0}, {1, 1, 1}, {0, 1, 2}};
  for (int a = 0; a < s->rank; a++) n[a] = s->length[side][a];
  mfft_dropin_mesh_part(&s->mesh, s->transposed[side], s->rank, n, s->length_block[side], rank, lo, hi);
  for (int a = 0; a < s->rank; a++) box.lo[a] = lo[a], box.hi[a] = hi[a];
  if (row && hi[s->rank - 1] > lo[s->rank - 1]) box.hi[s->rank - 1] = row;
  mfft_dropin_mesh_order(&s->mesh, s->transposed[side], 3, box.order);
  return box;
}

/* The intersection of the program's array with this rank's part of the whole array, in the indices of the program's array;
 * fills in the copy between them. */
static mfft_box find_overlap(const mfft_dropin_shape *s, mfft_side side, int rank, int64_t row, mfft_dropin_pruned *p) {
  int64_t lo[MFFT_DROPIN_MOST_AXES], hi[MFFT_DROPIN_MOST_AXES];
  mfft_box box = {{0, 0, 0}, {1, 1, 1}, {0, 1, 2}};
  mfft_dropin_part(s, side, rank, lo, hi);
  mfft_dropin_mesh_order(&s->mesh, s->transposed[side], 3, box.order);
  for (int i = 0; i < 3; i++) {
    const int a = box.order[i];
    p->copy[i] = p->overlap_n[i] = p->whole_n[i] = 1;
    p->offset[i] = 0;
    if (a >= s->rank) continue;
    const int64_t shift = s->offset[side][a], n = s->length[side][a];
    int64_t from = lo[a] > shift ? lo[a] - shift : 0, to = hi[a] - shift < n ? hi[a] - shift : n;
    if (from > to) from = to = 0;
    box.lo[a] = from, box.hi[a] = to;
    p->whole_n[i] = hi[a] - lo[a];
    p->offset[i] = from + shift - lo[a];
    p->copy[i] = p->overlap_n[i] = to - from;
  }
  const int last = s->rank - 1; /* the axis of rows, since arrays with padded rows have natural order */
  if (row && p->copy[last] > 0) box.hi[last] = p->overlap_n[last] = row;
  return box;
}

static int64_t count_of(const mfft_box *box) {
  int64_t count = 1;
  for (int a = 0; a < 3; a++) count *= box->hi[a] > box->lo[a] ? box->hi[a] - box->lo[a] : 0;
  return count;
}

static mfft_status create_side(MPI_Comm comm, const mfft_dropin_shape *s, mfft_side side, int rank, mfft_dropin_pruned *p) {
  const int real = s->kind == MFFT_R2R || (s->kind == MFFT_R2C && side == MFFT_IN);
  const int64_t row = s->kind == MFFT_R2C && real && s->padded_rows ? 2 * (s->length[side][s->rank - 1] / 2 + 1) : 0;
  mfft_exchange_desc desc;
  mfft_exchange_options options;
  mfft_exchange_desc_init(&desc);
  mfft_exchange_options_init(&options);
  options.transport = mfft_dropin_transport();
  p->element = (size_t)s->howmany * mfft_real_bytes(s->precision) * (real ? 1 : 2);
  desc.element_bytes = (int64_t)p->element;
  const mfft_box program = find_program_box(s, side, rank, row), overlap = find_overlap(s, side, rank, row, p);
  const int inwards = (side == MFFT_IN) == (s->direction == MFFT_FORWARD);
  desc.from = inwards ? program : overlap;
  desc.to = inwards ? overlap : program;
  p->whole_bytes = mfft_dropin_bytes(s, side, rank);
  mfft_status status = mfft_alloc(p->whole_bytes + 64, &p->whole);
  if (status == MFFT_SUCCESS) status = mfft_alloc((size_t)count_of(&overlap) * p->element + 64, &p->overlap);
  const mfft_status made = mfft_exchange_create(comm, &desc, &options, &p->exchange);
  return status ? status : made;
}

mfft_status mfft_dropin_prune_create(MPI_Comm comm, const mfft_dropin_shape *s, int rank, mfft_dropin_prune *prune) {
  mfft_status status = MFFT_SUCCESS;
  for (int side = 0; side < 2; side++) {
    if (!s->shorter[side]) continue;
    const mfft_status made = create_side(comm, s, (mfft_side)side, rank, &prune->side[side]);
    if (status == MFFT_SUCCESS) status = made;
  }
  return status;
}

void mfft_dropin_prune_destroy(mfft_dropin_prune *prune) {
  for (int side = 0; side < 2; side++) {
    mfft_exchange_destroy(prune->side[side].exchange);
    mfft_free(prune->side[side].whole);
    mfft_free(prune->side[side].overlap);
  }
  memset(prune, 0, sizeof *prune);
}

/* The position of line i of the overlap in an array of lengths n. */
static size_t place_of(const mfft_dropin_pruned *p, int64_t i, const int64_t n[3], const int64_t offset[3]) {
  const int64_t plane = i / p->copy[1] + offset[0], line = i % p->copy[1] + offset[1];
  return (size_t)((plane * n[1] + line) * n[2] + offset[2]) * p->element;
}

/* Copies the overlap to its position in the whole array (embed 1), or from there (0). */
static void copy_overlap(mfft_dropin_pruned *p, int embed) {
  static const int64_t start[3] = {0, 0, 0};
  const size_t bytes = (size_t)p->copy[2] * p->element;
  for (int64_t i = 0; i < p->copy[0] * p->copy[1] && bytes; i++) {
    char *whole = (char *)p->whole + place_of(p, i, p->whole_n, p->offset);
    char *overlap = (char *)p->overlap + place_of(p, i, p->overlap_n, start);
    memcpy(embed ? whole : overlap, embed ? overlap : whole, bytes);
  }
}

mfft_status mfft_dropin_prune_embed(mfft_dropin_pruned *p, const void *in) {
  static const char none[64]; /* the array of ranks without planes, which may pass any pointer */
  const mfft_status status = mfft_exchange_execute(p->exchange, in ? in : none, p->overlap);
  memset(p->whole, 0, p->whole_bytes);
  copy_overlap(p, 1);
  return status;
}

mfft_status mfft_dropin_prune_crop(mfft_dropin_pruned *p, void *out) {
  static char none[64];
  copy_overlap(p, 0);
  return mfft_exchange_execute(p->exchange, p->overlap, out ? out : none);
}
