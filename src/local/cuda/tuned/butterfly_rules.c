/* butterfly_rules.c: see butterfly_rules.h. */
#include "local/cuda/tuned/butterfly_rules.h"

#include <limits.h>

#include "local/cuda/tuned/odd_rules.h"
#include "local/cuda/tuned/rader_rules.h"

int mfft_butterfly_whole_half(void) { return 31; }

int mfft_is_long_prime(int n) {
  static const char is_long[33] = {[17] = 1, [19] = 1, [23] = 1, [29] = 1, [31] = 1}; /* [n] */
  return n <= 32 && is_long[n];
}

int mfft_butterfly_is_whole_complex(const mfft_kernel *k) {
  return k->chain.n <= (k->precision == MFFT_DOUBLE ? 24 : 33) || mfft_is_long_prime(k->chain.n);
}

int mfft_butterfly_longest_doubles(void) { return 10000; } /* in 1.46 passes, where two passes take 1.95 */

int mfft_butterfly_multiple_of(const mfft_kernel *k) {
  enum { LEAST_PRIME = 17, LARGE_PRIME = 29, MOST_PRIME = 31, MOST_FACTOR = 7, MOST_FACTOR_OF_LARGE = 5 };
  if (k->engine != MFFT_ENGINE_BUTTERFLY || k->in.form != MFFT_FORM_COMPLEX || k->out.form != MFFT_FORM_COMPLEX ||
      k->in.map != MFFT_MAP_ELEMENT || k->out.map != MFFT_MAP_ELEMENT || k->named || k->trigonometric || k->mirror ||
      k->twiddle.loop || (k->precision != MFFT_SINGLE && k->precision != MFFT_DOUBLE))
    return 0;
  for (int prime = LEAST_PRIME; prime <= MOST_PRIME; prime++) {
    const int most = prime < LARGE_PRIME ? MOST_FACTOR : MOST_FACTOR_OF_LARGE;
    if (mfft_is_long_prime(prime) && k->chain.n % prime == 0 && k->chain.n > prime && k->chain.n <= most * prime)
      return prime;
  }
  return 0;
}

int mfft_butterfly_staged_most(const mfft_kernel *k) {
  if (mfft_butterfly_multiple_of(k)) return k->chain.n;
  if (k->exact == MFFT_EXACT_COPRIME) return k->chain.n;
  if (k->precision == MFFT_DOUBLE) return k->exact == MFFT_EXACT_ONCE ? 16 : 15;
  return k->precision == MFFT_SINGLE ? 24 : 32;
}

/* Doubles of half spectra that are rounded once take more registers, and are best in small blocks. */
static int rounded_once(const mfft_kernel *k) {
  return k->engine == MFFT_ENGINE_BUTTERFLY && k->exact >= MFFT_EXACT_ONCE && is_double(k->precision) &&
         !is_power(k->chain.n) && k->chain.merges > 1;
}

static int has_complex_ends(const mfft_kernel *k) {
  return k->engine == MFFT_ENGINE_BUTTERFLY && k->in.form == MFFT_FORM_COMPLEX && k->out.form == MFFT_FORM_COMPLEX &&
         !k->trigonometric && !k->mirror;
}

int mfft_butterfly_leaves_cache(const mfft_kernel *k) {
  return k->engine == MFFT_ENGINE_BUTTERFLY && is_double(k->precision) && mfft_is_long_prime(k->chain.n) && k->in.staging &&
         k->out.staging && !k->trigonometric && !k->mirror;
}

int mfft_butterfly_threads(const mfft_kernel *k, int whole, int values) {
  if (k->engine == MFFT_ENGINE_RADER) return MFFT_RADER_THREADS;
  if (whole && mfft_butterfly_leaves_cache(k)) return k->chain.n < 31 ? 128 : 64;
  const int stream = mfft_is_long_prime(k->chain.n) && has_complex_ends(k);
  if (whole) return k->chain.n < 8 || stream ? 128 : 64;
  return !rounded_once(k) ? 256 : values > 10 ? 128 : 160;
}

