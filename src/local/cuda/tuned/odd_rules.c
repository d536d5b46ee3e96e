/* odd_rules.c: see odd_rules.h. */
#include "local/cuda/tuned/odd_rules.h"

#include <stddef.h>

static int to_reals(const mfft_kernel *k) { return k->out.form == MFFT_FORM_REAL; }

int mfft_odd_whole(const mfft_kernel *k) {
  const int n = k->chain.n, of_doubles = n <= 27 || n == 29 || n == 31;
  return k->engine == MFFT_ENGINE_ODD && !k->named && (is_double(k->precision) ? of_doubles : n <= 33);
}

/* A chain of contiguous lines, with what makes it fast. */
typedef struct odd_row {
  mfft_precision precision;
  int to_reals;
  mfft_chain chain;
  int loads, stores; /* 1: copied through shared memory as one piece */
  int fetches;       /* blocks of each multiprocessor ahead whose lines are prefetched; 0: none */
  int compact;       /* 1: no bound of registers */
  int shares;        /* 1: twiddles of later merges in shared memory */
  mfft_products products;
} odd_row;
static const odd_row rows[] = {
    {MFFT_SINGLE, 1, {625, {25, 25, 1, 1, 1, 1, 1, 1}, 2, 7, 13}, 1, 1, 0, 1, 0, MFFT_PRODUCTS_MORE},
    {MFFT_SINGLE, 1, {729, {3, 9, 27, 1, 1, 1, 1, 1}, 3, 3, 42}, 1, 0, 2, 0, 0, MFFT_PRODUCTS_MORE},
    {MFFT_SINGLE, 1, {2187, {9, 9, 27, 1, 1, 1, 1, 1}, 3, 1, 126}, 0, 0, 2, 0, 1, MFFT_PRODUCTS_USUAL},
    {MFFT_SINGLE, 0, {1331, {11, 11, 11, 1, 1, 1, 1, 1}, 3, 3, 66}, 0, 1, 0, 1, 1, MFFT_PRODUCTS_USUAL},
    {MFFT_SINGLE, 0, {2187, {27, 9, 9, 1, 1, 1, 1, 1}, 3, 2, 63}, 0, 1, 0, 1, 1, MFFT_PRODUCTS_MOST},
    {MFFT_DOUBLE, 0, {169, {13, 13, 1, 1, 1, 1, 1, 1}, 2, 7, 13}, 0, 1, 0, 1, 0, MFFT_PRODUCTS_USUAL}};

static const odd_row *row_of(const mfft_kernel *k) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].precision == k->precision && rows[i].to_reals == to_reals(k) && rows[i].chain.n == k->chain.n &&
        k->in.map == MFFT_MAP_ELEMENT && k->out.map == MFFT_MAP_ELEMENT && !k->named)
      return &rows[i];
  return NULL;
}

const mfft_chain *mfft_odd_chain(const mfft_kernel *k) {
  const odd_row *row = row_of(k);
  return row ? &row->chain : NULL;
}

/* The row whose chain the kernel has, or NULL. */
static const odd_row *taken(const mfft_kernel *k) {
  const odd_row *row = row_of(k);
  if (!row || row->chain.merges != k->chain.merges || row->chain.threads != k->chain.threads ||
      row->chain.lines != k->chain.lines)
    return NULL;
  for (int i = 0; i < k->chain.merges; i++)
    if (row->chain.radix[i] != k->chain.radix[i]) return NULL;
  return row;
}

static int has(const mfft_kernel *k, int factor) { return k->chain.n % factor == 0; }

static int is_double_to_reals(const mfft_kernel *k) { return is_double(k->precision) && to_reals(k); }

/* C2R of doubles merges no 27 reals, whose error is larger, and 25 from 175 on, since 125 is slower by it. */
int mfft_odd_takes(const mfft_kernel *k, int reals) {
  enum { SHORTER = 128 };
  return !is_double_to_reals(k) || (reals != 27 && (reals != 25 || k->chain.n > SHORTER));
}

/* 15625: shorter lines are as fast without, or slower (625). */
int mfft_odd_takes_composite(const mfft_kernel *k, int radix) {
  enum { SHORTER = 4096 };
  return k->engine == MFFT_ENGINE_ODD && radix == 25 && is_double_to_reals(k) && k->chain.n > SHORTER && !has(k, 7);
}

int mfft_odd_block(const mfft_kernel *k) { return k->chain.n < 5 ? 256 : mfft_odd_whole(k) && k->chain.n >= 15 ? 64 : 128; }

