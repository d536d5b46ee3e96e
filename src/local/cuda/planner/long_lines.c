/* long_lines.c: see long_lines.h. */
#include "local/cuda/planner/long_lines.h"

#include "local/cuda/engines/table.h"
#include "local/cuda/planner/lengths.h"
#include "local/cuda/planner/parts.h"
#include "local/cuda/planner/schedule.h"

/* Bytes of a part of the other phase: of the n / alone elements that one pass leaves of a line, for as many neighbouring
 * lines as fill a segment of memory. */
static double rest_bytes(int64_t n, int64_t alone) {
  const int64_t others = n / alone;
  return (double)others * MFFT_CACHE_LINE_BYTES;
}

/* A factor of n elements, near to `longest`, whose lines make whole segments and the rest of a segment no more than a part;
 * 0: none that a block holds. */
static int64_t aligned_factor(const mfft_device_limits *limits, mfft_precision precision, int64_t n, int64_t longest,
                              double most) {
  const int lines = MFFT_CACHE_LINE_BYTES / complex_bytes(precision);
  const int64_t last = mfft_engine_general()->longest(precision, limits, lines);
  for (int64_t f = (longest / 2 + lines - 1) / lines * lines; f <= last; f += lines)
    if (f && n % f == 0 && rest_bytes(n, f) <= most) return f;
  return 0;
}

/* Length of the one pass of a complex line that runs over the whole array: the longest factor of a line that takes three
 * passes or more.  It is another, such that parts of whole segments remain, where its lines make none or the rest of a
 * segment is more than a part; or, in double, a longer one that is done in clusters.  0: the line takes fewer passes. */
static int64_t longest_factor(const mfft_device_limits *limits, const mfft_schedule *plain, int64_t n, double target) {
  const mfft_tuned *tuned = mfft_tuned_for(limits);
  const mfft_precision precision = plain->pass[0].kernel.precision;
  const int64_t in_clusters = tuned->long_line.in_clusters;
  const double most = tuned->parts.most * target;
  int64_t longest = 0;
  for (int i = 0; i < plain->count; i++)
    if (plain->pass[i].kernel.chain.n > longest) longest = plain->pass[i].kernel.chain.n;
  if (plain->count < 3) return 0;
  const int fits = rest_bytes(n, longest) <= most;
  if (fits && longest * complex_bytes(precision) % MFFT_CACHE_LINE_BYTES == 0) return longest;
  if (!fits && precision == MFFT_DOUBLE && n % in_clusters == 0) return in_clusters;
  const int64_t aligned = is_power(n) ? 0 : aligned_factor(limits, precision, n, longest, most);
  return aligned ? aligned : longest;
}

/* Length of that pass of a real line of n pairs. The pass that loads or stores the half spectrum holds two lines where
 * others hold one, so it is short; but it is long enough for the rest to be two passes of at most 256, and for the rest of
 * the lines of one segment to be at most a part. */
static int64_t packing_factor(const mfft_tuned *tuned, int64_t n, double target) {
  const mfft_tuned_long_line *line = &tuned->long_line;
  int64_t best = 0;
  for (int64_t f = line->least; f <= line->most; f += 4) {
    const int64_t rest = best ? n / best : INT64_MAX / MFFT_CACHE_LINE_BYTES;
    const int wanted =
        (f <= line->good && rest > line->rest) || (double)(rest * MFFT_CACHE_LINE_BYTES) > tuned->parts.most * target;
    if (wanted && n % f == 0 && n / f % 2 == 0) best = f;
  }
  return best;
}

/* Whether two phases are faster than the schedule in hand, as measured: where it has three passes, or two of which one has
 * blocks that fill a multiprocessor. */
static int packs_better(const mfft_fft_spec *spec, const mfft_schedule *plain) {
  const int first = plain->pass[0].kernel.tile.min_blocks == 1,
            last = plain->pass[plain->count - 1].kernel.tile.min_blocks == 1;
  if (plain->count != 2) return plain->count > 2;
  return spec->type == MFFT_FFT_R2C ? first || last : first && spec->precision == MFFT_DOUBLE;
}

/* Whether the reals of a line can be taken in pairs, for complexes. */
static int comes_in_pairs(const mfft_fft_spec *s) {
  const int64_t stride = s->nloops ? (s->type == MFFT_FFT_R2C ? s->loop[0].is : s->loop[0].os) : 0;
  return s->axis[0].n % 2 == 0 && stride % 2 == 0 && mfft_real_bytes(s->precision) > 2;
}

/* The complex line that the pairs of reals make. */
static mfft_fft_spec in_pairs(const mfft_fft_spec *s) {
  mfft_fft_spec x = *s;
  x.type = MFFT_FFT_C2C;
  x.axis[0].n /= 2;
  x.pairs = s->type == MFFT_FFT_R2C ? 1 : 2;
  *(x.pairs == 1 ? &x.loop[0].is : &x.loop[0].os) /= 2;
  return x;
}

/* The spec of the one pass of a real line that loads or stores the half spectrum.  Its other side has packed complexes, one
 * line after the other. */
static mfft_fft_spec piece_of(const mfft_fft_spec *s, int64_t piece, double scale) {
  mfft_fft_spec x = *s;
  x.piece = piece;
  x.in_place = 0;
  x.scale = scale;
  *(s->type == MFFT_FFT_R2C ? &x.loop[0].is : &x.loop[0].os) = s->axis[0].n / 2;
  return x;
}