/* Whether a merge is of a long prime. */
static int has_long_prime(const mfft_kernel *k) {
  for (int i = 0; i < k->chain.merges; i++)
    if (mfft_is_long_prime(k->chain.radix[i])) return 1;
  return 0;
}

/* Whether a thread stores the results of a long prime through shared memory as they are computed. */
static int streams_results(const mfft_kernel *k) {
  return k->chain.merges == 1 && mfft_is_long_prime(k->chain.n) && k->in.staging && k->out.staging &&
         (has_complex_ends(k) || k->engine == MFFT_ENGINE_ODD || (is_double(k->precision) && !k->trigonometric));
}

/* Complex doubles are transformed by their parts, of which the inputs and all sums take as many registers as one of both. */
static int registers_of_stream(const mfft_kernel *k, int words) {
  enum { LEAST = 96 };
  if (k->engine == MFFT_ENGINE_ODD) return words + 56;
  return !is_double(k->precision) ? words + 32 : words + 8 > LEAST ? words + 8 : LEAST;
}

/* Whether a pass is of complex strided lines of a whole axis. */
static int is_plain_strided(const mfft_kernel *k) {
  return k->in.map == MFFT_MAP_LINE && k->out.map == MFFT_MAP_LINE && k->engine == MFFT_ENGINE_BUTTERFLY &&
         k->in.form == MFFT_FORM_COMPLEX && k->out.form == MFFT_FORM_COMPLEX && !k->twiddle.loop && !k->bluestein.steps &&
         !k->trigonometric && !k->convolved && !k->mirror;
}

/* Whether it is the first or the last pass of Bluestein's algorithm, over strided lines. */
static int is_padded_strided(const mfft_kernel *k) {
  return (k->in.map == MFFT_MAP_LINE || k->out.map == MFFT_MAP_LINE) && k->engine == MFFT_ENGINE_BUTTERFLY &&
         k->in.form == MFFT_FORM_COMPLEX && k->out.form == MFFT_FORM_COMPLEX &&
         k->bluestein.steps & (MFFT_BLUESTEIN_LOAD | MFFT_BLUESTEIN_STORE);
}

/* The registers of the values, and some more for intermediate results. */
int mfft_butterfly_registers(const mfft_kernel *k, int values) {
  if (k->engine == MFFT_ENGINE_RADER) {
    const int rows = k->in.map == MFFT_MAP_ELEMENT && k->out.map == MFFT_MAP_ELEMENT;
    return mfft_rader_registers(k->precision, values, rows, has_long_prime(k));
  }
  const int words = is_double(k->precision) ? 4 * values : 2 * values;
  if (streams_results(k)) return registers_of_stream(k, words);
  if (mfft_odd_whole(k)) return 48 + 2 * words; /* the reals of a line, and the complexes that they become */
  if (words <= 32 && k->chain.lines * k->chain.threads > 256) return 64;
  if (has_long_prime(k) && has_complex_ends(k) && !is_double(k->precision))
    return words + 56; /* sums and differences, of which results are stored at once */
  if (has_long_prime(k)) return words < 96 ? 56 + 2 * words : 248; /* sums, differences and results (t801) */
  if (rounded_once(k)) return values <= 10 ? 120 : values <= 16 ? 168 : 224;
  if (k->engine == MFFT_ENGINE_CONVOLUTION && words > 64 && is_double(k->precision)) return 255;
  /* Half of the inputs of the first pass are zero, and half of the results of the last one are not stored. */
  if (is_padded_strided(k) && words > 32) return words + (is_double(k->precision) ? 64 : 36);
  return words <= 16 ? 48 : words <= 32 ? 72 : words <= 64 ? 120 : 168;
}