int mfft_odd_full_block(const mfft_kernel *k) {
  enum { WARP = 32, FULL = 256 };
  const int threads = k->chain.threads, lanes = (threads + WARP - 1) / WARP * WARP;
  const int idle = threads > 2 * WARP && 4 * threads < 3 * lanes, sevens = k->chain.n == 343;
  return (idle || sevens) && !is_double(k->precision) && !mfft_odd_whole(k) ? FULL : 0;
}

static int power_of(int n, int prime) {
  while (n % prime == 0) n /= prime;
  return n == 1;
}

mfft_exact mfft_odd_exact(const mfft_kernel *k) {
  enum { LONGEST_ONCE = 240 };
  const int n = k->chain.n;
  if (!to_reals(k)) return MFFT_EXACT_NOT;
  if (!is_double(k->precision)) /* merges of 25 and 27 reals have more error; in other lines of them cuFFT has, too */
    return n > 256 && n < 512 && (has(k, 25) || has(k, 27)) ? MFFT_EXACT_PARTS : MFFT_EXACT_NOT;
  if (n < 25) return MFFT_EXACT_NOT;
  if (n >= 1000) {
    const int once = n == 2401 || n == 3125;
    return once ? MFFT_EXACT_ONCE : power_of(n, 11) ? MFFT_EXACT_ROOTS : MFFT_EXACT_NOT;
  }
  return n <= LONGEST_ONCE && (has(k, 5) || has(k, 7)) ? MFFT_EXACT_ONCE : MFFT_EXACT_NOT;
}

mfft_products mfft_odd_products(const mfft_kernel *k) {
  const int n = k->chain.n, sevens = n > 300 && power_of(n, 7);
  if (taken(k)) return taken(k)->products;
  if (!is_double(k->precision)) {
    if (!to_reals(k) && (n == 625 || n == 2187)) return MFFT_PRODUCTS_MOST;
    return sevens || n == 243 || (n == 225 && !to_reals(k)) ? MFFT_PRODUCTS_MORE : MFFT_PRODUCTS_USUAL;
  }
  const int faster = to_reals(k) ? n > 1000 && power_of(n, 3) : sevens || n > 1000;
  return faster ? MFFT_PRODUCTS_MORE : MFFT_PRODUCTS_USUAL;
}

static int last_butterflies(const mfft_kernel *k) { return k->chain.n / k->chain.radix[k->chain.merges - 1]; }

int mfft_odd_stages(const mfft_kernel *k) {
  if (k->out.map != MFFT_MAP_ELEMENT || k->chain.n >= 200) return 0;
  return !to_reals(k) || k->chain.threads < last_butterflies(k);
}

/* Of singles towards reals these are 4 to 5 % faster with copies of what they load than of what they store. */
static int copies_loads_alone(const mfft_kernel *k) {
  const int n = k->chain.n;
  return to_reals(k) && (n == 525 || n == 875 || n == 1225);
}

/* Singles towards half spectra take up to 15 % less time so, and towards reals to some 400 elements 3 to 35 %. */
int mfft_odd_copies_stores(const mfft_kernel *k) {
  enum { REALS = 400, MOST = 4200 };
  const int n = k->chain.n;
  if (taken(k)) return taken(k)->stores;
  return k->out.map == MFFT_MAP_ELEMENT && !is_double(k->precision) && n < (to_reals(k) ? REALS : MOST);
}

/* Short singles towards reals whose threads have one of the last butterflies each, and 243, take up to 16 % less time so
 * too. */
int mfft_odd_copies_loads(const mfft_kernel *k) {
  enum { SHORT = 200 };
  if (taken(k)) return taken(k)->loads;
  if (k->in.map != MFFT_MAP_ELEMENT || is_double(k->precision) || !to_reals(k)) return 0;
  return copies_loads_alone(k) || k->chain.n == 243 || (k->chain.n < SHORT && k->chain.threads >= last_butterflies(k));
}

int mfft_odd_compact(const mfft_kernel *k) {
  return taken(k) ? taken(k)->compact : k->chain.n == 343 && !is_double(k->precision);
}

int mfft_odd_shares_twiddles(const mfft_kernel *k) {
  const int n = k->chain.n;
  if (taken(k)) return taken(k)->shares;
  if (is_double(k->precision)) return 0;
  return to_reals(k) ? n == 2187 : n == 729 || n == 1001 || n == 2197 || n == 3125;
}

int mfft_odd_fetches(const mfft_kernel *k) {
  if (taken(k)) return taken(k)->fetches;
  const int lines = k->in.map == MFFT_MAP_ELEMENT && k->in.unit;
  return lines && k->chain.n >= (to_reals(k) ? 200 : 600) ? 2 : 0;
}
