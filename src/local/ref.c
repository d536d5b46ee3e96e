/* ref.c: the reference backend: direct sums in long double, for any strides, loops and types; O(n^2) per line.
 *
 * Memory whose content is undefined is filled with NaN, so that tests notice a program that reads it: fresh memory, the
 * workspace after a transform, an input that may be overwritten, and the gaps of an in-place transform. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "local/device.h"
#include "local/host/half.h"
#include "local/host/host.h"

typedef struct number {
  long double re, im;
} number;

typedef struct ref_fft {
  mfft_fft base;
  mfft_fft_spec spec;
  int64_t elements; /* of one transform, complex side or real side, whichever is larger */
  int64_t longest;  /* axis */
  number *root[3];  /* [axis][n] exp(sign 2 pi i m / n) */
} ref_fft;

enum { NAN_BYTE = 0xff }; /* all ones are a NaN in every floating-point type */

static const long double two_pi = 6.283185307179586476925286766559005768L;

static number root_of_unity(int64_t m, int64_t n, int sign) {
  long double angle = two_pi * (long double)m / (long double)n;
  return (number){cosl(angle), sign * sinl(angle)};
}

static long double load(mfft_precision precision, const void *data, int64_t i) {
  switch (precision) {
    case MFFT_DOUBLE:
      return ((const double *)data)[i];
    case MFFT_SINGLE:
      return ((const float *)data)[i];
    case MFFT_HALF:
      return mfft_half_to_float(((const uint16_t *)data)[i]);
    default:
      return mfft_bfloat16_to_float(((const uint16_t *)data)[i]);
  }
}

static void store(mfft_precision precision, void *data, int64_t i, long double value) {
  switch (precision) {
    case MFFT_DOUBLE:
      ((double *)data)[i] = (double)value;
      break;
    case MFFT_SINGLE:
      ((float *)data)[i] = (float)value;
      break;
    case MFFT_HALF:
      ((uint16_t *)data)[i] = mfft_half_of_float((float)value);
      break;
    default:
      ((uint16_t *)data)[i] = mfft_bfloat16_of_float((float)value);
      break;
  }
}

/* One side of a transform: shape, strides, and whether its elements are real. */
typedef struct side {
  int64_t n[3], stride[3];
  int parts; /* reals an element */
} side;

static side side_of(const mfft_fft_spec *s, int output) {
  side v = {.n = {1, 1, 1}, .parts = s->type == (output ? MFFT_FFT_C2R : MFFT_FFT_R2C) ? 1 : 2};
  for (int a = 0; a < s->naxes; a++) {
    v.n[a] = s->axis[a].n;
    v.stride[a] = output ? s->axis[a].os : s->axis[a].is;
  }
  if (s->type != MFFT_FFT_C2C && v.parts == 2) v.n[s->naxes - 1] = v.n[s->naxes - 1] / 2 + 1;
  return v;
}

static int64_t elements_of(const side *v) { return v->n[0] * v->n[1] * v->n[2]; }

/* Between a strided side that starts at element `start` and the packed array x, in C order of the side's own shape. */
static void load_side(const side *v, mfft_precision precision, const void *data, int64_t start, number *x) {
  for (int64_t i = 0; i < v->n[0]; i++)
    for (int64_t j = 0; j < v->n[1]; j++)
      for (int64_t k = 0; k < v->n[2]; k++) {
        int64_t at = v->parts * (start + i * v->stride[0] + j * v->stride[1] + k * v->stride[2]);
        x->re = load(precision, data, at);
        x->im = v->parts == 2 ? load(precision, data, at + 1) : 0;
        x++;
      }
}

static void store_side(const side *v, mfft_precision precision, const number *x, double scale, void *data, int64_t start) {
  for (int64_t i = 0; i < v->n[0]; i++)
    for (int64_t j = 0; j < v->n[1]; j++)
      for (int64_t k = 0; k < v->n[2]; k++) {
        int64_t at = v->parts * (start + i * v->stride[0] + j * v->stride[1] + k * v->stride[2]);
        store(precision, data, at, x->re * scale);
        if (v->parts == 2) store(precision, data, at + 1, x->im * scale);
        x++;
      }
}

static void poison_side(const side *v, mfft_precision precision, void *data, int64_t start) {
  const size_t bytes = mfft_real_bytes(precision) * (size_t)v->parts;
  for (int64_t i = 0; i < v->n[0]; i++)
    for (int64_t j = 0; j < v->n[1]; j++)
      for (int64_t k = 0; k < v->n[2]; k++) {
        int64_t at = start + i * v->stride[0] + j * v->stride[1] + k * v->stride[2];
        memset((char *)data + (size_t)at * bytes, NAN_BYTE, bytes);
      }
}

