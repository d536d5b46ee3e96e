/* odd_rules.c: see odd_rules.h. */
#include "local/cuda/tuned/odd_rules.h"

static int to_reals(const mfft_kernel *k) { return k->out.form == MFFT_FORM_REAL; }

int mfft_odd_whole(const mfft_kernel *k) {
  return k->engine == MFFT_ENGINE_ODD && !k->named && k->chain.n <= (is_double(k->precision) ? 27 : 33);
}

static int has(const mfft_kernel *k, int factor) { return k->chain.n % factor == 0; }

/* Whether a line of doubles whose roots between merges have two parts merges 25 at once, with such roots inside the
 * butterfly too (15625).  Shorter lines are slower by it (125, 625), or their error exceeds cuFFT's (3125). */
static int merges_25(const mfft_kernel *k) {
  enum { SHORTER = 4096 };
  return is_double(k->precision) && to_reals(k) && k->exact == MFFT_EXACT_PARTS && k->chain.n > SHORTER && !has(k, 7);
}

int mfft_odd_takes(const mfft_kernel *k, int reals) {
  return (reals != 25 && reals != 27) || !is_double(k->precision) || !to_reals(k) || /* their error is larger */
         (reals == 25 && merges_25(k));
}

int mfft_odd_takes_composite(const mfft_kernel *k, int radix) {
  return k->engine == MFFT_ENGINE_ODD && radix == 25 && merges_25(k);
}

int mfft_odd_block(const mfft_kernel *k) { return k->chain.n < 5 ? 256 : mfft_odd_whole(k) && k->chain.n >= 15 ? 64 : 128; }

int mfft_odd_full_block(const mfft_kernel *k) {
  enum { WARP = 32, FULL = 256 };
  const int threads = k->chain.threads, lanes = (threads + WARP - 1) / WARP * WARP;
  const int idle = threads > 2 * WARP && 4 * threads < 3 * lanes;
  return idle && !is_double(k->precision) && !mfft_odd_whole(k) ? FULL : 0;
}

static int power_of(int n, int prime) {
  while (n % prime == 0) n /= prime;
  return n == 1;
}

mfft_exact mfft_odd_exact(const mfft_kernel *k) {
  const int n = k->chain.n;
  if (!to_reals(k)) return MFFT_EXACT_NOT;
  if (!is_double(k->precision)) /* merges of 25 and 27 reals have more error; in other lines of them cuFFT has, too */
    return n > 256 && n < 512 && (has(k, 25) || has(k, 27)) ? MFFT_EXACT_PARTS : MFFT_EXACT_NOT;
  if (n < 25) return MFFT_EXACT_NOT;
  if (n >= 1000)
    return power_of(n, 5) || power_of(n, 7) ? MFFT_EXACT_PARTS : power_of(n, 11) ? MFFT_EXACT_ROOTS : MFFT_EXACT_NOT;
  if (!has(k, 5) && !has(k, 7)) return MFFT_EXACT_NOT;
  return n > 100 && n != 343 && !has(k, 11) && !has(k, 13) ? MFFT_EXACT_PARTS : MFFT_EXACT_ONCE;
}

mfft_products mfft_odd_products(const mfft_kernel *k) {
  const int n = k->chain.n, sevens = n > 300 && power_of(n, 7);
  if (!is_double(k->precision)) return sevens ? MFFT_PRODUCTS_MORE : MFFT_PRODUCTS_USUAL;
  const int faster = to_reals(k) ? n > 1000 && power_of(n, 3) : sevens || n > 1000;
  return faster ? MFFT_PRODUCTS_MORE : MFFT_PRODUCTS_USUAL;
}

int mfft_odd_stages(const mfft_kernel *k) {
  if (k->out.map != MFFT_MAP_ELEMENT || k->chain.n >= 200) return 0;
  return !to_reals(k) || k->chain.threads < k->chain.n / k->chain.radix[k->chain.merges - 1];
}

int mfft_odd_fetches(const mfft_kernel *k) {
  const int lines = k->in.map == MFFT_MAP_ELEMENT && k->in.unit;
  return lines && k->chain.n >= (to_reals(k) ? 200 : 600) ? 2 : 0;
}
