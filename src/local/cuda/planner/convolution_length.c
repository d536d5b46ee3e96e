/* convolution_length.c: the length of a convolution for Bluestein's algorithm; see convolution_length.h. */
#include "local/cuda/planner/convolution_length.h"

#include <math.h>
#include <string.h>

#include "base/primes.h"
#include "local/cuda/engines/chain.h"
#include "local/cuda/planner/rader.h"
#include "local/cuda/tuned/butterfly_rules.h"
#include "local/cuda/tuned/convolution_rules.h"
#include "local/cuda/tuned/rader_rules.h"

/* The shortest lengths that are products of small primes. */
enum { MOST_LENGTHS = 24 };
typedef struct candidates {
  int64_t least, unit;     /* no length is shorter; each is a multiple of `unit` */
  int64_t m[MOST_LENGTHS]; /* [count] ascending */
  int count;
} candidates;

static void keep(candidates *c, int64_t m) {
  int at = c->count;
  while (at > 0 && c->m[at - 1] > m) at--;
  if (at == MOST_LENGTHS || (at > 0 && c->m[at - 1] == m)) return;
  if (c->count < MOST_LENGTHS) c->count++;
  memmove(&c->m[at + 1], &c->m[at], (size_t)(c->count - 1 - at) * sizeof *c->m);
  c->m[at] = m;
}

/* Adds all products of m and of the primes from primes[prime] on, from the least length to twice that. */
static void grow(candidates *c, int64_t m, int prime) {
  static const int primes[] = {13, 11, 7, 5, 3, 2}; /* [6] */
  if (m >= 2 * c->least) return;
  if (prime < 6) {
    grow(c, m, prime + 1);
    grow(c, m * primes[prime], prime);
  } else if (m >= c->least && m % c->unit == 0) {
    keep(c, m);
  }
}

/* Instructions of a transform of lines of n elements, of which a block has so many, for each element; with those of idle
 * lanes. */
static double instructions_of(const mfft_convolution_request *r, mfft_engine_id engine, int64_t n, int lines) {
  mfft_kernel k = {.engine = engine, .precision = r->precision, .chain.n = (int)n};
  return mfft_chain_search(&k, r->limits, lines);
}

/* Cost of a line in a block. */
static double cost_in_block(const mfft_convolution_request *r, int64_t m) {
  return (double)m * instructions_of(r, MFFT_ENGINE_CONVOLUTION, m, 1);
}

/* The same by Rader's algorithm, which loads and stores through shared memory: that is an exchange more for each transform.
 */
static double cost_by_rader(const mfft_convolution_request *r) {
  mfft_kernel k = {.engine = MFFT_ENGINE_RADER, .precision = r->precision, .chain.n = (int)r->n - 1};
  k.in.staging = k.out.staging = MFFT_STAGED;
  const double exchanges = mfft_rader_cost_for(r->precision)->counted.exchange - mfft_butterfly_counted.exchange;
  const double cost = mfft_chain_search(&k, r->limits, 1) - exchanges * k.chain.merges; /* counted as those of Bluestein's */
  return (double)(r->n - 1) * (cost + mfft_butterfly_counted.exchange);
}

static void try_rader(const mfft_convolution_request *r, mfft_convolution_plan *plan) {
  const double cost = mfft_rader_is_slow(r->precision, r->n) ? INFINITY : cost_by_rader(r);
  if ((plan->m && cost >= plan->cost) || cost == INFINITY) return;
  *plan = (mfft_convolution_plan){.m = r->n - 1, .parts = 1, .factor = {r->n - 1}, .rader = 1, .cost = cost};
}

/* Elements that all passes read and write: n and m in the first and the last, m in the others. */
static double cost_of_passes(int64_t n, int64_t m, int parts) { return 2 * (double)n + 4 * (double)m * (parts - 1); }

/* A convolution of contiguous lines in one block, in the length that was measured to take the least time. */
static void try_measured(const mfft_convolution_request *r, mfft_convolution_plan *plan) {
  const mfft_convolution_block *block = mfft_convolution_block_for(r->precision, r->of_reals, 2 * r->n - 1);
  if (!r->rows || !block || block->chain.n > r->usual) return;
  const int64_t m = block->chain.n;
  *plan = (mfft_convolution_plan){.m = m, .parts = 1, .factor = {m}, .cost = cost_in_block(r, m)};
}

