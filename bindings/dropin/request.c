/* request.c: see request.h. */
#include "request.h"

#include <fftw3-mpi.h>
#include <string.h>

#include "base/precision.h"

int64_t mfft_dropin_extent(const mfft_dropin_shape *s, mfft_side side, int axis) {
  if (side == MFFT_IN && s->given[axis]) return s->given[axis];
  return s->kind == MFFT_R2C && side == MFFT_OUT && axis == s->rank - 1 ? s->n[axis] / 2 + 1 : s->n[axis];
}

int mfft_dropin_axis_kinds(int rank, const int *kinds, mfft_axis_kind axis_kind[MFFT_DROPIN_MOST_AXES]) {
  static const struct {
    int fftw;
    mfft_axis_kind kind;
  } same[] = {{FFTW_REDFT00, MFFT_DCT1}, {FFTW_REDFT10, MFFT_DCT2}, {FFTW_REDFT01, MFFT_DCT3}, {FFTW_REDFT11, MFFT_DCT4},
              {FFTW_RODFT00, MFFT_DST1}, {FFTW_RODFT10, MFFT_DST2}, {FFTW_RODFT01, MFFT_DST3}, {FFTW_RODFT11, MFFT_DST4}};
  for (int a = 0; a < rank && a < MFFT_DROPIN_MOST_AXES; a++) {
    size_t i = 0;
    while (i < sizeof same / sizeof *same && same[i].fftw != kinds[a]) i++;
    if (i == sizeof same / sizeof *same) return 0;
    axis_kind[a] = same[i].kind;
  }
  return 1;
}

int mfft_dropin_is_shorter(const mfft_dropin_request *r, int end) {
  int shorter = 0;
  for (int a = 0; r->length[end] && a < r->rank; a++) shorter |= r->length[end][a] != r->n[a];
  return shorter;
}

/* The reason why mergefft cannot do this kind of plan for either interface, or NULL. */
static const char *find_lack_of_kind(const mfft_dropin_request *r) {
  const unsigned transposed[2] = {FFTW_MPI_TRANSPOSED_IN, FFTW_MPI_TRANSPOSED_OUT}; /* [side] */
  if (r->kind == MFFT_DROPIN_R2R && !r->axis_kind) return "FFTW: mergefft has no halfcomplex and Hartley transforms";
  if (r->kind == MFFT_DROPIN_TRANSPOSE) return "FFTW: transpositions";
  if (r->flags & (FFTW_MPI_SCRAMBLED_IN | FFTW_MPI_SCRAMBLED_OUT)) return "FFTW: scrambled order";
  if (r->flags & FFTW_WISDOM_ONLY) return "FFTW: wisdom only";
  if ((r->kind == MFFT_DROPIN_R2C || r->kind == MFFT_DROPIN_C2R) && r->flags & transposed[r->kind == MFFT_DROPIN_C2R])
    return "FFTW: reals in transposed order";
  return NULL;
}

static const char *find_lack_of_mesh(const mfft_dropin_request *r) {
  if (r->mesh.dims >= r->rank && r->rank != 3)
    return "FFTW: only arrays of three axes may have a mesh of as many dimensions";
  if (r->mesh.dims > r->rank) return "FFTW: the mesh has more dimensions than the array";
  if (r->mesh.bricks && !r->packed && (r->kind == MFFT_DROPIN_R2C || r->kind == MFFT_DROPIN_C2R))
    return "FFTW: rows that are padded must be whole, and a mesh of as many dimensions as the array divides them";
  return NULL;
}

/* The reason why mergefft leaves a request to FFTW, or NULL. */
static const char *find_lack(const mfft_dropin_request *r) {
  const char *lack = find_lack_of_kind(r);
  if (lack) return lack;
  if (r->rank < 2) return "FFTW: one dimension has blocks of its own";
  if (r->rank > MFFT_DROPIN_MOST_AXES || (r->rank == MFFT_DROPIN_MOST_AXES && r->howmany > 1))
    return "FFTW: more than four axes, a tuple counted as one";
  if (r->howmany < 1) return "FFTW: no array";
  for (int a = 0; a < r->rank; a++) {
    if (r->n[a] < 1) return "FFTW: a length is not positive";
    if ((r->signs.shifted[0] || r->signs.shifted[1]) && r->n[a] % 2) return "FFTW: indices are shifted and a length is odd";
  }
  for (int d = 0; d < MFFT_DROPIN_MOST_DIMS; d++)
    if (r->block[0][d] < 0 || r->block[1][d] < 0) return "FFTW: a block is negative";
  return find_lack_of_mesh(r);
}

