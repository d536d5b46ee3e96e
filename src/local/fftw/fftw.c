/* fftw.c: the CPU backend.
 *
 * A transform runs in one of three ways.
 *   direct   one FFTW plan from in to out
 *   staged   C2R of several axes that must leave its input alone, which FFTW has no plan for: the complex axes from in to
 * the workspace, then the last axis from the workspace to out narrow   16-bit types: read into the workspace as single
 * precision, transformed there in place, stored with one rounding A scale is applied to the result while it is in cache
 * where loops allow it (see pieces.h), and costs nothing where it is 1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "local/fftw/pieces.h"
#include "local/fftw/plan.h"
#include "local/half.h"
#include "local/host.h"

/* Pieces of this many bytes stay in a level-2 cache; direct transforms are cut only to bound the memory that planning takes.
 */
static const size_t cached_bytes = (size_t)1 << 20, planned_bytes = (size_t)256 << 20;

typedef struct part { /* one piece of `run` iterations of the cut loop */
  int64_t run;        /* 0: there is no such piece */
  mfft_fftw_plan step[2];
  mfft_fftw_walk load, store; /* narrow: to and from the workspace; store is also the walk of the scale */
} part;

typedef struct fftw_fft {
  mfft_fft base;
  mfft_fft_spec spec;
  const mfft_fftw_api *api;
  const mfft_half_rows *half;     /* NULL in wide precisions */
  size_t in_element, out_element; /* bytes */
  mfft_fftw_pieces pieces;
  part part[2]; /* whole pieces, and the rest */
  int empty;    /* a loop has no iterations */
  const struct mode *mode;
} fftw_fft;

/* What differs between the three ways. */
typedef struct mode {
  const char *name;
  size_t (*bytes)(const fftw_fft *f); /* of one transform in a piece */
  mfft_status (*prepare)(fftw_fft *f, part *p);
  void (*run)(const fftw_fft *f, const part *p, const void *in, void *out, void *work);
} mode;

static int64_t complex_length(int64_t n) { return n / 2 + 1; }

/* Elements along axis a on one side. */
static int64_t in_length(const mfft_fft_spec *s, int a) {
  return s->type == MFFT_FFT_C2R && a == s->naxes - 1 ? complex_length(s->axis[a].n) : s->axis[a].n;
}
static int64_t out_length(const mfft_fft_spec *s, int a) {
  return s->type == MFFT_FFT_R2C && a == s->naxes - 1 ? complex_length(s->axis[a].n) : s->axis[a].n;
}

static size_t transform_bytes(const fftw_fft *f) {
  size_t in = f->in_element, out = f->out_element;
  for (int a = 0; a < f->spec.naxes; a++) in *= (size_t)in_length(&f->spec, a), out *= (size_t)out_length(&f->spec, a);
  return in > out ? in : out;
}

/* The loops of a piece, the cut one last. */
static int piece_loops(const fftw_fft *f, const part *p, mfft_dim loop[MFFT_MAX_LOOPS]) {
  const mfft_fftw_pieces *q = &f->pieces;
  for (int l = 0; l < q->ninner; l++) loop[l] = q->inner[l];
  if (p->run == 1) return q->ninner;
  loop[q->ninner] = (mfft_dim){p->run, q->cut.is, q->cut.os};
  return q->ninner + 1;
}

static mfft_status make_step(const fftw_fft *f, const mfft_fftw_problem *problem, mfft_fftw_plan *plan) {
  int aligned = f->half || mfft_fftw_pieces_aligned(&f->pieces, f->in_element, f->out_element);
  return mfft_fftw_plan_make(f->api, problem, f->spec.effort, f->spec.threads, !aligned, plan);
}

/* The scale: a walk over the output of a piece. */
static void prepare_scale(const fftw_fft *f, part *p) {
  mfft_dim loop[MFFT_MAX_LOOPS];
  int nloops = piece_loops(f, p, loop);
  p->store.parts = f->spec.type == MFFT_FFT_C2R ? 1 : 2;
  for (int a = 0; a < f->spec.naxes; a++)
    mfft_fftw_walk_add(&p->store, out_length(&f->spec, a), f->spec.axis[a].os, f->spec.axis[a].os);
  for (int l = 0; l < nloops; l++) mfft_fftw_walk_add(&p->store, loop[l].n, loop[l].os, loop[l].os);
  mfft_fftw_walk_finish(&p->store);
}

typedef struct scale_context {
  const fftw_fft *f;
  int parts;
  char *out;
} scale_context;