/* The first `wanted` outputs of one line of n; x and y packed. */
static void transform_line(int64_t n, const number *root, const number *x, int64_t wanted, number *y) {
  for (int64_t k = 0; k < wanted; k++) {
    number sum = {0, 0};
    for (int64_t j = 0, m = 0; j < n; j++) {
      sum.re += x[j].re * root[m].re - x[j].im * root[m].im;
      sum.im += x[j].re * root[m].im + x[j].im * root[m].re;
      m += k;
      if (m >= n) m -= n;
    }
    y[k] = sum;
  }
}

/* Transforms axis a of the packed array x of shape n; n_in of the n[a] elements are there before, n_out wanted after.  The
 * shape grows or shrinks where they differ, so the loop runs in the direction in which nothing is overwritten before it is
 * read. */
static void transform_axis(const ref_fft *f, int a, const int64_t shape[3], int64_t n_in, int64_t n_out, number *x,
                           number *line, number *result) {
  const int64_t n = f->spec.axis[a].n;
  int64_t outer = 1, inner = 1;
  for (int b = 0; b < a; b++) outer *= shape[b];
  for (int b = a + 1; b < f->spec.naxes; b++) inner *= shape[b];
  const int halved = f->spec.type == MFFT_FFT_C2R && a == f->spec.naxes - 1, backwards = n_out > n_in;
  for (int64_t o = 0; o < outer; o++) {
    const int64_t i = backwards ? outer - 1 - o : o;
    for (int64_t c = 0; c < inner; c++) {
      for (int64_t j = 0; j < n_in; j++) line[j] = x[(i * n_in + j) * inner + c];
      if (halved) { /* symmetry gives the other half; the imaginary parts of X[0] and X[n/2] are ignored */
        line[0].im = 0;
        if (n % 2 == 0) line[n / 2].im = 0;
        for (int64_t j = n_in; j < n; j++) line[j] = (number){line[n - j].re, -line[n - j].im};
      }
      transform_line(n, f->root[a], line, n_out, result);
      for (int64_t j = 0; j < n_out; j++) x[(i * n_out + j) * inner + c] = result[j];
    }
  }
}

static void transform(const ref_fft *f, const void *in, int64_t in_start, void *out, int64_t out_start, number *x) {
  const mfft_fft_spec *s = &f->spec;
  number *line = x + f->elements, *result = line + f->longest;
  const side from = side_of(s, 0), to = side_of(s, 1);
  load_side(&from, s->precision, in, in_start, x);
  if (s->in_place || s->destroy_input) poison_side(&from, s->precision, (void *)in, in_start);

  /* The halved axis is the last; it comes first in R2C and last in C2R. */
  int64_t shape[3] = {from.n[0], from.n[1], from.n[2]};
  for (int step = 0; step < s->naxes; step++) {
    const int a = s->type == MFFT_FFT_R2C ? s->naxes - 1 - step : step;
    transform_axis(f, a, shape, shape[a], to.n[a], x, line, result);
    shape[a] = to.n[a];
  }
  store_side(&to, s->precision, x, s->scale, out, out_start);
}

static mfft_status ref_execute(const mfft_fft *fft, const void *in, void *out, void *work, void *stream) {
  (void)stream;
  const ref_fft *f = (const ref_fft *)fft;
  const mfft_dim *loop = f->spec.loop;
  int64_t count = 1;
  for (int l = 0; l < f->spec.nloops; l++) count *= loop[l].n;
  for (int64_t i = 0; i < count; i++) {
    int64_t rest = i, in_start = 0, out_start = 0;
    for (int l = f->spec.nloops - 1; l >= 0; l--) {
      in_start += rest % loop[l].n * loop[l].is;
      out_start += rest % loop[l].n * loop[l].os;
      rest /= loop[l].n;
    }
    transform(f, in, in_start, out, out_start, work);
  }
  memset(work, NAN_BYTE, f->base.work_bytes);
  return MFFT_SUCCESS;
}

static void ref_destroy(mfft_fft *fft) {
  ref_fft *f = (ref_fft *)fft;
  if (!f) return;
  for (int a = 0; a < 3; a++) free(f->root[a]);
  free(f);
}

extern const mfft_backend mfft_backend_ref;

