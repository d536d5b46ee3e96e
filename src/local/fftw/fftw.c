/* fftw.c: the CPU backend: chooses the mode of a transform, and runs its pieces.  See fft.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "local/fftw/fft.h"
#include "local/fftw/memory.h"
#include "local/host/host.h"
#include "mfft_inspect.h"

extern const mfft_backend mfft_backend_fftw;

/* Speed of FFTW with strided lines, as measured with FFTW 3.3.10 (tests/t209 compares).  One vectorised codelet transforms a
 * line of up to CODELET points fast.  FFTW is slow for longer lines in arrays of at least LARGE bytes.  In arrays of at
 * least SMALL bytes, its plans without timing (MFFT_ESTIMATE) of loops over one axis take two to eight times as long as
 * tiles if adjacent elements of the axis are a multiple of CONFLICT bytes apart and thus compete for few cache sets;
 * otherwise they take two thirds of the time of tiles. */
enum { CODELET = 128, SMALL = 256 << 10, LARGE = 32 << 20, CONFLICT = 512 };

/* R2R has codelets for up to 16 points, and none of SIMD; FFTW copies longer strided lines to a buffer one by one, which
 * takes twice the time of tiles in arrays of at least SMALL bytes. */
enum { R2R_CODELET = 16 };

static int64_t codelet_of(const mfft_fft_spec *s) { return s->type == MFFT_FFT_R2R ? R2R_CODELET : CODELET; }

/* Whether adjacent elements of an axis compete for cache sets, in the input or in the output. */
static int has_conflicts(const mfft_fftw_fft *f, const mfft_dim *axis) {
  return (size_t)axis->is * f->in_element % CONFLICT == 0 || (size_t)axis->os * f->out_element % CONFLICT == 0;
}

/* Bytes from which on a strided axis is transformed in tiles, if it is longer than a codelet. */
static size_t least_of(const mfft_fftw_fft *f, const mfft_dim *axis) {
  const int slow = f->spec.type == MFFT_FFT_R2R || (f->spec.effort == MFFT_ESTIMATE && has_conflicts(f, axis));
  return slow ? SMALL : LARGE;
}

/* Whether a loop has a smaller stride than the one axis, on either side, and tiles of it fit in the cache. */
static int wants_tiles(const mfft_fftw_fft *f) {
  const mfft_fft_spec *s = &f->spec;
  size_t bytes = mfft_fftw_transform_bytes(f);
  int nearer = 0;
  if (s->naxes != 1 || s->nloops == MFFT_MAX_LOOPS || bytes > MFFT_FFTW_CACHED / 4) return 0;
  for (int l = 0; l < s->nloops; l++) {
    nearer |= s->loop[l].n > 3 && (s->loop[l].is < s->axis[0].is || s->loop[l].os < s->axis[0].os);
    bytes *= (size_t)s->loop[l].n;
  }
  return nearer && s->threads == 1 && s->axis[0].n > codelet_of(s) && bytes >= least_of(f, &s->axis[0]);
}

/* Whether one of the strided axes, which are all but the last, is transformed faster separately. */
static int wants_pair(const mfft_fftw_fft *f) {
  const mfft_fft_spec *s = &f->spec;
  const size_t bytes = mfft_fftw_transform_bytes(f);
  int faster = 0;
  for (int a = 0; a < s->naxes - 1; a++) faster |= s->axis[a].n > codelet_of(s) && bytes >= least_of(f, &s->axis[a]);
  return s->threads == 1 && faster;
}

/* R2R of several axes of which one suits cosine.h; FFTW's own threads share the others. */
static int wants_cosines(const mfft_fft_spec *s) {
  int suits = 0;
  for (int a = 0; s->type == MFFT_FFT_R2R && a < s->naxes; a++) suits |= mfft_fftw_cosine_suits(s->kind[a], s->axis[a].n);
  return suits && s->threads == 1;
}