/* The reason why arrays that are shorter than the transform cannot be handled, or NULL. */
static const char *find_lack_of_lengths(const mfft_dropin_request *r) {
  for (int end = 0; end < 2; end++)
    for (int a = 0; r->length[end] && a < r->rank; a++) {
      const ptrdiff_t length = r->length[end][a];
      if (length < 1 || length > r->n[a]) return "FFTW: lengths of input and output must be 1 to n";
      if (r->signs.shifted[end] && length % 2) return "FFTW: indices are shifted and a length is odd";
    }
  return NULL;
}

/* Whether one distributed plan can transform all axes, which needs an array of at most three axes. */
static int fits_one_plan(const mfft_dropin_shape *s) {
  return s->rank + (s->howmany > 1) <= 3 && (s->kind != MFFT_R2C || s->howmany == 1);
}

/* Finds whether a plan can take a shorter input as it is, and otherwise the position of the program's arrays in whole ones.
 * With shifted indices both begin at minus half of their lengths.  On the halved axis of a spectrum PFFT's arrays are the
 * end of the whole one, with shifted indices or without. */
static void find_lengths(const mfft_dropin_request *r, int backward, mfft_dropin_shape *s) {
  const int shorter[2] = {mfft_dropin_is_shorter(r, backward), mfft_dropin_is_shorter(r, !backward)}; /* [side] */
  const ptrdiff_t *given = r->length[MFFT_IN ^ backward];
  const int padded = s->kind == MFFT_R2C && !s->packed;
  if (shorter[MFFT_IN] && !shorter[MFFT_OUT] && !s->separate_axes && !padded && !r->signs.shifted[0] &&
      !r->signs.shifted[1]) {
    for (int a = 0; a < r->rank; a++) s->given[a] = given[a] < r->n[a] ? given[a] : 0;
    return;
  }
  s->remapped[MFFT_IN] = r->own_reals;
  for (int end = 0; end < 2; end++) {
    const int side = end ^ backward, bricks = s->program_mesh.bricks && !s->mesh.bricks && !s->transposed[side];
    s->remapped[side] |= shorter[side] || bricks;
    for (int a = 0; a < r->rank && s->remapped[side]; a++) {
      const int halved = s->kind == MFFT_R2C && side == MFFT_OUT && a == r->rank - 1;
      const ptrdiff_t length = r->length[end] ? r->length[end][a] : r->n[a];
      s->length[side][a] = halved ? length / 2 + 1 : length;
      s->offset[side][a] = halved || r->signs.shifted[end] ? r->n[a] / 2 - length / 2 : 0;
    }
  }
  s->padded_rows = padded && s->remapped[MFFT_IN];
  if (s->padded_rows) s->packed = 1;
}

/* Finds the blocks of a side of the plan and, if it is remapped, those of the program's array, to which the program's blocks
 * then apply.  Returns whether the blocks cover both arrays. */
static int find_blocks(const ptrdiff_t given[MFFT_DROPIN_MOST_DIMS], mfft_side side, mfft_dropin_shape *s) {
  static const ptrdiff_t none[MFFT_DROPIN_MOST_DIMS];
  int64_t n[MFFT_DROPIN_MOST_AXES];
  const int transposed = s->transposed[side];
  for (int a = 0; a < s->rank; a++) n[a] = mfft_dropin_extent(s, side, a);
  mfft_dropin_mesh_blocks(&s->mesh, transposed, n, s->remapped[side] ? none : given, s->block[side]);
  if (!mfft_dropin_mesh_covers(&s->mesh, transposed, n, s->block[side])) return 0;
  if (!s->remapped[side]) return 1;
  mfft_dropin_mesh_blocks(&s->program_mesh, transposed, s->length[side], given, s->length_block[side]);
  return mfft_dropin_mesh_covers(&s->program_mesh, transposed, s->length[side], s->length_block[side]);
}

