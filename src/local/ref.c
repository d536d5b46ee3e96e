/* ref.c: the reference backend: direct sums in long double for any strides, loops and types; O(n^2) for each line.
 *
 * Memory of undefined content is filled with NaN, which lets tests notice a program that reads it: new memory, the
 * workspace after a transform, an input that may be overwritten, and the gaps of an in-place transform. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/trigonometric.h"
#include "local/host/host.h"
#include "local/host/stored.h"

typedef struct number {
  long double re, im;
} number;

typedef struct ref_fft {
  mfft_fft base;
  mfft_fft_spec spec;
  int64_t elements; /* of one transform, on the larger of its two sides */
  int64_t longest;  /* length of the longest axis */
  number *root[3];  /* [axis][n] exp(sign 2 pi i m / n); of cosines and sines [axis][4N] exp(2 pi i m / 4N) */
} ref_fft;

enum { NAN_BYTE = 0xff }; /* all bits set are a NaN in every floating-point type */

static const long double two_pi = 6.283185307179586476925286766559005768L;

/* exp(sign 2 pi i m / n) for 0 <= m < n.  The angle is measured from the nearest multiple of pi/2, where its rounding has
 * the smallest effect. */
static number root_of_unity(int64_t m, int64_t n, int sign) {
  const int64_t quarter = (int64_t)(((__int128)8 * m / n + 1) / 2); /* 0 to 4 */
  const __int128 rest = (__int128)4 * m - (__int128)quarter * n;    /* angle in units of pi/2 / n */
  const long double angle = two_pi / 4 * (long double)rest / (long double)n;
  const long double c = cosl(angle), s = sinl(angle);
  const number rotated[4] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}}; /* [quarter turns] */
  return (number){rotated[quarter % 4].re, sign * rotated[quarter % 4].im};
}

/* Convert numbers of each stored type to long double, and back. */
#define CONVERT(precision, name, type, real)                                                                          \
  static long double load_##name(const void *data, int64_t i) { return mfft_##name##_load(((const type *)data)[i]); } \
  static void store_##name(void *data, int64_t i, long double value) {                                                \
    ((type *)data)[i] = mfft_##name##_store((real)value);                                                             \
  }
MFFT_STORED_TYPES(CONVERT)

static long double load(mfft_precision precision, const void *data, int64_t i) {
#define LOAD(precision, name, type, real) [precision] = load_##name,
  static long double (*const load_as[])(const void *, int64_t) = {MFFT_STORED_TYPES(LOAD)};
  return load_as[precision](data, i);
}

static void store(mfft_precision precision, void *data, int64_t i, long double value) {
#define STORE(precision, name, type, real) [precision] = store_##name,
  static void (*const store_as[])(void *, int64_t, long double) = {MFFT_STORED_TYPES(STORE)};
  store_as[precision](data, i, value);
}

/* One side of a transform: shape, strides, and whether its elements are real. */
typedef struct side {
  int64_t n[3], stride[3]; /* [axis] */
  int parts;               /* real numbers in an element */
} side;

static side side_of(const mfft_fft_spec *s, int output) {
  side v = {.n = {1, 1, 1}, .parts = mfft_fft_parts(s->type, output)};
  for (int a = 0; a < s->naxes; a++) {
    v.n[a] = mfft_fft_length(s, a, output);
    v.stride[a] = output ? s->axis[a].os : s->axis[a].is;
  }
  return v;
}

static int64_t elements_of(const side *v) { return v->n[0] * v->n[1] * v->n[2]; }

/* The element of a strided side that starts at element `start` where element i of a packed array of its shape, in C order,
 * belongs. */
static int64_t element_at(const side *v, int64_t start, int64_t i) {
  const int64_t row = i / v->n[2];
  return start + row / v->n[1] * v->stride[0] + row % v->n[1] * v->stride[1] + i % v->n[2] * v->stride[2];
}

/* Reads a side into the packed array x[elements]. */
static void load_side(const side *v, mfft_precision precision, const void *data, int64_t start, number *x) {
  for (int64_t i = 0; i < elements_of(v); i++) {
    const int64_t at = v->parts * element_at(v, start, i);
    x[i].re = load(precision, data, at);
    x[i].im = v->parts == 2 ? load(precision, data, at + 1) : 0;
  }
}

