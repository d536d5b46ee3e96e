/* remap.c: see remap.h. */
#include "remap.h"

#include <stdlib.h>
#include <string.h>

#include "base/precision.h"
#include "mfft_memory.h"
#include "settings.h"

/* A rank's part of an array as the program has it: ranges of indices of the axes in the order of memory. */
typedef struct part {
  int64_t lo[MFFT_DROPIN_MOST_AXES], hi[MFFT_DROPIN_MOST_AXES]; /* [axes] */
} part;

/* The box of a part in an exchange, which has three axes.  At most the first three axes in memory are divided, so those that
 * follow are merged with the third: `row` elements of the last axis with its padding, and all numbers of a tuple. */
static mfft_box find_box(const mfft_dropin_shape *s, const part *p, int64_t row) {
  mfft_box box = {{0, 0, 0}, {1, 1, s->howmany}, {0, 1, 2}};
  const int last = s->rank - 1;
  for (int i = 0; i <= last; i++) {
    const int padded = row && i == last && p->hi[i] > p->lo[i];
    const int64_t lo = p->lo[i], hi = padded ? row : p->hi[i];
    if (i <= 2) {
      box.lo[i] = lo * (i == 2 ? s->howmany : 1);
      box.hi[i] = hi * (i == 2 ? s->howmany : 1);
    } else {
      box.lo[2] *= hi, box.hi[2] *= hi; /* a whole axis, so lo is 0 */
    }
  }
  return box;
}

/* The part of the program's array that this rank has. */
static part find_program_part(const mfft_dropin_shape *s, mfft_side side, int rank, const int *order) {
  int64_t n[MFFT_DROPIN_MOST_AXES], lo[MFFT_DROPIN_MOST_AXES], hi[MFFT_DROPIN_MOST_AXES];
  part p;
  for (int a = 0; a < s->rank; a++) n[a] = s->length[side][a];
  mfft_dropin_mesh_part(&s->program_mesh, s->transposed[side], s->rank, n, s->length_block[side], rank, lo, hi);
  for (int i = 0; i < s->rank; i++) p.lo[i] = lo[order[i]], p.hi[i] = hi[order[i]];
  return p;
}

/* The intersection of the program's array with this rank's part of the whole array, in the indices of the program's array;
 * fills in the copy between them. */
static part find_overlap(const mfft_dropin_shape *s, mfft_side side, int rank, const int *order, mfft_dropin_remapped *r) {
  int64_t lo[MFFT_DROPIN_MOST_AXES], hi[MFFT_DROPIN_MOST_AXES];
  part p;
  mfft_dropin_part(s, side, rank, lo, hi);
  for (int i = 0; i < s->rank; i++) {
    const int a = order[i];
    const int64_t shift = s->offset[side][a], n = s->length[side][a];
    p.lo[i] = lo[a] > shift ? lo[a] - shift : 0;
    p.hi[i] = hi[a] - shift < n ? hi[a] - shift : n;
    if (p.lo[i] > p.hi[i]) p.lo[i] = p.hi[i] = 0;
    r->whole_n[i] = hi[a] - lo[a];
    r->offset[i] = p.lo[i] + shift - lo[a];
    r->copy[i] = r->overlap_n[i] = p.hi[i] - p.lo[i];
  }
  return p;
}

static int64_t count_of(const mfft_box *box) {
  int64_t count = 1;
  for (int a = 0; a < 3; a++) count *= box->hi[a] > box->lo[a] ? box->hi[a] - box->lo[a] : 0;
  return count;
}

