/* shape.c: how one kernel is built: which radices in which order, how many threads share a line, how many lines share a
 * block. */
#include <math.h>
#include <string.h>

#include "local/cuda/engines/odd.h"
#include "local/cuda/engines/split.h"
#include "local/cuda/planner/shape.h"

const mfft_device_limits mfft_limits_sm90 = {232448, 233472, 1024, 2048, 65536, 90, 128, 16, 132, 28000000};

/* Instructions per element of a register butterfly, counted from its flow graph; and of the exchange and twiddle around it.
 */
static const double butterfly_cost[33] = {
    0, 0, 2,  4,   4,  6.5,  6.5, 9,    6.5,
    9, 9, 13, 8.5, 15, 11.5, 11,  10.5, [32] = 13.5}; /* [radix], 0 for those that are not used */
static const double exchange_cost = 10, root_cost = 24;

/* The same of a merge of reals (kernels/butterfly/odd.cu), which may be longer, as a thread holds half of it. */
static double real_cost(int a) {
  return a == 21 ? 13 : a == 25 ? 16.5 : a == 27 ? 17 : a <= 15 && a % 2 ? butterfly_cost[a] : 0;
}

enum { MOST_RADIX = 32 };

/* The longest lines of which a thread has each whole: half spectra, and complexes. */
enum { WHOLE_REAL = 30, WHOLE_SINGLE = 33, WHOLE_DOUBLE = 24 };

static int wide_real(mfft_precision precision) { return precision == MFFT_DOUBLE; }

/* Elements that the registers of a full block can hold and still leave room to work. */
static int64_t block_elements(mfft_precision precision) { return wide_real(precision) ? 8192 : 16384; }

int64_t mfft_kernel_longest(mfft_precision precision, int tensor, const mfft_device_limits *limits, int lines) {
  if (tensor)
    return precision == MFFT_DOUBLE || precision == MFFT_SINGLE ? mfft_split_longest(precision, limits, lines)
                                                                : mfft_tensor_longest(limits, lines);
  int64_t slot = wide_real(precision) ? 16 : 8;
  int64_t room = (limits->shared_bytes - 8192) * 16 / 17 / slot; /* gaps, and steps between passes */
  int64_t elements = block_elements(precision);
  if (room < elements) elements = room;
  return elements / lines;
}

typedef struct search {
  const mfft_kernel *kernel;
  int radix[MFFT_MAX_MERGES], merges;
  int most_values, most_threads, least_threads, lines;
  int long_radix; /* radix 32 may be used */
  int reals;      /* of a merge beside those in the list; else 0 */
  double best;
  int best_radix[MFFT_MAX_MERGES], best_merges, best_threads;
} search;

static int ceil_div(int a, int b) { return (a + b - 1) / b; }

/* Radix 32 saves a merge where lines are long and numbers short. */
static int long_radix(const mfft_kernel *k) { return k->chain.n >= 8192 && !wide_real(k->precision); }

/* Lines that a line of threads holds: with its mirror, two. */
static int sides(const mfft_kernel *k) { return k->mirror ? 2 : 1; }

/* Which merge meets the half spectrum, and so takes its butterflies in pairs (kernels/butterfly/packing.cuh); -1 for none.
 */
static int paired_merge(const mfft_kernel *k, int merges) {
  return k->in.form == MFFT_FORM_HALF_EVEN ? 0 : k->out.form == MFFT_FORM_HALF_EVEN ? merges - 1 : -1;
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
  return sides(k) * ceil_div(columns, threads);
}

/* Cost of a chain with `threads` threads: idle lanes count as work. */
static double chain_cost(const search *s, const int radix[MFFT_MAX_MERGES], int threads, int *values) {
  /* Blocks of 1024 threads do not overlap their loads with the work of another block. */
  const mfft_kernel *k = s->kernel;
  double cost = 0;
  const int n = held(k, radix, s->merges), of_reals = mfft_merge_of_reals(k, s->merges);
  *values = 1;
  for (int i = 0; i < s->merges; i++) {
    const int r = i == of_reals ? halved(radix[i]) : radix[i];
    const int each = butterflies(k, n, r, threads, i == paired_merge(k, s->merges));
    if (each * r > *values) *values = each * r;
    cost += ((i == of_reals ? real_cost(radix[i]) : butterfly_cost[radix[i]]) + exchange_cost) *
            ((double)each * threads * r / (k->chain.n * sides(k)));
    if (i == paired_merge(k, s->merges)) cost += root_cost / r; /* one root for a pair of butterflies */
  }
  int roomy = s->long_radix || (k->mirror && k->in.form == MFFT_FORM_HALF_EVEN && !wide_real(k->precision)); /* measured */
  if (*values > 16) cost *= 1.0 + (roomy ? 0.005 : 0.03) * (*values - 16);
  if (threads * s->lines > 512) cost *= 1.2;
  return cost;
}

