/* schedule.c: from a transform to its passes.  Pure C: no device is needed to make, print or test a schedule.
 *
 * An axis that fits a block is one pass.  A longer one, n = n_0 n_1 ... n_(m-1), is m passes that together are one global
 * Stockham transform: pass p, with P the product of the lengths before it and R of those after, takes for each r < R and
 * k < P the n_p elements r P + k + j R P, transforms them over j, turns output i by W_(n_p R)^(i r), and writes it to
 * r n_p P + k + i P.  Order is natural at both ends, and the last pass reads and writes the same places, so it may work in
 * place. */
#include "base/primes.h"
#include "local/cuda/engines/resident.h"
#include "local/cuda/engines/table.h"
#include "local/cuda/planner/builder.h"
#include "local/cuda/planner/columns.h"
#include "local/cuda/planner/pair.h"
#include "local/cuda/planner/radices.h"
#include "local/cuda/planner/shape.h"
#include "mfft_inspect.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The prime factors of what no kernel merges by, each once: "31 and 41". */
static void name_primes(int64_t rest, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (int64_t prime = 2, next; rest > 1 && used < size; prime = next) {
    next = mfft_least_prime(rest, prime);
    while (rest % next == 0) rest /= next;
    const char *before = !used ? "" : rest > 1 ? ", " : " and ";
    used += (size_t)snprintf(text + used, size - used, "%s%lld", before, (long long)next);
  }
}

static mfft_status check_length(int64_t n) {
  if (n > INT_MAX) return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: length %lld exceeds %d", (long long)n, INT_MAX);
  const int64_t rest = mfft_rest_of_length(n);
  if (rest != 1) {
    char primes[160];
    name_primes(rest, primes, sizeof primes);
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "cuda: length %lld has the prime factor%s %s; this backend takes lengths made of 2, 3, 5, 7, 11 and 13 "
                     "(mfft_next_fast_length, or backend fftw)",
                     (long long)n, strpbrk(primes, " ") ? "s" : "", primes);
  }
  return MFFT_SUCCESS;
}

/* Splits n into `parts` factors of at most `most`, the largest as small as can be.  Returns that largest, or 0. */
static int64_t split_into(int64_t n, int parts, int64_t most, int64_t factor[MAX_SPLIT]) {
  if (parts == 1) {
    factor[0] = n;
    return n <= most ? n : 0;
  }
  int64_t best = 0;
  for (int64_t f = 1; f <= most && f <= n; f++) {
    if (n % f) continue;
    int64_t rest[MAX_SPLIT], limit = best && best < most ? best : most;
    int64_t largest = split_into(n / f, parts - 1, limit, rest);
    if (!largest) continue;
    if (f > largest) largest = f;
    if (best && largest >= best) continue;
    best = largest;
    factor[0] = f;
    memcpy(factor + 1, rest, (size_t)(parts - 1) * sizeof *rest);
  }
  return best;
}

/* Factors of an axis of several passes; how many, or 0.  Where an end is a half spectrum, the pass that meets it holds two
 * lines where others hold one, and wants even counts of lines and of the elements of a line. */
static int choose_factors(const builder *b, int64_t n, int tensor, mfft_form load, mfft_form store,
                          int64_t factor[MAX_SPLIT]) {
  mfft_precision p = b->spec->precision;
  int64_t most = mfft_kernel_longest(p, tensor, b->limits, segment_lines(b));
  const int64_t resident = mfft_resident_longest(b, n);
  if (resident > most) most = resident;
  int64_t most_held = mfft_kernel_longest(p, 0, b->limits, 2 * segment_lines(b));
  int first = load == MFFT_FORM_HALF_EVEN, half = first || store == MFFT_FORM_HALF_EVEN;
  for (int parts = 2; parts <= MAX_SPLIT; parts++) {
    if (!half) {
      if (!split_into(n, parts, most, factor)) continue;
      if (is_sixteen_bit(p) && parts == 3 && factor[0] == 128 && factor[2] == 128)
        factor[0] = 64, factor[2] = 256; /* of strided lines, those of 256 take the least time for their bytes */
      return parts;
    }
    int64_t best = 0;
    for (int64_t f = 4; f <= most_held; f += 4) {
      int64_t rest[MAX_SPLIT], largest;
      if (n % f || n / f % 2 || n / f < 4 || !(largest = split_into(n / f, parts - 1, most, rest))) continue;
      if (largest < 2 * f) largest = 2 * f;
      if (best && largest >= best) continue;
      best = largest;
      memcpy(factor + first, rest, (size_t)(parts - 1) * sizeof *rest);
      factor[first ? 0 : parts - 1] = f;
    }
    if (best) return parts;
  }
  return 0;
}