static void scale_row(const void *context, int64_t n, int64_t is, int64_t os, int64_t at, int64_t at_os) {
  const scale_context *c = context;
  (void)os, (void)at_os;
  c->f->api->scale(n, c->parts, is, c->f->spec.scale, c->out + (size_t)at * c->f->out_element);
}

static void run_scale(const fftw_fft *f, const part *p, void *out) {
  if (f->spec.scale == 1) return;
  mfft_fftw_walk_run(&p->store, scale_row, &(scale_context){f, p->store.parts, out});
}

/* ---- direct ---- */

static mfft_status prepare_direct(fftw_fft *f, part *p) {
  const mfft_fft_spec *s = &f->spec;
  mfft_fftw_problem problem = {.type = s->type,
                               .direction = s->direction,
                               .in_place = s->in_place,
                               .destroy_input = s->destroy_input,
                               .naxes = s->naxes};
  memcpy(problem.axis, s->axis, sizeof problem.axis);
  problem.nloops = piece_loops(f, p, problem.loop);
  prepare_scale(f, p);
  return make_step(f, &problem, &p->step[0]);
}

static void run_direct(const fftw_fft *f, const part *p, const void *in, void *out, void *work) {
  (void)work;
  mfft_fftw_plan_run(&p->step[0], in, out);
  run_scale(f, p, out);
}

/* ---- staged ---- */

/* Rows of an even number of complexes keep every row aligned. */
static int64_t staged_row(const fftw_fft *f) {
  int64_t row = complex_length(f->spec.axis[f->spec.naxes - 1].n);
  return row + row % 2;
}

static size_t staged_bytes(const fftw_fft *f) {
  size_t bytes = (size_t)staged_row(f) * f->in_element;
  for (int a = 0; a < f->spec.naxes - 1; a++) bytes *= (size_t)f->spec.axis[a].n;
  return bytes;
}

static mfft_status prepare_staged(fftw_fft *f, part *p) {
  const mfft_fft_spec *s = &f->spec;
  const int last = s->naxes - 1;
  mfft_dim loop[MFFT_MAX_LOOPS];
  const int nloops = piece_loops(f, p, loop);
  mfft_fftw_problem first = {.type = MFFT_FFT_C2C, .direction = s->direction, .naxes = last};
  mfft_fftw_problem second = {.type = MFFT_FFT_C2R, .direction = s->direction, .destroy_input = 1, .naxes = 1};

  first.loop[first.nloops++] = (mfft_dim){complex_length(s->axis[last].n), s->axis[last].is, 1};
  second.axis[0] = (mfft_dim){s->axis[last].n, 1, s->axis[last].os};
  int64_t stride = staged_row(f);
  for (int a = last - 1; a >= 0; a--) {
    first.axis[a] = (mfft_dim){s->axis[a].n, s->axis[a].is, stride};
    second.loop[second.nloops++] = (mfft_dim){s->axis[a].n, stride, s->axis[a].os};
    stride *= s->axis[a].n;
  }
  for (int l = 0; l < nloops; l++) {
    first.loop[first.nloops++] = (mfft_dim){loop[l].n, loop[l].is, stride};
    second.loop[second.nloops++] = (mfft_dim){loop[l].n, stride, loop[l].os};
    stride *= loop[l].n;
  }
  prepare_scale(f, p);
  MFFT_TRY(make_step(f, &first, &p->step[0]));
  return make_step(f, &second, &p->step[1]);
}

static void run_staged(const fftw_fft *f, const part *p, const void *in, void *out, void *work) {
  mfft_fftw_plan_run(&p->step[0], in, work);
  mfft_fftw_plan_run(&p->step[1], work, out);
  run_scale(f, p, out);
}

/* ---- narrow ---- */

/* The workspace of a piece holds one transform after another in the order of the caller's strides; R2C and C2R keep the last
 * axis innermost, in rows that hold n reals or n/2 + 1 complexes. */
static size_t narrow_bytes(const fftw_fft *f) {
  const mfft_fft_spec *s = &f->spec;
  size_t bytes = 2 * sizeof(float);
  for (int a = 0; a < s->naxes; a++)
    bytes *= (size_t)(s->type != MFFT_FFT_C2C && a == s->naxes - 1 ? complex_length(s->axis[a].n) : s->axis[a].n);
  return bytes;
}

typedef struct packed_dim {
  const mfft_dim *from;
  mfft_dim *to;
} packed_dim;