static mfft_status create_side(MPI_Comm comm, const mfft_dropin_shape *s, mfft_side side, int rank,
                               mfft_dropin_remapped *r) {
  const int real = s->kind == MFFT_R2R || (s->kind == MFFT_R2C && side == MFFT_IN), last = s->rank - 1;
  const int64_t row = s->kind == MFFT_R2C && real && s->padded_rows ? 2 * (s->length[side][last] / 2 + 1) : 0;
  const size_t number = mfft_real_bytes(s->precision) * (real ? 1 : 2);
  int order[MFFT_DROPIN_MOST_AXES];
  mfft_exchange_desc desc;
  mfft_exchange_options options;
  mfft_exchange_desc_init(&desc);
  mfft_exchange_options_init(&options);
  options.transport = mfft_dropin_transport();
  desc.element_bytes = (int64_t)number;
  mfft_dropin_mesh_order(&s->program_mesh, s->transposed[side], s->rank, order);
  const part mine = find_program_part(s, side, rank, order), both = find_overlap(s, side, rank, order, r);
  const mfft_box program = find_box(s, &mine, row), overlap = find_box(s, &both, row);
  r->axes = s->rank;
  r->element = (size_t)s->howmany * number;
  if (row && r->copy[last] > 0) r->overlap_n[last] = row; /* arrays with padded rows have natural order */
  const int inwards = (side == MFFT_IN) == (s->direction == MFFT_FORWARD);
  desc.from = inwards ? program : overlap;
  desc.to = inwards ? overlap : program;
  r->whole_bytes = mfft_dropin_bytes(s, side, rank);
  mfft_status status = mfft_alloc(r->whole_bytes + 64, &r->whole);
  if (status == MFFT_SUCCESS) status = mfft_alloc((size_t)count_of(&overlap) * number + 64, &r->overlap);
  const mfft_status made = mfft_exchange_create(comm, &desc, &options, &r->exchange);
  return status ? status : made;
}

mfft_status mfft_dropin_remap_create(MPI_Comm comm, const mfft_dropin_shape *s, int rank, mfft_dropin_remap *remap) {
  mfft_status status = MFFT_SUCCESS;
  for (int side = 0; side < 2; side++) {
    if (!s->remapped[side]) continue;
    const mfft_status made = create_side(comm, s, (mfft_side)side, rank, &remap->side[side]);
    if (status == MFFT_SUCCESS) status = made;
  }
  return status;
}

void mfft_dropin_remap_destroy(mfft_dropin_remap *remap) {
  for (int side = 0; side < 2; side++) {
    mfft_exchange_destroy(remap->side[side].exchange);
    mfft_free(remap->side[side].whole);
    mfft_free(remap->side[side].overlap);
  }
  memset(remap, 0, sizeof *remap);
}

/* The position of line i of the overlap in an array of lengths n. */
static size_t place_of(const mfft_dropin_remapped *r, int64_t i, const int64_t *n, const int64_t *offset) {
  const int last = r->axes - 1;
  int64_t at = offset[last], stride = n[last];
  for (int a = last - 1; a >= 0; a--) {
    at += (i % r->copy[a] + offset[a]) * stride;
    i /= r->copy[a];
    stride *= n[a];
  }
  return (size_t)at * r->element;
}

/* Copies the overlap to its position in the whole array (embed 1), or from there (0). */
static void copy_overlap(mfft_dropin_remapped *r, int embed) {
  static const int64_t start[MFFT_DROPIN_MOST_AXES];
  const size_t bytes = (size_t)r->copy[r->axes - 1] * r->element;
  int64_t lines = 1;
  for (int a = 0; a < r->axes - 1; a++) lines *= r->copy[a];
  for (int64_t i = 0; i < lines && bytes; i++) {
    char *whole = (char *)r->whole + place_of(r, i, r->whole_n, r->offset);
    char *overlap = (char *)r->overlap + place_of(r, i, r->overlap_n, start);
    memcpy(embed ? whole : overlap, embed ? overlap : whole, bytes);
  }
}

mfft_status mfft_dropin_remap_embed(mfft_dropin_remapped *r, const void *in) {
  static const char none[64]; /* the array of ranks without planes, which may pass any pointer */
  const mfft_status status = mfft_exchange_execute(r->exchange, in ? in : none, r->overlap);
  memset(r->whole, 0, r->whole_bytes);
  copy_overlap(r, 1);
  return status;
}

mfft_status mfft_dropin_remap_crop(mfft_dropin_remapped *r, void *out) {
  static char none[64];
  copy_overlap(r, 0);
  return mfft_exchange_execute(r->exchange, r->overlap, out ? out : none);
}
