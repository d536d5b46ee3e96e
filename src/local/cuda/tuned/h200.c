/* h200.c: what was measured on an H200 to be faster than the costs of shape.c say (docs/performance.md). */
#include "local/cuda/planner/shape.h"

typedef enum reach { ANYWHERE, IN_CACHE, IN_MEMORY, ACROSS_MEMORY /* from one array to another */ } reach;

/* What stands at the ends of lines. */
typedef enum ends { COMPLEX, TO_HALF, FROM_HALF } ends;
static const mfft_form load_of[] = {MFFT_FORM_COMPLEX, MFFT_FORM_REAL_PAIR, MFFT_FORM_HALF_EVEN}; /* [ends] */
static const mfft_form store_of[] = {MFFT_FORM_COMPLEX, MFFT_FORM_HALF_EVEN, MFFT_FORM_REAL_PAIR};

static const struct {
  mfft_precision precision;
  ends ends;
  mfft_map map;
  reach reach;
  int turned; /* also where lines are turned between passes, and so stored another way than they are loaded */
  mfft_measured is;
  int64_t whole; /* only of axes of so many elements; 0: of all */
  int complex;   /* only of complex transforms */
} fastest[] = {
    {MFFT_SINGLE, COMPLEX, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{64, {8, 8, 1, 1, 1, 1, 1, 1}, 2, 16, 8}, 2, 0}, 0, 0},
    {MFFT_SINGLE, COMPLEX, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{128, {16, 8, 1, 1, 1, 1, 1, 1}, 2, 32, 8}, 1, 0}, 0, 0},
    {MFFT_SINGLE, COMPLEX, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{256, {4, 8, 8, 1, 1, 1, 1, 1}, 3, 8, 32}, 1, 0}, 0, 0},
    {MFFT_SINGLE, COMPLEX, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{512, {8, 8, 8, 1, 1, 1, 1, 1}, 3, 4, 64}, 1, 0}, 0, 0},
    {MFFT_SINGLE, COMPLEX, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{1024, {16, 8, 8, 1, 1, 1, 1, 1}, 3, 4, 64}, 1, 0}, 0, 0},
    {MFFT_SINGLE, COMPLEX, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{2048, {16, 16, 8, 1, 1, 1, 1, 1}, 3, 2, 128}, 1, 0}, 0, 0},
    {MFFT_SINGLE, COMPLEX, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{4096, {16, 16, 16, 1, 1, 1, 1, 1}, 3, 1, 256}, 1, 0}, 0, 0},
    {MFFT_SINGLE, COMPLEX, MFFT_MAP_ELEMENT, ANYWHERE, 0, {{8192, {32, 16, 16, 1, 1, 1, 1, 1}, 3, 1, 256}, 0, 0}, 0, 0},
    {MFFT_SINGLE, COMPLEX, MFFT_MAP_ELEMENT, IN_CACHE, 0, {{256, {16, 16, 1, 1, 1, 1, 1, 1}, 2, 8, 16}, 0, 5}, 0, 0},
    {MFFT_SINGLE, COMPLEX, MFFT_MAP_LINE, IN_CACHE, 0, {{128, {16, 8, 1, 1, 1, 1, 1, 1}, 2, 16, 8}, 0, 5}, 0, 1},
    {MFFT_SINGLE, COMPLEX, MFFT_MAP_LINE, IN_CACHE, 1, {{512, {32, 16, 1, 1, 1, 1, 1, 1}, 2, 16, 16}, 0, 0}, 0, 0},
    {MFFT_SINGLE, COMPLEX, MFFT_MAP_LINE, IN_CACHE, 0, {{1024, {32, 32, 1, 1, 1, 1, 1, 1}, 2, 8, 32}, 0, 0}, 0, 0},
    {MFFT_SINGLE, COMPLEX, MFFT_MAP_LINE, IN_MEMORY, 0, {{512, {32, 16, 1, 1, 1, 1, 1, 1}, 2, 32, 16}, 0, 0}, 0, 0},
    {MFFT_DOUBLE, COMPLEX, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{64, {4, 4, 4, 1, 1, 1, 1, 1}, 3, 16, 16}, 1, 0}, 0, 0},
    {MFFT_DOUBLE, COMPLEX, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{128, {4, 4, 8, 1, 1, 1, 1, 1}, 3, 16, 16}, 1, 0}, 0, 0},
    {MFFT_DOUBLE, COMPLEX, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{256, {4, 8, 8, 1, 1, 1, 1, 1}, 3, 8, 32}, 1, 0}, 0, 0},
    {MFFT_DOUBLE, COMPLEX, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{512, {8, 8, 8, 1, 1, 1, 1, 1}, 3, 4, 64}, 1, 0}, 0, 0},
    {MFFT_DOUBLE, COMPLEX, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{1024, {16, 8, 8, 1, 1, 1, 1, 1}, 3, 2, 64}, 1, 0}, 0, 0},
    {MFFT_DOUBLE, COMPLEX, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{2048, {16, 16, 8, 1, 1, 1, 1, 1}, 3, 1, 128}, 1, 0}, 0, 0},
    {MFFT_DOUBLE, COMPLEX, MFFT_MAP_ELEMENT, IN_CACHE, 0, {{256, {4, 8, 8, 1, 1, 1, 1, 1}, 3, 8, 32}, 0, 0}, 0, 0},
    {MFFT_DOUBLE, COMPLEX, MFFT_MAP_LINE, IN_CACHE, 0, {{256, {16, 16, 1, 1, 1, 1, 1, 1}, 2, 16, 16}, 0, 0}, 65536, 0},
    {MFFT_DOUBLE, COMPLEX, MFFT_MAP_LINE, IN_CACHE, 0, {{256, {16, 16, 1, 1, 1, 1, 1, 1}, 2, 16, 16}, 0, 0}, 256, 0},
    {MFFT_DOUBLE, COMPLEX, MFFT_MAP_LINE, ACROSS_MEMORY, 0, {{512, {8, 8, 8, 1, 1, 1, 1, 1}, 3, 16, 32}, 0, 0}, 0, 0},
    {MFFT_DOUBLE, COMPLEX, MFFT_MAP_LINE, IN_MEMORY, 0, {{512, {8, 8, 8, 1, 1, 1, 1, 1}, 3, 16, 64}, 0, 0}, 0, 0},
    {MFFT_BFLOAT16, COMPLEX, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{512, {32, 16, 1, 1, 1, 1, 1, 1}, 2, 8, 16}, 4, 0}, 0, 0},
    {MFFT_BFLOAT16, COMPLEX, MFFT_MAP_ELEMENT, IN_CACHE, 0, {{512, {32, 16, 1, 1, 1, 1, 1, 1}, 2, 8, 16}, 0, 0}, 0, 0},
    {MFFT_BFLOAT16, COMPLEX, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{1024, {32, 32, 1, 1, 1, 1, 1, 1}, 2, 4, 32}, 4, 0}, 0, 0},
    {MFFT_BFLOAT16, COMPLEX, MFFT_MAP_ELEMENT, IN_CACHE, 0, {{1024, {32, 32, 1, 1, 1, 1, 1, 1}, 2, 4, 32}, 0, 0}, 0, 0},
    {MFFT_BFLOAT16, COMPLEX, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{2048, {32, 8, 8, 1, 1, 1, 1, 1}, 3, 2, 64}, 4, 0}, 0, 0},
    {MFFT_BFLOAT16, COMPLEX, MFFT_MAP_ELEMENT, IN_CACHE, 0, {{2048, {32, 8, 8, 1, 1, 1, 1, 1}, 3, 2, 64}, 0, 0}, 0, 0},
    {MFFT_BFLOAT16, COMPLEX, MFFT_MAP_ELEMENT, ANYWHERE, 0, {{4096, {32, 16, 8, 1, 1, 1, 1, 1}, 3, 1, 128}, 4, 0}, 0, 0},
    {MFFT_BFLOAT16, COMPLEX, MFFT_MAP_ELEMENT, ANYWHERE, 0, {{8192, {32, 16, 16, 1, 1, 1, 1, 1}, 3, 1, 256}, 2, 0}, 0, 0},
    {MFFT_BFLOAT16, COMPLEX, MFFT_MAP_LINE, IN_CACHE, 1, {{256, {16, 16, 1, 1, 1, 1, 1, 1}, 2, 16, 16}, 0, 0}, 0, 0},
    {MFFT_BFLOAT16, COMPLEX, MFFT_MAP_LINE, ANYWHERE, 1, {{512, {32, 16, 1, 1, 1, 1, 1, 1}, 2, 16, 16}, 0, 0}, 0, 0},
    {MFFT_BFLOAT16, COMPLEX, MFFT_MAP_LINE, ANYWHERE, 0, {{1024, {32, 32, 1, 1, 1, 1, 1, 1}, 2, 8, 32}, 0, 0}, 0, 0},
    {MFFT_SINGLE, TO_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{64, {8, 8, 1, 1, 1, 1, 1, 1}, 2, 32, 4}, 2, 0}, 0, 0},
    {MFFT_SINGLE, TO_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{256, {8, 4, 8, 1, 1, 1, 1, 1}, 3, 8, 16}, 2, 0}, 0, 0},
    {MFFT_SINGLE, TO_HALF, MFFT_MAP_ELEMENT, ANYWHERE, 0, {{256, {8, 4, 8, 1, 1, 1, 1, 1}, 3, 8, 16}, 0, 0}, 0, 0},
    {MFFT_SINGLE, TO_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{512, {8, 8, 8, 1, 1, 1, 1, 1}, 3, 4, 32}, 1, 0}, 0, 0},
    {MFFT_SINGLE, TO_HALF, MFFT_MAP_ELEMENT, IN_CACHE, 0, {{512, {8, 8, 8, 1, 1, 1, 1, 1}, 3, 4, 32}, 0, 0}, 0, 0},
    {MFFT_SINGLE, TO_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{1024, {16, 8, 8, 1, 1, 1, 1, 1}, 3, 2, 64}, 1, 0}, 0, 0},
    {MFFT_SINGLE, TO_HALF, MFFT_MAP_ELEMENT, ANYWHERE, 0, {{1024, {16, 8, 8, 1, 1, 1, 1, 1}, 3, 2, 64}, 0, 0}, 0, 0},
    {MFFT_SINGLE, TO_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{2048, {16, 16, 8, 1, 1, 1, 1, 1}, 3, 1, 128}, 1, 0}, 0, 0},
    {MFFT_SINGLE, TO_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{4096, {16, 32, 8, 1, 1, 1, 1, 1}, 3, 1, 128}, 1, 0}, 0, 0},
    {MFFT_SINGLE, TO_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{8192, {32, 16, 16, 1, 1, 1, 1, 1}, 3, 1, 256}, 1, 0}, 0, 0},
    {MFFT_DOUBLE, TO_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{64, {8, 8, 1, 1, 1, 1, 1, 1}, 2, 32, 4}, 1, 0}, 0, 0},
    {MFFT_DOUBLE, TO_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{128, {16, 8, 1, 1, 1, 1, 1, 1}, 2, 16, 8}, 1, 0}, 0, 0},
    {MFFT_DOUBLE, TO_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{256, {4, 8, 8, 1, 1, 1, 1, 1}, 3, 8, 32}, 1, 0}, 0, 0},
    {MFFT_DOUBLE, TO_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{512, {8, 8, 8, 1, 1, 1, 1, 1}, 3, 4, 32}, 1, 0}, 0, 0},
    {MFFT_DOUBLE, TO_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{1024, {16, 8, 8, 1, 1, 1, 1, 1}, 3, 2, 64}, 1, 0}, 0, 0},
    {MFFT_DOUBLE, TO_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{2048, {16, 16, 8, 1, 1, 1, 1, 1}, 3, 1, 128}, 1, 0}, 0, 0},
    {MFFT_DOUBLE, TO_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{4096, {8, 8, 8, 8, 1, 1, 1, 1}, 4, 1, 256}, 1, 0}, 0, 0},
    {MFFT_SINGLE, FROM_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{64, {4, 4, 4, 1, 1, 1, 1, 1}, 3, 16, 8}, 4, 0}, 0, 0},
    {MFFT_SINGLE, FROM_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{128, {4, 4, 8, 1, 1, 1, 1, 1}, 3, 8, 16}, 4, 0}, 0, 0},
    {MFFT_SINGLE, FROM_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{256, {4, 8, 8, 1, 1, 1, 1, 1}, 3, 8, 32}, 2, 0}, 0, 0},
    {MFFT_SINGLE, FROM_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{512, {8, 8, 8, 1, 1, 1, 1, 1}, 3, 4, 32}, 4, 0}, 0, 0},
    {MFFT_SINGLE, FROM_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{1024, {8, 16, 8, 1, 1, 1, 1, 1}, 3, 4, 64}, 2, 0}, 0, 0},
    {MFFT_SINGLE, FROM_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{2048, {8, 16, 16, 1, 1, 1, 1, 1}, 3, 1, 128}, 4, 0}, 0, 0},
    {MFFT_SINGLE, FROM_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{4096, {16, 16, 16, 1, 1, 1, 1, 1}, 3, 1, 128}, 2, 0}, 0, 0},
    {MFFT_SINGLE, FROM_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{8192, {16, 16, 32, 1, 1, 1, 1, 1}, 3, 1, 256}, 1, 0}, 0, 0},
    {MFFT_DOUBLE, FROM_HALF, MFFT_MAP_ELEMENT, ANYWHERE, 0, {{70, {10, 7, 1, 1, 1, 1, 1, 1}, 2, 32, 4}, 0, 0}, 0, 0},
    {MFFT_DOUBLE, FROM_HALF, MFFT_MAP_ELEMENT, ANYWHERE, 0, {{80, {5, 4, 4, 1, 1, 1, 1, 1}, 3, 8, 10}, 0, 0}, 0, 0},
    {MFFT_DOUBLE, FROM_HALF, MFFT_MAP_ELEMENT, ANYWHERE, 0, {{90, {6, 15, 1, 1, 1, 1, 1, 1}, 2, 16, 8}, 0, 0}, 0, 0},
    {MFFT_DOUBLE, FROM_HALF, MFFT_MAP_ELEMENT, ANYWHERE, 0, {{135, {5, 9, 3, 1, 1, 1, 1, 1}, 3, 8, 15}, 0, 0}, 0, 0},
    {MFFT_DOUBLE, FROM_HALF, MFFT_MAP_ELEMENT, ANYWHERE, 0, {{150, {6, 5, 5, 1, 1, 1, 1, 1}, 3, 8, 15}, 0, 0}, 0, 0},
    {MFFT_DOUBLE, FROM_HALF, MFFT_MAP_ELEMENT, ANYWHERE, 0, {{160, {5, 8, 4, 1, 1, 1, 1, 1}, 3, 4, 20}, 0, 0}, 0, 0},
    {MFFT_DOUBLE, FROM_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{64, {4, 4, 4, 1, 1, 1, 1, 1}, 3, 16, 8}, 4, 0}, 0, 0},
    {MFFT_DOUBLE, FROM_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{128, {4, 4, 8, 1, 1, 1, 1, 1}, 3, 8, 16}, 0, 0}, 0, 0},
    {MFFT_DOUBLE, FROM_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{256, {4, 8, 8, 1, 1, 1, 1, 1}, 3, 4, 32}, 0, 0}, 0, 0},
    {MFFT_DOUBLE, FROM_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{512, {8, 8, 8, 1, 1, 1, 1, 1}, 3, 4, 32}, 2, 0}, 0, 0},
    {MFFT_DOUBLE, FROM_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{1024, {8, 16, 8, 1, 1, 1, 1, 1}, 3, 2, 64}, 2, 0}, 0, 0},
    {MFFT_DOUBLE, FROM_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{2048, {8, 16, 16, 1, 1, 1, 1, 1}, 3, 1, 128}, 2, 0}, 0, 0},
    {MFFT_DOUBLE, FROM_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{4096, {8, 8, 8, 8, 1, 1, 1, 1}, 4, 1, 256}, 1, 0}, 0, 0},
    {MFFT_DOUBLE, FROM_HALF, MFFT_MAP_ELEMENT, IN_MEMORY, 0, {{8192, {8, 16, 8, 8, 1, 1, 1, 1}, 4, 1, 512}, 1, 0}, 0, 0},
};