/* Whether a block can hold a line, or as many as fill a memory segment where lines are strided. */
static int fits_one_pass(const builder *b, int axis, int64_t n, mfft_place_id src, mfft_place_id dst, int tensor) {
  int strided_in = mfft_builder_least_stride(b, axis, src, NULL, 0, 1) < b->dims[axis].stride[src];
  int strided = strided_in || mfft_builder_least_stride(b, axis, dst, NULL, 0, 0) < b->dims[axis].stride[dst];
  const int shares = dst == MFFT_AT_SHARES; /* which are better stored in half segments than copied in whole ones */
  const int least = shares ? 64 / complex_bytes(b->spec->precision) : segment_lines(b);
  return n <= mfft_kernel_longest(b->spec->precision, tensor, b->limits, strided ? least : 1) ||
         (!shares && strided == strided_in && mfft_resident_fits(b, n, n, strided));
}

/* Whether the pass of named radices that meets a half spectrum can hold its lines in pairs; see choose_factors. */
static mfft_status check_named(const mfft_radices *named, mfft_form load, mfft_form store) {
  const int first = load == MFFT_FORM_HALF_EVEN, meets = first ? 0 : named->passes - 1;
  int64_t others = 1;
  if (named->passes == 1 || (!first && store != MFFT_FORM_HALF_EVEN)) return MFFT_SUCCESS;
  for (int i = 0; i < named->passes; i++) others *= i == meets ? 1 : named->n[i];
  if (named->n[meets] % 4 == 0 && others % 2 == 0 && others >= 4) return MFFT_SUCCESS;
  return mfft_fail(
      MFFT_ERR_UNSUPPORTED,
      "cuda: the %s pass of a real axis of several passes wants a length that is a multiple of 4, beside others of "
      "an even product; radices give it %lld beside %lld",
      first ? "first" : "last", (long long)named->n[meets], (long long)others);
}

/* Complexes that a line of n is held as by one pass, at most: of an odd real one half of them and a few
 * (kernels/butterfly/odd.cu). */
static int64_t held_as(int64_t n, mfft_form load, mfft_form store) { return mfft_is_odd_line(load, store) ? n - n / 3 : n; }

/* How many passes an axis takes, and their lengths; 0 where there is no way. */
static int choose_passes(const builder *b, int axis, int64_t n, mfft_place_id src, mfft_place_id dst, mfft_form load,
                         mfft_form store, int64_t factor[MAX_SPLIT]) {
  const int tensor =
      mfft_builder_engine(b, axis, n, n, mfft_builder_circle(b, axis, n, 1), src, load, store) != MFFT_ENGINE_BUTTERFLY;
  factor[0] = n;
  return fits_one_pass(b, axis, held_as(n, load, store), src, dst, tensor)
             ? 1
             : choose_factors(b, n, tensor, load, store, factor);
}

