/* rader_rules.c: see rader_rules.h. */
#include "local/cuda/tuned/rader_rules.h"

/* Threads that access shared memory at once. */
static int threads_at_once(mfft_precision precision) { return is_double(precision) ? 8 : 16; }

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

int mfft_rader_lines_by_line(mfft_precision precision, int64_t n) {
  enum { BLOCK_BYTES = 34000 };
  const int most = threads_at_once(precision);
  int lines = most;
  while (2 * lines >= most && lines * n * (is_double(precision) ? 16 : 8) > BLOCK_BYTES) lines /= 2;
  return 2 * lines >= most ? lines : 0;
}

int mfft_rader_lines_alone(int64_t n) {
  enum { BLOCK_ELEMENTS = 1600 };
  int lines = 4;
  while (lines > 1 && lines * n > BLOCK_ELEMENTS) lines /= 2;
  return lines;
}