const char *mfft_dropin_shape_of(const mfft_dropin_request *r, int ranks, mfft_dropin_shape *s) {
  static const mfft_kind kinds[] = {MFFT_C2C, MFFT_R2C, MFFT_R2C, MFFT_R2R};
  const char *lack = find_lack(r);
  if (!lack) lack = find_lack_of_lengths(r);
  memset(s, 0, sizeof *s); /* also the padding of the struct, since shapes are compared by memcmp */
  if (lack) return lack;
  s->precision = r->precision;
  s->kind = kinds[r->kind];
  const int backward = r->kind == MFFT_DROPIN_C2R || (r->kind == MFFT_DROPIN_C2C && r->sign == FFTW_BACKWARD);
  s->direction = backward ? MFFT_BACKWARD : MFFT_FORWARD;
  s->rank = r->rank;
  s->howmany = r->howmany;
  s->packed = r->packed && s->kind == MFFT_R2C;
  s->program_mesh = s->mesh = r->mesh.dims ? r->mesh : (mfft_dropin_mesh){1, 0, {ranks, 1, 1}};
  if (!fits_one_plan(s)) mfft_dropin_mesh_flat(&s->program_mesh, &s->mesh);
  for (int a = 0; a < r->rank; a++) {
    s->n[a] = r->n[a];
    if (s->kind == MFFT_R2R) s->axis_kind[a] = r->axis_kind[a];
  }
  for (int end = 0; end < 2; end++)
    s->transposed[end ^ backward] = !!(r->flags & (end ? FFTW_MPI_TRANSPOSED_OUT : FFTW_MPI_TRANSPOSED_IN));
  s->separate_axes = fits_one_plan(s) ? 0 : s->mesh.dims;
  find_lengths(r, backward, s);
  for (int end = 0; end < 2; end++)
    if (!find_blocks(r->block[end], (mfft_side)(end ^ backward), s))
      return "FFTW: the blocks need more ranks than there are";
  if (s->separate_axes && s->separate_axes < 3 && s->transposed[0] && s->transposed[1])
    return "FFTW: transposed in and out, with more than three axes";
  s->near = s->separate_axes && s->transposed[MFFT_IN] ? MFFT_OUT : MFFT_IN;
  return NULL;
}

void mfft_dropin_part(const mfft_dropin_shape *s, mfft_side side, int rank, int64_t lo[MFFT_DROPIN_MOST_AXES],
                      int64_t hi[MFFT_DROPIN_MOST_AXES]) {
  int64_t n[MFFT_DROPIN_MOST_AXES];
  for (int a = 0; a < s->rank; a++) n[a] = mfft_dropin_extent(s, side, a);
  mfft_dropin_mesh_part(&s->mesh, s->transposed[side], s->rank, n, s->block[side], rank, lo, hi);
}

int mfft_dropin_needs_reorder(const mfft_dropin_shape *s) {
  return s->separate_axes == 2 && (s->transposed[MFFT_IN] || s->transposed[MFFT_OUT]);
}

size_t mfft_dropin_bytes(const mfft_dropin_shape *s, mfft_side side, int rank) {
  const int last = s->rank - 1, real = s->kind == MFFT_R2R || (s->kind == MFFT_R2C && side == MFFT_IN);
  int64_t lo[MFFT_DROPIN_MOST_AXES], hi[MFFT_DROPIN_MOST_AXES], count = s->howmany;
  mfft_dropin_part(s, side, rank, lo, hi);
  for (int a = 0; a < last; a++) count *= hi[a] - lo[a];
  count *= s->kind == MFFT_R2C && real && !s->packed ? 2 * (s->n[last] / 2 + 1) : hi[last] - lo[last];
  return (size_t)count * mfft_real_bytes(s->precision) * (real ? 1 : 2);
}