/* All passes of one axis of n complex elements, from src to dst. */
static mfft_status add_axis(builder *b, int axis, int64_t n, mfft_place_id src, mfft_place_id dst, mfft_form load,
                            mfft_form store, int last) {
  mfft_radices named;
  int64_t factor[MAX_SPLIT];
  int parts;
  MFFT_TRY(mfft_radices_read(b->spec->radices[axis], n, &named));
  if (named.passes) {
    parts = named.passes;
    memcpy(factor, named.n, sizeof factor);
    MFFT_TRY(check_named(&named, load, store));
  } else {
    int added = 0;
    if (load == MFFT_FORM_COMPLEX && store == MFFT_FORM_COMPLEX)
      MFFT_TRY(mfft_columns_try(b, axis, n, src, dst, last, &added));
    if (added) return MFFT_SUCCESS;
    parts = choose_passes(b, axis, n, src, dst, load, store, factor);
  }
  if (!parts)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: length %lld does not split into %d factors that a block can hold",
                     (long long)n, MAX_SPLIT);

  /* Where the data rests between passes.  The destination can hold it if it is complex; the last pass may then be in place.
   * A half spectrum has room for it too, but with rows that begin anywhere. */
  mfft_place_id at[MAX_SPLIT + 1];
  int half = store == MFFT_FORM_HALF_EVEN, use_dst = (store == MFFT_FORM_COMPLEX || half) && dst != MFFT_AT_WORK2;
  const int moves = half || (parts % 2 && !mfft_in_cache(b->limits)); /* no pass in place, if there is a way: faster */
  for (int attempt = 0; attempt < 2; attempt++) {
    int in_place = use_dst && attempt == moves;
    at[0] = src;
    at[parts] = dst;
    for (int i = parts - 1; i >= 1; i--) {
      mfft_place_id next = at[i + 1];
      if (use_dst) {
        mfft_place_id other = dst == MFFT_AT_WORK ? MFFT_AT_WORK2 : MFFT_AT_WORK;
        at[i] = i == parts - 1 ? (in_place ? dst : other) : (next == dst ? other : dst);
      } else {
        at[i] = next == MFFT_AT_WORK ? MFFT_AT_WORK2 : MFFT_AT_WORK;
      }
    }
    if (!use_dst && at[1] == src)
      for (int i = 1; i < parts; i++) at[i] = at[i] == MFFT_AT_WORK ? MFFT_AT_WORK2 : MFFT_AT_WORK;
    if (!mfft_builder_same_memory(b, at[1], at[0])) break;
  }
  int64_t before = 1;
  for (int i = 0; i < parts; i++) {
    int64_t after = n / before / factor[i];
    b->named = named.passes ? named.radix[i] : NULL;
    b->named_merges = named.merges[i];
    MFFT_TRY(mfft_builder_add_pass(b, axis, factor[i], before, after, at[i], at[i + 1], i == 0 ? load : MFFT_FORM_COMPLEX,
                                   i == parts - 1 ? store : MFFT_FORM_COMPLEX, last && i == parts - 1));
    before *= factor[i];
  }
  b->named = NULL;
  return MFFT_SUCCESS;
}

static mfft_status try_pair(builder *b, int slow, int fast, mfft_place_id src, int last, int *added) {
  const mfft_pair_way way = mfft_pair_choose(b, slow, fast);
  return mfft_pair_try_cluster(b, &way, slow, fast, src, MFFT_AT_OUT, last, added);
}

/* Two axes or one long one in one launch, where that is faster. */
static mfft_status add_pair(builder *b, int axis, mfft_place_id src, int left, int *axes) {
  const int slow = axis - 1;
  int added = 0, by_name = b->spec->cluster > 0;
  const char *const *named = b->spec->radices; /* those are passes of blocks */
  *axes = 0;
  if (named[axis]) return MFFT_SUCCESS;
  if (slow >= 0 && !named[slow] && b->dims[axis].n > 1 && b->dims[slow].n > 1) {
    MFFT_TRY(mfft_resident_try_plane(b, slow, axis, src, MFFT_AT_OUT, &added));
    if (!added) MFFT_TRY(try_pair(b, slow, axis, src, left == 2, &added));
  }
  *axes = 2 * added;
  if (added || (!by_name && fits_one_pass(b, axis, b->dims[axis].n, src, MFFT_AT_OUT, 0))) return MFFT_SUCCESS;
  MFFT_TRY(try_pair(b, axis, axis, src, left == 1, &added));
  *axes = added;
  return MFFT_SUCCESS;
}

/* Whether the packing of an even real axis can be part of its passes. */
static int packs_in_passes(const builder *b, int axis, int64_t n, mfft_place_id src, mfft_place_id dst, mfft_form load,
                           mfft_form store) {
  int64_t factor[MAX_SPLIT];
  return b->spec->radices[axis] || fits_one_pass(b, axis, n, src, dst, 0) || choose_factors(b, n, 0, load, store, factor);
}

/* Where the passes of an axis leave their result: in shares, if the axis is the one that is cut. */
static mfft_place_id place_behind(const mfft_fft_spec *spec, int axis) {
  return spec->scatter.count && spec->scatter.axis == axis ? MFFT_AT_SHARES : MFFT_AT_OUT;
}

/* The axes as they are transformed: the fastest first, one that is cut into shares last. */
static void order_axes(const mfft_fft_spec *spec, int order[3]) {
  const int cut = spec->scatter.count ? spec->scatter.axis : 0;
  int count = 0;
  for (int a = spec->naxes - 1; a >= 0; a--)
    if (a != cut) order[count++] = a;
  order[count] = cut;
}