/* Whole lines by butterflies: nothing is done to their numbers but the merges, the turn and the packing. */
static int plain(const mfft_kernel *k) {
  return k->engine == MFFT_ENGINE_BUTTERFLY && !k->scatter.shares && !k->mirror && !k->in.half_width && !k->out.half_width;
}

static int within(reach where, const mfft_device_limits *limits, int moves) {
  return where == ANYWHERE || ((where == IN_CACHE) == mfft_in_cache(limits) && (where != ACROSS_MEMORY || moves));
}

const mfft_measured *mfft_measured_find(const mfft_kernel *k, const mfft_device_limits *limits, const mfft_fft_spec *spec,
                                        int64_t lines, int64_t whole, int moves) {
  if (k->named || !plain(k)) return NULL;
  const int turned = k->twiddle.loop || k->out.map != k->in.map;
  for (size_t i = 0; i < sizeof fastest / sizeof *fastest; i++) {
    const mfft_measured *is = &fastest[i].is;
    if (fastest[i].precision != k->precision || is->chain.n != k->chain.n) continue;
    if (load_of[fastest[i].ends] != k->in.form || store_of[fastest[i].ends] != k->out.form) continue;
    if (k->in.map != fastest[i].map || (turned && !fastest[i].turned)) continue;
    if (!is_power(k->chain.n) && !k->exact) continue; /* these were measured so */
    if (!within(fastest[i].reach, limits, moves)) continue;
    if ((fastest[i].whole && fastest[i].whole != whole) || (fastest[i].complex && spec->type != MFFT_FFT_C2C)) continue;
    if (is->fetch && !k->in.unit) continue;
    if (lines < (int64_t)is->chain.lines * limits->sms) continue; /* some multiprocessors would be idle */
    if (mfft_chain_fits(k, limits, &is->chain)) return is;
  }
  return NULL;
}

mfft_status mfft_measured_take(mfft_kernel *k, const mfft_device_limits *limits, const mfft_measured *measured) {
  MFFT_TRY(mfft_kernel_by_chain(k, limits, &measured->chain));
  k->hints.prefetch = measured->fetch * limits->sms;
  /* So much shared memory that one block more does not fit: each takes 1024 bytes beside what it asks for. */
  const int room = measured->blocks ? limits->sm_shared_bytes / (measured->blocks + 1) / 1024 * 1024 : 0;
  if (room > k->tile.shared_bytes) k->tile.shared_bytes = room;
  return MFFT_SUCCESS;
}

int mfft_fetches(const mfft_kernel *k, const mfft_device_limits *limits) {
  return plain(k) && k->in.form == MFFT_FORM_COMPLEX && k->out.form == MFFT_FORM_COMPLEX && k->tile.min_blocks == 1 &&
         k->in.map == MFFT_MAP_ELEMENT && k->in.unit && !k->in.staging && !mfft_in_cache(limits);
}
