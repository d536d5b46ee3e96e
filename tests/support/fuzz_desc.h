/* fuzz_desc.h: random descriptors and options: valid ones, and ones with invalid fields. */
#ifndef MFFT_TESTS_FUZZ_DESC_H
#define MFFT_TESTS_FUZZ_DESC_H

#include <limits.h>
#include <stddef.h>

#include "base/box.h"
#include "fuzz.h"
#include "transform.h"

/* A descriptor, options, and the objects that their pointers refer to. */
typedef struct fuzz_desc {
  mfft_desc desc;
  mfft_options options;
  mfft_box box[2];  /* [side] */
  char radices[24]; /* such as "4,2x16" */
} fuzz_desc;

/* Strides of the axes and the distance between arrays that are in memory in a random order, with gaps at random. */
static inline void fuzz_spread(fuzz_try *t, int rank, const int64_t n[3], int64_t batch, int64_t stride[3], int64_t *dist) {
  int order[4] = {0}, count = rank + 1; /* [count] */
  for (int i = 0; i < count; i++) {
    const int at = (int)fuzz_draw(t, i + 1);
    order[i] = order[at];
    order[at] = i;
  }
  int64_t next = 1 + fuzz_one_in(t, 3);
  for (int i = 0; i < count; i++) {
    const int a = order[i];
    *(a < rank ? &stride[a] : dist) = next;
    next *= a < rank ? n[a] : batch;
    if (fuzz_one_in(t, 3)) next += fuzz_draw(t, 5);
  }
}

/* Cosines and sines of some axes, or all: a real plan is then R2R. */
static inline void fuzz_axis_kinds(fuzz_try *t, mfft_desc *d) {
  const unsigned axes = d->axes ? d->axes : 7u >> (3 - d->rank);
  unsigned dfts = 0;
  for (int a = 0; a < d->rank; a++) {
    d->axis_kind[a] = (mfft_axis_kind)(fuzz_draw(t, 2) * fuzz_draw(t, MFFT_DST4 + 1));
    if (d->n[a] == 1 && d->axis_kind[a] == MFFT_DCT1) d->axis_kind[a] = MFFT_DFT;
    if (axes >> a & 1 && d->axis_kind[a] == MFFT_DFT) dfts |= 1u << a;
  }
  if (d->kind == MFFT_C2C || dfts) return;
  d->kind = MFFT_R2R;
  d->filtered = 0;
}

/* Draws a descriptor that every plan accepts, of at most some ten thousand elements. */
static inline void fuzz_sound(fuzz_try *t, fuzz_desc *f) {
  static const int64_t longer[] = {61, 64, 97, 128, 169, 210, 256, 343, 360, 500};
  mfft_desc *d = &f->desc;
  mfft_options *o = &f->options;
  memset(f, 0, sizeof *f);
  mfft_desc_init(d);
  mfft_options_init(o);
  d->rank = 1 + (int)fuzz_draw(t, 3);
  for (int a = 0; a < d->rank; a++) d->n[a] = 1 + fuzz_draw(t, 16);
  if (fuzz_one_in(t, 3)) d->n[fuzz_draw(t, d->rank)] = longer[fuzz_draw(t, 10)];
  d->axes = (unsigned)fuzz_draw(t, 1 << d->rank);
  d->batch = fuzz_draw(t, 2) ? 1 : 1 + fuzz_draw(t, 4);
  d->kind = (mfft_kind)fuzz_draw(t, 2);
  d->precision = (mfft_precision)fuzz_draw(t, MFFT_PRECISION_COUNT);
  d->scale[0] = (mfft_scale)fuzz_draw(t, 3);
  d->scale[1] = (mfft_scale)fuzz_draw(t, 3);
  d->placement = (mfft_placement)fuzz_draw(t, 2);
  d->allow_destroy_input = (int)fuzz_draw(t, 2);
  o->effort = fuzz_one_in(t, 40) ? MFFT_MEASURE : MFFT_ESTIMATE;
  o->time_limit = o->effort == MFFT_MEASURE ? 0.01 : 0;
  o->threads = fuzz_one_in(t, 20) ? 1 + (int)fuzz_draw(t, 4) : 1;
  o->user_workspace = fuzz_one_in(t, 6);
  o->late_window = fuzz_one_in(t, 6);
  d->filtered = fuzz_one_in(t, 3) ? (unsigned)fuzz_draw(t, 4) : 0;
  o->backend = fuzz_draw(t, 3) ? "fftw" : "ref";
  if (fuzz_one_in(t, 3)) fuzz_axis_kinds(t, d);
}