int mfft_butterfly_enough_registers(const mfft_kernel *k, int values, int blocks, int cached) {
  static const int beside[] = {[2] = 36, [3] = 26}; /* [blocks] registers beside those of the values */
  if ((!is_plain_strided(k) && !is_padded_strided(k)) || is_sixteen_bit(k->precision) || is_power(k->chain.n) ||
      (blocks == 3 && !cached))
    return INT_MAX;
  return (is_double(k->precision) ? 4 : 2) * values + beside[blocks];
}

int mfft_cluster_registers(int value_bytes) { return value_bytes > 128 ? 128 : 64; }

/* Strided lines of complexes gain by them at any length, if they save a merge, in single and in 16 bits. */
static int is_strided(const mfft_kernel *k) {
  return (k->in.map == MFFT_MAP_LINE || k->out.map == MFFT_MAP_LINE) && k->precision != MFFT_DOUBLE &&
         k->in.form == MFFT_FORM_COMPLEX && k->out.form == MFFT_FORM_COMPLEX;
}

int mfft_butterfly_composites(const mfft_kernel *k, int merges) {
  enum { REPLACED_MERGES = 3 };                 /* two merges of composite radices take their place */
  if (k->engine == MFFT_ENGINE_RADER) return 1; /* a merge less saves an exchange in each of the two transforms */
  if (k->engine == MFFT_ENGINE_CONVOLUTION)     /* the same */
    return merges == REPLACED_MERGES && !is_power(k->chain.n) && k->bluestein.steps && k->in.map == MFFT_MAP_LINE;
  return k->engine == MFFT_ENGINE_BUTTERFLY && !is_power(k->chain.n) && (k->chain.n > 4000 || merges >= 5 || is_strided(k));
}

/* Two composite radices are faster than three others where arithmetic takes longer than memory, so not in single. */
int mfft_butterfly_prefers_composites(const mfft_kernel *k, int plain, int composite) {
  enum { LONG = 4000 };
  if (k->chain.n > LONG || k->engine == MFFT_ENGINE_RADER) return 1;
  if (mfft_butterfly_is_fitted(k)) return composite < plain && (plain > 3 || k->precision != MFFT_SINGLE);
  return plain >= 5 || composite < plain;
}

const mfft_counted_cost mfft_butterfly_counted = {.exchange = 10,
                                                  .root = 24,
                                                  .of_value = 0.03,
                                                  .of_value_roomy = 0.005,
                                                  .large = 0.2,
                                                  .free_values = 16,
                                                  .large_threads = 512};

int mfft_butterfly_has_long_radix(const mfft_kernel *k) { return k->chain.n >= 8192 && !is_double(k->precision); }

int mfft_butterfly_is_roomy(const mfft_kernel *k, int long_radix, int composites) {
  return long_radix || composites || (k->mirror && k->in.form == MFFT_FORM_HALF_EVEN && !is_double(k->precision));
}

const mfft_fitted_cost mfft_butterfly_fitted = {.exchange = 29,
                                                .uneven_first = 0.8,
                                                .uneven = 0.03,
                                                .gaps = 0.33,
                                                .of_value = 0.02,
                                                .large = 0.15,
                                                .banks = 4,
                                                .free_values = 18,
                                                .large_threads = 512,
                                                .most_radix = 26};

int mfft_butterfly_is_mixed(const mfft_kernel *k) {
  return k->engine == MFFT_ENGINE_BUTTERFLY && !is_power(k->chain.n) && !k->named && k->in.form == MFFT_FORM_COMPLEX &&
         k->out.form == MFFT_FORM_COMPLEX && k->in.map == MFFT_MAP_ELEMENT && k->out.map == MFFT_MAP_ELEMENT &&
         !k->trigonometric;
}

static int is_plain_mixed(const mfft_kernel *k) { return mfft_butterfly_is_mixed(k) && !k->bluestein.steps; }