/* The three axes of the array of the distributed plan. */
static void find_axes(const mfft_dropin_shape *s, int64_t n[3]) {
  n[0] = s->n[0];
  n[1] = s->separate_axes ? mfft_dropin_extent(s, MFFT_OUT, 1) : s->n[1];
  n[2] = s->howmany;
  for (int a = 2; a < s->rank; a++) n[2] *= s->separate_axes ? mfft_dropin_extent(s, MFFT_OUT, a) : s->n[a];
}

/* The box of a rank on a side of the distributed plan.  Where the first axes have a plan of their own, all axes from the
 * third on are merged into its last axis. */
static mfft_box find_box(const mfft_dropin_shape *s, mfft_side side, int rank, const mfft_desc *desc) {
  static const int reordered[3] = {1, 0, 2}; /* see reorder.h */
  mfft_box box = {{0, 0, 0}, {desc->n[0], desc->n[1], desc->n[2]}, {0, 1, 2}};
  int64_t lo[MFFT_DROPIN_MOST_AXES], hi[MFFT_DROPIN_MOST_AXES];
  mfft_dropin_part(s, side, rank, lo, hi);
  if (side == MFFT_OUT && desc->kind == MFFT_R2C) box.hi[desc->rank - 1] = desc->n[desc->rank - 1] / 2 + 1;
  for (int a = 0; a < s->rank; a++) {
    const int divided = a >= s->transposed[side] && a < s->transposed[side] + s->separate_axes;
    const int64_t merged = s->separate_axes && a == 2 ? desc->n[2] / mfft_dropin_extent(s, MFFT_OUT, 2) : 1;
    if (!s->separate_axes || divided) box.lo[a] = lo[a] * merged, box.hi[a] = hi[a] * merged;
  }
  mfft_dropin_mesh_order(&s->mesh, s->transposed[side], 3, box.order);
  if (mfft_dropin_needs_reorder(s) && s->transposed[side]) memcpy(box.order, reordered, sizeof reordered);
  return box;
}

void mfft_dropin_describe(const mfft_dropin_shape *s, int rank, mfft_box box[2], mfft_desc *desc) {
  mfft_desc_init(desc);
  find_axes(s, desc->n);
  desc->rank = s->rank == 2 && s->howmany == 1 ? 2 : 3;
  desc->precision = s->precision;
  desc->kind = s->separate_axes && s->kind == MFFT_R2C ? MFFT_C2C : s->kind;
  desc->axes = (1u << (s->separate_axes ? s->separate_axes : s->rank)) - 1;
  desc->padded = desc->kind == MFFT_R2C && !s->packed;
  for (int a = 0; a < desc->rank && desc->axes >> a & 1; a++) desc->axis_kind[a] = s->axis_kind[a];
  for (int a = 0; a < s->rank; a++)
    if (s->given[a]) desc->given[a] = s->given[a];
  for (int side = 0; side < 2; side++) box[side] = find_box(s, (mfft_side)side, rank, desc);
  desc->in_box = &box[MFFT_IN];
  desc->out_box = &box[MFFT_OUT];
}

void mfft_dropin_describe_local(const mfft_dropin_shape *s, int64_t planes, mfft_desc *desc) {
  const int axes = s->rank - s->separate_axes, all = axes + (s->howmany > 1);
  mfft_desc_init(desc);
  desc->rank = all;
  desc->axes = (1u << axes) - 1;
  desc->batch = planes;
  desc->precision = s->precision;
  desc->kind = s->kind;
  int64_t in = 1, out = 1; /* elements of one index of an axis */
  for (int a = all - 1; a >= 0; a--) {
    desc->n[a] = a < axes ? s->n[a + s->separate_axes] : s->howmany;
    desc->in_stride[a] = in;
    desc->out_stride[a] = out;
    const int halved = s->kind == MFFT_R2C && a == axes - 1;
    if (a < axes) desc->axis_kind[a] = s->axis_kind[a + s->separate_axes];
    out *= halved ? desc->n[a] / 2 + 1 : desc->n[a];
    in *= halved && !s->packed ? 2 * (desc->n[a] / 2 + 1) : desc->n[a];
  }
  desc->in_dist = in;
  desc->out_dist = out;
}