/* Fields of local plans: layouts, and scrambled order. */
static inline void fuzz_sound_local(fuzz_try *t, fuzz_desc *f) {
  mfft_desc *d = &f->desc;
  fuzz_sound(t, f);
  int64_t n_out[3] = {d->n[0], d->n[1], d->n[2]};
  if (d->kind == MFFT_R2C) n_out[test_halved_axis(d)] = d->n[test_halved_axis(d)] / 2 + 1;
  if (d->rank == 1 && d->kind == MFFT_C2C && !d->axis_kind[0] && fuzz_one_in(t, 4)) {
    d->scrambled = 1;
    d->filtered = 0;
    return; /* packed */
  }
  if (fuzz_draw(t, 3)) fuzz_spread(t, d->rank, d->n, d->batch, d->in_stride, &d->in_dist);
  if (fuzz_draw(t, 3)) fuzz_spread(t, d->rank, n_out, d->batch, d->out_stride, &d->out_dist);
}

/* Fields of distributed plans on one rank. */
static inline void fuzz_sound_mpi(fuzz_try *t, fuzz_desc *f) {
  static const char *const transports[] = {NULL, NULL, "pairwise", "mpi", "alltoallv", "p2p", "p2p-store"};
  mfft_desc *d = &f->desc;
  mfft_options *o = &f->options;
  fuzz_sound(t, f);
  if (d->rank == 1) d->kind = MFFT_C2C, d->axes = 0, d->filtered = 0, d->axis_kind[0] = MFFT_DFT;
  if (d->kind == MFFT_R2C && d->placement == MFFT_IN_PLACE) { /* whole rows are padded */
    d->axes |= 1u << (d->rank - 1);
    d->axis_kind[d->rank - 1] = MFFT_DFT;
  }
  o->transport = transports[fuzz_draw(t, 7)];
  o->grid[0] = (int)fuzz_draw(t, 2), o->grid[1] = (int)fuzz_draw(t, 2);
  o->chunks = (int)fuzz_draw(t, 5);
  o->overlap_split = fuzz_one_in(t, 4) && o->chunks != 1 ? (int)fuzz_draw(t, 17) - 1 : 0;
  const int other = (int)fuzz_draw(t, 2);
  d->order = d->rank > 1 && other ? MFFT_ORDER_TRANSPOSED : MFFT_ORDER_NATURAL;
  d->scrambled = d->rank == 1 && other;
}

/* ---- What nobody would set ------------------------------------------------------------------------------------------- */

typedef struct fuzz_field {
  int how;              /* 1: of the options */
  size_t offset, bytes; /* 4: int or enum, 8: int64_t or size_t */
} fuzz_field;
#define FUZZ_FIELD(f) \
  { 0, offsetof(mfft_desc, f), sizeof(((mfft_desc *)0)->f) }
#define FUZZ_OPTION(f) \
  { 1, offsetof(mfft_options, f), sizeof(((mfft_options *)0)->f) }
static const fuzz_field fuzz_numbers[] = {
    FUZZ_FIELD(rank),           FUZZ_FIELD(n[0]),          FUZZ_FIELD(n[1]),          FUZZ_FIELD(n[2]),
    FUZZ_FIELD(axes),           FUZZ_FIELD(batch),         FUZZ_FIELD(kind),          FUZZ_FIELD(precision),
    FUZZ_FIELD(scale[0]),       FUZZ_FIELD(scale[1]),      FUZZ_FIELD(placement),     FUZZ_FIELD(allow_destroy_input),
    FUZZ_FIELD(padded),         FUZZ_FIELD(in_stride[0]),  FUZZ_FIELD(in_stride[1]),  FUZZ_FIELD(in_stride[2]),
    FUZZ_FIELD(in_dist),        FUZZ_FIELD(out_stride[0]), FUZZ_FIELD(out_stride[1]), FUZZ_FIELD(out_stride[2]),
    FUZZ_FIELD(out_dist),       FUZZ_OPTION(effort),       FUZZ_OPTION(threads),      FUZZ_OPTION(user_workspace),
    FUZZ_OPTION(grid[0]),       FUZZ_OPTION(grid[1]),      FUZZ_OPTION(chunks),       FUZZ_FIELD(order),
    FUZZ_FIELD(scrambled),      FUZZ_OPTION(compute),      FUZZ_FIELD(filtered),      FUZZ_OPTION(wire),
    FUZZ_OPTION(overlap_split), FUZZ_FIELD(axis_kind[0]),  FUZZ_FIELD(axis_kind[1]),  FUZZ_FIELD(axis_kind[2]),
    FUZZ_FIELD(given[0]),       FUZZ_FIELD(given[1]),      FUZZ_FIELD(given[2])};
enum { FUZZ_NUMBERS = sizeof fuzz_numbers / sizeof *fuzz_numbers };

/* A number at the limit of a type or range, or any number at all. */
static inline int64_t fuzz_number(fuzz_try *t) {
  static const int64_t edges[] = {0,
                                  1,
                                  2,
                                  3,
                                  4,
                                  5,
                                  7,
                                  8,
                                  13,
                                  15,
                                  16,
                                  17,
                                  31,
                                  64,
                                  100,
                                  127,
                                  255,
                                  1000,
                                  1009,
                                  4095,
                                  65536,
                                  65537,
                                  999983,
                                  16777259,
                                  INT_MAX,
                                  INT64_C(1) << 31,
                                  (INT64_C(1) << 31) + 1,
                                  INT64_C(1) << 32,
                                  INT64_C(1) << 57,
                                  INT64_C(1) << 58,
                                  INT64_C(1) << 62,
                                  INT64_MAX};
  const int64_t value = edges[fuzz_draw(t, sizeof edges / sizeof *edges)];
  switch (fuzz_draw(t, 8)) {
    case 0:
      return -value;
    case 1:
      return value - 1;
    case 2:
      return (int64_t)exp2(62 * (test_random(&t->state) + 0.5));
    default:
      return value;
  }
}