/* Whether an odd real axis is one pass, which then meets the half spectrum itself. */
static int odd_in_one(const builder *b, int axis, int64_t n, mfft_place_id src) {
  mfft_radices named;
  if (mfft_radices_read(b->spec->radices[axis], n, &named) != MFFT_SUCCESS) return 0;
  return named.passes ? named.passes == 1
                      : fits_one_pass(b, axis, held_as(n, MFFT_FORM_REAL, MFFT_FORM_HALF_ODD), src, MFFT_AT_OUT, 0);
}

/* The real axis, forward.  Even lengths are packed two reals in a complex; odd ones run with zero imaginary parts. */
static mfft_status add_real_to_half(builder *b, int axis, int64_t n) {
  if (n % 2 == 0) {
    const mfft_form in = MFFT_FORM_REAL_PAIR, out = MFFT_FORM_HALF_EVEN;
    const mfft_place_id to = axis ? MFFT_AT_OUT : place_behind(b->spec, axis);
    if (packs_in_passes(b, axis, n / 2, MFFT_AT_IN, MFFT_AT_OUT, in, out))
      return add_axis(b, axis, n / 2, MFFT_AT_IN, to, in, out, 1);
    MFFT_TRY(add_axis(b, axis, n / 2, MFFT_AT_IN, MFFT_AT_OUT, in, MFFT_FORM_COMPLEX, 1));
    return mfft_builder_add_real_pass(b, axis, n / 2, MFFT_AT_OUT, MFFT_AT_OUT, MFFT_FORM_COMPLEX, out);
  }
  if (odd_in_one(b, axis, n, MFFT_AT_IN))
    return add_axis(b, axis, n, MFFT_AT_IN, MFFT_AT_OUT, MFFT_FORM_REAL, MFFT_FORM_HALF_ODD, 1);
  MFFT_TRY(add_axis(b, axis, n, MFFT_AT_IN, MFFT_AT_WORK, MFFT_FORM_REAL, MFFT_FORM_COMPLEX, 1));
  return mfft_builder_add_real_pass(b, axis, n, MFFT_AT_WORK, MFFT_AT_OUT, MFFT_FORM_COMPLEX, MFFT_FORM_HALF_ODD);
}

static mfft_status add_half_to_real(builder *b, int axis, int64_t n, mfft_place_id src) {
  int keep = src == MFFT_AT_IN && !b->spec->destroy_input && !b->spec->in_place;
  if (n % 2 == 0) {
    const mfft_form in = MFFT_FORM_HALF_EVEN, out = MFFT_FORM_REAL_PAIR;
    const mfft_pair_way way = mfft_pair_choose_halves(b, axis);
    int added = 0;
    if (!b->spec->radices[axis]) MFFT_TRY(mfft_pair_try_halves(b, &way, axis, src, MFFT_AT_OUT, &added));
    if (added) return MFFT_SUCCESS;
    if (packs_in_passes(b, axis, n / 2, src, MFFT_AT_OUT, in, out))
      return add_axis(b, axis, n / 2, src, MFFT_AT_OUT, in, out, 1);
    mfft_place_id packed = keep ? MFFT_AT_WORK : src;
    MFFT_TRY(mfft_builder_add_real_pass(b, axis, n / 2, src, packed, in, MFFT_FORM_COMPLEX));
    return add_axis(b, axis, n / 2, packed, MFFT_AT_OUT, MFFT_FORM_COMPLEX, out, 1);
  }
  if (odd_in_one(b, axis, n, src)) return add_axis(b, axis, n, src, MFFT_AT_OUT, MFFT_FORM_HALF_ODD, MFFT_FORM_REAL, 1);
  MFFT_TRY(mfft_builder_add_real_pass(b, axis, n, src, MFFT_AT_WORK, MFFT_FORM_HALF_ODD, MFFT_FORM_COMPLEX));
  return add_axis(b, axis, n, MFFT_AT_WORK, MFFT_AT_OUT, MFFT_FORM_COMPLEX, MFFT_FORM_REAL, 1);
}

