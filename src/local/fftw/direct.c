/* direct.c: transforms by one FFTW plan, and the scaling of a result, which other modes use too. */
#include <string.h>

#include "local/fftw/fft.h"

void mfft_fftw_scale_prepare(const mfft_fftw_fft *f, mfft_fftw_part *p) {
  mfft_dim loop[MFFT_MAX_LOOPS]; /* [loops of a piece] */
  int nloops = mfft_fftw_piece_loops(f, p, loop);
  p->store.parts = mfft_fft_parts(f->spec.type, 1);
  for (int a = 0; a < f->spec.naxes; a++)
    mfft_fftw_walk_add(&p->store, mfft_fft_length(&f->spec, a, 1), f->spec.axis[a].os, f->spec.axis[a].os);
  for (int l = 0; l < nloops; l++) mfft_fftw_walk_add(&p->store, loop[l].n, loop[l].os, loop[l].os);
  mfft_fftw_walk_finish(&p->store);
}

typedef struct scale_context {
  const mfft_fftw_fft *f;
  int parts;
  char *out;
} scale_context;

static void scale_row(const void *context, int64_t n, int64_t is, int64_t os, int64_t at, int64_t at_os) {
  const scale_context *c = context;
  (void)os, (void)at_os;
  c->f->api->scale(n, c->parts, is, mfft_fft_scale(&c->f->spec), c->out + (size_t)at * c->f->out_element);
}

void mfft_fftw_scale_run(const mfft_fftw_fft *f, const mfft_fftw_part *p, void *out) {
  if (f->spec.scale == 1) return;
  mfft_fftw_walk_run(&p->store, scale_row, &(scale_context){f, p->store.parts, out});
}

/* A piece fits in the cache if there is a scale, which is then applied in the cache, or if there are several axes.  Pieces
 * are larger if smaller ones would not be aligned for SIMD. */
static size_t wanted(const mfft_fftw_fft *f, size_t bytes) {
  if (f->spec.scale == 1 && (f->spec.naxes == 1 || f->spec.threads > 1)) return MFFT_FFTW_PLANNED;
  mfft_fftw_pieces pieces = mfft_fftw_cut(&f->spec, bytes, MFFT_FFTW_CACHED);
  return mfft_fftw_pieces_aligned(&pieces, f->in_element, f->out_element) ? MFFT_FFTW_CACHED : MFFT_FFTW_PLANNED;
}

static mfft_status prepare(mfft_fftw_fft *f, mfft_fftw_part *p) {
  const mfft_fft_spec *s = &f->spec;
  mfft_fftw_problem problem = {.type = s->type,
                               .direction = s->direction,
                               .in_place = s->in_place,
                               .destroy_input = s->destroy_input,
                               .naxes = s->naxes};
  memcpy(problem.axis, s->axis, sizeof problem.axis);
  memcpy(problem.kind, s->kind, sizeof problem.kind);
  problem.nloops = mfft_fftw_piece_loops(f, p, problem.loop);
  mfft_fftw_scale_prepare(f, p);
  return mfft_fftw_step(f, &problem, &p->step[0]);
}

static void run(const mfft_fftw_fft *f, const mfft_fftw_part *p, const void *in, void *out, void *work) {
  (void)work;
  mfft_fftw_plan_run(&p->step[0], in, out);
  mfft_fftw_scale_run(f, p, out);
}

const mfft_fftw_mode mfft_fftw_direct = {"direct", 0, mfft_fftw_transform_bytes, wanted, prepare, run};
