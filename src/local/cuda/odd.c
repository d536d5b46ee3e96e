/* odd.c: see odd.h. */
#include "local/cuda/odd.h"

static int is_double(const mfft_kernel *k) { return k->precision == MFFT_DOUBLE; }
static int to_reals(const mfft_kernel *k) { return k->store == MFFT_FORM_REAL; }

int mfft_odd_whole(const mfft_kernel *k) {
  return k->engine == MFFT_ENGINE_ODD && !k->named && k->n <= (is_double(k) ? 27 : 33);
}

int mfft_odd_reals(const mfft_kernel *k) { return is_double(k) && to_reals(k) ? 21 : 27; } /* 25 and 27 have more error */

int mfft_odd_block(const mfft_kernel *k) { return k->n < 5 ? 256 : mfft_odd_whole(k) && k->n >= 15 ? 64 : 128; }

int mfft_odd_exact(const mfft_kernel *k) {
  return is_double(k) && to_reals(k) && k->n >= 25 && k->n < 1000 && (k->n % 5 == 0 || k->n % 7 == 0);
}

int mfft_odd_stages(const mfft_kernel *k) {
  if (k->map_out != MFFT_MAP_ELEMENT || k->n >= 200) return 0;
  return !to_reals(k) || k->threads < k->n / k->radix[k->merges - 1];
}

int mfft_odd_fetches(const mfft_kernel *k) {
  const int lines = k->map_in == MFFT_MAP_ELEMENT && k->unit_in;
  return lines && k->n >= (to_reals(k) ? 200 : 600) ? 2 : 0;
}