/* Writes x[elements], times the scale, to a side. */
static void store_side(const side *v, mfft_precision precision, const number *x, long double scale, void *data,
                       int64_t start) {
  for (int64_t i = 0; i < elements_of(v); i++) {
    const int64_t at = v->parts * element_at(v, start, i);
    store(precision, data, at, x[i].re * scale);
    if (v->parts == 2) store(precision, data, at + 1, x[i].im * scale);
  }
}

static void poison_side(const side *v, mfft_precision precision, void *data, int64_t start) {
  const size_t bytes = mfft_real_bytes(precision) * (size_t)v->parts;
  for (int64_t i = 0; i < elements_of(v); i++)
    memset((char *)data + (size_t)element_at(v, start, i) * bytes, NAN_BYTE, bytes);
}

/* The first `wanted` outputs of one line of n; x and y are packed. */
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

/* Transforms one line of n numbers by cosines or sines: adds up the sum of base/trigonometric.h term by term.  root: [4N].
 */
static void sum_line(const mfft_trigonometric *t, int64_t n, const number *root, const number *x, number *y) {
  const int64_t order = 8 * (n + t->longer); /* 4N */
  for (int64_t k = 0; k < n; k++) {
    number sum = {0, 0};
    for (int64_t j = 0; j < n; j++) {
      const int64_t m = (int64_t)((__int128)(2 * j + t->in_shift) * (2 * k + t->out_shift) % order);
      const int weight = (j == 0 && t->single_first) || (j == n - 1 && t->single_last) ? 1 : 2;
      const long double factor = weight * (t->sine ? root[m].im : root[m].re);
      sum.re += x[j].re * factor;
      sum.im += x[j].im * factor;
    }
    y[k] = sum;
  }
}

/* Transforms axis a of the packed array x: n_in elements of the axis exist before, n_out are wanted after.  The others are
 * 0, or follow by symmetry.  If n_in and n_out differ, the array grows or shrinks, and the loop over lines runs in the
 * direction in which no element is overwritten before it is read. */
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
      for (int64_t j = n_in; j < n; j++) line[j] = (number){0, 0};
      if (halved) { /* the other half follows by symmetry; imaginary parts of X[0] and X[n/2] are ignored */
        line[0].im = 0;
        if (n % 2 == 0) line[n / 2].im = 0;
        for (int64_t j = n_in; j < n; j++) line[j] = (number){line[n - j].re, -line[n - j].im};
      }
      if (f->spec.kind[a] == MFFT_DFT)
        transform_line(n, f->root[a], line, n_out, result);
      else
        sum_line(&mfft_trigonometric_of[f->spec.kind[a]], n, f->root[a], line, result);
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

  /* The halved axis is the last axis; it comes first in R2C and last in C2R. */
  int64_t shape[3] = {from.n[0], from.n[1], from.n[2]}; /* [axis] */
  for (int step = 0; step < s->naxes; step++) {
    const int a = s->type == MFFT_FFT_R2C ? s->naxes - 1 - step : step;
    transform_axis(f, a, shape, shape[a], to.n[a], x, line, result);
    shape[a] = to.n[a];
  }
  store_side(&to, s->precision, x, mfft_fft_scale(s), out, out_start);
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
    const int dft = spec->kind[a] == MFFT_DFT;
    const int64_t order = dft ? n : 4 * mfft_axis_points(spec->kind[a], n);
    f->root[a] = malloc((size_t)order * sizeof *f->root[a]);
    if (!f->root[a]) {
      status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %lld roots of unity; use backend \"fftw\"", (long long)order);
      goto fail;
    }
    const int sign = dft && spec->direction == MFFT_FORWARD ? -1 : 1;
    for (int64_t m = 0; m < order; m++) f->root[a][m] = root_of_unity(m, order, sign);
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

/* Fills the beginning of an allocation with NaN, enough for the arrays of tests.  The rest of a large one is not touched,
 * which would take seconds and memory for a plan that may never run. */
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
    MFFT_HOST_ENTRIES,
    .probe = ref_probe,
    .alloc = ref_alloc,
    .fft_create = ref_create,
    .fft_execute = ref_execute,
    .fft_print = ref_print,
    .fft_destroy = ref_destroy,
    .copy = ref_copy,
    .twiddle = ref_twiddle,
};
