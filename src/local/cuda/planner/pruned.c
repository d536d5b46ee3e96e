/* pruned.c: see pruned.h. */
#include "local/cuda/planner/pruned.h"

#include "local/cuda/planner/axis.h"
#include "local/cuda/planner/real_axis.h"

/* The share of its elements that exist while an axis is a loop around another one. */
static double loop_share(const mfft_builder *b, int axis) {
  const mfft_fft_spec *s = b->spec;
  return (double)b->dims[axis].n / (double)mfft_fft_length(s, axis, s->direction == MFFT_FORWARD);
}

/* Notes in the passes of an axis, those from `first` on, which share of the whole array each reads and writes. */
static void note_shares(mfft_builder *b, int axis, int first) {
  const mfft_fft_spec *s = b->spec;
  double lines = 1;
  for (int a = 0; a < s->naxes; a++)
    if (a != axis) lines *= loop_share(b, a);
  for (int i = first; i < b->schedule->count; i++) {
    mfft_pass *pass = &b->schedule->pass[i];
    const double end = pass->kernel.padded ? (double)s->given[axis] / (double)s->axis[axis].n : 1;
    pass->share = lines * (1 + end) / 2;
  }
}

static mfft_status add_complex(mfft_builder *b, int axis, mfft_place_id src, mfft_place_id dst, int last) {
  const mfft_axis x = {.axis = axis, .n = b->spec->axis[axis].n, .src = src, .dst = dst, .last = last};
  return mfft_axis_add(b, &x);
}

/* The fast axes first.  Each is a loop of its given points until it is transformed. */
static mfft_status build_forward(mfft_builder *b) {
  const mfft_fft_spec *s = b->spec;
  const int real = s->type == MFFT_FFT_R2C ? s->naxes - 1 : -1;
  mfft_place_id at = MFFT_AT_IN;
  int slowest = 0; /* of those with passes; of complex axes it carries the scale */
  while (slowest + 1 < s->naxes && s->axis[slowest].n == 1) slowest++;
  for (int a = 0; a < s->naxes; a++) b->dims[a].n = mfft_fft_length(s, a, 0);
  for (int a = s->naxes - 1; a >= 0; a--) {
    const int first = b->schedule->count;
    if (a == real)
      MFFT_TRY(mfft_axis_real_to_half(b, a, s->axis[a].n, MFFT_AT_OUT));
    else if (s->axis[a].n > 1)
      MFFT_TRY(add_complex(b, a, at, MFFT_AT_OUT, real < 0 && a == slowest));
    note_shares(b, a, first);
    if (b->schedule->count > first) at = MFFT_AT_OUT;
    b->dims[a].n = mfft_fft_length(s, a, 1);
  }
  return MFFT_SUCCESS;
}

/* The axes of planes whose rows are stored by halves: the rows last, since each has results for two. */
static mfft_status build_planes(mfft_builder *b) {
  const mfft_fft_spec *s = b->spec;
  mfft_place_id at = MFFT_AT_IN;
  for (int a = 0; a < s->naxes; a++) b->dims[a].n = mfft_fft_length(s, a, 0);
  for (int a = 0; a < s->naxes; a++) {
    const int first = b->schedule->count, rows = a == s->naxes - 1;
    const mfft_axis x = {.axis = a,
                         .n = s->axis[a].n,
                         .src = at,
                         .dst = MFFT_AT_OUT,
                         .store = rows ? MFFT_FORM_TWO_HALVES : MFFT_FORM_COMPLEX,
                         .last = rows};
    MFFT_TRY(mfft_axis_add(b, &x));
    note_shares(b, a, first);
    at = MFFT_AT_OUT;
    b->dims[a].n = mfft_fft_length(s, a, 1);
  }
  return MFFT_SUCCESS;
}

/* The slow axes first.  Each is a loop of its wanted points from its transform on; the workspace has space for what the
 * first one leaves. */
static mfft_status build_backward(mfft_builder *b, int64_t row) {
  const mfft_fft_spec *s = b->spec;
  const int real = s->type == MFFT_FFT_C2R ? s->naxes - 1 : -1;
  const mfft_place_id between = s->in_place || s->destroy_input ? MFFT_AT_IN : MFFT_AT_WORK;
  mfft_place_id at = MFFT_AT_IN;
  int slowest = 0, fastest = s->naxes - 1; /* of those with passes; of complex axes the fastest carries the scale */
  while (slowest + 1 < s->naxes && s->axis[slowest].n == 1) slowest++;
  while (real < 0 && fastest > slowest && s->axis[fastest].n == 1) fastest--;
  for (int a = 0; a < s->naxes; a++) b->dims[a].n = mfft_fft_length(s, a, 0);
  if (slowest < s->naxes - 1) {
    b->dims[slowest].n = mfft_fft_length(s, slowest, 1);
    b->work_elements = mfft_builder_lay_out(b, MFFT_AT_IN, s->naxes - 1, row, MFFT_AT_WORK, MFFT_AT_WORK2);
    b->dims[slowest].n = mfft_fft_length(s, slowest, 0);
  }
  for (int a = 0; a < s->naxes; a++) {
    const int first = b->schedule->count;
    if (a == real) b->dims[a].n = s->axis[a].n;
    if (a == real)
      MFFT_TRY(mfft_axis_half_to_real(b, a, s->axis[a].n, at));
    else if (s->axis[a].n > 1)
      MFFT_TRY(add_complex(b, a, at, a == fastest ? MFFT_AT_OUT : between, a == fastest));
    note_shares(b, a, first);
    if (b->schedule->count > first) at = between;
    b->dims[a].n = mfft_fft_length(s, a, 1);
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_pruned_build(mfft_builder *b, int64_t row) {
  const mfft_fft_spec *s = b->spec;
  if (s->scatter.count || s->wire)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: an array that ends in zeros, beside %s",
                     s->wire ? "ends of half the width" : "shares");
  if (s->mirrored_planes.n) return build_planes(b);
  return s->direction == MFFT_FORWARD ? build_forward(b) : build_backward(b, row);
}