/* Contiguous complex lines of a precision; those of half are of bfloat16 too. */
typedef struct line_of {
  mfft_precision precision;
  int n;
} line_of;

static int is_listed(const mfft_kernel *k, const line_of *line, int lines) {
  const mfft_precision precision = k->precision == MFFT_BFLOAT16 ? MFFT_HALF : k->precision;
  for (int i = 0; i < lines; i++)
    if (line[i].precision == precision && line[i].n == k->chain.n) return 1;
  return 0;
}

static int is_one_of(const mfft_kernel *k, const line_of *line, int lines) {
  return is_listed(k, line, lines) && is_plain_mixed(k);
}

#define IS_IN(k, table)         is_one_of(k, table, sizeof(table) / sizeof *(table))
#define IS_STRIDED_IN(k, table) (is_plain_strided(k) && is_listed(k, table, sizeof(table) / sizeof *(table)))

/* Contiguous complex lines in single and double that take 2 to 20 % less time without a bound of registers; others take as
 * long or longer. */
static const line_of compact_lines[] = {
    {MFFT_SINGLE, 343},  {MFFT_SINGLE, 500},  {MFFT_SINGLE, 539},  {MFFT_SINGLE, 625},  {MFFT_SINGLE, 1925},
    {MFFT_SINGLE, 2079}, {MFFT_SINGLE, 2187}, {MFFT_SINGLE, 2401}, {MFFT_SINGLE, 2450}, {MFFT_SINGLE, 2625},
    {MFFT_SINGLE, 2640}, {MFFT_SINGLE, 3000}, {MFFT_SINGLE, 3456}, {MFFT_SINGLE, 4455}, {MFFT_SINGLE, 4550},
    {MFFT_SINGLE, 5460}, {MFFT_SINGLE, 6930}, {MFFT_SINGLE, 8190}, {MFFT_SINGLE, 8736}, {MFFT_SINGLE, 16000},
    {MFFT_DOUBLE, 625},  {MFFT_DOUBLE, 1001}, {MFFT_DOUBLE, 1375}, {MFFT_DOUBLE, 1925}, {MFFT_DOUBLE, 2002},
    {MFFT_DOUBLE, 2079}, {MFFT_DOUBLE, 2187}, {MFFT_DOUBLE, 2304}, {MFFT_DOUBLE, 2376}, {MFFT_DOUBLE, 2401},
    {MFFT_DOUBLE, 2450}, {MFFT_DOUBLE, 3000}, {MFFT_DOUBLE, 3456}, {MFFT_DOUBLE, 3780}, {MFFT_DOUBLE, 4000},
    {MFFT_DOUBLE, 4550}, {MFFT_DOUBLE, 5460}, {MFFT_DOUBLE, 9828}, {MFFT_DOUBLE, 10000}};

static int is_compact_line(const mfft_kernel *k) { return IS_IN(k, compact_lines); }

int mfft_butterfly_compact(const mfft_kernel *k) {
  const int mixed = k->engine == MFFT_ENGINE_BUTTERFLY && !is_power(k->chain.n) && !k->trigonometric && !k->bluestein.steps;
  const int to_reals = mixed && !k->mirror && k->in.form == MFFT_FORM_HALF_EVEN && k->out.form == MFFT_FORM_REAL_PAIR,
            complex = mixed && k->in.form == MFFT_FORM_COMPLEX && k->out.form == MFFT_FORM_COMPLEX;
  if (is_sixteen_bit(k->precision)) return complex;
  if (k->engine == MFFT_ENGINE_ODD && mfft_odd_compact(k)) return 1;
  return is_compact_line(k) || (k->precision == MFFT_SINGLE && (mfft_odd_whole(k) || (to_reals && k->chain.merges > 1)));
}

/* Blocks of one line, of so many threads, that are faster if another number of them fits a multiprocessor than by the
 * estimate of their registers. */