static const mfft_fftw_mode *choose(const mfft_fftw_fft *f) {
  const mfft_fft_spec *s = &f->spec;
  if (mfft_fftw_is_mixed(s)) return &mfft_fftw_mixed;
  if (f->half) return &mfft_fftw_narrow;
  if (s->reproducible || mfft_fft_pads(s)) return s->naxes > 1 ? &mfft_fftw_pair : &mfft_fftw_tiled;
  if (wants_cosines(s)) return s->naxes > 1 ? &mfft_fftw_pair : &mfft_fftw_tiled;
  if (wants_pair(f)) return &mfft_fftw_pair;
  if (wants_tiles(f)) return &mfft_fftw_tiled;
  if (s->type == MFFT_FFT_C2R && s->naxes > 1 && !s->in_place && !s->destroy_input) return &mfft_fftw_staged;
  return &mfft_fftw_direct;
}

static void destroy(mfft_fft *fft) {
  mfft_fftw_fft *f = (mfft_fftw_fft *)fft;
  if (!f) return;
  for (int i = 0; i < 2; i++)
    for (int s = 0; s < 2; s++) {
      mfft_fftw_plan_free(&f->part[i].step[s]);
      destroy(f->part[i].child[s]);
    }
  mfft_fftw_cosine_free(&f->cosine);
  free(f);
}

static size_t most_running_bytes(const mfft_fftw_fft *f) {
  size_t most = 0;
  for (int i = 0; i < 2; i++)
    for (int s = 0; s < 2; s++) {
      const mfft_fftw_fft *child = (const mfft_fftw_fft *)f->part[i].child[s];
      if (f->part[i].step[s].running_bytes > most) most = f->part[i].step[s].running_bytes;
      if (child && child->running_bytes > most) most = child->running_bytes;
    }
  return most;
}

static mfft_status create(const mfft_fft_spec *spec, mfft_fft **fft) {
  mfft_status status = MFFT_SUCCESS;
  MFFT_TRY(mfft_host_check("fftw", spec));
  mfft_fftw_fft *f = calloc(1, sizeof *f);
  if (!f) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a transform (%zu bytes)", sizeof *f);
  f->base.backend = &mfft_backend_fftw;
  f->spec = *spec;
  if (spec->reproducible) { /* FFTW then plans one line by rules, which do not depend on other lines or threads */
    f->spec.effort = MFFT_ESTIMATE;
    f->spec.threads = 1;
  }
  f->api = mfft_fftw_api_of[spec->precision];
  f->half = mfft_half_rows_of(spec->precision);
  f->in_element = (size_t)mfft_fft_parts(spec->type, 0) * mfft_real_bytes(spec->precision);
  f->out_element = (size_t)mfft_fft_parts(spec->type, 1) * mfft_real_bytes(spec->precision);
  f->base.chosen = f->spec.effort == MFFT_ESTIMATE ? MFFT_CHOSEN_BY_RULE : MFFT_CHOSEN_BY_TIMING;
  f->mode = choose(f);
  for (int l = 0; l < spec->nloops; l++) f->empty |= spec->loop[l].n == 0;
  if (!f->empty) {
    const size_t bytes = f->mode->bytes(f);
    f->pieces = mfft_fftw_cut(spec, bytes, f->mode->wanted(f, bytes));
    f->part[0].run = f->pieces.run;
    f->part[1].run = f->pieces.cut.n % f->pieces.run;
    for (int i = 0; i < 2; i++)
      if (f->part[i].run) MFFT_GOTO(fail, f->mode->prepare(f, &f->part[i]));
  }
  f->running_bytes = most_running_bytes(f);
  *fft = &f->base;
  return MFFT_SUCCESS;

fail:
  destroy(&f->base);
  return status;
}

