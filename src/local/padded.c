/* padded.c: see padded.h. */
#include "local/padded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cache_line.h"
#include "base/precision.h"
#include "base/status.h"

enum { BLOCK_DIMS = 4 };

typedef struct padded_fft {
  mfft_fft base;
  mfft_direction direction;
  const mfft_backend *backend;
  mfft_fft *whole;    /* forward from the workspace to out, backward from in to the workspace */
  mfft_block block;   /* copy between the array and the one in the workspace */
  size_t array_bytes; /* bytes of the array in the workspace */
  int64_t element_bytes;
} padded_fft;

/* One dimension of the array whose axes are shorter than the transform. */
typedef struct dimension {
  int64_t n, length, stride; /* length in the array, length in the workspace, stride in the array */
  int64_t *packed;           /* field that receives the stride in the workspace */
} dimension;

/* Lists the dimensions of the shorter side in descending order of strides, and returns their number. */
static int list_dimensions(mfft_fft_spec *whole, const mfft_fft_spec *spec, int output, dimension list[3 + MFFT_MAX_LOOPS]) {
  int count = 0;
  for (int d = 0; d < spec->naxes + spec->nloops; d++) {
    const int axis = d < spec->naxes;
    mfft_dim *dim = axis ? &whole->axis[d] : &whole->loop[d - spec->naxes];
    dimension v = {.n = dim->n, .length = dim->n, .stride = output ? dim->os : dim->is};
    v.packed = output ? &dim->os : &dim->is;
    if (axis) {
      v.n = mfft_fft_length(spec, d, output);
      v.length = mfft_fft_length(whole, d, output);
    }
    int at = count++;
    for (; at > 0 && list[at - 1].stride < v.stride; at--) list[at] = list[at - 1];
    list[at] = v;
  }
  return count;
}

/* Fills the block and the strides of the whole transform in the workspace. */
static mfft_status lay_out(padded_fft *f, const mfft_fft_spec *spec, mfft_fft_spec *whole) {
  const int output = spec->direction == MFFT_BACKWARD;
  dimension list[3 + MFFT_MAX_LOOPS];
  int dims = list_dimensions(whole, spec, output, list), used = BLOCK_DIMS;
  int64_t stride = 1;
  f->block = (mfft_block){.n = {1, 1, 1, 1}};
  for (int d = dims - 1; d >= 0; d--) {
    *list[d].packed = stride;
    if (list[d].n > 1 && --used >= 0) {
      f->block.n[used] = list[d].n;
      f->block.is[used] = output ? stride : list[d].stride;
      f->block.os[used] = output ? list[d].stride : stride;
    }
    stride *= list[d].length;
  }
  if (used < 0)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "a padded transform of %d dimensions on the backend \"%s\"; use at most %d", dims,
                     f->backend->name, BLOCK_DIMS);
  f->element_bytes = mfft_fft_parts(spec->type, output) * (int64_t)mfft_real_bytes(spec->precision);
  f->array_bytes = mfft_whole_lines((size_t)(stride * f->element_bytes));
  return MFFT_SUCCESS;
}

static mfft_status execute(const mfft_fft *fft, const void *in, void *out, void *work, void *stream) {
  const padded_fft *f = (const padded_fft *)fft;
  void *scratch = (char *)work + f->array_bytes;
  if (f->direction == MFFT_BACKWARD) {
    MFFT_TRY(f->whole->backend->fft_execute(f->whole, in, work, scratch, stream));
    return f->backend->copy(&f->block, 1, f->element_bytes, work, out, stream);
  }
  MFFT_TRY(f->backend->clear(work, f->array_bytes, stream));
  MFFT_TRY(f->backend->copy(&f->block, 1, f->element_bytes, in, work, stream));
  return f->whole->backend->fft_execute(f->whole, work, out, scratch, stream);
}

static void print(const mfft_fft *fft, char *text, size_t size) {
  const padded_fft *f = (const padded_fft *)fft;
  const int used = snprintf(text, size, "padded to %zu bytes, ", f->array_bytes);
  if (used > 0 && (size_t)used < size) f->whole->backend->fft_print(f->whole, text + used, size - (size_t)used);
}

static void destroy(mfft_fft *fft) {
  padded_fft *f = (padded_fft *)fft;
  if (!f) return;
  if (f->whole) f->whole->backend->fft_destroy(f->whole);
  free(f);
}

/* The table through which a plan runs, prints and destroys such a transform. */
static const mfft_backend table = {.name = "padded", .fft_execute = execute, .fft_print = print, .fft_destroy = destroy};

mfft_status mfft_fft_make(const mfft_backend *backend, const mfft_fft_spec *spec, mfft_fft **fft) {
  mfft_status status = MFFT_SUCCESS;
  if (spec->convolved || !mfft_fft_pads(spec) || backend->pads || (backend->fuses && backend->fuses(spec)))
    return backend->fft_create(spec, fft);
  padded_fft *f = calloc(1, sizeof *f);
  if (!f) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a transform (%zu bytes)", sizeof *f);
  mfft_fft_spec whole = *spec;
  memset(whole.given, 0, sizeof whole.given);
  whole.in_place = 0;
  whole.destroy_input |= spec->direction == MFFT_FORWARD;
  f->base.backend = &table;
  f->backend = backend;
  f->direction = spec->direction;
  MFFT_GOTO(fail, lay_out(f, spec, &whole));
  MFFT_GOTO(fail, backend->fft_create(&whole, &f->whole));
  f->base.work_bytes = f->array_bytes + f->whole->work_bytes;
  f->base.chosen = f->whole->chosen;
  *fft = &f->base;
  return MFFT_SUCCESS;
fail:
  destroy(&f->base);
  return status;
}