typedef struct bounded_line {
  line_of line;
  int threads, blocks;
} bounded_line;
static const bounded_line bounded_lines[] = {{{MFFT_SINGLE, 378}, 63, 21},
                                             {{MFFT_SINGLE, 3600}, 240, 4},
                                             {{MFFT_SINGLE, 3780}, 315, 3},
                                             {{MFFT_DOUBLE, 400}, 40, 12},
                                             {{MFFT_HALF, 1053}, 117, 12}};

int mfft_butterfly_bound(const mfft_kernel *k) {
  for (size_t i = 0; i < sizeof bounded_lines / sizeof *bounded_lines; i++) {
    const bounded_line *b = &bounded_lines[i];
    if (k->chain.lines == 1 && k->chain.threads == b->threads && is_one_of(k, &b->line, 1)) return b->blocks;
  }
  return 0;
}

int mfft_butterfly_may_be_early(const mfft_kernel *k) {
  return k->engine == MFFT_ENGINE_BUTTERFLY && k->exact == MFFT_EXACT_NOT && k->in.form == MFFT_FORM_COMPLEX &&
         k->out.form == MFFT_FORM_COMPLEX && !k->trigonometric && !k->bluestein.steps && k->chain.merges > 1;
}

int mfft_butterfly_may_share_twiddles(const mfft_kernel *k) {
  enum { WARP = 32, LEAST_MERGES = 3 };
  const int complex =
      k->in.form == MFFT_FORM_COMPLEX && k->out.form == MFFT_FORM_COMPLEX && k->engine == MFFT_ENGINE_BUTTERFLY;
  return (complex || k->engine == MFFT_ENGINE_ODD) && k->exact == MFFT_EXACT_NOT && !k->trigonometric &&
         !k->bluestein.steps && !k->mirror && !k->twiddle.loop && !k->hints.early && k->chain.merges >= LEAST_MERGES &&
         WARP % k->chain.threads != 0;
}

/* Contiguous complex lines that take 1 to 9 % less time if the twiddles of all merges but the first are in shared memory;
 * of others the longer ones lose blocks of a multiprocessor by it. */
static const line_of lines_of_shared_twiddles[] = {
    {MFFT_SINGLE, 250},  {MFFT_SINGLE, 312},  {MFFT_SINGLE, 320},  {MFFT_SINGLE, 330},  {MFFT_SINGLE, 343},
    {MFFT_SINGLE, 351},  {MFFT_SINGLE, 429},  {MFFT_SINGLE, 486},  {MFFT_SINGLE, 539},  {MFFT_SINGLE, 605},
    {MFFT_SINGLE, 800},  {MFFT_SINGLE, 825},  {MFFT_SINGLE, 840},  {MFFT_SINGLE, 847},  {MFFT_SINGLE, 990},
    {MFFT_SINGLE, 1000}, {MFFT_SINGLE, 1274}, {MFFT_SINGLE, 1280}, {MFFT_SINGLE, 1287}, {MFFT_SINGLE, 1296},
    {MFFT_SINGLE, 1320}, {MFFT_SINGLE, 1331}, {MFFT_SINGLE, 1344}, {MFFT_SINGLE, 1375}, {MFFT_SINGLE, 1690},
    {MFFT_SINGLE, 1755}, {MFFT_SINGLE, 1925}, {MFFT_SINGLE, 2002}, {MFFT_SINGLE, 2016}, {MFFT_SINGLE, 2079},
    {MFFT_SINGLE, 2187}, {MFFT_SINGLE, 2197}, {MFFT_SINGLE, 2376}, {MFFT_SINGLE, 2450}, {MFFT_SINGLE, 2535},
    {MFFT_SINGLE, 2574}, {MFFT_SINGLE, 2625}, {MFFT_SINGLE, 2640}, {MFFT_SINGLE, 3510}, {MFFT_SINGLE, 4095},
    {MFFT_SINGLE, 4455}, {MFFT_SINGLE, 4500}, {MFFT_SINGLE, 4550}, {MFFT_SINGLE, 5040}, {MFFT_SINGLE, 9126},
    {MFFT_SINGLE, 9828}, {MFFT_HALF, 819},    {MFFT_HALF, 1375},   {MFFT_HALF, 3328},   {MFFT_HALF, 3510},
    {MFFT_HALF, 4550},   {MFFT_HALF, 12096}};