/* Runs the pieces of one iteration of the outer loops. */
static void run_cut(const mfft_fftw_fft *f, const char *in, char *out, void *work) {
  const mfft_fftw_pieces *q = &f->pieces;
  const int64_t whole = q->cut.n / q->run;
  const int64_t is = q->run * q->cut.is * (int64_t)f->in_element, os = q->run * q->cut.os * (int64_t)f->out_element;
  for (int64_t i = 0; i < whole; i++) f->mode->run(f, &f->part[0], in + i * is, out + i * os, work);
  if (f->part[1].run) f->mode->run(f, &f->part[1], in + whole * is, out + whole * os, work);
}

enum { ASKED_BYTES = 128 << 10 };

static mfft_status execute(const mfft_fft *fft, const void *in, void *out, void *work, void *stream) {
  (void)stream;
  const mfft_fftw_fft *f = (const mfft_fftw_fft *)fft;
  if (f->empty) return MFFT_SUCCESS;
  /* The check takes one or two microseconds, and is left out for small buffers, for which malloc still has the memory of
   * the previous run. */
  if (f->running_bytes >= ASKED_BYTES) MFFT_TRY(mfft_fftw_check_memory(f->running_bytes, "a transform"));
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

/* Prints "direct", or "pair (pair (direct, tiled), tiled)". */
static void print_modes(const mfft_fftw_fft *f, char *text, size_t size) {
  snprintf(text, size, "%s", f->mode->name);
  const mfft_fft *const *child = (const mfft_fft *const *)f->part[0].child;
  for (int c = 0; c < 2; c++) {
    if (!child[c]) continue;
    char inner[160];
    print_modes((const mfft_fftw_fft *)child[c], inner, sizeof inner);
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s%s", c && child[0] ? ", " : " (", inner, c ? ")" : "");
  }
}

static void print(const mfft_fft *fft, char *text, size_t size) {
  const mfft_fftw_fft *f = (const mfft_fftw_fft *)fft;
  int64_t pieces = f->empty ? 0 : (f->pieces.cut.n + f->pieces.run - 1) / f->pieces.run;
  for (int l = 0; l < f->pieces.nouter; l++) pieces *= f->pieces.outer[l].n;
  char modes[160];
  print_modes(f, modes, sizeof modes);
  snprintf(text, size, "%s, %d ax%ss, %lld piece%s", modes, f->spec.naxes, f->spec.naxes == 1 ? "i" : "e", (long long)pieces,
           pieces == 1 ? "" : "s");
}

static mfft_status probe(void) { return MFFT_SUCCESS; }

enum { ALL = (1 << MFFT_PRECISION_COUNT) - 1 };

/* The algorithms differ in the effort of FFTW's planner, which chooses everything else. */
static const mfft_algorithm algorithms[] = {{"measure", .precisions = ALL, .whole = MFFT_MEASURE, .effort = MFFT_MEASURE},
                                            {"estimate", .precisions = ALL, .whole = MFFT_MEASURE, .effort = MFFT_ESTIMATE},
                                            {"patient", .precisions = ALL, .whole = MFFT_PATIENT, .effort = MFFT_PATIENT},
                                            {.name = NULL}};

const mfft_backend mfft_backend_fftw = {
    .name = "fftw",
#ifdef MFFT_HAVE_FFTW_LONG_DOUBLE
    .summary = "FFTW 3 in single, double and long double; 16-bit types computed in single",
#else
    .summary = "FFTW 3 in single and double precision; 16-bit types computed in single",
    .no_long_double =
        "it was built without FFTW's library in long double (libfftw3l); install that and build mergefft "
        "again, use MFFT_DOUBLE, or sum directly with the backend \"ref\"",
#endif
    MFFT_HOST_ENTRIES,
    .probe = probe,
    .alloc = mfft_host_alloc,
    .fft_create = create,
    .fft_execute = execute,
    .fft_print = print,
    .fft_destroy = destroy,
    .fft_scatter = mfft_fftw_scatter,
    .fuses = mfft_fftw_fuses,
    .copy = mfft_host_copy,
    .twiddle = mfft_host_twiddle,
    .algorithms = algorithms,
    .wisdom_get = mfft_fftw_wisdom_get,
    .wisdom_set = mfft_fftw_wisdom_set,
};
