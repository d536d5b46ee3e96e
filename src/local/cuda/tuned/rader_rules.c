/* rader_rules.c: see rader_rules.h. */
#include "local/cuda/tuned/rader_rules.h"

#include <stddef.h>

const mfft_rader_cost *mfft_rader_cost_for(mfft_precision precision) {
  static const mfft_rader_cost cost[] = {
      {{.exchange = 16, .of_value = 0.01, .large = 0.2, .free_values = 16, .large_threads = 512}, .twiddle = 6},
      {{.exchange = 16, .of_value = 0.03, .large = 0.2, .free_values = 16, .large_threads = 512}, .twiddle = 6}};
  return &cost[is_double(precision)];
}

int mfft_rader_registers(mfft_precision precision, int values, int rows, int has_long_prime) {
  const int wide = is_double(precision), of_rows = wide ? 60 + 4 * values : 40 + 2 * values,
            of_columns = wide ? 84 + 6 * values : 44 + 4 * values;
  const int registers = (rows ? of_rows : of_columns) + (has_long_prime ? 32 : 0);
  return registers > 255 ? 255 : registers;
}

int mfft_rader_is_by_line(mfft_precision precision, int lines) {
  enum { CYCLE_BYTES = 128 };
  return 2 * lines * value_bytes(precision) >= CYCLE_BYTES;
}

int mfft_rader_lines(mfft_precision precision, int i) {
  static const int single[] = {16, 8, 4, 2, 1}, wide[] = {8, 4, 2, 1};
  return is_double(precision) ? wide[i] : single[i];
}

int mfft_rader_lines_suit(mfft_precision precision, int lines, int threads, int64_t n) {
  enum { BLOCK_BYTES = 34000, MOST_BY_LINE = 160, MOST_ALONE = 112 };
  const int most = mfft_rader_is_by_line(precision, lines) ? MOST_BY_LINE : MOST_ALONE;
  return lines * n * value_bytes(precision) <= BLOCK_BYTES && lines * threads <= most;
}

int mfft_rader_columns(mfft_precision precision, int lines, int64_t n, int in_cache) {
  enum { BLOCK_BYTES = 40000, SECTOR_BYTES = 32 };
  const int sector = SECTOR_BYTES / complex_bytes(precision);
  const int shortened = in_cache && !is_sixteen_bit(precision) && lines * n * value_bytes(precision) > BLOCK_BYTES;
  return shortened && lines > sector ? sector : lines;
}

/* [lengths] of the chain, radices, merges, lines and threads a line, and blocks of a multiprocessor; those of single are for
 * 16 bits too. */
static const mfft_bounded_chain singles[] = {
    {{36, {12, 3}, 2, 32, 3}, 11},        {{40, {10, 4}, 2, 16, 4}, 19},         {{42, {14, 3}, 2, 32, 3}, 9},
    {{72, {12, 6}, 2, 16, 6}, 11},        {{78, {13, 6}, 2, 16, 7}, 7},          {{96, {12, 8}, 2, 16, 8}, 9},
    {{100, {10, 10}, 2, 16, 10}, 8},      {{126, {14, 9}, 2, 16, 9}, 6},         {{130, {13, 10}, 2, 16, 10}, 6},
    {{150, {25, 6}, 2, 16, 6}, 6},        {{210, {21, 10}, 2, 16, 10}, 4},       {{250, {25, 10}, 2, 8, 10}, 6},
    {{270, {27, 10}, 2, 16, 10}, 4},      {{330, {30, 11}, 2, 8, 11}, 6},        {{336, {21, 16}, 2, 8, 16}, 5},
    {{352, {22, 16}, 2, 8, 16}, 5},       {{396, {22, 18}, 2, 8, 18}, 4},        {{420, {28, 15}, 2, 8, 15}, 5},
    {{490, {14, 7, 5}, 3, 8, 35}, 4},     {{520, {13, 8, 5}, 3, 8, 40}, 4},      {{540, {27, 20}, 2, 8, 20}, 3},
    {{546, {26, 21}, 2, 2, 26}, 10},      {{576, {24, 24}, 2, 8, 24}, 4},        {{600, {25, 24}, 2, 8, 25}, 4},
    {{630, {14, 9, 5}, 3, 1, 63}, 18},    {{660, {30, 22}, 2, 8, 22}, 2},        {{672, {28, 24}, 2, 8, 24}, 2},
    {{750, {30, 25}, 2, 4, 30}, 5},       {{768, {16, 8, 6}, 3, 2, 48}, 8},      {{882, {14, 9, 7}, 3, 1, 63}, 14},
    {{1008, {16, 9, 7}, 3, 1, 63}, 12},   {{1200, {10, 12, 10}, 3, 1, 60}, 12},  {{2016, {14, 12, 12}, 3, 1, 168}, 6},
    {{2028, {13, 12, 13}, 3, 1, 169}, 6}, {{8190, {18, 13, 7, 5}, 4, 1, 455}, 2}};