static mfft_status ref_create(const mfft_fft_spec *spec, mfft_fft **fft) {
  mfft_status status = MFFT_SUCCESS;
  MFFT_TRY(mfft_host_check("ref", spec));
  ref_fft *f = calloc(1, sizeof *f);
  if (!f) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a transform (%zu bytes)", sizeof *f);
  f->base.backend = &mfft_backend_ref;
  f->spec = *spec;
  const side from = side_of(spec, 0), to = side_of(spec, 1);
  const int64_t before = elements_of(&from), after = elements_of(&to);
  f->elements = before > after ? before : after;
  for (int a = 0; a < spec->naxes; a++) {
    const int64_t n = spec->axis[a].n;
    f->root[a] = malloc((size_t)n * sizeof *f->root[a]);
    if (!f->root[a]) {
      status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %lld roots of unity; use backend \"fftw\"", (long long)n);
      goto fail;
    }
    for (int64_t m = 0; m < n; m++) f->root[a][m] = root_of_unity(m, n, spec->direction == MFFT_FORWARD ? -1 : 1);
    if (n > f->longest) f->longest = n;
  }
  f->base.work_bytes = (size_t)(f->elements + 2 * f->longest) * sizeof(number);
  *fft = &f->base;
  return MFFT_SUCCESS;

fail:
  ref_destroy(&f->base);
  return status;
}

static void ref_print(const mfft_fft *fft, char *text, size_t size) {
  const mfft_fft_spec *s = &((const ref_fft *)fft)->spec;
  snprintf(text, size, "direct sums over %d axes, %zu bytes of workspace", s->naxes, fft->work_bytes);
}

/* Fills the beginning of an allocation with NaN, as far as the arrays of tests reach.  The rest of a large one is left as
 * the system gave it: to touch it would take seconds and memory for a plan that may never run. */
static mfft_status ref_alloc(size_t bytes, void **pointer) {
  const size_t most_filled = (size_t)64 << 20;
  MFFT_TRY(mfft_host_alloc(bytes, pointer));
  memset(*pointer, NAN_BYTE, bytes < most_filled ? bytes : most_filled);
  return MFFT_SUCCESS;
}

static mfft_status ref_copy(const mfft_block *blocks, int64_t nblocks, int64_t element_bytes, const void *in, void *out,
                            void *stream) {
  (void)stream;
  for (const mfft_block *b = blocks; b < blocks + nblocks; b++)
    for (int64_t i = 0; i < b->n[0]; i++)
      for (int64_t j = 0; j < b->n[1]; j++)
        for (int64_t k = 0; k < b->n[2]; k++)
          for (int64_t l = 0; l < b->n[3]; l++) {
            int64_t from = b->in_offset + i * b->is[0] + j * b->is[1] + k * b->is[2] + l * b->is[3];
            int64_t to = b->out_offset + i * b->os[0] + j * b->os[1] + k * b->os[2] + l * b->os[3];
            memcpy((char *)out + to * element_bytes, (const char *)in + from * element_bytes, (size_t)element_bytes);
          }
  return MFFT_SUCCESS;
}

static mfft_status ref_twiddle(mfft_precision precision, mfft_direction direction, const int64_t n[3], int64_t row0,
                               int64_t col0, int64_t length, void *data, void *stream) {
  (void)stream;
  for (int64_t b = 0; b < n[0]; b++)
    for (int64_t i = 0; i < n[1]; i++)
      for (int64_t j = 0; j < n[2]; j++) {
        const int64_t at = 2 * ((b * n[1] + i) * n[2] + j);
        const int64_t m = (int64_t)((__int128)(row0 + i) * (col0 + j) % length);
        const number w = root_of_unity(m, length, direction == MFFT_FORWARD ? -1 : 1);
        const number x = {load(precision, data, at), load(precision, data, at + 1)};
        store(precision, data, at, x.re * w.re - x.im * w.im);
        store(precision, data, at + 1, x.re * w.im + x.im * w.re);
      }
  return MFFT_SUCCESS;
}

static mfft_status ref_probe(void) { return MFFT_SUCCESS; }

const mfft_backend mfft_backend_ref = {
    .name = "ref",
    .summary = "direct sums in long double, to test against; slow",
    .host_memory = 1,
    .probe = ref_probe,
    .alloc = ref_alloc,
    .free = mfft_host_free,
    .upload = mfft_host_move,
    .download = mfft_host_move,
    .move = mfft_host_move,
    .synchronize = mfft_host_synchronize,
    .fft_create = ref_create,
    .fft_execute = ref_execute,
    .fft_print = ref_print,
    .fft_destroy = ref_destroy,
    .copy = ref_copy,
    .twiddle = ref_twiddle,
    .filter = mfft_host_filter,
    .shells = mfft_host_shells,
    .convert = mfft_host_convert,
    .device = &mfft_device_host,
};