static int have_common(int a, int b) { return b ? have_common(b, a % b) : a > 1; }

static void try_order(search *s, const int radix[MFFT_MAX_MERGES]) {
  if (s->kernel->exact == MFFT_EXACT_COPRIME && (s->merges != 2 || have_common(radix[0], radix[1]))) return;
  for (int i = 0; i < s->merges; i++) {
    for (int each = 1; each <= 4; each *= 2) {
      const int of_reals = mfft_merge_of_reals(s->kernel, s->merges), r = i == of_reals ? halved(radix[i]) : radix[i];
      int threads = ceil_div(held(s->kernel, radix, s->merges) / r, each), values;
      if (threads > s->most_threads || threads < s->least_threads) continue;
      double cost = chain_cost(s, radix, threads, &values);
      if (values > s->most_values || cost >= s->best - 1e-9) continue;
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

/* The chain in hand; where a merge takes pairs, with each of its radices there. */
static void try_chain(search *s) {
  int paired = paired_merge(s->kernel, s->merges);
  if (s->reals) {
    try_with_reals(s);
    return;
  }
  if (paired < 0) {
    try_order(s, s->radix);
    return;
  }
  for (int e = 0; e < s->merges; e++) {
    if (e > 0 && s->radix[e] == s->radix[e - 1]) continue;
    if (s->kernel->mirror && s->kernel->chain.n / s->radix[e] % 2) continue; /* lines 0 and n/2 want an even count */
    int order[MFFT_MAX_MERGES];
    memcpy(order, s->radix, sizeof order);
    memmove(&order[e], &order[e + 1], (size_t)(s->merges - 1 - e) * sizeof *order);
    memmove(&order[paired + 1], &order[paired], (size_t)(s->merges - 1 - paired) * sizeof *order);
    order[paired] = s->radix[e];
    try_order(s, order);
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
    if (rest % r || butterfly_cost[r] == 0 || (r == 32 && !s->long_radix)) continue;
    s->radix[s->merges++] = r;
    grow_chain(s, rest / r, r);
    s->radix[--s->merges] = 1;
  }
}

/* The chain that the user has named, in its order. */
static void try_named(search *s) {
  const mfft_kernel *k = s->kernel;
  const int paired = paired_merge(k, k->chain.merges);
  for (int i = 0; i < k->chain.merges; i++)
    if (butterfly_cost[k->chain.radix[i]] == 0) return;
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
    for (s->reals = 3; s->reals <= mfft_odd_reals(s->kernel); s->reals += 2) {
      if (s->kernel->chain.n % s->reals == 0 && real_cost(s->reals))
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
      "radices 2 to 16, and 32, and at most 32 values a thread and %d threads a block",
      k->chain.n, lines, 1024);
}

/* Slots of the exchange area, as exchange.cuh and packing.cuh count them. */
static int exchange_slots(const mfft_kernel *k) {
  int inner = k->in.map == MFFT_MAP_LINE && k->map_mid == MFFT_MAP_LINE && k->out.map == MFFT_MAP_LINE;
  int room = held(k, k->chain.radix, k->chain.merges) + (paired_merge(k, 1) >= 0 && (k->in.staging || k->out.staging));
  return (inner ? room : (room + room / k->tile.gap) | 1) * k->chain.lines * sides(k);
}

static int values_of(const mfft_kernel *k) {
  int values = 1;
  for (int i = 0; i < k->chain.merges; i++) {
    const int r = i == mfft_merge_of_reals(k, k->chain.merges) ? halved(k->chain.radix[i]) : k->chain.radix[i];
    const int need = butterflies(k, held(k, k->chain.radix, k->chain.merges), r, k->chain.threads,
                                 i == paired_merge(k, k->chain.merges)) *
                     r;
    if (need > values) values = need;
  }
  return values;
}

static void shared_memory(mfft_kernel *k) {
  k->tile.gap = k->chain.radix[0] == 32 ? 32 : 16; /* so that what the first merge writes meets different banks */
  int value = wide_real(k->precision) ? 16 : 8;
  int exchange = k->chain.merges > 1 || k->in.staging || k->out.staging;
  k->tile.exchange_bytes = exchange ? (exchange_slots(k) * (k->tile.split ? value / 2 : value) + 15) / 16 * 16 : 0;
  k->tile.shared_bytes = k->tile.exchange_bytes +
                         (k->twiddle.loop ? k->chain.radix[k->chain.merges - 1] * k->chain.lines * sides(k) * value : 0);
}

void mfft_bound_blocks(mfft_kernel *k, const mfft_device_limits *limits, int registers) {
  int block = (k->chain.lines * k->chain.threads + 31) / 32 * 32;
  int by_shared = limits->sm_shared_bytes / (k->tile.shared_bytes + 1024), by_threads = limits->sm_threads / block;
  k->tile.min_blocks = limits->sm_registers / (registers * block);
  if (k->tile.min_blocks > by_shared) k->tile.min_blocks = by_shared;
  if (k->tile.min_blocks > by_threads) k->tile.min_blocks = by_threads;
  if (k->tile.min_blocks > 16) k->tile.min_blocks = 16;
  if (k->tile.min_blocks < 1) k->tile.min_blocks = 1;
}

double mfft_chain_find(mfft_precision precision, int values, mfft_chain *chain) {
  const mfft_kernel line = {.precision = precision, .chain.n = chain->n};
  search s = {.kernel = &line, .most_values = values, .best = INFINITY, .lines = 1, .long_radix = values >= 32};
  s.most_threads = s.least_threads = chain->threads;
  for (int i = 0; i < MFFT_MAX_MERGES; i++) s.radix[i] = s.best_radix[i] = 1;
  grow_chain(&s, chain->n, MOST_RADIX);
  if (s.best == INFINITY) return INFINITY;
  chain->merges = s.best_merges;
  memcpy(chain->radix, s.best_radix, sizeof chain->radix);
  return s.best;
}

/* Doubles of half spectra in two parts take more registers, and are best in small blocks. */
static int rounds_once(const mfft_kernel *k) {
  return k->engine == MFFT_ENGINE_BUTTERFLY && k->exact >= MFFT_EXACT_ONCE && wide_real(k->precision) &&
         !is_power(k->chain.n) && k->chain.merges > 1;
}

/* Registers: what the values take, and room to work. */
static void bound_by_values(mfft_kernel *k, const mfft_device_limits *limits) {
  int values = values_of(k), words = wide_real(k->precision) ? 4 * values : 2 * values;
  int registers = words <= 16 ? 48 : words <= 32 ? 72 : words <= 64 ? 120 : 168;
  if (rounds_once(k)) registers = values <= 10 ? 120 : values <= 16 ? 168 : 224;
  if (words <= 32 && k->chain.lines * k->chain.threads > 256) registers = 64;
  if (mfft_odd_whole(k)) registers = 48 + 2 * words; /* reals and what they become */
  mfft_bound_blocks(k, limits, registers);
}

mfft_status mfft_merge_by_sixteen(mfft_kernel *k) {
  int merges = 0;
  for (int rest = k->chain.n; rest > 1; merges++) {
    const int radix = rest < 16 ? rest : 16;
    if (k->named && (merges >= k->chain.merges || k->chain.radix[merges] != radix))
      return mfft_fail(
          MFFT_ERR_UNSUPPORTED,
          "cuda: tensor cores merge %d elements by 16 and at last by what is left; merge %d is named otherwise (with "
          "MFFT_COMPUTE_BUTTERFLY it may be)",
          k->chain.n, merges + 1);
    k->chain.radix[merges] = radix;
    rest /= radix;
  }
  k->chain.merges = merges;
  return MFFT_SUCCESS;
}

/* What follows from lines, threads and radices. */
static mfft_status fit(mfft_kernel *k, const mfft_device_limits *limits) {
  shared_memory(k);
  if (k->tile.shared_bytes > limits->shared_bytes)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "cuda: a block of %d lines of %d elements needs %d bytes of shared memory, %d exist", k->chain.lines,
                     k->chain.n, k->tile.shared_bytes, limits->shared_bytes);
  bound_by_values(k, limits);
  return MFFT_SUCCESS;
}

static void take_chain(mfft_kernel *k, const mfft_chain *chain) {
  k->chain.merges = chain->merges;
  memcpy(k->chain.radix, chain->radix, sizeof k->chain.radix);
  k->chain.lines = chain->lines;
  k->chain.threads = chain->threads;
}

int mfft_chain_fits(const mfft_kernel *k, const mfft_device_limits *limits, const mfft_chain *chain) {
  mfft_kernel made = *k;
  take_chain(&made, chain);
  shared_memory(&made);
  return made.chain.lines * made.chain.threads <= limits->threads && made.tile.shared_bytes <= limits->shared_bytes;
}

mfft_status mfft_kernel_by_chain(mfft_kernel *k, const mfft_device_limits *limits, const mfft_chain *chain) {
  take_chain(k, chain);
  return fit(k, limits);
}

/* Real lines that a thread has whole are one butterfly of halves.cuh, which knows all lengths, but for powers of two. */
static int one_butterfly(const mfft_kernel *k) {
  return k->chain.threads == 1 && !k->named && !k->mirror && paired_merge(k, k->chain.merges) >= 0 && !is_power(k->chain.n);
}

int64_t mfft_rest_of_length(int64_t n) {
  static const int primes[] = {2, 3, 5, 7, 11, 13}; /* [6] */
  for (int i = 0; i < 6; i++)
    while (n % primes[i] == 0) n /= primes[i];
  return n;
}

int mfft_has_whole_lines(const mfft_kernel *k) {
  const int half = paired_merge(k, 1) >= 0, complex = k->in.form == MFFT_FORM_COMPLEX && k->out.form == MFFT_FORM_COMPLEX;
  const int wide = wide_real(k->precision), most = half ? WHOLE_REAL : !complex ? 0 : wide ? WHOLE_DOUBLE : WHOLE_SINGLE;
  if (k->engine != MFFT_ENGINE_BUTTERFLY || (!wide && k->precision != MFFT_SINGLE) || k->named || k->mirror ||
      k->twiddle.loop)
    return 0;
  if (k->in.map != MFFT_MAP_ELEMENT || k->out.map != MFFT_MAP_ELEMENT) return 0;
  return k->chain.n <= most && !is_power(k->chain.n) && mfft_rest_of_length(k->chain.n) == 1;
}

static void take_whole(mfft_kernel *k) {
  k->chain.threads = 1;
  for (int i = 0; i < MFFT_MAX_MERGES; i++) k->chain.radix[i] = 1;
  k->chain.merges = 1;
  k->chain.radix[0] = k->chain.n;
}

mfft_status mfft_kernel_shape(mfft_kernel *k, const mfft_device_limits *limits, int wanted_lines, int64_t lines) {
  for (int i = k->named ? k->chain.merges : 0; i < MFFT_MAX_MERGES; i++) k->chain.radix[i] = 1;
  if (k->engine == MFFT_ENGINE_SPLIT) return mfft_split_shape(k, limits, wanted_lines, lines);
  if (k->engine == MFFT_ENGINE_TENSOR) return mfft_tensor_shape(k, limits, wanted_lines, lines);
  if (wanted_lines > lines) wanted_lines = (int)lines;
  if (wanted_lines < 1) wanted_lines = 1;
  search s = {.kernel = k, .most_values = 32, .best = INFINITY, .lines = wanted_lines, .long_radix = long_radix(k)};
  s.most_threads = limits->threads / wanted_lines;
  int direct = (k->in.map == MFFT_MAP_ELEMENT && !k->in.staging) || (k->out.map == MFFT_MAP_ELEMENT && !k->out.staging);
  s.least_threads = direct && k->chain.n >= 16 ? 4 : 1; /* at least a sector a line */
  for (int i = 0; i < MFFT_MAX_MERGES; i++) s.radix[i] = s.best_radix[i] = 1;
  const int whole = k->in.staging && k->out.staging && mfft_has_whole_lines(k);
  if (whole) {
    take_whole(k);
  } else {
    find_chain(&s);
    if (s.best == INFINITY && s.least_threads > 1) {
      s.least_threads = 1;
      find_chain(&s);
    }
    if (s.best == INFINITY) return no_chain(k, wanted_lines);
    k->chain.merges = s.best_merges;
    k->chain.threads = s.best_threads;
    memcpy(k->chain.radix, s.best_radix, sizeof k->chain.radix);
    if (one_butterfly(k) || mfft_odd_whole(k)) take_whole(k);
  }

  /* As many lines as make a good block, but not so many that multiprocessors stay idle. */
  int64_t elements = block_elements(k->precision);
  const int of_whole = k->chain.n < 8 ? 128 : 64, of_pairs = values_of(k) > 10 ? 128 : 160;
  const int target = k->engine == MFFT_ENGINE_ODD ? mfft_odd_block(k) : whole ? of_whole : rounds_once(k) ? of_pairs : 256;
  k->chain.lines = wanted_lines;
  while (k->chain.lines * k->chain.threads * 2 <= target &&
         (int64_t)held(k, k->chain.radix, k->chain.merges) * sides(k) * k->chain.lines * 2 <= elements &&
         (lines / (k->chain.lines * 2) >= 264 || k->chain.lines * k->chain.threads < 32)) {
    k->chain.lines *= 2;
    shared_memory(k);
    if (k->tile.shared_bytes <= limits->shared_bytes) continue;
    k->chain.lines /= 2;
    break;
  }
  return fit(k, limits);
}
