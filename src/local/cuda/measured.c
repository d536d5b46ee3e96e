/* measured.c: what was measured on an H200 to be faster than the costs of shape.c say (docs/performance.md). */
#include "local/cuda/shape.h"

typedef enum reach { ANYWHERE, IN_CACHE, IN_MEMORY } reach;

static const struct {
  mfft_precision precision;
  mfft_map map;
  reach reach;
  int turned; /* also where lines are turned between passes, and so stored another way than they are loaded */
  mfft_chain chain;
} fastest[] = {
    {MFFT_DOUBLE, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {128, {4, 4, 8, 1, 1, 1, 1, 1}, 3, 16, 16}},
    {MFFT_SINGLE, MFFT_MAP_ELEMENT, ANYWHERE, 0, {8192, {32, 16, 16, 1, 1, 1, 1, 1}, 3, 1, 256}},
    {MFFT_SINGLE, MFFT_MAP_LINE, IN_CACHE, 1, {512, {32, 16, 1, 1, 1, 1, 1, 1}, 2, 16, 16}},
    {MFFT_SINGLE, MFFT_MAP_LINE, IN_CACHE, 0, {1024, {32, 32, 1, 1, 1, 1, 1, 1}, 2, 8, 32}},
    {MFFT_SINGLE, MFFT_MAP_LINE, IN_MEMORY, 0, {512, {32, 16, 1, 1, 1, 1, 1, 1}, 2, 32, 16}}, /* 256 bytes together */
};

/* Complex numbers in and out, and nothing done to them on the way but the merges and the turn. */
static int plain(const mfft_kernel *k) {
  return k->engine == MFFT_ENGINE_BUTTERFLY && k->load == MFFT_FORM_COMPLEX && k->store == MFFT_FORM_COMPLEX && !k->shares &&
         !k->mirror;
}

static reach reach_of(const mfft_device_limits *limits) { return limits->segment_bytes < 128 ? IN_CACHE : IN_MEMORY; }

const mfft_chain *mfft_measured_chain(const mfft_kernel *k, const mfft_device_limits *limits, int64_t lines) {
  if (k->named || !plain(k)) return NULL;
  const int turned = k->outer || k->map_out != k->map_in;
  for (size_t i = 0; i < sizeof fastest / sizeof *fastest; i++) {
    const mfft_chain *chain = &fastest[i].chain;
    if (fastest[i].precision != k->precision || chain->n != k->n) continue;
    if (k->map_in != fastest[i].map || (turned && !fastest[i].turned)) continue;
    if (fastest[i].reach != ANYWHERE && fastest[i].reach != reach_of(limits)) continue;
    if (lines < (int64_t)chain->lines * limits->sms) continue; /* some multiprocessors would be idle */
    if (chain->lines * chain->threads <= limits->threads) return chain;
  }
  return NULL;
}

int mfft_fetches(const mfft_kernel *k, const mfft_device_limits *limits) {
  return plain(k) && k->min_blocks == 1 && k->map_in == MFFT_MAP_ELEMENT && k->unit_in && !k->staged_in &&
         reach_of(limits) == IN_MEMORY;
}