static mfft_status prepare_narrow(fftw_fft *f, part *p) {
  const mfft_fft_spec *s = &f->spec;
  const int real_in = s->type == MFFT_FFT_R2C, real_out = s->type == MFFT_FFT_C2R, halved = real_in || real_out;
  const int last = s->naxes - 1;
  mfft_dim loop[MFFT_MAX_LOOPS];
  const int nloops = piece_loops(f, p, loop);
  mfft_fftw_problem problem = {
      .type = s->type, .direction = s->direction, .in_place = 1, .naxes = s->naxes, .nloops = nloops};

  /* Near to far. */
  packed_dim order[3 + MFFT_MAX_LOOPS];
  int dims = 0;
  for (int i = 0; i < s->naxes + nloops; i++) {
    const packed_dim d = i < s->naxes ? (packed_dim){&s->axis[i], &problem.axis[i]}
                                      : (packed_dim){&loop[i - s->naxes], &problem.loop[i - s->naxes]};
    if (halved && i == last) continue;
    int at = dims++;
    for (; at > 0 && order[at - 1].from->is > d.from->is; at--) order[at] = order[at - 1];
    order[at] = d;
  }
  int64_t stride = 1; /* complexes */
  if (halved) {
    problem.axis[last] = (mfft_dim){s->axis[last].n, 1, 1};
    stride = complex_length(s->axis[last].n);
  }
  for (int i = 0; i < dims; i++) {
    *order[i].to = (mfft_dim){order[i].from->n, real_in ? 2 * stride : stride, real_out ? 2 * stride : stride};
    stride *= order[i].from->n;
  }

  p->load.parts = real_in ? 1 : 2;
  p->store.parts = real_out ? 1 : 2;
  for (int a = 0; a < s->naxes; a++) {
    mfft_fftw_walk_add(&p->load, in_length(s, a), s->axis[a].is, problem.axis[a].is);
    mfft_fftw_walk_add(&p->store, out_length(s, a), s->axis[a].os, problem.axis[a].os);
  }
  for (int l = 0; l < nloops; l++) {
    mfft_fftw_walk_add(&p->load, loop[l].n, loop[l].is, problem.loop[l].is);
    mfft_fftw_walk_add(&p->store, loop[l].n, loop[l].os, problem.loop[l].os);
  }
  mfft_fftw_walk_finish(&p->load);
  mfft_fftw_walk_finish(&p->store);
  return make_step(f, &problem, &p->step[0]);
}

typedef struct narrow_context {
  const mfft_half_rows *half;
  int parts;
  float scale;
  uint16_t *stored;
  float *work;
} narrow_context;

static void load_row(const void *context, int64_t n, int64_t is, int64_t os, int64_t at_is, int64_t at_os) {
  const narrow_context *c = context;
  const int64_t r = c->parts;
  c->half->to_float(n, c->parts, c->stored + at_is * r, is * r, c->work + at_os * r, os * r);
}

static void store_row(const void *context, int64_t n, int64_t is, int64_t os, int64_t at_is, int64_t at_os) {
  const narrow_context *c = context;
  const int64_t r = c->parts;
  c->half->of_float(n, c->parts, c->scale, c->work + at_os * r, os * r, c->stored + at_is * r, is * r);
}

static void run_narrow(const fftw_fft *f, const part *p, const void *in, void *out, void *work) {
  mfft_fftw_walk_run(&p->load, load_row, &(narrow_context){f->half, p->load.parts, 1, (uint16_t *)in, work});
  mfft_fftw_plan_run(&p->step[0], work, work);
  mfft_fftw_walk_run(&p->store, store_row, &(narrow_context){f->half, p->store.parts, (float)f->spec.scale, out, work});
}

/* ---- the table ---- */

static const mode direct = {"direct", transform_bytes, prepare_direct, run_direct};
static const mode staged = {"staged", staged_bytes, prepare_staged, run_staged};
static const mode narrow = {"narrow", narrow_bytes, prepare_narrow, run_narrow};

extern const mfft_backend mfft_backend_fftw;

static void destroy(mfft_fft *fft) {
  fftw_fft *f = (fftw_fft *)fft;
  if (!f) return;
  for (int i = 0; i < 2; i++)
    for (int s = 0; s < 2; s++) mfft_fftw_plan_free(&f->part[i].step[s]);
  free(f);
}

