/* chain.c: see chain.h. */
#include "local/cuda/engines/chain.h"

#include <math.h>
#include <string.h>

#include "local/cuda/tuned/butterfly_rules.h"
#include "local/cuda/tuned/odd_rules.h"
#include "local/cuda/tuned/rader_rules.h"

/* Instructions per element of a register butterfly, counted from its flow graph; those of the primes from 17 on are two sums
 * of half their length (dft_prime), by estimate. */
static const double butterfly_cost[33] = {
    0,   0,  2,    4,  4,    6.5,       6.5,       9,         6.5,       9,         9,          13,
    8.5, 15, 11.5, 11, 10.5, [17] = 19, [19] = 21, [23] = 25, [29] = 31, [31] = 33, [32] = 13.5}; /* [radix], 0 for those
                                                                                                     that are not used */
/* The same of composite radices above 16, 0 for the others.  They save merges, and with them exchanges, but a thread holds
 * more values. */
static const double composite_cost[33] = {[18] = 12,   [20] = 11,   [21] = 13.5, [22] = 15.5, [24] = 11,
                                          [25] = 16.5, [26] = 17.5, [27] = 17,   [28] = 13.5, [30] = 13.5};

/* Instructions per element of a merge of reals (kernels/butterfly/odd.cu). Its radix may be larger, since a thread holds
 * half of its complexes. */
static double real_cost(int a) { return a == 21 ? 13 : a == 25 ? 16.5 : a == 27 ? 17 : a % 2 ? butterfly_cost[a] : 0; }

enum { MOST_RADIX = 32 };

typedef struct search {
  const mfft_kernel *kernel;
  int radix[MFFT_MAX_MERGES], merges;
  int most_values, most_threads, least_threads, lines;
  int long_radix; /* radix 32 may be used */
  int composites; /* composite radices above 16 may be used */
  int fitted;     /* the cost is fitted_cost */
  int reals;      /* of a merge beside those in the list; else 0 */
  double floor;   /* chains that cost no more are passed over */
  double best;
  int best_radix[MFFT_MAX_MERGES], best_merges, best_threads;
} search;

/* Instructions per element of a butterfly; 0: the search does not use this radix. */
static double cost_of(const search *s, int radix) {
  const int composite = s->composites || mfft_odd_takes_composite(s->kernel, radix);
  return composite && composite_cost[radix] ? composite_cost[radix] : butterfly_cost[radix];
}

static int ceil_div(int a, int b) { return (a + b - 1) / b; }

int mfft_chain_sides(const mfft_kernel *k) { return k->mirror ? 2 : 1; }

int mfft_paired_merge(const mfft_kernel *k, int merges) {
  if (k->bluestein.steps) return -1; /* elements meet in shared memory */
  return k->in.form == MFFT_FORM_HALF_EVEN ? 0 : k->out.form == MFFT_FORM_HALF_EVEN ? merges - 1 : -1;
}

int mfft_converts_first(const mfft_kernel *k) { return k->trigonometric == MFFT_DCT3 || k->trigonometric == MFFT_DST3; }

int mfft_is_paired_merge(const mfft_kernel *k, int merges, int i) {
  const int pairs = k->in.form == MFFT_FORM_LINE_PAIR, first = mfft_converts_first(k);
  return i == mfft_paired_merge(k, merges) || (i == 0 && ((pairs && first) || k->in.opposite)) ||
         (i == merges - 1 && ((pairs && !first) || k->out.opposite));
}

int mfft_merge_of_reals(const mfft_kernel *k, int merges) {
  return k->engine != MFFT_ENGINE_ODD ? -1 : k->in.form == MFFT_FORM_REAL ? 0 : merges - 1;
}

/* Complexes that the merge of `r` reals of an odd line leaves, or takes: the others are their conjugates. */
static int halved(int r) { return (r + 1) / 2; }

/* Complexes that a line is held as by a chain of merges. */
static int held(const mfft_kernel *k, const int radix[MFFT_MAX_MERGES], int merges) {
  const int i = mfft_merge_of_reals(k, merges);
  return i < 0 ? k->chain.n : k->chain.n / radix[i] * halved(radix[i]);
}

/* Butterflies of radix r that a thread takes, of lines held as n complexes. */
static int butterflies(const mfft_kernel *k, int n, int r, int threads, int paired) {
  int columns = n / r;
  if (paired && columns > 1) return 2 * ceil_div(k->mirror ? columns : (columns + 1) / 2, threads);
  return mfft_chain_sides(k) * ceil_div(columns, threads);
}

/* Cost of a chain by what was fitted to 2300 blocks of lengths of 200 to 4100 in single, double and half
 * (docs/lab/mixed-radices.md): idle lanes count as work; merges whose butterflies are no multiple of the threads cost more,
 * the first, whose loads some threads leave out, most of all; and a first radix that is a multiple of 4 writes to few banks,
 * or to rows with gaps (gaps.h). */
