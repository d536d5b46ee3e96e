/* convolution_length.c: the length of a convolution for Bluestein's algorithm; see convolution_length.h. */
#include "local/cuda/planner/convolution_length.h"

#include <math.h>
#include <string.h>

#include "local/cuda/engines/chain.h"
#include "local/cuda/planner/rader.h"
#include "local/cuda/tuned/butterfly_rules.h"

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

/* Cost of a line in a block: the instructions of its two transforms, with those of idle lanes. */
static double cost_in_block(mfft_precision precision, const mfft_device_limits *limits, int64_t m) {
  mfft_kernel k = {.engine = MFFT_ENGINE_CONVOLUTION, .precision = precision, .chain.n = (int)m};
  return (double)m * mfft_chain_search(&k, limits, 1);
}

/* The same by Rader's algorithm, which loads and stores through shared memory: that is an exchange more for each transform.
 */
static double cost_by_rader(mfft_precision precision, const mfft_device_limits *limits, int64_t n) {
  mfft_kernel k = {.engine = MFFT_ENGINE_RADER, .precision = precision, .chain.n = (int)n - 1};
  return (double)(n - 1) * (mfft_chain_search(&k, limits, 1) + mfft_butterfly_counted.exchange);
}

static void try_rader(mfft_precision precision, const mfft_device_limits *limits, int64_t n, mfft_convolution_plan *plan) {
  const double cost = cost_by_rader(precision, limits, n);
  if ((plan->m && cost >= plan->cost) || cost == INFINITY) return;
  *plan = (mfft_convolution_plan){.m = n - 1, .parts = 1, .factor = {n - 1}, .rader = 1, .cost = cost};
}

/* Elements that all passes read and write: n and m in the first and the last, m in the others. */
static double cost_of_passes(int64_t n, int64_t m, int parts) { return 2 * (double)n + 4 * (double)m * (parts - 1); }

static void try_in_block(mfft_precision precision, const mfft_device_limits *limits, const candidates *c, int64_t alone,
                         mfft_convolution_plan *plan) {
  for (int i = 0; i < c->count && c->m[i] <= alone; i++) {
    const double cost = cost_in_block(precision, limits, c->m[i]);
    if (plan->m && cost >= plan->cost) continue;
    if (cost < INFINITY) *plan = (mfft_convolution_plan){.m = c->m[i], .parts = 1, .factor = {c->m[i]}, .cost = cost};
  }
}

static void try_passes(const candidates *c, int64_t n, int64_t part, mfft_convolution_plan *plan) {
  for (int i = 0; i < c->count; i++)
    for (int parts = 2; parts <= MFFT_MAX_FACTORS; parts++) {
      int64_t factor[MFFT_MAX_FACTORS];
      const double cost = cost_of_passes(n, c->m[i], parts);
      if (plan->m && cost >= plan->cost) break;
      if (!mfft_split_into(c->m[i], parts, part, factor)) continue;
      *plan = (mfft_convolution_plan){.m = c->m[i], .parts = parts, .cost = cost};
      memcpy(plan->factor, factor, sizeof factor);
    }
}

void mfft_convolution_choose(mfft_precision precision, const mfft_device_limits *limits, int64_t n, int64_t alone,
                             int64_t part, int by_rader, mfft_convolution_plan *plan) {
  candidates any = {.least = 2 * n - 1, .unit = 1}, aligned = {.least = 2 * n - 1, .unit = 16};
  *plan = (mfft_convolution_plan){0};
  if (any.least <= alone) {
    grow(&any, 1, 0);
    try_in_block(precision, limits, &any, alone, plan);
  }
  if (by_rader && n <= alone && mfft_rader_suits(n)) try_rader(precision, limits, n, plan);
  if (plan->m) {
    plan->cost = 2 * (double)n;
    return;
  }
  grow(&aligned, 1, 0);
  try_passes(&aligned, n, part, plan);
}