static inline double fuzz_real(fuzz_try *t) {
  static const double values[] = {0, 1e-300, 1e-9, 1e-3, 0.02, 1, 1.5, 1e6, 1e300, -1, INFINITY, -INFINITY, NAN};
  return values[fuzz_draw(t, sizeof values / sizeof *values)];
}

static inline mfft_box fuzz_box(fuzz_try *t, const int64_t n[3]) {
  mfft_box box = mfft_box_whole(n);
  if (fuzz_draw(t, 2)) /* another order in memory */
    for (int i = 0; i < 3; i++) box.order[i] = (int)fuzz_draw(t, 3);
  if (fuzz_draw(t, 2)) *(&box.lo[0] + fuzz_draw(t, 6)) = fuzz_number(t);
  return box;
}

/* Changes one field, or an object that a pointer refers to. */
static inline void fuzz_spoil(fuzz_try *t, fuzz_desc *f) {
  static const char *const names[] = {NULL,  "",     "ref",        "fftw",   "cuda", "fttw", "pairwise", "alltoallv",
                                      "p2p", "nccl", "p2p+staged", "staged", "p2p+", "%s%n", "p2p-store"};
  static const char letters[] = "0123456789,+x-. ";
  mfft_desc *d = &f->desc;
  mfft_options *o = &f->options;
  switch (fuzz_draw(t, 12)) {
    case 0:
      o->backend = names[fuzz_draw(t, sizeof names / sizeof *names)];
      return;
    case 1:
      o->transport = names[fuzz_draw(t, sizeof names / sizeof *names)];
      return;
    case 2:
      for (int64_t i = fuzz_draw(t, sizeof f->radices - 1); i >= 0; i--)
        f->radices[i] = letters[fuzz_draw(t, sizeof letters - 1)];
      o->radices = f->radices;
      return;
    case 3:
      *(fuzz_draw(t, 2) ? &o->tolerance : &o->time_limit) = fuzz_real(t);
      return;
    case 4: {
      const int side = (int)fuzz_draw(t, 2);
      f->box[side] = fuzz_box(t, d->n);
      *(side ? &d->out_box : &d->in_box) = &f->box[side];
      return;
    }
    default: {
      const fuzz_field *field = &fuzz_numbers[fuzz_draw(t, FUZZ_NUMBERS)];
      char *object = field->how ? (char *)o : (char *)d;
      const int64_t value = fuzz_draw(t, 3) ? fuzz_number(t) : fuzz_draw(t, 6);
      const int small = (int)value;
      memcpy(object + field->offset, field->bytes == 8 ? (const void *)&value : (const void *)&small, field->bytes);
    }
  }
}

/* ---- Words ----------------------------------------------------------------------------------------------------------- */

static inline void fuzz_describe(const fuzz_desc *f, char text[512]) {
  const mfft_desc *d = &f->desc;
  const mfft_options *o = &f->options;
  snprintf(text, 512,
           "rank %d n %lld %lld %lld given %lld %lld %lld axes %u batch %lld kind %d (%d %d %d) precision %d scale %d %d "
           "placement %d destroy %d in "
           "%lld %lld "
           "%lld %lld out %lld %lld %lld %lld effort %d backend %s threads %d own workspace %d late window %d grid %d %d "
           "transport %s chunks "
           "%d order %d scrambled %d compute %d filtered %u wire %d overlap split %d tolerance %g limit %g",
           d->rank, (long long)d->n[0], (long long)d->n[1], (long long)d->n[2], (long long)d->given[0],
           (long long)d->given[1], (long long)d->given[2], d->axes, (long long)d->batch, (int)d->kind, (int)d->axis_kind[0],
           (int)d->axis_kind[1], (int)d->axis_kind[2], (int)d->precision, (int)d->scale[0], (int)d->scale[1],
           (int)d->placement, d->allow_destroy_input, (long long)d->in_stride[0], (long long)d->in_stride[1],
           (long long)d->in_stride[2], (long long)d->in_dist, (long long)d->out_stride[0], (long long)d->out_stride[1],
           (long long)d->out_stride[2], (long long)d->out_dist, (int)o->effort, o->backend ? o->backend : "-", o->threads,
           o->user_workspace, o->late_window, o->grid[0], o->grid[1], o->transport ? o->transport : "-", o->chunks,
           (int)d->order, d->scrambled, (int)o->compute, d->filtered, (int)o->wire, o->overlap_split, o->tolerance,
           o->time_limit);
}

#endif
