/* filter_rules.c: see filter_rules.h. */
#include "local/cuda/tuned/filter_rules.h"

#include <limits.h>
#include <stddef.h>

#include "local/cuda/tuned/strided_rules.h"

enum { FILTERED, CONVOLVED_BY_FILTER, CONVOLVED_BY_SPECTRUM, KINDS };

/* Lengths whose fastest chain is at least 3 % faster than that of the rule below. */
static const mfft_bounded_chain filtered_singles[] = {
    {{250, {25, 10}, 2, 16, 10}, 2}, {{288, {16, 18}, 2, 16, 18}, 4}, {{375, {15, 25}, 2, 16, 25}, 2},
    {{400, {20, 20}, 2, 16, 20}, 0}, {{432, {18, 24}, 2, 16, 24}, 3}, {{540, {20, 27}, 2, 16, 27}, 2},
    {{600, {25, 24}, 2, 16, 25}, 2}, {{625, {25, 25}, 2, 16, 25}, 0}, {{648, {24, 27}, 2, 16, 27}, 2},
    {{700, {25, 28}, 2, 16, 28}, 2},
};
static const mfft_bounded_chain filtered_doubles[] = {
    {{240, {15, 16}, 2, 8, 16}, 0},    {{256, {16, 16}, 2, 8, 16}, 0},   {{350, {14, 25}, 2, 8, 25}, 0},
    {{375, {15, 25}, 2, 8, 25}, 0},    {{448, {16, 28}, 2, 8, 28}, 2},   {{500, {10, 10, 5}, 3, 8, 50}, 0},
    {{540, {20, 27}, 2, 8, 27}, 0},    {{600, {20, 30}, 2, 4, 30}, 0},   {{625, {5, 5, 5, 5}, 4, 8, 63}, 2},
    {{900, {15, 15, 4}, 3, 8, 60}, 0}, {{960, {15, 8, 8}, 3, 8, 64}, 0}, {{972, {18, 9, 6}, 3, 8, 54}, 0},
};
static const mfft_bounded_chain convolved_singles[] = {
    {{350, {14, 25}, 2, 8, 25}, 4},    {{375, {15, 5, 5}, 3, 8, 25}, 2},   {{384, {24, 16}, 2, 16, 24}, 2},
    {{448, {16, 28}, 2, 16, 28}, 2},   {{512, {16, 8, 4}, 3, 8, 32}, 4},   {{600, {24, 25}, 2, 8, 25}, 3},
    {{972, {18, 18, 3}, 3, 8, 54}, 2}, {{1000, {20, 10, 5}, 3, 8, 50}, 2},
};
static const mfft_bounded_chain convolved_doubles[] = {
    {{250, {10, 5, 5}, 3, 8, 25}, 4},  {{256, {16, 16}, 2, 8, 16}, 0},    {{288, {12, 12, 2}, 3, 8, 24}, 4},
    {{350, {10, 7, 5}, 3, 8, 35}, 2},  {{450, {15, 10, 3}, 3, 8, 30}, 2}, {{480, {20, 24}, 2, 8, 24}, 2},
    {{500, {10, 10, 5}, 3, 4, 50}, 4}, {{600, {30, 20}, 2, 4, 30}, 3},    {{640, {32, 20}, 2, 4, 32}, 3},
    {{700, {10, 10, 7}, 3, 4, 70}, 2}, {{720, {12, 12, 5}, 3, 4, 60}, 3}, {{768, {16, 16, 3}, 3, 4, 48}, 2},
    {{800, {10, 10, 8}, 3, 4, 80}, 2}, {{864, {12, 12, 6}, 3, 4, 72}, 2}, {{900, {15, 15, 4}, 3, 4, 60}, 0},
    {{960, {15, 8, 8}, 3, 4, 64}, 0},  {{972, {18, 18, 3}, 3, 4, 54}, 2}, {{1000, {10, 10, 10}, 3, 4, 100}, 2},
    {{1024, {16, 8, 8}, 3, 4, 64}, 0},
};
/* By a spectrum, for which whole convolutions were timed, not passes: other lengths were slower by the blocks of filters, or
 * were not timed. */
static const mfft_bounded_chain multiplied_singles[] = {
    {{320, {16, 20}, 2, 8, 20}, 0}, {{400, {20, 20}, 2, 8, 20}, 0}, {{480, {20, 24}, 2, 16, 24}, 2},
    {{500, {20, 25}, 2, 8, 25}, 0}, {{540, {20, 27}, 2, 8, 27}, 0}, {{576, {24, 24}, 2, 16, 24}, 2},
    {{600, {20, 30}, 2, 8, 30}, 0},
};
static const mfft_bounded_chain multiplied_doubles[] = {
    {{256, {16, 16}, 2, 8, 16}, 0}, {{400, {20, 20}, 2, 8, 20}, 3},    {{432, {27, 16}, 2, 8, 27}, 0},
    {{480, {20, 24}, 2, 8, 24}, 2}, {{500, {10, 10, 5}, 3, 4, 50}, 4}, {{540, {30, 18}, 2, 4, 30}, 0},
};