int mfft_butterfly_shares_twiddles(const mfft_kernel *k) {
  const int faster = k->engine == MFFT_ENGINE_ODD ? mfft_odd_shares_twiddles(k) : IS_IN(k, lines_of_shared_twiddles);
  return faster && mfft_butterfly_may_share_twiddles(k);
}

/* Contiguous complex lines that take 3 to 11 % less time if the twiddles of a merge are loaded before the exchange that
 * precedes it; most others take longer, in double 5 % on average, as the twiddles hold registers. */
static const line_of early_lines[] = {{MFFT_SINGLE, 125},  {MFFT_SINGLE, 3780},  {MFFT_SINGLE, 4000},
                                      {MFFT_SINGLE, 4725}, {MFFT_SINGLE, 12000}, {MFFT_HALF, 315},
                                      {MFFT_HALF, 729},    {MFFT_HALF, 882},     {MFFT_HALF, 1800}};

int mfft_butterfly_is_early(const mfft_kernel *k) { return IS_IN(k, early_lines) && mfft_butterfly_may_be_early(k); }

int mfft_butterfly_may_take_products(const mfft_kernel *k, mfft_products products) {
  if (products == MFFT_PRODUCTS_FAST && (k->engine != MFFT_ENGINE_BUTTERFLY || !is_sixteen_bit(k->precision))) return 0;
  if (products == MFFT_PRODUCTS_COMPUTED && (k->engine != MFFT_ENGINE_BUTTERFLY || k->precision != MFFT_SINGLE)) return 0;
  return (k->engine == MFFT_ENGINE_BUTTERFLY || k->engine == MFFT_ENGINE_ODD) && k->exact == MFFT_EXACT_NOT;
}

/* Contiguous complex lines that take 1 to 17 % less time if more, or most, twiddles are products.  Their errors are 3 to 9 %
 * larger, and below those of cuFFT. */
static const line_of lines_of_more_products[] = {
    {MFFT_SINGLE, 343},  {MFFT_SINGLE, 1920}, {MFFT_SINGLE, 2450}, {MFFT_SINGLE, 3000}, {MFFT_SINGLE, 4455},
    {MFFT_SINGLE, 6930}, {MFFT_SINGLE, 8736}, {MFFT_DOUBLE, 486},  {MFFT_DOUBLE, 1375}, {MFFT_DOUBLE, 2401},
    {MFFT_DOUBLE, 3456}, {MFFT_DOUBLE, 3780}, {MFFT_DOUBLE, 4000}, {MFFT_DOUBLE, 4725}, {MFFT_DOUBLE, 5040},
    {MFFT_DOUBLE, 7680}, {MFFT_DOUBLE, 8190}, {MFFT_DOUBLE, 8736}, {MFFT_DOUBLE, 9828}, {MFFT_HALF, 1274},
    {MFFT_HALF, 1600},   {MFFT_HALF, 1755}};
static const line_of lines_of_most_products[] = {
    {MFFT_SINGLE, 1053},  {MFFT_SINGLE, 1911},  {MFFT_SINGLE, 2079},  {MFFT_SINGLE, 2187}, {MFFT_SINGLE, 2197},
    {MFFT_SINGLE, 2535},  {MFFT_SINGLE, 7680},  {MFFT_SINGLE, 8190},  {MFFT_SINGLE, 9126}, {MFFT_SINGLE, 9828},
    {MFFT_SINGLE, 10000}, {MFFT_SINGLE, 15625}, {MFFT_SINGLE, 16000}, {MFFT_HALF, 2197}};
