/* rader_rules.c: see rader_rules.h. */
#include "local/cuda/tuned/rader_rules.h"

#include <stddef.h>

const mfft_rader_cost *mfft_rader_cost_for(mfft_precision precision) {
  static const mfft_rader_cost cost[] = {
      {{.exchange = 16, .of_value = 0.01, .large = 0.2, .free_values = 16, .large_threads = 512}, .twiddle = 6},
      {{.exchange = 16, .of_value = 0.03, .large = 0.2, .free_values = 16, .large_threads = 512}, .twiddle = 6}};
  return &cost[is_double(precision)];
}

int mfft_rader_registers(mfft_precision precision, int values, int has_long_prime) {
  const int registers = (is_double(precision) ? 84 + 6 * values : 44 + 4 * values) + (has_long_prime ? 32 : 0);
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

/* [lengths] of the chain, radices, merges, lines and threads a line; those of single are for 16 bits too. */
static const mfft_chain singles[] = {
    {36, {12, 3}, 2, 32, 3},       {40, {10, 4}, 2, 16, 4},          {42, {14, 3}, 2, 32, 3},
    {72, {12, 6}, 2, 16, 6},       {78, {13, 6}, 2, 16, 7},          {130, {13, 10}, 2, 16, 10},
    {150, {25, 6}, 2, 16, 6},      {250, {25, 10}, 2, 8, 10},        {336, {21, 16}, 2, 8, 16},
    {420, {28, 15}, 2, 8, 15},     {490, {14, 7, 5}, 3, 8, 35},      {520, {13, 8, 5}, 3, 2, 40},
    {546, {26, 21}, 2, 2, 26},     {600, {15, 8, 5}, 3, 2, 40},      {630, {14, 9, 5}, 3, 1, 63},
    {768, {16, 8, 6}, 3, 2, 48},   {882, {14, 9, 7}, 3, 1, 63},      {1008, {16, 9, 7}, 3, 1, 63},
    {2028, {26, 13, 6}, 3, 1, 78}, {8190, {18, 13, 7, 5}, 4, 1, 455}};
static const mfft_chain doubles[] = {
    {36, {12, 3}, 2, 32, 3},      {40, {8, 5}, 2, 16, 5},           {42, {14, 3}, 2, 32, 3},     {72, {12, 6}, 2, 16, 6},
    {78, {13, 6}, 2, 16, 6},      {108, {27, 4}, 2, 16, 4},         {150, {25, 6}, 2, 16, 6},    {336, {21, 16}, 2, 8, 16},
    {378, {27, 14}, 2, 8, 14},    {400, {20, 20}, 2, 8, 20},        {420, {28, 15}, 2, 8, 15},   {432, {27, 16}, 2, 8, 16},
    {520, {13, 8, 5}, 3, 2, 40},  {600, {15, 8, 5}, 3, 2, 40},      {768, {24, 8, 4}, 3, 2, 32}, {882, {14, 9, 7}, 3, 1, 63},
    {1008, {16, 9, 7}, 3, 1, 63}, {8190, {18, 13, 7, 5}, 4, 1, 455}};

const mfft_chain *mfft_rader_measured(mfft_precision precision, int n) {
  const mfft_chain *rows = is_double(precision) ? doubles : singles;
  const size_t count = is_double(precision) ? sizeof doubles / sizeof *doubles : sizeof singles / sizeof *singles;
  for (size_t i = 0; i < count; i++)
    if (rows[i].n == n) return &rows[i];
  return NULL;
}

int mfft_rader_is_slow(mfft_precision precision, int64_t n) { return !is_double(precision) && n == 4093; }