/* Chains of the two radices that differ least, by a factor of 1.6 at most.  Their registers are bounded for as many blocks
 * of a multiprocessor as have enough of them, two at least, with the first number of lines, or else with the second one; if
 * neither can, there is no bound. */
typedef struct pair_rule {
  int longest;           /* elements of a line; 0: there is no rule */
  int larger_first;      /* the larger radix is that of the first merge */
  int lines[2], most[2]; /* [try] lines of a block, and most blocks of a multiprocessor; below 2: no bound */
  int beside;            /* registers of a thread beside those of the values of the larger radix */
  int powers;            /* powers of two, too */
} pair_rule;

typedef struct choice {
  const mfft_bounded_chain *row; /* [count] */
  size_t count;
  pair_rule pair;
  int beside; /* registers beside those of the values that suffice for more blocks of least cost; 0: they are not bounded */
} choice;

#define LIST(rows) .row = rows, .count = sizeof rows / sizeof *rows
static const choice choices[KINDS][2] = {
    {{LIST(filtered_singles), .pair = {.longest = 1024, .lines = {16, 16}, .most = {3, 0}, .beside = 28, .powers = 1}},
     {LIST(filtered_doubles), .pair = {.longest = 810, .lines = {8, 4}, .most = {3, 5}, .beside = 44}, .beside = 44}},
    {{LIST(convolved_singles), .pair = {.longest = 1024, .lines = {16, 8}, .most = {4, 5}, .beside = 28, .powers = 1},
      .beside = 28},
     {LIST(convolved_doubles), .pair = {.longest = 900, .larger_first = 1, .lines = {8, 4}, .most = {3, 3}, .beside = 56},
      .beside = 44}},
    {{LIST(multiplied_singles)}, {LIST(multiplied_doubles)}}}; /* [kind][in double] */
#undef LIST

static const choice *choice_of(const mfft_kernel *k, int kind) {
  const int complexes = k->in.form == MFFT_FORM_COMPLEX && k->out.form == MFFT_FORM_COMPLEX,
            wide = k->precision == MFFT_DOUBLE || k->precision == MFFT_SINGLE;
  if (!complexes || !wide || k->named || k->padded || k->in.map != MFFT_MAP_LINE) return NULL;
  return &choices[kind][k->precision == MFFT_DOUBLE];
}

static int words_of(const mfft_kernel *k) { return k->precision == MFFT_DOUBLE ? 4 : 2; } /* registers of a complex */

/* The most blocks of so many threads, two to `most`, whose threads have `needed` registers; 0: none.  A multiprocessor has
 * 65536 registers on all architectures of this backend. */
static int blocks_with(int needed, int threads, int most) {
  enum { REGISTERS = 65536, WARP = 32 };
  const int whole = (threads + WARP - 1) / WARP * WARP;
  for (int blocks = most; blocks > 1; blocks--)
    if (REGISTERS / (whole * blocks) >= needed) return blocks;
  return 0;
}

static int find_pair(const mfft_kernel *k, const pair_rule *rule, mfft_bounded_chain *block) {
  enum { MOST_RADIX = 32 };
  const int n = k->chain.n, large = n <= rule->longest ? mfft_larger_radix(n, MOST_RADIX) : 0, small = large ? n / large : 0;
  if (!large || 5 * large > 8 * small || (is_power(n) && !rule->powers)) return 0;
  *block = (mfft_bounded_chain){.chain = {.n = n, .merges = 2, .threads = large}};
  block->chain.radix[0] = rule->larger_first ? large : small;
  block->chain.radix[1] = rule->larger_first ? small : large;
  for (int i = 0; i < 2 && !block->blocks; i++) {
    block->chain.lines = rule->lines[i];
    block->blocks = blocks_with(words_of(k) * large + rule->beside, large * rule->lines[i], rule->most[i]);
  }
  return 1;
}

static int find(const mfft_kernel *k, int kind, mfft_bounded_chain *block) {
  const choice *c = choice_of(k, kind);
  for (size_t i = 0; c && i < c->count; i++)
    if (c->row[i].chain.n == k->chain.n) {
      *block = c->row[i];
      return 1;
    }
  return c && find_pair(k, &c->pair, block);
}

static int convolved_kind(const mfft_kernel *k) {
  return k->convolved == MFFT_CONVOLVED_BY_FILTER ? CONVOLVED_BY_FILTER : CONVOLVED_BY_SPECTRUM;
}

static int registers(const mfft_kernel *k, int kind, int values) {
  const choice *c = choice_of(k, kind);
  return c && c->beside ? words_of(k) * values + c->beside : INT_MAX;
}

int mfft_filtered_block_of(const mfft_kernel *k, mfft_bounded_chain *block) { return find(k, FILTERED, block); }
int mfft_convolved_block_of(const mfft_kernel *k, mfft_bounded_chain *block) { return find(k, convolved_kind(k), block); }
int mfft_filtered_registers(const mfft_kernel *k, int values) { return registers(k, FILTERED, values); }
int mfft_convolved_registers(const mfft_kernel *k, int values) { return registers(k, convolved_kind(k), values); }