/* Dense strides for the workspace, in the order of the complex side, with `whole` elements on the last axis. */
static void lay_out_work(builder *b, mfft_place_id complex_side, int last_axis, int64_t whole) {
  int order[MAX_DIMS];
  for (int d = 0; d < b->count; d++) {
    int at = d;
    order[d] = d;
    while (at > 0 && b->dims[order[at]].stride[complex_side] < b->dims[order[at - 1]].stride[complex_side]) {
      int swap = order[at];
      order[at] = order[at - 1];
      order[at - 1] = swap;
      at--;
    }
  }
  int64_t stride = 1;
  for (int i = 0; i < b->count; i++) {
    dim *d = &b->dims[order[i]];
    d->stride[MFFT_AT_WORK] = d->stride[MFFT_AT_WORK2] = stride;
    stride *= order[i] == last_axis ? whole : d->n;
  }
  b->work_elements = stride;
}

/* One axis of n1 n2 in scrambled order (backend.h): columns and rows of a matrix in place, and the twiddle between them is
 * the turn that ends the pass over the first.  Nothing is transposed. */
static mfft_status build_scrambled(builder *b) {
  const mfft_fft_spec *spec = b->spec;
  const mfft_dim whole = spec->axis[0];
  int64_t n1 = spec->scrambled, n2 = whole.n / n1;
  MFFT_TRY(check_length(whole.n));
  b->dims[b->count++] = (dim){n1, {n2 * whole.is, n2 * whole.os}, 0};
  b->dims[b->count++] = (dim){n2, {whole.is, whole.os}, 0};
  b->log_total = log((double)whole.n);
  for (int i = 0; i < spec->nloops; i++)
    b->dims[b->count++] = (dim){spec->loop[i].n, {spec->loop[i].is, spec->loop[i].os}, 0};
  lay_out_work(b, MFFT_AT_OUT, 1, n2);
  int first = spec->direction == MFFT_BACKWARD; /* columns, or rows */
  int64_t n = b->dims[first].n;
  const mfft_form form = MFFT_FORM_COMPLEX;
  const mfft_engine_id engine = mfft_builder_engine(b, first, n, n, whole.n, MFFT_AT_IN, form, form);
  if (!fits_one_pass(b, first, n, MFFT_AT_IN, MFFT_AT_OUT, engine != MFFT_ENGINE_BUTTERFLY))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: %s of %lld elements in scrambled order take several passes",
                     first ? "rows" : "columns", (long long)n);
  b->dims[!first].turns = b->dims[!first].n;
  MFFT_TRY(add_axis(b, first, n, MFFT_AT_IN, MFFT_AT_OUT, form, form, 0));
  b->dims[!first].turns = 0;
  return add_axis(b, !first, b->dims[!first].n, MFFT_AT_OUT, MFFT_AT_OUT, form, form, 1);
}

/* One axis of a phase: its results turn by the index of a loop, or its complexes are pairs of reals. */
static mfft_status build_line(builder *b) {
  const mfft_fft_spec *spec = b->spec;
  const mfft_dim axis = spec->axis[0];
  const int pairs_in = spec->pairs == 1, pairs_out = spec->pairs == 2;
  MFFT_TRY(check_length(axis.n));
  if (spec->turned && spec->loop[spec->turned - 1].n == 1 && spec->turned_lines > 1)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: one line alone of %lld that turn", (long long)spec->turned_lines);
  b->dims[b->count++] = (dim){axis.n, {axis.is, axis.os}, 0};
  for (int i = 0; i < spec->nloops; i++) {
    const mfft_dim *l = &spec->loop[i];
    b->dims[b->count++] =
        (dim){l->n, {l->is * (1 + pairs_in), l->os * (1 + pairs_out)}, i + 1 == spec->turned ? spec->turned_lines : 0};
  }
  b->log_total = log((double)axis.n);
  lay_out_work(b, pairs_out ? MFFT_AT_IN : MFFT_AT_OUT, 0, axis.n);
  return add_axis(b, 0, axis.n, MFFT_AT_IN, MFFT_AT_OUT, pairs_in ? MFFT_FORM_REAL_PAIR : MFFT_FORM_COMPLEX,
                  pairs_out ? MFFT_FORM_REAL_PAIR : MFFT_FORM_COMPLEX, 1);
}

