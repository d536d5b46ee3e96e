/* tiled.c: lines of one axis, transformed in tiles. */
#include <string.h>

#include "base/cache_line.h"
#include "local/fftw/fft.h"
#include "local/host/host.h"

/* Complex numbers from one line of the workspace to the next: an odd number of cache lines, since lines a power of two
 * apart would compete for the same cache sets. */
static int64_t line_length(const mfft_fftw_fft *f) {
  const int64_t n = f->spec.axis[0].n, per_line = 64 / (2 * (int64_t)f->api->real_bytes);
  const int64_t complexes = f->spec.type == MFFT_FFT_C2C ? n : n / 2 + 1;
  const int64_t lines = (complexes + per_line - 1) / per_line;
  return (lines + (lines % 2 == 0)) * per_line;
}

static size_t bytes_of(const mfft_fftw_fft *f) { return (size_t)line_length(f) * 2 * f->api->real_bytes; }

/* A piece has enough lines that each row of the tile fills several cache lines, and fits in the cache. */
static size_t wanted(const mfft_fftw_fft *f, size_t bytes) {
  if (f->spec.nloops == MFFT_MAX_LOOPS) return 1; /* one line in each piece, since a block has too few loops for a tile */
  const size_t least = 64 << 10, lines = 16 * bytes;
  return lines < least ? least : lines > MFFT_FFTW_CACHED ? MFFT_FFTW_CACHED : lines;
}

/* Cosines and sines of a piece: the DFT of one line, and workspace behind the tile. */
static mfft_status prepare_cosines(mfft_fftw_fft *f, mfft_fftw_part *p) {
  const mfft_fft_spec *s = &f->spec;
  if (!f->cosine.api) MFFT_TRY(mfft_fftw_cosine_create(f->api, s->kind[0], s->axis[0].n, &f->cosine));
  p->line_work = mfft_whole_lines((size_t)p->work_count * f->api->real_bytes);
  mfft_fftw_want_work(f, p->line_work + mfft_fftw_cosine_bytes(&f->cosine));
  const mfft_fftw_problem problem = mfft_fftw_cosine_problem(&f->cosine);
  return mfft_fftw_step(f, &problem, &p->step[0]);
}

static mfft_status prepare(mfft_fftw_fft *f, mfft_fftw_part *p) {
  const mfft_fft_spec *s = &f->spec;
  const int in_factor = 3 - mfft_fft_parts(s->type, 0), out_factor = 3 - mfft_fft_parts(s->type, 1);
  mfft_dim loop[MFFT_MAX_LOOPS];                        /* [loops of a piece] */
  const int nloops = mfft_fftw_piece_loops(f, p, loop); /* at most 3: see wanted() */
  mfft_fftw_problem problem = {.type = s->type,
                               .direction = s->direction,
                               .in_place = 1,
                               .naxes = 1,
                               .axis = {{s->axis[0].n, 1, 1}},
                               .kind = {s->kind[0]},
                               .nloops = s->reproducible ? 0 : nloops};

  p->in = (mfft_block){.n = {1, 1, 1, mfft_fft_length(s, 0, 0)}, .is = {[3] = s->axis[0].is}, .os = {[3] = 1}};
  p->out = (mfft_block){.n = {1, 1, 1, mfft_fft_length(s, 0, 1)}, .is = {[3] = 1}, .os = {[3] = s->axis[0].os}};
  int64_t stride = line_length(f);
  p->line_bytes = 2 * stride * (int64_t)f->api->real_bytes;
  for (int l = 0; l < nloops; l++) {
    const mfft_dim in_tile = {loop[l].n, in_factor * stride, out_factor * stride};
    if (l < problem.nloops) problem.loop[l] = in_tile;
    p->in.n[l] = p->out.n[l] = loop[l].n;
    p->in.is[l] = loop[l].is;
    p->in.os[l] = in_tile.is;
    p->out.is[l] = in_tile.os;
    p->out.os[l] = loop[l].os;
    stride *= loop[l].n;
  }
  p->work_count = 2 * stride;
  p->lines = p->work_count * (int64_t)f->api->real_bytes / p->line_bytes;
  if (mfft_fftw_has_cosines(s)) return prepare_cosines(f, p);
  mfft_fftw_want_work(f, (size_t)p->work_count * f->api->real_bytes);
  return mfft_fftw_step(f, &problem, &p->step[0]);
}

/* Writes the zeros at the end of the lines of a tile, where the result of the preceding tile still is. */
static void pad(const mfft_fftw_fft *f, const mfft_fftw_part *p, char *tile) {
  const int64_t given = mfft_fft_length(&f->spec, 0, 0), n = f->spec.axis[0].n;
  if (f->spec.direction == MFFT_BACKWARD || given == n) return;
  for (int64_t i = 0; i < p->lines; i++)
    memset(tile + i * p->line_bytes + given * (int64_t)f->in_element, 0, (size_t)(n - given) * f->in_element);
}

static void transform(const mfft_fftw_fft *f, const mfft_fftw_part *p, char *tile) {
  const int one_by_one = f->spec.reproducible || f->cosine.api;
  if (!one_by_one) mfft_fftw_plan_run(&p->step[0], tile, tile);
  for (int64_t i = 0; one_by_one && i < p->lines; i++) {
    char *line = tile + i * p->line_bytes;
    if (f->cosine.api)
      mfft_fftw_cosine_run(&f->cosine, &p->step[0], line, line, tile + p->line_work);
    else
      mfft_fftw_plan_run(&p->step[0], line, line);
  }
}

static void run(const mfft_fftw_fft *f, const mfft_fftw_part *p, const void *in, void *out, void *work) {
  mfft_host_copy(&p->in, 1, (int64_t)f->in_element, in, work, NULL);
  pad(f, p, work);
  transform(f, p, work);
  if (f->spec.scale != 1) f->api->scale(p->work_count, 1, 1, mfft_fft_scale(&f->spec), work);
  mfft_host_copy(&p->out, 1, (int64_t)f->out_element, work, out, NULL);
}

const mfft_fftw_mode mfft_fftw_tiled = {"tiled", 1, bytes_of, wanted, prepare, run};