static mfft_status create(const mfft_fft_spec *spec, mfft_fft **fft) {
  mfft_status status = MFFT_SUCCESS;
  fftw_fft *f = calloc(1, sizeof *f);
  if (!f) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a transform (%zu bytes)", sizeof *f);
  f->base.backend = &mfft_backend_fftw;
  f->spec = *spec;
  f->api = spec->precision == MFFT_DOUBLE ? &mfft_fftw_double : &mfft_fftw_single;
  f->half = mfft_half_rows_of(spec->precision);
  f->in_element = (spec->type == MFFT_FFT_R2C ? 1 : 2) * mfft_real_bytes(spec->precision);
  f->out_element = (spec->type == MFFT_FFT_C2R ? 1 : 2) * mfft_real_bytes(spec->precision);
  for (int l = 0; l < spec->nloops; l++) f->empty |= spec->loop[l].n == 0;
  f->mode = f->half                                                                                    ? &narrow
            : spec->type == MFFT_FFT_C2R && spec->naxes > 1 && !spec->in_place && !spec->destroy_input ? &staged
                                                                                                       : &direct;
  if (!f->empty) {
    size_t bytes = f->mode->bytes(f), wanted = cached_bytes * (size_t)spec->threads;
    if (f->mode == &direct && spec->scale == 1) wanted = planned_bytes;
    f->pieces = mfft_fftw_cut(spec, bytes, wanted);
    if (f->mode == &direct && !mfft_fftw_pieces_aligned(&f->pieces, f->in_element, f->out_element))
      f->pieces = mfft_fftw_cut(spec, bytes, planned_bytes);
    f->part[0].run = f->pieces.run;
    f->part[1].run = f->pieces.cut.n % f->pieces.run;
    for (int i = 0; i < 2; i++)
      if (f->part[i].run) MFFT_GOTO(fail, f->mode->prepare(f, &f->part[i]));
    if (f->mode != &direct) {
      f->base.work_bytes = bytes * (size_t)f->pieces.run;
      for (int l = 0; l < f->pieces.ninner; l++) f->base.work_bytes *= (size_t)f->pieces.inner[l].n;
    }
  }
  *fft = &f->base;
  return MFFT_SUCCESS;

fail:
  destroy(&f->base);
  return status;
}

/* One place of the outer loops: the cut loop from its start to its end. */
static void run_cut(const fftw_fft *f, const char *in, char *out, void *work) {
  const mfft_fftw_pieces *q = &f->pieces;
  const int64_t whole = q->cut.n / q->run;
  const int64_t is = q->run * q->cut.is * (int64_t)f->in_element, os = q->run * q->cut.os * (int64_t)f->out_element;
  for (int64_t i = 0; i < whole; i++) f->mode->run(f, &f->part[0], in + i * is, out + i * os, work);
  if (f->part[1].run) f->mode->run(f, &f->part[1], in + whole * is, out + whole * os, work);
}

static mfft_status execute(const mfft_fft *fft, const void *in, void *out, void *work, void *stream) {
  (void)stream;
  const fftw_fft *f = (const fftw_fft *)fft;
  if (f->empty) return MFFT_SUCCESS;
  const mfft_fftw_pieces *q = &f->pieces;
  int64_t count = 1;
  for (int l = 0; l < q->nouter; l++) count *= q->outer[l].n;
  for (int64_t i = 0; i < count; i++) {
    int64_t rest = i, in_at = 0, out_at = 0;
    for (int l = q->nouter - 1; l >= 0; l--) {
      in_at += rest % q->outer[l].n * q->outer[l].is;
      out_at += rest % q->outer[l].n * q->outer[l].os;
      rest /= q->outer[l].n;
    }
    run_cut(f, (const char *)in + in_at * (int64_t)f->in_element, (char *)out + out_at * (int64_t)f->out_element, work);
  }
  return MFFT_SUCCESS;
}

static void print(const mfft_fft *fft, char *text, size_t size) {
  const fftw_fft *f = (const fftw_fft *)fft;
  int64_t pieces = f->empty ? 0 : (f->pieces.cut.n + f->pieces.run - 1) / f->pieces.run;
  for (int l = 0; l < f->pieces.nouter; l++) pieces *= f->pieces.outer[l].n;
  snprintf(text, size, "%s, %d axes, %lld piece%s, %zu bytes of workspace", f->mode->name, f->spec.naxes, (long long)pieces,
           pieces == 1 ? "" : "s", f->base.work_bytes);
}

static mfft_status probe(void) { return MFFT_SUCCESS; }

const mfft_backend mfft_backend_fftw = {
    .name = "fftw",
    .summary = "FFTW 3 in single and double precision; 16-bit types computed in single",
    .host_memory = 1,
    .probe = probe,
    .alloc = mfft_host_alloc,
    .free = mfft_host_free,
    .fft_create = create,
    .fft_execute = execute,
    .fft_print = print,
    .fft_destroy = destroy,
    .copy = mfft_host_copy,
    .twiddle = mfft_host_twiddle,
    .wisdom_get = mfft_fftw_wisdom_get,
    .wisdom_set = mfft_fftw_wisdom_set,
};