static double fitted_cost(const search *s, const int radix[MFFT_MAX_MERGES], int threads, int *values) {
  const mfft_fitted_cost *f = &mfft_butterfly_fitted;
  const int n = s->kernel->chain.n;
  double cost = 0, more = radix[0] % f->banks ? 1 : 1 + f->gaps;
  *values = 1;
  for (int i = 0; i < s->merges; i++) {
    const int r = radix[i], columns = n / r, each = ceil_div(columns, threads);
    if (r > f->most_radix) return INFINITY; /* its registers cost more than a merge */
    if (each * r > *values) *values = each * r;
    cost += (cost_of(s, r) + f->exchange) * each * threads * r / n;
    if (columns % threads) more += i ? f->uneven : f->uneven_first;
  }
  if (*values > f->free_values) more += f->of_value * (*values - f->free_values);
  if (threads * s->lines > f->large_threads) more += f->large;
  return cost * more;
}

static int have_common(int a, int b) { return b ? have_common(b, a % b) : a > 1; }

static int are_coprime(const int radix[MFFT_MAX_MERGES], int merges) {
  for (int i = 0; i < merges; i++)
    for (int j = 0; j < i; j++)
      if (have_common(radix[i], radix[j])) return 0;
  return 1;
}

mfft_chain mfft_chain_reversed(const mfft_chain *chain) {
  mfft_chain reversed = *chain;
  for (int i = 0; i < chain->merges; i++) reversed.radix[i] = chain->radix[chain->merges - 1 - i];
  return reversed;
}

int mfft_chain_is_coprime(const mfft_chain *chain) { return are_coprime(chain->radix, chain->merges); }

/* Cost of a chain with `threads` threads: idle lanes count as work. */
static double chain_cost(const search *s, const int radix[MFFT_MAX_MERGES], int threads, int *values) {
  const mfft_kernel *k = s->kernel;
  const mfft_rader_cost *rader = k->engine == MFFT_ENGINE_RADER ? mfft_rader_cost_for(k->precision) : NULL;
  const mfft_counted_cost *c = rader ? &rader->counted : &mfft_butterfly_counted;
  double cost = rader && are_coprime(radix, s->merges) ? -rader->twiddle * (s->merges - 1) : 0;
  const int n = held(k, radix, s->merges), of_reals = mfft_merge_of_reals(k, s->merges);
  *values = 1;
  for (int i = 0; i < s->merges; i++) {
    const int r = i == of_reals ? halved(radix[i]) : radix[i];
    const int each = butterflies(k, n, r, threads, mfft_is_paired_merge(k, s->merges, i));
    if (each * r > *values) *values = each * r;
    cost += ((i == of_reals ? real_cost(radix[i]) : cost_of(s, radix[i])) + c->exchange) *
            ((double)each * threads * r / (k->chain.n * mfft_chain_sides(k)));
    if (mfft_is_paired_merge(k, s->merges, i)) cost += c->root / r; /* one root for a pair of butterflies */
  }
  const int roomy = !rader && mfft_butterfly_is_roomy(k, s->long_radix, s->composites);
  if (*values > c->free_values) cost *= 1 + (roomy ? c->of_value_roomy : c->of_value) * (*values - c->free_values);
  if (threads * s->lines > c->large_threads) cost *= 1 + c->large;
  return cost;
}

static void try_order(search *s, const int radix[MFFT_MAX_MERGES]) {
  if (s->kernel->exact == MFFT_EXACT_COPRIME && (s->merges != 2 || have_common(radix[0], radix[1]))) return;
  for (int i = 0; i < s->merges; i++) {
    for (int each = 1; each <= 4; each += s->fitted ? 1 : each) {
      const int of_reals = mfft_merge_of_reals(s->kernel, s->merges), r = i == of_reals ? halved(radix[i]) : radix[i];
      int threads = ceil_div(held(s->kernel, radix, s->merges) / r, each), values = 0;
      if (threads > s->most_threads || threads < s->least_threads) continue;
      double cost = (s->fitted ? fitted_cost : chain_cost)(s, radix, threads, &values);
      if (values > s->most_values || cost >= s->best - 1e-9 || cost <= s->floor + 1e-9) continue;
      s->best = cost;
      s->best_threads = threads;
      s->best_merges = s->merges;
      memcpy(s->best_radix, radix, sizeof s->radix);
    }
  }
}