/* Whether a transform is one long line after the other, of more elements than the cache holds, and nothing else. */
static int is_long_line(const mfft_tuned_parts *tuned, const mfft_fft_spec *s, double target) {
  const double bytes = mfft_spec_bytes(s);
  const int plain = !s->scrambled && !s->twiddle_loop && !s->filtered && !s->scatter.count && !s->wire && !s->radices[0];
  if (mfft_rest_of_length(s->axis[0].n) > 1) return 0; /* Bluestein's algorithm has passes of its own */
  if (s->part_bytes < 0 || s->naxes != 1 || s->nloops > 1 || !plain || s->axis[0].is != 1 || s->axis[0].os != 1) return 0;
  if (s->nloops && s->type != MFFT_FFT_R2C && bytes / (double)s->loop[0].n < tuned->most * target) return 0;
  return bytes >= tuned->worth * target && (s->type == MFFT_FFT_C2C || comes_in_pairs(s));
}

/* The length of the pass over the whole array, for a line of n complexes; 0: there is none. */
static int64_t choose_alone(const mfft_device_limits *limits, const mfft_fft_spec *s, const mfft_schedule *plain, int64_t n,
                            double target) {
  const int real = s->type != MFFT_FFT_C2C;
  const int64_t alone = s->part_alone ? s->part_alone
                        : real        ? packing_factor(mfft_tuned_for(limits), n, target)
                                      : longest_factor(limits, plain, n, target);
  if (alone < 2 || n % alone || n == alone) return 0;
  const int in_pairs = alone % 4 == 0 && n / alone % 2 == 0 && n / alone >= 4; /* lines are held in pairs: packing.cuh */
  return real && !in_pairs ? 0 : alone;
}

/* How a line of n0 rest elements is done: which phase is in parts, and where the data lies between them. */
typedef struct long_line {
  int64_t alone, n0, rest;
  int early;   /* 1: the first phase runs in parts; 0: the second does */
  int in_work; /* 1: the data between the phases is in the workspace; 0: it is in the output */
} long_line;

static long_line make_long_line(const mfft_fft_spec *s, int64_t n, int64_t alone) {
  const int real = s->type != MFFT_FFT_C2C;
  long_line l = {.alone = alone, .early = real ? s->type == MFFT_FFT_R2C : s->precision == MFFT_DOUBLE};
  l.in_work = real || !l.early || s->in_place;
  l.n0 = l.early ? n / alone : alone;
  l.rest = n / l.n0;
  return l;
}

/* The two halves of a line, by its complexes or pairs. */
static void make_specs(const mfft_fft_spec *s, const mfft_fft_spec *line, const long_line *l, mfft_fft_spec *first,
                       mfft_fft_spec *second) {
  const int real = s->type != MFFT_FFT_C2C;
  *first = *second = *line;
  first->axis[0] = (mfft_dim){l->n0, l->rest, 1};
  first->loop[first->nloops++] = (mfft_dim){l->rest, 1, l->n0};
  first->twiddle_loop = first->nloops;
  first->twiddle_lines = l->rest;
  first->in_place = 0;
  first->scale = s->scale == 1 ? 1 : mfft_scale_share(s, l->n0);
  second->axis[0] = (mfft_dim){l->rest, l->n0, l->n0};
  second->loop[second->nloops++] = (mfft_dim){l->n0, 1, 1};
  second->in_place = !l->in_work;
  second->scale = s->scale == 1 ? 1 : s->scale / mfft_scale_share(s, l->n0);
  if (s->nloops) first->loop[0].os = second->loop[0].is = l->in_work ? l->n0 * l->rest : s->loop[0].os;
  if (real) *(l->early ? second : first) = piece_of(s, l->alone, (l->early ? second : first)->scale);
}

/* A long line of n0 rest elements, in two phases.
 *
 * The first transforms the n0 lines that lie `rest` apart, multiplies them by the twiddle between them, and leaves them one
 * behind the other; the second transforms what are neighbours then, in the places that their results have.  One is a single
 * pass over the whole array, of the longest factor; the other's two are done in parts, groups of neighbouring lines that
 * fill segments of memory.  That is the second, but in double the first: so it was fastest.  What is between lies in the
 * workspace, or in the output where the single pass can end in its place.
 *
 * Of real lines, taken for complexes in pairs, the single pass is the one that meets the half spectrum. */
mfft_status mfft_lines_try(const mfft_device_limits *limits, const mfft_fft_spec *spec, mfft_phases *phases) {
  const mfft_tuned *tuned = mfft_tuned_for(limits);
  const double target = mfft_part_target(spec, limits);
  const int real = spec->type != MFFT_FFT_C2C;
  mfft_phase *begin = &phases->phase[0], *end = &phases->phase[1];
  if (spec->trigonometric || !is_long_line(&tuned->parts, spec, target)) return MFFT_SUCCESS;
  const mfft_device_limits cached = mfft_limits_in_cache(limits);
  MFFT_TRY(mfft_schedule_make(spec, real ? &cached : limits, &begin->schedule));
  if (real && !spec->part_alone && !packs_better(spec, &begin->schedule)) return MFFT_SUCCESS;
  const mfft_fft_spec line = real ? in_pairs(spec) : *spec;
  const int64_t alone = choose_alone(limits, spec, &begin->schedule, line.axis[0].n, target);
  if (!alone) return MFFT_SUCCESS;
  const long_line l = make_long_line(spec, line.axis[0].n, alone);
  mfft_fft_spec first, second;
  make_specs(spec, &line, &l, &first, &second);
  if (mfft_phase_make(limits, &first, l.early ? target : 0, begin) != MFFT_SUCCESS ||
      mfft_phase_make(limits, &second, l.early ? 0 : target, end) != MFFT_SUCCESS || !mfft_in_parts(l.early ? begin : end) ||
      (l.early ? end : begin)->schedule.count > 1)
    return MFFT_SUCCESS;
  begin->dst = end->src = l.in_work ? MFFT_AT_WORK : MFFT_AT_OUT;
  phases->count = 2;
  return MFFT_SUCCESS;
}