/* A convolution in one block.  If it is longer than other lines of a block, its length is a multiple of LONG_UNIT: other
 * lengths take radices for which the registers of so many threads do not suffice. */
static void try_in_block(const mfft_convolution_request *r, mfft_convolution_plan *plan) {
  enum { LONG_UNIT = 2048 };
  candidates c = {.least = 2 * r->n - 1, .unit = 2 * r->n - 1 > r->usual ? LONG_UNIT : 1};
  if (c.least > r->alone) return;
  grow(&c, 1, 0);
  for (int i = 0; i < c.count && c.m[i] <= r->alone; i++) {
    const double cost = cost_in_block(r, c.m[i]);
    if (plan->m && cost >= plan->cost) continue;
    if (cost < INFINITY) *plan = (mfft_convolution_plan){.m = c.m[i], .parts = 1, .factor = {c.m[i]}, .cost = cost};
  }
}

/* A convolution in several passes, of the shortest length with as few passes as there can be. */
static void try_passes(const mfft_convolution_request *r, mfft_convolution_plan *plan) {
  candidates c = {.least = 2 * r->n - 1, .unit = 16};
  grow(&c, 1, 0);
  for (int i = 0; i < c.count; i++)
    for (int parts = 2; parts <= MFFT_MAX_FACTORS; parts++) {
      int64_t factor[MFFT_MAX_FACTORS];
      const double cost = cost_of_passes(r->n, c.m[i], parts);
      if (plan->m && cost >= plan->cost) break;
      if (!mfft_split_into(c.m[i], parts, r->part, factor)) continue;
      *plan = (mfft_convolution_plan){.m = c.m[i], .parts = parts, .cost = cost};
      memcpy(plan->factor, factor, sizeof factor);
    }
}

/* ---- Two passes ------------------------------------------------------------------------------------------------------- */

/* Lengths of two passes are multiples of these, so that segments of memory are aligned, and neither is longer than SPREAD
 * times the other. */
enum { FIRST_UNIT = 64, SECOND_UNIT = 8, SPREAD = 4 };

/* Whether butterflies have a length for which they are fast. */
static int is_smooth(int64_t n) { return mfft_largest_prime(n) <= 13; }

static int64_t round_up(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

/* Chooses the two lengths again, among those whose product is a little longer at most, by the bytes and instructions of all
 * passes: a length that is a power of two is worth a few more elements. */
static void choose_pair(const mfft_convolution_request *r, mfft_convolution_plan *plan) {
  const mfft_tuned_cost *tuned = &mfft_tuned_for(r->limits)->cost;
  const int64_t least = 2 * r->n - 1, most = (int64_t)((double)least * tuned->convolution_excess);
  double best = INFINITY;
  for (int64_t first = FIRST_UNIT; first <= r->part; first += FIRST_UNIT) {
    if (first * first * SPREAD < least || first * first > least * SPREAD || !is_smooth(first)) continue;
    const double of_first = instructions_of(r, MFFT_ENGINE_CONVOLUTION, first, r->lines);
    int64_t second = round_up((least + first - 1) / first, SECOND_UNIT);
    for (; second <= r->part && first * second <= most; second += SECOND_UNIT) {
      const int64_t m = first * second;
      if (!is_smooth(second)) continue;
      const double instructions = of_first + instructions_of(r, MFFT_ENGINE_CONVOLUTION, second, r->lines),
                   bytes = cost_of_passes(r->n, m, 2),
                   cost = bytes + tuned->convolution_instruction * (double)m * instructions;
      if (cost >= best) continue;
      best = cost;
      *plan = (mfft_convolution_plan){.m = m, .parts = 2, .factor = {first, second}, .cost = bytes};
    }
  }
}

void mfft_convolution_choose(const mfft_convolution_request *r, mfft_convolution_plan *plan) {
  *plan = (mfft_convolution_plan){0};
  try_measured(r, plan);
  if (!plan->m) try_in_block(r, plan);
  if (r->by_rader && r->n <= r->usual && mfft_rader_suits(r->n)) try_rader(r, plan);
  if (plan->m) {
    plan->cost = 2 * (double)r->n;
    return;
  }
  try_passes(r, plan);
  if (plan->parts == 2) choose_pair(r, plan);
}