/* The chain in hand, with a merge of reals at its end. */
static void try_with_reals(search *s) {
  int order[MFFT_MAX_MERGES];
  const int end = mfft_merge_of_reals(s->kernel, s->merges + 1);
  if (s->merges == MFFT_MAX_MERGES) return;
  memcpy(order, s->radix, sizeof order);
  if (!end) memmove(&order[1], &order[0], (size_t)s->merges * sizeof *order);
  order[end] = s->reals;
  s->merges++;
  try_order(s, order);
  s->merges--;
}

static void move_radix(int radix[MFFT_MAX_MERGES], int from, int to) {
  const int r = radix[from];
  if (from < to) memmove(&radix[from], &radix[from + 1], (size_t)(to - from) * sizeof *radix);
  if (from > to) memmove(&radix[to + 1], &radix[to], (size_t)(from - to) * sizeof *radix);
  radix[to] = r;
}

/* An order of the chain in hand; if its last merge takes pairs, with each of its radices behind the first there. */
static void try_last(search *s, const int radix[MFFT_MAX_MERGES], int first) {
  const int last = s->merges - 1;
  if (last < first || !mfft_is_paired_merge(s->kernel, s->merges, last)) {
    try_order(s, radix);
    return;
  }
  for (int e = first; e <= last; e++) {
    int order[MFFT_MAX_MERGES];
    if (e > first && radix[e] == radix[e - 1]) continue;
    if (s->kernel->mirror && s->kernel->chain.n / radix[e] % 2) continue; /* lines 0 and n/2 want an even count */
    memcpy(order, radix, sizeof order);
    move_radix(order, e, last);
    try_order(s, order);
  }
}

/* The chain in hand; where the first merge is one that takes pairs, or counts by itself, with each of its radices there. */
static void try_chain(search *s) {
  if (s->reals) {
    try_with_reals(s);
    return;
  }
  if (!mfft_is_paired_merge(s->kernel, s->merges, 0) && !s->fitted) {
    try_last(s, s->radix, 0);
    return;
  }
  for (int e = 0; e < s->merges; e++) {
    int order[MFFT_MAX_MERGES];
    if (e > 0 && s->radix[e] == s->radix[e - 1]) continue;
    if (s->kernel->mirror && s->kernel->chain.n / s->radix[e] % 2) continue;
    memcpy(order, s->radix, sizeof order);
    move_radix(order, e, 0);
    try_last(s, order, 1);
  }
}

/* Radices from large to small, each list once. */
static void grow_chain(search *s, int rest, int largest) {
  if (rest == 1) {
    try_chain(s);
    return;
  }
  if (s->merges == MFFT_MAX_MERGES) return;
  for (int r = largest; r >= 2; r--) {
    if (rest % r || cost_of(s, r) == 0 || (r == 32 && !s->long_radix)) continue;
    s->radix[s->merges++] = r;
    grow_chain(s, rest / r, r);
    s->radix[--s->merges] = 1;
  }
}

/* The chain that the user has named, in its order. */
static void try_named(search *s) {
  const mfft_kernel *k = s->kernel;
  const int paired = mfft_paired_merge(k, k->chain.merges);
  for (int i = 0; i < k->chain.merges; i++)
    if (cost_of(s, k->chain.radix[i]) == 0) return;
  if (k->mirror && paired >= 0 && k->chain.n / k->chain.radix[paired] % 2) return;
  s->merges = k->chain.merges;
  memcpy(s->radix, k->chain.radix, sizeof s->radix);
  try_order(s, s->radix);
}

static void find_chain(search *s) {
  if (s->kernel->chain.n == 1)
    s->best = 0, s->best_merges = 1, s->best_threads = 1;
  else if (s->kernel->named)
    try_named(s);
  else if (s->kernel->engine == MFFT_ENGINE_ODD)
    for (s->reals = 3; s->reals < MOST_RADIX; s->reals += 2) {
      if (s->kernel->chain.n % s->reals == 0 && real_cost(s->reals) && mfft_odd_takes(s->kernel, s->reals))
        grow_chain(s, s->kernel->chain.n / s->reals, MOST_RADIX);
    }
  else
    grow_chain(s, s->kernel->chain.n, MOST_RADIX);
}

static mfft_status no_chain(const mfft_kernel *k, int lines) {
  if (!k->named)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: no chain of merges for a line of %d elements, %d at a time", k->chain.n,
                     lines);
  return mfft_fail(
      MFFT_ERR_UNSUPPORTED,
      "cuda: no butterflies merge a line of %d elements, %d at a time, by the radices that are named; they have "
      "radices 2 to 32, and at most 32 values a thread and %d threads a block",
      k->chain.n, lines, 1024);
}

int mfft_chain_held(const mfft_kernel *k) { return held(k, k->chain.radix, k->chain.merges); }