static const mfft_bounded_chain doubles[] = {
    {{36, {12, 3}, 2, 32, 3}, 5},         {{40, {8, 5}, 2, 16, 5}, 7},           {{42, {14, 3}, 2, 32, 3}, 5},
    {{72, {12, 6}, 2, 16, 6}, 5},         {{78, {13, 6}, 2, 16, 6}, 5},          {{96, {16, 6}, 2, 16, 6}, 5},
    {{108, {27, 4}, 2, 16, 4}, 5},        {{126, {9, 14}, 2, 16, 9}, 4},         {{150, {25, 6}, 2, 16, 6}, 4},
    {{270, {27, 10}, 2, 8, 10}, 3},       {{312, {24, 13}, 2, 8, 13}, 3},        {{330, {22, 15}, 2, 8, 15}, 3},
    {{336, {21, 16}, 2, 8, 16}, 3},       {{352, {22, 16}, 2, 8, 16}, 3},        {{378, {27, 14}, 2, 8, 14}, 3},
    {{400, {25, 16}, 2, 8, 16}, 3},       {{420, {28, 15}, 2, 8, 15}, 3},        {{432, {27, 16}, 2, 8, 16}, 2},
    {{448, {28, 16}, 2, 8, 16}, 2},       {{490, {14, 7, 5}, 3, 8, 35}, 2},      {{520, {13, 8, 5}, 3, 8, 40}, 2},
    {{540, {27, 20}, 2, 4, 27}, 3},       {{546, {26, 21}, 2, 4, 26}, 3},        {{576, {24, 24}, 2, 8, 24}, 2},
    {{600, {24, 25}, 2, 4, 25}, 4},       {{672, {28, 24}, 2, 4, 28}, 3},        {{700, {28, 25}, 2, 4, 28}, 2},
    {{750, {30, 25}, 2, 4, 30}, 2},       {{768, {24, 8, 4}, 3, 4, 32}, 3},      {{882, {14, 9, 7}, 3, 1, 63}, 7},
    {{1008, {16, 9, 7}, 3, 1, 63}, 7},    {{1200, {12, 10, 10}, 3, 1, 120}, 5},  {{2016, {14, 12, 12}, 3, 1, 168}, 3},
    {{2028, {13, 12, 13}, 3, 1, 169}, 4}, {{8190, {18, 13, 7, 5}, 4, 1, 455}, 1}};

const mfft_bounded_chain *mfft_rader_measured(mfft_precision precision, int n) {
  const mfft_bounded_chain *rows = is_double(precision) ? doubles : singles;
  const size_t count = is_double(precision) ? sizeof doubles / sizeof *doubles : sizeof singles / sizeof *singles;
  for (size_t i = 0; i < count; i++)
    if (rows[i].chain.n == n) return &rows[i];
  return NULL;
}

int mfft_rader_is_slow(mfft_precision precision, int64_t n) { return !is_double(precision) && n == 4093; }