/* Lines of 16 bits that take 1 to 14 % less time if twiddles are fast sines and cosines. */
static const line_of lines_of_fast_twiddles[] = {
    {MFFT_HALF, 96},   {MFFT_HALF, 100},  {MFFT_HALF, 144},  {MFFT_HALF, 500},  {MFFT_HALF, 1536}, {MFFT_HALF, 2000},
    {MFFT_HALF, 300},  {MFFT_HALF, 308},  {MFFT_HALF, 320},  {MFFT_HALF, 330},  {MFFT_HALF, 351},  {MFFT_HALF, 416},
    {MFFT_HALF, 420},  {MFFT_HALF, 468},  {MFFT_HALF, 486},  {MFFT_HALF, 528},  {MFFT_HALF, 560},  {MFFT_HALF, 600},
    {MFFT_HALF, 625},  {MFFT_HALF, 640},  {MFFT_HALF, 660},  {MFFT_HALF, 810},  {MFFT_HALF, 832},  {MFFT_HALF, 990},
    {MFFT_HALF, 1053}, {MFFT_HALF, 1080}, {MFFT_HALF, 1152}, {MFFT_HALF, 1296}, {MFFT_HALF, 1344}, {MFFT_HALF, 1350},
    {MFFT_HALF, 1911}, {MFFT_HALF, 2304}, {MFFT_HALF, 2450}, {MFFT_HALF, 2625}, {MFFT_HALF, 3456}, {MFFT_HALF, 4455},
    {MFFT_HALF, 4500}, {MFFT_HALF, 4725}, {MFFT_HALF, 5460}, {MFFT_HALF, 8736}, {MFFT_HALF, 9126}, {MFFT_HALF, 9828},
    {MFFT_HALF, 16000}};

/* Singles of which computing twiddles takes 1 to 3 % less time than having them in shared memory, and 2 to 8 % less than
 * loading them; their errors are 1.06 times those of loaded ones. */
static const line_of lines_of_computed_twiddles[] = {{MFFT_SINGLE, 625}, {MFFT_SINGLE, 2401}};

/* Strided lines in single of which computed twiddles, or such that are mostly products, take 1 to 5 % less time than loaded
 * ones, and those of 16 bits that take 1 to 3 % less by fast sines and cosines. */
static const line_of strided_of_computed_twiddles[] = {{MFFT_SINGLE, 480}};
static const line_of strided_of_most_products[] = {{MFFT_SINGLE, 1000}};
static const line_of strided_of_fast_twiddles[] = {{MFFT_HALF, 100}, {MFFT_HALF, 320}, {MFFT_HALF, 384}, {MFFT_HALF, 480},
                                                   {MFFT_HALF, 640}, {MFFT_HALF, 768}, {MFFT_HALF, 1000}};

mfft_products mfft_butterfly_products(const mfft_kernel *k) {
  if (!mfft_butterfly_may_take_products(k, MFFT_PRODUCTS_MORE)) return MFFT_PRODUCTS_USUAL;
  if (k->engine == MFFT_ENGINE_ODD) return mfft_odd_products(k);
  if (IS_IN(k, lines_of_more_products)) return MFFT_PRODUCTS_MORE;
  if (IS_IN(k, lines_of_computed_twiddles)) return MFFT_PRODUCTS_COMPUTED;
  if (IS_IN(k, lines_of_fast_twiddles) || IS_STRIDED_IN(k, strided_of_fast_twiddles)) return MFFT_PRODUCTS_FAST;
  if (IS_STRIDED_IN(k, strided_of_computed_twiddles)) return MFFT_PRODUCTS_COMPUTED;
  if (IS_STRIDED_IN(k, strided_of_most_products) && !k->hints.few_blocks) return MFFT_PRODUCTS_MOST;
  return IS_IN(k, lines_of_most_products) ? MFFT_PRODUCTS_MOST : MFFT_PRODUCTS_USUAL;
}