int mfft_chain_values(const mfft_kernel *k) {
  int values = 1;
  for (int i = 0; i < k->chain.merges; i++) {
    const int r = i == mfft_merge_of_reals(k, k->chain.merges) ? halved(k->chain.radix[i]) : k->chain.radix[i];
    const int need = butterflies(k, held(k, k->chain.radix, k->chain.merges), r, k->chain.threads,
                                 mfft_is_paired_merge(k, k->chain.merges, i)) *
                     r;
    if (need > values) values = need;
  }
  return values;
}

double mfft_chain_find(const mfft_kernel *k, int mirrored, int values, mfft_chain *chain) {
  mfft_kernel line = {.precision = k->precision, .chain.n = chain->n};
  if (mirrored) line.mirror = 1, line.in.form = k->in.form, line.trigonometric = k->trigonometric;
  search s = {.kernel = &line, .most_values = values, .best = INFINITY, .lines = 1, .long_radix = values >= 32};
  s.most_threads = s.least_threads = chain->threads;
  for (int i = 0; i < MFFT_MAX_MERGES; i++) s.radix[i] = s.best_radix[i] = 1;
  grow_chain(&s, chain->n, MOST_RADIX);
  if (s.best == INFINITY) return INFINITY;
  chain->merges = s.best_merges;
  memcpy(chain->radix, s.best_radix, sizeof chain->radix);
  return s.best;
}

int mfft_chain_has_order(const mfft_kernel *k) {
  return mfft_butterfly_is_mixed(k) && !k->mirror && k->exact == MFFT_EXACT_NOT;
}

static search begin_search(mfft_kernel *k, const mfft_device_limits *limits, int lines) {
  search s = {
      .kernel = k, .most_values = 32, .best = INFINITY, .lines = lines, .long_radix = mfft_butterfly_has_long_radix(k)};
  s.composites = k->named && !is_power(k->chain.n);
  const int direct =
      (k->in.map == MFFT_MAP_ELEMENT && !k->in.staging) || (k->out.map == MFFT_MAP_ELEMENT && !k->out.staging);
  s.most_threads = limits->threads / lines;
  s.least_threads = direct && k->chain.n >= 16 ? 4 : 1; /* at least a sector a line */
  for (int i = 0; i < MFFT_MAX_MERGES; i++) s.radix[i] = s.best_radix[i] = 1;
  return s;
}

static void take_best(const search *s, mfft_kernel *k) {
  k->chain.merges = s->best_merges;
  k->chain.threads = s->best_threads;
  memcpy(k->chain.radix, s->best_radix, sizeof k->chain.radix);
}

/* The chain of least fitted cost, with composite radices where they are preferred. */
static double search_fitted(mfft_kernel *k, const mfft_device_limits *limits, int lines) {
  search plain = begin_search(k, limits, lines), s;
  plain.fitted = 1;
  s = plain;
  s.composites = 1;
  find_chain(&plain);
  find_chain(&s);
  if (plain.best < INFINITY && !mfft_butterfly_prefers_composites(k, plain.best_merges, s.best_merges)) s = plain;
  if (s.best == INFINITY) return INFINITY;
  take_best(&s, k);
  return s.best;
}

double mfft_chain_search(mfft_kernel *k, const mfft_device_limits *limits, int lines) {
  const double fitted = mfft_butterfly_is_fitted(k) ? search_fitted(k, limits, lines) : INFINITY;
  if (fitted < INFINITY) return fitted;
  search s = begin_search(k, limits, lines);
  find_chain(&s);
  if (s.best == INFINITY && s.least_threads > 1) {
    s.least_threads = 1;
    find_chain(&s);
  }
  if (s.best < INFINITY && !s.composites && mfft_butterfly_composites(k, s.best_merges)) {
    const search plain = s;
    s.composites = 1;
    s.best = INFINITY;
    find_chain(&s);
    if (!mfft_butterfly_prefers_composites(k, plain.best_merges, s.best_merges)) s = plain;
  }
  if (s.best == INFINITY) return INFINITY;
  take_best(&s, k);
  return s.best;
}

double mfft_chain_ranked(mfft_kernel *k, const mfft_device_limits *limits, int lines, int rank) {
  search s = begin_search(k, limits, lines);
  s.composites = !is_power(k->chain.n);
  s.fitted = s.composites && mfft_chain_has_order(k);
  for (int i = 0; i < rank; i++) {
    s.best = INFINITY;
    find_chain(&s);
    if (s.best == INFINITY) return INFINITY;
    s.floor = s.best;
  }
  take_best(&s, k);
  return s.best;
}

mfft_status mfft_chain_choose(mfft_kernel *k, const mfft_device_limits *limits, int lines) {
  return mfft_chain_search(k, limits, lines) < INFINITY ? MFFT_SUCCESS : no_chain(k, lines);
}
