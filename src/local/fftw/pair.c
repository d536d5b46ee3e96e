/* pair.c: transforms of several axes by two transforms, each of which has its own pieces.
 *
 *     C2C, R2C, R2R             axes 1.. from in to out;                   then axis 0 in place in out
 *     C2C backward, reproducible: axis 0 from in to out;                   then axes 1.. in place in out
 *     C2R, input not preserved  axis 0 in place in the input;              then axes 1.. from in to out
 *     C2R otherwise             axis 0 from in to the workspace, packed;   then axes 1.. from the workspace to out
 *
 * Backward transforms of which only the first elements are wanted have the order of C2R: after axis 0 only few lines of the
 * other axes are left.  Forward, the axes 1.. come first, since they have few lines before zeros are appended to axis 0.
 * Reproducible backward transforms have the order of C2R too, so that the order does not depend on which axes are
 * transformed together.  The workspace of a pair holds the packed array, if there is one, followed by the workspace of its
 * children. */
#include <string.h>

#include "base/cache_line.h"
#include "local/fftw/fft.h"

static int spare_input(const mfft_fft_spec *s) { return s->in_place || s->destroy_input; }

/* Whether axis 0 is transformed first. */
static int is_first(const mfft_fft_spec *s) {
  const int crops = mfft_fft_pads(s) || (s->type == MFFT_FFT_C2C && s->reproducible);
  return s->type == MFFT_FFT_C2R || (s->direction == MFFT_BACKWARD && crops);
}

static mfft_fftw_middle middle_of(const mfft_fft_spec *s) {
  if (!is_first(s) || (s->type != MFFT_FFT_C2R && !mfft_fft_pads(s))) return MFFT_FFTW_IN_OUTPUT;
  return spare_input(s) ? MFFT_FFTW_IN_INPUT : MFFT_FFTW_IN_WORK;
}

static size_t wanted(const mfft_fftw_fft *f, size_t bytes) {
  (void)f, (void)bytes;
  return 1; /* one transform in each piece */
}

/* The transform of axis 0 alone; the other axes of the array, of these lengths, are loops. */
static mfft_fft_spec first_axis(const mfft_fft_spec *s, const int64_t is[3], const int64_t os[3], const int64_t lengths[3]) {
  mfft_fft_spec c;
  memset(&c, 0, sizeof c);
  c.type = s->type == MFFT_FFT_R2R ? MFFT_FFT_R2R : MFFT_FFT_C2C;
  c.kind[0] = s->kind[0];
  c.direction = s->direction;
  c.precision = s->precision;
  c.scale = 1;
  c.naxes = 1;
  c.axis[0] = (mfft_dim){s->axis[0].n, is[0], os[0]};
  c.given[0] = s->given[0];
  for (int a = 1; a < s->naxes; a++) c.loop[c.nloops++] = (mfft_dim){lengths[a], is[a], os[a]};
  c.effort = s->effort;
  c.deadline = s->deadline;
  c.threads = s->threads;
  c.reproducible = s->reproducible;
  return c;
}

/* The transform of axes 1 and higher; axis 0 is a loop of `lines` iterations. */
static mfft_fft_spec other_axes(const mfft_fft_spec *s, const int64_t is[3], const int64_t os[3], int64_t lines) {
  mfft_fft_spec c = *s;
  mfft_fft_set_scale(&c, 1, 0);
  c.naxes = s->naxes - 1;
  memset(c.given, 0, sizeof c.given);
  for (int a = 1; a < s->naxes; a++) {
    c.axis[a - 1] = (mfft_dim){s->axis[a].n, is[a], os[a]};
    c.kind[a - 1] = s->kind[a];
    c.given[a - 1] = s->given[a];
  }
  c.nloops = 1;
  c.loop[0] = (mfft_dim){lines, is[0], os[0]};
  return c;
}

static mfft_status prepare(mfft_fftw_fft *f, mfft_fftw_part *p) {
  const mfft_fft_spec *s = &f->spec;
  int64_t is[3] = {0}, os[3] = {0}, packed[3] = {0}, in_length[3], out_length[3]; /* [axis] */
  for (int a = 0; a < s->naxes; a++) {
    is[a] = s->axis[a].is;
    os[a] = s->axis[a].os;
    in_length[a] = mfft_fft_length(s, a, 0);
    out_length[a] = mfft_fft_length(s, a, 1);
  }
  int64_t count = 1;
  for (int a = s->naxes - 1; a >= 0; a--) {
    packed[a] = count;
    count *= a ? in_length[a] : out_length[a];
    if (a == s->naxes - 1) count += count % 2; /* an even number keeps all rows aligned */
  }
  const int64_t *const strides[] = {[MFFT_FFTW_IN_OUTPUT] = os, [MFFT_FFTW_IN_INPUT] = is, [MFFT_FFTW_IN_WORK] = packed};

  mfft_fft_spec first, second;
  f->middle = middle_of(s);
  const int64_t *middle = strides[f->middle];
  if (is_first(s)) {
    first = first_axis(s, is, middle, in_length);
    second = other_axes(s, middle, os, out_length[0]);
    first.in_place = f->middle == MFFT_FFTW_IN_INPUT || (f->middle == MFFT_FFTW_IN_OUTPUT && s->in_place);
    second.in_place = f->middle == MFFT_FFTW_IN_OUTPUT || s->in_place;
    second.destroy_input |= f->middle == MFFT_FFTW_IN_WORK;
  } else {
    first = other_axes(s, is, middle, in_length[0]);
    second = first_axis(s, middle, os, out_length);
    second.in_place = 1;
  }
  mfft_fft_set_scale(&second, s->scale, s->scale_rest);
  MFFT_TRY(f->base.backend->fft_create(&first, &p->child[0]));
  MFFT_TRY(f->base.backend->fft_create(&second, &p->child[1]));
  const size_t a = p->child[0]->work_bytes, b = p->child[1]->work_bytes;
  f->held_bytes = f->middle == MFFT_FFTW_IN_WORK ? mfft_whole_lines((size_t)count * f->in_element) : 0;
  mfft_fftw_want_work(f, f->held_bytes + (a > b ? a : b));
  return MFFT_SUCCESS;
}

static void run(const mfft_fftw_fft *f, const mfft_fftw_part *p, const void *in, void *out, void *work) {
  void *const array[] = {[MFFT_FFTW_IN_OUTPUT] = out, [MFFT_FFTW_IN_INPUT] = (void *)in, [MFFT_FFTW_IN_WORK] = work};
  void *middle = array[f->middle], *scratch = (char *)work + f->held_bytes;
  f->base.backend->fft_execute(p->child[0], in, middle, scratch, NULL);
  f->base.backend->fft_execute(p->child[1], middle, out, scratch, NULL);
}

const mfft_fftw_mode mfft_fftw_pair = {"pair", 0, mfft_fftw_transform_bytes, wanted, prepare, run};