/* Of a long real axis, packed, the pass that meets the half spectrum: the first or the last. */
static mfft_status build_piece(builder *b) {
  const mfft_fft_spec *spec = b->spec;
  const mfft_dim axis = spec->axis[0];
  const int first = spec->type == MFFT_FFT_C2R;
  const int64_t n = axis.n / 2, others = n / spec->piece;
  const mfft_form in = first ? MFFT_FORM_HALF_EVEN : MFFT_FORM_COMPLEX,
                  out = first ? MFFT_FORM_COMPLEX : MFFT_FORM_HALF_EVEN;
  b->dims[b->count++] = (dim){n, {axis.is, axis.os}, 0};
  for (int i = 0; i < spec->nloops; i++)
    b->dims[b->count++] = (dim){spec->loop[i].n, {spec->loop[i].is, spec->loop[i].os}, 0};
  return mfft_builder_add_pass(b, 0, spec->piece, first ? 1 : others, first ? others : 1, MFFT_AT_IN, MFFT_AT_OUT, in, out,
                               1);
}

static mfft_status build(builder *b) {
  const mfft_fft_spec *spec = b->spec;
  if (spec->scrambled) return build_scrambled(b);
  if (spec->turned || spec->pairs) return build_line(b);
  if (spec->piece) return build_piece(b);
  int last = spec->naxes - 1;
  int64_t n = spec->axis[last].n, halved = n / 2 + 1;
  for (int i = 0; i < spec->naxes; i++) {
    MFFT_TRY(check_length(spec->axis[i].n));
    b->dims[b->count++] = (dim){spec->axis[i].n, {spec->axis[i].is, spec->axis[i].os}, 0};
    b->dims[i].stride[MFFT_AT_SHARES] = spec->scatter.stride[0][i];
    int packed = i == last && spec->type != MFFT_FFT_C2C && n % 2 == 0;
    b->log_total += log((double)(packed ? n / 2 : spec->axis[i].n));
  }
  for (int i = 0; i < spec->nloops; i++) {
    b->dims[b->count] = (dim){spec->loop[i].n, {spec->loop[i].is, spec->loop[i].os}, 0};
    b->dims[b->count].stride[MFFT_AT_SHARES] = spec->scatter.stride[0][b->count];
    b->count++;
  }
  int64_t row = spec->type == MFFT_FFT_C2C || n % 2 ? n : spec->naxes == 1 ? n / 2 : halved; /* of the workspace */
  lay_out_work(b, spec->type == MFFT_FFT_C2R ? MFFT_AT_IN : MFFT_AT_OUT, last, row);

  mfft_place_id at = MFFT_AT_IN;
  int left = 0; /* axes still to be done; the last one carries the scale */
  for (int i = 0; i < spec->naxes; i++) left += spec->axis[i].n > 1;
  int order[3];
  order_axes(spec, order);
  if (spec->type == MFFT_FFT_C2C) {
    for (int i = 0; i <= last; i++) {
      const int a = order[i];
      if (spec->axis[a].n == 1 && !(i == last && at == MFFT_AT_IN)) continue;
      int axes = 0; /* done so */
      MFFT_TRY(add_pair(b, a, at, left, &axes));
      if (axes) {
        left -= axes;
        i += axes - 1;
        at = MFFT_AT_OUT;
        continue;
      }
      MFFT_TRY(
          add_axis(b, a, spec->axis[a].n, at, place_behind(spec, a), MFFT_FORM_COMPLEX, MFFT_FORM_COMPLEX, --left <= 0));
      at = MFFT_AT_OUT;
    }
    return MFFT_SUCCESS;
  }
  if (spec->type == MFFT_FFT_R2C) {
    MFFT_TRY(add_real_to_half(b, last, n));
    b->dims[last].n = halved;
    for (int i = 0; i <= last; i++) {
      const int a = order[i];
      if (a != last && spec->axis[a].n > 1)
        MFFT_TRY(
            add_axis(b, a, spec->axis[a].n, MFFT_AT_OUT, place_behind(spec, a), MFFT_FORM_COMPLEX, MFFT_FORM_COMPLEX, 0));
    }
    return MFFT_SUCCESS;
  }
  b->dims[last].n = halved;
  for (int a = 0; a < last; a++) {
    if (spec->axis[a].n == 1) continue;
    mfft_place_id to = spec->in_place || spec->destroy_input ? MFFT_AT_IN : MFFT_AT_WORK;
    MFFT_TRY(add_axis(b, a, spec->axis[a].n, at, to, MFFT_FORM_COMPLEX, MFFT_FORM_COMPLEX, 0));
    at = to;
  }
  b->dims[last].n = n;
  return add_half_to_real(b, last, n, at);
}