/* Contiguous complex lines that take 3 to 14 % less time without the index of the line in a block of one line.  Of others
 * the compiler then allocates other registers, by which 4000 doubles take 1.44 times as long, 8736 singles 1.2 times. */
static const line_of sole_lines[] = {{MFFT_SINGLE, 2401}, {MFFT_DOUBLE, 4500}, {MFFT_DOUBLE, 4725},
                                     {MFFT_DOUBLE, 6930}, {MFFT_DOUBLE, 8190}, {MFFT_DOUBLE, 10000}};

int mfft_butterfly_has_sole_line(const mfft_kernel *k) { return k->chain.lines == 1 && IS_IN(k, sole_lines); }

static int is_plain_single(const mfft_kernel *k) { return is_plain_mixed(k) && k->precision == MFFT_SINGLE; }

int mfft_butterfly_is_ordered(const mfft_kernel *k) {
  enum { SHORTEST = 200 };
  return is_plain_mixed(k) && k->chain.n > SHORTEST;
}

int mfft_butterfly_is_fitted(const mfft_kernel *k) {
  enum { LONGEST = 4100 };
  return mfft_butterfly_is_ordered(k) && k->chain.n <= LONGEST;
}

int mfft_butterfly_small_block(const mfft_kernel *k) {
  enum { SMALL_BLOCK = 128, SMALLEST_BLOCK = 64 };
  if (k->engine == MFFT_ENGINE_ODD) return mfft_odd_full_block(k);
  if (mfft_butterfly_multiple_of(k) && k->in.staging && k->out.staging) return SMALLEST_BLOCK;
  const int is_fitted = mfft_butterfly_is_fitted(k), plain = is_fitted || (is_plain_single(k) && !k->out.staging),
            small = plain && k->chain.merges > 1 && k->chain.threads <= SMALL_BLOCK;
  return small ? SMALL_BLOCK : 0;
}

/* Lines of doubles of two merges that take 1 to 3 % less time if their results are staged; 100 and 169 take no less. */
static const line_of staged_doubles[] = {{MFFT_DOUBLE, 49}, {MFFT_DOUBLE, 81}, {MFFT_DOUBLE, 121}, {MFFT_DOUBLE, 625}};

/* Lines of two long primes whose results are stored 3 to 9 % faster straight from registers. */
static const line_of unstaged_lines[] = {{MFFT_SINGLE, 841}, {MFFT_SINGLE, 961}};

int mfft_butterfly_stages_results(const mfft_kernel *k) {
  enum { SECTOR_ELEMENTS = 4 };
  if (IS_IN(k, unstaged_lines)) return 0;
  if (IS_IN(k, staged_doubles)) return 1;
  const int rows = k->chain.merges == 2 ? k->chain.n / k->chain.radix[1] : SECTOR_ELEMENTS;
  return is_plain_single(k) && rows % SECTOR_ELEMENTS != 0;
}

/* Rounding once takes more time on lines of few threads, so that only few lengths are rounded once; others load all roots.
 */
mfft_exact mfft_butterfly_exact(const mfft_kernel *k, int several_axes) {
  const int from = k->in.form == MFFT_FORM_HALF_EVEN, power = is_power(k->chain.n), wide = is_double(k->precision);
  if (several_axes) return wide && k->chain.n == 16 ? MFFT_EXACT_ONCE : MFFT_EXACT_NOT;
  if (k->chain.n <= 16) return wide || k->chain.n == 16 ? MFFT_EXACT_ONCE : MFFT_EXACT_NOT;
  if (power && !wide) return MFFT_EXACT_NOT;
  if (from && k->chain.n >= 32 && k->chain.n <= (power ? 256 : 480)) return MFFT_EXACT_ONCE;
  return k->chain.n <= (power ? 512 : 1024) ? MFFT_EXACT_ROOTS : MFFT_EXACT_NOT;
}
