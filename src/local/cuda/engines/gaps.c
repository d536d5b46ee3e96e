/* gaps.c: see gaps.h. */
#include "local/cuda/engines/gaps.h"

#include "local/cuda/engines/chain.h"

enum { WARP = 32, WARPS = 4, BANK_BYTES = 4, CYCLE_BYTES = 128 };

typedef struct accesses {
  const mfft_kernel *kernel;
  int n, merges, radix[MFFT_MAX_MERGES]; /* as exchange.cuh has them: of complexes */
  int gap, gap_bits;                     /* a power of two, and of which */
  int warps;                             /* warps of the block that are counted */
  int at_once;                           /* threads whose values a cycle moves, a power of two */
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

/* The threads of a group, whose accesses are counted together, that have a butterfly. */
typedef struct group {
  int count;
  int row[WARP];      /* [count] where the row of a thread's line begins in the exchange area */
  int position[WARP]; /* [count] of the first element of its butterfly in the line */
} group;

/* The group from thread `first` on, of butterflies number b in merge i.  s: product of the radices before merge i, for what
 * it writes; 0: what it reads. */
static void gather(const accesses *a, int i, int s, int b, int first, int threads, group *g) {
  const int r = a->radix[i], count = a->n / r, pitch = (a->n + (a->n >> a->gap_bits)) | 1;
  g->count = 0;
  for (int t = first; t < first + a->at_once && t < threads; t++) {
    int line, part;
    place(a, i, t, &line, &part);
    const int j = part + b * a->kernel->chain.threads;
    if (j >= count) continue;
    g->row[g->count] = line * pitch;
    g->position[g->count++] = s ? j / s * (s * r) + j % s : j;
  }
}

/* Cycles of a group's accesses to an element of its butterflies that is so far from the first one. */
static int cycles_of(const accesses *a, const group *g, int distance) {
  int on_bank[WARP] = {0}, most = 0; /* [at_once] */
  for (int t = 0; t < g->count; t++) {
    const int position = g->position[t] + distance;
    const int bank = (g->row[t] + position + (position >> a->gap_bits)) & (a->at_once - 1);
    if (++on_bank[bank] > most) most = on_bank[bank];
  }
  return most;
}

/* Cycles of the accesses of the first warps in merge i; s as above. */
static int cycles_of_merge(const accesses *a, int i, int s) {
  const mfft_kernel *k = a->kernel;
  const int r = a->radix[i], count = a->n / r, butterflies = (count + k->chain.threads - 1) / k->chain.threads;
  const int all = k->chain.threads * k->chain.lines, threads = all < a->warps * WARP ? all : a->warps * WARP;
  int cycles = 0;
  group g;
  for (int b = 0; b < butterflies; b++)
    for (int first = 0; first < threads; first += a->at_once) {
      gather(a, i, s, b, first, threads, &g);
      for (int q = 0; q < r; q++) cycles += cycles_of(a, &g, q * (s ? s : count));
    }
  return cycles;
}

static int cycles_of_chain(const accesses *a) {
  int cycles = 0, s = 1;
  for (int i = 0; i + 1 < a->merges; s *= a->radix[i++]) cycles += cycles_of_merge(a, i, s) + cycles_of_merge(a, i + 1, 0);
  return cycles;
}

static accesses accesses_of(const mfft_kernel *k, int warps) {
  const int value_bytes = is_double(k->precision) ? 16 : 8;
  accesses a = {.kernel = k, .n = mfft_chain_held(k), .merges = k->chain.merges, .at_once = CYCLE_BYTES / value_bytes};
  a.warps = warps;
  for (int i = 0; i < a.merges; i++) {
    const int halved = i == mfft_merge_of_reals(k, a.merges);
    a.radix[i] = halved ? (k->chain.radix[i] + 1) / 2 : k->chain.radix[i];
  }
  return a;
}

static void set_gap(accesses *a, int gap) {
  a->gap = gap;
  for (a->gap_bits = 0; 1 << a->gap_bits < gap;) a->gap_bits++;
}

const int mfft_gap_choices[MFFT_GAP_CHOICES] = {MFFT_NO_GAPS, 16, 32};

int mfft_gaps_choose(const mfft_kernel *k) {
  accesses a = accesses_of(k, WARPS);
  int best = 0, least = 0;
  for (int c = 0; c < MFFT_GAP_CHOICES; c++) {
    set_gap(&a, mfft_gap_choices[c]);
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
  set_gap(&a, gap);
  return cycles_of_chain(&a) + address_cycles(&a);
}
