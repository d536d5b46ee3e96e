/* gaps.c: see gaps.h. */
#include "local/cuda/engines/gaps.h"

#include "local/cuda/engines/chain.h"

enum { WARP = 32, WARPS = 4, BANK_BYTES = 4, CYCLE_BYTES = 128 };

typedef struct accesses {
  const mfft_kernel *kernel;
  int n, merges, radix[MFFT_MAX_MERGES]; /* as exchange.cuh has them: of complexes */
  int gap;
  int warps;   /* warps of the block that are counted */
  int at_once; /* threads whose values a cycle moves */
} accesses;

/* Of thread t in merge i: its line, and its number among the threads of that line. */
static void place(const accesses *a, int i, int t, int *line, int *part) {
  const mfft_kernel *k = a->kernel;
  const mfft_map map = i == 0 && !k->in.staging                ? k->in.map
                       : i == a->merges - 1 && !k->out.staging ? k->out.map
                                                               : k->map_mid;
  *line = map == MFFT_MAP_LINE ? t % k->chain.lines : t / k->chain.threads;
  *part = map == MFFT_MAP_LINE ? t / k->chain.lines : t % k->chain.threads;
}

static int slot(const accesses *a, int line, int position) {
  const int pitch = (a->n + a->n / a->gap) | 1;
  return line * pitch + position + position / a->gap;
}

/* Cycles of the accesses in merge i to element q of all butterflies number b of the first warps.  s: product of the radices
 * before merge i, for what it writes; 0: what it reads. */
static int cycles_of(const accesses *a, int i, int s, int b, int q) {
  const mfft_kernel *k = a->kernel;
  const int r = a->radix[i], count = a->n / r, all = k->chain.threads * k->chain.lines;
  const int threads = all < a->warps * WARP ? all : a->warps * WARP;
  int cycles = 0;
  for (int first = 0; first < threads; first += a->at_once) {
    int on_bank[WARP] = {0}, most = 0; /* [at_once] */
    for (int t = first; t < first + a->at_once && t < threads; t++) {
      int line, part;
      place(a, i, t, &line, &part);
      const int j = part + b * k->chain.threads;
      if (j >= count) continue;
      const int bank = slot(a, line, s ? j / s * (s * r) + j % s + q * s : j + q * count) % a->at_once;
      if (++on_bank[bank] > most) most = on_bank[bank];
    }
    cycles += most;
  }
  return cycles;
}

static int cycles_of_merge(const accesses *a, int i, int s) {
  const int butterflies = (a->n / a->radix[i] + a->kernel->chain.threads - 1) / a->kernel->chain.threads;
  int cycles = 0;
  for (int b = 0; b < butterflies; b++)
    for (int q = 0; q < a->radix[i]; q++) cycles += cycles_of(a, i, s, b, q);
  return cycles;
}

static int cycles_of_chain(const accesses *a) {
  int cycles = 0, s = 1;
  for (int i = 0; i + 1 < a->merges; s *= a->radix[i++]) cycles += cycles_of_merge(a, i, s) + cycles_of_merge(a, i + 1, 0);
  return cycles;
}

static accesses accesses_of(const mfft_kernel *k, int warps) {
  const int value_bytes = (is_double(k->precision) ? 16 : 8) / (k->tile.split ? 2 : 1);
  accesses a = {.kernel = k, .n = mfft_chain_held(k), .merges = k->chain.merges, .at_once = CYCLE_BYTES / value_bytes};
  a.warps = warps;
  for (int i = 0; i < a.merges; i++) {
    const int halved = i == mfft_merge_of_reals(k, a.merges);
    a.radix[i] = halved ? (k->chain.radix[i] + 1) / 2 : k->chain.radix[i];
  }
  return a;
}

const int mfft_gap_choices[MFFT_GAP_CHOICES] = {MFFT_NO_GAPS, 16, 32};

int mfft_gaps_choose(const mfft_kernel *k) {
  accesses a = accesses_of(k, WARPS);
  int best = 0, least = 0;
  for (int c = 0; c < MFFT_GAP_CHOICES; c++) {
    a.gap = mfft_gap_choices[c];
    const int cycles = cycles_of_chain(&a);
    if (c && cycles >= least) continue;
    best = mfft_gap_choices[c], least = cycles;
  }
  return best;
}

/* Whether the slots of a butterfly have the same distances for all threads (slot_read, slot_written in exchange.cuh). */
static int reads_share(int step, int gap) { return step % gap == 0 || gap % step == 0; }
static int writes_share(int s, int r, int gap) {
  return s % gap == 0 || (gap % s == 0 && (s * r % gap == 0 || gap % (s * r) == 0));
}

/* Cycles in which the four schedulers of a multiprocessor issue the instructions of addresses that accesses do not share. */
static int address_cycles(const accesses *a) {
  const mfft_kernel *k = a->kernel;
  const int all = (k->chain.threads * k->chain.lines + WARP - 1) / WARP, warps = all < a->warps ? all : a->warps;
  int separate = 0;
  for (int i = 0, s = 1; i < a->merges; s *= a->radix[i++]) {
    const int r = a->radix[i], values = (a->n / r + k->chain.threads - 1) / k->chain.threads * r;
    if (i > 0 && !reads_share(a->n / r, a->gap)) separate += values;
    if (i + 1 < a->merges && !writes_share(s, r, a->gap)) separate += values;
  }
  return a->gap == MFFT_NO_GAPS ? 0 : separate * warps;
}

int mfft_gaps_cost(const mfft_kernel *k, int gap) {
  accesses a = accesses_of(k, 1);
  a.gap = gap;
  return cycles_of_chain(&a) + address_cycles(&a);
}
