/* request.c: see request.h. */
#include "request.h"

#include <fftw3-mpi.h>
#include <string.h>

static int64_t divide_up(int64_t n, int64_t by) { return n / by + (n % by != 0); }

int64_t mfft_dropin_extent(const mfft_dropin_shape *s, int axis) {
  return s->kind == MFFT_R2C && axis == s->rank - 1 ? s->n[axis] / 2 + 1 : s->n[axis];
}

/* The reason why mergefft leaves a request to FFTW, or NULL. */
static const char *find_lack(const mfft_dropin_request *r) {
  const unsigned transposed[2] = {FFTW_MPI_TRANSPOSED_IN, FFTW_MPI_TRANSPOSED_OUT};
  if (r->kind == MFFT_DROPIN_R2R) return "FFTW: sine, cosine and halfcomplex transforms";
  if (r->kind == MFFT_DROPIN_TRANSPOSE) return "FFTW: transpositions";
  if (r->rank < 2) return "FFTW: the distribution of one dimension";
  if (r->rank > MFFT_DROPIN_MOST_AXES || (r->rank == MFFT_DROPIN_MOST_AXES && r->howmany > 1))
    return "FFTW: more than four axes, a tuple counted as one";
  if (r->howmany < 1) return "FFTW: no array";
  for (int a = 0; a < r->rank; a++)
    if (r->n[a] < 1) return "FFTW: a length is not positive";
  if (r->block[0] < 0 || r->block[1] < 0) return "FFTW: a block is negative";
  if (r->flags & (FFTW_MPI_SCRAMBLED_IN | FFTW_MPI_SCRAMBLED_OUT)) return "FFTW: scrambled order";
  if (r->flags & FFTW_WISDOM_ONLY) return "FFTW: wisdom only";
  if (r->kind != MFFT_DROPIN_C2C && r->flags & transposed[r->kind == MFFT_DROPIN_C2R])
    return "FFTW: reals in transposed order";
  return NULL;
}

/* Whether one distributed plan can transform all axes, which needs an array of at most three axes. */
static int fits_one_plan(const mfft_dropin_shape *s) {
  return s->rank + (s->howmany > 1) <= 3 && (s->kind == MFFT_C2C || s->howmany == 1);
}

const char *mfft_dropin_shape_of(const mfft_dropin_request *r, int ranks, mfft_dropin_shape *s) {
  const char *lack = find_lack(r);
  memset(s, 0, sizeof *s); /* padding too, since shapes are compared by memcmp */
  if (lack) return lack;
  s->precision = r->precision;
  s->kind = r->kind == MFFT_DROPIN_C2C ? MFFT_C2C : MFFT_R2C;
  const int backward = r->kind == MFFT_DROPIN_C2R || (r->kind == MFFT_DROPIN_C2C && r->sign == FFTW_BACKWARD);
  s->direction = backward ? MFFT_BACKWARD : MFFT_FORWARD;
  s->rank = r->rank;
  s->howmany = r->howmany;
  for (int a = 0; a < r->rank; a++) s->n[a] = r->n[a];
  for (int end = 0; end < 2; end++) {
    const int side = end ^ backward, transposed = !!(r->flags & (end ? FFTW_MPI_TRANSPOSED_OUT : FFTW_MPI_TRANSPOSED_IN));
    const int64_t length = mfft_dropin_extent(s, transposed);
    s->transposed[side] = transposed;
    s->block[side] = r->block[end] ? r->block[end] : divide_up(length, ranks);
    if (divide_up(length, s->block[side]) > ranks) return "FFTW: the blocks need more ranks than there are";
  }
  s->apart = !fits_one_plan(s);
  if (s->apart && s->transposed[0] && s->transposed[1]) return "FFTW: transposed in and out, with more than three axes";
  s->near = s->apart && s->transposed[MFFT_IN] ? MFFT_OUT : MFFT_IN;
  return NULL;
}

void mfft_dropin_planes(const mfft_dropin_shape *s, mfft_side side, int rank, int64_t *lo, int64_t *hi) {
  const int64_t length = mfft_dropin_extent(s, s->transposed[side]), block = s->block[side];
  *lo = rank < divide_up(length, block) ? rank * block : length;
  *hi = length - *lo < block ? length : *lo + block;
}

/* Complex numbers of one plane of a side. */
static int64_t plane_count(const mfft_dropin_shape *s, mfft_side side) {
  int64_t count = s->howmany;
  for (int a = 0; a < s->rank; a++)
    if (a != s->transposed[side]) count *= mfft_dropin_extent(s, a);
  return count;
}

size_t mfft_dropin_bytes(const mfft_dropin_shape *s, mfft_side side, int rank) {
  int64_t lo, hi;
  mfft_dropin_planes(s, side, rank, &lo, &hi);
  return (size_t)((hi - lo) * plane_count(s, side)) * (s->precision == MFFT_DOUBLE ? 16 : 8);
}

/* The three axes of the array of the distributed plan. */
static void find_axes(const mfft_dropin_shape *s, int64_t n[3]) {
  n[0] = s->n[0];
  n[1] = s->apart ? mfft_dropin_extent(s, 1) : s->n[1];
  n[2] = s->howmany;
  for (int a = 2; a < s->rank; a++) n[2] *= s->apart ? mfft_dropin_extent(s, a) : s->n[a];
}

void mfft_dropin_describe(const mfft_dropin_shape *s, int rank, mfft_box box[2], mfft_desc *desc) {
  mfft_desc_init(desc);
  find_axes(s, desc->n);
  desc->rank = s->rank == 2 && s->howmany == 1 ? 2 : 3;
  desc->precision = s->precision;
  desc->kind = s->apart ? MFFT_C2C : s->kind;
  desc->axes = s->apart ? 1u : (1u << s->rank) - 1;
  desc->padded = desc->kind == MFFT_R2C;
  for (int side = 0; side < 2; side++) {
    box[side] = (mfft_box){{0, 0, 0}, {desc->n[0], desc->n[1], desc->n[2]}, {0, 1, 2}};
    if (side == MFFT_OUT && desc->kind == MFFT_R2C) box[side].hi[desc->rank - 1] = desc->n[desc->rank - 1] / 2 + 1;
    const int cut = s->transposed[side];
    if (cut) box[side].order[0] = 1, box[side].order[1] = 0;
    mfft_dropin_planes(s, (mfft_side)side, rank, &box[side].lo[cut], &box[side].hi[cut]);
  }
  desc->in_box = &box[MFFT_IN];
  desc->out_box = &box[MFFT_OUT];
}

void mfft_dropin_describe_local(const mfft_dropin_shape *s, int64_t planes, mfft_desc *desc) {
  const int axes = s->rank - 1, all = axes + (s->howmany > 1);
  mfft_desc_init(desc);
  desc->rank = all;
  desc->axes = (1u << axes) - 1;
  desc->batch = planes;
  desc->precision = s->precision;
  desc->kind = s->kind;
  int64_t in = 1, out = 1; /* elements of one index of an axis */
  for (int a = all - 1; a >= 0; a--) {
    desc->n[a] = a < axes ? s->n[a + 1] : s->howmany;
    desc->in_stride[a] = in;
    desc->out_stride[a] = out;
    const int halved = s->kind == MFFT_R2C && a == axes - 1;
    out *= halved ? desc->n[a] / 2 + 1 : desc->n[a];
    in *= halved ? 2 * (desc->n[a] / 2 + 1) : desc->n[a];
  }
  desc->in_dist = in;
  desc->out_dist = out;
}