mfft_status mfft_schedule_make(const mfft_fft_spec *spec, const mfft_device_limits *limits, mfft_schedule *schedule) {
  memset(schedule, 0, sizeof *schedule);
  builder b = {.spec = spec, .limits = limits, .schedule = schedule};
  MFFT_TRY(build(&b));
  if (spec->scatter.count && (!schedule->count || schedule->pass[schedule->count - 1].dst != MFFT_AT_SHARES))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: the last pass of this transform is none that can store into shares");
  size_t area = ((size_t)b.work_elements * (size_t)complex_bytes(spec->precision) + 255) / 256 * 256;
  schedule->work_bytes = area * (size_t)b.work_areas;
  schedule->work2_offset_bytes = area;
  return MFFT_SUCCESS;
}

static size_t print_radices(char *text, size_t size, size_t used, const int *radix, int count) {
  size_t before = used;
  for (int m = 0; m < count && used < size; m++)
    used += (size_t)snprintf(text + used, size - used, "%s%d", m ? "," : " (", radix[m]);
  return used - before;
}

void mfft_schedule_in_parts(const mfft_fft_spec *spec, mfft_schedule *schedule) {
  for (int i = 0; i < schedule->count; i++) {
    mfft_pass *pass = &schedule->pass[i];
    int in_place = pass->src == pass->dst || (spec->in_place && pass->src <= MFFT_AT_OUT && pass->dst <= MFFT_AT_OUT);
    const int stays = in_place || (spec->pairs == 2 && i > 0); /* measured: 1 to 2 % faster, elsewhere slower */
    if (pass->kernel.second.n && pass->kernel.cluster.columns == 1)
      continue; /* matrices in clusters are read and written once each */
    pass->kernel.in.last_use = !stays;
    pass->kernel.out.last_use = i == schedule->count - 1;
  }
}

void mfft_schedule_print(const mfft_schedule *schedule, char *text, size_t size) {
  size_t used = 0;
  if (size) text[0] = '\0';
  for (int i = 0; i < schedule->count && used < size; i++) {
    const mfft_pass *pass = &schedule->pass[i];
    const mfft_kernel *k = &pass->kernel;
    int wrote = snprintf(text + used, size - used, "%s%s%d", i ? " + " : "", mfft_engine_of(k)->name, k->chain.n);
    if (wrote < 0) return;
    used += (size_t)wrote;
    if (k->engine == MFFT_ENGINE_REAL) continue;
    used += print_radices(text, size, used, k->chain.radix, k->chain.merges);
    if (used < size)
      used += (size_t)snprintf(text + used, size - used, "; %d x %d%s%s%s)", k->chain.lines, k->chain.threads,
                               k->in.map == MFFT_MAP_LINE ? " strided" : "",
                               k->twiddle.loop || k->cluster.twiddled ? " turned" : "",
                               k->in.staging || k->out.staging                          ? " staged"
                               : k->engine == MFFT_ENGINE_RESIDENT && k->tile.two_areas ? " ahead"
                                                                                        : "");
    if (k->scatter.shares && used < size)
      used += (size_t)snprintf(text + used, size - used, " into %d shares", k->scatter.shares);
    if ((k->in.half_width || k->out.half_width) && used < size)
      used += (size_t)snprintf(text + used, size - used, " of half the width");
    if (k->engine == MFFT_ENGINE_RESIDENT) {
      if (k->second.merges && used < size) used += (size_t)snprintf(text + used, size - used, " and %d", k->second.n);
      if (k->second.merges) used += print_radices(text, size, used, k->second.radix, k->second.merges);
      if (k->second.merges && used < size) used += (size_t)snprintf(text + used, size - used, ")");
      if (k->cluster.blocks > 1 && used < size)
        used += (size_t)snprintf(text + used, size - used, " over %d blocks", k->cluster.blocks);
      continue;
    }
    if (!k->second.n || used >= size) continue;
    used += (size_t)snprintf(text + used, size - used, " and %d", k->second.n);
    used += print_radices(text, size, used, k->second.radix, k->second.merges);
    if (used < size) used += (size_t)snprintf(text + used, size - used, "; %d x %d) ", k->second.lines, k->second.threads);
    if (used < size && k->cluster.blocks)
      used +=
          (size_t)snprintf(text + used, size - used, "over %d block%s", k->cluster.blocks, k->cluster.blocks > 1 ? "s" : "");
    if (used < size && k->cluster.columns > 1)
      used +=
          (size_t)snprintf(text + used, size - used, ", %d columns%s", k->cluster.columns, k->cluster.apart ? " apart" : "");
  }
}
